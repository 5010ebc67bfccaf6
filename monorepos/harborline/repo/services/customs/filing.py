"""Drafts, submits and releases declarations."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from kit.access import Circumstances
from kit.codes import wire
from kit.codes.catalogue import DeclarationState, HoldReason, ShipmentStatus
from kit.errors import RequestRefused
from kit.gateway import GatewayClient, Transport
from kit.helpers.dates import format_day
from kit.helpers.keys import record_key
from kit.vendoring.desks import EdiSegment
from kit.wiring import Kit
from services.customs.declarations import CommodityLine, Declaration
from services.customs.duties import Assessment, Assessor, DeliveryTerm, DutiableLine

SERVICE = "customs"


class FilingRefused(RequestRefused):
    def __init__(self, number: str, defects: tuple[str, ...]) -> None:
        super().__init__(f"{number}: {'; '.join(defects)}")
        self.defects = defects


class WrongState(RequestRefused):
    pass


class FilingDesk:
    def __init__(self, kit: Kit, transport: Transport) -> None:
        self._kit = kit
        self._gateway: GatewayClient = kit.gateway(SERVICE, transport)
        self._declarations: dict[str, Declaration] = {}

    def draft(
        self,
        principal: str,
        shipment: str,
        trader: str,
        term: DeliveryTerm,
        lines: tuple[CommodityLine, ...],
        freight: Decimal = Decimal(0),
        insurance: Decimal = Decimal(0),
    ) -> Declaration:
        self._kit.access.require(principal, "customs.draft")
        number = record_key("DEC", self._kit.clock.now().year, len(self._declarations) + 1)
        declaration = Declaration(number, shipment, trader.strip().upper(), term, lines, freight, insurance)
        return self._keep(declaration)

    def read_lines(self, content: str) -> tuple[CommodityLine, ...]:
        batch = self._kit.intake.read("commodity_lines", content)
        return tuple(
            CommodityLine(row["commodity"], row["origin"].upper(), row["value"], row["gross"], row["net"])
            for row in batch.rows
        )

    def submit(self, principal: str, number: str, *, urgent: bool = False) -> Declaration:
        """Sent again only after a rejection: the authority keeps what it once took."""
        declaration = self.declaration(number)
        self._kit.access.require(principal, "customs.submit", Circumstances(record=number))
        self._expect(declaration, DeclarationState.DRAFT, DeclarationState.REJECTED)
        defects = declaration.defects()
        if defects:
            raise FilingRefused(number, defects)
        message = self._kit.edi.compose(SERVICE, self._segments(declaration))
        reply = self._gateway.send("import_declaration", number, message, urgent=urgent)
        state = wire.from_partner("customs_gateway", DeclarationState, reply.code)
        now = self._kit.clock.now()
        filed = replace(declaration, state=state, reference=reply.reference, filed_at=now)
        if state is DeclarationState.HELD:
            filed = replace(filed, hold=HoldReason.DOCUMENTS, held_at=now)
        if state is DeclarationState.RELEASED:
            self._clear(filed)
        self._kit.telemetry.log(
            SERVICE, "declaration_filed", declaration=number, reference=reply.reference, state=state.name
        )
        return self._keep(filed)

    def hold(self, principal: str, number: str, reason: HoldReason) -> Declaration:
        declaration = self.declaration(number)
        self._kit.access.require(principal, "customs.hold", Circumstances(record=number))
        self._expect(declaration, DeclarationState.ACCEPTED)
        now = self._kit.clock.now()
        return self._keep(replace(declaration, state=DeclarationState.HELD, hold=reason, held_at=now))

    def release(self, principal: str, number: str, *, branch: str = "") -> Declaration:
        """Whoever submitted a declaration does not release it."""
        declaration = self.declaration(number)
        place = Circumstances(record=number, branch=branch or self._kit.view(SERVICE).text("branch"))
        self._kit.access.require(principal, "customs.release", place)
        self._expect(declaration, DeclarationState.ACCEPTED, DeclarationState.HELD)
        released = replace(declaration, state=DeclarationState.RELEASED, hold=None, held_at=None)
        self._clear(released)
        return self._keep(released)

    def assess(self, number: str) -> Assessment:
        declaration = self.declaration(number)
        settings = self._kit.view(SERVICE)
        assessor = Assessor(
            settings.text("currency"), settings.decimal("vat_percent"), settings.decimal("duty_relief_value")
        )
        lines = [DutiableLine(line.commodity, line.origin, line.value, line.duty_percent) for line in declaration.lines]
        return assessor.assess(lines, declaration.term, declaration.freight, declaration.insurance)

    def lapsed_holds(self) -> tuple[Declaration, ...]:
        """Held for documents longer than the authority waits; they go back to the shipper."""
        patience = timedelta(days=self._kit.view(SERVICE).integer("document_hold_days"))
        oldest = self._kit.clock.now() - patience
        return tuple(
            each
            for each in self._declarations.values()
            if each.hold is HoldReason.DOCUMENTS and each.held_at is not None and each.held_at < oldest
        )

    def declaration(self, number: str) -> Declaration:
        try:
            return self._declarations[number]
        except KeyError:
            raise WrongState(f"no declaration {number}") from None

    def _segments(self, declaration: Declaration) -> list[EdiSegment]:
        today = format_day(self._kit.clock.now().date(), "edi")
        segments = [
            EdiSegment("BGM", ("929", declaration.number)),
            EdiSegment("DTM", (f"137:{today}:102",)),
            EdiSegment("NAD", ("IM", declaration.trader)),
            EdiSegment("TOD", ("3", "", declaration.term.value)),
        ]
        for position, line in enumerate(declaration.lines, start=1):
            segments += [
                EdiSegment("CST", (str(position), line.commodity)),
                EdiSegment("LOC", ("27", line.origin)),
                EdiSegment("MOA", (f"123:{line.value}",)),
                EdiSegment("MEA", ("WT", "AAB", f"KGM:{line.gross_kg}")),
            ]
            if line.licence:
                segments.append(EdiSegment("DOC", ("911", line.licence)))
        return [*segments, EdiSegment("UNS", ("S",)), EdiSegment("CNT", (f"5:{len(declaration.lines)}",))]

    def _clear(self, declaration: Declaration) -> None:
        now = self._kit.clock.now()
        self._kit.ledger.record(declaration.shipment, ShipmentStatus.IMPORT_CLEARED, now, SERVICE)
        self._kit.outbox.publish(SERVICE, "customs.released", declaration.number, {"shipment": declaration.shipment})

    def _expect(self, declaration: Declaration, *states: DeclarationState) -> None:
        if declaration.state not in states:
            raise WrongState(f"{declaration.number} is {wire.label(declaration.state).lower()}")

    def _keep(self, declaration: Declaration) -> Declaration:
        self._declarations[declaration.number] = declaration
        for reason in HoldReason:
            held = sum(1 for each in self._declarations.values() if each.hold is reason)
            self._kit.telemetry.gauge("customs_open_holds", held, reason=reason.value)
        return declaration
