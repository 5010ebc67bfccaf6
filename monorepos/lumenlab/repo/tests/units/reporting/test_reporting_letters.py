import unittest

from lumen.base.clock import advance
from lumen.shared import pools
from lumen.units.reporting import letters
from tests.support import a_case, a_result, site_at


class LettersTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        self.case = a_case(self.site, tests=("K", "HB"))
        self.potassium = a_result(self.site, self.case, "K", "5.52", "mmol/L", "HIGH")
        self.haemoglobin = a_result(self.site, self.case, "HB", "131", "g/L")

    def text(self, results, archive=()):
        return "\n".join(letters.compose(self.site, self.case, results, archive)["lines"])

    def test_a_complete_letter_follows_the_departments(self):
        text = self.text([self.haemoglobin, self.potassium])
        self.assertTrue(text.startswith("Complete report\n==============="))
        self.assertLess(text.index("Clinical chemistry"), text.index("Haematology"))
        self.assertIn("Potassium  5.52 mmol/L  H", text)
        self.assertIn("Patient  LINDQVIST, Vera", text)

    def test_a_partial_letter_names_what_is_missing(self):
        self.assertEqual(letters.state_of(self.case, [self.potassium]), "PARTIAL")
        self.assertIn("To follow: Haemoglobin.", self.text([self.potassium]))

    def test_the_earlier_value_stands_beside_the_new_one(self):
        old = a_result(self.site, a_case(self.site, "N260201-0001-X"), "K", "4.1", "mmol/L")
        self.assertRegex(self.text([self.potassium], [old]), r"5\.52 mmol/L +H +4\.10 mmol/L")

    def test_an_amended_letter_says_so_on_the_first_line(self):
        amended = {**self.potassium, "version": 2, "flag": "NORMAL"}
        text = self.text([self.potassium, amended, self.haemoglobin])
        self.assertTrue(text.startswith("*** Amended report: K ***"))

    def test_held_tests_are_explained(self):
        self.case["held"] = ["GLU"]
        self.assertIn("Not repeated: GLU", self.text([self.potassium]))

    def test_versions_grow_with_every_change(self):
        amended = {**self.potassium, "version": 2}
        versions = [letters.compose(self.site, self.case, results)["version"] for results in (
            [self.potassium], [self.potassium, self.haemoglobin], [self.potassium, amended, self.haemoglobin])]
        self.assertEqual(versions, [1, 2, 3])

    def test_nothing_released_makes_no_letter(self):
        waiting = a_result(self.site, self.case, "K", "5", released=False)
        self.assertIsNone(letters.state_of(self.case, [waiting]))
        self.assertFalse(letters.is_due(self.site, self.case, [waiting]))

    def test_a_partial_letter_is_held_for_a_while(self):
        self.assertFalse(letters.is_due(self.site, self.case, [self.potassium]))
        advance(self.site["clock"], minutes=90)
        self.assertTrue(letters.is_due(self.site, self.case, [self.potassium]))
        self.case["cohort"] = "surgery"
        self.assertFalse(letters.is_due(self.site, self.case, [self.potassium]))

    def test_urgent_and_complete_letters_are_not_held(self):
        self.assertTrue(letters.is_due(self.site, self.case, [self.potassium, self.haemoglobin]))
        self.case["priority"] = "URGENT"
        self.assertTrue(letters.is_due(self.site, self.case, [self.potassium]))

    def test_a_print_run_gives_its_workers_back(self):
        made = letters.print_run(self.site, [(self.case, [self.potassium, self.haemoglobin]), (self.case, [self.potassium])])
        self.assertEqual(len(made), 1)
        self.assertEqual(pools.holding(self.site["conn"], self.site["clock"], "render-workers", "reporting"), 0)
        self.assertEqual(letters.print_run(self.site, []), [])
