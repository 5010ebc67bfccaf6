"""Evaluates alerts.toml over recorded samples."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from kit.errors import StoreFault
from kit.telemetry.registry import MetricSpec
from kit.telemetry.units import in_unit

DEFAULT_STORE = Path(__file__).with_name("alerts.toml")

Series = Sequence[tuple[Mapping[str, str], float]]
Source = Callable[[str, timedelta], Series]


class RuleFault(StoreFault):
    """A rule names what does not exist or cannot be compared."""


@dataclass(frozen=True)
class Firing:
    alert: str
    team: str
    severity: str
    labels: Mapping[str, str]
    value: float
    at: datetime


@dataclass(frozen=True)
class _Rule:
    name: str
    metric: str
    aggregate: str
    window: timedelta
    unit: str
    where: Mapping[str, str]
    by: tuple[str, ...]

    @classmethod
    def read(cls, name: str, entry: Mapping[str, Any]) -> _Rule:
        try:
            rule = cls(
                name=name,
                metric=entry["metric"],
                aggregate=entry["aggregate"],
                window=timedelta(minutes=entry["window_minutes"]),
                unit=entry["unit"],
                where=dict(entry.get("where", {})),
                by=tuple(entry.get("by", ())),
            )
        except KeyError as error:
            raise RuleFault(f"{name}: {error.args[0]} is missing") from None
        if rule.aggregate not in _AGGREGATES:
            raise RuleFault(f"{name}: unknown aggregate {rule.aggregate!r}")
        return rule

    def groups(self, series: Series) -> dict[tuple[str, ...], list[float]]:
        found: dict[tuple[str, ...], list[float]] = {}
        for labels, value in series:
            if all(labels.get(name) == wanted for name, wanted in self.where.items()):
                found.setdefault(tuple(labels.get(name, "-") for name in self.by), []).append(value)
        return found


class RuleBook:
    def __init__(self, recordings: Sequence[_Rule], alerts: Sequence[tuple[_Rule, Mapping[str, Any]]],
                 units: Mapping[str, str]) -> None:
        self._recordings = recordings
        self._alerts = alerts
        self._units = units

    @classmethod
    def load(cls, store: Path, specs: Mapping[str, MetricSpec]) -> RuleBook:
        try:
            document = tomllib.loads(store.read_text(encoding="ascii"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise RuleFault(f"{store.name}: {error}") from error
        units = {name: spec.unit for name, spec in specs.items()}
        recordings = [_Rule.read(name, entry) for name, entry in document.get("recording", {}).items()]
        for rule in recordings:
            cls._check(rule, units, specs)
            units[rule.name] = rule.unit
        alerts = [(_Rule.read(name, entry), entry) for name, entry in document.get("alert", {}).items()]
        for rule, entry in alerts:
            cls._check(rule, units, specs)
            if ("above" in entry) == ("below" in entry):
                raise RuleFault(f"{rule.name}: give one of above and below")
        return cls(recordings, alerts, units)

    @staticmethod
    def _check(rule: _Rule, units: Mapping[str, str], specs: Mapping[str, MetricSpec]) -> None:
        if rule.metric not in units:
            raise RuleFault(f"{rule.name}: no metric {rule.metric!r}")
        if rule.aggregate != "count":
            try:
                in_unit(1.0, rule.unit, units[rule.metric])
            except ValueError as error:
                raise RuleFault(f"{rule.name}: {error}") from error
        if rule.metric in specs:
            known = {*specs[rule.metric].labels, *specs[rule.metric].optional}
            strange = sorted({*rule.where, *rule.by} - known)
            if strange:
                raise RuleFault(f"{rule.name}: {rule.metric} has no label {strange[0]!r}")

    def evaluate(self, source: Source, now: datetime) -> tuple[Firing, ...]:
        recorded: dict[str, Series] = {}
        for rule in self._recordings:
            recorded[rule.name] = [
                (dict(zip(rule.by, key)), self._aggregate(rule, values))
                for key, values in rule.groups(source(rule.metric, rule.window)).items()
            ]
        firing = []
        for rule, entry in self._alerts:
            series = recorded[rule.metric] if rule.metric in recorded else source(rule.metric, rule.window)
            for key, values in sorted(rule.groups(series).items()):
                value = self._aggregate(rule, values)
                if ("above" in entry and value > entry["above"]) or ("below" in entry and value < entry["below"]):
                    labels = dict(zip(rule.by, key))
                    firing.append(Firing(rule.name, entry["team"], entry.get("severity", "ticket"), labels, value, now))
        return tuple(firing)

    def _aggregate(self, rule: _Rule, values: list[float]) -> float:
        result = _AGGREGATES[rule.aggregate](values)
        return result if rule.aggregate == "count" else in_unit(result, self._units[rule.metric], rule.unit)


def _p95(values: list[float]) -> float:
    """Nearest rank: always a value that was really seen."""
    return sorted(values)[max(0, math.ceil(0.95 * len(values)) - 1)]


_AGGREGATES: Mapping[str, Callable[[list[float]], float]] = {
    "sum": sum,
    "count": len,
    "max": max,
    "min": min,
    "last": lambda values: values[-1],
    "mean": lambda values: sum(values) / len(values),
    "p95": _p95,
}
