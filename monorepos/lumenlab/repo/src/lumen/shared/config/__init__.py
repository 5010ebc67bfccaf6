"""Shared configuration: one INI store, one view a unit."""

from lumen.shared.config.loader import check, describe, measure, required_keys, units_of, view

__all__ = ["check", "describe", "measure", "required_keys", "units_of", "view"]
