"""Delivery of letters: into the clinic's system, or to its printer."""

from lumen.base.clock import now
from lumen.base.errors import Unreachable
from lumen.shared import codes, exchange, flags, pools, roles, telemetry
from lumen.units.reporting.letters import UNIT

SENDER = "svc-reporting"


def channel_for(site, case):
    """"portal" where direct delivery is on for the clinic, else "printer"."""
    cohorts = [case["cohort"]] if case["cohort"] else []
    direct = flags.enabled(site, "direct-delivery", UNIT, case["clinic"], cohorts)
    return "portal" if direct else "printer"


def _payload(site, letter, results):
    """Structured form for the clinic's system: flags in the portal's scheme."""
    return {
        "key": f"{letter['case']}.{letter['version']}",
        "state": codes.code_of(site, "report_state", letter["state"]),
        "results": [
            {"test": result["test"],
             "value": f"{result['quantity']['comparator']}{result['quantity']['value']}",
             "unit": result["quantity"]["unit"],
             "flag": codes.translate(site, "result_flag", result["flag"], "portal")}
            for result in results if result["released_at"] is not None
        ],
        "text": "\n".join(letter["lines"]),
    }


def deliver(site, case, letter, results, portal, spool):
    """Deliver a letter; returns the channel used, or None if it was known.

    A version is delivered once. A portal that stays silent is replaced by
    the printer: a letter on paper today beats one in the system tomorrow.
    `spool` is a list that stands for the printer's queue.
    """
    sent = case.setdefault("reports", [])
    if any(entry["version"] >= letter["version"] for entry in sent):
        return None
    roles.require(site, SENDER, "report.send", {"id": f"{case['id']}#{letter['version']}"})
    channel = channel_for(site, case)
    if channel == "portal":
        lease = pools.draw(site, UNIT, "partner-lines", 1)
        try:
            exchange.call(site, UNIT, portal, _payload(site, letter, results))
        except Unreachable:
            channel = "printer"
        finally:
            pools.release(site["conn"], site["clock"], lease["id"])
    if channel == "printer":
        spool.append({"clinic": case["clinic"], "lines": letter["lines"]})
    sent.append({
        "version": letter["version"], "state": letter["state"], "channel": channel, "at": now(site["clock"]),
    })
    telemetry.record(site, "reports_sent_total", channel=channel, state=letter["state"])
    if letter["state"] == "COMPLETE":
        minutes = round((now(site["clock"]) - case["accepted_at"]).total_seconds() / 60)
        telemetry.record(site, "report_turnaround_minutes", minutes, clinic=case["clinic"])
    telemetry.log(site, UNIT, "report_sent", case=case["id"], version=letter["version"],
                  channel=channel, state=letter["state"])
    return channel
