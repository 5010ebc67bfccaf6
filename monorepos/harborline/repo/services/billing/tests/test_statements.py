from datetime import date
from decimal import Decimal

from kit.access import AccessDenied
from kit.codes.catalogue import ChargeCode
from kit.exchange.charges import Charge
from kit.gateway import GatewayTimeout, RehearsalTransport
from kit.tests.support import KitCase
from services.billing.invoices import InvoiceDesk
from services.billing.statements import StatementRun

US = "svc-billing"
TERMINAL = Charge(ChargeCode.TERMINAL, Decimal(1), Decimal("245.00"))
STORAGE = Charge(ChargeCode.STORAGE, Decimal(3), Decimal("8.50"))


class StatementRunTest(KitCase):
    def setUp(self):
        super().setUp()
        self.desk = InvoiceDesk(self.kit)

    def run_with(self, **transport):
        self.transport = RehearsalTransport(self.clock, **transport)
        return StatementRun(self.kit, self.desk, self.transport)

    def test_a_month_goes_out_as_one_message(self):
        for _ in range(5):
            self.desk.issue(US, "SHP-0102", [TERMINAL, STORAGE])
        posted = self.run_with().post(US, "SHP-0102", date(2024, 5, 31))
        self.assertEqual((posted.month, posted.lines, posted.pages), ("2024-05", 10, 1))
        body = self.transport.requests[0].body.splitlines()
        self.assertEqual(len(body), 11)
        self.assertTrue(body[1].startswith("2024-05-06 2024-W19 INV-2024-000001"))

    def test_other_months_and_shippers_are_left_out(self):
        self.desk.issue(US, "SHP-0102", [TERMINAL])
        self.desk.issue(US, "SHP-0340", [TERMINAL])
        self.clock.advance(days=30)
        self.desk.issue(US, "SHP-0102", [TERMINAL])
        run = self.run_with()
        self.assertEqual(run.post(US, "SHP-0102", date(2024, 5, 1)).lines, 1)
        self.assertIsNone(run.post(US, "SHP-0102", date(2024, 4, 1)))

    def test_credits_are_lines_of_their_own(self):
        invoice = self.desk.issue(US, "SHP-0102", [TERMINAL])
        self.desk.credit("desk-ham-1", invoice.number, Decimal(45), "")
        self.run_with().post(US, "SHP-0102", date(2024, 5, 1))
        self.assertIn("EUR -45.00", self.transport.requests[0].body)

    def test_long_statements_have_pages(self):
        per_page = self.kit.view("billing").integer("statement_page_lines")
        for _ in range(per_page // 2 + 1):
            self.desk.issue(US, "SHP-0102", [TERMINAL, STORAGE])
        self.assertEqual(self.run_with().post(US, "SHP-0102", date(2024, 5, 1)).pages, 2)

    def test_a_silent_archive_is_an_error(self):
        self.desk.issue(US, "SHP-0102", [TERMINAL])
        with self.assertRaises(GatewayTimeout):
            self.run_with(stall=99).post(US, "SHP-0102", date(2024, 5, 1))
        self.assertEqual(self.kit.telemetry.lines("statement_posted"), ())

    def test_statements_are_for_leads(self):
        with self.assertRaises(AccessDenied):
            self.run_with().post("desk-ham-1", "SHP-0102", date(2024, 5, 1))
