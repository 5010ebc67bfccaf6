import unittest
from decimal import Decimal

from lumen.base.errors import InputError
from lumen.shared.flags.engine import STORE
from lumen.units.claims import tariff
from tests.support import site_at, store


class TariffTest(unittest.TestCase):
    def test_a_full_panel_is_one_line(self):
        lines = tariff.lines_for(site_at(self), "county-fund", ["HB", "GLU", "WBC", "PLT"])
        self.assertEqual([(line["item"], line["code"]) for line in lines], [("COUNT", "32120"), ("GLU", "32057")])

    def test_the_larger_panel_takes_the_test(self):
        lines = tariff.lines_for(site_at(self), "county-fund", ["NA", "K", "CREA", "UREA"])
        self.assertEqual([line["item"] for line in lines], ["RENAL"])

    def test_an_incomplete_panel_is_charged_by_test(self):
        lines = tariff.lines_for(site_at(self), "county-fund", ["HB", "WBC"])
        self.assertEqual([line["item"] for line in lines], ["HB", "WBC"])

    def test_contracts_discount_or_add(self):
        site = site_at(self)
        totals = [tariff.quote(site, payer, ["TSH"])["total"] for payer in ("county-fund", "north-mutual", "guild-private")]
        self.assertEqual(totals, [Decimal("9.65"), Decimal("9.17"), Decimal("11.10")])

    def test_payers_need_a_contract(self):
        with self.assertRaises(InputError):
            tariff.lines_for(site_at(self), "stranger", ["TSH"])

    def test_without_bundling_every_test_is_charged(self):
        text = STORE.read_text(encoding="utf-8").replace("bundle-panels,on", "bundle-panels,off")
        site = site_at(self, stores={"flags": store(self, "flags.csv", text)})
        self.assertEqual(len(tariff.lines_for(site, "county-fund", ["NA", "K", "CREA", "UREA"])), 4)
