from dataclasses import replace
from decimal import Decimal

from kit.access import AccessDenied
from kit.codes.catalogue import Equipment, ShipmentStatus
from kit.helpers.keys import parse_record_key
from kit.tests.support import KitCase
from services.bookings.desk import BookingClosed, BookingDesk, BookingRefused
from services.bookings.tests.test_acceptance import REQUEST

US = "svc-bookings"


class BookingDeskTest(KitCase):
    def setUp(self):
        super().setUp()
        self.desk = BookingDesk(self.kit)

    def test_a_booking_gets_a_number_and_a_status(self):
        booking = self.desk.take(US, REQUEST)
        self.assertEqual(parse_record_key(booking.number), ("BKG", 2024, 1))
        self.assertIs(self.kit.ledger.latest(booking.number).status, ShipmentStatus.BOOKED)

    def test_a_refusal_lists_every_objection_and_keeps_nothing(self):
        with self.assertRaises(BookingRefused) as caught:
            self.desk.take(US, replace(REQUEST, lines=(), equipment=None))
        self.assertEqual(len(caught.exception.objections), 2)
        self.assertEqual(self.kit.telemetry.total("bookings_total", outcome="refused"), 1)
        with self.assertRaises(BookingClosed):
            self.desk.booking("BKG-2024-000001-00")

    def test_a_cutoff_is_waived_by_a_lead_only(self):
        self.clock.advance(days=11)
        with self.assertRaises(BookingRefused):
            self.desk.take(US, REQUEST)
        with self.assertRaises(AccessDenied):
            self.desk.take("desk-rtm-1", REQUEST, branch="RTM", waive_cutoff=True)
        self.assertTrue(self.desk.take(US, REQUEST, waive_cutoff=True).is_open)

    def test_clerks_book_at_their_own_branch(self):
        with self.assertRaises(AccessDenied):
            self.desk.take("desk-rtm-1", REQUEST, branch="HAM")

    def test_a_confirmation_is_announced_once(self):
        seen = []
        self.kit.outbox.subscribe("booking.confirmed", seen.append)
        number = self.desk.take(US, REQUEST).number
        self.desk.confirm(US, number)
        self.desk.confirm(US, number)
        self.kit.outbox.deliver()
        self.assertEqual([(each.record, each.payload["mode"]) for each in seen], [(number, "FCL")])
        self.assertEqual(len(self.kit.telemetry.lines("booking_confirmed")), 1)

    def test_an_amendment_needs_a_new_confirmation(self):
        number = self.desk.take(US, REQUEST).number
        self.desk.confirm(US, number)
        amended = self.desk.amend(US, number, replace(REQUEST, destination="BRRIO"))
        self.assertIsNone(amended.confirmed_at)
        with self.assertRaises(BookingClosed):
            self.desk.amend(US, number, replace(REQUEST, shipper="SHP-9999"))
        with self.assertRaises(BookingRefused):
            self.desk.amend(US, number, replace(REQUEST, lines=()))

    def test_early_and_unconfirmed_cancellations_are_free(self):
        first, second = self.desk.take(US, REQUEST).number, self.desk.take(US, REQUEST).number
        self.desk.confirm(US, first)
        self.assertEqual(self.desk.cancel(US, first).cancellation_fee, 0)
        self.clock.advance(days=11)
        self.assertEqual(self.desk.cancel(US, second).cancellation_fee, 0)

    def test_a_late_cancellation_costs_the_fee_without_tax(self):
        number = self.desk.take(US, REQUEST).number
        self.desk.confirm(US, number)
        self.clock.advance(days=11)
        fee = self.kit.view("bookings").decimal("cancellation_fee")
        self.assertEqual(self.desk.cancel(US, number).cancellation_fee, fee)
        with self.assertRaises(BookingClosed):
            self.desk.confirm(US, number)

    def test_a_reefer_holds_a_plug_until_it_is_cancelled(self):
        number = self.desk.take(US, replace(REQUEST, equipment=Equipment.REEFER_40)).number
        self.assertEqual(self.kit.pools.used("reefer_plugs", "bookings"), 1)
        self.desk.cancel(US, number)
        self.assertEqual(self.kit.pools.used("reefer_plugs", "bookings"), 0)

    def test_a_manifest_becomes_cargo_lines(self):
        lines, rejected = self.desk.read_manifest("mark;description;qty;weight;cbm\nA1;Crates;4;1,2 t;3,5\n")
        self.assertEqual((lines[0].weight_kg, lines[0].heaviest_piece_kg), (Decimal(1200), Decimal(300)))
        self.assertEqual(rejected, ())

    def test_chargeable_weight_of_a_request(self):
        self.assertEqual(REQUEST.chargeable_kg, Decimal(12500))
