"""Which dangerous goods may stand how close to each other.

A reduced table of the sea code's segregation rules for the classes we store.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from kit.codes.catalogue import HazardClass


class Distance(IntEnum):
    """How far apart, least first."""

    ANY = 0
    AWAY = 1
    SEPARATED = 2
    OTHER_HALL = 3


_PAIRS = {
    frozenset({HazardClass.FLAMMABLE_GAS, HazardClass.FLAMMABLE_LIQUID}): Distance.SEPARATED,
    frozenset({HazardClass.FLAMMABLE_GAS, HazardClass.OXIDISER}): Distance.SEPARATED,
    frozenset({HazardClass.FLAMMABLE_GAS, HazardClass.CORROSIVE}): Distance.AWAY,
    frozenset({HazardClass.FLAMMABLE_LIQUID, HazardClass.OXIDISER}): Distance.SEPARATED,
    frozenset({HazardClass.OXIDISER, HazardClass.TOXIC}): Distance.AWAY,
    frozenset({HazardClass.OXIDISER, HazardClass.CORROSIVE}): Distance.SEPARATED,
}


def required_distance(one: HazardClass | None, other: HazardClass | None) -> Distance:
    if one is None or other is None:
        return Distance.ANY
    if one is other:
        return Distance.OTHER_HALL if one is HazardClass.EXPLOSIVE else Distance.ANY
    if HazardClass.EXPLOSIVE in (one, other):
        return Distance.OTHER_HALL
    return _PAIRS.get(frozenset({one, other}), Distance.ANY)


def tolerates(hazard: HazardClass | None, neighbours: Iterable[HazardClass | None], actual: Distance) -> bool:
    return all(required_distance(hazard, each) <= actual for each in neighbours)
