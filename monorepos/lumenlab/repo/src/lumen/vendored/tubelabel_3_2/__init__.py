"""tubelabel 3.2 - text of specimen labels, 24 characters wide.

Changes since 3.0: days are ISO; a person who does not fit keeps the family
name and the initial of the given name; the barcode leaves hyphens out, which
older scanners cannot read.
"""

__version__ = "3.2"

WIDTH = 24


def _fit(person):
    family, comma, given = str(person).partition(", ")
    if len(person) <= WIDTH or not comma:
        return str(person)[:WIDTH].rstrip()
    return family[: WIDTH - 4].rstrip() + ", " + given[:1] + "."


def label(number, person, day, tube):
    """Four lines: number, person, day, tube."""
    return [str(number)[:WIDTH], _fit(person), day.isoformat(), str(tube)[:WIDTH].rstrip()]


def barcode(number):
    """Text under the bars, without hyphens, in asterisks."""
    return "*%s*" % str(number).replace("-", "")
