"""Receives lots, counts them and lets them go."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from kit.access import Circumstances
from kit.errors import RequestRefused
from kit.helpers.dates import days_charged
from kit.wiring import Kit
from services.warehouse.racks import Bin, Lot, RackPlan

SERVICE = "warehouse"


class StockRefused(RequestRefused):
    pass


@dataclass(frozen=True)
class StoredLot:
    lot: Lot
    bin: Bin
    arrived: date
    labels: tuple[str, ...]


@dataclass(frozen=True)
class CountLine:
    lot: str
    expected: int
    counted: int
    damaged: bool
    accepted: bool


@dataclass(frozen=True)
class ReleaseNote:
    lot: str
    days: int
    text: str


class StockRoom:
    def __init__(self, kit: Kit, bins: tuple[Bin, ...]) -> None:
        self._kit = kit
        self._racks = RackPlan(bins, kit.view(SERVICE).integer("rack_height_cm"))
        self._lots: dict[str, StoredLot] = {}
        self._blocked: set[str] = set()
        self._serial = 0

    def receive(self, principal: str, lot: Lot) -> StoredLot:
        """Every pallet gets a number of its own, so that a split lot stays traceable."""
        self._kit.access.require(principal, "warehouse.store", Circumstances(record=lot.number))
        if lot.pallets < 1:
            raise StockRefused(f"{lot.number} has no pallets")
        if lot.number in self._lots:
            raise StockRefused(f"{lot.number} is in stock already")
        place = self._racks.place(lot)
        labels = []
        for _ in range(lot.pallets):
            self._serial += 1
            sscc = self._kit.labels.number(SERVICE, self._serial)
            labels.append(self._kit.labels.label(SERVICE, sscc, [lot.number, place.code]))
        stored = StoredLot(lot, place, self._kit.clock.now().date(), tuple(labels))
        self._lots[lot.number] = stored
        hazard = lot.hazard.value if lot.hazard else "none"
        self._kit.telemetry.log(SERVICE, "lot_stored", lot=lot.number, bin=place.code, hazard=hazard)
        return stored

    def count(self, principal: str, content: str) -> tuple[CountLine, ...]:
        """A difference beyond tolerance, or damage, blocks the lot until it is settled."""
        tolerance = self._kit.view(SERVICE).decimal("count_tolerance_percent")
        result = []
        for row in self._kit.intake.read("stock_count", content).rows:
            stored = self._stored(row["lot"])
            self._kit.access.require(principal, "warehouse.count", Circumstances(record=row["lot"]))
            expected = stored.lot.pallets
            variance = abs(Decimal(row["counted"] - expected)) * 100 / expected
            self._kit.telemetry.gauge("stock_variance_percent", float(variance), lot=row["lot"])
            damaged = bool(row["damaged"])
            line = CountLine(row["lot"], expected, row["counted"], damaged, variance <= tolerance and not damaged)
            if line.accepted:
                self._blocked.discard(line.lot)
            else:
                self._blocked.add(line.lot)
            result.append(line)
        return tuple(result)

    def release(self, principal: str, number: str) -> ReleaseNote:
        stored = self._stored(number)
        self._kit.access.require(principal, "warehouse.release", Circumstances(record=number))
        if number in self._blocked:
            raise StockRefused(f"{number} is blocked by its last count")
        today = self._kit.clock.now().date()
        days = days_charged(stored.arrived, today, self._kit.view(SERVICE).integer("free_storage_days"))
        text = self._kit.documents.render(
            "storage_note", {"lot": number, "arrived": stored.arrived, "left": today, "days": days}
        )
        self._racks.remove(number)
        del self._lots[number]
        self._kit.outbox.publish(SERVICE, "lot.released", number, {"shipment": stored.lot.shipment, "days": days})
        return ReleaseNote(number, days, text)

    def _stored(self, number: str) -> StoredLot:
        try:
            return self._lots[number]
        except KeyError:
            raise StockRefused(f"no lot {number} in stock") from None
