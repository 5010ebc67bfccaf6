"""Takes in what carriers report, and tells customers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone

from kit.access import Circumstances
from kit.capacity import PoolExhausted
from kit.codes import wire
from kit.codes.catalogue import ShipmentStatus
from kit.codes.ledger import StatusEntry, StatusStepRefused
from kit.wiring import Kit
from services.tracking.timeline import Timeline

SERVICE = "tracking"


@dataclass(frozen=True)
class FeedResult:
    recorded: int
    ignored: int
    unreadable: int


@dataclass(frozen=True)
class PublicView:
    """What a customer sees without signing in: no parties, no prices."""

    shipment: str
    status: str
    stages: tuple[tuple[str, date], ...]
    expected: date | None


class TrackingFeed:
    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._carrier_estimates: dict[str, datetime] = {}
        self._last_notice: dict[str, str] = {}

    def take_events(self, principal: str, content: str) -> FeedResult:
        """A carrier's file carries days, not hours; noon is the least wrong hour."""
        self._kit.access.require(principal, "tracking.record")
        batch = self._kit.intake.read("carrier_events", content)
        recorded = ignored = 0
        for row in batch.rows:
            try:
                status = wire.from_partner("ocean_carrier", ShipmentStatus, row["event"])
                noon = datetime.combine(row["day"], time(12), timezone.utc)
                self.record(principal, row["shipment"], status, noon, "carrier")
                recorded += 1
            except (wire.UnknownCode, StatusStepRefused):
                ignored += 1
                self._kit.telemetry.count("tracking_events_total", source="carrier", outcome="ignored")
        return FeedResult(recorded, ignored, len(batch.rejected))

    def record(self, principal: str, shipment: str, status: ShipmentStatus, at: datetime, source: str) -> StatusEntry:
        self._kit.access.require(principal, "tracking.record", Circumstances(record=shipment))
        before = self._kit.ledger.latest(shipment)
        entry = self._kit.ledger.record(shipment, status, at, source)
        self._kit.telemetry.count("tracking_events_total", source=source, outcome="recorded")
        self._kit.telemetry.log(SERVICE, "status_recorded", shipment=shipment, status=status.name, source=source)
        if before is None or status > before.status:
            self._kit.outbox.publish(SERVICE, "shipment.moved", shipment, {"status": status, "at": at.isoformat()})
        return entry

    def carrier_estimate(self, shipment: str, at: datetime) -> None:
        self._carrier_estimates[shipment] = at

    def expected(self, shipment: str) -> datetime | None:
        timeline = self.timeline(shipment)
        trusted = self._kit.flags.is_on("eta_from_carrier", SERVICE, shipment)
        carrier = self._carrier_estimates.get(shipment) if trusted else None
        estimate = timeline.estimate(self._kit.clock.now(), carrier)
        if estimate is None:
            return None
        return estimate + timedelta(hours=self._kit.view(SERVICE).number("eta_slack_hours"))

    def timeline(self, shipment: str) -> Timeline:
        return Timeline.from_history(shipment, self._kit.ledger.history(shipment))

    def public_view(self, shipment: str) -> PublicView | None:
        timeline = self.timeline(shipment)
        if timeline.current is None:
            return None
        expected = self.expected(shipment)
        return PublicView(
            shipment=shipment,
            status=wire.label(timeline.current.status),
            stages=tuple((wire.label(stage.status), stage.reached_at.date()) for stage in timeline.stages),
            expected=expected.date() if expected else None,
        )

    def notify(self, principal: str, shipment: str, *, urgent: bool = False) -> str | None:
        """The notice sent, or None when there is nothing new or no room to send it."""
        self._kit.access.require(principal, "tracking.notify", Circumstances(record=shipment))
        view = self.public_view(shipment)
        if view is None or view.expected is None:
            return None
        notice = self._kit.documents.render(
            "arrival_notice", {"shipment": shipment, "status": view.status, "expected": view.expected}
        )
        quiet = self._kit.flags.is_on("quiet_notices", SERVICE, shipment)
        if quiet and self._last_notice.get(shipment) == notice:
            return None
        try:
            self._kit.pools.acquire("notice_mail", SERVICE, urgent=urgent)
        except PoolExhausted:
            return None
        self._last_notice[shipment] = notice
        return notice
