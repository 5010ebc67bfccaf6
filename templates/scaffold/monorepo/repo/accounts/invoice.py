"""Invoices and when they fall due."""

from datetime import timedelta

from foundation import money

DUE = timedelta(days=30)


def invoice(number, prices, left):
    """Return the invoice of an order that left the house on a day."""
    return {"order": number, "amount": money.written(money.total(prices)), "due": left + DUE}
