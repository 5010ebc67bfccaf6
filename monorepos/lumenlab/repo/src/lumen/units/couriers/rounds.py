"""Planning of rounds.

A stop is a dict: `clinic`, `street` (position on the fixed tour), `ready`
(moment from which tubes wait), `drawn` (moment of the oldest draw), `tubes`,
`drive_minutes` (from the stop before, or from the laboratory) and
`home_minutes` (back to the laboratory).
"""

from datetime import timedelta

from lumen.base.clock import at_wall_time, now
from lumen.shared import config, flags, pools

UNIT = "couriers"

_HANDOVER_MINUTES = 4


def _deadline(site, stop, limit):
    own = stop.get("limit_minutes")
    return stop["drawn"] + timedelta(minutes=min(limit, own) if own else limit)


def tour(site, route, stops):
    """Stops in driving order.

    The fixed tour follows the streets. With dynamic rounds the stop whose
    tubes expire first comes first, streets decide between equals.
    """
    limit = config.view(site, UNIT)["transit_limit_minutes"]
    if flags.enabled(site, "dynamic-rounds", UNIT, route):
        return sorted(stops, key=lambda stop: (_deadline(site, stop, limit), stop["street"]))
    return sorted(stops, key=lambda stop: stop["street"])


def plan(site, route, stops):
    """Plan of a round: visits with times, boxes leased, stops left over.

    A stop is left over when calling there would bring the van home after the
    cutoff, or make a tube already on board miss its deadline. What does not
    fit in the boxes left over is refused by the pool and stops the plan.
    """
    settings = config.view(site, UNIT)
    at = now(site["clock"])
    cutoff = at_wall_time(at.date(), settings["courier_cutoff"])
    on_board, visits, left = None, [], []
    for stop in tour(site, route, stops):
        arrive = max(at + timedelta(minutes=stop["drive_minutes"]), stop["ready"])
        depart = arrive + timedelta(minutes=_HANDOVER_MINUTES)
        home = depart + timedelta(minutes=stop["home_minutes"])
        deadline = _deadline(site, stop, settings["transit_limit_minutes"])
        tightest = min(deadline, on_board) if on_board else deadline
        if home > cutoff or home > tightest:
            late = "cutoff" if home > cutoff else "stability"
            left.append({"clinic": stop["clinic"], "tubes": stop["tubes"], "why": late})
            continue
        visits.append({"clinic": stop["clinic"], "arrive": arrive, "depart": depart, "tubes": stop["tubes"]})
        at, on_board, back = depart, tightest, home
    if not visits:
        return {"route": route, "visits": [], "boxes": 0, "lease": None, "home": None, "left": left}
    boxes = -(-sum(visit["tubes"] for visit in visits) // settings["courier_box_tubes"])
    lease = pools.draw(site, UNIT, "transport-boxes", boxes)
    return {"route": route, "visits": visits, "boxes": boxes, "lease": lease, "home": back, "left": left}


def finish(site, plan_made):
    """Give the boxes of a round back after unloading."""
    if plan_made["lease"]:
        pools.release(site["conn"], site["clock"], plan_made["lease"]["id"])
