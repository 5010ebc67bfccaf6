"""A gateway that answers from a script on simulated time, for drills and tests."""

from __future__ import annotations

from collections.abc import Mapping

from kit.clock import Clock
from kit.gateway.client import GatewayRequest, TransportFailure, TransportTimeout


class RehearsalTransport:
    """Needs `seconds` for a message and `seconds_per_line` for each of its lines.

    `codes` gives the answer by message kind; the code "FAIL" stands for a line
    that drops. `stall` counts the exchanges, from the first, that never answer.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        seconds: float = 1.0,
        seconds_per_line: float = 0.0,
        stall: int = 0,
        codes: Mapping[str, str] | None = None,
    ) -> None:
        self._clock = clock
        self._seconds = seconds
        self._seconds_per_line = seconds_per_line
        self._stall = stall
        self._codes = dict(codes or {})
        self.requests: list[GatewayRequest] = []

    def exchange(self, request: GatewayRequest, seconds: float) -> tuple[str, str]:
        self.requests.append(request)
        needed = self._seconds + self._seconds_per_line * len(request.body.splitlines())
        if len(self.requests) <= self._stall or needed > seconds:
            self._clock.pause(seconds)
            raise TransportTimeout(f"gave up after {seconds:g} s")
        self._clock.pause(needed)
        code = self._codes.get(request.kind, "ACK")
        if code == "FAIL":
            raise TransportFailure("line dropped")
        return code, f"{request.reference}:{code}"
