"""Service characters of syntax level A."""

ELEMENT = "+"
TERMINATOR = "'"
RELEASE = "?"


def soften(value):
    """Service characters inside a value become blanks; letters become capitals."""
    return "".join(" " if mark in "+'?" else mark for mark in str(value)).upper()
