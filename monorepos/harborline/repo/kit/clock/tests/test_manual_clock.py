import unittest
from datetime import datetime, timedelta, timezone

from kit.clock import ManualClock, utc


class ManualClockTest(unittest.TestCase):
    def test_moves_only_when_told(self):
        clock = ManualClock(utc(2024, 2, 28, 23))
        self.assertEqual(clock.now(), clock.now())
        clock.advance(hours=2)
        self.assertEqual(clock.now(), utc(2024, 2, 29, 1))

    def test_a_pause_takes_its_time(self):
        clock = ManualClock(utc(2024, 1, 1))
        clock.pause(1.5)
        self.assertEqual(clock.now() - utc(2024, 1, 1), timedelta(seconds=1.5))

    def test_converts_its_start_to_utc(self):
        clock = ManualClock(datetime(2024, 7, 1, 2, tzinfo=timezone(timedelta(hours=2))))
        self.assertEqual(clock.now().isoformat(), "2024-07-01T00:00:00+00:00")

    def test_refuses_a_naive_start_and_a_step_back(self):
        with self.assertRaises(ValueError):
            ManualClock(datetime(2024, 1, 1))
        with self.assertRaises(ValueError):
            ManualClock(utc(2024, 1, 1)).advance(hours=-1)
