"""Takes, confirms, amends and cancels bookings."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from kit.access import Circumstances
from kit.capacity import Lease
from kit.codes.catalogue import ChargeCode, Equipment, ShipmentStatus
from kit.errors import RequestRefused
from kit.exchange.charges import Charge
from kit.exchange.intake import RejectedRow
from kit.helpers.keys import record_key
from kit.wiring import Kit
from services.bookings.acceptance import AcceptanceRules, Ground, Objection
from services.bookings.models import Booking, BookingRequest, CargoLine

SERVICE = "bookings"


class BookingRefused(RequestRefused):
    def __init__(self, objections: tuple[Objection, ...]) -> None:
        super().__init__("; ".join(each.text for each in objections))
        self.objections = objections


class BookingClosed(RequestRefused):
    """The booking is cancelled, departed or unknown."""


class BookingDesk:
    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._bookings: dict[str, Booking] = {}
        self._plugs: dict[str, Lease] = {}

    def take(self, principal: str, request: BookingRequest, *, branch: str = "", waive_cutoff: bool = False) -> Booking:
        """`waive_cutoff` needs a permission of its own and lifts no other objection."""
        place = Circumstances(branch=branch or self._kit.view(SERVICE).text("branch"))
        self._kit.access.require(principal, "booking.create", place)
        objections = self._rules().objections(request, self._kit.clock.now())
        if waive_cutoff and any(each.ground is Ground.CUTOFF for each in objections):
            self._kit.access.require(principal, "booking.waive_cutoff", place)
            objections = tuple(each for each in objections if each.ground is not Ground.CUTOFF)
        if objections:
            self._count(request, "refused")
            raise BookingRefused(objections)
        now = self._kit.clock.now()
        booking = Booking(record_key("BKG", now.year, len(self._bookings) + 1), request, now)
        if request.equipment is Equipment.REEFER_40:
            self._plugs[booking.number] = self._kit.pools.acquire("reefer_plugs", SERVICE)
        self._bookings[booking.number] = booking
        self._kit.ledger.record(booking.number, ShipmentStatus.BOOKED, now, SERVICE)
        self._count(request, "taken")
        return booking

    def confirm(self, principal: str, number: str, *, branch: str = "") -> Booking:
        booking = self._open(number)
        place = Circumstances(record=number, branch=branch or self._kit.view(SERVICE).text("branch"))
        self._kit.access.require(principal, "booking.confirm", place)
        if booking.confirmed_at:
            return booking
        now = self._kit.clock.now()
        confirmed = replace(booking, confirmed_at=now)
        self._bookings[number] = confirmed
        self._kit.ledger.record(number, ShipmentStatus.CONFIRMED, now, SERVICE)
        request = booking.request
        self._kit.outbox.publish(SERVICE, "booking.confirmed", number, {
            "shipper": request.shipper,
            "mode": request.mode,
            "departure": request.departure.isoformat(),
            "chargeable_kg": str(request.chargeable_kg),
        })
        self._kit.telemetry.log(
            SERVICE, "booking_confirmed", booking=number, mode=request.mode.value, chargeable_kg=request.chargeable_kg
        )
        return confirmed

    def amend(self, principal: str, number: str, request: BookingRequest, *, branch: str = "") -> Booking:
        """The amended request is judged like a new one; a confirmation does not survive it."""
        booking = self._open(number)
        place = Circumstances(record=number, branch=branch or self._kit.view(SERVICE).text("branch"))
        self._kit.access.require(principal, "booking.amend", place)
        if request.shipper != booking.request.shipper:
            raise BookingClosed(f"{number}: a booking does not change hands")
        objections = self._rules().objections(request, self._kit.clock.now())
        if objections:
            raise BookingRefused(objections)
        amended = replace(booking, request=request, confirmed_at=None)
        self._bookings[number] = amended
        return amended

    def cancel(self, principal: str, number: str, *, branch: str = "") -> Booking:
        booking = self._open(number)
        place = Circumstances(record=number, branch=branch or self._kit.view(SERVICE).text("branch"))
        self._kit.access.require(principal, "booking.cancel", place)
        now = self._kit.clock.now()
        self._kit.ledger.record(number, ShipmentStatus.CANCELLED, now, SERVICE)
        cancelled = replace(booking, cancelled_at=now, cancellation_fee=self._cancellation_fee(booking))
        self._bookings[number] = cancelled
        plug = self._plugs.pop(number, None)
        if plug:
            self._kit.pools.release(plug)
        self._count(booking.request, "cancelled")
        return cancelled

    def read_manifest(self, content: str) -> tuple[tuple[CargoLine, ...], tuple[RejectedRow, ...]]:
        batch = self._kit.intake.read("cargo_manifest", content)
        lines = tuple(
            CargoLine(
                mark=row["mark"],
                description=row["description"],
                pieces=row["pieces"],
                weight_kg=row["weight"],
                volume_cbm=row["volume"],
                hazard=row["hazard"],
            )
            for row in batch.rows
        )
        return lines, batch.rejected

    def booking(self, number: str) -> Booking:
        try:
            return self._bookings[number]
        except KeyError:
            raise BookingClosed(f"no booking {number}") from None

    def _open(self, number: str) -> Booking:
        booking = self.booking(number)
        if not booking.is_open:
            raise BookingClosed(f"{number} is cancelled")
        return booking

    def _cancellation_fee(self, booking: Booking) -> Decimal:
        """Free until some hours before departure, and always before confirmation."""
        settings = self._kit.view(SERVICE)
        free_until = booking.request.departure - timedelta(hours=settings.number("free_cancellation_hours"))
        if booking.confirmed_at is None or self._kit.clock.now() <= free_until:
            return Decimal(0)
        fee = Charge(ChargeCode.CANCELLATION, Decimal(1), settings.decimal("cancellation_fee"))
        return self._kit.charges.sheet(SERVICE, [fee]).gross

    def _rules(self) -> AcceptanceRules:
        return AcceptanceRules(self._kit.view(SERVICE), self._kit.flags.is_on("hazard_precheck", SERVICE))

    def _count(self, request: BookingRequest, outcome: str) -> None:
        self._kit.telemetry.count("bookings_total", mode=request.mode.value, outcome=outcome)
