"""palletmark 1.0: serial shipping container codes (SSCC) and their labels."""

__version__ = "1.0.1"

APPLICATION_IDENTIFIER = "(00)"


def check_digit(digits):
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(digits)))
    return str(-total % 10)


def make_sscc(extension, company_prefix, serial):
    """Eighteen digits. A serial that does not fit is refused: two pallets would share a number."""
    width = 16 - len(company_prefix)
    if not 0 <= extension <= 9:
        raise ValueError(f"extension {extension} is not one digit")
    if not 0 <= serial < 10**width:
        raise ValueError(f"serial {serial} does not fit {width} digits")
    body = f"{extension}{company_prefix}{serial:0{width}d}"
    return body + check_digit(body)


def is_sscc(text):
    """Exactly eighteen digits; spaces and the identifier are no part of the number."""
    return len(text) == 18 and text.isdigit() and check_digit(text[:-1]) == text[-1]


def label(sscc, lines=()):
    """The identifier and number first, so that scanners find it, then the caller's lines."""
    if not is_sscc(sscc):
        raise ValueError(f"not an SSCC: {sscc!r}")
    return "\n".join([f"{APPLICATION_IDENTIFIER}{sscc}", *lines])
