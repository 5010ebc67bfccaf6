from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from kit.clock import utc
from kit.codes.catalogue import Equipment, HazardClass, TransportMode, Urgency
from kit.tests.support import KitCase
from services.bookings.acceptance import AcceptanceRules, Ground
from services.bookings.models import BookingRequest, CargoLine

CRATES = CargoLine("A1", "Crates", 10, Decimal(4000), Decimal("12.5"))
REQUEST = BookingRequest(
    shipper="SHP-0102",
    consignee="CNE-0001",
    mode=TransportMode.SEA_FULL,
    origin="NLRTM",
    destination="BRSSZ",
    ready_on=date(2024, 5, 13),
    departure=utc(2024, 5, 17, 18),
    lines=(CRATES,),
    equipment=Equipment.DRY_20,
)


class AcceptanceTest(KitCase):
    def grounds(self, request, now=None, **options):
        rules = AcceptanceRules(self.kit.view("bookings"), **options)
        return [each.ground for each in rules.objections(request, now or self.clock.now())]

    def test_an_ordinary_booking_meets_no_objection(self):
        self.assertEqual(self.grounds(REQUEST), [])

    def test_payload_and_space_are_limits_of_the_equipment(self):
        heavy = replace(REQUEST, lines=(replace(CRATES, weight_kg=Decimal(21701), volume_cbm=Decimal("33.1")),))
        self.assertEqual(self.grounds(heavy), [Ground.EQUIPMENT, Ground.EQUIPMENT])
        self.assertEqual(self.grounds(replace(heavy, equipment=Equipment.DRY_40)), [])

    def test_full_loads_name_their_equipment_and_it_suits_the_mode(self):
        self.assertEqual(self.grounds(replace(REQUEST, equipment=None)), [Ground.EQUIPMENT])
        self.assertEqual(self.grounds(replace(REQUEST, equipment=Equipment.TRAILER)), [Ground.EQUIPMENT])

    def test_groupage_pieces_must_be_liftable_and_early(self):
        groupage = replace(REQUEST, mode=TransportMode.SEA_PART, equipment=None)
        self.assertEqual(self.grounds(groupage), [])
        self.assertEqual(self.grounds(replace(groupage, lines=(replace(CRATES, pieces=1),))), [Ground.CARGO])
        self.assertEqual(self.grounds(replace(groupage, ready_on=date(2024, 5, 16))), [Ground.READINESS])

    def test_the_cutoff_is_earlier_for_dangerous_goods(self):
        rules = AcceptanceRules(self.kit.view("bookings"))
        paint = replace(REQUEST, lines=(replace(CRATES, hazard=HazardClass.FLAMMABLE_LIQUID),))
        self.assertLess(rules.cutoff(paint), rules.cutoff(REQUEST))
        between = rules.cutoff(paint) + timedelta(minutes=1)
        self.assertEqual(self.grounds(paint, between), [Ground.CUTOFF])
        self.assertEqual(self.grounds(REQUEST, between), [])

    def test_critical_freight_closes_later_unless_dangerous(self):
        rules = AcceptanceRules(self.kit.view("bookings"))
        critical = replace(REQUEST, urgency=Urgency.CRITICAL)
        self.assertGreater(rules.cutoff(critical), rules.cutoff(REQUEST))
        acid = (replace(CRATES, hazard=HazardClass.CORROSIVE),)
        self.assertEqual(rules.cutoff(replace(critical, lines=acid)), rules.cutoff(replace(REQUEST, lines=acid)))

    def test_incompatible_goods_do_not_share_a_load(self):
        lines = tuple(
            replace(CRATES, mark=hazard.name, hazard=hazard)
            for hazard in (HazardClass.OXIDISER, HazardClass.FLAMMABLE_GAS)
        )
        self.assertEqual(self.grounds(replace(REQUEST, lines=lines)), [Ground.HAZARD])
        self.assertEqual(self.grounds(replace(REQUEST, lines=lines), check_hazards=False), [])

    def test_explosives_are_never_part_load(self):
        lines = (replace(CRATES, hazard=HazardClass.EXPLOSIVE),)
        part = replace(REQUEST, mode=TransportMode.SEA_PART, equipment=None, lines=lines)
        self.assertEqual(self.grounds(part), [Ground.HAZARD])
        self.assertEqual(self.grounds(replace(REQUEST, lines=lines)), [])

    def test_nothing_and_weightless_things_are_not_shipped(self):
        self.assertEqual(self.grounds(replace(REQUEST, lines=())), [Ground.CARGO])
        self.assertEqual(self.grounds(replace(REQUEST, lines=(replace(CRATES, weight_kg=Decimal(0)),))), [Ground.CARGO])

    def test_goods_are_ready_before_they_depart(self):
        self.assertEqual(self.grounds(replace(REQUEST, ready_on=date(2024, 5, 18))), [Ground.READINESS])
