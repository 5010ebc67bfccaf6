from datetime import date
from decimal import Decimal

from kit.codes.catalogue import ShipmentStatus
from kit.exchange.documents import UnknownDocument
from kit.tests.support import KitCase


class DocumentRendererTest(KitCase):
    def invoice(self, **changes):
        values = {"number": "INV-1", "shipper": "Nordwind", "issued": date(2024, 5, 6), "due": date(2024, 6, 5)}
        lines = [{"label": "Freight", "amount": Decimal("1250")}, {"label": "Fuel", "amount": Decimal("99.5")}]
        return self.kit.documents.render("invoice", {**values, **changes}, lines)

    def test_fields_line_up_under_the_heading(self):
        lines = self.invoice().split("\n")
        self.assertEqual(lines[:2], ["INVOICE", "======="])
        self.assertIn("Date:    06-MAY-2024", lines)

    def test_amounts_are_right_aligned_with_their_currency(self):
        text = self.invoice(currency="USD")
        self.assertIn("USD 1,250.00\n", text)
        rows = [line for line in text.split("\n") if "USD" in line]
        self.assertEqual(len({len(row) for row in rows}), 1)

    def test_long_values_are_clipped_to_the_page(self):
        width = self.kit.view("billing").integer("document_width_chars")
        text = self.invoice(shipper="N" * 300)
        self.assertTrue(all(len(line) <= width for line in text.split("\n")))

    def test_members_print_as_labels(self):
        text = self.kit.documents.render(
            "arrival_notice",
            {"shipment": "BKG-1", "status": ShipmentStatus.IMPORT_CLEARED, "expected": date(2024, 5, 9)},
        )
        self.assertIn("Cleared for import", text)

    def test_missing_fields_and_unknown_documents_are_errors(self):
        with self.assertRaises(KeyError):
            self.kit.documents.render("storage_note", {"lot": "L1"})
        with self.assertRaises(UnknownDocument):
            self.kit.documents.render("postcard", {})
