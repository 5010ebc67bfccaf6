import unittest
from datetime import date

from accounts import invoice


class InvoiceTest(unittest.TestCase):
    def test_an_invoice_falls_due_after_a_month(self):
        got = invoice.invoice(7, [(2, 150)], date(2024, 3, 1))
        self.assertEqual((got["amount"], got["due"]), ("3.00", date(2024, 3, 31)))
