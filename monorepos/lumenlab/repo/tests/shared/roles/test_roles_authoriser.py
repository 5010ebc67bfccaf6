import unittest

from lumen.base.clock import advance
from lumen.base.errors import Refused
from lumen.shared import roles, telemetry
from lumen.shared.roles.authoriser import STORE
from tests.support import extended, site_at, store

SODIUM = {"id": "N1/NA", "department": "CHEMISTRY"}


class AuthoriserTest(unittest.TestCase):
    def test_roles_give_their_actions(self):
        site = site_at(self)
        self.assertEqual(roles.allowed(site, "r201", "order.accept"), (True, "granted"))
        self.assertEqual(roles.allowed(site, "r201", "result.verify"), (False, "no_grant"))
        self.assertEqual(roles.allowed(site, "nobody", "order.accept"), (False, "no_grant"))

    def test_roles_inherit(self):
        self.assertIn("result.enter", roles.permissions_of(site_at(self), "p401"))
        self.assertEqual(roles.roles_of(site_at(self), "p401"), ["pathologist"])

    def test_patterns_cover_actions(self):
        site = site_at(self)
        self.assertTrue(roles.allowed(site, "a701", "report.read")[0])
        self.assertFalse(roles.allowed(site, "a701", "report.send")[0])

    def test_a_grant_may_depend_on_the_record(self):
        site = site_at(self)
        self.assertTrue(roles.allowed(site, "t101", "result.enter", SODIUM)[0])
        self.assertFalse(roles.allowed(site, "t104", "result.enter", SODIUM)[0])
        self.assertFalse(roles.allowed(site, "t101", "result.enter")[0])

    def test_a_grant_may_depend_on_hours_and_site(self):
        self.assertTrue(roles.allowed(site_at(self, "2026-03-02T23:00", "harbour"), "t105", "order.accept")[0])
        self.assertFalse(roles.allowed(site_at(self, "2026-03-02T12:00", "harbour"), "t105", "order.accept")[0])
        self.assertFalse(roles.allowed(site_at(self, "2026-03-02T23:00", "north"), "t105", "order.accept")[0])

    def test_a_grant_lasts_through_its_last_day(self):
        self.assertTrue(roles.allowed(site_at(self, "2026-06-30T23:59"), "a701", "report.read")[0])
        self.assertFalse(roles.allowed(site_at(self, "2026-07-01T00:00"), "a701", "report.read")[0])

    def test_who_entered_a_result_does_not_verify_it(self):
        site = site_at(self)
        roles.require(site, "p401", "result.enter", SODIUM)
        advance(site["clock"], hours=20)
        with self.assertRaises(Refused) as caught:
            roles.require(site, "p401", "result.verify", SODIUM)
        self.assertEqual(caught.exception.rule, "apart:enter-verify")
        roles.require(site, "p402", "result.verify", SODIUM)
        roles.require(site, "p401", "result.verify", {"id": "N2/NA", "department": "CHEMISTRY"})

    def test_asking_leaves_no_deed(self):
        site = site_at(self)
        roles.allowed(site, "p401", "result.enter", SODIUM)
        self.assertEqual(roles.deeds(site, "N1/NA"), [])
        roles.require(site, "p401", "result.enter", SODIUM)
        self.assertEqual([deed["principal"] for deed in roles.deeds(site, "N1/NA")], ["p401"])

    def test_refusals_are_counted_by_rule(self):
        site = site_at(self)
        with self.assertRaises(Refused):
            roles.require(site, "c301", "result.enter", SODIUM)
        self.assertEqual(telemetry.aggregate(site, "access_refusals_total", by=("rule",)), {("no_grant",): 1})


class StoreCheckTest(unittest.TestCase):
    def test_a_holder_of_exclusive_roles_is_named(self):
        path = extended(self, STORE, "\n[grant:oops]\nprincipals = a701\nroles = claims-lead\n")
        self.assertEqual(roles.check(site_at(self, stores={"roles": path})),
                         ["roles.ini: a701 breaks [exclusive:desk-and-audit]"])

    def test_unknown_roles_and_circles_are_named(self):
        path = store(self, "roles.ini", "[role:a]\ninherits = b\n[role:b]\ninherits = a\n[grant:x]\nprincipals = q\nroles = c\n")
        self.assertEqual(len(roles.check(site_at(self, stores={"roles": path}))), 3)
