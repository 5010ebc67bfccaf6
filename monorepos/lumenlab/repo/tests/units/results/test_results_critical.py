import unittest

from lumen.base.clock import advance
from lumen.base.errors import InputError, Refused
from lumen.shared import telemetry
from lumen.units.results import critical
from tests.support import a_case, a_result, site_at


class CriticalTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        self.call = critical.open_call(self.site, self.result("6.9", "CRITICAL_HIGH"))

    def result(self, figure, flag, test="K"):
        return a_result(self.site, a_case(self.site), test, figure, "mmol/L", flag)

    def test_only_critical_values_are_phoned(self):
        self.assertIsNone(critical.open_call(self.site, self.result("5.5", "HIGH")))
        self.assertEqual((self.call["due"] - self.call["owed_since"]).total_seconds(), 1800)

    def test_the_call_is_made_when_the_value_is_read_back(self):
        critical.attempt(self.site, "p401", self.call, "ward 3")
        self.assertIsNone(self.call["read_back_at"])
        advance(self.site["clock"], minutes=12)
        critical.attempt(self.site, "p401", self.call, "ward 3", "6.9 mmol/L")
        self.assertEqual(len(self.call["attempts"]), 2)
        self.assertEqual(telemetry.aggregate(self.site, "critical_call_minutes", "max"), {(): 12})
        with self.assertRaises(Refused):
            critical.attempt(self.site, "p401", self.call, "ward 3", "6.9")

    def test_a_wrong_read_back_leaves_the_call_open(self):
        with self.assertRaises(InputError):
            critical.attempt(self.site, "p401", self.call, "ward 3", "9.6")
        self.assertIsNone(self.call["read_back_at"])

    def test_a_technician_does_not_call(self):
        with self.assertRaises(Refused):
            critical.attempt(self.site, "t101", self.call, "ward 3", "6.9")

    def test_late_calls_are_listed_and_fire(self):
        other = critical.open_call(self.site, self.result("115", "CRITICAL_LOW", "NA"))
        self.assertEqual(critical.overdue(self.site, [self.call, other]), [])
        advance(self.site["clock"], minutes=31)
        critical.attempt(self.site, "p401", self.call, "ward 3", "6.9")
        self.assertEqual(critical.overdue(self.site, [self.call, other]), [other])
        self.assertEqual([a["alert"] for a in telemetry.firing(self.site, "results")], ["late-critical-calls"])
        self.assertIn("late=yes", telemetry.lines(self.site, "critical_called")[0])
