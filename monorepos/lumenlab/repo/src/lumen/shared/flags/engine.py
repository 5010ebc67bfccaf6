"""Evaluation of flags.csv.

Order of decision: prerequisites, then exclusions, then targets, then the
percentage, then the default. A prerequisite is evaluated for the same caller,
so that a flag is never on where the one beneath it is off.
"""

import hashlib
from pathlib import Path

from lumen.base.clock import now
from lumen.base.dates import parse_day
from lumen.base.errors import InputError, StoreError
from lumen.base.tables import index_by, read_csv, split_list

STORE = Path(__file__).with_name("flags.csv")


def _read(site):
    return index_by(read_csv(site["stores"].get("flags", STORE)), "flag", "flags.csv")


def _bucket(flag, subject):
    digest = hashlib.sha256(f"{flag}/{subject}".encode("utf-8")).digest()
    return int.from_bytes(digest[:4], "big") % 100


def _matches(target, unit, cohorts, site_name):
    """A target is a conjunction: "unit:claims+cohort:pilot" needs both."""
    for term in target.split("+"):
        kind, _, value = term.strip().partition(":")
        if kind == "unit" and value != unit:
            return False
        if kind == "cohort" and value not in cohorts:
            return False
        if kind == "site" and value != site_name:
            return False
        if kind not in ("unit", "cohort", "site"):
            raise StoreError(f"flags.csv: target {target!r} is of no known kind")
    return True


def _decide(rows, flag, unit, subject, cohorts, site_name, trail):
    if flag not in rows:
        raise StoreError(f"flags.csv: no flag {flag!r}")
    if flag in trail:
        raise StoreError(f"flags.csv: prerequisites form a circle at {flag!r}")
    row = rows[flag]
    for needed in split_list(row["requires"]):
        below, _ = _decide(rows, needed, unit, subject, cohorts, site_name, trail + (flag,))
        if not below:
            return False, f"requires {needed}"
    for target in split_list(row["off_for"]):
        if _matches(target, unit, cohorts, site_name):
            return False, f"excluded {target}"
    for target in split_list(row["on_for"]):
        if _matches(target, unit, cohorts, site_name):
            return True, f"target {target}"
    percent = int(row["percent"] or 0)
    if subject and _bucket(flag, subject) < percent:
        return True, f"rollout {percent}"
    return row["default"] == "on", "default"


def explain(site, flag, unit, subject="", cohorts=()):
    """State of a flag with the rule that decided it."""
    return _decide(_read(site), flag, unit, subject, tuple(cohorts), site["name"], ())


def enabled(site, flag, unit, subject="", cohorts=()):
    """Is `flag` on for this caller?

    `subject` is the thing the rollout percentage is drawn over (a clinic, a
    patient, a bench) and stays in its bucket for good; without a subject the
    percentage does not apply.
    """
    return explain(site, flag, unit, subject, cohorts)[0]


def snapshot(site, unit, subject="", cohorts=()):
    """All flags for one caller at one moment, from a single reading."""
    rows = _read(site)
    return {
        flag: _decide(rows, flag, unit, subject, tuple(cohorts), site["name"], ())[0]
        for flag in rows
    }


def stale_flags(site):
    """Flags past their review day, oldest first, as (flag, day, owner)."""
    today = now(site["clock"]).date()
    late = []
    for flag, row in _read(site).items():
        if row["review_by"] and parse_day(row["review_by"]) < today:
            late.append((flag, parse_day(row["review_by"]), row["owner"]))
    return sorted(late, key=lambda item: (item[1], item[0]))


def check(site):
    """Faults of the store as sentences."""
    rows, faults = _read(site), []
    for flag, row in rows.items():
        if row["default"] not in ("on", "off"):
            faults.append(f"flags.csv: {flag}: default is {row['default']!r}")
        if not (row["percent"] or "0").isdigit() or int(row["percent"] or 0) > 100:
            faults.append(f"flags.csv: {flag}: percent is {row['percent']!r}")
            continue
        try:
            _decide(rows, flag, "", "", (), "", ())
            if row["review_by"]:
                parse_day(row["review_by"])
        except (StoreError, InputError) as problem:
            faults.append(f"flags.csv: {flag}: {problem}")
    return faults
