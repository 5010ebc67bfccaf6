import unittest

from lumen.base import text


class TextTest(unittest.TestCase):
    def test_wards_typed_in_other_ways_fold_to_one_form(self):
        self.assertEqual(text.fold("  MED.   3 "), text.fold("Med. 3"))
        self.assertEqual(text.fold("Ren\u00e9e"), "renee")

    def test_person_label_without_given_name(self):
        self.assertEqual(text.person_label(" lindqvist", "Vera"), "LINDQVIST, Vera")
        self.assertEqual(text.person_label("Lindqvist", ""), "LINDQVIST")

    def test_clip_prefers_a_word_end_and_shows_the_cut(self):
        self.assertEqual(text.clip("short", 10), "short")
        self.assertEqual(text.clip("Alanine aminotransferase", 10), "Alanine~")
        self.assertEqual(text.clip("Aminotransferase", 10), "Aminotran~")

    def test_mask_keeps_the_tail(self):
        self.assertEqual(text.mask("A123456789"), "******6789")
        self.assertEqual(text.mask("12"), "**")

    def test_wrap_keeps_long_words_whole_and_indents(self):
        self.assertEqual(text.wrap("to follow: haemoglobin and platelets", 14, "  "),
                         ["to follow:", "  haemoglobin", "  and", "  platelets"])
        self.assertEqual(text.wrap("", 14), [])
