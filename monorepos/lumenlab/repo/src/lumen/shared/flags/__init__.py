"""Feature flags: one CSV store, evaluated for a unit, a subject and cohorts."""

from lumen.shared.flags.engine import check, enabled, explain, snapshot, stale_flags

__all__ = ["check", "enabled", "explain", "snapshot", "stale_flags"]
