from kit.capacity import PoolExhausted
from kit.gateway import GatewayError, GatewayTimeout, RehearsalTransport
from kit.tests.support import KitCase

SETTINGS = """
    [shared]
    gateway_deadline_seconds = 10
    gateway_attempts = 3
    gateway_backoff_seconds = 2

    [service.billing]
    gateway_deadline_seconds = 40
"""


class GatewayClientTest(KitCase):
    def setUp(self):
        super().setUp()
        self.kit = self.kit_with(settings=self.store("settings.toml", SETTINGS))

    def send(self, service="customs", **transport):
        self.transport = RehearsalTransport(self.clock, **transport)
        return self.kit.gateway(service, self.transport).send("import_declaration", "DEC-1", "BGM'")

    def test_an_answer_is_timed_and_counted(self):
        reply = self.send(seconds=4)
        self.assertEqual((reply.code, reply.attempts), ("ACK", 1))
        self.assertEqual(self.kit.telemetry.total("gateway_call_seconds", service="customs"), 4)
        self.assertEqual(self.kit.telemetry.total("gateway_calls_total", outcome="answered"), 1)

    def test_a_stalled_attempt_is_repeated_under_the_same_reference(self):
        self.assertEqual(self.send(stall=2).attempts, 3)
        self.assertEqual(len({request.reference for request in self.transport.requests}), 1)

    def test_waits_grow_between_attempts(self):
        started = self.clock.now()
        self.send(seconds=1, stall=2)
        self.assertEqual((self.clock.now() - started).total_seconds(), 10 + 2 + 10 + 4 + 1)

    def test_giving_up_says_what_was_waited_for(self):
        with self.assertRaises(GatewayTimeout) as caught:
            self.send(seconds=11)
        self.assertIn("10 s, 3 attempts", str(caught.exception))

    def test_a_service_may_have_more_patience_than_others(self):
        self.assertEqual(self.send("billing", seconds=35).attempts, 1)

    def test_one_call_may_bring_its_own_deadline(self):
        transport = RehearsalTransport(self.clock, seconds=25)
        reply = self.kit.gateway("customs", transport).send("statement", "X", "", deadline_seconds=30)
        self.assertEqual(reply.attempts, 1)

    def test_long_messages_take_longer(self):
        transport = RehearsalTransport(self.clock, seconds=1, seconds_per_line=0.5)
        started = self.clock.now()
        self.kit.gateway("customs", transport).send("statement", "X", "a\nb\nc\nd")
        self.assertEqual((self.clock.now() - started).total_seconds(), 3)

    def test_a_dropped_line_is_an_error_of_its_own(self):
        with self.assertRaises(GatewayError) as caught:
            self.send(codes={"import_declaration": "FAIL"})
        self.assertNotIsInstance(caught.exception, GatewayTimeout)

    def test_attempts_count_against_the_quota(self):
        with self.assertRaises(PoolExhausted):
            self.send("yard")
        self.assertEqual(self.transport.requests, [])

    def test_repeated_timeouts_page_somebody(self):
        for _ in range(2):
            with self.assertRaises(GatewayTimeout):
                self.send(seconds=99)
        self.assertIn("gateway_timeouts", [firing.alert for firing in self.kit.telemetry.evaluate()])
