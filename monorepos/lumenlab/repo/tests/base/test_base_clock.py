import unittest
from datetime import date, datetime, timedelta, timezone

from lumen.base import clock
from lumen.base.errors import InputError


class ClockTest(unittest.TestCase):
    def test_a_moment_without_offset_is_utc(self):
        self.assertEqual(clock.instant("2026-03-02T08:00"), datetime(2026, 3, 2, 8, tzinfo=timezone.utc))

    def test_an_offset_is_converted_to_utc(self):
        self.assertEqual(clock.stamp(clock.instant("2026-03-02T08:00+02:00")), "2026-03-02T06:00:00Z")

    def test_nonsense_is_an_input_error(self):
        with self.assertRaises(InputError):
            clock.instant("yesterday")

    def test_a_manual_clock_moves_only_when_told(self):
        hand = clock.manual_clock("2026-03-02T08:00")
        self.assertEqual(clock.now(hand), clock.now(hand))
        clock.advance(hand, minutes=5)
        self.assertEqual(clock.stamp(clock.now(hand)), "2026-03-02T08:05:00Z")

    def test_a_manual_clock_does_not_run_backwards(self):
        with self.assertRaises(ValueError):
            clock.advance(clock.manual_clock("2026-03-02T08:00"), minutes=-1)

    def test_waiting_moves_a_manual_clock_and_leaves_a_ticking_one(self):
        hand = clock.manual_clock("2026-03-02T08:00")
        clock.spend(hand, 90)
        self.assertEqual(clock.now(hand).minute, 1)
        fixed = datetime(2026, 3, 2, 8, tzinfo=timezone(timedelta(hours=1)))
        ticking = clock.ticking_clock(lambda: fixed)
        clock.spend(ticking, 90)
        self.assertEqual(clock.stamp(clock.now(ticking)), "2026-03-02T07:00:00Z")
        with self.assertRaises(ValueError):
            clock.advance(ticking, minutes=1)

    def test_a_window_may_span_midnight(self):
        night = "22:00-06:00"
        self.assertTrue(clock.within_hours(clock.instant("2026-03-02T23:30"), night))
        self.assertTrue(clock.within_hours(clock.instant("2026-03-02T05:59"), night))
        self.assertFalse(clock.within_hours(clock.instant("2026-03-02T06:00"), night))

    def test_wall_times_are_checked(self):
        self.assertEqual(clock.minute_of_day("17:30"), 1050)
        for wrong in ("17", "17:75", "25:00", "a:b"):
            with self.assertRaises(InputError):
                clock.minute_of_day(wrong)

    def test_wall_time_on_a_day(self):
        self.assertEqual(clock.stamp(clock.at_wall_time(date(2026, 3, 2), "17:30")), "2026-03-02T17:30:00Z")
