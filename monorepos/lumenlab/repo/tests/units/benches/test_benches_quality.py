import unittest
from decimal import Decimal

from lumen.shared import telemetry
from lumen.units.benches import quality
from tests.support import site_at


def scores(*values):
    return [Decimal(str(value)) for value in values]


class JudgeTest(unittest.TestCase):
    def test_each_rule_has_its_pattern(self):
        for rule, chart in (
            ("1-3s", (0, 3.1)), ("2-2s", (2.1, 2.2)), ("2-2s", (-2.1, -2.5)), ("R-4s", (2.1, -2.1)),
            ("4-1s", (1.1, 1.2, 1.5, 1.1)), ("10-x", (0.1,) * 10), (None, (2.5,)), (None, (0.1,) * 9 + (-0.1,)),
            (None, (2.1, 0, 2.1)), (None, (-3,)),
        ):
            self.assertEqual(quality.judge(scores(*chart)), rule, chart)


class ControlTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        self.chart = {"target": "5.0", "deviation": "0.2", "scores": []}

    def run_control(self, value):
        return quality.record_control(self.site, "t101", "chem-1", "low", self.chart, value)

    def test_a_warning_rejects_nothing(self):
        self.assertEqual(self.run_control("5.45"), {"score": Decimal("2.25"), "rule": None, "warning": True})

    def test_a_second_warning_does(self):
        self.run_control("5.45")
        self.assertEqual(self.run_control("5.42")["rule"], "2-2s")
        self.assertEqual(len(self.chart["scores"]), 2)

    def test_two_failures_in_a_shift_fire_an_alert(self):
        for value in ("5.7", "4.2"):
            self.run_control(value)
        self.assertEqual([a["alert"] for a in telemetry.firing(self.site, "benches")], ["control-failures"])

    def test_runs_beyond_the_lookback_are_forgotten(self):
        self.chart["scores"] = scores(*([0.1] * 9))
        self.assertEqual(self.run_control("5.02")["rule"], "10-x")
        self.assertEqual(self.run_control("4.98")["rule"], None)
