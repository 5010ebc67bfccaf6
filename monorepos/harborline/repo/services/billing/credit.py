"""How much a shipper may owe us, and how we ask for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import IntEnum

from kit.helpers.text import party_key
from kit.wiring import Kit
from services.billing.invoices import Invoice

SERVICE = "billing"


class DunningLevel(IntEnum):
    NONE = 0
    REMINDER = 1
    WARNING = 2
    FINAL = 3
    LAWYER = 4


@dataclass(frozen=True)
class Exposure:
    open_amount: Decimal
    overdue_amount: Decimal
    oldest_days: int


class CreditWatch:
    def __init__(self, kit: Kit, limits: dict[str, Decimal]) -> None:
        self._kit = kit
        self._limits = {party_key(name): limit for name, limit in limits.items()}

    def exposure(self, invoices: Iterable[Invoice], today: date) -> Exposure:
        """Overpaid invoices do not reduce what is owed on others."""
        still_open = [each for each in invoices if each.open_amount > 0]
        overdue = [each for each in still_open if each.due < today]
        return Exposure(
            open_amount=sum((each.open_amount for each in still_open), Decimal(0)),
            overdue_amount=sum((each.open_amount for each in overdue), Decimal(0)),
            oldest_days=max(((today - each.due).days for each in overdue), default=0),
        )

    def level(self, exposure: Exposure) -> DunningLevel:
        """One level for each step that the oldest debt is overdue, the first at once."""
        if not exposure.oldest_days:
            return DunningLevel.NONE
        step = self._kit.view(SERVICE).integer("dunning_step_days")
        return DunningLevel(min(DunningLevel.LAWYER, 1 + (exposure.oldest_days - 1) // step))

    def may_ship(self, shipper: str, exposure: Exposure, new_amount: Decimal) -> bool:
        """A shipper without a limit pays in advance."""
        if self.level(exposure) >= DunningLevel.FINAL:
            return False
        limit = self._limits.get(party_key(shipper), Decimal(0))
        return exposure.open_amount + new_amount <= limit
