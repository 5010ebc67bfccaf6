import unittest
from datetime import date

from lumen.base.errors import InputError
from lumen.shared import codes
from tests.support import site_at

LAYOUT = (("case", "text"), ("urgency", "code:priority"), ("birth", "day"), ("remark", "text"))


class WireTest(unittest.TestCase):
    def test_records_travel_as_codes(self):
        record = {"case": "N1", "urgency": "STAT", "birth": date(1980, 5, 17), "remark": None}
        self.assertEqual(codes.encode(site_at(self), LAYOUT, record), "N1|S|19800517|")

    def test_what_was_written_is_read(self):
        site = site_at(self)
        record = {"case": "N1", "urgency": "URGENT", "birth": date(1980, 5, 17), "remark": "a|b\\c\nd\\p"}
        self.assertEqual(codes.decode(site, LAYOUT, codes.encode(site, LAYOUT, record)), record)

    def test_lines_from_before_a_field_was_added_are_read(self):
        self.assertIsNone(codes.decode(site_at(self), LAYOUT, "N1|R")["remark"])

    def test_lines_with_more_cells_are_refused(self):
        with self.assertRaises(InputError):
            codes.decode(site_at(self), LAYOUT, "N1|R|||more")
