"""One message to the gateway, with the caller's deadline, attempts and quota."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kit.capacity import PoolAllocator
from kit.clock import Clock
from kit.config import SettingsLoader
from kit.errors import HarborlineError
from kit.flags import FlagBoard
from kit.helpers.keys import message_reference
from kit.telemetry import Telemetry


class TransportTimeout(Exception):
    """The far side did not answer in the time given."""


class TransportFailure(Exception):
    """The far side answered, and not with a reply."""


class GatewayError(HarborlineError):
    pass


class GatewayTimeout(GatewayError):
    pass


@dataclass(frozen=True)
class GatewayRequest:
    kind: str
    record: str
    reference: str
    body: str


@dataclass(frozen=True)
class GatewayReply:
    reference: str
    code: str
    body: str
    attempts: int


class Transport(Protocol):
    def exchange(self, request: GatewayRequest, seconds: float) -> tuple[str, str]:
        """Code and body of the answer, or TransportTimeout after `seconds`."""


class GatewayClient:
    """Sends for one service, which it reads settings and draws quota for.

    `gateway_deadline_seconds` bounds each attempt, not all of them together. An
    attempt that timed out may have been processed nevertheless.
    """

    def __init__(
        self,
        service: str,
        transport: Transport,
        clock: Clock,
        settings: SettingsLoader,
        flags: FlagBoard,
        pools: PoolAllocator,
        telemetry: Telemetry,
    ) -> None:
        self._service = service
        self._transport = transport
        self._clock = clock
        self._settings = settings
        self._flags = flags
        self._pools = pools
        self._telemetry = telemetry

    def send(self, kind: str, record: str, body: str, *, urgent: bool = False,
             deadline_seconds: float | None = None) -> GatewayReply:
        """`deadline_seconds`, where given, stands in for the setting in this one call."""
        settings = self._settings.for_service(self._service)
        seconds = settings.number("gateway_deadline_seconds") if deadline_seconds is None else deadline_seconds
        attempts = settings.integer("gateway_attempts")
        problem: Exception | None = None
        for attempt in range(1, attempts + 1):
            self._pools.acquire("gateway_calls", self._service, urgent=urgent)
            request = GatewayRequest(kind, record, self._reference(kind, record, attempt), body)
            started = self._clock.now()
            try:
                code, answer = self._transport.exchange(request, seconds)
            except (TransportTimeout, TransportFailure) as error:
                problem = error
                self._note("timeout" if isinstance(error, TransportTimeout) else "failure", kind)
                if attempt < attempts:
                    self._clock.pause(settings.number("gateway_backoff_seconds") * attempt)
                continue
            taken = (self._clock.now() - started).total_seconds()
            self._telemetry.timing("gateway_call_seconds", taken, "seconds", service=self._service, kind=kind)
            self._note("answered", kind)
            return GatewayReply(request.reference, code, answer, attempt)
        if isinstance(problem, TransportTimeout):
            raise GatewayTimeout(f"{kind} {record}: no answer in {seconds:g} s, {attempts} attempts") from problem
        raise GatewayError(f"{kind} {record}: {problem}") from problem

    def _reference(self, kind: str, record: str, attempt: int) -> str:
        """The gateway drops a message whose reference it has seen: attempts share one."""
        steady = self._flags.is_on("gateway_replay_guard", self._service, record)
        return message_reference(self._service, f"{kind}/{record}", 0 if steady else attempt)

    def _note(self, outcome: str, kind: str) -> None:
        self._telemetry.count("gateway_calls_total", service=self._service, outcome=outcome, kind=kind)
