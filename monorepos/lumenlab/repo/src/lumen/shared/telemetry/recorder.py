"""Recording of metrics and structured log lines.

catalogue.json names every metric with kind, unit and labels, and every event
of the log with its fields in printing order. A sample with other labels is
refused at once: a dashboard that silently loses a label is found too late.
"""

import json
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType

from lumen.base.clock import now, stamp
from lumen.base.errors import StoreError

STORE = Path(__file__).with_name("catalogue.json")


def _read(site):
    path = Path(site["stores"].get("catalogue", STORE))
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as problem:
        raise StoreError(f"{path.name}: {problem}") from problem


def catalogue(site):
    """Metrics of the catalogue by name; the mapping is a fresh copy."""
    return MappingProxyType(_read(site)["metrics"])


def record(site, metric, value=1, **labels):
    """Record one sample: an increment, a reading or an observation by kind.

    A metric with "also" entries is written under each of those names too,
    multiplied by the entry's factor: a renamed metric or unit is carried
    along for as long as somebody reads the old one.
    """
    known = _read(site)["metrics"]
    if metric not in known:
        raise StoreError(f"catalogue.json: no metric {metric!r}")
    for name, factor in [(metric, 1)] + [(a["name"], a.get("factor", 1)) for a in known[metric].get("also", [])]:
        if name not in known:
            raise StoreError(f"catalogue.json: {metric} is also written as the unknown {name}")
        wanted = known[name]["labels"]
        lacking = [label for label in wanted if label not in labels]
        surplus = [label for label in labels if label not in known[metric]["labels"]]
        if lacking or surplus:
            raise StoreError(f"{name}: labels lacking {lacking}, unknown {surplus}")
        if known[name]["kind"] == "counter" and value < 0:
            raise StoreError(f"{name}: a counter does not go down")
        site["telemetry"]["samples"].append({
            "at": now(site["clock"]),
            "metric": name,
            "value": Decimal(str(value)) * Decimal(str(factor)),
            "labels": {label: str(labels[label]) for label in wanted},
        })


def samples(site, metric, since=None, **labels):
    """Samples of a metric, oldest first, whose labels agree with those given."""
    known = _read(site)["metrics"]
    if metric not in known:
        raise StoreError(f"catalogue.json: no metric {metric!r}")
    unknown = [label for label in labels if label not in known[metric]["labels"]]
    if unknown:
        raise StoreError(f"{metric}: labels unknown {unknown}")
    return [
        {**sample, "labels": dict(sample["labels"])}
        for sample in site["telemetry"]["samples"]
        if sample["metric"] == metric
        and (since is None or sample["at"] >= since)
        and all(sample["labels"][label] == str(value) for label, value in labels.items())
    ]


_FOLDS = {
    "sum": sum,
    "count": len,
    "max": max,
    "min": min,
    "last": lambda values: values[-1],
    "mean": lambda values: sum(values) / len(values),
}


def aggregate(site, metric, how="sum", by=(), since=None, **labels):
    """Values of a metric folded per combination of the labels in `by`.

    Keys are tuples in the order of `by`; without `by` the one key is ().
    """
    groups = {}
    for sample in samples(site, metric, since, **labels):
        for label in by:
            if label not in sample["labels"]:
                raise StoreError(f"{metric}: no label {label!r} to group by")
        key = tuple(sample["labels"][label] for label in by)
        groups.setdefault(key, []).append(sample["value"])
    return {key: _FOLDS[how](values) for key, values in groups.items()}


def _quote(value):
    line = str(value)
    if line and not any(ch in line for ch in ' ="\\'):
        return line
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def log(site, unit, event, **fields):
    """Append one log line; fields are printed in the catalogue's order.

    Fields that the catalogue does not list are refused, those not given are
    left out. Patients never appear in log lines, cases do.
    """
    events = _read(site)["events"]
    if event not in events:
        raise StoreError(f"catalogue.json: no event {event!r}")
    order = events[event]["fields"]
    surplus = sorted(set(fields) - set(order))
    if surplus:
        raise StoreError(f"{event}: fields unknown {surplus}")
    head = f"at={stamp(now(site['clock']))} site={site['name']} unit={unit} event={event}"
    tail = [f"{name}={_quote(fields[name])}" for name in order if name in fields]
    site["telemetry"]["lines"].append(" ".join([head] + tail))


def lines(site, event=None):
    """Log lines so far, or those of one event."""
    found = list(site["telemetry"]["lines"])
    if event is None:
        return found
    return [line for line in found if parse_line(line)["event"] == event]


def parse_line(line):
    """Fields of a log line as a dict of text; inverse of `log`."""
    fields, position = {}, 0
    while position < len(line):
        equals = line.index("=", position)
        name, position = line[position:equals], equals + 1
        value = []
        quoted = line[position:position + 1] == '"'
        position += quoted
        while position < len(line) and line[position] != ('"' if quoted else " "):
            position += quoted and line[position] == "\\"
            value.append(line[position])
            position += 1
        position += 2 if quoted else 1
        fields[name] = "".join(value)
    return fields
