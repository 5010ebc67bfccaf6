"""Layout of documents for units.

A document is a title and blocks. A block is ("fields", [(label, kind,
value)]), ("table", columns, rows) or ("note", text). Values are formatted by
kind here, so that a day or an amount looks the same on every document of the
house.
"""

from lumen.base import dates, money, quantities, tables, text
from lumen.base.clock import stamp
from lumen.shared import codes, config


def show(site, unit, kind, value):
    """Text of a value by kind; None prints as a dash."""
    if value is None:
        return "-"
    settings = config.view(site, unit)
    if kind == "day":
        return dates.show_day(value)
    if kind == "moment":
        return stamp(value)
    if kind == "money":
        return money.show(value, settings["currency"])
    if kind == "quantity":
        return quantities.show_quantity(value, settings["report_digits"])
    if kind == "person":
        return text.person_label(*value)
    if kind == "identifier":
        return text.mask(value)
    if kind.startswith("code:"):
        return codes.label_of(site, kind[5:], value)
    return text.squeeze(str(value))


def _fields(site, unit, items, width):
    shown = [(label, show(site, unit, kind, value)) for label, kind, value in items]
    column = max((len(label) for label, _ in shown), default=0)
    room = max(1, width - column - 2)
    return [f"{label.ljust(column)}  {text.clip(value, room)}" for label, value in shown]


def _table(site, unit, columns, rows):
    shown = [
        {key: show(site, unit, kind, row.get(key)) for key, _, kind, _ in columns}
        for row in rows
    ]
    return tables.layout(shown, [(key, heading, side) for key, heading, _, side in columns])


def document(site, unit, title, blocks):
    """Lines of a document, in the unit's width; blocks parted by an empty line."""
    width = config.view(site, unit)["report_width"]
    lines = [text.clip(title, width), "=" * min(width, len(title))]
    for block in blocks:
        lines.append("")
        if block[0] == "fields":
            lines += _fields(site, unit, block[1], width)
        elif block[0] == "table":
            lines += _table(site, unit, block[1], block[2])
        elif block[0] == "note":
            lines += text.wrap(block[1], width)
        else:
            raise ValueError(f"unknown block {block[0]!r}")
    return lines
