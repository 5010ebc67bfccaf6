"""Feeds that intake reads and documents that the renderer prints.

A service that wants a new feed or document adds it here by pull request.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class FeedColumn:
    name: str
    kind: str = "text"
    required: bool = True
    also_called: tuple[str, ...] = ()


@dataclass(frozen=True)
class Feed:
    service: str
    columns: tuple[FeedColumn, ...]
    key: str = ""


@dataclass(frozen=True)
class DocumentField:
    title: str
    name: str
    style: str = "text"


@dataclass(frozen=True)
class Document:
    service: str
    heading: str
    fields: tuple[DocumentField, ...]
    lines: tuple[tuple[DocumentField, int], ...] = field(default=())
    footer: str = ""


FEEDS = {
    "cargo_manifest": Feed(
        service="bookings",
        key="mark",
        columns=(
            FeedColumn("mark"),
            FeedColumn("description", "plain"),
            FeedColumn("pieces", "count", also_called=("qty", "packages")),
            FeedColumn("weight", "weight_kg", also_called=("gross", "gross_weight")),
            FeedColumn("volume", "decimal", also_called=("cbm",)),
            FeedColumn("hazard", "hazard", required=False, also_called=("imo", "dg_class")),
        ),
    ),
    "carrier_events": Feed(
        service="tracking",
        columns=(
            FeedColumn("shipment"),
            FeedColumn("event"),
            FeedColumn("day", "day", also_called=("date",)),
            FeedColumn("container", "container", required=False),
        ),
    ),
    "stock_count": Feed(
        service="warehouse",
        key="lot",
        columns=(
            FeedColumn("lot"),
            FeedColumn("bin"),
            FeedColumn("counted", "count"),
            FeedColumn("damaged", "yes_no", required=False),
        ),
    ),
    "commodity_lines": Feed(
        service="customs",
        columns=(
            FeedColumn("commodity"),
            FeedColumn("origin"),
            FeedColumn("value", "decimal"),
            FeedColumn("gross", "weight_kg"),
            FeedColumn("net", "weight_kg"),
        ),
    ),
}

DOCUMENTS = {
    "invoice": Document(
        service="billing",
        heading="INVOICE",
        fields=(
            DocumentField("Number", "number"),
            DocumentField("Shipper", "shipper"),
            DocumentField("Date", "issued", "day"),
            DocumentField("Due", "due", "day"),
        ),
        lines=(
            (DocumentField("Charge", "label"), 34),
            (DocumentField("Amount", "amount", "money"), 18),
        ),
        footer="Storage and demurrage follow our general terms.",
    ),
    "delivery_order": Document(
        service="dispatch",
        heading="DELIVERY ORDER",
        fields=(
            DocumentField("Shipment", "shipment"),
            DocumentField("Vehicle", "vehicle"),
            DocumentField("Weight", "weight_kg", "kilograms"),
            DocumentField("At the door", "arrive_at", "instant"),
        ),
    ),
    "arrival_notice": Document(
        service="tracking",
        heading="ARRIVAL NOTICE",
        fields=(
            DocumentField("Shipment", "shipment"),
            DocumentField("Status", "status"),
            DocumentField("Expected", "expected", "day"),
        ),
        footer="Times are estimates and bind nobody.",
    ),
    "storage_note": Document(
        service="warehouse",
        heading="STORAGE NOTE",
        fields=(
            DocumentField("Lot", "lot"),
            DocumentField("In", "arrived", "day"),
            DocumentField("Out", "left", "day"),
            DocumentField("Days charged", "days"),
        ),
    ),
}
