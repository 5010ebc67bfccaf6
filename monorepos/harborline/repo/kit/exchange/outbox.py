"""Carries events from services to subscribers, each at least once and in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from types import MappingProxyType
from typing import Any

from kit.clock import Clock
from kit.codes import wire
from kit.config import SettingsLoader
from kit.helpers.keys import event_key
from kit.telemetry import Telemetry

Handler = Callable[["Envelope"], None]


@dataclass(frozen=True)
class Envelope:
    key: str
    topic: str
    record: str
    service: str
    payload: Mapping[str, Any]
    published_at: datetime


@dataclass(frozen=True)
class DeadLetter:
    envelope: Envelope
    deliveries: int
    reason: str


@dataclass(frozen=True)
class DeliveryReport:
    delivered: int
    waiting: int
    dead: int


class Outbox:
    """An event published again within the dedupe time is the same event.

    A subscriber that raises gets the event again on the next `deliver`, up to
    the publisher's `outbox_max_deliveries`; then it is laid aside.
    """

    def __init__(self, clock: Clock, settings: SettingsLoader, telemetry: Telemetry) -> None:
        self._clock = clock
        self._settings = settings
        self._telemetry = telemetry
        self._handlers: dict[str, list[Handler]] = {}
        self._pending: list[tuple[Envelope, Handler, int]] = []
        self._last_seen: dict[str, Envelope] = {}
        self._dead: list[DeadLetter] = []

    def subscribe(self, topic: str, handler: Handler) -> None:
        self._handlers.setdefault(topic, []).append(handler)

    def publish(self, service: str, topic: str, record: str, payload: Mapping[str, Any]) -> Envelope:
        body = {name: wire.encode(value) if isinstance(value, Enum) else value for name, value in payload.items()}
        key = event_key(topic, record, body)
        now = self._clock.now()
        earlier = self._last_seen.get(key)
        window = timedelta(minutes=self._settings.for_service(service).integer("outbox_dedupe_minutes"))
        if earlier and now - earlier.published_at < window:
            self._telemetry.count("outbox_events_total", service=service, topic=topic, outcome="repeated")
            return earlier
        envelope = Envelope(key, topic, record, service, MappingProxyType(body), now)
        self._last_seen[key] = envelope
        self._pending.extend((envelope, handler, 0) for handler in self._handlers.get(topic, ()))
        self._telemetry.count("outbox_events_total", service=service, topic=topic, outcome="accepted")
        return envelope

    def deliver(self) -> DeliveryReport:
        batch, self._pending = self._pending, []
        delivered = dead = 0
        for envelope, handler, tries in batch:
            try:
                handler(envelope)
            except Exception as error:
                if tries + 1 >= self._settings.for_service(envelope.service).integer("outbox_max_deliveries"):
                    self._dead.append(DeadLetter(envelope, tries + 1, f"{type(error).__name__}: {error}"))
                    self._telemetry.count("outbox_dead_letters_total", service=envelope.service, topic=envelope.topic)
                    dead += 1
                else:
                    self._pending.append((envelope, handler, tries + 1))
            else:
                delivered += 1
        return DeliveryReport(delivered, len(self._pending), dead)

    def dead_letters(self) -> tuple[DeadLetter, ...]:
        return tuple(self._dead)
