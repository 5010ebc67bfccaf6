from dataclasses import replace
from decimal import Decimal

from kit.access import AccessDenied
from kit.codes.catalogue import DeclarationState, HoldReason, ShipmentStatus
from kit.gateway import GatewayTimeout, RehearsalTransport
from kit.tests.support import KitCase
from services.customs.declarations import CommodityLine
from services.customs.duties import DeliveryTerm
from services.customs.filing import FilingDesk, FilingRefused, WrongState

US = "svc-customs"
OFFICER = "desk-rtm-2"
LINE = CommodityLine("8205510000", "TW", Decimal("900.00"), Decimal("120.5"), Decimal("110"), Decimal("3.7"))


class FilingDeskTest(KitCase):
    def desk(self, **transport):
        self.transport = RehearsalTransport(self.clock, **transport)
        return FilingDesk(self.kit, self.transport)

    def draft(self, desk, *lines, principal=US, trader="nl123456789", term=DeliveryTerm.COST_INSURANCE_FREIGHT):
        return desk.draft(principal, "BKG-1", trader, term, lines or (LINE,)).number

    def test_a_declaration_is_sent_and_acknowledged(self):
        desk = self.desk()
        filed = desk.submit(US, self.draft(desk))
        self.assertIs(filed.state, DeclarationState.ACCEPTED)
        self.assertEqual(filed.filed_at, self.clock.now())
        segments = self.kit.edi.read("customs", self.transport.requests[0].body)
        self.assertEqual([each.elements for each in segments if each.tag == "NAD"], [("IM", "NL123456789")])
        self.assertEqual(segments[-1].elements, ("5:1",))

    def test_defects_stop_a_submission_before_it_is_sent(self):
        desk = self.desk()
        bad = replace(LINE, commodity="8205", origin="Taiwan", value=Decimal(0), net_kg=Decimal(200))
        with self.assertRaises(FilingRefused) as caught:
            desk.submit(US, self.draft(desk, bad, trader="123"))
        self.assertEqual(len(caught.exception.defects), 5)
        self.assertEqual(self.transport.requests, [])

    def test_ex_works_goods_need_freight_and_arms_a_licence(self):
        desk = self.desk()
        number = self.draft(desk, replace(LINE, commodity="9303300000"), term=DeliveryTerm.EX_WORKS)
        defects = desk.declaration(number).defects()
        self.assertEqual(len(defects), 2)
        self.assertIn("9303300000: arms need a licence", defects)

    def test_a_licence_goes_with_its_line(self):
        desk = self.desk()
        desk.submit(US, self.draft(desk, replace(LINE, commodity="9303300000", licence="L+77")))
        segments = self.kit.edi.read("customs", self.transport.requests[0].body)
        self.assertIn(("911", "L+77"), [each.elements for each in segments])

    def test_a_rejected_declaration_may_be_sent_again_and_no_other(self):
        desk = self.desk(codes={"import_declaration": "REJ"})
        number = self.draft(desk)
        self.assertIs(desk.submit(US, number).state, DeclarationState.REJECTED)
        desk.submit(US, number)
        accepted = self.desk()
        number = self.draft(accepted)
        accepted.submit(US, number)
        with self.assertRaises(WrongState):
            accepted.submit(US, number)

    def test_a_gateway_that_stays_silent_leaves_the_draft(self):
        desk = self.desk(stall=99)
        number = self.draft(desk)
        with self.assertRaises(GatewayTimeout):
            desk.submit(US, number)
        self.assertIs(desk.declaration(number).state, DeclarationState.DRAFT)

    def test_a_release_at_once_clears_the_shipment(self):
        desk = self.desk(codes={"import_declaration": "REL"})
        desk.submit(US, self.draft(desk))
        self.assertIs(self.kit.ledger.latest("BKG-1").status, ShipmentStatus.IMPORT_CLEARED)

    def test_holds_are_counted_and_released_by_an_officer(self):
        desk = self.desk()
        number = self.draft(desk)
        desk.submit(US, number)
        desk.hold(OFFICER, number, HoldReason.INSPECTION)
        self.assertEqual(self.kit.telemetry.samples("customs_open_holds", reason="INS")[-1].value, 1)
        released = desk.release(OFFICER, number)
        self.assertEqual((released.state, released.hold), (DeclarationState.RELEASED, None))
        self.assertEqual(self.kit.telemetry.samples("customs_open_holds", reason="INS")[-1].value, 0)

    def test_who_submitted_does_not_release(self):
        desk = self.desk()
        number = self.draft(desk, principal="desk-ham-2")
        desk.submit("desk-ham-2", number)
        with self.assertRaises(AccessDenied) as caught:
            desk.release("desk-ham-2", number, branch="HAM")
        self.assertIn("separation", caught.exception.reason)

    def test_document_holds_lapse(self):
        desk = self.desk(codes={"import_declaration": "HLD"})
        desk.submit(US, self.draft(desk))
        days = self.kit.view("customs").integer("document_hold_days")
        self.clock.advance(days=days)
        self.assertEqual(desk.lapsed_holds(), ())
        self.clock.advance(hours=1)
        self.assertEqual([each.shipment for each in desk.lapsed_holds()], ["BKG-1"])

    def test_lines_are_read_from_a_file(self):
        desk = self.desk()
        lines = desk.read_lines("commodity,origin,value,gross,net\n8205510000,tw,900,120 kg,110 kg\n")
        self.assertEqual((lines[0].origin, lines[0].gross_kg), ("TW", Decimal(120)))

    def test_an_assessment_uses_the_rates_in_force(self):
        desk = self.desk()
        assessment = desk.assess(self.draft(desk))
        self.assertEqual(assessment.duty, Decimal("33.30"))
        with self.assertRaises(WrongState):
            desk.assess("DEC-2024-000099-00")
