import unittest
from datetime import date, timedelta
from decimal import Decimal

from lumen.units.results import ranges
from tests.support import quantity

TODAY = date(2026, 3, 2)


def flag(test, figure, unit="", comparator="", sex="FEMALE", days=16000):
    return ranges.flag_for(test, quantity(figure, unit, comparator), sex, TODAY - timedelta(days=days), TODAY)


class RangesTest(unittest.TestCase):
    def test_limits_belong_to_the_range(self):
        self.assertEqual([flag("K", figure) for figure in ("2.7", "2.8", "3.4", "3.5", "5.1", "5.2", "6.2", "6.3")],
                         ["CRITICAL_LOW", "LOW", "LOW", "NORMAL", "NORMAL", "HIGH", "HIGH", "CRITICAL_HIGH"])

    def test_new_born_children_have_ranges_of_their_own(self):
        self.assertEqual((flag("K", "5.5", days=27), flag("K", "5.5", days=28)), ("NORMAL", "HIGH"))

    def test_ranges_differ_by_sex(self):
        self.assertEqual((flag("CREA", "95"), flag("CREA", "95", sex="MALE")), ("HIGH", "NORMAL"))

    def test_with_the_sex_not_stated_the_widest_range_applies(self):
        self.assertEqual(ranges.range_for("CREA", "UNKNOWN", 16000)["low"], Decimal(45))
        self.assertEqual(flag("CREA", "95", sex="UNKNOWN"), "NORMAL")

    def test_the_comparator_decides_at_the_limit(self):
        self.assertEqual((flag("CRP", "5"), flag("CRP", "5", comparator=">")), ("NORMAL", "HIGH"))
        self.assertEqual((flag("TSH", "0.4"), flag("TSH", "0.4", comparator="<")), ("NORMAL", "LOW"))

    def test_foreign_units_are_converted_first(self):
        self.assertEqual(flag("GLU", "90", "mg/dL"), "NORMAL")
        self.assertEqual(flag("GLU", "126", "mg/dL"), "HIGH")

    def test_where_no_range_is_agreed_there_is_no_flag(self):
        self.assertEqual(flag("ALT", "20", days=1000), "UNRANGED")
        self.assertEqual(flag("SALM", "1", "growth"), "UNRANGED")
