"""Clocks as values.

A clock is a dict. `manual_clock` stands still until it is advanced;
`ticking_clock` wraps a function of the host process that reads the time. All
moments are aware and in UTC; wall times in stores ("17:30") are UTC as well,
because the sites of the network share one zone with the instruments.
"""

from datetime import datetime, timedelta, timezone

from lumen.base.errors import InputError


def instant(raw):
    """Parse an ISO moment; without an offset it is taken as UTC."""
    try:
        moment = datetime.fromisoformat(raw.replace("Z", "+00:00"))
    except ValueError as problem:
        raise InputError(f"not a moment: {raw!r}") from problem
    if moment.tzinfo is None:
        return moment.replace(tzinfo=timezone.utc)
    return moment.astimezone(timezone.utc)


def manual_clock(start):
    """Clock that shows `start` (text or datetime) until advanced."""
    moment = instant(start) if isinstance(start, str) else start
    return {"kind": "manual", "instant": moment}


def ticking_clock(read):
    """Clock of a running process; `read` returns an aware datetime."""
    return {"kind": "ticking", "read": read}


def now(clock):
    """Current moment of `clock`."""
    if clock["kind"] == "ticking":
        return clock["read"]().astimezone(timezone.utc)
    return clock["instant"]


def advance(clock, **span):
    """Move a manual clock forward by a timedelta's keywords."""
    step = timedelta(**span)
    if clock["kind"] != "manual":
        raise ValueError("only a manual clock can be advanced")
    if step < timedelta(0):
        raise ValueError("time does not run backwards")
    clock["instant"] += step
    return clock["instant"]


def spend(clock, seconds):
    """Account for `seconds` of waiting.

    A ticking clock has moved by itself while the caller waited; a manual one
    has to be moved, so that code under test sees the time it consumed.
    """
    if clock["kind"] == "manual":
        advance(clock, seconds=float(seconds))


def minute_of_day(raw):
    """Minutes after midnight of a wall time such as "07:30"."""
    hours, colon, minutes = raw.strip().partition(":")
    if not (colon and hours.isdigit() and minutes.isdigit()):
        raise InputError(f"not a wall time: {raw!r}")
    total = int(hours) * 60 + int(minutes)
    if int(minutes) > 59 or total > 24 * 60:
        raise InputError(f"not a wall time: {raw!r}")
    return total


def within_hours(moment, window):
    """Does `moment` fall in "HH:MM-HH:MM"? Start included, end excluded.

    A window that ends before it starts spans midnight: "22:00-06:00" is the
    night shift.
    """
    first, _, last = window.partition("-")
    start, end = minute_of_day(first), minute_of_day(last)
    minute = moment.hour * 60 + moment.minute
    if start <= end:
        return start <= minute < end
    return minute >= start or minute < end


def at_wall_time(day, raw):
    """Moment of the wall time `raw` on `day`."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=timezone.utc)
    return midnight + timedelta(minutes=minute_of_day(raw))


def stamp(moment):
    """ISO text to the second, as written in log lines and messages."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
