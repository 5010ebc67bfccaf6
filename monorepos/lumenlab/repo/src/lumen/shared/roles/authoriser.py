"""The authoriser.

A principal may do what a live grant gives it, through roles or directly. A
grant is live when all its conditions hold and its last day is not over.
Separation of duties looks at what the principal did to the same record;
deeds are kept on the site and written by `require` alone.
"""

from datetime import timedelta
from fnmatch import fnmatchcase
from pathlib import Path

from lumen.base.clock import now, within_hours
from lumen.base.dates import parse_day
from lumen.base.errors import Refused, StoreError
from lumen.base.inifile import read_ini, sections_of
from lumen.base.tables import split_list
from lumen.shared import telemetry

STORE = Path(__file__).with_name("roles.ini")


def _read(site):
    return read_ini(site["stores"].get("roles", STORE))


def _names(values, key):
    return split_list(values.get(key, ""), ",")


def _permissions(roles, name, trail=()):
    if name not in roles:
        raise StoreError(f"roles.ini: no [role:{name}]")
    if name in trail:
        raise StoreError(f"roles.ini: role {name} inherits from itself")
    found = set(_names(roles[name], "allows"))
    for parent in _names(roles[name], "inherits"):
        found |= _permissions(roles, parent, trail + (name,))
    return found


def _live(site, grant, record):
    """Do the conditions of a grant hold?

    if_site lists sites, if_hours is a daily window, if_record_FIELD lists the
    values that a field of the record may have; without a record such a grant
    is not live.
    """
    moment = now(site["clock"])
    if "until" in grant and moment.date() >= parse_day(grant["until"]) + timedelta(days=1):
        return False
    for key in grant:
        if key == "if_site" and site["name"] not in _names(grant, key):
            return False
        if key == "if_hours" and not within_hours(moment, grant[key]):
            return False
        if key.startswith("if_record_"):
            field = key[len("if_record_"):]
            if record is None or str(record.get(field)) not in _names(grant, key):
                return False
    return True


def _grants(site, store, principal, record):
    for _, grant in sections_of(store, "grant"):
        if principal in _names(grant, "principals") and _live(site, grant, record):
            yield grant


def roles_of(site, principal, record=None):
    """Roles that the principal holds now, for this record; sorted."""
    store = _read(site)
    return sorted({role for grant in _grants(site, store, principal, record) for role in _names(grant, "roles")})


def permissions_of(site, principal, record=None):
    """Actions (or patterns of actions) open to the principal now; sorted."""
    store = _read(site)
    roles = dict(sections_of(store, "role"))
    found = set()
    for grant in _grants(site, store, principal, record):
        found.update(_names(grant, "allows"))
        for role in _names(grant, "roles"):
            found |= _permissions(roles, role)
    return sorted(found)


def _apart(site, store, principal, action, record):
    """Name of the separation that `action` would break, with its reason."""
    if record is None or "id" not in record:
        return None
    done = {deed["action"] for deed in site["deeds"]
            if deed["principal"] == principal and deed["record"] == record["id"]}
    for name, rule in sections_of(store, "apart"):
        actions = _names(rule, "actions")
        if action in actions and done & (set(actions) - {action}):
            return name, rule.get("reason", "")
    return None


def allowed(site, principal, action, record=None):
    """(yes or no, rule): rule is "granted", "no_grant" or "apart:NAME"."""
    patterns = permissions_of(site, principal, record)
    if not any(fnmatchcase(action, pattern) for pattern in patterns):
        return False, "no_grant"
    broken = _apart(site, _read(site), principal, action, record)
    if broken:
        return False, f"apart:{broken[0]}"
    return True, "granted"


def require(site, principal, action, record=None):
    """Refused unless allowed; otherwise the deed is noted."""
    yes, rule = allowed(site, principal, action, record)
    if not yes:
        telemetry.record(site, "access_refusals_total", action=action, rule=rule)
        raise Refused(f"{principal} may not {action} ({rule})", rule)
    site["deeds"].append({
        "at": now(site["clock"]),
        "principal": principal,
        "action": action,
        "record": record.get("id") if record else None,
    })


def deeds(site, record_id):
    """Who did what to a record, oldest first."""
    return [dict(deed) for deed in site["deeds"] if deed["record"] == record_id]


def check(site):
    """Faults of the store as sentences, holders of exclusive roles included."""
    store, faults = _read(site), []
    roles = dict(sections_of(store, "role"))
    holders = {}
    for name, grant in sections_of(store, "grant"):
        for role in _names(grant, "roles"):
            if role not in roles:
                faults.append(f"roles.ini: [grant:{name}] gives the unknown role {role}")
            for principal in _names(grant, "principals"):
                holders.setdefault(principal, set()).add(role)
    for role in roles:
        try:
            _permissions(roles, role)
        except StoreError as problem:
            faults.append(str(problem))
    for name, rule in sections_of(store, "exclusive"):
        for principal, held in sorted(holders.items()):
            if len(held & set(_names(rule, "roles"))) > 1:
                faults.append(f"roles.ini: {principal} breaks [exclusive:{name}]")
    return faults
