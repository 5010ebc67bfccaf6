"""Checks orders as they come in."""


def accept(number, lines):
    """Return an order, or raise ValueError where a line makes no sense."""
    for article, quantity in lines:
        if quantity < 1:
            raise ValueError(f"order {number}: {article}: quantity {quantity}")
    return {"number": number, "lines": tuple(lines), "state": "accepted"}
