import unittest
from datetime import date

from lumen.base import ids
from lumen.base.errors import InputError


class IdsTest(unittest.TestCase):
    def test_sealed_numbers_are_recognised(self):
        number = ids.accession_number("N", date(2026, 3, 2), 42)
        self.assertTrue(number.startswith("N260302-0042-"))
        self.assertTrue(ids.is_sealed(number))

    def test_every_single_misread_character_is_found(self):
        number = ids.accession_number("N", date(2026, 3, 2), 42)
        for position, right in enumerate(number):
            for wrong in ids.ALPHABET:
                if right == "-" or wrong == right:
                    continue
                misread = number[:position] + wrong + number[position + 1:]
                self.assertFalse(ids.is_sealed(misread), misread)

    def test_letters_that_are_left_out_are_refused(self):
        with self.assertRaises(InputError):
            ids.check_char("O123")
        self.assertFalse(ids.is_sealed("O123-4"))
        self.assertFalse(ids.is_sealed("123"))

    def test_serials_have_four_digits(self):
        with self.assertRaises(InputError):
            ids.accession_number("N", date(2026, 3, 2), 10000)

    def test_equal_facts_give_equal_keys(self):
        self.assertEqual(ids.event_key("order", "Hill Side", "R 1"), ids.event_key("order", " hill  side", "r 1"))
        self.assertNotEqual(ids.event_key("order", "a"), ids.event_key("order", "b"))

    def test_long_keys_end_in_a_digest(self):
        key = ids.event_key("order", "x" * 80)
        self.assertEqual(len(key), 64)
        self.assertNotEqual(key, ids.event_key("order", "x" * 81))

    def test_slug(self):
        self.assertEqual(ids.slug("North Mutual, Inc."), "north-mutual-inc")
