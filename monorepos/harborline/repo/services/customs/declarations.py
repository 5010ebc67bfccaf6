"""An import declaration and what must be true of it before it is sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from kit.codes.catalogue import DeclarationState, HoldReason
from services.customs.duties import DeliveryTerm

_COMMODITY = re.compile(r"^[0-9]{10}$")
_COUNTRY = re.compile(r"^[A-Z]{2}$")
_TRADER = re.compile(r"^[A-Z]{2}[A-Z0-9]{6,15}$")

# Chapters of the tariff for which a licence number must go with the declaration.
_LICENSED_CHAPTERS = {"36": "explosives", "93": "arms", "97": "works of art"}


@dataclass(frozen=True)
class CommodityLine:
    commodity: str
    origin: str
    value: Decimal
    gross_kg: Decimal
    net_kg: Decimal
    duty_percent: Decimal = Decimal(0)
    licence: str = ""


@dataclass(frozen=True)
class Declaration:
    number: str
    shipment: str
    trader: str
    term: DeliveryTerm
    lines: tuple[CommodityLine, ...]
    freight: Decimal = Decimal(0)
    insurance: Decimal = Decimal(0)
    state: DeclarationState = DeclarationState.DRAFT
    reference: str = ""
    filed_at: datetime | None = None
    hold: HoldReason | None = None
    held_at: datetime | None = None

    def defects(self) -> tuple[str, ...]:
        return tuple([*self._head_defects(), *(defect for line in self.lines for defect in _line_defects(line))])

    def _head_defects(self) -> Iterator[str]:
        if not _TRADER.match(self.trader):
            yield f"trader number {self.trader!r} is malformed"
        if not self.lines:
            yield "no lines"
        if len(self.lines) > 999:
            yield "more lines than one declaration may hold"
        if self.term is DeliveryTerm.EX_WORKS and not self.freight:
            yield "ex works goods need the freight to the border"


def _line_defects(line: CommodityLine) -> Iterator[str]:
    name = line.commodity or "a line"
    if not _COMMODITY.match(line.commodity):
        yield f"{name}: a commodity code has ten digits"
    if not _COUNTRY.match(line.origin):
        yield f"{name}: origin {line.origin!r} is no country code"
    if line.value <= 0:
        yield f"{name}: no value"
    if line.net_kg > line.gross_kg:
        yield f"{name}: net weight exceeds gross weight"
    kind = _LICENSED_CHAPTERS.get(line.commodity[:2])
    if kind and not line.licence:
        yield f"{name}: {kind} need a licence"
