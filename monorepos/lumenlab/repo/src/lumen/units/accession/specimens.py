"""Tubes: which are drawn, how they are labelled, whether they can be used."""

from datetime import timedelta
from decimal import Decimal

from lumen.base.clock import now
from lumen.base.dates import age
from lumen.shared import codes, config, flags, pools, roles, telemetry, vendoring
from lumen.units.accession import compendium
from lumen.units.accession.orders import UNIT

TUBE_MICROLITRES = {
    "SERUM": 3500, "EDTA_BLOOD": 2600, "CITRATE": 2700, "HEPARIN": 2600,
    "URINE": 9000, "SWAB": 1000, "STOOL": 8000,
}
# Half of a tube of blood is cells, which chemistry cannot use.
_YIELD = {"SERUM": Decimal("0.5"), "HEPARIN": Decimal("0.5")}
# A citrate tube has to be full: the ratio of blood to citrate decides the result.
_FULL_ONLY = {"CITRATE": Decimal("0.9")}


def tubes_for(site, case):
    """Tubes to draw for a case: one per material and bench, more if volume asks.

    Microbiology gets tubes of its own, opened under the hood before anybody
    else has pipetted from them.
    """
    groups = {}
    for test in case["tests"]:
        entry = compendium.entry(test)
        sterile = entry["department"] == "MICROBIOLOGY"
        groups.setdefault((entry["material"], sterile), []).append(entry)
    order = sorted(groups, key=lambda key: (codes.ranked(site, "specimen_type", key[0]), key[1]))
    tubes = []
    for material, sterile in order:
        room = TUBE_MICROLITRES[material] * _YIELD.get(material, Decimal(1))
        current, filled = [], 0
        batches = [current]
        for entry in groups[material, sterile]:
            if current and filled + entry["microlitres"] > room:
                current, filled = [], 0
                batches.append(current)
            current.append(entry)
            filled += entry["microlitres"]
        for batch in batches:
            tests = [entry["code"] for entry in batch]
            tubes.append({
                "tube": f"{codes.code_of(site, 'specimen_type', material)}{len(tubes) + 1}",
                "case": case["id"],
                "material": material,
                "tests": tests,
                "microlitres": sum(entry["microlitres"] for entry in batch),
                "stability_hours": compendium.tightest_hours(tests),
                "chilled": any(entry["chilled"] for entry in batch),
            })
    return tubes


def labels(site, case, tubes):
    """Label lines for each tube of a case."""
    return [
        vendoring.tube_label(
            site, UNIT, case["id"], case["family_name"], case["given_name"] or "", case["birth"],
            f"{tube['tube']} {codes.label_of(site, 'specimen_type', tube['material'])}",
        )
        for tube in tubes
    ]


def _short(site, case, tube, arrived):
    needed = Decimal(tube["microlitres"]) / _YIELD.get(tube["material"], Decimal(1))
    if tube["material"] in _FULL_ONLY:
        needed = TUBE_MICROLITRES[tube["material"]] * _FULL_ONLY[tube["material"]]
    elif age(case["birth"], now(site["clock"]).date())["years"] < 3:
        cohorts = ["paediatric"]
        if flags.enabled(site, "short-volume-waiver", UNIT, case["clinic"], cohorts):
            needed /= 2
    return arrived["microlitres"] < needed


def reasons_against(site, case, tube, arrived):
    """Reasons to reject a tube, gravest first; empty when it can be used.

    `arrived` describes what came: material, microlitres, drawn (moment),
    readable, warmed, haemolysed. Haemolysis spoils potassium only, so it
    rejects a tube only when that is all it was drawn for.
    """
    found = []
    if not arrived.get("readable", True):
        found.append("UNLABELLED")
    if arrived["material"] != tube["material"]:
        found.append("WRONG_TUBE")
    elif _short(site, case, tube, arrived):
        found.append("SHORT_VOLUME")
    if now(site["clock"]) - arrived["drawn"] > timedelta(hours=tube["stability_hours"]):
        found.append("TOO_OLD")
    if tube["chilled"] and arrived.get("warmed"):
        found.append("WARMED")
    if arrived.get("haemolysed") and set(tube["tests"]) == {"K"}:
        found.append("HAEMOLYSED")
    return sorted(found, key=lambda reason: codes.ranked(site, "reject_reason", reason))


def receive(site, principal, case, tube, arrived):
    """Specimen from a tube that arrived; a rejected one carries its reason."""
    roles.require(site, principal, "specimen.receive", case)
    reasons = reasons_against(site, case, tube, arrived)
    specimen = {
        **tube,
        "drawn": arrived["drawn"],
        "received": now(site["clock"]),
        "usable_until": arrived["drawn"] + timedelta(hours=tube["stability_hours"]),
        "priority": case["priority"],
        "rejected": reasons[0] if reasons else None,
    }
    if reasons:
        telemetry.record(site, "specimens_rejected_total", clinic=case["clinic"], reason=reasons[0])
        telemetry.log(site, UNIT, "specimen_rejected", case=case["id"], tube=tube["tube"], reason=reasons[0])
    elif codes.ranked(site, "order_state", case["state"]) < codes.ranked(site, "order_state", "COLLECTED"):
        case["state"] = "COLLECTED"
    return specimen


def shelve(site, specimens):
    """Leases of rack positions for specimens waiting for an added test."""
    minutes = int(config.measure(site, UNIT, "retain_days", "minutes"))
    kept = [specimen for specimen in specimens if not specimen["rejected"]]
    return pools.draw(site, UNIT, "cold-store", len(kept), minutes) if kept else None
