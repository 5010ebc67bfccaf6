import unittest
from decimal import Decimal

from lumen.base.errors import Refused
from lumen.units.claims import remittance
from tests.support import site_at


def claim(name="claim-1", state="SENT"):
    lines = [{"code": "1", "amount": Decimal("6.00")}, {"code": "2", "amount": Decimal("4.00")}]
    return {"id": name, "payer": "north-mutual", "state": state, "lines": lines, "total": Decimal("10.00")}


class RemittanceTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)

    def post(self, claims, *rows):
        return remittance.post(self.site, claims, "claim,paid,status,remark\n" + "\n".join(rows) + "\n")

    def test_states_follow_the_sums(self):
        claims = [claim("a"), claim("b"), claim("c"), claim("d"), claim("e")]
        self.post(claims, "a,10.00,,", "b,9.96,,", "c,9.94,,", "d,0.00,,", "e,5.00,Denied,not insured")
        self.assertEqual([c["state"] for c in claims], ["PAID", "PAID", "SHORT_PAID", "DENIED", "DENIED"])

    def test_a_payment_is_spread_over_the_lines(self):
        paid = claim()
        self.post([paid], "claim-1,9.99,,")
        self.assertEqual(paid["paid_lines"], [Decimal("5.99"), Decimal("4.00")])

    def test_recoveries_are_taken_off(self):
        paid = claim()
        booked, _ = self.post([paid], "claim-1,10.00,,", 'claim-1,(2.50),,recovered')
        self.assertEqual((len(booked), paid["paid"], paid["state"]), (1, Decimal("7.50"), "SHORT_PAID"))

    def test_unknown_and_unsent_claims_are_faults(self):
        booked, faults = self.post([claim(state="DRAFT")], "claim-1,10.00,,", "claim-9,1.00,,")
        self.assertEqual((booked, [fault["row"] for fault in faults]), ([], [1, 2]))

    def test_the_lead_writes_off_what_is_short(self):
        short = claim()
        self.post([short], "claim-1,4.00,,")
        with self.assertRaises(Refused):
            remittance.write_off(self.site, "k501", short)
        self.assertEqual(remittance.write_off(self.site, "k510", short), Decimal("6.00"))

    def test_paid_claims_are_not_written_off(self):
        with self.assertRaises(Refused):
            remittance.write_off(self.site, "k510", claim(state="PAID"))

    def test_open_sums_per_payer(self):
        short = claim("b")
        self.post([short], "b,4.00,,")
        self.assertEqual(remittance.open_sums(self.site, [claim("a"), short, claim("c", "PAID")]), {"north-mutual": Decimal("16.00")})
