"""The ledger: schema and seed in an in-memory database."""

import atexit
import sqlite3
from functools import lru_cache
from pathlib import Path

from lumen.base.clock import minute_of_day, within_hours
from lumen.base.errors import InputError, StoreError

SCHEMA = Path(__file__).with_name("schema.sql")
SEED = Path(__file__).with_name("seed.sql")


def open_ledger(stores=None):
    """Fresh connection with the seeded pools and no leases."""
    stores = stores or {}
    conn = sqlite3.connect(":memory:")
    conn.row_factory = sqlite3.Row
    _seeded(
        Path(stores.get("schema", SCHEMA)).read_text(encoding="utf-8"),
        Path(stores.get("seed", SEED)).read_text(encoding="utf-8"),
    ).backup(conn)
    conn.execute("PRAGMA foreign_keys = ON")
    return conn


@lru_cache(maxsize=8)
def _seeded(schema, seed):
    """Database of a schema and a seed, to be copied and never handed out."""
    conn = sqlite3.connect(":memory:")
    conn.execute("PRAGMA foreign_keys = ON")
    try:
        conn.executescript(schema)
        conn.executescript(seed)
    except sqlite3.Error as problem:
        conn.close()
        raise StoreError(f"pools: {problem}") from problem
    atexit.register(conn.close)
    return conn


def pool_row(conn, pool):
    """Row of a pool."""
    row = conn.execute("SELECT * FROM pool WHERE name = ?", (pool,)).fetchone()
    if row is None:
        raise StoreError(f"pools: no pool {pool!r}")
    return row


def shares(conn, pool):
    """Floor and cap by unit."""
    rows = conn.execute("SELECT unit, floor, cap FROM share WHERE pool = ? ORDER BY unit", (pool,))
    return {row["unit"]: {"floor": row["floor"], "cap": row["cap"]} for row in rows}


def open_hours(conn, table, pool, unit, moment):
    """Rows of `burst` or `lend` whose hours include the moment."""
    rows = conn.execute(f"SELECT * FROM {table} WHERE pool = ? AND unit = ?", (pool, unit))
    return [row for row in rows if within_hours(moment, row["hours"])]


def reserve_right(conn, pool, unit):
    """Amount of the reserve that the unit may draw; 0 without a right."""
    row = conn.execute(
        "SELECT amount FROM reserve_right WHERE pool = ? AND unit = ?", (pool, unit)
    ).fetchone()
    return row["amount"] if row else 0


def check(conn):
    """Faults of the seed as sentences."""
    faults = []
    for row in conn.execute("SELECT * FROM pool ORDER BY name"):
        promised = sum(share["floor"] for share in shares(conn, row["name"]).values())
        if promised + row["reserve"] > row["size"]:
            faults.append(f"{row['name']}: floors {promised} and reserve {row['reserve']} exceed {row['size']}")
        for unit, share in shares(conn, row["name"]).items():
            if share["cap"] > row["size"] - row["reserve"]:
                faults.append(f"{row['name']}: cap of {unit} reaches into the reserve")
    for row in conn.execute("SELECT r.*, p.reserve FROM reserve_right r JOIN pool p ON p.name = r.pool"):
        if row["amount"] > row["reserve"]:
            faults.append(f"{row['pool']}: {row['unit']} may draw more than the reserve")
    for table in ("burst", "lend"):
        for row in conn.execute(f"SELECT * FROM {table} ORDER BY pool, unit"):
            if row["unit"] not in shares(conn, row["pool"]):
                faults.append(f"{row['pool']}: {table} for {row['unit']}, which has no share")
            try:
                for end in row["hours"].split("-"):
                    minute_of_day(end)
            except InputError as problem:
                faults.append(f"{row['pool']}: {table} for {row['unit']}: {problem}")
    return faults
