"""Capacity pools shared by services: kit/capacity/pools.toml and its allocator."""

from kit.capacity.allocator import (
    DEFAULT_STORE,
    Lease,
    PoolAllocator,
    PoolExhausted,
    UnknownPool,
)
from kit.capacity.plan import PoolFault, PoolPlan

__all__ = [
    "DEFAULT_STORE",
    "Lease",
    "PoolAllocator",
    "PoolExhausted",
    "PoolFault",
    "PoolPlan",
    "UnknownPool",
]
