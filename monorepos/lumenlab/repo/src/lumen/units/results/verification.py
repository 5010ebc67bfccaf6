"""Entry and verification of results."""

from datetime import timedelta
from decimal import Decimal

from lumen.base.clock import now
from lumen.base.errors import Refused
from lumen.shared import codes, config, flags, pools, roles, telemetry
from lumen.shared.workup import outbox
from lumen.units.accession import compendium
from lumen.units.results import ranges

UNIT = "results"
RULES_ENGINE = "svc-results"

# Change against the earlier value, in per cent, beyond which a mix-up of
# patients is likelier than a change of the patient.
_DELTA_PERCENT = {"NA": 8, "K": 40, "CREA": 60, "HB": 25, "PLT": 60, "TSH": 90}

CRITICAL = ("CRITICAL_LOW", "CRITICAL_HIGH")


def enter(site, principal, case, test, quantity, tube=None):
    """Result of a test, entered and flagged, not yet verified."""
    entry = compendium.entry(test)
    record = {"id": f"{case['id']}/{test}", "department": entry["department"]}
    roles.require(site, principal, "result.enter", record)
    return {
        **record,
        "case": case["id"],
        "clinic": case["clinic"],
        "patient_key": case["patient_key"],
        "test": test,
        "tube": tube,
        "quantity": dict(quantity),
        "flag": ranges.flag_for(test, quantity, case["sex"], case["birth"], now(site["clock"]).date()),
        "entered_at": now(site["clock"]),
        "released_at": None,
        "version": 1,
    }


def delta_percent(site, result, earlier):
    """Change against the latest released result of the patient, or None.

    None also when the check is off, the earlier result too old, or one of
    the two is only known to lie beyond a limit.
    """
    if result["test"] not in _DELTA_PERCENT or not flags.enabled(site, "delta-check", UNIT, result["clinic"]):
        return None
    since = result["entered_at"] - timedelta(days=config.view(site, UNIT)["delta_window_days"])
    same = [
        old for old in earlier
        if old["patient_key"] == result["patient_key"] and old["test"] == result["test"]
        and old["released_at"] is not None and old["released_at"] >= since
    ]
    if not same:
        return None
    last = max(same, key=lambda old: old["released_at"])
    if result["quantity"]["comparator"] or last["quantity"]["comparator"]:
        return None
    before = ranges.in_house_unit(result["test"], last["quantity"])
    if before == 0:
        return None
    after = ranges.in_house_unit(result["test"], result["quantity"])
    return (abs(after - before) / before * 100).quantize(Decimal("0.1"))


def needs_eyes(site, result, earlier):
    """Reason why a person has to look at the result, or None.

    Departments whose findings are read rather than measured always do.
    """
    if result["department"] in ("MICROBIOLOGY", "SEROLOGY"):
        return "read finding"
    if result["flag"] in CRITICAL:
        return "critical value"
    change = delta_percent(site, result, earlier)
    if change is not None and change > _DELTA_PERCENT[result["test"]]:
        return f"changed by {change} %"
    if result["flag"] == "UNRANGED":
        return "no reference range"
    return None


def _release(site, result, by, route):
    result["released_at"] = now(site["clock"])
    result["released_by"] = by
    telemetry.record(site, "results_released_total", department=result["department"], route=route)
    telemetry.log(site, UNIT, "result_released", case=result["case"], test=result["test"], by=by, route=route)
    outbox.publish(site, UNIT, "result-released", [result["id"], result["version"]], result)
    return result


def verify(site, principal, result):
    """Release by a pathologist, who must not have entered the result."""
    if result["released_at"] is not None:
        raise Refused(f"{result['id']} is released", "released")
    roles.require(site, principal, "result.verify", result)
    return _release(site, result, principal, "pathologist")


def autoverify(site, results, earlier=()):
    """Release what needs no eyes; returns the results that are left, with reasons."""
    left = []
    for result in results:
        reason = needs_eyes(site, result, earlier)
        if reason is None and not flags.enabled(site, "autoverify", UNIT, result["clinic"]):
            reason = "autoverification is off"
        if reason is None:
            roles.require(site, RULES_ENGINE, "result.verify", result)
            _release(site, result, RULES_ENGINE, "rule")
        else:
            left.append((result, reason))
    return left


def amend(site, principal, result, quantity, case, why):
    """New version of a released result; the old one stays as it was."""
    if result["released_at"] is None:
        raise Refused(f"{result['id']} is not released, enter it anew", "unreleased")
    roles.require(site, principal, "result.amend", {"id": f"{result['id']}#{result['version'] + 1}"})
    flag = ranges.flag_for(result["test"], quantity, case["sex"], case["birth"], now(site["clock"]).date())
    amended = {**result, "quantity": dict(quantity), "flag": flag, "version": result["version"] + 1,
               "why_amended": why}
    return _release(site, amended, principal, "pathologist")


def rerun(site, results):
    """Lease of analyzer positions to measure results again, urgent or not."""
    return pools.draw(site, UNIT, "analyzer-positions", len(results)) if results else None


def order_progress(site, case, results):
    """State that a case has reached, given its results; never a step back."""
    released = {result["test"] for result in results if result["released_at"] is not None}
    entered = {result["test"] for result in results}
    if released.issuperset(case["tests"]):
        reached = "RELEASED"
    elif entered.issuperset(case["tests"]):
        reached = "RESULTED"
    else:
        reached = "IN_PROGRESS" if entered else case["state"]
    if codes.ranked(site, "order_state", reached) > codes.ranked(site, "order_state", case["state"]):
        case["state"] = reached
    return case["state"]
