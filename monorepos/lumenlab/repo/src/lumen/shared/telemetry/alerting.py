"""Recording rules and alerts, from alerts.ini.

A recording rule [derive:NAME] computes a series from a metric, under a name
of its own; an alert [alert:NAME] compares a metric or a derived series with
a threshold. Both look back over `window_minutes` from now.
"""

import operator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from lumen.base.clock import now
from lumen.base.errors import StoreError
from lumen.base.inifile import read_ini, sections_of
from lumen.base.tables import split_list
from lumen.shared.telemetry.recorder import aggregate, catalogue

STORE = Path(__file__).with_name("alerts.ini")

_COMPARE = {"above": operator.gt, "below": operator.lt, "at_least": operator.ge, "at_most": operator.le}


def _read(site):
    return read_ini(site["stores"].get("alerts", STORE))


def _only(rule):
    return dict(
        (part.strip() for part in term.split(":", 1))
        for term in split_list(rule.get("only", ""), ",")
    )


def _series(site, rule, metric):
    since = now(site["clock"]) - timedelta(minutes=int(rule.get("window_minutes", "60")))
    by = tuple(split_list(rule.get("by", ""), ","))
    found = aggregate(site, metric, rule.get("how", "sum"), by, since, **_only(rule))
    scale = Decimal(rule.get("scale", "1"))
    return {key: value * scale for key, value in found.items()}


def _divide(above, below):
    """Quotient by key; keys of the divisor may be a prefix of the others."""
    ratios = {}
    for key, value in above.items():
        for length in range(len(key), -1, -1):
            if below.get(key[:length]):
                ratios[key] = value / below[key[:length]]
                break
    return ratios


def derive(site, name):
    """Series of the recording rule `name`, by label values.

    With `over`, the series is divided by that metric, grouped by `over_by`
    (by default as the rule itself): a share of silent calls, for instance.
    """
    rules = dict(sections_of(_read(site), "derive"))
    if name not in rules:
        raise StoreError(f"alerts.ini: no [derive:{name}]")
    rule = rules[name]
    series = _series(site, rule, rule["metric"])
    if "over" not in rule:
        return series
    below = {**rule, "by": rule.get("over_by", rule.get("by", "")), "only": rule.get("over_only", ""), "scale": "1"}
    return _divide(series, _series(site, below, rule["over"]))


def firing(site, team=None):
    """Alerts that fire now: name, team, severity, labels, value; by name.

    An alert with `absent = fires` also fires when its series has no sample
    in the window: a heartbeat that stopped.
    """
    store, found = _read(site), []
    derived = dict(sections_of(store, "derive"))
    for name, rule in sections_of(store, "alert"):
        if team is not None and rule["team"] != team:
            continue
        series = derive(site, rule["metric"]) if rule["metric"] in derived else _series(site, rule, rule["metric"])
        head = {"alert": name, "team": rule["team"], "severity": rule.get("severity", "ticket")}
        if not series and rule.get("absent") == "fires":
            found.append({**head, "labels": (), "value": None})
        for key, value in sorted(series.items()):
            if _COMPARE[rule["when"]](value, Decimal(rule["threshold"])):
                found.append({**head, "labels": key, "value": value})
    return sorted(found, key=lambda alert: (alert["alert"], alert["labels"]))


def check_rules(site):
    """Faults of alerts.ini against the catalogue, as sentences."""
    store, faults = _read(site), []
    metrics = catalogue(site)
    derived = dict(sections_of(store, "derive"))
    for kind in ("derive", "alert"):
        for name, rule in sections_of(store, kind):
            title = f"alerts.ini: [{kind}:{name}]"
            source = rule.get("metric", "")
            if kind == "alert" and rule.get("when") not in _COMPARE:
                faults.append(f"{title}: when is {rule.get('when')!r}")
            if kind == "alert" and source in derived:
                continue
            if source not in metrics:
                faults.append(f"{title}: no metric {source!r}")
                continue
            for label in split_list(rule.get("by", ""), ",") + list(_only(rule)):
                if label not in metrics[source]["labels"]:
                    faults.append(f"{title}: {source} has no label {label!r}")
    return faults
