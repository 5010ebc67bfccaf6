"""Declarations, duty and the customs gateway."""
