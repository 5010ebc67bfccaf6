import unittest
from decimal import Decimal

from kit.helpers import money


class MoneyTest(unittest.TestCase):
    def test_rounds_half_away_from_zero(self):
        self.assertEqual(money.round_money(Decimal("2.675")), Decimal("2.68"))
        self.assertEqual(money.round_money(Decimal("-2.675")), Decimal("-2.68"))

    def test_knows_currencies_without_cents_and_with_mills(self):
        self.assertEqual(money.round_money(Decimal("1200.5"), "JPY"), Decimal("1201"))
        self.assertEqual(money.round_money(Decimal("1.23456"), "KWD"), Decimal("1.235"))
        with self.assertRaises(ValueError):
            money.minor_digits("euro")

    def test_parts_add_up_and_early_parts_get_the_rest(self):
        parts = money.split_amount(Decimal("100.00"), [Decimal(1)] * 3)
        self.assertEqual(parts, (Decimal("33.34"), Decimal("33.33"), Decimal("33.33")))

    def test_the_largest_remainder_gets_the_cent(self):
        parts = money.split_amount(Decimal("0.10"), [Decimal(1), Decimal(5)])
        self.assertEqual(parts, (Decimal("0.02"), Decimal("0.08")))

    def test_negative_totals_split_like_positive_ones(self):
        parts = money.split_amount(Decimal("-10.00"), [Decimal(1), Decimal(2)])
        self.assertEqual(sum(parts), Decimal("-10.00"))

    def test_weights_must_mean_something(self):
        for weights in ([], [Decimal(0)], [Decimal(2), Decimal(-1)]):
            with self.subTest(weights=weights), self.assertRaises(ValueError):
                money.split_amount(Decimal(1), weights)

    def test_formatting_and_parsing_are_inverse(self):
        text = money.format_money(Decimal("-1234567.5"), "EUR")
        self.assertEqual(text, "EUR -1,234,567.50")
        self.assertEqual(money.parse_money(text), (Decimal("-1234567.50"), "EUR"))
        with self.assertRaises(ValueError):
            money.parse_money("EUR many")

    def test_conversion_rounds_in_the_target_currency(self):
        self.assertEqual(money.convert(Decimal("10.00"), Decimal("169.456"), "JPY"), Decimal("1695"))
        with self.assertRaises(ValueError):
            money.convert(Decimal(1), Decimal(0), "JPY")
