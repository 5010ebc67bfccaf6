"""Assigns loads to vehicles and announces them at the port."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from kit.access import Circumstances
from kit.capacity import Lease, PoolExhausted
from kit.codes.catalogue import ShipmentStatus, Urgency
from kit.errors import RequestRefused
from kit.gateway import GatewayClient, GatewayError, Transport
from kit.vendoring.desks import EdiSegment
from kit.wiring import Kit
from services.dispatch.fleet import Fleet, Load, Vehicle
from services.dispatch.hours import DrivingPlan, plan_driving, plan_relay

SERVICE = "dispatch"


class NoVehicle(RequestRefused):
    """Nothing in the fleet can take the load, or none in time."""


class Announcement(StrEnum):
    ELECTRONIC = "electronic"
    STANDBY = "standby"


@dataclass(frozen=True)
class Assignment:
    shipment: str
    plate: str
    plan: DrivingPlan
    announcement: Announcement
    order: str
    due_at: datetime

    @property
    def late_by(self) -> timedelta:
        return max(timedelta(0), self.plan.arrive_at - self.due_at)


class DispatchDesk:
    """A load leaves with an electronic port pass when the gateway grants one in
    time. Otherwise the driver waits at the gate office, where a pass is written
    by hand: the assignment stands, `standby_minutes` later.
    """

    def __init__(self, kit: Kit, fleet: Fleet, transport: Transport) -> None:
        self._kit = kit
        self._fleet = fleet
        self._gateway: GatewayClient = kit.gateway(SERVICE, transport)
        self._assigned: dict[str, tuple[Assignment, Vehicle, Lease]] = {}

    def assign(self, principal: str, load: Load) -> Assignment:
        self._kit.access.require(principal, "dispatch.assign", Circumstances(record=load.shipment))
        if load.shipment in self._assigned:
            return self._assigned[load.shipment][0]
        vehicle, plan = self._choose(load)
        door = self._door(load)
        announcement = self._announce(load, vehicle)
        if announcement is Announcement.STANDBY:
            wait = timedelta(minutes=self._kit.view(SERVICE).integer("standby_minutes"))
            plan = replace(plan, depart_at=plan.depart_at + wait, arrive_at=plan.arrive_at + wait)
        order = self._kit.documents.render("delivery_order", {
            "shipment": load.shipment,
            "vehicle": vehicle.plate,
            "weight_kg": load.weight_kg,
            "arrive_at": plan.arrive_at,
        })
        assignment = Assignment(load.shipment, vehicle.plate, plan, announcement, order, load.due_at)
        self._assigned[load.shipment] = (assignment, vehicle, door)
        self._fleet.replace(replace(
            vehicle,
            free_from=plan.arrive_at,
            minutes_driven_today=vehicle.minutes_driven_today + int(plan.driving.total_seconds() // 60),
        ))
        now = self._kit.clock.now()
        self._kit.ledger.record(load.shipment, ShipmentStatus.OUT_FOR_DELIVERY, now, SERVICE)
        self._kit.telemetry.count("dispatch_assignments_total", outcome=announcement.value)
        self._kit.telemetry.log(
            SERVICE,
            "load_assigned",
            shipment=load.shipment,
            vehicle=vehicle.plate,
            arrive_at=plan.arrive_at.isoformat(),
        )
        return assignment

    def recall(self, principal: str, shipment: str) -> None:
        """Frees the door, and the vehicle too unless a later load waits for it already."""
        self._kit.access.require(principal, "dispatch.recall", Circumstances(record=shipment))
        assignment, before, door = self._assignment(shipment)
        del self._assigned[shipment]
        if self._fleet.vehicle(before.plate).free_from == assignment.plan.arrive_at:
            self._fleet.replace(before)
        self._kit.pools.release(door)

    def departed(self, shipment: str) -> None:
        """The vehicle has left the door, which the next one may use."""
        self._kit.pools.release(self._assignment(shipment)[2])

    def _assignment(self, shipment: str) -> tuple[Assignment, Vehicle, Lease]:
        try:
            return self._assigned[shipment]
        except KeyError:
            raise NoVehicle(f"{shipment} is on no vehicle") from None

    def _choose(self, load: Load) -> tuple[Vehicle, DrivingPlan]:
        """The cheapest vehicle that arrives when due; economy freight takes the cheapest of all."""
        candidates = self._fleet.candidates(load)
        if not candidates:
            raise NoVehicle(f"{load.shipment}: no vehicle fits")
        planned = [(vehicle, self._plan(load, vehicle)) for vehicle in candidates]
        if load.urgency is Urgency.ECONOMY:
            return planned[0]
        for vehicle, plan in planned:
            if plan.arrive_at <= load.due_at:
                return vehicle, plan
        vehicle, plan = min(planned, key=lambda each: each[1].arrive_at)
        if load.urgency >= Urgency.EXPRESS:
            raise NoVehicle(f"{load.shipment}: {vehicle.plate} would be first, at {plan.arrive_at:%Y-%m-%d %H:%M}")
        return vehicle, plan

    def _plan(self, load: Load, vehicle: Vehicle) -> DrivingPlan:
        settings = self._kit.view(SERVICE)
        depart_at = max(load.ready_at, vehicle.free_from, self._kit.clock.now())
        minutes = round(load.distance_km * 60 / settings.integer("average_speed_kmh"))
        driving = timedelta(minutes=minutes)
        if not self._kit.flags.is_on("tacho_hours", SERVICE, vehicle.plate):
            return DrivingPlan(depart_at, depart_at + driving, driving, 0, 0)
        alone = plan_driving(
            depart_at,
            driving,
            timedelta(minutes=settings.integer("daily_driving_minutes")),
            timedelta(minutes=vehicle.minutes_driven_today),
        )
        if alone.rests and self._kit.flags.is_on("split_long_hauls", SERVICE, vehicle.plate):
            return plan_relay(depart_at, driving)
        return alone

    def _door(self, load: Load) -> Lease:
        try:
            return self._kit.pools.acquire("dock_slots", SERVICE)
        except PoolExhausted as error:
            self._kit.telemetry.count("dispatch_assignments_total", outcome="no_door")
            raise NoVehicle(f"{load.shipment}: no door to load at") from error

    def _announce(self, load: Load, vehicle: Vehicle) -> Announcement:
        message = self._kit.edi.compose(SERVICE, [
            EdiSegment("BGM", ("341", load.shipment)),
            EdiSegment("TDT", ("20", "", "30", vehicle.plate)),
            EdiSegment("MEA", ("WT", "G", f"KGM:{load.weight_kg}")),
        ])
        try:
            reply = self._gateway.send("port_pass", load.shipment, message, urgent=load.urgency >= Urgency.EXPRESS)
        except (GatewayError, PoolExhausted):
            return Announcement.STANDBY
        return Announcement.ELECTRONIC if reply.code == "ACK" else Announcement.STANDBY
