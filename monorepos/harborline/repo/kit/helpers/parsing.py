"""Reading numbers, weights and rows that people and spreadsheets produced."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal, InvalidOperation

_KG_PER = {"kg": Decimal(1), "t": Decimal(1000), "lb": Decimal("0.45359237"), "g": Decimal("0.001")}
_WEIGHT = re.compile(r"^([0-9.,\s]+)\s*(kg|t|lb|lbs|g)?$", re.IGNORECASE)
_TRUE = frozenset({"1", "y", "yes", "true", "x", "ja", "j"})
_FALSE = frozenset({"", "0", "n", "no", "false", "nein", "-"})


def parse_decimal(text: str) -> Decimal:
    """Accepts `1234.5`, `1,234.5`, `1.234,5` and `1 234,5`.

    With both marks present the last one is the decimal mark. A single comma is
    a decimal mark unless exactly three digits follow it and at most three
    precede it; a single point is always one.
    """
    plain = re.sub(r"[\s']", "", text)
    comma, point = plain.rfind(","), plain.rfind(".")
    if comma >= 0 and point >= 0:
        thousands = "," if point > comma else "."
        plain = plain.replace(thousands, "").replace(",", ".")
    elif plain.count(",") > 1 or re.fullmatch(r"-?[0-9]{1,3},[0-9]{3}", plain):
        plain = plain.replace(",", "")
    else:
        plain = plain.replace(",", ".")
    try:
        value = Decimal(plain)
    except InvalidOperation:
        raise ValueError(f"not a number: {text!r}") from None
    if not value.is_finite():
        raise ValueError(f"not a finite number: {text!r}")
    return value


def parse_weight_kg(text: str) -> Decimal:
    """Kilograms to the gram; a number without a unit is kilograms already."""
    match = _WEIGHT.match(text.strip())
    if not match:
        raise ValueError(f"not a weight: {text!r}")
    unit = (match[2] or "kg").lower().removesuffix("s")
    return (parse_decimal(match[1]) * _KG_PER[unit]).quantize(Decimal("0.001"))


def parse_count(text: str) -> int:
    value = parse_decimal(text)
    if value != value.to_integral_value() or value < 0:
        raise ValueError(f"not a count: {text!r}")
    return int(value)


def parse_yes_no(text: str) -> bool:
    word = text.strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError(f"neither yes nor no: {text!r}")


def read_rows(text: str) -> list[dict[str, str]]:
    """Rows of a delimited file with a heading line; `;` or `,`, whichever the heading has more of."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        return []
    delimiter = ";" if lines[0].count(";") > lines[0].count(",") else ","
    reader = csv.DictReader(io.StringIO("\n".join(lines)), delimiter=delimiter, restkey="_extra", restval="")
    rows = []
    for row in reader:
        row.pop("_extra", None)
        rows.append({(name or "").strip().lower(): (value or "").strip() for name, value in row.items()})
    return rows
