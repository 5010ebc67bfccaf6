import unittest

from kit.helpers import keys, text


class KeysTest(unittest.TestCase):
    def test_container_numbers_are_cleaned_and_checked(self):
        self.assertEqual(keys.container_number("csqu 305438-3"), "CSQU3054383")
        with self.assertRaises(ValueError):
            keys.container_number("CSQU3054384")
        with self.assertRaises(ValueError):
            keys.container_number("CSQX3054383")

    def test_a_check_digit_of_ten_is_written_as_zero(self):
        self.assertEqual(keys.container_check_digit("HLBU123404"), 0)
        self.assertEqual(keys.container_number("HLBU1234040"), "HLBU1234040")

    def test_record_keys_come_back_as_they_went(self):
        key = keys.record_key("BKG", 2024, 123)
        self.assertEqual(keys.parse_record_key(f" {key.lower()} "), ("BKG", 2024, 123))

    def test_swapped_digits_of_a_record_key_are_caught(self):
        key = keys.record_key("BKG", 2024, 123)
        with self.assertRaises(ValueError):
            keys.parse_record_key(key.replace("000123", "000132"))

    def test_record_keys_refuse_kinds_and_serials_that_do_not_fit(self):
        for kind, serial in (("BK", 1), ("bkg", 1), ("BKG", 0), ("BKG", 1_000_000)):
            with self.subTest(kind=kind, serial=serial), self.assertRaises(ValueError):
                keys.record_key(kind, 2024, serial)

    def test_event_keys_ignore_the_order_of_fields(self):
        self.assertEqual(keys.event_key("t", "r", {"a": 1, "b": 2}), keys.event_key("t", "r", {"b": 2, "a": 1}))
        self.assertNotEqual(keys.event_key("t", "r", {"a": 1}), keys.event_key("t", "r", {"a": 2}))

    def test_message_references_fit_the_interchange_header(self):
        self.assertEqual(len(keys.message_reference("customs", "DEC-2024-000001-11")), 14)


class TextTest(unittest.TestCase):
    def test_spellings_of_one_company_share_a_key(self):
        self.assertEqual(text.party_key("M\u00fcller & Sohn GmbH"), text.party_key("MULLER  Sohn"))
        self.assertEqual(text.party_key("Nordwind B.V."), "NORDWIND")
        self.assertEqual(text.party_key("AG"), "AG")

    def test_letters_without_a_base_letter_fold_too(self):
        self.assertEqual(text.ascii_fold("Stra\u00dfe \u0141\u00f3d\u017a \u00d8stby"), "Strasse Lodz Ostby")

    def test_clipping_marks_what_is_missing(self):
        self.assertEqual(text.clip("rotterdam", 9), "rotterdam")
        self.assertEqual(text.clip("rotterdam", 6), "rott..")
        with self.assertRaises(ValueError):
            text.clip("x", 1)

    def test_slug_and_mask(self):
        self.assertEqual(text.slug(" Pier 7 / North "), "pier-7-north")
        self.assertEqual(text.mask("NL123456"), "*****456")
        self.assertEqual(text.mask("NL"), "**")
