"""Reads a partner's file into typed rows for the service that owns the feed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from kit.codes import wire
from kit.codes.catalogue import HazardClass
from kit.config import SettingsLoader
from kit.errors import HarborlineError, RequestRefused
from kit.exchange.layouts import FEEDS, Feed, FeedColumn
from kit.helpers import dates, keys, money, parsing, text


class UnknownFeed(HarborlineError, LookupError):
    pass


class FileRefused(RequestRefused):
    """Too much of the file is unreadable to trust the rest."""


@dataclass(frozen=True)
class RejectedRow:
    number: int
    reason: str


@dataclass(frozen=True)
class IntakeBatch:
    feed: str
    rows: tuple[Mapping[str, Any], ...]
    rejected: tuple[RejectedRow, ...]


class Intake:
    """A row is taken whole or rejected whole; a repeated key rejects the later row."""

    def __init__(self, settings: SettingsLoader, feeds: Mapping[str, Feed] = FEEDS) -> None:
        self._settings = settings
        self._feeds = feeds

    def read(self, feed: str, content: str) -> IntakeBatch:
        try:
            layout = self._feeds[feed]
        except KeyError:
            raise UnknownFeed(f"no feed {feed!r}") from None
        taken: list[Mapping[str, Any]] = []
        rejected: list[RejectedRow] = []
        seen: set[Any] = set()
        for number, raw in enumerate(parsing.read_rows(content), start=1):
            try:
                row = {column.name: self._value(column, raw) for column in layout.columns}
                if layout.key and row[layout.key] in seen:
                    raise ValueError(f"{layout.key} {row[layout.key]} came before")
            except ValueError as error:
                rejected.append(RejectedRow(number, str(error)))
                continue
            if layout.key:
                seen.add(row[layout.key])
            taken.append(MappingProxyType(row))
        self._refuse_if_bad(layout, feed, len(taken), len(rejected))
        return IntakeBatch(feed, tuple(taken), tuple(rejected))

    def _value(self, column: FeedColumn, raw: Mapping[str, str]) -> Any:
        found = next((raw[name] for name in (column.name, *column.also_called) if raw.get(name)), "")
        if not found:
            if column.required:
                raise ValueError(f"{column.name} is missing")
            return None
        return READERS[column.kind](found)

    def _refuse_if_bad(self, layout: Feed, feed: str, taken: int, rejected: int) -> None:
        limit = self._settings.for_service(layout.service).integer("intake_max_reject_percent")
        total = taken + rejected
        if total and rejected * 100 > limit * total:
            raise FileRefused(f"{feed}: {rejected} of {total} rows are unreadable, at most {limit}% may be")


READERS: Mapping[str, Callable[[str], Any]] = MappingProxyType({
    "text": text.squash,
    "plain": lambda value: text.squash(text.ascii_fold(value)),
    "decimal": parsing.parse_decimal,
    "weight_kg": parsing.parse_weight_kg,
    "count": parsing.parse_count,
    "yes_no": parsing.parse_yes_no,
    "day": dates.parse_day,
    "money": money.parse_money,
    "container": keys.container_number,
    "hazard": lambda value: wire.decode(HazardClass, value),
})
