"""The metrics and log events that may be recorded, in alphabetical order.

`optional` labels read "-" when a caller leaves them out. A metric with
`mirrors` is recorded under those names as well, which is how a rename is spread
over two releases; a mirror keeps those of the labels that it has itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MetricKind(StrEnum):
    COUNTER = "counter"
    GAUGE = "gauge"
    TIMING = "timing"


@dataclass(frozen=True)
class MetricSpec:
    name: str
    kind: MetricKind
    unit: str
    labels: tuple[str, ...]
    team: str
    optional: tuple[str, ...] = ()
    mirrors: tuple[str, ...] = ()


@dataclass(frozen=True)
class LogEvent:
    name: str
    fields: tuple[str, ...]
    team: str


METRICS = (
    MetricSpec("access_denied_total", MetricKind.COUNTER, "denials", ("permission", "reason"), "trust"),
    MetricSpec("billing_statement_lines", MetricKind.GAUGE, "lines", ("shipper",), "billing"),
    MetricSpec("bookings_total", MetricKind.COUNTER, "bookings", ("mode", "outcome"), "bookings"),
    MetricSpec("customs_open_holds", MetricKind.GAUGE, "holds", ("reason",), "customs"),
    MetricSpec("dispatch_assignments_total", MetricKind.COUNTER, "assignments", ("outcome",), "dispatch"),
    MetricSpec("dock_wait_minutes", MetricKind.TIMING, "minutes", ("dock",), "warehouse"),
    MetricSpec("gateway_call_seconds", MetricKind.TIMING, "seconds", ("service", "kind"), "foundation"),
    MetricSpec("gateway_calls_total", MetricKind.COUNTER, "calls", ("service", "outcome"), "foundation", ("kind",)),
    MetricSpec("invoices_total", MetricKind.COUNTER, "invoices", ("outcome",), "billing"),
    MetricSpec("outbox_dead_letters_total", MetricKind.COUNTER, "events", ("service", "topic"), "commons"),
    MetricSpec("outbox_events_total", MetricKind.COUNTER, "events", ("service", "topic", "outcome"), "commons"),
    MetricSpec("pool_refusals_total", MetricKind.COUNTER, "refusals", ("pool", "service"), "capacity"),
    MetricSpec("pool_used_units", MetricKind.GAUGE, "units", ("pool",), "capacity"),
    MetricSpec("stock_variance_percent", MetricKind.GAUGE, "percent", ("lot",), "warehouse"),
    MetricSpec("tracking_events_total", MetricKind.COUNTER, "events", ("source", "outcome"), "tracking"),
    MetricSpec("tracking_silent_shipments", MetricKind.GAUGE, "shipments", (), "tracking"),
)

LOG_EVENTS = (
    LogEvent("booking_confirmed", ("booking", "mode", "chargeable_kg"), "bookings"),
    LogEvent("declaration_filed", ("declaration", "reference", "state"), "customs"),
    LogEvent("invoice_issued", ("invoice", "shipper", "gross", "currency"), "billing"),
    LogEvent("load_assigned", ("shipment", "vehicle", "arrive_at"), "dispatch"),
    LogEvent("lot_stored", ("lot", "bin", "hazard"), "warehouse"),
    LogEvent("statement_posted", ("shipper", "lines", "pages"), "billing"),
    LogEvent("status_recorded", ("shipment", "status", "source"), "tracking"),
)
