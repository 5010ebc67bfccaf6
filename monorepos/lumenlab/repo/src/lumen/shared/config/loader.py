"""Loader of lab.ini.

Layers, later ones win: [defaults], [unit:NAME], [unit:NAME@SITE]. The store
is read at each call, so that an edit takes effect at the next look; views are
read-only, so that no unit edits another's values.
"""

from decimal import Decimal, InvalidOperation
from pathlib import Path
from types import MappingProxyType

from lumen.base.clock import minute_of_day
from lumen.base.dates import parse_day
from lumen.base.errors import InputError, StoreError
from lumen.base.inifile import read_ini, sections_of
from lumen.base.tables import split_list

STORE = Path(__file__).with_name("lab.ini")

_SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}
_SWITCHES = {"on": True, "yes": True, "off": False, "no": False}


def _read(site):
    return read_ini(site["stores"].get("config", STORE))


def _wall_time(raw):
    minute_of_day(raw)
    return raw


def _switch(raw):
    if raw.lower() not in _SWITCHES:
        raise InputError(f"neither on nor off: {raw!r}")
    return _SWITCHES[raw.lower()]


_KINDS = {
    "integer": int,
    "decimal": Decimal,
    "text": str,
    "switch": _switch,
    "time": _wall_time,
    "list": lambda raw: tuple(split_list(raw, ",")),
    "days": lambda raw: tuple(parse_day(item) for item in split_list(raw, ",")),
}


def _typed(key, raw, metas):
    if key not in metas:
        raise StoreError(f"lab.ini: key {key} has no [meta:{key}]")
    kind = metas[key].get("kind", "text")
    if kind not in _KINDS:
        raise StoreError(f"lab.ini: [meta:{key}] names the unknown kind {kind!r}")
    try:
        value = _KINDS[kind](raw.strip())
    except (ValueError, InvalidOperation, InputError) as problem:
        raise StoreError(f"lab.ini: {key} = {raw!r} is no {kind}") from problem
    for bound, fails in (("least", lambda v, b: v < b), ("most", lambda v, b: v > b)):
        if bound in metas[key] and fails(value, _KINDS[kind](metas[key][bound])):
            raise StoreError(f"lab.ini: {key} = {raw} exceeds its bound {bound} {metas[key][bound]}")
    return value


def _layers(store, unit, site_name):
    yield store.get("defaults", {})
    yield store.get(f"unit:{unit}", {})
    yield store.get(f"unit:{unit}@{site_name}", {})


def view(site, unit):
    """Read-only mapping of all keys that `unit` sees at `site`.

    A renamed key is readable under both names and settable under both; within
    one section the new name wins over the old. A key listed in [required] for
    the unit must be present.
    """
    store = _read(site)
    metas = dict(sections_of(store, "meta"))
    aliases = store.get("aliases", {})
    raw = {}
    for layer in _layers(store, unit, site["name"]):
        raw.update({aliases[key]: value for key, value in layer.items() if key in aliases})
        raw.update({key: value for key, value in layer.items() if key not in aliases})
    missing = [key for key in _required(store, unit) if aliases.get(key, key) not in raw]
    if missing:
        raise StoreError(f"lab.ini: unit {unit} requires {', '.join(missing)}")
    values = {key: _typed(key, text, metas) for key, text in raw.items()}
    values.update({old: values[new] for old, new in aliases.items() if new in values})
    return MappingProxyType(values)


def _required(store, unit):
    return split_list(store.get("required", {}).get(unit, ""), ",")


def required_keys(site, unit):
    """Keys without which `unit` cannot run."""
    return _required(_read(site), unit)


def units_of(site):
    """Units named anywhere in the store, sorted."""
    store = _read(site)
    named = {name.partition("@")[0] for name, _ in sections_of(store, "unit")}
    return sorted(named | set(store.get("required", {})))


def describe(site, key):
    """Documentation of a key: kind, unit, doc, and its bounds if any."""
    store = _read(site)
    name = store.get("aliases", {}).get(key, key)
    metas = dict(sections_of(store, "meta"))
    if name not in metas:
        raise StoreError(f"lab.ini: nothing known of {key}")
    return {"key": name, **metas[name]}


def measure(site, unit, key, wanted):
    """Value of a duration key expressed in `wanted` (seconds to days).

    The unit of the stored figure is the one documented under [meta:KEY];
    callers name the unit they need instead of assuming the stored one.
    """
    stored = describe(site, key).get("unit", "")
    if stored not in _SECONDS or wanted not in _SECONDS:
        raise StoreError(f"lab.ini: {key} in {stored or 'no unit'} cannot be given in {wanted}")
    seconds = Decimal(view(site, unit)[key]) * _SECONDS[stored]
    return seconds / _SECONDS[wanted]


def check(site):
    """Faults of the store as a list of sentences; empty when it is sound."""
    store = _read(site)
    faults = []
    for unit in units_of(site):
        try:
            view(site, unit)
        except StoreError as problem:
            faults.append(str(problem))
    metas = dict(sections_of(store, "meta"))
    for old, new in store.get("aliases", {}).items():
        if new not in metas:
            faults.append(f"lab.ini: alias {old} points to the unknown key {new}")
    for key, meta in metas.items():
        if not meta.get("doc"):
            faults.append(f"lab.ini: [meta:{key}] has no doc")
    return faults
