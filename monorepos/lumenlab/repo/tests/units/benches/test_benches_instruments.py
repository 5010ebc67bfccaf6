import unittest
from datetime import date
from decimal import Decimal

from lumen.base.ids import accession_number
from lumen.shared.workup import outbox
from lumen.units.benches import instruments
from tests.support import site_at

CASE = accession_number("N", date(2026, 3, 2), 1)
HEAD = "MSH|chem-1|fw 3.1|20260302|991\r"


class ReadingTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)

    def read(self, *lines):
        return instruments.read(self.site, HEAD + "".join(line + "\r" for line in lines))

    def test_measurements_belong_to_the_tube_before_them(self):
        found, answer = self.read(f"OBR|{CASE}|S1|R", "OBX|GLU|5,1|mmol/L|F", "OBX|K|4.2||F")
        self.assertEqual([(m["test"], m["quantity"]["value"], m["quantity"]["unit"]) for m in found],
                         [("GLU", Decimal("5.1"), "mmol/L"), ("K", Decimal("4.2"), "mmol/L")])
        self.assertTrue(answer.startswith("MSA|AA|991"))

    def test_failed_runs_have_no_quantity_and_are_not_announced(self):
        found, _ = self.read(f"OBR|{CASE}|S1|R", "OBX|GLU|||X", "OBX|K|4.2||F")
        self.assertIsNone(found[0]["quantity"])
        self.assertEqual(len(outbox.pending(self.site, "results", "measured")), 1)

    def test_a_misread_number_refuses_the_whole_message(self):
        found, answer = self.read(f"OBR|{CASE}|S1|R", "OBX|K|4.2||F", "OBR|N260302-0002-0|S1|R", "OBX|K|4.2||F")
        self.assertEqual(found, [])
        self.assertIn("misread", answer)
        self.assertEqual(outbox.pending(self.site, "results", "measured"), [])

    def test_a_value_without_tube_is_refused(self):
        self.assertIn("before any OBR", self.read("OBX|K|4.2||F")[1])

    def test_a_resent_message_is_announced_once(self):
        for _ in range(2):
            self.read(f"OBR|{CASE}|S1|R", "OBX|K|4.2||F")
        self.assertEqual(len(outbox.pending(self.site, "results", "measured")), 1)

    def test_a_worklist_is_loaded_with_the_instruments_letters(self):
        text = instruments.order_message(self.site, {"bench": "chem-1", "positions": [
            {"control": "low"}, {"case": CASE, "tube": "S1", "priority": "URGENT", "tests": ["GLU", "K"]}]}, "17")
        self.assertEqual(text.split("\r")[:3], ["MSH|LUMEN|chem-1||17", "QCR|low", f"OBR|{CASE}|S1|A|GLU^K"])
