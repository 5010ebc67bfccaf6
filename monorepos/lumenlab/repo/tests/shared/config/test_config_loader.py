import unittest
from datetime import date
from decimal import Decimal

from lumen.base.errors import StoreError
from lumen.shared import config
from lumen.shared.config.loader import STORE
from tests.support import extended, site_at, store

SMALL = """
[defaults]
wait_s = 30
[unit:claims]
old_wait_s = 60
[unit:claims@harbour]
wait_s = 90
[aliases]
old_wait_s = wait_s
[required]
claims = old_wait_s
notices = office
[meta:wait_s]
kind = integer
unit = seconds
least = 1
doc = Wait
[meta:office]
kind = text
unit = name
doc = Office
"""


class LayersTest(unittest.TestCase):
    def test_the_unit_wins_over_the_defaults(self):
        site = site_at(self)
        self.assertEqual(config.view(site, "claims")["partner_timeout_s"], 60)
        self.assertEqual(config.view(site, "benches")["partner_timeout_s"], 30)

    def test_the_site_wins_over_the_unit(self):
        self.assertEqual(config.view(site_at(self, name="harbour"), "couriers")["courier_cutoff"], "15:45")
        self.assertEqual(config.view(site_at(self), "couriers")["courier_cutoff"], "17:30")

    def test_an_alias_is_readable_and_settable(self):
        stores = {"config": store(self, "lab.ini", SMALL)}
        seen = config.view(site_at(self, stores=stores), "claims")
        self.assertEqual((seen["wait_s"], seen["old_wait_s"]), (60, 60))
        seen = config.view(site_at(self, name="harbour", stores=stores), "claims")
        self.assertEqual((seen["wait_s"], seen["old_wait_s"]), (90, 90))

    def test_a_view_is_read_only(self):
        with self.assertRaises(TypeError):
            config.view(site_at(self), "claims")["partner_timeout_s"] = 1

    def test_an_edit_is_seen_at_the_next_look(self):
        path = store(self, "lab.ini", SMALL)
        site = site_at(self, stores={"config": path})
        before = config.view(site, "benches")["wait_s"]
        path.write_text(SMALL.replace("wait_s = 30", "wait_s = 31"), encoding="utf-8")
        self.assertEqual((before, config.view(site, "benches")["wait_s"]), (30, 31))


class TypesTest(unittest.TestCase):
    def test_values_have_the_documented_kind(self):
        seen = config.view(site_at(self), "notices")
        self.assertEqual(seen["chill_low_c"], Decimal("2"))
        self.assertIn(date(2026, 4, 6), seen["closed_days"])

    def test_a_required_key_that_is_missing_is_named(self):
        site = site_at(self, stores={"config": store(self, "lab.ini", SMALL)})
        with self.assertRaisesRegex(StoreError, "notices requires office"):
            config.view(site, "notices")
        self.assertEqual(config.required_keys(site, "claims"), ["old_wait_s"])

    def test_a_value_out_of_bounds_is_refused(self):
        site = site_at(self, stores={"config": store(self, "lab.ini", SMALL.replace("= 30", "= 0"))})
        with self.assertRaisesRegex(StoreError, "bound least"):
            config.view(site, "benches")

    def test_a_value_of_the_wrong_kind_is_refused(self):
        site = site_at(self, stores={"config": store(self, "lab.ini", SMALL.replace("= 30", "= soon"))})
        with self.assertRaisesRegex(StoreError, "no integer"):
            config.view(site, "benches")

    def test_durations_are_given_in_the_unit_asked_for(self):
        site = site_at(self)
        self.assertEqual(config.measure(site, "results", "retain_days", "hours"), 336)
        self.assertEqual(config.measure(site, "claims", "gateway_timeout_s", "minutes"), 1)
        with self.assertRaises(StoreError):
            config.measure(site, "benches", "worklist_size", "minutes")

    def test_keys_are_documented_under_old_names_too(self):
        self.assertEqual(config.describe(site_at(self), "callback_minutes")["unit"], "minutes")
        with self.assertRaises(StoreError):
            config.describe(site_at(self), "nothing")

    def test_check_names_the_faults(self):
        bad = extended(self, STORE, "\n[unit:kitchen]\nspoons = 4\n\n[meta:forks]\nkind = integer\n")
        faults = config.check(site_at(self, stores={"config": bad}))
        self.assertEqual(len(faults), 2)
        self.assertIn("spoons", faults[0])
