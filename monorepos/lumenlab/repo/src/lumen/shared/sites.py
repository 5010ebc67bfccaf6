"""A site: the state that functions pass along.

Plain dict with `name`, `letter`, `clock`, `stores` (paths that replace the
stores of the pieces, by piece), `conn` (ledger of capacity), `telemetry`,
`outbox` and `deeds`.
"""

from lumen.base.errors import StoreError
from lumen.shared import codes, config, flags, pools, roles, telemetry, vendoring

LETTERS = {"north": "N", "harbour": "H", "valley": "V"}


def open_site(name, clock, stores=None):
    """State of a site with an empty history; close it with `close_site`."""
    if name not in LETTERS:
        raise StoreError(f"no site {name!r}")
    stores = dict(stores or {})
    return {
        "name": name,
        "letter": LETTERS[name],
        "clock": clock,
        "stores": stores,
        "conn": pools.open_ledger(stores),
        "telemetry": {"samples": [], "lines": []},
        "outbox": {},
        "deeds": [],
    }


def close_site(site):
    """Give the ledger back."""
    site["conn"].close()


def inspect(site):
    """Faults of all stores as sentences; a deployment starts only without."""
    faults = []
    for piece in (config, flags, codes, vendoring, roles):
        faults += piece.check(site)
    faults += pools.check(site["conn"])
    return faults + telemetry.check_rules(site)
