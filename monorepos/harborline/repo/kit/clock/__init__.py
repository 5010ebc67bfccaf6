"""Time as a collaborator. Nothing in the tree asks the host what time it is."""

from kit.clock.clock import Clock, ManualClock, utc

__all__ = ["Clock", "ManualClock", "utc"]
