import unittest
from datetime import date
from decimal import Decimal

from lumen.base.errors import InputError
from lumen.shared import telemetry
from lumen.shared.workup import intake
from tests.support import site_at

FORM = {
    "name": "samples",
    "sep": ";",
    "columns": (("ward", "key", "must"), ("drawn", "day", "must"), ("urgency", "code:priority", "may"),
                ("value", "quantity", "may"), ("paid", "amount", "may"), ("tests", "list", "may")),
}


class IntakeTest(unittest.TestCase):
    def test_cells_are_read_by_kind(self):
        rows, faults = intake.read(site_at(self), "accession", FORM,
                                   "Ward;Drawn;Urgency;Value;Paid\n MED  3;2.3.2026;emergency;<5 mg/L;(2.00)\n")
        self.assertEqual(faults, [])
        self.assertEqual(rows[0], {"row": 1, "ward": "med 3", "drawn": date(2026, 3, 2), "urgency": "STAT",
                                   "value": {"comparator": "<", "value": Decimal(5), "unit": "mg/L"},
                                   "paid": Decimal("-2.00"), "tests": None})

    def test_a_faulty_row_is_left_out_and_named(self):
        site = site_at(self)
        rows, faults = intake.read(site, "accession", FORM, "ward;drawn\nA;2026-03-02\n;2026-03-02\nB;soon\n")
        self.assertEqual(len(rows), 1)
        self.assertEqual([(f["row"], f["field"]) for f in faults], [(2, "ward"), (3, "drawn")])
        self.assertEqual(telemetry.aggregate(site, "intake_rows_total", by=("outcome",)), {("read",): 1, ("fault",): 2})
        self.assertEqual(len(telemetry.lines(site, "intake_fault")), 2)

    def test_a_missing_column_stops_the_reading(self):
        with self.assertRaises(InputError) as caught:
            intake.read(site_at(self), "accession", FORM, "ward\nA\n")
        self.assertEqual(caught.exception.field, "drawn")

    def test_unknown_columns_are_ignored(self):
        rows, _ = intake.read(site_at(self), "accession", FORM, "ward;doctor;drawn\nA;X;2026-03-02\n")
        self.assertNotIn("doctor", rows[0])

    def test_sealed_numbers_are_verified(self):
        site = site_at(self)
        with self.assertRaises(InputError):
            intake.read_cell(site, "sealed", "N260302-0001-0")
