import unittest
from decimal import Decimal

from kit.helpers import measures, parsing
from kit.helpers.tables import TableColumn, paginate, render_table


class ParsingTest(unittest.TestCase):
    def test_numbers_of_either_convention(self):
        for text, value in (("1234.5", "1234.5"), ("1,234.5", "1234.5"), ("1.234,5", "1234.5"), ("1 234,5", "1234.5"),
                            ("1,234", "1234"), ("12,5", "12.5"), ("1,234,567", "1234567"), ("0.125", "0.125")):
            with self.subTest(text=text):
                self.assertEqual(parsing.parse_decimal(text), Decimal(value))

    def test_words_and_infinities_are_no_numbers(self):
        for text in ("", "ten", "Infinity", "1.2.3"):
            with self.subTest(text=text), self.assertRaises(ValueError):
                parsing.parse_decimal(text)

    def test_weights_become_kilograms(self):
        self.assertEqual(parsing.parse_weight_kg("1.5 t"), Decimal("1500.000"))
        self.assertEqual(parsing.parse_weight_kg("100 lbs"), Decimal("45.359"))
        self.assertEqual(parsing.parse_weight_kg("750"), Decimal("750.000"))
        with self.assertRaises(ValueError):
            parsing.parse_weight_kg("3 stone")

    def test_counts_are_whole_and_not_negative(self):
        self.assertEqual(parsing.parse_count("1,200"), 1200)
        for text in ("2.5", "-1"):
            with self.subTest(text=text), self.assertRaises(ValueError):
                parsing.parse_count(text)

    def test_yes_and_no_in_the_languages_of_our_branches(self):
        self.assertEqual([parsing.parse_yes_no(word) for word in ("Ja", "x", "nein", "")], [True, True, False, False])
        with self.assertRaises(ValueError):
            parsing.parse_yes_no("maybe")

    def test_rows_skip_comments_and_choose_the_delimiter(self):
        rows = parsing.read_rows("# sent nightly\nLot;Bin\n\nL1; A-1 \nL2;A-2;surplus\n")
        self.assertEqual(rows, [{"lot": "L1", "bin": "A-1"}, {"lot": "L2", "bin": "A-2"}])
        self.assertEqual(parsing.read_rows("a,b\n1,2"), [{"a": "1", "b": "2"}])
        self.assertEqual(parsing.read_rows("\n"), [])


class MeasuresTest(unittest.TestCase):
    def test_sea_freight_is_charged_on_weight_or_measure(self):
        self.assertEqual(measures.chargeable_kg("LCL", Decimal(800), Decimal("1.2")), Decimal(1200))
        self.assertEqual(measures.chargeable_kg("LCL", Decimal(2400), Decimal("1.2")), Decimal(2400))

    def test_road_freight_pays_for_the_floor_it_blocks(self):
        metres = measures.loading_metres(120, 80, 10)
        self.assertEqual(metres, Decimal("4.00"))
        self.assertEqual(measures.chargeable_kg("LTL", Decimal(900), Decimal(5), metres), Decimal(7400))
        self.assertEqual(measures.loading_metres(120, 80, 10, stackable=True), Decimal("2.00"))

    def test_a_mode_without_rule_is_refused(self):
        with self.assertRaises(ValueError):
            measures.chargeable_kg("AIR", Decimal(1), Decimal(1))

    def test_volume_is_rounded_up(self):
        self.assertEqual(measures.volume_cbm(33, 33, 33), Decimal("0.036"))


class TablesTest(unittest.TestCase):
    def test_columns_line_up_without_trailing_blanks(self):
        columns = [TableColumn("Lot", 6), TableColumn("Kg", 5, right=True)]
        table = render_table(columns, [["L1", "12"], ["LONGLOT", "3"]])
        self.assertEqual(table.split("\n"), ["Lot        Kg", "------  -----", "L1         12", "LONG..      3"])

    def test_a_row_must_fit_the_columns(self):
        with self.assertRaises(ValueError):
            render_table([TableColumn("Lot", 6)], [["a", "b"]])

    def test_pages(self):
        self.assertEqual(paginate(["a", "b", "c"], 2), [["a", "b"], ["c"]])
        with self.assertRaises(ValueError):
            paginate(["a"], 0)
