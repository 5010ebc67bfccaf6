import unittest

from lumen.base.clock import advance
from lumen.base.errors import Refused
from lumen.base.ids import is_sealed
from lumen.shared import telemetry
from lumen.shared.workup import outbox
from lumen.units.accession import orders
from tests.support import site_at

HEAD = "clinic;request;family name;given name;birth;sex;priority;tests;cohort;payer;insurance number\n"


def row(request="R-1", tests="GLU RENAL", clinic="Hillside", priority="", cohort="", family="Lindqvist"):
    return f"{clinic};{request};{family};Vera;17.5.1980;F;{priority};{tests};{cohort};north-mutual;A123456789\n"


class OrdersTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        self.book = orders.open_book()

    def accept(self, *rows, who="r201"):
        return orders.accept(self.site, who, self.book, HEAD + "".join(rows))

    def test_an_order_becomes_a_numbered_case(self):
        (case,), faults = self.accept(row())
        self.assertEqual(faults, [])
        self.assertTrue(is_sealed(case["id"]))
        self.assertEqual(case["tests"], ["GLU", "NA", "K", "CREA", "UREA"])
        self.assertEqual((case["clinic"], case["priority"], case["sex"]), ("hillside", "ROUTINE", "FEMALE"))

    def test_serials_follow_the_laboratory_day(self):
        self.accept(row("R-1"), row("R-2", family="Other"))
        advance(self.site["clock"], hours=20)
        night, _ = self.accept(row("R-3", family="Third"))
        self.assertTrue(night[0]["id"].startswith("N260302-0003"))
        advance(self.site["clock"], hours=3)
        morning, _ = self.accept(row("R-4", family="Fourth"))
        self.assertTrue(morning[0]["id"].startswith("N260303-0001"))

    def test_a_request_sent_twice_is_accepted_once(self):
        self.accept(row())
        again, faults = self.accept(row("  r-1"))
        self.assertEqual((again, faults), ([], []))

    def test_a_repeat_within_the_window_is_held(self):
        self.accept(row("R-1", "GLU"))
        (case,), _ = self.accept(row("R-2", "GLU K"))
        self.assertEqual((case["tests"], case["held"]), (["K"], ["GLU"]))
        self.assertEqual(telemetry.aggregate(self.site, "tests_held_total"), {(): 1})
        advance(self.site["clock"], hours=12)
        (case,), _ = self.accept(row("R-3", "GLU"))
        self.assertEqual(case["held"], [])

    def test_an_order_of_repeats_alone_makes_no_case(self):
        self.accept(row("R-1", "GLU"))
        self.assertEqual(self.accept(row("R-2", "GLU"))[0], [])

    def test_urgent_orders_and_oncology_are_not_held(self):
        self.accept(row("R-1", "GLU"))
        (stat,), _ = self.accept(row("R-2", "GLU", priority="STAT"))
        (onco,), _ = self.accept(row("R-3", "GLU", cohort="Oncology"))
        self.assertEqual((stat["held"], onco["held"]), ([], []))

    def test_unknown_tests_go_back_to_the_clinic(self):
        accepted, faults = self.accept(row("R-1", "GLU XYZ"), row("R-2", "K", family="Other"))
        self.assertEqual(len(accepted), 1)
        self.assertEqual([fault["field"] for fault in faults], ["tests"])

    def test_faults_are_numbered_as_the_clinic_sent_the_rows(self):
        _, faults = self.accept(row("R-1", priority="soon"), row("R-2", family="Other"), row("R-3", "XYZ"))
        self.assertEqual([(fault["row"], fault["field"]) for fault in faults], [(1, "priority"), (3, "tests")])

    def test_only_reception_accepts(self):
        with self.assertRaises(Refused):
            self.accept(row(), who="k501")

    def test_an_accepted_order_is_announced(self):
        self.accept(row("R-1", "GLU"))
        (event,) = outbox.pending(self.site, "couriers", "order-accepted")
        self.assertEqual(event["body"]["tests"], ("GLU",))

    def test_a_case_with_results_is_not_cancelled(self):
        (case,), _ = self.accept(row())
        case["state"] = "RESULTED"
        with self.assertRaises(Refused):
            orders.cancel(self.site, "r201", self.book, case["id"], "moved away")
        case["state"] = "COLLECTED"
        self.assertEqual(orders.cancel(self.site, "r201", self.book, case["id"], "moved away")["state"], "CANCELLED")
