"""The course of a shipment and an estimate of its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from kit.codes.catalogue import ShipmentStatus
from kit.codes.ledger import StatusEntry

# Typical hours from reaching a stage to reaching the next, over the last two years.
_BASELINE_HOURS: Mapping[ShipmentStatus, float] = {
    ShipmentStatus.BOOKED: 8,
    ShipmentStatus.CONFIRMED: 40,
    ShipmentStatus.COLLECTED: 18,
    ShipmentStatus.EXPORT_CLEARED: 30,
    ShipmentStatus.DEPARTED: 264,
    ShipmentStatus.ARRIVED: 36,
    ShipmentStatus.IMPORT_CLEARED: 20,
    ShipmentStatus.OUT_FOR_DELIVERY: 7,
}


@dataclass(frozen=True)
class Stage:
    status: ShipmentStatus
    reached_at: datetime


@dataclass(frozen=True)
class Timeline:
    shipment: str
    stages: tuple[Stage, ...]

    @classmethod
    def from_history(cls, shipment: str, history: Sequence[StatusEntry]) -> Timeline:
        """One entry a stage: the first report of it. Two sources often report one event."""
        first: dict[ShipmentStatus, datetime] = {}
        for entry in history:
            known = first.get(entry.status)
            first[entry.status] = entry.at if known is None else min(known, entry.at)
        stages = tuple(Stage(status, first[status]) for status in sorted(first))
        return cls(shipment, stages)

    @property
    def current(self) -> Stage | None:
        return self.stages[-1] if self.stages else None

    @property
    def last_heard(self) -> datetime | None:
        return max((stage.reached_at for stage in self.stages), default=None)

    def disorder(self) -> tuple[ShipmentStatus, ...]:
        """Stages reported as reached before the stage that precedes them."""
        return tuple(
            later.status
            for earlier, later in zip(self.stages, self.stages[1:])
            if later.reached_at < earlier.reached_at
        )

    def dwell(self, status: ShipmentStatus) -> timedelta | None:
        """Time spent between reaching `status` and the next stage reported."""
        for stage, following in zip(self.stages, self.stages[1:]):
            if stage.status is status:
                return following.reached_at - stage.reached_at
        return None

    def estimate(self, now: datetime, carrier_says: datetime | None = None) -> datetime | None:
        """Expected delivery: typical times for what remains, from where it stands now.

        An overdue stage is assumed to end now, not in the past. The carrier's
        own estimate counts when it is the later one: carriers are never late
        on purpose.
        """
        stage = self.current
        if stage is None or stage.status in (ShipmentStatus.DELIVERED, ShipmentStatus.CANCELLED):
            return None
        leaves = stage.reached_at + timedelta(hours=_BASELINE_HOURS[stage.status])
        remaining = sum(hours for status, hours in _BASELINE_HOURS.items() if status > stage.status)
        ours = max(leaves, now) + timedelta(hours=remaining)
        return max(ours, carrier_says) if carrier_says else ours
