"""Amounts of money as Decimal; never float."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal, InvalidOperation

from lumen.base.errors import InputError

RULES = {
    "half_even": ROUND_HALF_EVEN,
    "half_up": ROUND_HALF_UP,
    "down": ROUND_DOWN,
    "up": ROUND_UP,
}


def amount(raw):
    """Parse an amount as payers write it.

    Accepts thousands commas and accounting parentheses for negatives, both of
    which occur in remittance files: "1,204.50", "(12.00)".
    """
    line = str(raw).strip().replace(",", "")
    negative = line.startswith("(") and line.endswith(")")
    if negative:
        line = line[1:-1]
    try:
        value = Decimal(line)
    except InvalidOperation as problem:
        raise InputError(f"not an amount: {raw!r}") from problem
    if not value.is_finite():
        raise InputError(f"not an amount: {raw!r}")
    return -value if negative else value


def round_money(value, places=2, rule="half_even"):
    """Round to `places` decimals; halves go to the even digit unless told."""
    if rule not in RULES:
        raise ValueError(f"unknown rounding rule {rule!r}")
    return Decimal(value).quantize(Decimal(1).scaleb(-places), rounding=RULES[rule])


def percent_of(value, percent):
    """`percent` per cent of `value`, unrounded."""
    return Decimal(value) * Decimal(percent) / 100


def share_out(total, weights, places=2):
    """Split `total` in proportion to `weights` so that the parts add up.

    Largest remainder; ties go to the earlier part. Remittances pay a claim in
    one sum which has to be spread over its lines to the last cent.
    """
    whole = sum(Decimal(w) for w in weights)
    if whole <= 0:
        raise ValueError("weights must add up to more than nothing")
    unit = Decimal(1).scaleb(-places)
    exact = [Decimal(total) * Decimal(w) / whole for w in weights]
    parts = [part.quantize(unit, rounding=ROUND_DOWN) for part in exact]
    left = Decimal(total).quantize(unit) - sum(parts)
    step = unit if left > 0 else -unit
    order = sorted(range(len(parts)), key=lambda i: (-abs(exact[i] - parts[i]), i))
    for i in order[: int(abs(left / unit))]:
        parts[i] += step
    return parts


def show(value, currency=""):
    """Two decimals with thousands commas, currency code in front."""
    figure = f"{round_money(value):,.2f}"
    return f"{currency} {figure}".strip()
