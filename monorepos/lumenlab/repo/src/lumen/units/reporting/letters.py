"""Letters: what a clinician reads."""

from datetime import timedelta

from lumen.base.clock import now
from lumen.base.tables import group_by
from lumen.shared import codes, config, flags, pools
from lumen.shared.workup import render
from lumen.units.accession import compendium

UNIT = "reporting"

_COLUMNS = (
    ("name", "Test", "text", "l"),
    ("quantity", "Result", "quantity", "r"),
    ("flag", "Flag", "text", "l"),
    ("before", "Before", "quantity", "r"),
)


def latest(results):
    """Highest version of each test's result, in order of first sight."""
    newest = {}
    for result in results:
        kept = newest.get(result["test"])
        if kept is None or result["version"] > kept["version"]:
            newest[result["test"]] = result
    return list(newest.values())


def state_of(case, results):
    """PARTIAL, COMPLETE or AMENDED, or None with nothing released."""
    released = [result for result in latest(results) if result["released_at"] is not None]
    if not released:
        return None
    if not {result["test"] for result in released}.issuperset(case["tests"]):
        return "PARTIAL"
    return "AMENDED" if any(result["version"] > 1 for result in released) else "COMPLETE"


def _earlier(case, test, archive):
    """Quantity of the patient's latest earlier result of a test, or None."""
    old = [
        result for result in archive
        if result["patient_key"] == case["patient_key"] and result["test"] == test
        and result["case"] != case["id"] and result["released_at"] is not None
    ]
    return max(old, key=lambda result: result["released_at"])["quantity"] if old else None


def _rows(site, case, results, archive):
    for result in results:
        plain = result["flag"] in ("NORMAL", "UNRANGED")
        yield {
            "name": compendium.entry(result["test"])["name"],
            "quantity": result["quantity"],
            "flag": "" if plain else codes.code_of(site, "result_flag", result["flag"]),
            "before": _earlier(case, result["test"], archive),
        }


def compose(site, case, results, archive=()):
    """Letter of a case: state, lines, version.

    Departments follow the house order. Missing tests are named, so that a
    partial report cannot be taken for a complete one. The version is the sum
    of the results' versions: each release and each amendment makes it grow.
    """
    state = state_of(case, results)
    released = [result for result in latest(results) if result["released_at"] is not None]
    blocks = [("fields", [
        ("Patient", "person", (case["family_name"], case["given_name"])),
        ("Born", "day", case["birth"]),
        ("Sex", "code:sex", case["sex"]),
        ("Case", "text", case["id"]),
        ("Printed", "moment", now(site["clock"])),
    ])]
    groups = group_by(released, "department")
    for department in sorted(groups, key=lambda name: codes.ranked(site, "department", name)):
        blocks.append(("note", codes.label_of(site, "department", department)))
        blocks.append(("table", _COLUMNS, list(_rows(site, case, groups[department], archive))))
    done = {result["test"] for result in released}
    missing = [compendium.entry(test)["name"] for test in case["tests"] if test not in done]
    if missing:
        blocks.append(("note", f"To follow: {', '.join(missing)}."))
    if case["held"]:
        blocks.append(("note", f"Not repeated: {', '.join(case['held'])}, reported within the repeat window."))
    title = codes.label_of(site, "report_state", state)
    if state == "AMENDED" and flags.enabled(site, "amendment-banner", UNIT, case["clinic"]):
        changed = ", ".join(result["test"] for result in released if result["version"] > 1)
        title = f"*** {title}: {changed} ***"
    return {
        "case": case["id"], "clinic": case["clinic"], "state": state,
        "version": sum(result["version"] for result in released),
        "lines": render.document(site, UNIT, title, blocks),
    }


def is_due(site, case, results):
    """May a letter go out now?

    A complete one at once; a partial one when the clinic takes partial
    reports and the hold time since acceptance is over. An urgent case is
    not held.
    """
    state = state_of(case, results)
    if state is None:
        return False
    if state != "PARTIAL" or case["priority"] != "ROUTINE":
        return True
    cohorts = [case["cohort"]] if case["cohort"] else []
    if not flags.enabled(site, "partial-reports", UNIT, case["clinic"], cohorts):
        return False
    hold = timedelta(minutes=config.view(site, UNIT)["report_hold_minutes"])
    return now(site["clock"]) >= case["accepted_at"] + hold


def print_run(site, pairs):
    """Letters of (case, results) pairs that are due, laid out by leased workers."""
    due = [(case, results) for case, results in pairs if is_due(site, case, results)]
    if not due:
        return []
    lease = pools.draw(site, UNIT, "render-workers", min(len(due), 8))
    try:
        return [compose(site, case, results) for case, results in due]
    finally:
        pools.release(site["conn"], site["clock"], lease["id"])
