"""Writes invoices."""
