"""From rows of a clinic to numbered cases."""

from datetime import timedelta

from lumen.base import dates, ids
from lumen.base.clock import now
from lumen.base.errors import InputError, Refused
from lumen.base.text import fold
from lumen.shared import codes, config, flags, roles, telemetry
from lumen.shared.workup import intake, outbox
from lumen.units.accession import compendium

UNIT = "accession"

ORDER_FORM = {
    "name": "orders",
    "sep": ";",
    "columns": (
        ("clinic", "slug", "must"),
        ("request", "text", "must"),
        ("family_name", "text", "must"),
        ("given_name", "text", "may"),
        ("birth", "day", "must"),
        ("sex", "code:sex", "may"),
        ("priority", "code:priority", "may"),
        ("tests", "text", "must"),
        ("cohort", "slug", "may"),
        ("payer", "slug", "may"),
        ("insurance_number", "text", "may"),
    ),
}


def open_book():
    """Empty book of cases, with the serial numbers given per laboratory day."""
    return {"cases": {}, "serials": {}, "requests": {}}


def patient_key(row):
    """Identity of a patient across clinics: names folded, and day of birth."""
    return ids.event_key("patient", row["family_name"], row["given_name"] or "", row["birth"])


def _repeats(site, book, row, tests):
    """Tests that the same patient had accepted within the repeat window."""
    cohorts = [row["cohort"]] if row["cohort"] else []
    if not flags.enabled(site, "repeat-order-block", UNIT, row["clinic"], cohorts):
        return []
    if row["priority"] == "STAT":
        return []
    window = timedelta(hours=config.view(site, UNIT)["repeat_window_hours"])
    since, who = now(site["clock"]) - window, patient_key(row)
    recent = set()
    for case in book["cases"].values():
        if case["patient_key"] == who and case["accepted_at"] > since and case["state"] != "CANCELLED":
            recent.update(case["tests"])
    return [test for test in tests if test in recent]


def _next_number(site, book):
    day = dates.lab_day(now(site["clock"]), config.view(site, UNIT)["lab_opens"])
    book["serials"][day] = book["serials"].get(day, 0) + 1
    return ids.accession_number(site["letter"], day, book["serials"][day])


def _case(site, book, row):
    tests = compendium.expand(row["tests"].replace("+", " ").split())
    held = _repeats(site, book, row, tests)
    kept = [test for test in tests if test not in held]
    return {
        "id": _next_number(site, book) if kept else None,
        "patient_key": patient_key(row),
        "state": "RECEIVED",
        "accepted_at": now(site["clock"]),
        **{name: row[name] for name, _, _ in ORDER_FORM["columns"]},
        "sex": row["sex"] or "UNKNOWN",
        "priority": row["priority"] or "ROUTINE",
        "ordered": row["tests"].upper().replace("+", " ").split(),
        "tests": kept,
        "held": held,
    }


def accept(site, principal, book, raw):
    """Cases from an electronic requisition, and the faults for the clinic.

    A request is known by clinic and request number; sent twice it is accepted
    once. A request whose tests are all held makes no case.
    """
    roles.require(site, principal, "order.accept")
    if not flags.enabled(site, "electronic-requisition", UNIT):
        raise Refused("orders arrive on paper for the time being", "electronic-requisition")
    rows, faults = intake.read(site, UNIT, ORDER_FORM, raw)
    accepted = []
    for row in rows:
        request = (row["clinic"], fold(row["request"]))
        if request in book["requests"]:
            continue
        try:
            case = _case(site, book, row)
        except InputError as problem:
            faults.append({"row": row["row"], "field": problem.field or "tests", "fault": str(problem)})
            continue
        if case["held"]:
            telemetry.record(site, "tests_held_total", len(case["held"]), clinic=row["clinic"])
        book["requests"][request] = case["id"]
        if case["id"] is None:
            continue
        book["cases"][case["id"]] = case
        accepted.append(case)
        telemetry.record(site, "orders_accepted_total", clinic=case["clinic"], priority=case["priority"])
        telemetry.log(site, UNIT, "order_accepted", case=case["id"], clinic=case["clinic"],
                      priority=case["priority"], tests=len(case["tests"]))
        outbox.publish(site, UNIT, "order-accepted", [case["id"]],
                       {"case": case["id"], "clinic": case["clinic"], "tests": tuple(case["tests"])})
    return accepted, faults


def cancel(site, principal, book, case_id, reason):
    """Withdraw a case; refused once results exist."""
    case = book["cases"][case_id]
    roles.require(site, principal, "order.cancel", case)
    reached = codes.ranked(site, "order_state", case["state"])
    if reached >= codes.ranked(site, "order_state", "RESULTED"):
        raise Refused(f"{case_id} has results", "resulted")
    case.update(state="CANCELLED", cancel_reason=reason)
    return case
