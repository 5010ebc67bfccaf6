import unittest

from foundation import money


class MoneyTest(unittest.TestCase):
    def test_a_total_multiplies_quantities(self):
        self.assertEqual(money.total([(2, 150), (1, 99)]), 399)

    def test_amounts_are_written_with_two_places(self):
        self.assertEqual(money.written(1205), "12.05")
        self.assertEqual(money.written(-5), "-0.05")
