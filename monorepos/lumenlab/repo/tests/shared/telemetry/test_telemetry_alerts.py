import unittest
from decimal import Decimal

from lumen.base.clock import advance
from lumen.base.errors import StoreError
from lumen.shared import telemetry
from lumen.shared.telemetry.alerting import STORE
from tests.support import extended, site_at


def reject(site, clinic, times=1):
    for _ in range(times):
        telemetry.record(site, "specimens_rejected_total", clinic=clinic, reason="TOO_OLD")


def call(site, outcome, partner="portal"):
    telemetry.record(site, "partner_call_seconds", 20, unit="reporting", partner=partner, outcome=outcome)


class AlertsTest(unittest.TestCase):
    def test_an_alert_fires_per_label(self):
        site = site_at(self)
        reject(site, "hillside", 5)
        reject(site, "riverside", 4)
        fired = telemetry.firing(site)
        self.assertEqual([(a["alert"], a["labels"], a["value"]) for a in fired], [("clinic-rejections", ("hillside",), 5)])

    def test_samples_leave_the_window(self):
        site = site_at(self)
        reject(site, "hillside", 5)
        advance(site["clock"], minutes=1441)
        self.assertEqual(telemetry.firing(site), [])

    def test_a_share_is_derived_from_two_series(self):
        site = site_at(self)
        for outcome in ("silent", "silent", "answered", "silent"):
            call(site, outcome)
        call(site, "answered", "payer")
        self.assertEqual(telemetry.derive(site, "silent_share"), {("portal",): Decimal("0.75")})
        self.assertEqual([a["severity"] for a in telemetry.firing(site, "informatics")], ["page"])
        self.assertEqual(telemetry.firing(site, "claims"), [])

    def test_a_threshold_above_is_not_reached_by_equality(self):
        site = site_at(self)
        telemetry.record(site, "critical_call_minutes", 30, department="CHEMISTRY")
        self.assertEqual(telemetry.firing(site, "results"), [])
        telemetry.record(site, "critical_call_minutes", 31, department="CHEMISTRY")
        self.assertEqual(len(telemetry.firing(site, "results")), 1)

    def test_silence_can_fire(self):
        path = extended(self, STORE, (
            "\n[alert:no-rounds]\nmetric = transit_minutes\nhow = count\nwindow_minutes = 600\n"
            "when = below\nthreshold = 1\nabsent = fires\nteam = couriers\n"))
        site = site_at(self, stores={"alerts": path})
        self.assertEqual([a["alert"] for a in telemetry.firing(site, "couriers")], ["no-rounds"])
        telemetry.record(site, "transit_minutes", 40, route="r1")
        self.assertEqual(telemetry.firing(site, "couriers"), [])

    def test_rules_are_checked_against_the_catalogue(self):
        path = extended(self, STORE, (
            "\n[alert:a]\nmetric = nothing\nwhen = above\nthreshold = 1\nteam = x\n"
            "\n[alert:b]\nmetric = transit_minutes\nby = clinic\nwhen = over\nthreshold = 1\nteam = x\n"))
        self.assertEqual(len(telemetry.check_rules(site_at(self, stores={"alerts": path}))), 3)

    def test_unknown_rules(self):
        with self.assertRaises(StoreError):
            telemetry.derive(site_at(self), "nothing")
