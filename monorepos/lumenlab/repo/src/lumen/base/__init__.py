"""Helpers without state: time, text, money, days, quantities, identifiers, tables.

Nothing in this package knows a unit or a store. What is particular to one
unit belongs to that unit; what is used by two belongs here.
"""
