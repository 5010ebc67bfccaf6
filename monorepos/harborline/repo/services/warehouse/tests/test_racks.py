import unittest
from dataclasses import replace
from decimal import Decimal

from kit.codes.catalogue import HazardClass
from services.warehouse.racks import Bin, Lot, NoBin, RackPlan
from services.warehouse.segregation import Distance, required_distance, tolerates

FLOOR = Bin("A-0", "north", 1, 0, Decimal(2000))
SHELF = Bin("A-1", "north", 1, 1, Decimal(1000))
BUND = Bin("A-9", "north", 1, 0, Decimal(2000), bunded=True)
FAR_BUND = Bin("C-9", "north", 3, 0, Decimal(2000), bunded=True)
SOUTH = Bin("S-0", "south", 9, 0, Decimal(2000), bunded=True)
LOT = Lot("L1", "B1", 2, Decimal(600), 150)


class RackPlanTest(unittest.TestCase):
    def plan(self, *bins):
        return RackPlan(bins or (FLOOR, SHELF, BUND, FAR_BUND, SOUTH), 220)

    def test_light_lots_go_up_and_heavy_ones_stay_down(self):
        plan = self.plan()
        self.assertEqual(plan.place(LOT).code, "A-1")
        self.assertEqual(plan.place(replace(LOT, number="L2", weight_kg=Decimal(950))).code, "A-0")

    def test_bunds_are_kept_for_liquids(self):
        plan = self.plan(FLOOR, BUND)
        self.assertEqual(plan.place(LOT).code, "A-0")
        self.assertEqual(plan.place(replace(LOT, number="L2", hazard=HazardClass.CORROSIVE)).code, "A-9")

    def test_classes_that_react_are_kept_apart(self):
        plan = self.plan(FLOOR, BUND, FAR_BUND)
        plan.place(replace(LOT, hazard=HazardClass.OXIDISER))
        self.assertEqual(plan.where("L1").code, "A-0")
        self.assertEqual(plan.place(replace(LOT, number="L2", hazard=HazardClass.FLAMMABLE_LIQUID)).code, "C-9")

    def test_explosives_want_a_hall_to_themselves(self):
        plan = self.plan()
        plan.place(replace(LOT, hazard=HazardClass.FLAMMABLE_LIQUID))
        self.assertEqual(plan.place(replace(LOT, number="L2", hazard=HazardClass.EXPLOSIVE)).hall, "south")
        with self.assertRaises(NoBin):
            plan.place(replace(LOT, number="L3", hazard=HazardClass.EXPLOSIVE))

    def test_lots_too_high_or_too_heavy_find_no_bin(self):
        for change in ({"height_cm": 221}, {"weight_kg": Decimal(2001)}):
            with self.subTest(change=change), self.assertRaises(NoBin):
                self.plan().place(replace(LOT, **change))

    def test_a_removed_lot_leaves_its_bin(self):
        plan = self.plan(SHELF)
        plan.place(LOT)
        with self.assertRaises(NoBin):
            plan.place(replace(LOT, number="L2"))
        self.assertEqual(plan.remove("L1"), LOT)
        self.assertIsNone(plan.where("L1"))
        with self.assertRaises(NoBin):
            plan.remove("L1")


class SegregationTest(unittest.TestCase):
    def test_the_order_of_a_pair_does_not_matter(self):
        for one in HazardClass:
            for other in HazardClass:
                with self.subTest(one=one, other=other):
                    self.assertEqual(required_distance(one, other), required_distance(other, one))

    def test_harmless_goods_stand_anywhere(self):
        self.assertTrue(tolerates(None, list(HazardClass), Distance.ANY))
        self.assertFalse(tolerates(HazardClass.OXIDISER, [None, HazardClass.TOXIC], Distance.ANY))
