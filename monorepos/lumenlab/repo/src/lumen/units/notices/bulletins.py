"""Notices: drafted from released results, sent to authorities."""

from lumen.base.clock import now, stamp
from lumen.base.errors import Refused, Unreachable
from lumen.base.quantities import show_quantity
from lumen.base.text import mask
from lumen.shared import codes, config, exchange, flags, pools, roles, telemetry, vendoring
from lumen.shared.workup import outbox
from lumen.units.accession import compendium
from lumen.units.notices import conditions
from lumen.units.notices.conditions import UNIT

SENDER = "svc-notices"


def open_register():
    """Empty register: notices by id, and the first day of each illness."""
    return {"notices": {}, "episodes": {}}


def draft(site, register, case, result):
    """Notice for a released result, or None when none is owed.

    A finding of an illness already notified makes no second notice; an
    amended result does, since the authority acted on the first.
    """
    rule = conditions.rule_for(result)
    if rule is None or result["released_at"] is None:
        return None
    day = result["released_at"].date()
    episode = (result["patient_key"], rule["condition"])
    first = register["episodes"].get(episode)
    if first and conditions.same_episode(rule, first, day) and result["version"] == 1:
        return None
    register["episodes"].setdefault(episode, day)
    notice = {
        "id": f"{result['id']}.{result['version']}", "case": case["id"], "test": result["test"],
        "condition": rule["condition"], "authority": rule["authority"], "named": rule["named"],
        "basis": "LABORATORY", "quantity": dict(result["quantity"]),
        "found_at": result["released_at"], "due": conditions.due(site, rule, result["released_at"]),
        "receipt": None, "sent_at": None,
    }
    register["notices"].setdefault(notice["id"], notice)
    return register["notices"][notice["id"]]


def collect(site, register, cases):
    """Draft notices for all results released since the last time."""
    drafted = []

    def handle(result):
        notice = draft(site, register, cases[result["case"]], result)
        if notice:
            drafted.append(notice)

    outbox.take(site, UNIT, "result-released", handle)
    return drafted


def message(site, notice, case):
    """Segment message of a notice.

    Without a name the authority gets the last four characters of the case
    number, enough to ask back and too little to find the patient.
    """
    cohorts = [case["cohort"]] if case["cohort"] else []
    anonymous = not notice["named"] or flags.enabled(site, "anonymous-notices", UNIT, case["clinic"], cohorts)
    who = (mask(case["id"]), None) if anonymous else (case["family_name"], case["given_name"])
    digits = config.view(site, UNIT)["notice_digits"]
    material = compendium.entry(notice["test"])["material"]
    return vendoring.send(site, UNIT, [
        ("MSH", ["LUMEN", notice["authority"], stamp(now(site["clock"])), notice["id"]]),
        ("PID", [who, case["birth"].year if anonymous else f"{case['birth']:%Y%m%d}",
                 codes.translate(site, "sex", case["sex"], "authority")]),
        ("OBX", [notice["condition"], notice["test"], show_quantity(notice["quantity"], digits),
                 codes.translate(site, "specimen_type", material, "authority"),
                 codes.code_of(site, "notice_basis", notice["basis"])]),
    ])


def send(site, notice, case, authority):
    """Send a notice; True when it was acknowledged.

    The authority answers with a segment message; MSA|AA|id|receipt accepts.
    A refusal by the authority is a matter for a person and raises Refused.
    """
    if notice["receipt"]:
        return True
    roles.require(site, SENDER, "notice.send", notice)
    if not flags.enabled(site, "electronic-notices", UNIT):
        raise Refused("notices go by fax for the time being", "electronic-notices")
    lease = pools.draw(site, UNIT, "partner-lines", 1)
    try:
        reply = exchange.call(site, UNIT, authority, message(site, notice, case))
    except Unreachable:
        return False
    finally:
        pools.release(site["conn"], site["clock"], lease["id"])
    answer = next((s["fields"] for s in vendoring.receive(site, UNIT, reply) if s["name"] == "MSA"), {})
    if answer.get(1) != "AA":
        raise Refused(f"{notice['authority']} refused {notice['id']}: {answer.get(3, 'no reason')}", "authority")
    notice["receipt"], notice["sent_at"] = answer.get(3), now(site["clock"])
    minutes = round((notice["sent_at"] - notice["found_at"]).total_seconds() / 60)
    telemetry.record(site, "notices_sent_total", authority=notice["authority"], condition=notice["condition"])
    telemetry.record(site, "notice_delay_minutes", minutes, authority=notice["authority"])
    telemetry.log(site, UNIT, "notice_sent", case=notice["case"], condition=notice["condition"],
                  authority=notice["authority"], receipt=notice["receipt"])
    return True


def owed(site, register):
    """Notices without receipt, the most pressing first, with minutes left."""
    at = now(site["clock"])
    open_ones = [notice for notice in register["notices"].values() if not notice["receipt"]]
    return [
        (notice, round((notice["due"] - at).total_seconds() / 60))
        for notice in sorted(open_ones, key=lambda notice: (notice["due"], notice["id"]))
    ]
