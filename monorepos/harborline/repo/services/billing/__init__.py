"""Invoices, demurrage, statements and credit."""
