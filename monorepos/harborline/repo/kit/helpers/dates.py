"""Days as contracts count them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta

_ONE_DAY = timedelta(days=1)
_FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%Y%m%d")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


def is_business_day(day: date, holidays: Collection[date] = ()) -> bool:
    return day.weekday() < 5 and day not in holidays


def next_business_day(day: date, holidays: Collection[date] = ()) -> date:
    """`day` itself when the office is open, else the first day it is."""
    while not is_business_day(day, holidays):
        day += _ONE_DAY
    return day


def add_business_days(day: date, count: int, holidays: Collection[date] = ()) -> date:
    step = _ONE_DAY if count >= 0 else -_ONE_DAY
    for _ in range(abs(count)):
        day += step
        while not is_business_day(day, holidays):
            day += step
    return day


def business_days_between(start: date, end: date, holidays: Collection[date] = ()) -> int:
    """Open days after `start` up to and including `end`."""
    if end < start:
        return -business_days_between(end, start, holidays)
    span = (start + timedelta(days=offset) for offset in range(1, (end - start).days + 1))
    return sum(1 for day in span if is_business_day(day, holidays))


def days_charged(arrived: date, left: date, free_days: int) -> int:
    """Calendar days to bill for goods or equipment on our ground.

    Terminals count the day of arrival and the day of departure both, hence the
    one; free days come off the front and never make the result negative.
    """
    if left < arrived:
        raise ValueError(f"left on {left} before arriving on {arrived}")
    return max(0, (left - arrived).days + 1 - free_days)


def parse_day(text: str) -> date:
    """Day first where the order is in doubt: our branches are all European."""
    cleaned = text.strip()
    for pattern in _FORMATS:
        try:
            return datetime.strptime(cleaned, pattern).date()
        except ValueError:
            continue
    raise ValueError(f"not a date we know how to read: {text!r}")


def format_day(day: date, style: str = "iso") -> str:
    if style == "iso":
        return day.isoformat()
    if style == "document":
        return f"{day.day:02d}-{_MONTHS[day.month - 1]}-{day.year}"
    if style == "edi":
        return f"{day.year:04d}{day.month:02d}{day.day:02d}"
    raise ValueError(f"unknown date style {style!r}")


def month_bounds(day: date) -> tuple[date, date]:
    first = day.replace(day=1)
    after = date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return first, after - _ONE_DAY


def iso_week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"
