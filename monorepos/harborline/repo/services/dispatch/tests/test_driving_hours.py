import unittest
from datetime import timedelta

from kit.clock import utc
from services.dispatch.hours import plan_driving, plan_relay

SIX = utc(2024, 5, 6, 6)
DAY = timedelta(hours=9)


def hours(number):
    return timedelta(hours=number)


class DrivingHoursTest(unittest.TestCase):
    def test_a_short_trip_has_no_break(self):
        plan = plan_driving(SIX, hours(4.5), DAY)
        self.assertEqual((plan.arrive_at, plan.breaks, plan.idle), (utc(2024, 5, 6, 10, 30), 0, timedelta(0)))

    def test_a_break_falls_after_four_and_a_half_hours(self):
        plan = plan_driving(SIX, hours(6), DAY)
        self.assertEqual((plan.breaks, plan.idle), (1, timedelta(minutes=45)))

    def test_a_rest_falls_after_the_daily_limit(self):
        plan = plan_driving(SIX, hours(10), DAY)
        self.assertEqual((plan.breaks, plan.rests), (1, 1))
        self.assertEqual(plan.arrive_at, SIX + hours(10) + timedelta(minutes=45) + hours(11))

    def test_the_limit_itself_can_be_driven_without_rest(self):
        self.assertEqual(plan_driving(SIX, hours(9), DAY).rests, 0)

    def test_what_was_driven_before_counts(self):
        self.assertEqual(plan_driving(SIX, hours(2), DAY, driven_today=hours(8)).rests, 1)
        self.assertEqual(plan_driving(SIX, hours(2), DAY, since_break=hours(4)).breaks, 1)

    def test_two_drivers_change_over_instead_of_resting(self):
        plan = plan_relay(SIX, hours(10))
        self.assertEqual((plan.breaks, plan.rests, plan.idle), (2, 0, timedelta(minutes=10)))

    def test_a_limit_of_nothing_is_refused(self):
        with self.assertRaises(ValueError):
            plan_driving(SIX, hours(1), timedelta(0))
