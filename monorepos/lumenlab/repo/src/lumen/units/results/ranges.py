"""Reference ranges and the flags that follow from them."""

from decimal import Decimal

from lumen.base.dates import age
from lumen.base.quantities import convert
from lumen.units.accession import compendium

# test, sex or "*", from day of life, to day of life (excluded), low, high,
# critical low, critical high; "" where there is none.
_YEAR = 365
_RANGES = (
    ("GLU", "*", 0, 28, "2.2", "5.5", "1.7", "16.5"),
    ("GLU", "*", 28, 150 * _YEAR, "3.9", "5.6", "2.5", "25.0"),
    ("NA", "*", 0, 150 * _YEAR, "135", "145", "120", "160"),
    ("K", "*", 0, 28, "3.7", "5.9", "2.8", "7.0"),
    ("K", "*", 28, 150 * _YEAR, "3.5", "5.1", "2.8", "6.2"),
    ("CREA", "*", 0, 15 * _YEAR, "15", "65", "", "300"),
    ("CREA", "FEMALE", 15 * _YEAR, 150 * _YEAR, "45", "84", "", "650"),
    ("CREA", "MALE", 15 * _YEAR, 150 * _YEAR, "59", "104", "", "650"),
    ("UREA", "*", 0, 150 * _YEAR, "2.5", "7.8", "", "35.0"),
    ("ALT", "FEMALE", 18 * _YEAR, 150 * _YEAR, "", "35", "", "1000"),
    ("ALT", "MALE", 18 * _YEAR, 150 * _YEAR, "", "50", "", "1000"),
    ("CRP", "*", 0, 150 * _YEAR, "", "5", "", "300"),
    ("TSH", "*", 28, 150 * _YEAR, "0.4", "4.0", "", ""),
    ("HB", "*", 0, 28, "140", "220", "80", ""),
    ("HB", "*", 28, 15 * _YEAR, "105", "150", "70", ""),
    ("HB", "FEMALE", 15 * _YEAR, 150 * _YEAR, "120", "155", "70", "200"),
    ("HB", "MALE", 15 * _YEAR, 150 * _YEAR, "135", "175", "70", "200"),
    ("WBC", "*", 0, 28, "9.0", "30.0", "2.0", "50.0"),
    ("WBC", "*", 28, 150 * _YEAR, "4.0", "10.0", "1.0", "50.0"),
    ("PLT", "*", 0, 150 * _YEAR, "150", "400", "20", "1000"),
    ("INR", "*", 0, 150 * _YEAR, "", "1.2", "", "5.0"),
    ("APTT", "*", 180, 150 * _YEAR, "25", "37", "", "120"),
)


def _number(raw):
    return Decimal(raw) if raw else None


def range_for(test, sex, days_old):
    """Limits for a patient, or None where no range is agreed.

    With the sex not stated and ranges that differ by sex, the widest common
    range applies: a false "normal" is caught by the critical limits, a false
    "high" frightens somebody for nothing.
    """
    fitting = [
        [_number(raw) for raw in row[4:]]
        for row in _RANGES
        if row[0] == test and row[2] <= days_old < row[3] and (row[1] in ("*", sex) or sex == "UNKNOWN")
    ]
    if not fitting:
        return None
    lows, highs, critical_lows, critical_highs = zip(*fitting)
    return {
        "low": None if None in lows else min(lows),
        "high": None if None in highs else max(highs),
        "critical_low": None if None in critical_lows else max(critical_lows),
        "critical_high": None if None in critical_highs else min(critical_highs),
    }


def in_house_unit(test, quantity):
    """Value of a quantity in the unit of the directory."""
    entry = compendium.entry(test)
    if quantity["unit"] in ("", entry["unit"]):
        return quantity["value"]
    return convert(quantity["value"], quantity["unit"], entry["unit"], entry["molar_mass"])


def flag_for(test, quantity, sex, birth, on):
    """Member of result_flag for a measured quantity.

    "<5" counts as just under 5 and ">300" as just over: at the detection
    limit the comparator decides, not the figure.
    """
    limits = range_for(test, sex, age(birth, on)["days"])
    if limits is None:
        return "UNRANGED"
    place = (in_house_unit(test, quantity), {"<": -1, ">": 1}.get(quantity["comparator"], 0))
    for member, limit, side in (
        ("CRITICAL_LOW", limits["critical_low"], -1),
        ("CRITICAL_HIGH", limits["critical_high"], 1),
        ("LOW", limits["low"], -1),
        ("HIGH", limits["high"], 1),
    ):
        if limit is None:
            continue
        if (side < 0 and place < (limit, 0)) or (side > 0 and place > (limit, 0)):
            return member
    return "NORMAL"
