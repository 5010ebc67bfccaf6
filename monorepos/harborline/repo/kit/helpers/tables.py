"""Plain-text tables for documents and mail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kit.helpers.text import clip


@dataclass(frozen=True)
class TableColumn:
    title: str
    width: int
    right: bool = False

    def cell(self, value: str) -> str:
        shown = clip(value, self.width)
        return shown.rjust(self.width) if self.right else shown.ljust(self.width)


def render_table(columns: Sequence[TableColumn], rows: Iterable[Sequence[str]], gap: str = "  ") -> str:
    """Lines end without trailing blanks, so that documents compare byte for byte."""
    lines = [
        gap.join(column.cell(column.title) for column in columns).rstrip(),
        gap.join("-" * column.width for column in columns),
    ]
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"a row of {len(row)} cells does not fit {len(columns)} columns")
        lines.append(gap.join(column.cell(value) for column, value in zip(columns, row)).rstrip())
    return "\n".join(lines)


def paginate(lines: Sequence[str], per_page: int) -> list[list[str]]:
    if per_page < 1:
        raise ValueError("a page holds at least one line")
    return [list(lines[start : start + per_page]) for start in range(0, len(lines), per_page)]
