import unittest
from datetime import date
from decimal import Decimal

from lumen.shared.workup import charges, render
from tests.support import quantity, site_at


class RenderTest(unittest.TestCase):
    def test_values_look_the_same_on_every_document(self):
        site = site_at(self)
        shown = [render.show(site, "reporting", kind, value) for kind, value in (
            ("day", date(2026, 3, 2)), ("money", Decimal("1204.5")), ("quantity", quantity("139.62", "mmol/L")),
            ("person", ("Lindqvist", "Vera")), ("code:sex", "FEMALE"), ("identifier", "A123456789"), ("text", None))]
        self.assertEqual(shown, ["02-MAR-2026", "EUR 1,204.50", "140 mmol/L", "LINDQVIST, Vera", "Female", "******6789", "-"])

    def test_a_document_has_a_title_and_blocks(self):
        lines = render.document(site_at(self), "reporting", "Bill", [
            ("fields", [("No", "text", 7), ("Day", "day", date(2026, 3, 2))]),
            ("table", (("t", "Test", "text", "l"),), [{"t": "Sodium"}]),
            ("note", "word " * 20),
        ])
        self.assertEqual(lines[:5], ["Bill", "====", "", "No   7", "Day  02-MAR-2026"])
        self.assertEqual(lines[6:8], ["Test", "Sodium"])
        self.assertTrue(all(len(line) <= 72 for line in lines))

    def test_long_values_are_clipped_to_the_width(self):
        lines = render.document(site_at(self), "reporting", "Bill", [("fields", [("No", "text", "x" * 90)])])
        self.assertEqual(len(lines[-1]), 72)

    def test_unknown_blocks_are_an_error(self):
        with self.assertRaises(ValueError):
            render.document(site_at(self), "reporting", "Bill", [("picture", 1)])


class ChargesTest(unittest.TestCase):
    LINES = [{"code": "1", "quantity": 1, "unit_price": "2.15"}, {"code": "2", "quantity": 3, "unit_price": "1.55"}]

    def test_each_line_is_rounded_before_the_sum(self):
        quoted = charges.price(site_at(self), "claims", self.LINES, Decimal("5"))
        self.assertEqual([line["amount"] for line in quoted["lines"]], [Decimal("2.04"), Decimal("4.42")])
        self.assertEqual((quoted["total"], quoted["currency"]), (Decimal("6.46"), "EUR"))

    def test_the_lines_handed_in_are_not_changed(self):
        charges.price(site_at(self), "claims", self.LINES)
        self.assertNotIn("amount", self.LINES[0])

    def test_a_payment_is_spread_to_the_cent(self):
        site = site_at(self)
        lines = charges.price(site, "claims", self.LINES)["lines"]
        self.assertEqual(sum(charges.spread(site, "claims", "5.01", lines)), Decimal("5.01"))
        self.assertEqual(charges.spread(site, "claims", "0.03", [{"amount": 0}, {"amount": 0}]), [Decimal("0.02"), Decimal("0.01")])
        with self.assertRaises(ValueError):
            charges.spread(site, "claims", "1.00", [])
