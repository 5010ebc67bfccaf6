from datetime import timedelta

from kit.clock import utc
from kit.tests.support import KitCase
from services.warehouse.docks import AppointmentRefused, DockBook

TEN = utc(2024, 5, 6, 10)


class DockBookTest(KitCase):
    def setUp(self):
        super().setUp()
        self.book = DockBook(self.kit)

    def test_a_punctual_vehicle_gets_a_door(self):
        number = self.book.announce("HLR-0001", "AB-1", TEN).number
        self.clock.advance(hours=2, minutes=5)
        self.assertEqual(self.book.check_in(number), 5)
        self.assertEqual([each.plate for each in self.book.at_doors()], ["AB-1"])
        for unexpected in (number, number + 1):
            with self.assertRaises(AppointmentRefused):
                self.book.check_in(unexpected)
        self.book.leave(number)
        self.assertEqual(self.kit.pools.used("dock_slots"), 0)
        with self.assertRaises(AppointmentRefused):
            self.book.leave(number)

    def test_who_comes_early_has_not_waited(self):
        self.assertEqual(self.book.check_in(self.book.announce("HLR-0001", "AB-1", TEN).number), 0)

    def test_who_is_too_late_has_lost_the_turn_unless_urgent(self):
        late = self.book.announce("HLR-0001", "AB-1", TEN).number
        urgent = self.book.announce("HLR-0001", "AB-2", TEN, urgent=True).number
        self.clock.advance(hours=2, minutes=self.kit.view("warehouse").number("dock_grace_minutes") + 1)
        with self.assertRaises(AppointmentRefused):
            self.book.check_in(late)
        self.assertGreater(self.book.check_in(urgent), 0)

    def test_nights_are_for_hauliers_with_the_flag(self):
        night = utc(2024, 5, 6, 23)
        self.assertTrue(self.book.announce("HLR-0007", "AB-1", night))
        shut_out = next(
            f"HLR-{n}" for n in range(1000, 1100) if not self.kit.flags.is_on("night_docks", "warehouse", f"HLR-{n}")
        )
        with self.assertRaises(AppointmentRefused):
            self.book.announce(shut_out, "AB-2", night)

    def test_a_vehicle_is_in_one_place_at_a_time(self):
        self.book.announce("HLR-0001", "AB-1", TEN)
        with self.assertRaises(AppointmentRefused):
            self.book.announce("HLR-0001", "AB-1", TEN + timedelta(minutes=59))
        self.book.announce("HLR-0001", "AB-1", TEN + timedelta(hours=1))

    def test_the_past_cannot_be_booked(self):
        with self.assertRaises(AppointmentRefused):
            self.book.announce("HLR-0001", "AB-1", utc(2024, 5, 6, 7))

    def test_when_all_doors_are_taken_the_urgent_get_the_reserve(self):
        free = self.kit.pools.available("dock_slots", "warehouse")
        self.kit.pools.acquire("dock_slots", "warehouse", free)
        with self.assertRaises(AppointmentRefused):
            self.book.check_in(self.book.announce("HLR-0001", "AB-1", TEN).number)
        urgent = self.book.announce("HLR-0001", "AB-2", TEN, urgent=True)
        self.assertEqual(self.book.check_in(urgent.number), 0)
