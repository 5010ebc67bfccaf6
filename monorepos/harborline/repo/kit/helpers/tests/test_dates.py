import unittest
from datetime import date

from kit.helpers import dates

FRIDAY = date(2024, 5, 3)
MONDAY = date(2024, 5, 6)


class DatesTest(unittest.TestCase):
    def test_business_days_skip_weekends_and_holidays(self):
        self.assertEqual(dates.add_business_days(FRIDAY, 1), MONDAY)
        self.assertEqual(dates.add_business_days(FRIDAY, 1, {MONDAY}), date(2024, 5, 7))
        self.assertEqual(dates.add_business_days(MONDAY, -1), FRIDAY)
        self.assertEqual(dates.next_business_day(date(2024, 5, 4)), MONDAY)

    def test_counting_excludes_the_first_day_and_includes_the_last(self):
        self.assertEqual(dates.business_days_between(FRIDAY, MONDAY), 1)
        self.assertEqual(dates.business_days_between(MONDAY, FRIDAY), -1)
        self.assertEqual(dates.business_days_between(MONDAY, MONDAY), 0)

    def test_charged_days_count_both_ends_after_the_free_ones(self):
        self.assertEqual(dates.days_charged(FRIDAY, date(2024, 5, 10), 5), 3)
        self.assertEqual(dates.days_charged(FRIDAY, FRIDAY, 5), 0)
        with self.assertRaises(ValueError):
            dates.days_charged(MONDAY, FRIDAY, 0)

    def test_reads_the_spellings_partners_use(self):
        for text in ("2024-05-03", "03.05.2024", "03/05/2024", " 20240503 "):
            with self.subTest(text=text):
                self.assertEqual(dates.parse_day(text), FRIDAY)
        with self.assertRaises(ValueError):
            dates.parse_day("May 3rd")

    def test_writes_each_style(self):
        self.assertEqual(dates.format_day(FRIDAY), "2024-05-03")
        self.assertEqual(dates.format_day(FRIDAY, "document"), "03-MAY-2024")
        self.assertEqual(dates.format_day(FRIDAY, "edi"), "20240503")
        with self.assertRaises(ValueError):
            dates.format_day(FRIDAY, "roman")

    def test_month_bounds_know_leap_years_and_december(self):
        self.assertEqual(dates.month_bounds(date(2024, 2, 10)), (date(2024, 2, 1), date(2024, 2, 29)))
        self.assertEqual(dates.month_bounds(date(2023, 12, 31))[1], date(2023, 12, 31))

    def test_the_first_days_of_january_may_belong_to_the_old_year(self):
        self.assertEqual(dates.iso_week(date(2021, 1, 3)), "2020-W53")
