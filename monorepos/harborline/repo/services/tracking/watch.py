"""Finds shipments that nobody has heard of for too long."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from kit.codes.catalogue import ShipmentStatus
from kit.wiring import Kit
from services.tracking.timeline import Timeline

SERVICE = "tracking"


@dataclass(frozen=True)
class Silence:
    shipment: str
    status: ShipmentStatus
    silent_for: timedelta


class SilenceWatch:
    """At sea no news is normal, so the alarm there is five times as patient."""

    SEA_FACTOR = 5

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def sweep(self) -> tuple[Silence, ...]:
        """Longest silence first."""
        now = self._kit.clock.now()
        alarm = timedelta(hours=self._kit.view(SERVICE).number("silence_alarm_hours"))
        found = []
        for shipment in self._kit.ledger.between(ShipmentStatus.CONFIRMED, ShipmentStatus.DELIVERED):
            timeline = Timeline.from_history(shipment, self._kit.ledger.history(shipment))
            stage, heard = timeline.current, timeline.last_heard
            if stage is None or heard is None:
                continue
            patience = alarm * self.SEA_FACTOR if stage.status is ShipmentStatus.DEPARTED else alarm
            if now - heard > patience:
                found.append(Silence(shipment, stage.status, now - heard))
        self._kit.telemetry.gauge("tracking_silent_shipments", len(found))
        return tuple(sorted(found, key=lambda each: (-each.silent_for, each.shipment)))
