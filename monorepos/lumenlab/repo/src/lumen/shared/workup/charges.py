"""Pricing of charge lines for units.

Each line is rounded by itself and the total is the sum of rounded lines: a
payer recomputes the invoice line by line and bounces it over one cent.
"""

from decimal import Decimal

from lumen.base import money
from lumen.shared import config


def price(site, unit, lines, discount_percent=0):
    """Priced copy of lines (dicts with code, quantity, unit_price).

    The discount applies to each line before rounding; the rounding rule and
    the currency are the unit's.
    """
    settings = config.view(site, unit)
    priced = []
    for line in lines:
        gross = Decimal(line["unit_price"]) * line["quantity"]
        net = gross - money.percent_of(gross, discount_percent)
        priced.append({**line, "amount": money.round_money(net, rule=settings["money_rule"])})
    total = sum((line["amount"] for line in priced), Decimal("0.00"))
    return {"lines": priced, "total": total, "currency": settings["currency"]}


def spread(site, unit, paid, lines):
    """Parts of a payment for each priced line, adding up to the cent."""
    if not lines:
        raise ValueError("a payment is spread over at least one line")
    weights = [line["amount"] for line in lines]
    if not any(weights):
        weights = [1] * len(lines)
    return money.share_out(paid, weights)
