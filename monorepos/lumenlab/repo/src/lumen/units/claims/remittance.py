"""Remittances: what payers paid, and what becomes of the rest."""

from decimal import Decimal

from lumen.base.errors import Refused
from lumen.base.tables import index_by
from lumen.shared import codes, roles
from lumen.shared.workup import charges, intake
from lumen.units.claims.tariff import UNIT

REMITTANCE_FORM = {
    "name": "remittance",
    "columns": (
        ("claim", "text", "must"),
        ("paid", "amount", "must"),
        ("status", "code:claim_state", "may"),
        ("remark", "text", "may"),
    ),
}

# Below this a short payment is not worth a letter.
_TOLERANCE = Decimal("0.05")


def post(site, claims, raw):
    """Book a remittance on claims; returns (booked, faults).

    The paid sum of a claim is spread over its lines. Several rows for one
    claim add up, negative ones are recoveries.
    """
    rows, faults = intake.read(site, UNIT, REMITTANCE_FORM, raw)
    known, booked = index_by(claims, "id", "claims"), []
    for row in rows:
        claim = known.get(row["claim"])
        if claim is None or claim["state"] == "DRAFT":
            faults.append({"row": row["row"], "field": "claim", "fault": f"no sent claim {row['claim']}"})
            continue
        claim["paid"] = claim.get("paid", Decimal("0.00")) + row["paid"]
        claim["paid_lines"] = charges.spread(site, UNIT, claim["paid"], claim["lines"])
        claim["state"] = row["status"] if row["status"] == "DENIED" else _state(claim)
        claim["remark"] = row["remark"]
        if claim not in booked:
            booked.append(claim)
    return booked, faults


def _state(claim):
    short = claim["total"] - claim["paid"]
    if short <= _TOLERANCE:
        return "PAID"
    return "SHORT_PAID" if claim["paid"] > 0 else "DENIED"


def write_off(site, principal, claim):
    """Give up what a payer did not pay; a matter for the lead of the office."""
    roles.require(site, principal, "claim.write-off", claim)
    paid_rank = codes.ranked(site, "claim_state", "PAID")
    if codes.ranked(site, "claim_state", claim["state"]) <= paid_rank:
        raise Refused(f"{claim['id']} is {claim['state']}", "not_short")
    claim["written_off"] = claim["total"] - claim.get("paid", Decimal("0.00"))
    claim["state"] = "WRITTEN_OFF"
    return claim["written_off"]


def open_sums(site, claims):
    """Sums still owed per payer, sent claims and short payments together."""
    owed = {}
    for claim in claims:
        if claim["state"] in ("SENT", "SHORT_PAID"):
            rest = claim["total"] - claim.get("paid", Decimal("0.00"))
            owed[claim["payer"]] = owed.get(claim["payer"], Decimal("0.00")) + rest
    return owed
