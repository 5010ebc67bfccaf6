import unittest

from orders import intake


class IntakeTest(unittest.TestCase):
    def test_an_order_keeps_its_lines(self):
        self.assertEqual(intake.accept(7, [("lamp", 2)])["lines"], (("lamp", 2),))

    def test_a_line_of_nothing_is_refused(self):
        with self.assertRaises(ValueError):
            intake.accept(7, [("lamp", 0)])
