import unittest

from kit.clock import utc
from kit.codes.catalogue import ShipmentStatus
from kit.codes.ledger import StatusLedger, StatusStepRefused

NOON = utc(2024, 5, 6, 12)


class StatusLedgerTest(unittest.TestCase):
    def setUp(self):
        self.ledger = StatusLedger()

    def record(self, shipment, *statuses):
        for status in statuses:
            self.ledger.record(shipment, status, NOON, "clerk")

    def test_late_news_of_an_early_stage_does_not_set_a_shipment_back(self):
        self.record("S1", ShipmentStatus.DEPARTED, ShipmentStatus.COLLECTED)
        self.assertIs(self.ledger.latest("S1").status, ShipmentStatus.DEPARTED)
        self.assertEqual(len(self.ledger.history("S1")), 2)

    def test_nothing_follows_a_final_stage(self):
        self.record("S1", ShipmentStatus.DELIVERED)
        with self.assertRaises(StatusStepRefused):
            self.record("S1", ShipmentStatus.CANCELLED)
        self.record("S1", ShipmentStatus.ARRIVED)

    def test_what_has_departed_cannot_be_cancelled(self):
        self.record("S1", ShipmentStatus.DEPARTED)
        with self.assertRaises(StatusStepRefused):
            self.record("S1", ShipmentStatus.CANCELLED)

    def test_shipments_between_two_stages(self):
        self.record("S1", ShipmentStatus.BOOKED)
        self.record("S2", ShipmentStatus.BOOKED, ShipmentStatus.DEPARTED)
        self.record("S3", ShipmentStatus.DELIVERED)
        self.assertEqual(self.ledger.between(ShipmentStatus.CONFIRMED, ShipmentStatus.DELIVERED), ("S2",))

    def test_an_unknown_shipment_has_no_status(self):
        self.assertIsNone(self.ledger.latest("S9"))
        self.assertEqual(self.ledger.history("S9"), ())
