import unittest
from datetime import timedelta

from kit.clock import utc
from kit.codes.catalogue import ShipmentStatus
from kit.codes.ledger import StatusEntry
from services.tracking.timeline import Timeline

NOON = utc(2024, 5, 6, 12)


def entry(status, hours, source="carrier"):
    return StatusEntry("S1", status, NOON + timedelta(hours=hours), source)


class TimelineTest(unittest.TestCase):
    def test_the_first_report_of_a_stage_counts(self):
        timeline = Timeline.from_history("S1", [
            entry(ShipmentStatus.ARRIVED, 9),
            entry(ShipmentStatus.ARRIVED, 4, "terminal"),
            entry(ShipmentStatus.DEPARTED, 0),
        ])
        self.assertEqual([stage.status for stage in timeline.stages], [ShipmentStatus.DEPARTED, ShipmentStatus.ARRIVED])
        self.assertEqual(timeline.current.reached_at, NOON + timedelta(hours=4))

    def test_dwell_runs_to_the_next_stage_reported(self):
        timeline = Timeline.from_history("S1", [entry(ShipmentStatus.COLLECTED, 0), entry(ShipmentStatus.DEPARTED, 50)])
        self.assertEqual(timeline.dwell(ShipmentStatus.COLLECTED), timedelta(hours=50))
        self.assertIsNone(timeline.dwell(ShipmentStatus.DEPARTED))

    def test_stages_out_of_order_are_pointed_out(self):
        timeline = Timeline.from_history("S1", [entry(ShipmentStatus.ARRIVED, -3), entry(ShipmentStatus.DEPARTED, 0)])
        self.assertEqual(timeline.disorder(), (ShipmentStatus.ARRIVED,))
        self.assertEqual(timeline.last_heard, NOON)

    def test_an_estimate_adds_what_usually_remains(self):
        timeline = Timeline.from_history("S1", [entry(ShipmentStatus.OUT_FOR_DELIVERY, 0)])
        self.assertEqual(timeline.estimate(NOON), NOON + timedelta(hours=7))

    def test_an_overdue_stage_ends_now_at_the_earliest(self):
        timeline = Timeline.from_history("S1", [entry(ShipmentStatus.OUT_FOR_DELIVERY, 0)])
        late = NOON + timedelta(hours=30)
        self.assertEqual(timeline.estimate(late), late)

    def test_the_carrier_is_believed_when_later(self):
        timeline = Timeline.from_history("S1", [entry(ShipmentStatus.OUT_FOR_DELIVERY, 0)])
        self.assertEqual(timeline.estimate(NOON, NOON + timedelta(hours=9)), NOON + timedelta(hours=9))
        self.assertEqual(timeline.estimate(NOON, NOON + timedelta(hours=1)), NOON + timedelta(hours=7))

    def test_finished_and_unknown_shipments_have_no_estimate(self):
        self.assertIsNone(Timeline.from_history("S1", []).estimate(NOON))
        self.assertIsNone(Timeline.from_history("S1", [entry(ShipmentStatus.DELIVERED, 0)]).estimate(NOON))
