from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from kit.codes.catalogue import Equipment, HazardClass, TransportMode, Urgency
from kit.helpers.measures import chargeable_kg


@dataclass(frozen=True)
class CargoLine:
    mark: str
    description: str
    pieces: int
    weight_kg: Decimal
    volume_cbm: Decimal
    hazard: HazardClass | None = None
    loading_metres: Decimal = Decimal(0)

    @property
    def heaviest_piece_kg(self) -> Decimal:
        """Manifests give line totals; an even spread is what we may assume."""
        return self.weight_kg / self.pieces if self.pieces else Decimal(0)


@dataclass(frozen=True)
class BookingRequest:
    shipper: str
    consignee: str
    mode: TransportMode
    origin: str
    destination: str
    ready_on: date
    departure: datetime
    lines: tuple[CargoLine, ...]
    equipment: Equipment | None = None
    urgency: Urgency = Urgency.STANDARD

    @property
    def weight_kg(self) -> Decimal:
        return sum((line.weight_kg for line in self.lines), Decimal(0))

    @property
    def volume_cbm(self) -> Decimal:
        return sum((line.volume_cbm for line in self.lines), Decimal(0))

    @property
    def hazards(self) -> frozenset[HazardClass]:
        return frozenset(line.hazard for line in self.lines if line.hazard)

    @property
    def chargeable_kg(self) -> Decimal:
        metres = sum((line.loading_metres for line in self.lines), Decimal(0))
        return chargeable_kg(self.mode.value, self.weight_kg, self.volume_cbm, metres)


@dataclass(frozen=True)
class Booking:
    number: str
    request: BookingRequest
    taken_at: datetime
    confirmed_at: datetime | None = None
    cancelled_at: datetime | None = None
    cancellation_fee: Decimal = field(default=Decimal(0))

    @property
    def is_open(self) -> bool:
        return self.cancelled_at is None
