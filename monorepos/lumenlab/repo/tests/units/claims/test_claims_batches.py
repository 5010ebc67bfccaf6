import unittest
from decimal import Decimal

from lumen.base.clock import advance
from lumen.base.errors import Refused
from lumen.shared import codes, telemetry
from lumen.units.claims import batches
from tests.support import a_case, a_result, partner, site_at


class BatchesTest(unittest.TestCase):
    def setUp(self):
        self.site = site_at(self)

    def claim(self, number="N260302-0001-K", **changes):
        case = a_case(self.site, number, tests=("TSH", "CRP"), **changes)
        return batches.prepare(self.site, "k501", case, [a_result(self.site, case, "TSH", "2.0")])

    def submit(self, claims, answers, who="svc-claims"):
        self.payer = partner("north-mutual", answers)
        return batches.submit(self.site, who, "north-mutual", claims, self.payer)

    def test_only_released_tests_are_charged(self):
        claim = self.claim()
        self.assertEqual([line["item"] for line in claim["lines"]], ["TSH"])
        self.assertEqual((claim["total"], str(claim["file_by"])), (Decimal("9.17"), "2026-05-31"))

    def test_some_cases_cannot_be_charged(self):
        for changes, rule in (({"payer": None}, "no_payer"), ({}, "nothing_released")):
            with self.assertRaises(Refused) as caught:
                batches.prepare(self.site, "k501", a_case(self.site, **changes), [])
            self.assertEqual(caught.exception.rule, rule)

    def test_a_claim_line_is_in_the_payers_codes(self):
        line = batches.encode(self.site, self.claim())
        self.assertEqual(line, "claim-N260302-0001-K|A123456789|19800517|2|20260302|10|32101:9.17|9.17")
        self.assertEqual(codes.decode(self.site, batches.CLAIM_LAYOUT, line)["state"], "SENT")

    def test_claims_go_out_in_batches(self):
        claims = [self.claim(f"N260302-{n:04d}-K") for n in range(1, 61)]
        self.assertEqual(self.submit(claims, [(2, {})]), [])
        self.assertEqual([len(request["claims"]) for request, _ in self.payer["requests"]], [50, 10])
        self.assertEqual({claim["state"] for claim in claims}, {"SENT"})

    def test_bounced_claims_may_be_sent_again(self):
        claims = [self.claim(), self.claim("N260302-0002-K")]
        self.submit(claims, [(2, {"bounced": [claims[1]["id"]]})])
        self.assertEqual([claim["state"] for claim in claims], ["SENT", "BOUNCED"])
        self.submit(claims, [(2, {})])
        self.assertEqual(len(self.payer["requests"][0][0]["claims"]), 1)
        counts = telemetry.aggregate(self.site, "claims_submitted_total", by=("outcome",))
        self.assertEqual(counts, {("sent",): 2, ("bounced",): 1})

    def test_a_corrected_claim_waits_for_a_second_person(self):
        claim = self.claim()
        self.submit([claim], [(2, {"bounced": [claim["id"]]})])
        batches.correct(self.site, "k510", claim, "A987654321")
        self.submit([claim], [(2, {})])
        self.assertEqual(self.payer["requests"], [])
        with self.assertRaises(Refused) as caught:
            batches.approve(self.site, "k510", claim)
        self.assertEqual(caught.exception.rule, "apart:prepare-approve")
        batches.approve(self.site, "k511", claim)
        self.submit([claim], [(2, {})])
        self.assertEqual(claim["state"], "SENT")

    def test_only_bounced_claims_are_corrected(self):
        with self.assertRaises(Refused):
            batches.correct(self.site, "k501", self.claim(), "A987654321")
        with self.assertRaises(Refused):
            batches.approve(self.site, "k510", self.claim())

    def test_after_a_silent_batch_the_rest_keeps(self):
        claims = [self.claim(f"N260302-{n:04d}-K") for n in range(1, 61)]
        self.assertEqual(len(self.submit(claims, [(99, None)])), 60)
        self.assertEqual({claim["state"] for claim in claims}, {"DRAFT"})

    def test_a_repeat_carries_the_same_key(self):
        claims = [self.claim()]
        self.submit(claims, [(99, None), (2, {})])
        first, second = (request["key"] for request, _ in self.payer["requests"])
        self.assertEqual(first, second)

    def test_the_precheck_keeps_faulty_claims_back(self):
        late, anonymous = self.claim(), self.claim("N260302-0002-K", insurance_number=None)
        advance(self.site["clock"], days=91)
        kept = self.submit([late, anonymous], [(2, {})])
        self.assertEqual([batches.faults(self.site, claim) for claim in kept], [["late"], ["late", "unidentified"]])
        self.assertEqual(self.payer["requests"], [])

    def test_a_statement_lists_what_was_sent(self):
        claims = [self.claim(), self.claim("N260302-0002-K")]
        self.submit(claims, [(2, {})])
        text = "\n".join(batches.statement(self.site, "north-mutual", claims))
        self.assertIn("N260302-0002-K  02-MAR-2026  Sent   EUR 9.17", text)
        self.assertIn("Total   EUR 18.34", text)

    def test_couriers_do_not_submit(self):
        with self.assertRaises(Refused):
            self.submit([], [(1, {})], who="c301")
