import unittest
from decimal import Decimal

from lumen.base.clock import advance, instant
from lumen.base.errors import Refused
from lumen.shared import telemetry
from lumen.shared.workup import outbox
from lumen.units.couriers import custody
from tests.support import minutes_ago, site_at


def readings(*degrees):
    start = instant("2026-03-02T08:00")
    return [(start.replace(minute=5 * n), Decimal(d)) for n, d in enumerate(degrees)]


class CustodyTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        tubes = [{"tube": "S1", "case": "N1", "drawn": minutes_ago(self.site, 50)},
                 {"tube": "E2", "case": "N1", "drawn": minutes_ago(self.site, 20)}]
        self.box = custody.open_box(self.site, "B7", "west-2", tubes)

    def deliver(self, *degrees):
        custody.step(self.site, "c301", self.box, "HANDED_OVER")
        custody.step(self.site, "c301", self.box, "IN_TRANSIT")
        advance(self.site["clock"], minutes=30)
        return custody.deliver(self.site, "c302", self.box, readings(*degrees))

    def test_the_trail_names_everybody(self):
        self.deliver("4", "5")
        self.assertEqual([(state, who) for state, _, who in self.box["trail"]],
                         [("DRAWN", None), ("HANDED_OVER", "c301"), ("IN_TRANSIT", "c301"), ("ARRIVED", "c302")])

    def test_the_oldest_tube_gives_the_transit_time(self):
        self.deliver("4", "5")
        self.assertEqual(telemetry.aggregate(self.site, "transit_minutes", "max", ("route",)), {("west-2",): 80})

    def test_custody_does_not_go_back_or_skip_the_lid(self):
        custody.step(self.site, "c301", self.box, "HANDED_OVER")
        for state, rule in (("HANDED_OVER", "backwards"), ("ARRIVED", "gap"), ("DISCARDED", "not_courier")):
            with self.assertRaises(Refused) as caught:
                custody.step(self.site, "c301", self.box, state)
            self.assertEqual(caught.exception.rule, rule)

    def test_drivers_have_hours(self):
        advance(self.site["clock"], hours=13)
        with self.assertRaises(Refused):
            custody.step(self.site, "c301", self.box, "HANDED_OVER")

    def test_a_lifted_lid_is_no_break(self):
        self.assertEqual(self.deliver("4", "9", "9", "7"), [])
        self.assertFalse(self.box["warmed"])

    def test_a_break_marks_the_box_and_raises_the_alert(self):
        spans = self.deliver("4", "9", "12", "10", "7")
        self.assertEqual([extreme for _, _, extreme in spans], [12])
        self.assertTrue(self.box["warmed"])
        self.assertEqual([a["labels"] for a in telemetry.firing(self.site, "couriers")], [("west-2",)])
        (event,) = outbox.pending(self.site, "accession", "box-arrived")
        self.assertEqual(event["body"], {"box": "B7", "tubes": ("S1", "E2"), "warmed": True})

    def test_frost_that_lasts_to_the_end_is_a_break(self):
        self.assertEqual([extreme for _, _, extreme in self.deliver("4", "1", "0", "-1", "1")], [-1])
