"""Amounts of money, always Decimal, always with their currency beside them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, InvalidOperation

# Currencies that do not have two decimals. Everything else we invoice in does.
_DIGITS = {"JPY": 0, "KRW": 0, "BHD": 3, "KWD": 3, "TND": 3}


def minor_digits(currency: str) -> int:
    if len(currency) != 3 or not currency.isalpha() or not currency.isupper():
        raise ValueError(f"not an ISO 4217 code: {currency!r}")
    return _DIGITS.get(currency, 2)


def _step(currency: str) -> Decimal:
    return Decimal(1).scaleb(-minor_digits(currency))


def round_money(amount: Decimal, currency: str = "EUR") -> Decimal:
    """To the currency's smallest unit, half away from zero, as invoices are audited."""
    return amount.quantize(_step(currency), rounding=ROUND_HALF_UP)


def percent_of(amount: Decimal, percent: Decimal, currency: str = "EUR") -> Decimal:
    return round_money(amount * percent / 100, currency)


def split_amount(total: Decimal, weights: Sequence[Decimal], currency: str = "EUR") -> tuple[Decimal, ...]:
    """Divide `total` by weight so that the parts add up to it exactly.

    Units left over by rounding down go to the largest remainders; between equal
    remainders the earlier part wins, so the result does not depend on luck.
    """
    whole = sum(weights, Decimal(0))
    if not weights or whole <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative and must not all be zero")
    step = _step(currency)
    sign = -1 if total < 0 else 1
    exact = [abs(total) * weight / whole for weight in weights]
    parts = [value.quantize(step, rounding=ROUND_DOWN) for value in exact]
    left = int((round_money(abs(total), currency) - sum(parts)) / step)
    by_remainder = sorted(range(len(parts)), key=lambda index: (parts[index] - exact[index], index))
    for index in by_remainder[:left]:
        parts[index] += step
    return tuple(sign * part for part in parts)


def convert(amount: Decimal, rate: Decimal, target: str) -> Decimal:
    if rate <= 0:
        raise ValueError("an exchange rate is positive")
    return round_money(amount * rate, target)


def format_money(amount: Decimal, currency: str) -> str:
    """`EUR 1,234.50`; negative amounts carry the sign before the digits."""
    return f"{currency} {round_money(amount, currency):,}"


def parse_money(text: str) -> tuple[Decimal, str]:
    currency, _, digits = text.strip().partition(" ")
    try:
        amount = Decimal(digits.replace(",", ""))
    except InvalidOperation:
        raise ValueError(f"not an amount with its currency: {text!r}") from None
    return round_money(amount, currency), currency
