import unittest

from lumen.base.errors import InputError, StoreError
from lumen.shared import vendoring
from tests.support import site_at, store


class PinsTest(unittest.TestCase):
    def with_pins(self, text):
        return site_at(self, stores={"pins": store(self, "pins.env", text)})

    def test_both_versions_are_there(self):
        self.assertEqual(vendoring.available("segtext"), ["1.4", "2.1"])
        self.assertEqual(vendoring.available("nothing"), [])

    def test_the_pin_of_a_unit_wins(self):
        site = site_at(self)
        self.assertEqual(vendoring.pinned(site, "accession", "tubelabel"), "3.0")
        self.assertEqual(vendoring.pinned(site, "benches", "tubelabel"), "3.2")
        self.assertEqual(vendoring.load(site, "benches", "tubelabel").__version__, "3.2")

    def test_open_pins_take_the_highest_that_fits(self):
        site = self.with_pins("SEGTEXT=*\nTUBELABEL=3.*\nSEGTEXT__CLAIMS=1.*\n")
        self.assertEqual(vendoring.pinned(site, "notices", "segtext"), "2.1")
        self.assertEqual(vendoring.pinned(site, "notices", "tubelabel"), "3.2")
        self.assertEqual(vendoring.pinned(site, "claims", "segtext"), "1.4")

    def test_pins_are_read_afresh(self):
        path = store(self, "pins.env", "SEGTEXT=1.4\n")
        site = site_at(self, stores={"pins": path})
        first = vendoring.load(site, "claims", "segtext")
        path.write_text("SEGTEXT=2.1\n", encoding="utf-8")
        self.assertEqual((first.__version__, vendoring.load(site, "claims", "segtext").__version__), ("1.4", "2.1"))

    def test_absent_versions_and_packages_are_faults(self):
        site = self.with_pins("SEGTEXT=1.9\n")
        with self.assertRaisesRegex(StoreError, "not among 1.4, 2.1"):
            vendoring.load(site, "claims", "segtext")
        with self.assertRaisesRegex(StoreError, "not pinned"):
            vendoring.load(site, "claims", "tubelabel")
        self.assertEqual(len(vendoring.check(site)), 1)

    def test_lines_that_are_no_pins(self):
        for text in ("segtext 1.4\n", "SEGTEXT=1.4\nSEGTEXT=2.1\n"):
            with self.assertRaises(StoreError):
                vendoring.pinned(self.with_pins(text), "claims", "segtext")


class LinkTest(unittest.TestCase):
    RAW = "OBX|GLU| 5.1 ||a^b|x\\F\\y\r"

    def read(self, version):
        site = site_at(self, stores={"pins": store(self, "pins.env", f"SEGTEXT={version}\n")})
        return vendoring.receive(site, "benches", self.RAW)[0]["fields"]

    def test_the_first_line_drops_blanks_and_knows_no_escapes(self):
        self.assertEqual(self.read("1.4"), {1: "GLU", 2: "5.1", 4: ("a", "b"), 5: "x\\F\\y"})

    def test_the_second_line_keeps_blanks_and_reads_escapes(self):
        self.assertEqual(self.read("2.1"), {1: "GLU", 2: " 5.1 ", 4: ("a", "b"), 5: "x|y"})

    def test_messages_are_written_by_either_line(self):
        for version, text in (("1.4", "PID|a^b||\r"), ("2.1", "PID|a^b\r")):
            site = site_at(self, stores={"pins": store(self, "pins.env", f"SEGTEXT={version}\n")})
            self.assertEqual(vendoring.send(site, "notices", [("PID", [("a", "b"), None, None])]), text)

    def test_an_acknowledgement_carries_the_control_id(self):
        site = site_at(self)
        heads = vendoring.receive(site, "benches", "MSH|chem-1|fw|now|77\r")
        self.assertEqual(vendoring.acknowledge(site, "benches", heads, True), "MSA|AA|77|\r")
        with self.assertRaises(InputError):
            vendoring.acknowledge(site, "benches", [], True)

    def test_garbage_is_an_input_error(self):
        for raw in ("", "|no name|\r"):
            with self.assertRaises(InputError):
                vendoring.receive(site_at(self), "benches", raw)
