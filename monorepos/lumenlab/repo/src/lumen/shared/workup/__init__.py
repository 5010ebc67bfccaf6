"""Machinery that applies the helpers of lumen.base for the units.

intake reads rows, outbox keys events, charges rounds amounts, render lays
out documents. Units hand over data and declarations; how a day is parsed or
a cent is rounded is decided here, once.
"""
