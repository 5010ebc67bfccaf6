"""Month-end statements: what a shipper was invoiced, page by page, to the gateway's archive."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from kit.access import Circumstances
from kit.gateway import GatewayClient, GatewayReply, Transport
from kit.helpers.dates import format_day, iso_week, month_bounds
from kit.helpers.money import format_money
from kit.helpers.tables import paginate
from kit.helpers.text import clip
from kit.vendoring.desks import EdiSegment
from kit.wiring import Kit
from services.billing.invoices import Invoice, InvoiceDesk

SERVICE = "billing"


@dataclass(frozen=True)
class PostedStatement:
    shipper: str
    month: str
    lines: int
    pages: int
    reply: GatewayReply


class StatementRun:
    """A statement goes out as one message, however long: the archive stamps a
    message as a whole and a shipper's auditor wants one stamp a month.
    """

    def __init__(self, kit: Kit, desk: InvoiceDesk, transport: Transport) -> None:
        self._kit = kit
        self._desk = desk
        self._gateway: GatewayClient = kit.gateway(SERVICE, transport)

    def post(self, principal: str, shipper: str, month: date) -> PostedStatement | None:
        """None when the shipper was invoiced nothing that month."""
        first, last = month_bounds(month)
        record = f"{shipper}/{first:%Y-%m}"
        self._kit.access.require(principal, "billing.statement", Circumstances(record=record))
        invoices = [each for each in self._desk.of_shipper(shipper) if first <= each.issued <= last]
        if not invoices:
            return None
        lines = [line for invoice in invoices for line in self._lines(invoice)]
        pages = paginate(lines, self._kit.view(SERVICE).integer("statement_page_lines"))
        reply = self._gateway.send("statement", record, self._body(record, pages))
        self._kit.telemetry.gauge("billing_statement_lines", len(lines), shipper=shipper)
        self._kit.telemetry.log(SERVICE, "statement_posted", shipper=shipper, lines=len(lines), pages=len(pages))
        return PostedStatement(shipper, f"{first:%Y-%m}", len(lines), len(pages), reply)

    def _lines(self, invoice: Invoice) -> list[str]:
        day, week = format_day(invoice.issued), iso_week(invoice.issued)
        currency = invoice.sheet.currency
        rows = [
            f"{day} {week} {invoice.number} {clip(line.label, 28):<28} {format_money(line.amount, currency):>16}"
            for line in invoice.sheet.lines
        ]
        if invoice.credited:
            rows.append(f"{day} {week} {invoice.number} {'Credit':<28} {format_money(-invoice.credited, currency):>16}")
        return rows

    def _body(self, record: str, pages: list[list[str]]) -> str:
        head = self._kit.edi.compose(SERVICE, [
            EdiSegment("BGM", ("SOA", record)),
            EdiSegment("CNT", (f"1:{sum(map(len, pages))}", "")),
        ])
        return "\n".join([head, *(line for page in pages for line in page)])
