"""Allotment of capacity.

A unit draws first on its own floor, then on the open part of the pool, then,
where it has a right to it, on the reserve. The open part is what neither the
reserve nor the unused floors of others claim. Leases end by release or by
time, so that a crashed worker gives its slots back.
"""

from datetime import timedelta

from lumen.base.clock import now, stamp
from lumen.base.errors import Refused, StoreError
from lumen.shared import telemetry
from lumen.shared.pools.ledger import open_hours, pool_row, reserve_right, shares


def _held(conn, pool, at):
    """Amounts held per unit: (outside the reserve, from the reserve)."""
    rows = conn.execute(
        "SELECT unit, SUM(amount - from_reserve) AS plain, SUM(from_reserve) AS reserved FROM lease"
        " WHERE pool = ? AND released_at IS NULL AND until > ? GROUP BY unit",
        (pool, stamp(at)),
    )
    return {row["unit"]: (row["plain"], row["reserved"]) for row in rows}


def _position(conn, pool, unit, at):
    """What `unit` could take now, by source."""
    row, table, held = pool_row(conn, pool), shares(conn, pool), _held(conn, pool, at)
    if unit not in table:
        raise Refused(f"{unit} has no share of {pool}", "no_share")
    mine, mine_reserved = held.get(unit, (0, 0))
    cap = table[unit]["cap"] + sum(b["extra"] for b in open_hours(conn, "burst", pool, unit, at))
    protected = sum(
        max(0, share["floor"] - held.get(other, (0, 0))[0])
        for other, share in table.items()
        if other != unit and not open_hours(conn, "lend", pool, other, at)
    )
    used = sum(plain for plain, _ in held.values())
    free = row["size"] - row["reserve"] - used - protected
    reserve_left = row["reserve"] - sum(reserved for _, reserved in held.values())
    right = reserve_right(conn, pool, unit) - mine_reserved
    return {
        "held": mine + mine_reserved,
        "headroom": max(0, cap - mine),
        "free": max(0, free),
        "reserve": max(0, min(reserve_left, right)),
    }


def acquire(conn, clock, pool, unit, amount, minutes=None):
    """Lease of `amount`, as a dict with its id; Refused when there is no room.

    The cap bounds what is held outside the reserve. A lease lasts `minutes`,
    by default the pool's hold time. Nothing is granted in part.
    """
    if amount <= 0:
        raise ValueError("an amount is positive")
    at = now(clock)
    place = _position(conn, pool, unit, at)
    plain = min(amount, place["headroom"], place["free"])
    reserved = amount - plain
    if reserved > place["reserve"]:
        capped = place["headroom"] < amount and place["headroom"] <= place["free"]
        rule = "cap" if capped else "full"
        raise Refused(f"{pool}: no room for {amount} of {unit} ({rule})", rule)
    until = at + timedelta(minutes=minutes or pool_row(conn, pool)["hold_minutes"])
    with conn:
        cursor = conn.execute(
            "INSERT INTO lease (pool, unit, amount, from_reserve, taken_at, until) VALUES (?, ?, ?, ?, ?, ?)",
            (pool, unit, amount, reserved, stamp(at), stamp(until)),
        )
    return {"id": cursor.lastrowid, "pool": pool, "unit": unit, "amount": amount,
            "from_reserve": reserved, "until": until}


def draw(site, unit, pool, amount, minutes=None):
    """`acquire` on the ledger of a site; a refusal is counted."""
    try:
        return acquire(site["conn"], site["clock"], pool, unit, amount, minutes)
    except Refused:
        telemetry.record(site, "pool_refusals_total", unit=unit, pool=pool)
        raise


def release(conn, clock, lease_id):
    """End a lease; ending it twice is no error, an unknown id is."""
    if conn.execute("SELECT 1 FROM lease WHERE id = ?", (lease_id,)).fetchone() is None:
        raise StoreError(f"pools: no lease {lease_id}")
    with conn:
        conn.execute(
            "UPDATE lease SET released_at = ? WHERE id = ? AND released_at IS NULL",
            (stamp(now(clock)), lease_id),
        )


def holding(conn, clock, pool, unit):
    """Amount that `unit` holds of `pool` now, reserve included."""
    return sum(_held(conn, pool, now(clock)).get(unit, (0, 0)))


def usage(conn, clock, pool):
    """Use of a pool now: size, reserve, and per unit floor, cap and held."""
    row, held = pool_row(conn, pool), _held(conn, pool, now(clock))
    units = {
        unit: {**share, "held": sum(held.get(unit, (0, 0)))}
        for unit, share in shares(conn, pool).items()
    }
    taken = sum(sum(pair) for pair in held.values())
    return {"size": row["size"], "reserve": row["reserve"], "taken": taken, "units": units}


def schedule(conn, clock, pool, requests):
    """Serve requests (unit, amount, rank) by falling rank, then in order.

    Returns (leases, deferred): a request that finds no room is deferred and
    does not stop smaller ones behind it.
    """
    leases, deferred = [], []
    queue = sorted(enumerate(requests), key=lambda item: (-item[1][2], item[0]))
    for _, (unit, amount, rank) in queue:
        try:
            leases.append(acquire(conn, clock, pool, unit, amount))
        except Refused as refusal:
            deferred.append({"unit": unit, "amount": amount, "rank": rank, "rule": refusal.rule})
    return leases, deferred
