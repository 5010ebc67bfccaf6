import unittest

from lumen.base.clock import advance
from lumen.base.errors import Refused
from lumen.shared import pools, telemetry
from lumen.shared.workup import outbox
from lumen.units.notices import bulletins
from tests.support import a_case, a_result, partner, site_at


class BulletinsTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        self.register = bulletins.open_register()
        self.case = a_case(self.site, tests=("MEASM", "HBSAG"))

    def draft(self, test="MEASM", figure="3.456", **changes):
        result = a_result(self.site, self.case, test, figure, "index", **changes)
        return bulletins.draft(self.site, self.register, self.case, result)

    def test_released_findings_are_collected_once(self):
        result = a_result(self.site, self.case, "MEASM", "3.4", "index")
        outbox.publish(self.site, "results", "result-released", [result["id"], 1], result)
        cases = {self.case["id"]: self.case}
        self.assertEqual([n["condition"] for n in bulletins.collect(self.site, self.register, cases)], ["measles"])
        self.assertEqual(bulletins.collect(self.site, self.register, cases), [])

    def test_one_illness_makes_one_notice(self):
        first = self.draft()
        advance(self.site["clock"], days=10)
        self.case["id"] = "N260312-0001-K"
        self.assertIsNone(self.draft())
        self.assertEqual(self.draft(version=2)["id"], "N260312-0001-K/MEASM.2")
        self.assertEqual(len(self.register["notices"]), 2)
        self.assertIsNone(first["receipt"])

    def test_named_notices_carry_the_patient(self):
        lines = bulletins.message(self.site, self.draft(), self.case).split("\r")
        self.assertEqual(lines[1], "PID|Lindqvist^Vera|19800517|female")
        self.assertEqual(lines[2], "OBX|measles|MEASM|3.46 index|119364003|L")

    def test_unnamed_notices_do_not(self):
        text = bulletins.message(self.site, self.draft("HBSAG", "4"), self.case)
        self.assertIn("PID|**********01-K^|1980|female", text)
        self.assertNotIn("Lindqvist", text)

    def test_sentinel_clinics_report_without_names(self):
        self.case["cohort"] = "sentinel"
        self.assertNotIn("Lindqvist", bulletins.message(self.site, self.draft(), self.case))

    def send(self, notice, answers):
        return bulletins.send(self.site, notice, self.case, partner("county-health", answers))

    def test_a_receipt_closes_the_notice(self):
        notice = self.draft()
        advance(self.site["clock"], minutes=90)
        self.assertTrue(self.send(notice, [(2, "MSA|AA|x|RCPT-7\r")]))
        self.assertEqual(notice["receipt"], "RCPT-7")
        self.assertEqual(telemetry.aggregate(self.site, "notice_delay_minutes", "max"), {(): 90})
        self.assertTrue(self.send(notice, [(99, None)]))
        self.assertEqual(bulletins.owed(self.site, self.register), [])

    def test_a_silent_authority_leaves_the_notice_open(self):
        notice = self.draft()
        self.assertFalse(self.send(notice, [(99, None)]))
        self.assertEqual([n["id"] for n, _ in bulletins.owed(self.site, self.register)], [notice["id"]])
        self.assertEqual(pools.holding(self.site["conn"], self.site["clock"], "partner-lines", "notices"), 0)

    def test_a_refusal_is_a_matter_for_a_person(self):
        with self.assertRaisesRegex(Refused, "unknown district"):
            self.send(self.draft(), [(2, "MSA|AE|x|unknown district\r")])

    def test_the_most_pressing_notice_comes_first(self):
        self.draft("HBSAG", "4")
        self.draft()
        owed = bulletins.owed(self.site, self.register)
        self.assertEqual([(n["condition"], minutes) for n, minutes in owed], [("measles", 1440), ("hepatitis-b", 4800)])
