import json
from decimal import Decimal

from kit.access import AccessDenied, Authoriser, Circumstances, RoleFault
from kit.tests.support import KitCase

ROLES = {
    "clerk": {"permissions": ["invoice.write"]},
    "lead": {"includes": ["clerk"], "permissions": ["invoice.send"]},
    "approver": {"permissions": ["credit.approve"]},
    "crediter": {"permissions": ["credit.write"]},
    "reader": {"permissions": ["*.read"]},
}
SEPARATION = {
    "credit": {"permissions": ["credit.write", "credit.approve"], "over": "principal"},
    "sending": {"permissions": ["invoice.write", "invoice.send"], "over": "record"},
}


class AuthoriserTest(KitCase):
    def authoriser(self, grants, roles=ROLES):
        document = {"roles": roles, "grants": grants, "separation": SEPARATION}
        return Authoriser(self.clock, self.kit.telemetry, self.store("roles.json", json.dumps(document)))

    def test_included_roles_give_their_permissions(self):
        access = self.authoriser({"ann": [{"role": "lead"}]})
        self.assertEqual(access.permissions("ann"), ("invoice.send", "invoice.write"))
        self.assertTrue(access.decide("ann", "invoice.write").allowed)

    def test_who_has_no_grant_is_denied_and_counted(self):
        access = self.authoriser({})
        with self.assertRaises(AccessDenied) as caught:
            access.require("bob", "invoice.write")
        self.assertEqual(caught.exception.reason, "no grant")
        self.assertEqual(self.kit.telemetry.total("access_denied_total", reason="no grant"), 1)

    def test_stars_match_permissions(self):
        access = self.authoriser({"audit": [{"role": "reader"}]})
        self.assertTrue(access.decide("audit", "stock.read").allowed)
        self.assertFalse(access.decide("audit", "stock.write").allowed)
        self.assertEqual(access.holders("stock.read"), ("audit",))

    def test_holding_both_duties_disables_both(self):
        access = self.authoriser({"cy": [{"role": "crediter"}, {"role": "approver"}]})
        for permission in ("credit.write", "credit.approve"):
            with self.subTest(permission=permission):
                self.assertIn("separation", access.decide("cy", permission).reason)

    def test_one_record_is_not_handled_twice_by_one_principal(self):
        access = self.authoriser({"ann": [{"role": "lead"}]})
        access.require("ann", "invoice.write", Circumstances(record="INV-1"))
        self.assertFalse(access.decide("ann", "invoice.send", Circumstances(record="INV-1")).allowed)
        access.require("ann", "invoice.send", Circumstances(record="INV-2"))

    def test_a_condition_on_the_amount(self):
        access = self.authoriser({"dee": [{"role": "crediter", "when": {"max_amount": "100.00"}}]})
        for amount, allowed in ((Decimal(100), True), (Decimal("100.01"), False), (None, False)):
            with self.subTest(amount=amount):
                self.assertEqual(access.decide("dee", "credit.write", Circumstances(amount=amount)).allowed, allowed)

    def test_conditions_on_branch_and_end_date(self):
        access = self.authoriser(
            {"eve": [{"permission": "stock.count", "when": {"branches": ["HAM"], "until": "2024-05-06"}}]}
        )
        ham = Circumstances(branch="HAM")
        self.assertTrue(access.decide("eve", "stock.count", ham).allowed)
        self.assertFalse(access.decide("eve", "stock.count", Circumstances(branch="RTM")).allowed)
        self.clock.advance(days=1)
        self.assertEqual(access.decide("eve", "stock.count", ham).reason, "condition: only until 2024-05-06")

    def test_a_condition_on_the_hours_may_span_midnight(self):
        access = self.authoriser({"fay": [{"role": "clerk", "when": {"hours": ["20:00", "06:00"]}}]})
        self.assertFalse(access.decide("fay", "invoice.write").allowed)
        self.clock.advance(hours=12)
        self.assertTrue(access.decide("fay", "invoice.write").allowed)

    def test_a_second_grant_may_do_what_a_first_may_not(self):
        grants = [{"role": "clerk", "when": {"branches": ["HAM"]}}, {"permission": "invoice.write"}]
        decision = self.authoriser({"gus": grants}).decide("gus", "invoice.write")
        self.assertEqual((decision.allowed, decision.reason), (True, "grant of invoice.write"))

    def test_faulty_stores_are_refused(self):
        loop = {"a": {"includes": ["b"]}, "b": {"includes": ["a"]}}
        for roles, grant in ((ROLES, {"role": "boss"}), (loop, {"role": "a"}),
                             (ROLES, {"role": "clerk", "when": {"weather": "fair"}})):
            with self.subTest(grant=grant), self.assertRaises(RoleFault):
                self.authoriser({"hal": [grant]}, roles).permissions("hal")

    def test_no_grant_of_the_repository_names_an_unknown_role(self):
        for permission in ("booking.create", "customs.release", "billing.approve"):
            with self.subTest(permission=permission):
                self.assertTrue(self.kit.access.holders(permission))
