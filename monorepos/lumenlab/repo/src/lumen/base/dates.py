"""Days: parsing, laboratory days, working days, ages."""

import re
from datetime import date, timedelta

from lumen.base.clock import minute_of_day
from lumen.base.errors import InputError

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})$")
_PACKED = re.compile(r"(\d{4})(\d{2})(\d{2})$")
_DOTTED = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})$")
_NAMED = re.compile(r"(\d{1,2})-([A-Za-z]{3})-(\d{4})$")


def parse_day(raw, order="dmy"):
    """Parse a day in any notation that clinics and instruments send.

    ISO, packed digits, "02-MAR-2026" and dotted or slashed triples; the last
    are ambiguous and read by `order`, "dmy" or "mdy".
    """
    line = str(raw).strip()
    try:
        if found := (_ISO.match(line) or _PACKED.match(line)):
            return date(*(int(part) for part in found.groups()))
        if found := _NAMED.match(line):
            return date(int(found[3]), _MONTHS.index(found[2].upper()) + 1, int(found[1]))
        if found := _DOTTED.match(line):
            first, second, year = (int(part) for part in found.groups())
            day, month = (first, second) if order == "dmy" else (second, first)
            return date(year, month, day)
    except ValueError as problem:
        raise InputError(f"no such day: {raw!r}") from problem
    raise InputError(f"not a day: {raw!r}")


def show_day(day):
    """Day as printed on letters: 02-MAR-2026, which no reader can mistake."""
    return f"{day.day:02d}-{_MONTHS[day.month - 1]}-{day.year}"


def lab_day(moment, opens="06:00"):
    """Laboratory day of a moment.

    Work between midnight and opening belongs to the night shift of the day
    before; statistics and accession serials follow the laboratory day.
    """
    if moment.hour * 60 + moment.minute < minute_of_day(opens):
        return moment.date() - timedelta(days=1)
    return moment.date()


def is_working_day(day, closed=()):
    """Monday to Friday, unless listed in `closed`."""
    return day.weekday() < 5 and day not in closed


def add_working_days(day, count, closed=()):
    """The `count`-th working day after `day`; 0 gives the next one not before it."""
    while not is_working_day(day, closed):
        day += timedelta(days=1)
    for _ in range(count):
        day += timedelta(days=1)
        while not is_working_day(day, closed):
            day += timedelta(days=1)
    return day


def age(birth, on):
    """Completed years, months of the running year, and days since birth."""
    if on < birth:
        raise InputError(f"born {birth} after {on}")
    months = (on.year - birth.year) * 12 + on.month - birth.month
    if on.day < birth.day:
        months -= 1
    return {"years": months // 12, "months": months % 12, "days": (on - birth).days}


def span_text(minutes):
    """Duration for people: "45 min", "2 h 05 min"."""
    hours, rest = divmod(int(minutes), 60)
    return f"{hours} h {rest:02d} min" if hours else f"{rest} min"
