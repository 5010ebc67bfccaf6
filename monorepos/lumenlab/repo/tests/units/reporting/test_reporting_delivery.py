import unittest

from lumen.base.clock import advance
from lumen.shared import pools, telemetry
from lumen.units.reporting import delivery, letters
from tests.support import a_case, a_result, partner, site_at


class DeliveryTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        self.case = a_case(self.site, tests=("K",), cohort="portal")
        self.results = [a_result(self.site, self.case, "K", "5.52", "mmol/L", "HIGH")]
        self.spool = []

    def deliver(self, answers):
        self.portal = partner("portal", answers)
        letter = letters.compose(self.site, self.case, self.results)
        return delivery.deliver(self.site, self.case, letter, self.results, self.portal, self.spool)

    def test_portal_clinics_get_structured_results(self):
        self.assertEqual(self.deliver([(1, "ok")]), "portal")
        payload, limit = self.portal["requests"][0]
        self.assertEqual((payload["key"], payload["state"], limit), (f"{self.case['id']}.1", "F", 20))
        self.assertEqual(payload["results"], [{"test": "K", "value": "5.52", "unit": "mmol/L", "flag": "H"}])

    def test_others_get_paper(self):
        self.case["cohort"] = None
        self.assertEqual(self.deliver([(1, "ok")]), "printer")
        self.assertEqual([page["clinic"] for page in self.spool], ["hillside"])

    def test_a_silent_portal_is_replaced_by_the_printer(self):
        self.assertEqual(self.deliver([(30, None)]), "printer")
        self.assertEqual(len(self.spool), 1)
        self.assertEqual(pools.holding(self.site["conn"], self.site["clock"], "partner-lines", "reporting"), 0)

    def test_a_version_is_delivered_once(self):
        self.deliver([(1, "ok")])
        self.assertIsNone(self.deliver([(1, "ok")]))
        self.results.append({**self.results[0], "version": 2})
        self.assertEqual(self.deliver([(1, "ok")]), "portal")
        self.assertEqual([entry["state"] for entry in self.case["reports"]], ["COMPLETE", "AMENDED"])

    def test_turnaround_counts_from_acceptance(self):
        advance(self.site["clock"], minutes=481)
        self.deliver([(1, "ok")])
        self.assertEqual(telemetry.aggregate(self.site, "report_turnaround_minutes", "max"), {(): 481})
        self.assertEqual([a["alert"] for a in telemetry.firing(self.site, "reporting")], ["slow-reports"])
