"""Amounts in cents, so that sums are exact."""


def total(prices):
    """Add up (quantity, price in cents) pairs."""
    return sum(quantity * price for quantity, price in prices)


def written(cents):
    """Write an amount for a letter: 1234 is 12.34."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
