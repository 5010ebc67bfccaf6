"""Vehicles and which of them may take a load."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from kit.codes.catalogue import HazardClass, Urgency


@dataclass(frozen=True)
class Load:
    shipment: str
    weight_kg: Decimal
    loading_metres: Decimal
    distance_km: int
    ready_at: datetime
    due_at: datetime
    hazards: frozenset[HazardClass] = frozenset()
    needs_tail_lift: bool = False
    urgency: Urgency = Urgency.STANDARD


@dataclass(frozen=True)
class Vehicle:
    plate: str
    payload_kg: Decimal
    loading_metres: Decimal
    free_from: datetime
    cost_per_km: Decimal
    adr_classes: frozenset[HazardClass] = frozenset()
    tail_lift: bool = False
    minutes_driven_today: int = 0

    def refusals(self, load: Load) -> tuple[str, ...]:
        reasons = []
        if load.weight_kg > self.payload_kg:
            reasons.append("payload")
        if load.loading_metres > self.loading_metres:
            reasons.append("floor")
        if load.needs_tail_lift and not self.tail_lift:
            reasons.append("tail lift")
        if load.hazards - self.adr_classes:
            reasons.append("ADR certificate")
        return tuple(reasons)

    def cost(self, load: Load) -> Decimal:
        return self.cost_per_km * load.distance_km


class Fleet:
    def __init__(self, vehicles: Iterable[Vehicle]) -> None:
        self._vehicles = {vehicle.plate: vehicle for vehicle in vehicles}

    def candidates(self, load: Load) -> tuple[Vehicle, ...]:
        """Those that can take the load: cheapest first, then the one that fits most tightly.

        A vehicle with an ADR certificate the load does not need comes last at
        equal cost; there are few of them.
        """
        fit = [vehicle for vehicle in self._vehicles.values() if not vehicle.refusals(load)]
        return tuple(sorted(fit, key=lambda each: (
            each.cost(load),
            len(each.adr_classes - load.hazards),
            each.payload_kg - load.weight_kg,
            each.plate,
        )))

    def replace(self, vehicle: Vehicle) -> None:
        self._vehicles[vehicle.plate] = vehicle

    def vehicle(self, plate: str) -> Vehicle:
        return self._vehicles[plate]
