"""tubelabel 3.0 - text of specimen labels, 24 characters wide."""

__version__ = "3.0"

WIDTH = 24


def label(number, person, day, tube):
    """Four lines: number, person, day, tube; cut at the width."""
    rows = (number, person, day.strftime("%d/%m/%Y"), tube)
    return [str(row)[:WIDTH].rstrip() for row in rows]


def barcode(number):
    """Text under the bars: the number as it stands, in asterisks."""
    return "*%s*" % number
