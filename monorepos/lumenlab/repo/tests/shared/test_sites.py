import re
import unittest
from pathlib import Path

from lumen.base.errors import StoreError
from lumen.shared import sites
from tests.support import site_at, store

UNITS = Path(sites.__file__).resolve().parents[1] / "units"


class SitesTest(unittest.TestCase):
    def test_the_stores_of_the_house_are_sound(self):
        for name in sites.LETTERS:
            self.assertEqual(sites.inspect(site_at(self, name=name)), [])

    def test_a_site_has_to_be_known(self):
        with self.assertRaises(StoreError):
            site_at(self, name="moon")

    def test_faults_of_several_stores_are_gathered(self):
        pins = store(self, "pins.env", "SEGTEXT=9.9\nTUBELABEL=3.0\n")
        flags = store(self, "flags.csv", "flag,default,percent,on_for,off_for,requires,review_by,owner,note\nx,maybe,,,,,,a,b\n")
        faults = sites.inspect(site_at(self, stores={"pins": pins, "flags": flags}))
        self.assertEqual(len(faults), 2)


class HouseRulesTest(unittest.TestCase):
    def test_units_do_not_import_vendored_packages(self):
        for path in sorted(UNITS.rglob("*.py")):
            self.assertNotIn("lumen.vendored", path.read_text(encoding="utf-8"), path.name)

    def test_units_do_not_open_the_stores_of_the_pieces(self):
        pattern = re.compile(r"lab\.ini|flags\.csv|codes\.csv|pins\.env|seed\.sql|roles\.ini|catalogue\.json|alerts\.ini")
        for path in sorted(UNITS.rglob("*.py")):
            self.assertIsNone(pattern.search(path.read_text(encoding="utf-8")), path.name)
