from datetime import date
from decimal import Decimal

from kit.codes.catalogue import HazardClass
from kit.exchange.intake import FileRefused, UnknownFeed
from kit.tests.support import KitCase

GOOD = "mark,description,qty,gross,cbm,imo\nA1,Caf\u00e9  tables,4,1.2 t,3.5,\nA2,Paint,10,500,1.25,3\n"


class IntakeTest(KitCase):
    def test_values_come_typed_and_under_the_names_of_the_feed(self):
        batch = self.kit.intake.read("cargo_manifest", GOOD)
        first, second = batch.rows
        self.assertEqual((first["description"], first["pieces"], first["weight"]), ("Cafe tables", 4, Decimal(1200)))
        self.assertIsNone(first["hazard"])
        self.assertIs(second["hazard"], HazardClass.FLAMMABLE_LIQUID)

    def test_rows_are_read_only(self):
        with self.assertRaises(TypeError):
            self.kit.intake.read("cargo_manifest", GOOD).rows[0]["mark"] = "B"

    def test_a_bad_row_is_rejected_with_its_number_and_reason(self):
        rows = "".join(f"A{n},Crates,1,10,0.1,\n" for n in range(10, 20))
        batch = self.kit.intake.read("cargo_manifest", GOOD + rows + "A3,Lamps,many,10,0.1,\n")
        self.assertEqual(len(batch.rows), 12)
        self.assertEqual(batch.rejected[0].number, 13)
        self.assertIn("many", batch.rejected[0].reason)

    def test_a_repeated_key_rejects_the_later_row(self):
        rows = "".join(f"B{n},Crates,1,10,0.1,\n" for n in range(10))
        batch = self.kit.intake.read("cargo_manifest", GOOD + rows + "A1,Again,1,10,0.1,\n")
        self.assertIn("came before", batch.rejected[0].reason)

    def test_a_file_that_is_mostly_unreadable_is_refused(self):
        with self.assertRaises(FileRefused):
            self.kit.intake.read("carrier_events", "shipment,event,date\nS1,VD,soon\nS2,VD,2024-05-01\n")

    def test_optional_columns_may_be_absent(self):
        row = self.kit.intake.read("carrier_events", "shipment;event;date\nS2;VD;01.05.2024\n").rows[0]
        self.assertEqual((row["day"], row["container"]), (date(2024, 5, 1), None))

    def test_unknown_feeds_are_an_error(self):
        with self.assertRaises(UnknownFeed):
            self.kit.intake.read("gossip", "")
