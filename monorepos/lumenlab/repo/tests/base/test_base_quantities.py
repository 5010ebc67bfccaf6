import unittest
from decimal import Decimal

from lumen.base import quantities
from lumen.base.errors import InputError


class QuantitiesTest(unittest.TestCase):
    def test_comparator_figure_and_unit_are_parted(self):
        found = quantities.parse_quantity("<0,5 mmol/L")
        self.assertEqual(found, {"comparator": "<", "value": Decimal("0.5"), "unit": "mmol/L"})

    def test_words_are_no_quantity(self):
        with self.assertRaises(InputError):
            quantities.parse_quantity("haemolysed")

    def test_significant_figures(self):
        self.assertEqual(str(quantities.significant("139.62", 3)), "140")
        self.assertEqual(str(quantities.significant("0.04567", 2)), "0.046")
        self.assertEqual(str(quantities.significant("9.996", 3)), "10.0")
        self.assertEqual(quantities.significant("0", 3), 0)

    def test_large_figures_are_shown_without_exponent(self):
        self.assertEqual(quantities.show_quantity({"comparator": ">", "value": Decimal("123456"), "unit": "U/L"}), ">123000 U/L")

    def test_mass_and_amount_need_the_molar_mass(self):
        converted = quantities.convert("90", "mg/dL", "mmol/L", "180.16")
        self.assertEqual(quantities.significant(converted, 3), Decimal("5.00"))
        back = quantities.convert(converted, "mmol/L", "mg/dL", "180.16")
        self.assertEqual(quantities.significant(back, 3), Decimal("90.0"))
        with self.assertRaises(InputError):
            quantities.convert("90", "mg/dL", "mmol/L")

    def test_within_a_family_no_molar_mass_is_needed(self):
        self.assertEqual(quantities.convert("1.5", "mmol/L", "umol/L"), 1500)

    def test_unknown_units_do_not_convert(self):
        with self.assertRaises(InputError):
            quantities.convert("1", "U/L", "mmol/L", "100")
