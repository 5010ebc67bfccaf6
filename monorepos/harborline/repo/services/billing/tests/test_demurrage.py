import unittest
from datetime import date
from decimal import Decimal

from kit.codes.catalogue import Equipment
from services.billing.demurrage import demurrage_charges

FIRST = date(2024, 5, 1)


class DemurrageTest(unittest.TestCase):
    def amounts(self, equipment, last_day, extra=0):
        charges = demurrage_charges(equipment, FIRST, date(2024, 5, last_day), extra)
        return [(int(charge.quantity), charge.rate) for charge in charges]

    def test_free_days_cost_nothing(self):
        self.assertEqual(self.amounts(Equipment.DRY_20, 7), [])

    def test_rates_rise_from_tier_to_tier(self):
        self.assertEqual(
            self.amounts(Equipment.DRY_20, 21), [(5, Decimal("45.00")), (7, Decimal("80.00")), (2, Decimal("130.00"))]
        )

    def test_reefers_have_less_time(self):
        self.assertEqual(self.amounts(Equipment.REEFER_40, 5), [(2, Decimal("110.00"))])

    def test_contracts_may_lengthen_the_free_time(self):
        self.assertEqual(self.amounts(Equipment.DRY_20, 10, extra=2), [(1, Decimal("45.00"))])

    def test_trailers_are_not_ours_to_charge(self):
        self.assertEqual(self.amounts(Equipment.TRAILER, 30), [])
