import unittest
from decimal import Decimal

from services.customs.duties import Assessor, DeliveryTerm, DutiableLine

TOOLS = DutiableLine("8205510000", "TW", Decimal("900.00"), Decimal("3.7"))
LAMPS = DutiableLine("9405420000", "CN", Decimal("300.00"), Decimal("4.7"))


class AssessorTest(unittest.TestCase):
    def setUp(self):
        self.assessor = Assessor("EUR", Decimal(21), Decimal("150.00"))

    def test_freight_to_the_border_is_part_of_the_value(self):
        assessment = self.assessor.assess([TOOLS, LAMPS], DeliveryTerm.FREE_ON_BOARD, Decimal(100), Decimal(20))
        self.assertEqual([line.customs_value for line in assessment.lines], [Decimal("990.00"), Decimal("330.00")])
        self.assertEqual(assessment.duty, Decimal("36.63") + Decimal("15.51"))

    def test_what_the_price_includes_is_not_added_again(self):
        for term, value in ((DeliveryTerm.COST_AND_FREIGHT, "915.00"), (DeliveryTerm.COST_INSURANCE_FREIGHT, "900.00")):
            with self.subTest(term=term):
                assessment = self.assessor.assess([TOOLS], term, Decimal(100), Decimal(15))
                self.assertEqual(assessment.lines[0].customs_value, Decimal(value))

    def test_tax_is_charged_on_value_duty_and_inland_carriage(self):
        assessment = self.assessor.assess([TOOLS], DeliveryTerm.COST_INSURANCE_FREIGHT, inland=Decimal(80))
        self.assertEqual(assessment.duty, Decimal("33.30"))
        self.assertEqual(assessment.tax, Decimal("212.79"))
        self.assertEqual(assessment.total, Decimal("246.09"))

    def test_small_consignments_bear_tax_and_no_duty(self):
        small = DutiableLine("9405420000", "CN", Decimal("150.00"), Decimal("4.7"))
        assessment = self.assessor.assess([small], DeliveryTerm.DUTY_PAID)
        self.assertTrue(assessment.relieved)
        self.assertEqual((assessment.duty, assessment.tax), (Decimal(0), Decimal("31.50")))

    def test_costs_are_spread_to_the_cent(self):
        thirds = [DutiableLine(str(n), "CN", Decimal(100), Decimal(0)) for n in range(3)]
        assessment = self.assessor.assess(thirds, DeliveryTerm.EX_WORKS, Decimal("100.00"))
        self.assertEqual(sum(line.customs_value for line in assessment.lines), Decimal("400.00"))
