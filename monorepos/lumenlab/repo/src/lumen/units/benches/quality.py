"""Quality control after Westgard.

A control is judged by its distance from the target in standard deviations.
1-3s and R-4s point to chance errors, 2-2s, 4-1s and 10-x to a shift of the
method. 1-2s alone is a warning and rejects nothing.
"""

from decimal import Decimal

from lumen.shared import config, roles, telemetry
from lumen.units.benches.worklists import BENCHES, UNIT


def _same_side(scores, limit):
    return all(z > limit for z in scores) or all(z < -limit for z in scores)


def judge(scores):
    """First rule broken by the last of `scores`, or None.

    Scores are distances in standard deviations, oldest first. R-4s compares
    neighbouring runs: it needs one beyond +2 and the other beyond -2.
    """
    last = scores[-1]
    if abs(last) > 3:
        return "1-3s"
    if len(scores) >= 2 and _same_side(scores[-2:], 2):
        return "2-2s"
    if len(scores) >= 2 and max(scores[-2:]) > 2 and min(scores[-2:]) < -2:
        return "R-4s"
    if len(scores) >= 4 and _same_side(scores[-4:], 1):
        return "4-1s"
    if len(scores) >= 10 and _same_side(scores[-10:], 0):
        return "10-x"
    return None


def score(value, target, deviation):
    """Distance from the target in standard deviations, two decimals."""
    return ((Decimal(value) - Decimal(target)) / Decimal(deviation)).quantize(Decimal("0.01"))


def record_control(site, principal, bench, control, chart, value):
    """Enter a control run on its chart and judge it.

    `chart` is a dict: target, deviation, scores. A rejected run stays on the
    chart, marked by the rule, since the trend is what the next run needs.
    """
    roles.require(site, principal, "control.record", {"id": bench, "department": BENCHES[bench]["department"]})
    chart["scores"].append(score(value, chart["target"], chart["deviation"]))
    considered = chart["scores"][-config.view(site, UNIT)["qc_lookback_runs"]:]
    rule = judge(considered)
    if rule:
        telemetry.record(site, "control_failures_total", bench=bench, rule=rule)
        telemetry.log(site, UNIT, "control_rejected", bench=bench, control=control, rule=rule)
    return {"score": considered[-1], "rule": rule, "warning": rule is None and abs(considered[-1]) > 2}
