"""Custody of transport boxes, from the clinic's counter to the bench."""

from datetime import timedelta

from lumen.base.clock import now
from lumen.base.errors import Refused
from lumen.shared import codes, config, flags, roles, telemetry
from lumen.shared.workup import outbox
from lumen.units.couriers.rounds import UNIT

_DEEDS = {"HANDED_OVER": "box.open", "IN_TRANSIT": "box.close", "ARRIVED": "box.deliver"}

# The probe warms when the lid is lifted; shorter excursions are the lid.
_LID_MINUTES = 10


def open_box(site, name, route, tubes):
    """Custody record of a box that stands at a clinic.

    `tubes` are dicts with at least `tube`, `case` and `drawn`.
    """
    return {"id": name, "route": route, "tubes": [dict(tube) for tube in tubes], "state": "DRAWN",
            "trail": [("DRAWN", now(site["clock"]), None)], "warmed": False}


def step(site, principal, box, state):
    """Move a box on by one or more states; custody never goes back."""
    if state not in _DEEDS:
        raise Refused(f"couriers do not bring a box to {state}", "not_courier")
    roles.require(site, principal, _DEEDS[state], box)
    before = codes.ranked(site, "custody_state", box["state"])
    if codes.ranked(site, "custody_state", state) <= before:
        raise Refused(f"{box['id']} is already {box['state']}", "backwards")
    if state == "ARRIVED" and box["state"] != "IN_TRANSIT":
        raise Refused(f"{box['id']} arrived without being closed", "gap")
    box["state"] = state
    box["trail"].append((state, now(site["clock"]), principal))
    return box


def excursions(site, readings):
    """Spans outside the refrigerated band as (start, end, extreme).

    `readings` are (moment, degrees) in order of time. A span ends at the
    first reading back in the band; one that never ends lasts to the last.
    """
    settings = config.view(site, UNIT)
    low, high = settings["chill_low_c"], settings["chill_high_c"]
    spans, start, extreme = [], None, None
    for moment, degrees in readings:
        if low <= degrees <= high:
            if start is not None:
                spans.append((start, moment, extreme))
            start = extreme = None
            continue
        if start is None:
            start, extreme = moment, degrees
        worse = max if degrees > high else min
        extreme = worse(extreme, degrees)
    if start is not None:
        spans.append((start, readings[-1][0], extreme))
    return [span for span in spans if span[1] - span[0] > timedelta(minutes=_LID_MINUTES)]


def deliver(site, principal, box, readings):
    """Hand a box over at the laboratory and judge its logger.

    Accession learns of the arrival by an event. With the alarm off, a warmed
    box is noted but its tubes are not marked.
    """
    step(site, principal, box, "ARRIVED")
    minutes = max((now(site["clock"]) - tube["drawn"]).total_seconds() / 60 for tube in box["tubes"])
    telemetry.record(site, "transit_minutes", round(minutes), route=box["route"])
    telemetry.log(site, UNIT, "box_received", box=box["id"], route=box["route"],
                  tubes=len(box["tubes"]), minutes=round(minutes))
    spans = excursions(site, readings)
    if spans:
        telemetry.record(site, "cold_chain_breaks_total", route=box["route"])
        telemetry.log(site, UNIT, "cold_chain_break", box=box["id"], route=box["route"],
                      low=min(extreme for _, _, extreme in spans), high=max(extreme for _, _, extreme in spans))
        box["warmed"] = flags.enabled(site, "cold-chain-alarm", UNIT, box["route"])
    outbox.publish(site, UNIT, "box-arrived", [box["id"], now(site["clock"]).date()], {
        "box": box["id"], "tubes": tuple(tube["tube"] for tube in box["tubes"]), "warmed": box["warmed"],
    })
    return spans
