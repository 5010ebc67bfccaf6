"""Doors, racks and stock."""
