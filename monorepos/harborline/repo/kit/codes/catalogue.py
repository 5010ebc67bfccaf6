"""Every enumeration that crosses a service boundary.

The value of a member is its code: what the wire carries and what the ledger
stores. Values of an IntEnum are spaced so that a stage can be put between two
others, and their numeric order is the order of events.
"""

from __future__ import annotations

from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType
from typing import Mapping


class ShipmentStatus(IntEnum):
    BOOKED = 10
    CONFIRMED = 20
    COLLECTED = 30
    EXPORT_CLEARED = 40
    DEPARTED = 50
    ARRIVED = 60
    IMPORT_CLEARED = 70
    OUT_FOR_DELIVERY = 80
    DELIVERED = 90
    CANCELLED = 99


class DeclarationState(IntEnum):
    DRAFT = 1
    SUBMITTED = 2
    ACCEPTED = 3
    HELD = 4
    RELEASED = 5
    REJECTED = 9


class Urgency(IntEnum):
    ECONOMY = 1
    STANDARD = 2
    EXPRESS = 3
    CRITICAL = 4


class TransportMode(StrEnum):
    SEA_FULL = "FCL"
    SEA_PART = "LCL"
    ROAD_FULL = "FTL"
    ROAD_PART = "LTL"


class Equipment(StrEnum):
    DRY_20 = "22G1"
    DRY_40 = "42G1"
    HIGH_CUBE_40 = "45G1"
    REEFER_40 = "45R1"
    TRAILER = "TRLR"


class HazardClass(StrEnum):
    EXPLOSIVE = "1"
    FLAMMABLE_GAS = "2.1"
    FLAMMABLE_LIQUID = "3"
    OXIDISER = "5.1"
    TOXIC = "6.1"
    CORROSIVE = "8"
    MISCELLANEOUS = "9"


class HoldReason(StrEnum):
    DOCUMENTS = "DOC"
    INSPECTION = "INS"
    PAYMENT = "PAY"
    VALUATION = "VAL"


class ChargeCode(StrEnum):
    FREIGHT = "FRT"
    FUEL = "BAF"
    TERMINAL = "THC"
    CUSTOMS = "CUS"
    STORAGE = "STO"
    DEMURRAGE = "DEM"
    CANCELLATION = "CAN"


LABELS: Mapping[type[Enum], Mapping[Enum, str]] = MappingProxyType({
    ShipmentStatus: {
        ShipmentStatus.BOOKED: "Booked",
        ShipmentStatus.CONFIRMED: "Confirmed",
        ShipmentStatus.COLLECTED: "Collected from shipper",
        ShipmentStatus.EXPORT_CLEARED: "Cleared for export",
        ShipmentStatus.DEPARTED: "Departed",
        ShipmentStatus.ARRIVED: "Arrived at destination port",
        ShipmentStatus.IMPORT_CLEARED: "Cleared for import",
        ShipmentStatus.OUT_FOR_DELIVERY: "Out for delivery",
        ShipmentStatus.DELIVERED: "Delivered",
        ShipmentStatus.CANCELLED: "Cancelled",
    },
    TransportMode: {
        TransportMode.SEA_FULL: "Sea, full container",
        TransportMode.SEA_PART: "Sea, groupage",
        TransportMode.ROAD_FULL: "Road, full load",
        TransportMode.ROAD_PART: "Road, part load",
    },
    HoldReason: {
        HoldReason.DOCUMENTS: "Documents missing",
        HoldReason.INSPECTION: "Physical inspection",
        HoldReason.PAYMENT: "Duty unpaid",
        HoldReason.VALUATION: "Value in question",
    },
    ChargeCode: {
        ChargeCode.FREIGHT: "Freight",
        ChargeCode.FUEL: "Fuel surcharge",
        ChargeCode.TERMINAL: "Terminal handling",
        ChargeCode.CUSTOMS: "Customs clearance",
        ChargeCode.STORAGE: "Storage",
        ChargeCode.DEMURRAGE: "Demurrage",
        ChargeCode.CANCELLATION: "Cancellation fee",
    },
})

# Codes we no longer send and still receive, by enumeration.
RETIRED_CODES: Mapping[type[Enum], Mapping[str, Enum]] = MappingProxyType({
    ShipmentStatus: {"35": ShipmentStatus.COLLECTED, "95": ShipmentStatus.DELIVERED},
    TransportMode: {"TRK": TransportMode.ROAD_FULL},
})

# What partners call our members; their codes are theirs and never stored.
PARTNER_CODES: Mapping[str, Mapping[str, Enum]] = MappingProxyType({
    "ocean_carrier": {
        "GI": ShipmentStatus.COLLECTED,
        "VD": ShipmentStatus.DEPARTED,
        "VA": ShipmentStatus.ARRIVED,
        "CT": ShipmentStatus.IMPORT_CLEARED,
        "OD": ShipmentStatus.OUT_FOR_DELIVERY,
        "DL": ShipmentStatus.DELIVERED,
    },
    "customs_gateway": {
        "ACK": DeclarationState.ACCEPTED,
        "HLD": DeclarationState.HELD,
        "REL": DeclarationState.RELEASED,
        "REJ": DeclarationState.REJECTED,
    },
})
