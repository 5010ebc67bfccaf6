"""palletmark 0.9: serial shipping container codes (SSCC) and their labels."""

__version__ = "0.9.4"


def check_digit(digits):
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(digits)))
    return str(-total % 10)


def make_sscc(extension, company_prefix, serial):
    """Eighteen digits. A serial too long for its field loses its leading digits."""
    width = 16 - len(company_prefix)
    body = f"{extension}{company_prefix}{serial:0{width}d}"
    body = body[: 1 + len(company_prefix)] + body[-width:]
    return body + check_digit(body)


def is_sscc(text):
    plain = text.replace(" ", "")
    if plain.startswith("00") and len(plain) == 20:
        plain = plain[2:]
    return len(plain) == 18 and plain.isdigit() and check_digit(plain[:-1]) == plain[-1]


def label(sscc, lines=()):
    """The number in groups as people read it, below the caller's lines."""
    grouped = f"{sscc[0]} {sscc[1:8]} {sscc[8:17]} {sscc[17]}"
    return "\n".join([*lines, grouped])
