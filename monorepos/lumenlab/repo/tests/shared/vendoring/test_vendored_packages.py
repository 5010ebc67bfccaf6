import unittest
from datetime import date

from lumen.shared import vendoring
from lumen.vendored import segtext_2_1, tubelabel_3_0, tubelabel_3_2
from tests.support import site_at


class SegtextTest(unittest.TestCase):
    def test_escapes_survive_a_round(self):
        segments = [["NTE", "a|b^c\\d", None, ("x^y", None), ""]]
        self.assertEqual(segtext_2_1.parse(segtext_2_1.compose(segments)), segments)

    def test_names_are_checked(self):
        with self.assertRaises(segtext_2_1.SegmentError):
            segtext_2_1.parse("obx|GLU")


class TubelabelTest(unittest.TestCase):
    PERSON = "LINDQVIST-OSTERBERG, Veronika"

    def test_long_names_are_cut_or_initialled(self):
        day = date(1980, 5, 17)
        self.assertEqual(tubelabel_3_0.label("N1", self.PERSON, day, "S1")[1], "LINDQVIST-OSTERBERG, Ver")
        self.assertEqual(tubelabel_3_2.label("N1", self.PERSON, day, "S1")[1], "LINDQVIST-OSTERBERG, V.")

    def test_the_printer_follows_the_pin(self):
        site = site_at(self)
        old = vendoring.tube_label(site, "accession", "N260302-0001-K", "Lindqvist", "Vera", date(1980, 5, 17), "S1 Serum")
        new = vendoring.tube_label(site, "benches", "N260302-0001-K", "Lindqvist", "Vera", date(1980, 5, 17), "S1 Serum")
        self.assertEqual(old, ["N260302-0001-K", "LINDQVIST, Vera", "17/05/1980", "S1 Serum", "*N260302-0001-K*"])
        self.assertEqual((new[2], new[4]), ("1980-05-17", "*N2603020001K*"))
