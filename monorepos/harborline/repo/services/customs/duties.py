"""Duty and import tax on a consignment.

The customs value is what the goods cost at our border: price, plus freight and
insurance up to it unless the delivery term has them in the price already.
Import tax is charged on value and duty together, plus freight inland.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from kit.helpers.money import percent_of, round_money, split_amount


class DeliveryTerm(StrEnum):
    EX_WORKS = "EXW"
    FREE_ON_BOARD = "FOB"
    COST_AND_FREIGHT = "CFR"
    COST_INSURANCE_FREIGHT = "CIF"
    DUTY_PAID = "DDP"


_INSURANCE_INCLUDED = frozenset({DeliveryTerm.COST_INSURANCE_FREIGHT, DeliveryTerm.DUTY_PAID})
_FREIGHT_INCLUDED = _INSURANCE_INCLUDED | {DeliveryTerm.COST_AND_FREIGHT}


@dataclass(frozen=True)
class DutiableLine:
    commodity: str
    origin: str
    value: Decimal
    duty_percent: Decimal


@dataclass(frozen=True)
class LineDuty:
    commodity: str
    customs_value: Decimal
    duty: Decimal
    tax: Decimal


@dataclass(frozen=True)
class Assessment:
    lines: tuple[LineDuty, ...]
    relieved: bool

    @property
    def duty(self) -> Decimal:
        return sum((line.duty for line in self.lines), Decimal(0))

    @property
    def tax(self) -> Decimal:
        return sum((line.tax for line in self.lines), Decimal(0))

    @property
    def total(self) -> Decimal:
        return self.duty + self.tax


@dataclass(frozen=True)
class Assessor:
    currency: str
    tax_percent: Decimal
    relief_value: Decimal

    def assess(
        self,
        lines: Sequence[DutiableLine],
        term: DeliveryTerm,
        freight: Decimal = Decimal(0),
        insurance: Decimal = Decimal(0),
        inland: Decimal = Decimal(0),
    ) -> Assessment:
        """Costs are spread over the lines by value, to the cent."""
        values = [line.value for line in lines]
        added = Decimal(0)
        if term not in _FREIGHT_INCLUDED:
            added += freight
        if term not in _INSURANCE_INCLUDED:
            added += insurance
        to_border = split_amount(added, values, self.currency)
        to_door = split_amount(inland, values, self.currency)
        relieved = sum(values, Decimal(0)) <= self.relief_value
        assessed = []
        for line, extra, carriage in zip(lines, to_border, to_door):
            customs_value = round_money(line.value + extra, self.currency)
            duty = Decimal(0) if relieved else percent_of(customs_value, line.duty_percent, self.currency)
            tax = percent_of(customs_value + duty + carriage, self.tax_percent, self.currency)
            assessed.append(LineDuty(line.commodity, customs_value, duty, tax))
        return Assessment(tuple(assessed), relieved)
