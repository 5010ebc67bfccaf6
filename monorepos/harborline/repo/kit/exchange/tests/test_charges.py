from decimal import Decimal

from kit.codes.catalogue import ChargeCode
from kit.exchange.charges import Charge, ChargeRefused
from kit.tests.support import KitCase


class ChargeCalculatorTest(KitCase):
    def sheet(self, *charges, **options):
        return self.kit.charges.sheet("billing", charges, **options)

    def test_the_total_is_the_sum_of_the_printed_lines(self):
        sheet = self.sheet(*(Charge(ChargeCode.TERMINAL, Decimal("0.5"), Decimal("0.01")) for _ in range(3)))
        self.assertEqual(sheet.net, Decimal("0.03"))

    def test_a_minimum_is_charged_where_the_rate_gives_less(self):
        sheet = self.sheet(Charge(ChargeCode.CUSTOMS, Decimal(1), Decimal("12"), minimum=Decimal("40")))
        self.assertEqual(sheet.amount_of(ChargeCode.CUSTOMS), Decimal("40.00"))

    def test_fuel_is_added_on_freight_once(self):
        percent = self.kit.view("billing").decimal("fuel_surcharge_percent")
        sheet = self.sheet(Charge(ChargeCode.FREIGHT, Decimal(10), Decimal("100")))
        self.assertEqual(sheet.amount_of(ChargeCode.FUEL), percent * 10)
        agreed = Charge(ChargeCode.FUEL, Decimal(1), Decimal(3))
        own = self.sheet(Charge(ChargeCode.FREIGHT, Decimal(1), Decimal(100)), agreed)
        self.assertEqual(own.amount_of(ChargeCode.FUEL), Decimal("3.00"))

    def test_penalties_and_exports_bear_no_tax(self):
        penalty = self.sheet(Charge(ChargeCode.DEMURRAGE, Decimal(3), Decimal(45)))
        self.assertEqual((penalty.vat, penalty.gross), (Decimal(0), Decimal("135.00")))
        export = self.sheet(Charge(ChargeCode.TERMINAL, Decimal(1), Decimal(100)), export=True)
        self.assertEqual(export.vat, Decimal(0))

    def test_tax_is_charged_on_supplies(self):
        percent = self.kit.view("billing").decimal("vat_percent")
        self.assertEqual(self.sheet(Charge(ChargeCode.STORAGE, Decimal(1), Decimal(100))).vat, percent)

    def test_negative_charges_are_refused(self):
        with self.assertRaises(ChargeRefused):
            self.sheet(Charge(ChargeCode.STORAGE, Decimal(-1), Decimal(100)))
