from datetime import date, timedelta

from kit.codes.catalogue import ShipmentStatus
from kit.tests.support import KitCase
from services.tracking.feed import TrackingFeed
from services.tracking.watch import SilenceWatch

US = "svc-tracking"


class TrackingFeedTest(KitCase):
    def setUp(self):
        super().setUp()
        self.feed = TrackingFeed(self.kit)

    def record(self, shipment, status):
        return self.feed.record(US, shipment, status, self.clock.now(), "terminal")

    def test_a_carrier_file_is_recorded_at_noon(self):
        content = "shipment,event,date\nB1,VD,2024-05-02\nB1,VA,2024-05-05\nB2,ZZ,2024-05-05\n"
        result = self.feed.take_events(US, content)
        self.assertEqual((result.recorded, result.ignored, result.unreadable), (2, 1, 0))
        latest = self.kit.ledger.latest("B1")
        self.assertEqual((latest.status, latest.at.hour), (ShipmentStatus.ARRIVED, 12))

    def test_only_progress_is_published(self):
        seen = []
        self.kit.outbox.subscribe("shipment.moved", seen.append)
        for status in (ShipmentStatus.DEPARTED, ShipmentStatus.COLLECTED, ShipmentStatus.ARRIVED):
            self.record("B1", status)
        self.kit.outbox.deliver()
        self.assertEqual([each.payload["status"] for each in seen], ["50", "60"])

    def test_the_public_view_has_labels_and_a_day(self):
        self.record("B1", ShipmentStatus.OUT_FOR_DELIVERY)
        view = self.feed.public_view("B1")
        self.assertEqual((view.status, view.stages), ("Out for delivery", (("Out for delivery", date(2024, 5, 6)),)))
        self.assertGreaterEqual(view.expected, date(2024, 5, 6))
        self.assertIsNone(self.feed.public_view("B9"))

    def test_a_delivered_shipment_is_expected_no_more(self):
        self.record("B1", ShipmentStatus.DELIVERED)
        self.assertIsNone(self.feed.expected("B1"))
        self.assertIsNone(self.feed.notify(US, "B1"))

    def test_slack_is_added_to_the_estimate(self):
        self.record("B1", ShipmentStatus.OUT_FOR_DELIVERY)
        slack = timedelta(hours=self.kit.view("tracking").number("eta_slack_hours"))
        self.assertEqual(self.feed.expected("B1"), self.clock.now() + timedelta(hours=7) + slack)

    def test_a_later_estimate_of_the_carrier_is_shown(self):
        self.record("B1", ShipmentStatus.OUT_FOR_DELIVERY)
        ours = self.feed.expected("B1")
        self.feed.carrier_estimate("B1", self.clock.now() + timedelta(days=2))
        self.assertGreater(self.feed.expected("B1"), ours)

    def test_a_notice_is_printed_and_takes_room_in_the_mail_pool(self):
        self.record("B1", ShipmentStatus.ARRIVED)
        notice = self.feed.notify(US, "B1")
        self.assertIn("Arrived at destination port", notice)
        self.assertEqual(self.kit.pools.used("notice_mail", "tracking"), 1)

    def test_no_notice_goes_out_when_the_pool_is_spent(self):
        self.record("B1", ShipmentStatus.ARRIVED)
        self.kit.pools.acquire("notice_mail", "tracking", self.kit.pools.available("notice_mail", "tracking"))
        self.assertIsNone(self.feed.notify(US, "B1"))
        self.assertIsNotNone(self.feed.notify(US, "B1", urgent=True))

    def test_quiet_shippers_are_not_told_twice(self):
        quiet = next(f"B{n}" for n in range(100) if self.kit.flags.is_on("quiet_notices", "tracking", f"B{n}"))
        self.record(quiet, ShipmentStatus.ARRIVED)
        self.assertIsNotNone(self.feed.notify(US, quiet))
        self.assertIsNone(self.feed.notify(US, quiet))


class SilenceWatchTest(KitCase):
    def setUp(self):
        super().setUp()
        self.alarm = self.kit.view("tracking").number("silence_alarm_hours")

    def test_silence_ashore_is_noticed_before_silence_at_sea(self):
        for shipment, status in (("B1", ShipmentStatus.ARRIVED), ("B2", ShipmentStatus.DEPARTED),
                                 ("B3", ShipmentStatus.DELIVERED), ("B4", ShipmentStatus.BOOKED)):
            self.kit.ledger.record(shipment, status, self.clock.now(), "carrier")
        watch = SilenceWatch(self.kit)
        self.clock.advance(hours=self.alarm)
        self.assertEqual(watch.sweep(), ())
        self.clock.advance(hours=1)
        self.assertEqual([each.shipment for each in watch.sweep()], ["B1"])
        self.clock.advance(hours=self.alarm * 4)
        self.assertEqual([each.shipment for each in watch.sweep()], ["B1", "B2"])
        self.assertEqual(self.kit.telemetry.samples("tracking_silent_shipments")[-1].value, 2)
