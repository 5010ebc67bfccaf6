"""What pools.toml says about one pool, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time
from types import MappingProxyType
from typing import Any

from kit.errors import StoreFault


class PoolFault(StoreFault):
    """A pool promises more than it has, or is written wrongly."""


@dataclass(frozen=True)
class Window:
    """Extra units for one service at certain hours (UTC); may span midnight."""

    name: str
    service: str
    opens: time
    closes: time
    extra: int

    def covers(self, at: datetime) -> bool:
        hour = at.time()
        if self.opens <= self.closes:
            return self.opens <= hour < self.closes
        return hour >= self.opens or hour < self.closes


@dataclass(frozen=True)
class PoolPlan:
    name: str
    capacity: int
    reserve: int
    reserve_for: frozenset[str]
    lend_idle: bool
    period_minutes: int | None
    share: Mapping[str, int]
    cap: Mapping[str, int]
    burst: Mapping[str, int]
    windows: tuple[Window, ...]

    @property
    def unallocated(self) -> int:
        return self.capacity - self.reserve - sum(self.share.values())

    def extra_for(self, service: str, at: datetime) -> int:
        """Units above its share that a service may draw from what is unallocated."""
        opened = sum(window.extra for window in self.windows if window.service == service and window.covers(at))
        return self.burst.get(service, 0) + opened

    @classmethod
    def read(cls, name: str, entry: Mapping[str, Any]) -> PoolPlan:
        windows = tuple(
            Window(
                name=title,
                service=each["service"],
                opens=time.fromisoformat(each["opens"]),
                closes=time.fromisoformat(each["closes"]),
                extra=each["extra"],
            )
            for title, each in entry.get("window", {}).items()
        )
        plan = cls(
            name=name,
            capacity=entry["capacity"],
            reserve=entry.get("reserve", 0),
            reserve_for=frozenset(entry.get("reserve_for", ())),
            lend_idle=entry.get("lend_idle", False),
            period_minutes=entry.get("period_minutes"),
            share=MappingProxyType(dict(entry.get("share", {}))),
            cap=MappingProxyType(dict(entry.get("cap", {}))),
            burst=MappingProxyType(dict(entry.get("burst", {}))),
            windows=windows,
        )
        plan._check()
        return plan

    def _check(self) -> None:
        if self.unallocated < 0:
            raise PoolFault(f"{self.name}: shares and reserve come to {-self.unallocated} more than the capacity")
        amounts = [self.reserve, *self.share.values(), *self.burst.values(), *(each.extra for each in self.windows)]
        if min(amounts) < 0:
            raise PoolFault(f"{self.name}: an amount is negative")
        for service, cap in self.cap.items():
            if not self.share.get(service, 0) <= cap <= self.capacity:
                raise PoolFault(f"{self.name}: the cap of {service} lies outside its share and the capacity")
