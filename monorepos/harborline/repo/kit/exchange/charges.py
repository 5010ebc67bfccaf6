"""Adds up what a customer owes.

Each line is rounded, then summed: the total of a sheet always equals the sum of
the lines printed above it, which customers check.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from kit.codes.catalogue import ChargeCode
from kit.codes.wire import label
from kit.config import SettingsLoader
from kit.errors import RequestRefused
from kit.helpers.money import percent_of, round_money

# Charges that stand outside the scope of value added tax: penalties, not supplies.
_OUTSIDE_VAT = frozenset({ChargeCode.DEMURRAGE, ChargeCode.CANCELLATION})


class ChargeRefused(RequestRefused):
    pass


@dataclass(frozen=True)
class Charge:
    """Something to bill: quantity times rate, at least the minimum."""

    code: ChargeCode
    quantity: Decimal
    rate: Decimal
    minimum: Decimal = Decimal(0)
    note: str = ""


@dataclass(frozen=True)
class ChargeLine:
    code: ChargeCode
    label: str
    amount: Decimal


@dataclass(frozen=True)
class ChargeSheet:
    service: str
    currency: str
    lines: tuple[ChargeLine, ...]
    net: Decimal
    vat: Decimal

    @property
    def gross(self) -> Decimal:
        return self.net + self.vat

    def amount_of(self, code: ChargeCode) -> Decimal:
        return sum((line.amount for line in self.lines if line.code is code), Decimal(0))


class ChargeCalculator:
    def __init__(self, settings: SettingsLoader) -> None:
        self._settings = settings

    def sheet(self, service: str, charges: Iterable[Charge], *, export: bool = False) -> ChargeSheet:
        """Exports are zero-rated. Fuel is added on freight when none is given."""
        settings = self._settings.for_service(service)
        currency = settings.text("currency")
        lines = [self._line(charge, currency) for charge in charges]
        freight = sum((line.amount for line in lines if line.code is ChargeCode.FREIGHT), Decimal(0))
        if freight and not any(line.code is ChargeCode.FUEL for line in lines):
            percent = settings.decimal("fuel_surcharge_percent")
            amount = percent_of(freight, percent, currency)
            lines.append(ChargeLine(ChargeCode.FUEL, f"{label(ChargeCode.FUEL)} {percent}%", amount))
        net = sum((line.amount for line in lines), Decimal(0))
        taxable = sum((line.amount for line in lines if line.code not in _OUTSIDE_VAT), Decimal(0))
        vat = Decimal(0) if export else percent_of(taxable, settings.decimal("vat_percent"), currency)
        return ChargeSheet(service, currency, tuple(lines), net, vat)

    def _line(self, charge: Charge, currency: str) -> ChargeLine:
        if charge.quantity < 0 or charge.rate < 0:
            raise ChargeRefused(f"{label(charge.code)}: a credit is a credit note, not a negative charge")
        amount = round_money(max(charge.quantity * charge.rate, charge.minimum), currency)
        text = f"{label(charge.code)} {charge.note}".strip()
        return ChargeLine(charge.code, text, amount)
