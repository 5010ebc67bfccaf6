from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from kit.access import AccessDenied
from kit.clock import utc
from kit.codes.catalogue import HazardClass, ShipmentStatus, Urgency
from kit.gateway import RehearsalTransport
from kit.tests.support import KitCase
from services.dispatch.desk import Announcement, DispatchDesk, NoVehicle
from services.dispatch.fleet import Fleet, Load, Vehicle

US = "svc-dispatch"
EIGHT = utc(2024, 5, 6, 8)
VAN = Vehicle("RTM-01", Decimal(3500), Decimal("4.2"), EIGHT, Decimal("1.10"), tail_lift=True)
TRUCK = Vehicle("RTM-02", Decimal(24000), Decimal("13.6"), EIGHT, Decimal("1.60"))
TANKER = Vehicle(
    "RTM-03", Decimal(24000), Decimal("13.6"), EIGHT, Decimal("1.60"), frozenset({HazardClass.FLAMMABLE_LIQUID})
)
LOAD = Load("BKG-2024-000001-11", Decimal(3000), Decimal(4), 136, EIGHT, EIGHT + timedelta(hours=8))


class DispatchDeskTest(KitCase):
    def desk(self, vehicles=(VAN, TRUCK, TANKER), **transport):
        self.fleet = Fleet(vehicles)
        self.transport = RehearsalTransport(self.clock, **transport)
        return DispatchDesk(self.kit, self.fleet, self.transport)

    def test_the_cheapest_vehicle_that_fits_is_taken(self):
        assignment = self.desk().assign(US, LOAD)
        self.assertEqual((assignment.plate, assignment.announcement), ("RTM-01", Announcement.ELECTRONIC))
        self.assertIn("Vehicle:     RTM-01", assignment.order)
        self.assertIs(self.kit.ledger.latest(LOAD.shipment).status, ShipmentStatus.OUT_FOR_DELIVERY)

    def test_certificates_are_kept_for_loads_that_need_them(self):
        self.assertEqual(self.desk().assign(US, replace(LOAD, weight_kg=Decimal(9000))).plate, "RTM-02")
        paint = replace(LOAD, hazards=frozenset({HazardClass.FLAMMABLE_LIQUID}))
        self.assertEqual(self.desk().assign(US, paint).plate, "RTM-03")

    def test_reasons_why_a_vehicle_cannot_take_a_load(self):
        load = replace(LOAD, weight_kg=Decimal(25000), loading_metres=Decimal(14), needs_tail_lift=True,
                       hazards=frozenset({HazardClass.TOXIC}))
        self.assertEqual(TRUCK.refusals(load), ("payload", "floor", "tail lift", "ADR certificate"))
        with self.assertRaises(NoVehicle):
            self.desk().assign(US, load)

    def test_a_stalled_gateway_sends_the_driver_to_the_office(self):
        assignment = self.desk(stall=99).assign(US, LOAD)
        self.assertIs(assignment.announcement, Announcement.STANDBY)
        wait = timedelta(minutes=self.kit.view("dispatch").integer("standby_minutes"))
        self.assertEqual(assignment.plan.depart_at, EIGHT + wait)

    def test_a_refused_pass_means_standby_too(self):
        self.assertIs(self.desk(codes={"port_pass": "REJ"}).assign(US, LOAD).announcement, Announcement.STANDBY)

    def test_a_dearer_vehicle_is_taken_when_the_cheap_one_is_late(self):
        busy = replace(VAN, free_from=EIGHT + timedelta(hours=7))
        assignment = self.desk((busy, TRUCK)).assign(US, LOAD)
        self.assertEqual((assignment.plate, assignment.late_by), ("RTM-02", timedelta(0)))
        economy = self.desk((busy, TRUCK)).assign(US, replace(LOAD, shipment="B2", urgency=Urgency.ECONOMY))
        self.assertEqual(economy.plate, "RTM-01")
        self.assertGreater(economy.late_by, timedelta(0))

    def test_express_freight_is_not_promised_late(self):
        tight = replace(LOAD, due_at=EIGHT + timedelta(minutes=30))
        self.assertEqual(self.desk().assign(US, tight).plate, "RTM-01")
        with self.assertRaises(NoVehicle):
            self.desk().assign(US, replace(tight, shipment="B3", urgency=Urgency.EXPRESS))

    def test_long_hauls_include_breaks_and_rests(self):
        far = replace(LOAD, distance_km=700, due_at=EIGHT + timedelta(days=3))
        plan = self.desk().assign(US, far).plan
        self.assertGreaterEqual(plan.breaks + plan.rests, 2)

    def test_assigning_twice_changes_nothing(self):
        desk = self.desk()
        self.assertIs(desk.assign(US, LOAD), desk.assign(US, LOAD))
        self.assertEqual(len(self.transport.requests), 1)

    def test_a_vehicle_on_the_road_is_free_when_it_arrives(self):
        desk = self.desk((VAN,))
        first = desk.assign(US, LOAD)
        second = desk.assign(US, replace(LOAD, shipment="B2"))
        self.assertEqual(second.plan.depart_at, first.plan.arrive_at)
        self.assertEqual(self.fleet.vehicle("RTM-01").minutes_driven_today, 240)

    def test_a_recall_gives_back_a_vehicle_that_nothing_else_waits_for(self):
        desk = self.desk((VAN,))
        desk.assign(US, LOAD)
        second = desk.assign(US, replace(LOAD, shipment="B2"))
        desk.recall(US, LOAD.shipment)
        self.assertEqual(self.fleet.vehicle("RTM-01").free_from, second.plan.arrive_at)
        desk.recall(US, "B2")
        self.assertLess(self.fleet.vehicle("RTM-01").free_from, second.plan.arrive_at)

    def test_doors_are_used_up_and_freed(self):
        desk = self.desk([replace(TRUCK, plate=f"T{number:02d}") for number in range(20)])
        free = self.kit.pools.available("dock_slots", "dispatch")
        for number in range(free):
            desk.assign(US, replace(LOAD, shipment=f"B{number}"))
        with self.assertRaises(NoVehicle):
            desk.assign(US, replace(LOAD, shipment="B98"))
        desk.departed("B0")
        desk.recall(US, "B1")
        self.assertEqual(self.kit.pools.available("dock_slots", "dispatch"), 2)

    def test_recalling_needs_something_to_recall_and_the_permission(self):
        with self.assertRaises(NoVehicle):
            self.desk().recall(US, "B77")
        with self.assertRaises(AccessDenied):
            self.desk().recall("svc-billing", "B77")
