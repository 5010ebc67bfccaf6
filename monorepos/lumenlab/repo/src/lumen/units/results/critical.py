"""Critical values: phoned to the clinic, and read back.

A call counts as made when the clinic has read the value back. A callee who
does not pick up leaves the call open; the log of attempts is part of the
record that accreditation asks for.
"""

from datetime import timedelta

from lumen.base.clock import now
from lumen.base.errors import InputError, Refused
from lumen.base.quantities import parse_quantity, show_quantity
from lumen.shared import config, roles, telemetry
from lumen.units.results.verification import CRITICAL, UNIT


def open_call(site, result):
    """Call owed for a result, or None when it is not critical."""
    if result["flag"] not in CRITICAL:
        return None
    minutes = config.view(site, UNIT)["critical_call_minutes"]
    return {
        "id": result["id"], "case": result["case"], "test": result["test"],
        "department": result["department"], "quantity": dict(result["quantity"]),
        "owed_since": result["entered_at"],
        "due": result["entered_at"] + timedelta(minutes=minutes),
        "attempts": [], "read_back_at": None,
    }


def attempt(site, principal, call, callee, heard=None):
    """Note an attempt; `heard` is what the callee read back, if anybody did.

    A wrong read-back leaves the call open and says so.
    """
    if call["read_back_at"] is not None:
        raise Refused(f"{call['id']} has been read back", "read_back")
    roles.require(site, principal, "critical.call", call)
    at = now(site["clock"])
    call["attempts"].append({"at": at, "by": principal, "callee": callee, "heard": heard})
    if heard is None:
        return call
    if parse_quantity(heard)["value"] != call["quantity"]["value"]:
        raise InputError(f"read back {heard!r} for {show_quantity(call['quantity'])}", field="heard")
    call["read_back_at"] = at
    minutes = round((at - call["owed_since"]).total_seconds() / 60)
    telemetry.record(site, "critical_call_minutes", minutes, department=call["department"])
    telemetry.log(site, UNIT, "critical_called", case=call["case"], test=call["test"],
                  minutes=minutes, late="yes" if at > call["due"] else "no")
    return call


def overdue(site, calls):
    """Open calls past their time, the longest overdue first."""
    at = now(site["clock"])
    late = [call for call in calls if call["read_back_at"] is None and call["due"] < at]
    return sorted(late, key=lambda call: call["due"])
