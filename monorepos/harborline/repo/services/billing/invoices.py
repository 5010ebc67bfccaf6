"""Issues invoices and credit notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum

from kit.access import Circumstances
from kit.codes.catalogue import ChargeCode
from kit.errors import RequestRefused
from kit.exchange.charges import Charge, ChargeSheet
from kit.helpers.dates import next_business_day
from kit.helpers.keys import record_key
from kit.helpers.money import round_money
from kit.wiring import Kit

SERVICE = "billing"


class InvoiceRefused(RequestRefused):
    pass


class CreditState(IntEnum):
    PENDING = 1
    APPROVED = 2


@dataclass(frozen=True)
class Invoice:
    number: str
    shipper: str
    sheet: ChargeSheet
    issued: date
    due: date
    text: str
    credited: Decimal = Decimal(0)
    paid: Decimal = Decimal(0)

    @property
    def open_amount(self) -> Decimal:
        return self.sheet.gross - self.credited - self.paid


@dataclass(frozen=True)
class CreditNote:
    number: str
    invoice: str
    amount: Decimal
    reason: str
    state: CreditState


class InvoiceDesk:
    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._invoices: dict[str, Invoice] = {}
        self._credits: dict[str, CreditNote] = {}

    def issue(self, principal: str, shipper: str, charges: Sequence[Charge], *, export: bool = False) -> Invoice:
        self._kit.access.require(principal, "billing.invoice")
        if not charges:
            raise InvoiceRefused(f"nothing to invoice to {shipper}")
        if self._kit.flags.is_on("consolidate_lcl_charges", SERVICE, shipper):
            charges = _consolidated(charges)
        sheet = self._kit.charges.sheet(SERVICE, charges, export=export)
        settings = self._kit.view(SERVICE)
        today = self._kit.clock.now().date()
        due = next_business_day(today + timedelta(days=settings.integer("payment_term_days")))
        number = record_key("INV", today.year, len(self._invoices) + 1)
        text = self._kit.documents.render(
            "invoice",
            {"number": number, "shipper": shipper, "issued": today, "due": due, "currency": sheet.currency},
            [
                *({"label": line.label, "amount": line.amount} for line in sheet.lines),
                {"label": "VAT", "amount": sheet.vat},
                {"label": "To pay", "amount": sheet.gross},
            ],
        )
        invoice = Invoice(number, shipper, sheet, today, due, text)
        self._invoices[number] = invoice
        self._kit.telemetry.count("invoices_total", outcome="issued")
        self._kit.telemetry.log(
            SERVICE, "invoice_issued", invoice=number, shipper=shipper, gross=sheet.gross, currency=sheet.currency
        )
        return invoice

    def credit(self, principal: str, number: str, amount: Decimal, reason: str) -> CreditNote:
        """Up to a limit a credit takes effect at once; above it a second person approves."""
        invoice = self.invoice(number)
        self._kit.access.require(principal, "billing.credit", Circumstances(record=number, amount=amount))
        rounded = round_money(amount, invoice.sheet.currency)
        if not 0 < rounded <= invoice.open_amount:
            raise InvoiceRefused(f"{number}: {rounded} is not between 0 and the open {invoice.open_amount}")
        limit = self._kit.view(SERVICE).decimal("credit_note_approval_amount")
        state = CreditState.PENDING if rounded > limit else CreditState.APPROVED
        key = record_key("CRN", self._kit.clock.now().year, len(self._credits) + 1)
        note = CreditNote(key, number, rounded, reason, state)
        self._credits[key] = note
        if state is CreditState.APPROVED:
            self._apply(note)
        return note

    def approve(self, principal: str, key: str) -> CreditNote:
        note = self._credits.get(key)
        if note is None:
            raise InvoiceRefused(f"no credit note {key}")
        self._kit.access.require(principal, "billing.approve", Circumstances(record=note.invoice, amount=note.amount))
        if note.state is CreditState.APPROVED:
            return note
        if note.amount > self.invoice(note.invoice).open_amount:
            raise InvoiceRefused(f"{note.invoice} was paid in the meantime; pay back instead")
        approved = replace(note, state=CreditState.APPROVED)
        self._credits[key] = approved
        self._apply(approved)
        return approved

    def pay(self, number: str, amount: Decimal) -> Invoice:
        invoice = self.invoice(number)
        if amount <= 0:
            raise InvoiceRefused("a payment is positive")
        paid = replace(invoice, paid=invoice.paid + amount)
        self._invoices[number] = paid
        return paid

    def invoice(self, number: str) -> Invoice:
        try:
            return self._invoices[number]
        except KeyError:
            raise InvoiceRefused(f"no invoice {number}") from None

    def of_shipper(self, shipper: str) -> tuple[Invoice, ...]:
        return tuple(each for each in self._invoices.values() if each.shipper == shipper)

    def _apply(self, note: CreditNote) -> None:
        invoice = self.invoice(note.invoice)
        self._invoices[note.invoice] = replace(invoice, credited=invoice.credited + note.amount)
        self._kit.telemetry.count("invoices_total", outcome="credited")


def _consolidated(charges: Sequence[Charge]) -> list[Charge]:
    """Freight at one rate becomes one charge, and meets its minimum once."""
    merged: dict[tuple[ChargeCode, Decimal, Decimal], Charge] = {}
    for charge in charges:
        key = (charge.code, charge.rate, charge.minimum)
        if charge.code is ChargeCode.FREIGHT and key in merged:
            merged[key] = replace(merged[key], quantity=merged[key].quantity + charge.quantity)
        elif charge.code is ChargeCode.FREIGHT:
            merged[key] = replace(charge, note="")
    kept = [charge for charge in charges if charge.code is not ChargeCode.FREIGHT]
    return [*merged.values(), *kept]
