"""Chooses a bin for a lot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from kit.codes.catalogue import HazardClass
from kit.errors import RequestRefused
from services.warehouse.segregation import Distance, tolerates


class NoBin(RequestRefused):
    pass


@dataclass(frozen=True)
class Bin:
    code: str
    hall: str
    aisle: int
    level: int
    max_kg: Decimal
    bunded: bool = False


@dataclass(frozen=True)
class Lot:
    number: str
    shipment: str
    pallets: int
    weight_kg: Decimal
    height_cm: int
    hazard: HazardClass | None = None


class RackPlan:
    """Heavy goods low, light goods high, liquids that burn or bite over a bund.

    Bins of one aisle are next to each other (no distance), aisles of one hall
    are separated, halls are apart.
    """

    _NEEDS_BUND = frozenset({HazardClass.FLAMMABLE_LIQUID, HazardClass.CORROSIVE, HazardClass.TOXIC})
    _FLOOR_ONLY_KG = Decimal(900)

    def __init__(self, bins: Iterable[Bin], height_cm: int) -> None:
        self._bins = {each.code: each for each in bins}
        self._height_cm = height_cm
        self._stored: dict[str, Lot] = {}

    def place(self, lot: Lot) -> Bin:
        if lot.height_cm > self._height_cm:
            raise NoBin(f"{lot.number}: {lot.height_cm} cm do not fit under {self._height_cm} cm")
        fitting = [each for each in self._bins.values() if each.code not in self._stored and self._suits(lot, each)]
        if not fitting:
            raise NoBin(f"{lot.number}: no free bin suits {lot.weight_kg} kg of class {lot.hazard or 'none'}")
        chosen = min(fitting, key=lambda each: (self._waste(lot, each), each.max_kg - lot.weight_kg, each.code))
        self._stored[chosen.code] = lot
        return chosen

    def remove(self, number: str) -> Lot:
        for code, lot in self._stored.items():
            if lot.number == number:
                return self._stored.pop(code)
        raise NoBin(f"{number} is in no bin")

    def where(self, number: str) -> Bin | None:
        return next((self._bins[code] for code, lot in self._stored.items() if lot.number == number), None)

    def _suits(self, lot: Lot, place: Bin) -> bool:
        if lot.weight_kg > place.max_kg or (place.level > 0 and lot.weight_kg > self._FLOOR_ONLY_KG):
            return False
        if lot.hazard in self._NEEDS_BUND and not place.bunded:
            return False
        return all(
            tolerates(lot.hazard, [other.hazard], self._distance(place, self._bins[code]))
            for code, other in self._stored.items()
        )

    def _waste(self, lot: Lot, place: Bin) -> int:
        """Bunds and floor places are scarce: leave them to lots that need them."""
        spare_bund = place.bunded and lot.hazard not in self._NEEDS_BUND
        spare_floor = place.level == 0 and lot.weight_kg <= self._FLOOR_ONLY_KG
        return int(spare_bund) * 2 + int(spare_floor)

    @staticmethod
    def _distance(one: Bin, other: Bin) -> Distance:
        if one.hall != other.hall:
            return Distance.OTHER_HALL
        return Distance.ANY if one.aisle == other.aisle else Distance.SEPARATED
