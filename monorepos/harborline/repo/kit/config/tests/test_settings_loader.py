from decimal import Decimal

from kit.config import MissingSetting, SettingsFault, SettingsLoader, WrongSettingType
from kit.tests.support import StoreCase

STORE = """
    [defaults]
    attempts = 1
    backoff_seconds = 5

    [shared]
    attempts = 2
    free_days = 5
    rate = "12.50"
    branches = ["RTM", "HAM"]

    [service.customs]
    attempts = 4

    [service.yard]
    days_free = 9

    [units]
    attempts = "attempts"
    free_days = "days"

    [aliases]
    days_free = "free_days"

    [required]
    customs = ["attempts"]
    billing = ["ledger_code"]
    yard = ["days_free"]
"""


class SettingsLoaderTest(StoreCase):
    def setUp(self):
        super().setUp()
        self.loader = SettingsLoader(self.store("settings.toml", STORE))

    def test_service_section_wins_over_shared_over_defaults(self):
        customs = self.loader.for_service("customs")
        self.assertEqual((customs["attempts"], customs["free_days"], customs["backoff_seconds"]), (4, 5, 5))
        self.assertEqual([customs.origin(key) for key in ("attempts", "free_days", "backoff_seconds")],
                         ["service", "shared", "defaults"])

    def test_a_service_without_section_sees_shared_values(self):
        self.assertEqual(self.loader.for_service("dispatch").integer("attempts"), 2)

    def test_either_name_of_a_renamed_key_may_be_read_and_set(self):
        yard = self.loader.for_service("yard")
        self.assertEqual((yard["free_days"], yard["days_free"]), (9, 9))
        self.assertEqual(yard.unit("days_free"), "days")
        self.assertNotIn("days_free", list(yard))

    def test_a_required_key_that_nobody_sets_is_reported_at_load(self):
        with self.assertRaises(MissingSetting) as caught:
            self.loader.for_service("billing")
        self.assertEqual((caught.exception.service, caught.exception.key), ("billing", "ledger_code"))
        self.assertIn("ledger_code", str(caught.exception))

    def test_typed_reads_refuse_other_types(self):
        view = self.loader.for_service("customs")
        self.assertEqual(view.decimal("rate"), Decimal("12.50"))
        self.assertEqual(view.number("free_days"), 5.0)
        for read, key in ((view.integer, "rate"), (view.text, "attempts"), (view.number, "rate"),
                          (view.decimal, "branches")):
            with self.subTest(key=key), self.assertRaises(WrongSettingType):
                read(key)

    def test_a_view_cannot_be_changed_by_its_reader(self):
        view = self.loader.for_service("customs")
        view["branches"].append("ANR")
        self.assertEqual(view["branches"], ["RTM", "HAM"])
        with self.assertRaises(TypeError):
            view["attempts"] = 9

    def test_the_file_is_read_again_for_each_view(self):
        before = self.loader.for_service("customs")
        self.store("settings.toml", STORE.replace("attempts = 4", "attempts = 6"))
        self.assertEqual(before["attempts"], 4)
        self.assertEqual(self.loader.for_service("customs")["attempts"], 6)

    def test_one_key_under_both_names_in_a_section_is_a_fault(self):
        self.store("settings.toml", STORE.replace("days_free = 9", "days_free = 9\n    free_days = 8"))
        with self.assertRaises(SettingsFault):
            self.loader.for_service("yard")

    def test_an_alias_of_an_alias_is_a_fault(self):
        self.store("settings.toml", STORE.replace("[required]", 'free_days = "x"\n\n    [required]'))
        with self.assertRaises(SettingsFault):
            self.loader.for_service("yard")

    def test_unknown_sections_and_bad_syntax_are_faults(self):
        for content in ("[sharde]\n", "[shared]\nx = \n"):
            self.store("settings.toml", content)
            with self.subTest(content=content), self.assertRaises(SettingsFault):
                self.loader.for_service("customs")

    def test_lists_keys_without_a_unit(self):
        self.assertEqual(self.loader.undocumented(), ("backoff_seconds", "branches", "rate"))
        self.assertEqual(self.loader.services(), ("billing", "customs", "yard"))
