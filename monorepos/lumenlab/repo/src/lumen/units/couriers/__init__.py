"""Couriers: rounds to the clinics, and custody of the boxes."""
