import unittest
from datetime import timedelta
from decimal import Decimal

from lumen.base.clock import advance, now
from lumen.base.errors import Refused
from lumen.shared import pools
from lumen.units.benches import worklists
from tests.support import a_case, site_at


def specimen(site, tube, priority="ROUTINE", hours=6, tests=("GLU",), rejected=None):
    return {"case": "N260302-0001-K", "tube": tube, "priority": priority, "tests": list(tests), "rejected": rejected,
            "usable_until": now(site["clock"]) + timedelta(hours=hours), "received": now(site["clock"])}


class WorklistTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self, "2026-03-02T10:00")

    def test_urgent_specimens_open_the_list_then_the_least_stable(self):
        waiting = worklists.queue(self.site, "chem-1", [
            specimen(self.site, "a", hours=5), specimen(self.site, "b", hours=3),
            specimen(self.site, "c", "STAT", hours=9), specimen(self.site, "d", "URGENT", hours=9)])
        self.assertEqual([item["tube"] for item in waiting], ["c", "d", "b", "a"])

    def test_only_usable_specimens_of_the_department_queue(self):
        waiting = worklists.queue(self.site, "chem-1", [
            specimen(self.site, "a", hours=0), specimen(self.site, "b", rejected="WARMED"),
            specimen(self.site, "c", tests=("HB",)), specimen(self.site, "d", tests=("HB", "K"))])
        self.assertEqual([(item["tube"], item["tests"]) for item in waiting], [("d", ["K"])])

    def test_controls_come_first(self):
        made = worklists.build(self.site, "t101", "chem-1", [specimen(self.site, "a")])
        self.assertEqual([p.get("control") for p in made["positions"]], ["low", "high", None])
        self.assertEqual(made["lease"]["amount"], 3)

    def test_what_exceeds_the_list_waits(self):
        made = worklists.build(self.site, "t101", "chem-1", [specimen(self.site, str(n)) for n in range(40)])
        self.assertEqual((len(made["positions"]), len(made["waiting"])), (38, 4))

    def test_a_full_line_halves_the_list(self):
        pools.draw(self.site, "benches", "analyzer-positions", 72)
        made = worklists.build(self.site, "t101", "chem-1", [specimen(self.site, str(n)) for n in range(36)])
        self.assertEqual((made["lease"]["amount"], len(made["waiting"])), (20, 18))

    def test_nothing_to_run_takes_nothing(self):
        made = worklists.build(self.site, "t101", "chem-1", [])
        self.assertEqual((made["positions"], made["lease"]), ([], None))

    def test_technicians_build_for_their_own_department(self):
        with self.assertRaises(Refused):
            worklists.build(self.site, "t104", "chem-1", [])

    def test_the_line_is_free_again_after_the_hold(self):
        pools.draw(self.site, "benches", "analyzer-positions", 90)
        advance(self.site["clock"], minutes=45)
        self.assertEqual(pools.holding(self.site["conn"], self.site["clock"], "analyzer-positions", "benches"), 0)

    def test_other_departments_get_labelled_aliquots(self):
        case = a_case(self.site)
        found = worklists.aliquots(self.site, "chem-1", [specimen(self.site, "S1", tests=("GLU", "HBSAG"))], {case["id"]: case})
        self.assertEqual(found, [[case["id"], "LINDQVIST, Vera", "1980-05-17", "S1/SE", "*N2603020001K*"]])

    def test_abnormal_thyrotropin_asks_for_thyroxine(self):
        self.assertEqual(worklists.reflex(self.site, "TSH", Decimal("0.1")), ["FT4"])
        self.assertEqual(worklists.reflex(self.site, "TSH", Decimal("4.0")), [])
        self.assertEqual(worklists.reflex(site_at(self, name="valley"), "TSH", Decimal("9")), [])
