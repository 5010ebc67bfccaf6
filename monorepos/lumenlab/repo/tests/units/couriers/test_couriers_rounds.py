import unittest

from lumen.base.clock import instant, now, stamp
from lumen.base.errors import Refused
from lumen.shared import pools
from lumen.units.couriers import rounds
from tests.support import minutes_ago, site_at


def stop(site, clinic, street, tubes=10, drawn=30, drive=15, home=20, **more):
    return {"clinic": clinic, "street": street, "ready": now(site["clock"]), "drawn": minutes_ago(site, drawn),
            "tubes": tubes, "drive_minutes": drive, "home_minutes": home, **more}


class RoundsTest(unittest.TestCase):
    def test_the_fixed_tour_follows_the_streets(self):
        site = site_at(self)
        stops = [stop(site, "b", 2, drawn=100), stop(site, "a", 1)]
        made = rounds.plan(site, "west-2", stops)
        self.assertEqual([visit["clinic"] for visit in made["visits"]], ["a", "b"])
        self.assertEqual(stamp(made["home"]), "2026-03-02T08:58:00Z")

    def test_dynamic_rounds_follow_the_deadlines(self):
        site = site_at(self, "2026-03-02T08:00", "harbour")
        stops = [stop(site, "a", 1), stop(site, "b", 2, drawn=100), stop(site, "c", 3, limit_minutes=60)]
        self.assertEqual([s["clinic"] for s in rounds.tour(site, "quay", stops)], ["c", "b", "a"])

    def test_the_van_waits_for_tubes_that_are_not_ready(self):
        site = site_at(self)
        late = stop(site, "a", 1)
        late["ready"] = instant("2026-03-02T09:00")
        self.assertEqual(stamp(rounds.plan(site, "west-2", [late])["visits"][0]["depart"]), "2026-03-02T09:04:00Z")

    def test_a_stop_past_the_cutoff_is_left_over(self):
        site = site_at(self, "2026-03-02T16:50")
        made = rounds.plan(site, "west-2", [stop(site, "a", 1), stop(site, "b", 2)])
        self.assertEqual(made["left"], [{"clinic": "b", "tubes": 10, "why": "cutoff"}])

    def test_a_detour_must_not_spoil_what_is_on_board(self):
        site = site_at(self)
        made = rounds.plan(site, "west-2", [stop(site, "a", 1, limit_minutes=75), stop(site, "b", 2, drive=10, home=40)])
        self.assertEqual([left["why"] for left in made["left"]], ["stability"])

    def test_boxes_are_leased_and_given_back(self):
        site = site_at(self)
        made = rounds.plan(site, "west-2", [stop(site, "a", 1, tubes=24), stop(site, "b", 2, tubes=1)])
        self.assertEqual(made["boxes"], 2)
        rounds.finish(site, made)
        self.assertEqual(pools.holding(site["conn"], site["clock"], "transport-boxes", "couriers"), 0)

    def test_without_boxes_there_is_no_plan(self):
        site = site_at(self)
        with self.assertRaises(Refused):
            rounds.plan(site, "west-2", [stop(site, "a", 1, tubes=24 * 35)])

    def test_a_round_without_visits_needs_no_box(self):
        site = site_at(self, "2026-03-02T17:20")
        made = rounds.plan(site, "west-2", [stop(site, "a", 1)])
        rounds.finish(site, made)
        self.assertEqual((made["boxes"], made["lease"]), (0, None))
        self.assertGreater(made["left"][0]["tubes"], 0)
