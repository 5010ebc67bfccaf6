"""Resolution of pins.env to vendored packages.

Versions live side by side in lumen/vendored/<name>_<major>_<minor>; a unit
gets the one pinned for it, else the house's. Units do not import from
lumen.vendored themselves: a house rule kept by a test.
"""

import importlib
import re
from pathlib import Path

from lumen.base.errors import StoreError

STORE = Path(__file__).with_name("pins.env")
FOLDER = Path(__file__).resolve().parents[2] / "vendored"

_FOLDER = re.compile(r"([a-z]+)_(\d+)_(\d+)$")
_LINE = re.compile(r"([A-Z][A-Z0-9]*)(?:__([A-Z][A-Z0-9_]*))?=(\S+)$")


def _pins(site):
    pins = {}
    path = Path(site["stores"].get("pins", STORE))
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        found = _LINE.match(line)
        if not found:
            raise StoreError(f"{path.name}:{number}: not a pin: {line!r}")
        key = (found[1].lower(), (found[2] or "").lower().replace("_", "-"))
        if key in pins:
            raise StoreError(f"{path.name}:{number}: pinned twice")
        pins[key] = found[3]
    return pins


def available(name):
    """Versions of a package that are in the tree, lowest first."""
    versions = []
    for entry in FOLDER.iterdir():
        found = _FOLDER.match(entry.name)
        if found and found[1] == name:
            versions.append((int(found[2]), int(found[3])))
    return [f"{major}.{minor}" for major, minor in sorted(versions)]


def _resolve(name, pin):
    versions = available(name)
    if pin.endswith("*"):
        fitting = [version for version in versions if version.startswith(pin[:-1])]
    else:
        fitting = [version for version in versions if version == pin]
    if not fitting:
        raise StoreError(f"pins.env: {name} {pin} is not among {', '.join(versions) or 'any versions'}")
    return fitting[-1]


def pinned(site, unit, name):
    """Version of `name` that `unit` gets."""
    pins = _pins(site)
    pin = pins.get((name, unit)) or pins.get((name, ""))
    if pin is None:
        raise StoreError(f"pins.env: {name} is not pinned")
    return _resolve(name, pin)


def load(site, unit, name):
    """Module of the version pinned for `unit`."""
    version = pinned(site, unit, name)
    return importlib.import_module(f"lumen.vendored.{name}_{version.replace('.', '_')}")


def check(site):
    """Faults of the pins as sentences."""
    faults = []
    for (name, unit), pin in _pins(site).items():
        try:
            _resolve(name, pin)
        except StoreError as problem:
            faults.append(f"{problem} (for {unit or 'the house'})")
    return faults
