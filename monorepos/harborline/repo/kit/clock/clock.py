from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The current instant, timezone-aware, in UTC."""

    def pause(self, seconds: float) -> None:
        """Let time pass. A host clock sleeps; a manual clock moves its hand."""


def utc(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)


class ManualClock:
    """A clock that moves only when told to; used by tests and by replays."""

    def __init__(self, start: datetime) -> None:
        if start.tzinfo is None:
            raise ValueError("a clock starts at a timezone-aware instant")
        self._now = start.astimezone(timezone.utc)

    def now(self) -> datetime:
        return self._now

    def pause(self, seconds: float) -> None:
        self.advance(seconds=seconds)

    def advance(self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> datetime:
        step = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        if step < timedelta(0):
            raise ValueError("a clock does not run backwards")
        self._now += step
        return self._now
