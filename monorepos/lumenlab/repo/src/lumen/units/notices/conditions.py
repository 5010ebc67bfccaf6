"""Notifiable conditions: which finding, to whom, how fast."""

from datetime import timedelta

from lumen.base.clock import at_wall_time
from lumen.base.dates import add_working_days
from lumen.shared import config

UNIT = "notices"

# A rule has its time limit in hours or in working days, never in both.
_CONDITIONS = {
    "MEASM": {
        "condition": "measles", "authority": "county-health",
        "hours": 24, "named": True, "episode_days": 60,
    },
    "LEGAG": {
        "condition": "legionellosis", "authority": "county-health",
        "hours": 24, "named": True, "episode_days": 90,
    },
    "SALM": {
        "condition": "salmonellosis", "authority": "county-health",
        "working_days": 1, "named": True, "episode_days": 60,
    },
    "HBSAG": {
        "condition": "hepatitis-b", "authority": "state-register",
        "working_days": 3, "named": False, "episode_days": 3650,
    },
}
_CUTOFF_INDEX = 1


def rule_for(result):
    """Rule that a released result falls under, or None.

    Index values count as positive from 1.0; "growth" is positive when there
    is any. A value under a detection limit is negative, whatever the limit.
    """
    rule = _CONDITIONS.get(result["test"])
    if rule is None or result["quantity"]["comparator"] in ("<", "<="):
        return None
    value = result["quantity"]["value"]
    positive = value > 0 if result["quantity"]["unit"] == "growth" else value >= _CUTOFF_INDEX
    return dict(rule) if positive else None


def due(site, rule, released_at):
    """Moment by which the notice has to be acknowledged.

    Hours run through nights and holidays. Working days end at the close of
    the office, 16:00; a finding on a day off counts as of the next working
    day.
    """
    if "hours" in rule:
        return released_at + timedelta(hours=rule["hours"])
    closed = config.view(site, UNIT)["closed_days"]
    day = add_working_days(released_at.date(), 0, closed)
    return at_wall_time(add_working_days(day, rule["working_days"], closed), "16:00")


def same_episode(rule, first_day, day):
    """Does a further finding belong to an illness already notified?"""
    return (day - first_day).days < rule["episode_days"]
