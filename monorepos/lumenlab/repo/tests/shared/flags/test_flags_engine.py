import unittest

from lumen.base.errors import StoreError
from lumen.shared import flags
from tests.support import site_at, store

HEAD = "flag,default,percent,on_for,off_for,requires,review_by,owner,note\n"


class FlagsTest(unittest.TestCase):
    def with_rows(self, *rows, name="north"):
        return site_at(self, name=name, stores={"flags": store(self, "flags.csv", HEAD + "\n".join(rows) + "\n")})

    def test_the_default_decides_last(self):
        site = site_at(self)
        self.assertEqual(flags.explain(site, "delta-check", "results"), (True, "default"))
        self.assertEqual(flags.explain(site, "direct-delivery", "reporting"), (False, "default"))

    def test_a_target_turns_a_flag_on_for_a_cohort(self):
        site = site_at(self)
        self.assertTrue(flags.enabled(site, "direct-delivery", "reporting", "hillside", ["portal"]))

    def test_a_joint_target_needs_all_its_terms(self):
        site = site_at(self)
        self.assertFalse(flags.enabled(site, "anonymous-notices", "notices"))
        self.assertFalse(flags.enabled(site, "anonymous-notices", "claims", cohorts=["sentinel"]))
        self.assertTrue(flags.enabled(site, "anonymous-notices", "notices", cohorts=["sentinel"]))

    def test_a_target_may_name_a_site(self):
        self.assertFalse(flags.enabled(site_at(self), "reflex-tests", "results"))
        self.assertTrue(flags.enabled(site_at(self), "reflex-tests", "benches"))
        self.assertFalse(flags.enabled(site_at(self, name="valley"), "reflex-tests", "benches"))

    def test_an_exclusion_wins_over_a_target(self):
        site = self.with_rows("x,on,,unit:claims,cohort:old,,,a,b")
        self.assertEqual(flags.explain(site, "x", "claims", cohorts=["old"]), (False, "excluded cohort:old"))

    def test_a_flag_is_off_where_its_prerequisite_is(self):
        site = self.with_rows("x,on,,,,y,,a,b", "y,on,,,unit:claims,,,a,b")
        self.assertTrue(flags.enabled(site, "x", "results"))
        self.assertEqual(flags.explain(site, "x", "claims"), (False, "requires y"))

    def test_a_rollout_is_stable_and_near_its_percentage(self):
        site = self.with_rows("x,off,30,,,,,a,b")
        on = {n for n in range(400) if flags.enabled(site, "x", "claims", f"clinic-{n}")}
        self.assertEqual(on, {n for n in range(400) if flags.enabled(site, "x", "claims", f"clinic-{n}")})
        self.assertTrue(80 <= len(on) <= 160, len(on))

    def test_a_wider_rollout_keeps_those_already_in(self):
        narrow, wide = self.with_rows("x,off,20,,,,,a,b"), self.with_rows("x,off,60,,,,,a,b")
        for n in range(100):
            if flags.enabled(narrow, "x", "claims", f"clinic-{n}"):
                self.assertTrue(flags.enabled(wide, "x", "claims", f"clinic-{n}"))

    def test_without_a_subject_no_percentage_applies(self):
        self.assertFalse(flags.enabled(self.with_rows("x,off,100,,,,,a,b"), "x", "claims"))

    def test_circles_and_unknown_flags_are_faults_of_the_store(self):
        site = self.with_rows("x,on,,,,y,,a,b", "y,on,,,,x,,a,b")
        with self.assertRaisesRegex(StoreError, "circle"):
            flags.enabled(site, "x", "claims")
        with self.assertRaisesRegex(StoreError, "no flag"):
            flags.enabled(site, "z", "claims")
        self.assertEqual(len(flags.check(site)), 2)

    def test_check_finds_bad_cells(self):
        site = self.with_rows("x,yes,,,,,,a,b", "y,on,130,,,,,a,b", "z,on,,team:x,,,,a,b", "w,on,,,,,soon,a,b")
        self.assertEqual(len(flags.check(site)), 4)

    def test_stale_flags_come_oldest_first(self):
        site = site_at(self, "2026-07-01T08:00")
        self.assertEqual([flag for flag, _, _ in flags.stale_flags(site)],
                         ["autoverify", "direct-delivery", "reflex-tests"])

    def test_a_snapshot_holds_every_flag(self):
        site = self.with_rows("x,on,,,,,,a,b", "y,off,,unit:claims,,,,a,b")
        self.assertEqual(flags.snapshot(site, "claims"), {"x": True, "y": True})
        self.assertEqual(flags.snapshot(site, "results"), {"x": True, "y": False})
