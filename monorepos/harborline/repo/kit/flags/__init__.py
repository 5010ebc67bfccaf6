"""Feature flags: kit/flags/flags.json and the board that answers for them."""

from kit.flags.board import DEFAULT_STORE, Audience, FlagBoard, FlagFault, FlagState, UnknownFlag

__all__ = ["DEFAULT_STORE", "Audience", "FlagBoard", "FlagFault", "FlagState", "UnknownFlag"]
