"""Grants units of a pool to services.

A request is met from four sources, in this order: the service's own share, its
burst and window extras (from what is unallocated), the idle shares of others
if the pool lends them, and, for urgent work of the services it is kept for,
the reserve. A cap bounds the first three together. Lent units are not called
back: their owner waits until the borrower releases them or the period ends.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from kit.capacity.plan import PoolFault, PoolPlan
from kit.clock import Clock
from kit.errors import HarborlineError, RequestRefused
from kit.telemetry import Telemetry

DEFAULT_STORE = Path(__file__).with_name("pools.toml")


class UnknownPool(HarborlineError, LookupError):
    pass


class PoolExhausted(RequestRefused):
    def __init__(self, pool: str, service: str, wanted: int, available: int) -> None:
        super().__init__(f"{pool}: {service} asked for {wanted}, {available} available")
        self.pool = pool
        self.available = available


@dataclass(frozen=True)
class Draw:
    """Where units came from."""

    share: int = 0
    extra: int = 0
    idle: int = 0
    reserve: int = 0

    @property
    def total(self) -> int:
        return self.share + self.extra + self.idle + self.reserve

    def __add__(self, other: Draw) -> Draw:
        return Draw(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


@dataclass(frozen=True)
class Lease:
    number: int
    pool: str
    service: str
    draw: Draw
    taken_at: datetime
    period: int | None = None

    @property
    def units(self) -> int:
        return self.draw.total


class PoolAllocator:
    def __init__(self, clock: Clock, telemetry: Telemetry, store: Path = DEFAULT_STORE) -> None:
        self._clock = clock
        self._telemetry = telemetry
        self._store = store
        self._leases: dict[int, Lease] = {}
        self._next = 1

    def plan(self, pool: str) -> PoolPlan:
        entries = self._read()
        if pool not in entries:
            raise UnknownPool(f"no pool {pool!r}")
        try:
            return PoolPlan.read(pool, entries[pool])
        except KeyError as error:
            raise PoolFault(f"{pool}: {error.args[0]} is missing") from None

    def pools(self) -> tuple[str, ...]:
        return tuple(sorted(self._read()))

    def available(self, pool: str, service: str, *, urgent: bool = False) -> int:
        return self._limits(self.plan(pool), service, urgent).total

    def acquire(self, pool: str, service: str, units: int = 1, *, urgent: bool = False) -> Lease:
        """All the units or none."""
        if units < 1:
            raise ValueError("a lease is for at least one unit")
        plan = self.plan(pool)
        limits = self._limits(plan, service, urgent)
        if limits.total < units:
            self._telemetry.count("pool_refusals_total", pool=pool, service=service)
            raise PoolExhausted(pool, service, units, limits.total)
        taken, left = [], units
        for source in fields(Draw):
            part = min(left, getattr(limits, source.name))
            taken.append(part)
            left -= part
        lease = Lease(self._next, pool, service, Draw(*taken), self._clock.now(), self._period(plan))
        self._forget_spent(lease)
        self._next += 1
        self._leases[lease.number] = lease
        self._telemetry.gauge("pool_used_units", sum(each.units for each in self._live(plan)), pool=pool)
        return lease

    def release(self, lease: Lease) -> None:
        """A lease of a pool with periods stays spent until its period ends."""
        if lease.period is None:
            self._leases.pop(lease.number, None)

    def used(self, pool: str, service: str = "") -> int:
        return sum(each.units for each in self._live(self.plan(pool)) if not service or each.service == service)

    def refills_at(self, pool: str) -> datetime | None:
        plan = self.plan(pool)
        period = self._period(plan)
        if period is None or plan.period_minutes is None:
            return None
        start = datetime.fromtimestamp(0, self._clock.now().tzinfo)
        return start + timedelta(minutes=(period + 1) * plan.period_minutes)

    def _limits(self, plan: PoolPlan, service: str, urgent: bool) -> Draw:
        live = self._live(plan)
        everyone = sum((each.draw for each in live), Draw())
        mine = sum((each.draw for each in live if each.service == service), Draw())
        physical = plan.capacity - plan.reserve - (everyone.total - everyone.reserve)
        under_cap = plan.cap.get(service, plan.capacity) - (mine.total - mine.reserve)
        room = max(0, min(physical, under_cap))

        share = min(room, max(0, plan.share.get(service, 0) - mine.share))
        room -= share
        extra = min(
            room,
            max(0, plan.extra_for(service, self._clock.now()) - mine.extra),
            max(0, plan.unallocated - everyone.extra),
        )
        room -= extra
        idle = 0
        if plan.lend_idle:
            others = sum(amount for name, amount in plan.share.items() if name != service)
            used_by_others = everyone.share - mine.share
            idle = min(room, max(0, others - used_by_others - everyone.idle))
        reserve = 0
        if urgent and service in plan.reserve_for:
            reserve = max(0, plan.reserve - everyone.reserve)
        return Draw(share, extra, idle, reserve)

    def _live(self, plan: PoolPlan) -> list[Lease]:
        period = self._period(plan)
        return [each for each in self._leases.values() if each.pool == plan.name and each.period == period]

    def _forget_spent(self, newest: Lease) -> None:
        """Leases of earlier periods count no more; without this they would pile up all day."""
        spent = [
            each.number
            for each in self._leases.values()
            if each.pool == newest.pool and each.period is not None and each.period != newest.period
        ]
        for number in spent:
            del self._leases[number]

    def _period(self, plan: PoolPlan) -> int | None:
        if plan.period_minutes is None:
            return None
        return int(self._clock.now().timestamp() // (plan.period_minutes * 60))

    def _read(self) -> Mapping[str, Any]:
        try:
            document = tomllib.loads(self._store.read_text(encoding="ascii"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise PoolFault(f"{self._store.name}: {error}") from error
        return document.get("pool", {})
