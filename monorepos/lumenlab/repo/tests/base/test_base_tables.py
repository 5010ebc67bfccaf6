import unittest

from lumen.base import inifile, tables
from lumen.base.errors import StoreError
from tests.support import store


class TablesTest(unittest.TestCase):
    def test_comments_and_blanks_around_cells_are_dropped(self):
        path = store(self, "a.csv", "a,b\n# remark\n 1 , 2\n\n")
        self.assertEqual(tables.read_csv(path), [{"a": "1", "b": "2"}])

    def test_rows_of_another_width_are_faults(self):
        for row in ("1", "1,2,3"):
            with self.assertRaises(StoreError):
                tables.read_csv(store(self, "a.csv", f"a,b\n{row}\n"))

    def test_index_refuses_repeats(self):
        with self.assertRaises(StoreError):
            tables.index_by([{"k": 1}, {"k": 1}], "k")

    def test_groups_keep_the_order_of_sight(self):
        rows = [{"k": "b"}, {"k": "a"}, {"k": "b"}]
        self.assertEqual([(k, len(v)) for k, v in tables.group_by(rows, "k").items()], [("b", 2), ("a", 1)])

    def test_layout_aligns(self):
        lines = tables.layout([{"t": "Sodium", "v": "140"}], [("t", "Test", "l"), ("v", "Value", "r")])
        self.assertEqual(lines, ["Test    Value", "Sodium    140"])

    def test_ini_sections_must_be_unique(self):
        with self.assertRaises(StoreError):
            inifile.read_ini(store(self, "a.ini", "[a]\nx = 1\n[a]\ny = 2\n"))

    def test_ini_values_keep_percent_signs_and_case_of_keys(self):
        found = inifile.read_ini(store(self, "a.ini", "[role:A b]\nKey = 5 %\n"))
        self.assertEqual(list(inifile.sections_of(found, "role")), [("A b", {"Key": "5 %"})])
