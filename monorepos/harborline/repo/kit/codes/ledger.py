"""Where the status of every shipment is kept, by code, in sqlite.

Readers outside Python query the table too, which is why it holds codes and not
names.
"""

from __future__ import annotations

import sqlite3
import weakref
from dataclasses import dataclass
from datetime import datetime

from kit.codes.catalogue import ShipmentStatus
from kit.codes.wire import decode
from kit.errors import RequestRefused

_SCHEMA = """
CREATE TABLE IF NOT EXISTS status_event (
    id INTEGER PRIMARY KEY,
    shipment TEXT NOT NULL,
    code INTEGER NOT NULL,
    at TEXT NOT NULL,
    source TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS status_event_shipment ON status_event (shipment, code);
"""


class StatusStepRefused(RequestRefused):
    pass


@dataclass(frozen=True)
class StatusEntry:
    shipment: str
    status: ShipmentStatus
    at: datetime
    source: str


class StatusLedger:
    def __init__(self, location: str = ":memory:") -> None:
        self._db = sqlite3.connect(location)
        weakref.finalize(self, self._db.close)
        self._db.executescript(_SCHEMA)

    def record(self, shipment: str, status: ShipmentStatus, at: datetime, source: str) -> StatusEntry:
        """Late news about an earlier stage is kept; nothing follows a final stage."""
        latest = self.latest(shipment)
        if latest and latest.status in (ShipmentStatus.DELIVERED, ShipmentStatus.CANCELLED) and status > latest.status:
            raise StatusStepRefused(f"{shipment} is {latest.status.name.lower()} already")
        if status is ShipmentStatus.CANCELLED and latest and latest.status >= ShipmentStatus.DEPARTED:
            raise StatusStepRefused(f"{shipment} has departed and cannot be cancelled")
        with self._db:
            self._db.execute(
                "INSERT INTO status_event (shipment, code, at, source) VALUES (?, ?, ?, ?)",
                (shipment, int(status), at.isoformat(), source),
            )
        return StatusEntry(shipment, status, at, source)

    def latest(self, shipment: str) -> StatusEntry | None:
        """The furthest stage reached, which need not be the last one reported."""
        rows = self._entries("WHERE shipment = ? ORDER BY code DESC, id DESC LIMIT 1", (shipment,))
        return rows[0] if rows else None

    def history(self, shipment: str) -> tuple[StatusEntry, ...]:
        return self._entries("WHERE shipment = ? ORDER BY at, code", (shipment,))

    def between(self, lowest: ShipmentStatus, below: ShipmentStatus) -> tuple[str, ...]:
        """Shipments whose furthest stage lies in the half-open range."""
        rows = self._db.execute(
            "SELECT shipment FROM status_event GROUP BY shipment"
            " HAVING MAX(code) >= ? AND MAX(code) < ? ORDER BY shipment",
            (int(lowest), int(below)),
        )
        return tuple(row[0] for row in rows)

    def _entries(self, clause: str, values: tuple[object, ...]) -> tuple[StatusEntry, ...]:
        rows = self._db.execute(f"SELECT shipment, code, at, source FROM status_event {clause}", values)
        return tuple(
            StatusEntry(shipment, decode(ShipmentStatus, code), datetime.fromisoformat(at), source)
            for shipment, code, at, source in rows
        )
