"""Appointments at the doors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from kit.capacity import Lease, PoolExhausted
from kit.errors import RequestRefused
from kit.wiring import Kit

SERVICE = "warehouse"


class AppointmentRefused(RequestRefused):
    pass


@dataclass(frozen=True)
class Appointment:
    number: int
    haulier: str
    plate: str
    at: datetime
    urgent: bool = False


class DockBook:
    """A door is taken when a vehicle checks in, not when it is announced. One that
    comes later than `dock_grace_minutes` has lost its turn.
    """

    _NIGHT = (time(22), time(5))

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._appointments: dict[int, Appointment] = {}
        self._doors: dict[int, Lease] = {}

    def announce(self, haulier: str, plate: str, at: datetime, *, urgent: bool = False) -> Appointment:
        if at < self._kit.clock.now():
            raise AppointmentRefused(f"{at:%H:%M} has passed")
        late, early = self._NIGHT
        at_night = at.time() >= late or at.time() < early
        if at_night and not self._kit.flags.is_on("night_docks", SERVICE, haulier):
            raise AppointmentRefused("the doors are shut from 22:00 to 05:00")
        clash = [
            each
            for each in self._appointments.values()
            if each.plate == plate and abs(each.at - at) < timedelta(hours=1)
        ]
        if clash:
            raise AppointmentRefused(f"{plate} is announced for {clash[0].at:%H:%M} already")
        appointment = Appointment(len(self._appointments) + 1, haulier, plate, at, urgent)
        self._appointments[appointment.number] = appointment
        return appointment

    def check_in(self, number: int) -> int:
        """Minutes waited since the appointment; 0 for who comes early."""
        appointment = self._appointments.get(number)
        if appointment is None or number in self._doors:
            raise AppointmentRefused(f"appointment {number} is not awaited")
        waited = (self._kit.clock.now() - appointment.at).total_seconds() / 60
        if waited > self._kit.view(SERVICE).number("dock_grace_minutes") and not appointment.urgent:
            raise AppointmentRefused(f"{appointment.plate} is {int(waited)} minutes late and must be announced again")
        try:
            self._doors[number] = self._kit.pools.acquire("dock_slots", SERVICE, urgent=appointment.urgent)
        except PoolExhausted as error:
            raise AppointmentRefused("all doors are taken") from error
        self._kit.telemetry.timing("dock_wait_minutes", max(0.0, waited), "minutes", dock=SERVICE)
        return max(0, int(waited))

    def leave(self, number: int) -> None:
        lease = self._doors.pop(number, None)
        if lease is None:
            raise AppointmentRefused(f"appointment {number} is at no door")
        self._kit.pools.release(lease)

    def at_doors(self) -> tuple[Appointment, ...]:
        return tuple(self._appointments[number] for number in sorted(self._doors))
