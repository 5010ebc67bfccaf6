import unittest

from stock import shelf


class ShelfTest(unittest.TestCase):
    def test_a_reservation_takes_from_the_shelf(self):
        self.assertEqual(shelf.reserve({"lamp": 3}, "lamp", 2), {"lamp": 1})

    def test_more_than_there_is_cannot_be_reserved(self):
        with self.assertRaises(KeyError):
            shelf.reserve({"lamp": 3}, "lamp", 4)
