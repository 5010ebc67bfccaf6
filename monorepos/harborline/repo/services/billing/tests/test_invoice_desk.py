from datetime import timedelta
from decimal import Decimal

from kit.access import AccessDenied
from kit.codes.catalogue import ChargeCode
from kit.exchange.charges import Charge
from kit.tests.support import KitCase
from services.billing.credit import CreditWatch, DunningLevel, Exposure
from services.billing.invoices import CreditState, InvoiceDesk, InvoiceRefused

US, CLERK, LEAD = "svc-billing", "desk-ham-1", "desk-rtm-2"
FREIGHT = Charge(ChargeCode.FREIGHT, Decimal(12), Decimal("100.00"))
TERMINAL = Charge(ChargeCode.TERMINAL, Decimal(1), Decimal("245.00"))


class InvoiceDeskTest(KitCase):
    def setUp(self):
        super().setUp()
        self.desk = InvoiceDesk(self.kit)

    def issue(self, *charges, shipper="SHP-0102"):
        return self.desk.issue(US, shipper, charges or (FREIGHT, TERMINAL))

    def test_an_invoice_prints_what_it_charges(self):
        invoice = self.issue()
        self.assertIn(f"EUR {invoice.sheet.gross:,}", invoice.text)
        self.assertIn("Terminal handling", invoice.text)
        self.assertEqual(invoice.open_amount, invoice.sheet.gross)

    def test_the_due_date_is_never_on_a_weekend(self):
        for _ in range(7):
            self.clock.advance(days=1)
            invoice = self.issue()
            self.assertLess(invoice.due.weekday(), 5)
            term = self.kit.view("billing").integer("payment_term_days")
            self.assertGreaterEqual(invoice.due - invoice.issued, timedelta(days=term))

    def test_freight_at_one_rate_meets_its_minimum_once(self):
        small = Charge(ChargeCode.FREIGHT, Decimal("0.2"), Decimal(100), minimum=Decimal(50), note="piece")
        sheet = self.issue(small, small, TERMINAL).sheet
        self.assertEqual(sheet.amount_of(ChargeCode.FREIGHT), Decimal("50.00"))

    def test_nothing_is_not_invoiced(self):
        with self.assertRaises(InvoiceRefused):
            self.desk.issue(US, "SHP-0102", [])

    def test_small_credits_take_effect_at_once(self):
        invoice = self.issue()
        note = self.desk.credit(CLERK, invoice.number, Decimal("99.995"), "wrong tariff")
        self.assertEqual((note.state, note.amount), (CreditState.APPROVED, Decimal("100.00")))
        self.assertEqual(self.desk.invoice(invoice.number).open_amount, invoice.sheet.gross - 100)

    def test_large_credits_wait_for_another_person(self):
        invoice = self.issue()
        amount = self.kit.view("billing").decimal("credit_note_approval_amount") + 1
        note = self.desk.credit(CLERK, invoice.number, amount, "lost pallet")
        self.assertIs(note.state, CreditState.PENDING)
        self.assertEqual(self.desk.invoice(invoice.number).credited, 0)
        with self.assertRaises(AccessDenied):
            self.desk.approve(CLERK, note.number)
        with self.assertRaises(InvoiceRefused):
            self.desk.approve(LEAD, "CRN-2024-000099-00")
        self.desk.approve(LEAD, note.number)
        self.desk.approve(LEAD, note.number)
        self.assertEqual(self.desk.invoice(invoice.number).credited, amount)

    def test_no_more_is_credited_than_is_open(self):
        invoice = self.issue(TERMINAL)
        for amount in (invoice.sheet.gross + 1, Decimal(0), Decimal(-5)):
            with self.subTest(amount=amount), self.assertRaises(InvoiceRefused):
                self.desk.credit(CLERK, invoice.number, amount, "")

    def test_a_credit_on_an_invoice_paid_meanwhile_is_refused(self):
        invoice = self.issue()
        amount = self.kit.view("billing").decimal("credit_note_approval_amount") + 1
        note = self.desk.credit(CLERK, invoice.number, amount, "late")
        self.desk.pay(invoice.number, invoice.sheet.gross)
        with self.assertRaises(InvoiceRefused):
            self.desk.approve(LEAD, note.number)
        with self.assertRaises(InvoiceRefused):
            self.desk.pay(invoice.number, Decimal(0))

    def test_clerks_credit_up_to_their_limit(self):
        invoice = self.issue(Charge(ChargeCode.TERMINAL, Decimal(20), Decimal(245)))
        with self.assertRaises(AccessDenied):
            self.desk.credit(CLERK, invoice.number, Decimal("2500.01"), "too much")


class CreditWatchTest(KitCase):
    def setUp(self):
        super().setUp()
        self.desk = InvoiceDesk(self.kit)
        self.watch = CreditWatch(self.kit, {"Nordwind B.V.": Decimal(1000)})

    def test_exposure_counts_open_and_overdue(self):
        first = self.desk.issue(US, "SHP-0102", [TERMINAL])
        self.clock.advance(days=20)
        second = self.desk.issue(US, "SHP-0102", [TERMINAL])
        self.desk.pay(second.number, second.sheet.gross + 50)
        today = first.due + timedelta(days=3)
        exposure = self.watch.exposure(self.desk.of_shipper("SHP-0102"), today)
        self.assertEqual(exposure, Exposure(first.sheet.gross, first.sheet.gross, 3))

    def test_dunning_rises_a_level_with_each_step(self):
        step = self.kit.view("billing").integer("dunning_step_days")
        for days, level in ((0, DunningLevel.NONE), (1, DunningLevel.REMINDER), (step, DunningLevel.REMINDER),
                            (step + 1, DunningLevel.WARNING), (step * 40, DunningLevel.LAWYER)):
            with self.subTest(days=days):
                self.assertIs(self.watch.level(Exposure(Decimal(1), Decimal(1), days)), level)

    def test_limits_are_found_under_any_spelling(self):
        exposure = Exposure(Decimal(400), Decimal(0), 0)
        self.assertTrue(self.watch.may_ship("NORDWIND BV", exposure, Decimal(600)))
        self.assertFalse(self.watch.may_ship("Nordwind", exposure, Decimal(601)))
        self.assertFalse(self.watch.may_ship("Suedwind", Exposure(Decimal(0), Decimal(0), 0), Decimal(1)))

    def test_a_final_demand_stops_shipping(self):
        days = self.kit.view("billing").integer("dunning_step_days") * 2 + 1
        self.assertFalse(self.watch.may_ship("Nordwind", Exposure(Decimal(1), Decimal(1), days), Decimal(1)))
