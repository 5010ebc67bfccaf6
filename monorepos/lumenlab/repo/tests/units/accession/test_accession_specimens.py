import unittest
from datetime import date

from lumen.base.clock import now
from lumen.base.errors import InputError
from lumen.shared import pools
from lumen.units.accession import compendium, specimens
from tests.support import a_case, minutes_ago, site_at


class TubesTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)

    def test_one_tube_per_material(self):
        tubes = specimens.tubes_for(self.site, a_case(self.site, tests=("GLU", "HB", "K", "INR")))
        self.assertEqual([(t["tube"], t["tests"]) for t in tubes], [("S1", ["GLU", "K"]), ("E2", ["HB"]), ("C3", ["INR"])])

    def test_the_least_stable_test_decides_for_the_tube(self):
        (tube,) = specimens.tubes_for(self.site, a_case(self.site, tests=("CREA", "K", "ALT")))
        self.assertEqual((tube["stability_hours"], tube["chilled"]), (6, True))

    def test_labels_name_patient_and_material(self):
        case = a_case(self.site)
        (label,) = specimens.labels(self.site, case, specimens.tubes_for(self.site, case))
        self.assertEqual(label[:4], [case["id"], "LINDQVIST, Vera", "17/05/1980", "S1 Serum"])

    def test_the_directory_knows_its_tests(self):
        self.assertEqual(compendium.expand(["elec", "K"]), ["NA", "K"])
        with self.assertRaises(InputError):
            compendium.entry("XYZ")


class ReceivingTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)
        self.case = a_case(self.site, state="RECEIVED")

    def arrived(self, **changes):
        return {"material": "SERUM", "microlitres": 3000, "drawn": minutes_ago(self.site, 60), **changes}

    def reasons(self, tests=("GLU", "K"), case=None, **changes):
        case = case or {**self.case, "tests": list(tests)}
        tube = specimens.tubes_for(self.site, case)[0]
        return specimens.reasons_against(self.site, case, tube, self.arrived(**changes))

    def test_a_good_tube_has_no_reason_against_it(self):
        self.assertEqual(self.reasons(), [])

    def test_reasons_come_by_gravity(self):
        found = self.reasons(readable=False, microlitres=10, drawn=minutes_ago(self.site, 361))
        self.assertEqual(found, ["UNLABELLED", "SHORT_VOLUME", "TOO_OLD"])

    def test_serum_yields_half_of_its_volume(self):
        self.assertEqual(self.reasons(microlitres=280), [])
        self.assertEqual(self.reasons(microlitres=279), ["SHORT_VOLUME"])

    def test_citrate_tubes_have_to_be_full(self):
        self.assertEqual(self.reasons(("INR",), material="CITRATE", microlitres=2429), ["SHORT_VOLUME"])
        self.assertEqual(self.reasons(("INR",), material="CITRATE", microlitres=2430), [])

    def test_small_children_may_give_half(self):
        child = {**self.case, "birth": date(2025, 1, 1)}
        self.assertEqual(self.reasons(case=child, microlitres=140), [])

    def test_haemolysis_rejects_potassium_alone(self):
        self.assertEqual(self.reasons(("K",), haemolysed=True), ["HAEMOLYSED"])
        self.assertEqual(self.reasons(("K", "GLU"), haemolysed=True), [])

    def test_warmth_matters_to_chilled_tubes_only(self):
        self.assertEqual(self.reasons(("CRP",), warmed=True), ["WARMED"])
        self.assertEqual(self.reasons(("GLU",), warmed=True), [])

    def test_a_received_specimen_moves_its_case(self):
        tube = specimens.tubes_for(self.site, self.case)[0]
        specimen = specimens.receive(self.site, "r201", self.case, tube, self.arrived())
        self.assertIsNone(specimen["rejected"])
        self.assertEqual(self.case["state"], "COLLECTED")
        self.assertEqual((specimen["usable_until"] - now(self.site["clock"])).total_seconds(), 5 * 3600)

    def test_a_rejected_specimen_does_not(self):
        tube = specimens.tubes_for(self.site, self.case)[0]
        specimen = specimens.receive(self.site, "r201", self.case, tube, self.arrived(material="URINE"))
        self.assertEqual((specimen["rejected"], self.case["state"]), ("WRONG_TUBE", "RECEIVED"))

    def test_usable_specimens_are_shelved_for_the_days_agreed(self):
        lease = specimens.shelve(self.site, [{"rejected": None}, {"rejected": "TOO_OLD"}])
        self.assertEqual((lease["until"] - now(self.site["clock"])).days, 7)
        self.assertEqual(pools.holding(self.site["conn"], self.site["clock"], "cold-store", "accession"), 1)
        self.assertIsNone(specimens.shelve(self.site, []))
