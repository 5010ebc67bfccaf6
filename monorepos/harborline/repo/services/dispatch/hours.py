"""Driving time: when a driver who sets off now can be at the door.

After four and a half hours at the wheel a break of 45 minutes is due, after
the daily limit a rest of eleven hours. A break or rest that would fall exactly
on arrival is not taken before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

_STRETCH = timedelta(hours=4, minutes=30)
_BREAK = timedelta(minutes=45)
_REST = timedelta(hours=11)


@dataclass(frozen=True)
class DrivingPlan:
    depart_at: datetime
    arrive_at: datetime
    driving: timedelta
    breaks: int
    rests: int

    @property
    def idle(self) -> timedelta:
        return self.arrive_at - self.depart_at - self.driving


def plan_driving(
    depart_at: datetime,
    driving: timedelta,
    daily_limit: timedelta,
    driven_today: timedelta = timedelta(0),
    since_break: timedelta = timedelta(0),
) -> DrivingPlan:
    """`driven_today` and `since_break` come off the card of the driver."""
    if daily_limit <= timedelta(0):
        raise ValueError("the daily limit leaves no time to drive")
    at, left = depart_at, driving
    breaks = rests = 0
    while left > timedelta(0):
        stretch = min(_STRETCH - since_break, daily_limit - driven_today)
        if stretch <= timedelta(0):
            if driven_today >= daily_limit:
                at += _REST
                rests += 1
                driven_today = since_break = timedelta(0)
            else:
                at += _BREAK
                breaks += 1
                since_break = timedelta(0)
            continue
        step = min(left, stretch)
        at += step
        left -= step
        driven_today += step
        since_break += step
    return DrivingPlan(depart_at, at, driving, breaks, rests)


def plan_relay(depart_at: datetime, driving: timedelta) -> DrivingPlan:
    """Two drivers in one cab: while one drives the other has the break."""
    stretches = max(0, -(-driving // _STRETCH) - 1)
    changeover = timedelta(minutes=5) * stretches
    return DrivingPlan(depart_at, depart_at + driving + changeover, driving, stretches, 0)
