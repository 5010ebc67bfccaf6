"""What we take on, and the reasons for what we do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from kit.codes.catalogue import Equipment, HazardClass, TransportMode, Urgency
from kit.codes.wire import label
from kit.config import ServiceSettings
from kit.helpers.dates import business_days_between
from services.bookings.models import BookingRequest

# Payload in kilograms and usable cubic metres. The 20-foot box carries nearly as
# much as the 40-foot one: road axle limits bind before the box does.
_LIMITS = {
    Equipment.DRY_20: (Decimal(21700), Decimal(33)),
    Equipment.DRY_40: (Decimal(26500), Decimal(67)),
    Equipment.HIGH_CUBE_40: (Decimal(26300), Decimal(76)),
    Equipment.REEFER_40: (Decimal(25800), Decimal(67)),
    Equipment.TRAILER: (Decimal(24000), Decimal(90)),
}

# Groupage is handled with forklifts of 2.5 t at most of the stations we consolidate at.
_GROUPAGE_PIECE_KG = Decimal(2500)

_NEVER_TOGETHER = (
    frozenset({HazardClass.FLAMMABLE_LIQUID, HazardClass.OXIDISER}),
    frozenset({HazardClass.FLAMMABLE_GAS, HazardClass.OXIDISER}),
    frozenset({HazardClass.TOXIC, HazardClass.CORROSIVE}),
)


class Ground(StrEnum):
    CARGO = "cargo"
    CUTOFF = "cutoff"
    EQUIPMENT = "equipment"
    HAZARD = "hazard"
    READINESS = "readiness"


@dataclass(frozen=True)
class Objection:
    ground: Ground
    text: str


@dataclass(frozen=True)
class AcceptanceRules:
    settings: ServiceSettings
    check_hazards: bool = True

    def objections(self, request: BookingRequest, now: datetime) -> tuple[Objection, ...]:
        return tuple([
            *self._cargo(request),
            *self._equipment(request),
            *(self._hazards(request) if self.check_hazards else ()),
            *self._times(request, now),
        ])

    def cutoff(self, request: BookingRequest) -> datetime:
        """Dangerous goods close earlier: the carrier needs its declaration first.

        Critical freight gets back half of the ordinary cut-off, never of the
        dangerous-goods one.
        """
        hours = self.settings.number("booking_cutoff_hours")
        if request.hazards:
            hours = max(hours, self.settings.number("dangerous_goods_cutoff_hours"))
        elif request.urgency >= Urgency.CRITICAL:
            hours /= 2
        return request.departure - timedelta(hours=hours)

    def _cargo(self, request: BookingRequest) -> Iterator[Objection]:
        if not request.lines:
            yield Objection(Ground.CARGO, "nothing to ship")
        for line in request.lines:
            if line.pieces < 1 or line.weight_kg <= 0:
                yield Objection(Ground.CARGO, f"{line.mark}: pieces and weight must be given")
            if request.mode is TransportMode.SEA_PART and line.heaviest_piece_kg > _GROUPAGE_PIECE_KG:
                yield Objection(Ground.CARGO, f"{line.mark}: a piece is too heavy for groupage")

    def _equipment(self, request: BookingRequest) -> Iterator[Objection]:
        full = request.mode in (TransportMode.SEA_FULL, TransportMode.ROAD_FULL)
        if full and request.equipment is None:
            yield Objection(Ground.EQUIPMENT, "a full load needs its equipment named")
        if request.equipment is None:
            return
        on_road = request.mode in (TransportMode.ROAD_FULL, TransportMode.ROAD_PART)
        if on_road != (request.equipment is Equipment.TRAILER):
            yield Objection(Ground.EQUIPMENT, f"{request.equipment} does not go by {label(request.mode).lower()}")
        payload, space = _LIMITS[request.equipment]
        if request.weight_kg > payload:
            yield Objection(Ground.EQUIPMENT, f"{request.weight_kg} kg exceed the payload of {payload} kg")
        if request.volume_cbm > space:
            yield Objection(Ground.EQUIPMENT, f"{request.volume_cbm} m3 exceed the space of {space} m3")

    def _hazards(self, request: BookingRequest) -> Iterator[Objection]:
        hazards = request.hazards
        if HazardClass.EXPLOSIVE in hazards and request.mode in (TransportMode.SEA_PART, TransportMode.ROAD_PART):
            yield Objection(Ground.HAZARD, "explosives travel alone, never as part load")
        for pair in _NEVER_TOGETHER:
            if pair <= hazards:
                names = " and ".join(sorted(label(each).lower() for each in pair))
                yield Objection(Ground.HAZARD, f"{names} may not share a load")

    def _times(self, request: BookingRequest, now: datetime) -> Iterator[Objection]:
        if now > self.cutoff(request):
            yield Objection(Ground.CUTOFF, f"closed at {self.cutoff(request):%Y-%m-%d %H:%M}")
        if request.ready_on > request.departure.date():
            yield Objection(Ground.READINESS, "goods are ready after departure")
        elif (
            request.mode is TransportMode.SEA_PART
            and business_days_between(request.ready_on, request.departure.date()) < 2
        ):
            yield Objection(Ground.READINESS, "groupage is stuffed two business days before departure")
