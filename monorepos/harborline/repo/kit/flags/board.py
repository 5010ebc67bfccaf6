"""Answers whether a flag is on for an audience.

The first rule that speaks wins:

1. a prerequisite that is off turns the flag off;
2. `services` names the asking service;
3. `cohorts` names a cohort the subject belongs to (off beats on);
4. `rollout_percent` covers the subject's bucket;
5. `default`.

A rollout can only turn a flag on. Buckets come from a hash of flag and
subject, so a subject keeps its answer while the percentage grows.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, Mapping

from kit.errors import HarborlineError, StoreFault

DEFAULT_STORE = Path(__file__).with_name("flags.json")


class FlagFault(StoreFault):
    """flags.json is unreadable, or a flag depends on itself."""


class UnknownFlag(HarborlineError, LookupError):
    pass


@dataclass(frozen=True)
class Audience:
    """Who asks. `subject` is the shipper, haulier or vehicle the answer is about."""

    service: str
    subject: str = ""


@dataclass(frozen=True)
class FlagState:
    name: str
    on: bool
    decided_by: str


@dataclass(frozen=True)
class _Book:
    flags: Mapping[str, Mapping[str, Any]]
    cohorts: Mapping[str, frozenset[str]]
    stale: Mapping[str, date]


class FlagBoard:
    def __init__(self, store: Path = DEFAULT_STORE) -> None:
        self._store = store

    def is_on(self, flag: str, service: str, subject: str = "") -> bool:
        return self.explain(flag, Audience(service, subject)).on

    def explain(self, flag: str, audience: Audience) -> FlagState:
        return self._decide(self._read(), flag, audience, ())

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._read().flags))

    def overdue(self, today: date) -> tuple[str, ...]:
        """Stale flags whose date has passed: the next release may delete them."""
        return tuple(sorted(name for name, until in self._read().stale.items() if until < today))

    def _decide(self, book: _Book, flag: str, audience: Audience, path: tuple[str, ...]) -> FlagState:
        if flag in path:
            raise FlagFault(f"{flag!r} requires itself by way of {' -> '.join((*path, flag))}")
        try:
            entry = book.flags[flag]
        except KeyError:
            raise UnknownFlag(f"no flag {flag!r}") from None
        for needed in entry.get("requires", ()):
            if not self._decide(book, needed, audience, (*path, flag)).on:
                return FlagState(flag, False, f"requires {needed}")
        services = entry.get("services", {})
        if audience.service in services:
            return FlagState(flag, bool(services[audience.service]), f"service {audience.service}")
        matched = {
            cohort: bool(answer)
            for cohort, answer in entry.get("cohorts", {}).items()
            if audience.subject in book.cohorts.get(cohort, frozenset())
        }
        if matched:
            cohort = next((name for name, answer in matched.items() if not answer), next(iter(matched)))
            return FlagState(flag, matched[cohort], f"cohort {cohort}")
        percent = entry.get("rollout_percent", 0)
        if audience.subject and bucket(flag, audience.subject) < percent:
            return FlagState(flag, True, f"rollout {percent}%")
        return FlagState(flag, bool(entry["default"]), "default")

    def _read(self) -> _Book:
        try:
            document = json.loads(self._store.read_text(encoding="ascii"), object_pairs_hook=_no_repeats)
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise FlagFault(f"{self._store.name}: {error}") from error
        flags = document.get("flags", {})
        cohorts = {name: frozenset(members) for name, members in document.get("cohort_members", {}).items()}
        for name, entry in flags.items():
            if not isinstance(entry.get("default"), bool):
                raise FlagFault(f"{name!r} has no default of true or false")
            if not 0 <= entry.get("rollout_percent", 0) <= 100:
                raise FlagFault(f"{name!r}: rollout_percent lies outside 0 to 100")
            unknown = sorted(set(entry.get("cohorts", {})) - set(cohorts))
            if unknown:
                raise FlagFault(f"{name!r} targets cohort {unknown[0]!r}, which has no members list")
        stale = {name: date.fromisoformat(until) for name, until in document.get("stale", {}).items()}
        return _Book(MappingProxyType(flags), MappingProxyType(cohorts), MappingProxyType(stale))


def bucket(flag: str, subject: str) -> int:
    """The subject's place from 0 to 99 in the rollout of this flag."""
    digest = hashlib.sha256(f"{flag}/{subject}".encode("utf-8")).digest()
    return int.from_bytes(digest[:4], "big") % 100


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise FlagFault(f"{key!r} appears twice")
        entries[key] = value
    return entries
