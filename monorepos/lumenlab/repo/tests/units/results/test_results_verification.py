import unittest
from decimal import Decimal

from lumen.base.clock import advance
from lumen.base.errors import Refused
from lumen.shared import flags, pools
from lumen.shared.workup import outbox
from lumen.units.results import verification
from tests.support import a_case, quantity, site_at


class VerificationTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        self.case = a_case(self.site, clinic=self.clinic(True))

    def clinic(self, on):
        names = (f"clinic-{n}" for n in range(100))
        return next(name for name in names if flags.enabled(self.site, "autoverify", "results", name) is on)

    def enter(self, test, figure, unit="", case=None, who="svc-benches", comparator=""):
        return verification.enter(self.site, who, case or self.case, test, quantity(figure, unit, comparator))

    def test_a_result_is_entered_with_its_flag(self):
        self.assertEqual(self.enter("K", "5.5")["flag"], "HIGH")

    def test_unremarkable_results_are_released_by_rule(self):
        result = self.enter("K", "4.1")
        self.assertEqual(verification.autoverify(self.site, [result]), [])
        self.assertEqual(result["released_by"], "svc-results")
        self.assertEqual(len(outbox.pending(self.site, "notices", "result-released")), 1)

    def test_outside_the_rollout_a_person_looks(self):
        result = self.enter("K", "4.1", case=a_case(self.site, clinic=self.clinic(False)))
        self.assertEqual(verification.autoverify(self.site, [result]), [(result, "autoverification is off")])

    def test_what_needs_eyes_is_left(self):
        left = verification.autoverify(self.site, [self.enter("K", "6.9"), self.enter("SALM", "0", "growth"), self.enter("FT4", "15")])
        self.assertEqual([reason for _, reason in left], ["critical value", "read finding", "no reference range"])

    def test_a_jump_against_the_earlier_result_is_left(self):
        first = self.enter("NA", "136")
        verification.autoverify(self.site, [first])
        advance(self.site["clock"], days=29)
        second = self.enter("NA", "124", case=a_case(self.site, "N260331-0001-K", clinic=self.case["clinic"]))
        self.assertEqual(verification.delta_percent(self.site, second, [first]), Decimal("8.8"))
        self.assertEqual(len(verification.autoverify(self.site, [second], [first])), 1)
        advance(self.site["clock"], days=2)
        third = self.enter("NA", "124")
        self.assertIsNone(verification.delta_percent(self.site, third, [first]))

    def test_values_beyond_a_limit_have_no_delta(self):
        first, second = self.enter("TSH", "2.0"), self.enter("TSH", "0.01", comparator="<")
        verification.verify(self.site, "p401", first)
        self.assertIsNone(verification.delta_percent(self.site, second, [first]))

    def test_another_person_verifies(self):
        result = self.enter("K", "6.9", who="p401")
        with self.assertRaises(Refused):
            verification.verify(self.site, "p401", result)
        self.assertEqual(verification.verify(self.site, "p402", result)["released_by"], "p402")
        with self.assertRaises(Refused):
            verification.verify(self.site, "p402", result)

    def test_an_amendment_is_a_new_version(self):
        result = verification.verify(self.site, "p401", self.enter("K", "5.5"))
        amended = verification.amend(self.site, "p401", result, quantity("4.5"), self.case, "tubes swapped")
        self.assertEqual((amended["version"], amended["flag"], result["flag"]), (2, "NORMAL", "HIGH"))
        self.assertEqual(len(outbox.pending(self.site, "notices", "result-released")), 2)
        with self.assertRaises(Refused):
            verification.amend(self.site, "p401", self.enter("GLU", "5"), quantity("4.5"), self.case, "early")

    def test_a_case_moves_with_its_results(self):
        glu, k = self.enter("GLU", "5"), self.enter("K", "4")
        states = [verification.order_progress(self.site, self.case, [glu]), verification.order_progress(self.site, self.case, [glu, k])]
        verification.verify(self.site, "p401", glu)
        verification.verify(self.site, "p401", k)
        states.append(verification.order_progress(self.site, self.case, [glu, k]))
        states.append(verification.order_progress(self.site, self.case, [glu]))
        self.assertEqual(states, ["IN_PROGRESS", "RESULTED", "RELEASED", "RELEASED"])

    def test_reruns_take_positions(self):
        verification.rerun(self.site, [self.enter("K", "4")])
        self.assertEqual(pools.holding(self.site["conn"], self.site["clock"], "analyzer-positions", "results"), 1)
        self.assertIsNone(verification.rerun(self.site, []))
