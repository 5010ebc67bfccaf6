"""Keeps samples of registered metrics and formats log lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType

from kit.clock import Clock
from kit.errors import HarborlineError
from kit.telemetry.lines import format_line
from kit.telemetry.registry import LOG_EVENTS, METRICS, LogEvent, MetricKind, MetricSpec
from kit.telemetry.rules import DEFAULT_STORE, Firing, RuleBook, Series
from kit.telemetry.units import in_unit


class UnknownMetric(HarborlineError, LookupError):
    pass


class LabelMismatch(HarborlineError, ValueError):
    pass


@dataclass(frozen=True)
class Sample:
    metric: str
    value: float
    labels: Mapping[str, str]
    at: datetime


class Telemetry:
    def __init__(
        self,
        clock: Clock,
        rules: Path = DEFAULT_STORE,
        metrics: Iterable[MetricSpec] = METRICS,
        events: Iterable[LogEvent] = LOG_EVENTS,
    ) -> None:
        self._clock = clock
        self._rules = rules
        self._specs = {spec.name: spec for spec in metrics}
        self._events = {event.name: event for event in events}
        self._samples: dict[str, list[Sample]] = {}
        self._lines: list[str] = []

    def count(self, metric: str, by: float = 1, **labels: str) -> None:
        if by < 0:
            raise ValueError(f"{metric} only counts up")
        self._record(metric, MetricKind.COUNTER, by, labels)

    def gauge(self, metric: str, value: float, **labels: str) -> None:
        self._record(metric, MetricKind.GAUGE, value, labels)

    def timing(self, metric: str, value: float, unit: str, **labels: str) -> None:
        """`unit` is the caller's; the sample is stored in the metric's own."""
        self._record(metric, MetricKind.TIMING, in_unit(value, unit, self._spec(metric).unit), labels)

    def log(self, service: str, event: str, level: str = "info", **fields: object) -> str:
        spec = self._events.get(event)
        if spec is None:
            raise UnknownMetric(f"no log event {event!r}")
        missing = [name for name in spec.fields if name not in fields]
        if missing:
            raise LabelMismatch(f"{event} needs {', '.join(missing)}")
        extra = sorted(set(fields) - set(spec.fields))
        ordered = {name: fields[name] for name in (*spec.fields, *extra)}
        line = format_line(self._clock.now(), level, service, event, ordered)
        self._lines.append(line)
        return line

    def samples(self, metric: str, **labels: str) -> tuple[Sample, ...]:
        self._spec(metric)
        return tuple(sample for sample in self._samples.get(metric, ()) if labels.items() <= sample.labels.items())

    def total(self, metric: str, **labels: str) -> float:
        return sum(sample.value for sample in self.samples(metric, **labels))

    def lines(self, event: str = "") -> tuple[str, ...]:
        return tuple(line for line in self._lines if not event or f" event={event} " in f"{line} ")

    def evaluate(self) -> tuple[Firing, ...]:
        """Alerts that fire now, under the rules as the file has them now."""
        return RuleBook.load(self._rules, self._specs).evaluate(self._series, self._clock.now())

    def _series(self, metric: str, since: timedelta) -> Series:
        oldest = self._clock.now() - since
        return [(sample.labels, sample.value) for sample in self._samples.get(metric, ()) if sample.at > oldest]

    def _spec(self, metric: str) -> MetricSpec:
        try:
            return self._specs[metric]
        except KeyError:
            raise UnknownMetric(f"no metric {metric!r} in the registry") from None

    def _record(self, metric: str, kind: MetricKind, value: float, labels: Mapping[str, str]) -> None:
        spec = self._spec(metric)
        if spec.kind is not kind:
            raise UnknownMetric(f"{metric} is a {spec.kind}, not a {kind}")
        missing = set(spec.labels) - set(labels)
        extra = set(labels) - set(spec.labels) - set(spec.optional)
        if missing or extra:
            raise LabelMismatch(f"{metric} takes labels {spec.labels + spec.optional}, got {tuple(sorted(labels))}")
        full = {name: str(labels.get(name, "-")) for name in spec.labels + spec.optional}
        self._store(spec.name, value, full)
        for name in spec.mirrors:
            mirror = self._spec(name)
            kept = {label: full.get(label, "-") for label in mirror.labels + mirror.optional}
            self._store(name, in_unit(value, spec.unit, mirror.unit), kept)

    def _store(self, metric: str, value: float, labels: Mapping[str, str]) -> None:
        sample = Sample(metric, float(value), MappingProxyType(dict(labels)), self._clock.now())
        self._samples.setdefault(metric, []).append(sample)
