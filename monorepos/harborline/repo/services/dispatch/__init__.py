"""Vehicles, drivers and the road legs of a shipment."""
