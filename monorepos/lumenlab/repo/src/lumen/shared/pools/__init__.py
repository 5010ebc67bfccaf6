"""Capacity pools: shared slots, allotted from a ledger in sqlite3."""

from lumen.shared.pools.allocator import acquire, draw, holding, release, schedule, usage
from lumen.shared.pools.ledger import check, open_ledger

__all__ = ["acquire", "check", "draw", "holding", "open_ledger", "release", "schedule", "usage"]
