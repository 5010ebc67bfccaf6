import unittest
from datetime import date

from lumen.base import dates
from lumen.base.clock import instant
from lumen.base.errors import InputError


class DatesTest(unittest.TestCase):
    def test_one_day_in_five_notations(self):
        for raw in ("2026-03-02", "20260302", "02-MAR-2026", "2.3.2026", "02/03/2026"):
            self.assertEqual(dates.parse_day(raw), date(2026, 3, 2), raw)

    def test_ambiguous_triples_follow_the_order(self):
        self.assertEqual(dates.parse_day("02/03/2026", order="mdy"), date(2026, 2, 3))

    def test_days_that_do_not_exist(self):
        for raw in ("2026-02-30", "31-ABC-2026", "soon"):
            with self.assertRaises(InputError):
                dates.parse_day(raw)

    def test_shown_days_are_read_back(self):
        self.assertEqual(dates.parse_day(dates.show_day(date(2026, 12, 9))), date(2026, 12, 9))

    def test_the_night_belongs_to_the_day_before(self):
        self.assertEqual(dates.lab_day(instant("2026-03-02T05:59")), date(2026, 3, 1))
        self.assertEqual(dates.lab_day(instant("2026-03-02T06:00")), date(2026, 3, 2))

    def test_working_days_skip_week_ends_and_holidays(self):
        easter = (date(2026, 4, 3), date(2026, 4, 6))
        self.assertEqual(dates.add_working_days(date(2026, 4, 2), 1, easter), date(2026, 4, 7))
        self.assertEqual(dates.add_working_days(date(2026, 4, 4), 0, easter), date(2026, 4, 7))

    def test_age_counts_completed_months(self):
        self.assertEqual(dates.age(date(2024, 1, 31), date(2026, 3, 30)), {"years": 2, "months": 1, "days": 789})
        with self.assertRaises(InputError):
            dates.age(date(2026, 3, 2), date(2026, 3, 1))

    def test_spans_for_people(self):
        self.assertEqual(dates.span_text(125), "2 h 05 min")
        self.assertEqual(dates.span_text(45), "45 min")
