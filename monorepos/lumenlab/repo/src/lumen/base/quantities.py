"""Measured quantities: parsing, significant figures, conversion of units."""

import re
from decimal import ROUND_HALF_EVEN, Decimal

from lumen.base.errors import InputError

_QUANTITY = re.compile(r"\s*(<=|>=|<|>)?\s*([-+]?\d+(?:[.,]\d+)?)\s*(\S.*)?$")

# Amount of substance against mass: only these need a molar mass.
_MOLAR = {"mol/L": Decimal(1), "mmol/L": Decimal("1e-3"), "umol/L": Decimal("1e-6"), "nmol/L": Decimal("1e-9")}
_MASS = {
    "g/L": Decimal(1), "g/dL": Decimal(10), "mg/L": Decimal("1e-3"),
    "mg/dL": Decimal("1e-2"), "ug/L": Decimal("1e-6"),
}


def parse_quantity(raw):
    """Split "<0.5 mmol/L" in comparator, value and unit.

    A decimal comma is read as a point: several instruments are set to one.
    """
    found = _QUANTITY.match(str(raw))
    if not found:
        raise InputError(f"not a quantity: {raw!r}")
    comparator, figure, unit = found.groups()
    return {
        "comparator": comparator or "",
        "value": Decimal(figure.replace(",", ".")),
        "unit": (unit or "").strip(),
    }


def significant(value, digits):
    """Round to `digits` significant figures, halves to even."""
    value = Decimal(value)
    if value == 0:
        return Decimal(0)
    place = value.adjusted() - digits + 1
    rounded = value.quantize(Decimal(1).scaleb(place), rounding=ROUND_HALF_EVEN)
    if rounded.adjusted() > value.adjusted():
        rounded = rounded.quantize(Decimal(1).scaleb(place + 1))
    return rounded


def show_quantity(quantity, digits=3):
    """Quantity for people, without exponent."""
    figure = f"{significant(quantity['value'], digits):f}"
    return f"{quantity['comparator']}{figure} {quantity['unit']}".strip()


def convert(value, unit, wanted, molar_mass=None):
    """Express `value` given in `unit` in the unit `wanted`.

    `molar_mass` in g/mol is required exactly when the step crosses from mass
    to amount of substance or back.
    """
    value = Decimal(value)
    for family in (_MOLAR, _MASS):
        if unit in family and wanted in family:
            return value * family[unit] / family[wanted]
    if molar_mass is None:
        raise InputError(f"{unit} to {wanted} needs a molar mass")
    if unit in _MASS and wanted in _MOLAR:
        return value * _MASS[unit] / Decimal(molar_mass) / _MOLAR[wanted]
    if unit in _MOLAR and wanted in _MASS:
        return value * _MOLAR[unit] * Decimal(molar_mass) / _MASS[wanted]
    raise InputError(f"no conversion from {unit} to {wanted}")
