"""Demurrage on containers that stay at the terminal beyond their free days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from kit.codes.catalogue import ChargeCode, Equipment
from kit.exchange.charges import Charge
from kit.helpers.dates import days_charged


@dataclass(frozen=True)
class Tier:
    days: int | None
    per_day: Decimal


# Free days and rising day rates. The last tier of each has no end.
_DRY = (Tier(5, Decimal("45.00")), Tier(7, Decimal("80.00")), Tier(None, Decimal("130.00")))
_REEFER = (Tier(3, Decimal("110.00")), Tier(None, Decimal("210.00")))
_TARIFF = {
    Equipment.DRY_20: (7, _DRY),
    Equipment.DRY_40: (7, _DRY),
    Equipment.HIGH_CUBE_40: (7, _DRY),
    Equipment.REEFER_40: (3, _REEFER),
}


def demurrage_charges(equipment: Equipment, arrived: date, left: date, extra_free_days: int = 0) -> tuple[Charge, ...]:
    """One charge for each tier reached, so that the invoice shows how the sum came about.

    Extra free days, where a contract grants them, lengthen the free time; they
    do not push the tiers of higher rates further out than that.
    """
    if equipment not in _TARIFF:
        return ()
    free, tiers = _TARIFF[equipment]
    left_over = days_charged(arrived, left, free + extra_free_days)
    charges = []
    for number, tier in enumerate(tiers, start=1):
        days = left_over if tier.days is None else min(left_over, tier.days)
        if days:
            charges.append(Charge(ChargeCode.DEMURRAGE, Decimal(days), tier.per_day, note=f"tier {number}, {days} d"))
        left_over -= days
    return tuple(charges)
