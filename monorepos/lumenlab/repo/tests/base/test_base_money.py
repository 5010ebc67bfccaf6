import unittest
from decimal import Decimal

from lumen.base import money
from lumen.base.errors import InputError


class MoneyTest(unittest.TestCase):
    def test_amounts_as_payers_write_them(self):
        self.assertEqual(money.amount("1,204.50"), Decimal("1204.50"))
        self.assertEqual(money.amount("(12.00)"), Decimal("-12.00"))

    def test_text_and_infinity_are_no_amounts(self):
        for wrong in ("twelve", "Infinity", ""):
            with self.assertRaises(InputError):
                money.amount(wrong)

    def test_halves_go_to_the_even_cent(self):
        self.assertEqual(money.round_money("2.345"), Decimal("2.34"))
        self.assertEqual(money.round_money("2.355"), Decimal("2.36"))

    def test_other_rules_are_named(self):
        self.assertEqual(money.round_money("2.345", rule="half_up"), Decimal("2.35"))
        self.assertEqual(money.round_money("2.341", rule="up"), Decimal("2.35"))
        with self.assertRaises(ValueError):
            money.round_money("2.345", rule="bankers")

    def test_shares_add_up_to_the_cent(self):
        parts = money.share_out("10.00", [1, 1, 1])
        self.assertEqual(parts, [Decimal("3.34"), Decimal("3.33"), Decimal("3.33")])
        self.assertEqual(sum(money.share_out("-0.05", [2, 3, 3])), Decimal("-0.05"))

    def test_shares_need_a_weight(self):
        with self.assertRaises(ValueError):
            money.share_out("10.00", [0, 0])

    def test_show(self):
        self.assertEqual(money.show("1204.5", "EUR"), "EUR 1,204.50")
