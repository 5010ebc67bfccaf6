"""Rows as dicts: reading, grouping, indexing, laying out."""

import csv
from functools import lru_cache
from pathlib import Path

from lumen.base.errors import StoreError


def read_csv(path):
    """Rows of a CSV store as dicts of stripped text; "#" lines are comments.

    The file is read at each call; a text that was parsed before is not parsed
    again.
    """
    path = Path(path)
    return [dict(row) for row in _parsed(path.read_text(encoding="utf-8"), path.name)]


@lru_cache(maxsize=32)
def _parsed(text, source):
    lines = text.splitlines()
    kept = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    reader = csv.DictReader(kept)
    rows = []
    for row in reader:
        if None in row or None in row.values():
            raise StoreError(f"{source}: wrong number of columns: {row}")
        rows.append(tuple((name, value.strip()) for name, value in row.items()))
    return tuple(rows)


def split_list(raw, sep=";"):
    """Items of a list written in one cell; blanks around and empties dropped."""
    return [item.strip() for item in (raw or "").split(sep) if item.strip()]


def group_by(rows, key):
    """Rows gathered under `key` (a column or a function), in order of sight."""
    pick = key if callable(key) else (lambda row: row[key])
    groups = {}
    for row in rows:
        groups.setdefault(pick(row), []).append(row)
    return groups


def index_by(rows, column, name="table"):
    """Rows by the value of a column that must be unique."""
    found = {}
    for row in rows:
        if row[column] in found:
            raise StoreError(f"{name}: {column} {row[column]!r} occurs twice")
        found[row[column]] = row
    return found


def layout(rows, columns, gap=2):
    """Rows as aligned lines; a column is (key, heading, "l" or "r")."""
    grid = [[heading for _, heading, _ in columns]]
    grid += [[str(row.get(key, "")) for key, _, _ in columns] for row in rows]
    widths = [max(len(line[i]) for line in grid) for i in range(len(columns))]
    lines = []
    for line in grid:
        cells = [
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, (_, _, side) in zip(line, widths, columns)
        ]
        lines.append((" " * gap).join(cells).rstrip())
    return lines
