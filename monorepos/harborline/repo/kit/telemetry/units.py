from __future__ import annotations

from kit.errors import HarborlineError

_SECONDS = {"milliseconds": 0.001, "seconds": 1.0, "minutes": 60.0, "hours": 3600.0, "days": 86400.0}


class UnitMismatch(HarborlineError, ValueError):
    pass


def in_unit(value: float, given: str, wanted: str) -> float:
    """Converts between units of time; any other unit only equals itself."""
    if given == wanted:
        return value
    if given in _SECONDS and wanted in _SECONDS:
        return value * _SECONDS[given] / _SECONDS[wanted]
    raise UnitMismatch(f"{given} cannot be read as {wanted}")
