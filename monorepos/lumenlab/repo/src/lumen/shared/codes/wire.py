"""Compact records for storage and for messages between sites.

A record is one line of fields joined by "|". Code-list fields travel as
codes, days as packed digits; a layout is a tuple of (field, kind) where kind
is "text", "day" or "code:LIST".
"""

from lumen.base.dates import parse_day
from lumen.base.errors import InputError
from lumen.shared.codes.lists import code_of, parse

_ESCAPES = (("\\", "\\\\"), ("|", "\\p"), ("\n", "\\n"))


def _escape(raw):
    for plain, written in _ESCAPES:
        raw = raw.replace(plain, written)
    return raw


def _unescape(raw):
    plain, characters = [], iter(raw)
    for ch in characters:
        if ch == "\\":
            ch = {"p": "|", "n": "\n"}.get(mark := next(characters, ""), mark)
        plain.append(ch)
    return "".join(plain)


def encode(site, layout, record):
    """One line for `record`; absent or None fields are empty."""
    cells = []
    for field, kind in layout:
        value = record.get(field)
        if value is None:
            cells.append("")
        elif kind.startswith("code:"):
            cells.append(code_of(site, kind[5:], value))
        elif kind == "day":
            cells.append(f"{value:%Y%m%d}")
        else:
            cells.append(_escape(str(value)))
    return "|".join(cells)


def decode(site, layout, line):
    """Record of a line; inverse of `encode`, with empty fields as None.

    A line may be shorter than the layout (written before a field was added),
    never longer.
    """
    cells = line.split("|")
    if len(cells) > len(layout):
        raise InputError(f"{len(cells)} cells for {len(layout)} fields")
    record = {}
    for position, (field, kind) in enumerate(layout):
        cell = cells[position] if position < len(cells) else ""
        if cell == "":
            record[field] = None
        elif kind.startswith("code:"):
            record[field] = parse(site, kind[5:], cell)
        elif kind == "day":
            record[field] = parse_day(cell)
        else:
            record[field] = _unescape(cell)
    return record
