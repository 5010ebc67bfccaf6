"""The label printer: labels for tubes, by the unit's pin of tubelabel."""

from lumen.base.text import person_label
from lumen.shared.vendoring.resolver import load


def tube_label(site, unit, number, family, given, day, tube):
    """Lines of a label, the text under the bars last."""
    tubelabel = load(site, unit, "tubelabel")
    lines = tubelabel.label(number, person_label(family, given), day, tube)
    return lines + [tubelabel.barcode(number)]
