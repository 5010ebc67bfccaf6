"""Worklists of the analyzers."""

from lumen.base.clock import now
from lumen.base.errors import Refused
from lumen.base.tables import group_by
from lumen.shared import codes, config, flags, pools, roles, telemetry, vendoring
from lumen.units.accession import compendium

UNIT = "benches"

BENCHES = {
    "chem-1": {"department": "CHEMISTRY", "controls": ("low", "high")},
    "haem-1": {"department": "HAEMATOLOGY", "controls": ("low", "normal", "high")},
    "coag-1": {"department": "COAGULATION", "controls": ("normal", "high")},
    "sero-1": {"department": "SEROLOGY", "controls": ("negative", "positive")},
}

# First test, side on which it is abnormal, limit, follow-up from the same tube.
_REFLEX = (("TSH", "above", "4.0", "FT4"), ("TSH", "below", "0.4", "FT4"))


def _wanted(specimen, department):
    return [test for test in specimen["tests"] if compendium.entry(test)["department"] == department]


def queue(site, bench, specimens):
    """Examinations waiting for a bench, in the order they are to be run.

    Urgency first (if the flag is on), then the specimen that expires first,
    then arrival. Rejected and expired specimens do not queue.
    """
    department, at = BENCHES[bench]["department"], now(site["clock"])
    urgent_first = flags.enabled(site, "urgent-first", UNIT, bench)
    usable = [s for s in specimens if not s["rejected"] and s["usable_until"] > at and _wanted(s, department)]

    def order(specimen):
        rank = codes.ranked(site, "priority", specimen["priority"]) if urgent_first else 0
        return (-rank, specimen["usable_until"], specimen["received"])

    return [
        {"case": s["case"], "tube": s["tube"], "priority": s["priority"], "tests": _wanted(s, department)}
        for s in sorted(usable, key=order)
    ]


def build(site, principal, bench, specimens):
    """Worklist for a bench: controls, then specimens, and what must wait.

    One position per specimen, however many tests. If the pool cannot give
    all, the list is halved until it fits: a short list now is better than a
    full list after the morning peak.
    """
    department = BENCHES[bench]["department"]
    roles.require(site, principal, "worklist.build", {"id": bench, "department": department})
    waiting = queue(site, bench, specimens)
    controls = BENCHES[bench]["controls"]
    take = min(len(waiting), config.view(site, UNIT)["worklist_size"])
    lease = None
    while take and lease is None:
        try:
            lease = pools.draw(site, UNIT, "analyzer-positions", take + len(controls))
        except Refused:
            take //= 2
    listed = waiting[:take]
    for priority, items in group_by(listed, "priority").items():
        telemetry.record(site, "worklist_positions", len(items), bench=bench, priority=priority)
    if listed:
        telemetry.log(site, UNIT, "worklist_built", bench=bench, positions=len(listed), lease=lease["id"],
                      urgent=sum(item["priority"] != "ROUTINE" for item in listed))
    positions = [{"control": control} for control in controls] if listed else []
    return {"bench": bench, "positions": positions + listed, "waiting": waiting[take:], "lease": lease}


def aliquots(site, bench, specimens, cases):
    """Labels of secondary tubes for specimens that another bench waits for.

    The primary tube stays with the bench that opened it; one labelled aliquot
    goes to each further department.
    """
    own = BENCHES[bench]["department"]
    labels = []
    for specimen in specimens:
        departments = {compendium.entry(test)["department"] for test in specimen["tests"]} - {own}
        case = cases[specimen["case"]]
        for department in sorted(departments, key=lambda name: codes.ranked(site, "department", name)):
            tube = f"{specimen['tube']}/{codes.code_of(site, 'department', department)}"
            labels.append(vendoring.tube_label(
                site, UNIT, case["id"], case["family_name"], case["given_name"] or "", case["birth"], tube))
    return labels


def reflex(site, test, value):
    """Follow-up tests of a measured value, by the bench's rules."""
    if not flags.enabled(site, "reflex-tests", UNIT):
        return []
    found = []
    for first, side, limit, follow in _REFLEX:
        beyond = value > type(value)(limit) if side == "above" else value < type(value)(limit)
        if first == test and beyond:
            found.append(follow)
    return found
