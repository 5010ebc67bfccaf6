"""Fixtures of the tests: sites, stores, records, partners."""

import tempfile
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from lumen.base.clock import manual_clock, now
from lumen.shared import sites
from lumen.units.accession import compendium

MONDAY_MORNING = "2026-03-02T08:00"


def site_at(case, moment=MONDAY_MORNING, name="north", stores=None):
    """Site with a manual clock, closed when the test case ends."""
    site = sites.open_site(name, manual_clock(moment), stores)
    case.addCleanup(sites.close_site, site)
    return site


def store(case, name, content):
    """Path of a store with the given content, removed when the case ends."""
    folder = tempfile.TemporaryDirectory()
    case.addCleanup(folder.cleanup)
    path = Path(folder.name) / name
    path.write_text(content, encoding="utf-8")
    return path


def extended(case, original, addition):
    """Copy of a real store with lines added at its end."""
    return store(case, Path(original).name, Path(original).read_text(encoding="utf-8") + addition)


def a_case(site, number="N260302-0001-K", tests=("GLU", "K"), **changes):
    """Case as accession makes it, for units further down the line."""
    made = {
        "id": number, "patient_key": "patient:lindqvist:vera:1980-05-17", "state": "COLLECTED",
        "accepted_at": now(site["clock"]), "clinic": "hillside", "request": "R-1",
        "family_name": "Lindqvist", "given_name": "Vera", "birth": date(1980, 5, 17), "sex": "FEMALE",
        "priority": "ROUTINE", "ordered": list(tests), "tests": list(tests), "held": [], "cohort": None,
        "payer": "north-mutual", "insurance_number": "A123456789",
    }
    made.update(changes)
    return made


def quantity(figure, unit="", comparator=""):
    """Quantity from its parts."""
    return {"comparator": comparator, "value": Decimal(figure), "unit": unit}


def a_result(site, case, test, figure, unit="", flag="NORMAL", released=True, **changes):
    """Result as the results unit makes it."""
    made = {
        "id": f"{case['id']}/{test}", "department": compendium.entry(test)["department"], "case": case["id"],
        "clinic": case["clinic"], "patient_key": case["patient_key"], "test": test, "tube": "S1",
        "quantity": quantity(figure, unit), "flag": flag, "entered_at": now(site["clock"]),
        "released_at": now(site["clock"]) if released else None, "version": 1,
    }
    made.update(changes)
    return made


def partner(name, answers):
    """Outside system that gives prepared (seconds, reply) answers in turn.

    The last answer is repeated. `requests` of the returned dict keeps what
    was sent, with the limit that the caller allowed.
    """
    requests = []

    def send(request, limit_s):
        requests.append((request, limit_s))
        took, reply = answers[min(len(requests), len(answers)) - 1]
        return took, reply(request) if callable(reply) else reply

    return {"name": name, "send": send, "requests": requests}


def minutes_ago(site, minutes):
    """Moment before the site's now."""
    return now(site["clock"]) - timedelta(minutes=minutes)
