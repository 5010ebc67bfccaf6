"""Calls to outside systems with deadlines, attempts and a time budget.

A partner is a dict with a `name` and a function `send(request, limit_s)` that
returns (seconds taken, reply); a reply of None means that none came. Limits
are those of the calling unit's view of the configuration.
"""

from lumen.base.clock import now, spend
from lumen.base.errors import Unreachable
from lumen.shared import config, telemetry


def call(site, unit, partner, request):
    """Reply of `partner` to `request`; Unreachable when time runs out.

    An answer later than the limit is discarded: the other side may have acted
    on it, hence requests carry a key by which partners recognise a repeat.
    """
    settings = config.view(site, unit)
    budget = settings["partner_budget_s"]
    limit = min(settings["partner_timeout_s"], budget)
    clock, started = site["clock"], now(site["clock"])
    attempts = 0
    while attempts < settings["partner_attempts"]:
        attempts += 1
        took, reply = partner["send"](request, limit)
        spend(clock, min(took, limit))
        answered = reply is not None and took <= limit
        telemetry.record(
            site, "partner_call_seconds", min(took, limit),
            unit=unit, partner=partner["name"], outcome="answered" if answered else "silent",
        )
        if answered:
            return reply
        pause = settings["partner_backoff_s"] * attempts
        spent = (now(clock) - started).total_seconds()
        if spent + pause + limit > budget:
            break
        if attempts < settings["partner_attempts"]:
            spend(clock, pause)
    telemetry.log(site, unit, "partner_silent", partner=partner["name"], attempts=attempts)
    raise Unreachable(f"{partner['name']}: no answer to {unit} in {attempts} attempts")
