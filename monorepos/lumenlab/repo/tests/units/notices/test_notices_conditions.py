import unittest
from datetime import date

from lumen.base.clock import instant, stamp
from lumen.units.notices import conditions
from tests.support import a_case, a_result, quantity, site_at


class ConditionsTest(unittest.TestCase):
    def rule(self, test, figure, unit="", comparator=""):
        site = site_at(self)
        return conditions.rule_for({**a_result(site, a_case(site), test, figure), "quantity": quantity(figure, unit, comparator)})

    def test_positive_findings_fall_under_a_rule(self):
        self.assertEqual(self.rule("MEASM", "1.0", "index")["condition"], "measles")
        self.assertEqual(self.rule("SALM", "1", "growth")["condition"], "salmonellosis")

    def test_negative_and_common_findings_do_not(self):
        self.assertIsNone(self.rule("MEASM", "0.9", "index"))
        self.assertIsNone(self.rule("MEASM", "1.5", "index", "<"))
        self.assertIsNone(self.rule("SALM", "0", "growth"))
        self.assertIsNone(self.rule("K", "9"))

    def test_hours_run_through_the_week_end(self):
        moment = conditions.due(site_at(self), self.rule("MEASM", "2"), instant("2026-03-06T15:00"))
        self.assertEqual(stamp(moment), "2026-03-07T15:00:00Z")

    def test_working_days_do_not(self):
        site, rule = site_at(self), self.rule("SALM", "1", "growth")
        for found, due in (("2026-03-06T15:00", "2026-03-09T16:00:00Z"), ("2026-03-07T15:00", "2026-03-10T16:00:00Z"),
                           ("2026-04-02T15:00", "2026-04-07T16:00:00Z")):
            self.assertEqual(stamp(conditions.due(site, rule, instant(found))), due)

    def test_an_illness_ends_after_its_episode(self):
        rule = self.rule("SALM", "1", "growth")
        self.assertTrue(conditions.same_episode(rule, date(2026, 3, 2), date(2026, 4, 30)))
        self.assertFalse(conditions.same_episode(rule, date(2026, 3, 2), date(2026, 5, 1)))
