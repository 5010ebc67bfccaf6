import unittest

from lumen.base.clock import now
from lumen.base.errors import Unreachable
from lumen.shared import exchange, telemetry
from tests.support import partner, site_at


class ExchangeTest(unittest.TestCase):
    def test_the_limit_is_that_of_the_unit(self):
        site, payer = site_at(self), partner("payer", [(1, "ok")])
        self.assertEqual(exchange.call(site, "claims", payer, "hello"), "ok")
        exchange.call(site, "reporting", payer, "hello")
        self.assertEqual([limit for _, limit in payer["requests"]], [60, 20])

    def test_a_silent_partner_is_tried_again_after_growing_pauses(self):
        site, slow = site_at(self), partner("slow", [(99, None), (99, None), (3, "late but here")])
        start = now(site["clock"])
        self.assertEqual(exchange.call(site, "benches", slow, "hello"), "late but here")
        self.assertEqual((now(site["clock"]) - start).total_seconds(), 30 + 5 + 30 + 10 + 3)

    def test_an_answer_after_the_limit_is_discarded(self):
        site, slow = site_at(self), partner("slow", [(31, "too late")])
        with self.assertRaises(Unreachable):
            exchange.call(site, "benches", slow, "hello")
        self.assertEqual(len(slow["requests"]), 3)
        self.assertIn("attempts=3", telemetry.lines(site, "partner_silent")[0])

    def test_the_budget_ends_a_call_before_its_attempts(self):
        site, slow = site_at(self), partner("slow", [(99, None)])
        start = now(site["clock"])
        with self.assertRaises(Unreachable):
            exchange.call(site, "notices", slow, "hello")
        self.assertEqual(len(slow["requests"]), 4)
        self.assertLessEqual((now(site["clock"]) - start).total_seconds(), 180)

    def test_attempts_are_measured_by_outcome(self):
        site = site_at(self)
        exchange.call(site, "benches", partner("p", [(99, None), (2, "ok")]), "hello")
        counts = telemetry.aggregate(site, "partner_call_seconds", "count", ("outcome",))
        self.assertEqual(counts, {("silent",): 1, ("answered",): 1})
