from kit.codes.catalogue import TransportMode
from kit.tests.support import KitCase


class OutboxTest(KitCase):
    def setUp(self):
        super().setUp()
        self.seen = []

    def publish(self, **payload):
        return self.kit.outbox.publish("bookings", "booking.confirmed", "BKG-1", payload)

    def test_subscribers_get_events_in_order_with_codes_for_members(self):
        self.kit.outbox.subscribe("booking.confirmed", self.seen.append)
        self.publish(mode=TransportMode.SEA_PART, step=1)
        self.publish(mode=TransportMode.SEA_PART, step=2)
        report = self.kit.outbox.deliver()
        self.assertEqual([envelope.payload["step"] for envelope in self.seen], [1, 2])
        self.assertEqual(self.seen[0].payload["mode"], "LCL")
        self.assertEqual((report.delivered, report.waiting, report.dead), (2, 0, 0))

    def test_the_same_event_within_the_window_is_sent_once(self):
        self.kit.outbox.subscribe("booking.confirmed", self.seen.append)
        first = self.publish(step=1)
        self.clock.advance(minutes=1)
        self.assertIs(self.publish(step=1), first)
        self.clock.advance(days=2)
        self.assertIsNot(self.publish(step=1), first)
        self.kit.outbox.deliver()
        self.assertEqual(len(self.seen), 2)

    def test_a_failing_subscriber_is_tried_again(self):
        def shaky(envelope):
            self.seen.append(envelope)
            if len(self.seen) == 1:
                raise ConnectionError("down")

        self.kit.outbox.subscribe("booking.confirmed", shaky)
        self.publish(step=1)
        self.assertEqual(self.kit.outbox.deliver().waiting, 1)
        self.assertEqual(self.kit.outbox.deliver().delivered, 1)

    def test_an_event_nobody_can_take_ends_as_a_dead_letter(self):
        def broken(envelope):
            raise ValueError("no such shipper")

        self.kit.outbox.subscribe("booking.confirmed", broken)
        self.publish(step=1)
        limit = self.kit.view("bookings").integer("outbox_max_deliveries")
        reports = [self.kit.outbox.deliver() for _ in range(limit)]
        self.assertEqual([report.dead for report in reports], [0] * (limit - 1) + [1])
        letter = self.kit.outbox.dead_letters()[0]
        self.assertEqual((letter.deliveries, letter.reason), (limit, "ValueError: no such shipper"))
        self.assertEqual([firing.alert for firing in self.kit.telemetry.evaluate()], ["dead_letters"])

    def test_payloads_cannot_be_changed_by_a_subscriber(self):
        with self.assertRaises(TypeError):
            self.publish(step=1).payload["step"] = 2
