import unittest

from lumen.base.errors import InputError, StoreError
from lumen.shared import codes
from lumen.shared.codes.lists import STORE
from tests.support import extended, site_at


class ListsTest(unittest.TestCase):
    def test_members_come_by_rank(self):
        self.assertEqual(list(codes.members(site_at(self), "priority")), ["ROUTINE", "URGENT", "STAT"])

    def test_entries_are_read_only(self):
        entries = codes.members(site_at(self), "priority")
        with self.assertRaises(TypeError):
            entries["ROUTINE"]["code"] = "Q"
        with self.assertRaises(TypeError):
            entries["SOON"] = {}

    def test_tokens_of_all_sorts_are_parsed(self):
        site = site_at(self)
        for token in ("S", "STAT", "immediate", "Emergency"):
            self.assertEqual(codes.parse(site, "priority", token), "STAT")

    def test_a_code_wins_over_a_name(self):
        site = site_at(self, stores={"codes": extended(self, STORE, "priority,LATER,L,S,40,,\n")})
        self.assertEqual(codes.parse(site, "priority", "S"), "STAT")

    def test_an_unknown_token_is_returned_to_the_sender(self):
        with self.assertRaises(InputError) as caught:
            codes.parse(site_at(self), "priority", "yesterday")
        self.assertEqual(caught.exception.field, "priority")

    def test_retired_members_parse_but_are_not_offered(self):
        site = site_at(self)
        self.assertEqual(codes.parse(site, "specimen_type", "X"), "FLUORIDE")
        self.assertNotIn("FLUORIDE", codes.choices(site, "specimen_type"))
        self.assertIn("SERUM", codes.choices(site, "specimen_type"))

    def test_unknown_lists_and_members(self):
        site = site_at(self)
        with self.assertRaises(StoreError):
            codes.members(site, "colours")
        with self.assertRaises(StoreError):
            codes.code_of(site, "priority", "SOON")

    def test_labels_and_ranks(self):
        site = site_at(self)
        self.assertEqual(codes.label_of(site, "reject_reason", "TOO_OLD"), "Past its stability")
        self.assertGreater(codes.ranked(site, "priority", "STAT"), codes.ranked(site, "priority", "URGENT"))

    def test_schemes_with_and_without_fallback(self):
        site = site_at(self)
        self.assertEqual(codes.translate(site, "specimen_type", "SERUM", "authority"), "119364003")
        self.assertEqual(codes.translate(site, "specimen_type", "CITRATE", "authority"), "123038009")
        site = site_at(self, stores={"codes": extended(self, STORE, "sex,DIVERSE,D,Diverse,40,,\n")})
        with self.assertRaises(InputError):
            codes.translate(site, "sex", "DIVERSE", "payer")
        with self.assertRaises(StoreError):
            codes.translate(site, "sex", "MALE", "portal")

    def test_check_finds_codes_given_twice(self):
        site = site_at(self, stores={"codes": extended(self, STORE, "priority,LATER,R,Emergency,10,,\n")})
        self.assertEqual(len(codes.check(site)), 3)
