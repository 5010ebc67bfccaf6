"""Claims and their submission in batches."""

from datetime import timedelta

from lumen.base.clock import now
from lumen.base.errors import Refused, Unreachable
from lumen.base.ids import event_key
from lumen.shared import codes, config, exchange, flags, pools, roles, telemetry
from lumen.shared.workup import render
from lumen.units.claims import tariff
from lumen.units.claims.tariff import PAYERS, UNIT

SENDER = "svc-claims"

# Layout of a claim on the payer's line, see lumen.shared.codes.wire.
CLAIM_LAYOUT = (
    ("id", "text"), ("insurance_number", "text"), ("birth", "day"), ("sex", "text"), ("collected", "day"),
    ("state", "code:claim_state"), ("items", "text"), ("total", "text"),
)


def prepare(site, principal, case, results):
    """Draft claim for the released tests of a case.

    Filing time runs from the acceptance of the order, not from the release:
    payers count from the day the patient was seen.
    """
    roles.require(site, principal, "claim.prepare", {"id": f"claim-{case['id']}"})
    if not case["payer"]:
        raise Refused(f"{case['id']} is paid by the clinic", "no_payer")
    done = [result["test"] for result in results if result["released_at"] is not None]
    tests = [test for test in case["tests"] if test in done]
    if not tests:
        raise Refused(f"{case['id']} has nothing to charge", "nothing_released")
    days = config.view(site, UNIT)["claim_filing_days"]
    quoted = tariff.quote(site, case["payer"], tests)
    return {
        "id": f"claim-{case['id']}", "case": case["id"], "payer": case["payer"],
        "insurance_number": case["insurance_number"], "birth": case["birth"], "sex": case["sex"],
        "collected": case["accepted_at"].date(), "file_by": case["accepted_at"].date() + timedelta(days=days),
        "state": "DRAFT", "lines": quoted["lines"], "total": quoted["total"],
    }


def faults(site, claim):
    """What the payer would bounce the claim for, as short words."""
    found = []
    if now(site["clock"]).date() > claim["file_by"]:
        found.append("late")
    if not claim["insurance_number"]:
        found.append("unidentified")
    if claim["total"] <= 0:
        found.append("empty")
    if len({line["code"] for line in claim["lines"]}) < len(claim["lines"]):
        found.append("double")
    return found


def correct(site, principal, claim, insurance_number):
    """Give a bounced claim another insurance number; it waits for approval."""
    roles.require(site, principal, "claim.prepare", claim)
    if claim["state"] != "BOUNCED":
        raise Refused(f"{claim['id']} is {claim['state']}, not bounced", "not_bounced")
    claim.update(insurance_number=insurance_number, corrected_by=principal, approved_by=None)
    return claim


def approve(site, principal, claim):
    """Let a corrected claim go out again; a second person does that."""
    if "corrected_by" not in claim:
        raise Refused(f"{claim['id']} was not corrected", "uncorrected")
    roles.require(site, principal, "claim.approve", claim)
    claim["approved_by"] = principal
    return claim


def _may_go(claim):
    waits = "corrected_by" in claim and claim["approved_by"] is None
    return claim["state"] in ("DRAFT", "BOUNCED") and not waits


def encode(site, claim):
    """Line of a claim as sent to the payer, sex in the payers' own scheme."""
    items = " ".join(f"{line['code']}:{line['amount']}" for line in claim["lines"])
    sex = codes.translate(site, "sex", claim["sex"], "payer")
    return codes.encode(site, CLAIM_LAYOUT, {**claim, "sex": sex, "state": "SENT", "items": items})


def _send(site, payer, partner, batch):
    key = event_key("batch", payer, *[claim["id"] for claim in batch])
    lease = pools.draw(site, UNIT, "partner-lines", 1)
    try:
        reply = exchange.call(site, UNIT, partner, {"key": key, "claims": [encode(site, claim) for claim in batch]})
        bounced = set(reply.get("bounced", ()))
        outcome = "accepted"
    except Unreachable:
        bounced, outcome = set(), "unsent"
    finally:
        pools.release(site["conn"], site["clock"], lease["id"])
    for claim in batch:
        if outcome == "accepted":
            claim["state"] = "BOUNCED" if claim["id"] in bounced else "SENT"
        label = {"SENT": "sent", "BOUNCED": "bounced"}.get(claim["state"], "unsent")
        telemetry.record(site, "claims_submitted_total", payer=payer, outcome=label)
        if claim["state"] == "SENT":
            telemetry.record(site, "claim_amount", claim["total"], payer=payer)
    telemetry.log(site, UNIT, "claims_batch", payer=payer, batch=key, claims=len(batch),
                  amount=sum(claim["total"] for claim in batch), outcome=outcome)
    return outcome


def submit(site, principal, payer, claims, partner):
    """Send draft and bounced claims of a payer in batches; returns those kept back.

    Corrected claims go only once approved. With the precheck on, a claim with
    faults stays a draft. After a batch that found no answer the rest is not
    tried: the payer's gateway closes for the night, and the claims keep until
    the next run.
    """
    roles.require(site, principal, "claim.submit")
    ready = [claim for claim in claims if claim["payer"] == payer and _may_go(claim)]
    kept = []
    if flags.enabled(site, "claim-precheck", UNIT, payer, [PAYERS[payer]["cohort"]]):
        kept = [claim for claim in ready if faults(site, claim)]
        ready = [claim for claim in ready if claim not in kept]
    size = config.view(site, UNIT)["claim_batch_size"]
    for start in range(0, len(ready), size):
        if _send(site, payer, partner, ready[start:start + size]) == "unsent":
            kept += ready[start:]
            break
    return kept


def statement(site, payer, claims):
    """Monthly statement for a payer, as lines."""
    mine = [claim for claim in claims if claim["payer"] == payer and claim["state"] != "DRAFT"]
    columns = (
        ("case", "Case", "text", "l"), ("collected", "Collected", "day", "l"),
        ("state", "State", "code:claim_state", "l"), ("total", "Amount", "money", "r"),
    )
    return render.document(site, UNIT, f"Statement for {payer}", [
        ("table", columns, sorted(mine, key=lambda claim: (claim["collected"], claim["case"]))),
        ("fields", [("Claims", "text", len(mine)), ("Total", "money", sum(claim["total"] for claim in mine))]),
    ])
