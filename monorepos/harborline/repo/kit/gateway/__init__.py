"""Calls to the customs gateway, which all services reach through one client."""

from kit.gateway.client import (
    GatewayClient,
    GatewayError,
    GatewayReply,
    GatewayRequest,
    GatewayTimeout,
    Transport,
    TransportFailure,
    TransportTimeout,
)
from kit.gateway.rehearsal import RehearsalTransport

__all__ = [
    "GatewayClient",
    "GatewayError",
    "GatewayReply",
    "GatewayRequest",
    "GatewayTimeout",
    "RehearsalTransport",
    "Transport",
    "TransportFailure",
    "TransportTimeout",
]
