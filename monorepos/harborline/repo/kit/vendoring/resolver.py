"""Loads a vendored package in the version pinned for the asking service.

A pin is an exact version or a prefix with a star: `1.8.2`, `1.8.*`, `1.*`. The
highest shelved version that matches is taken. `[service.NAME]` in pins.toml
wins over `[pins]`. Versions live side by side under names of their own, so two
services in one process may use two versions.
"""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any, Mapping

from kit.errors import HarborlineError, StoreFault

DEFAULT_ROOT = Path(__file__).resolve().parents[2] / "vendor"


class PinFault(StoreFault):
    """pins.toml asks for something that is not on the shelf."""


class NotVendored(HarborlineError, LookupError):
    pass


class VendorShelf:
    def __init__(self, root: Path = DEFAULT_ROOT) -> None:
        self._root = root

    def versions(self, package: str) -> tuple[str, ...]:
        """Shelved versions, oldest first."""
        folder = self._root / package
        if not folder.is_dir():
            raise NotVendored(f"no package {package!r} on the shelf")
        found = [each.name for each in folder.iterdir() if (each / package / "__init__.py").is_file()]
        return tuple(sorted(found, key=_numbers))

    def pinned(self, package: str, service: str) -> str:
        pins = self._read()
        wanted = pins.get("service", {}).get(service, {}).get(package) or pins.get("pins", {}).get(package)
        if wanted is None:
            raise PinFault(f"{package!r} has no pin")
        matching = [version for version in self.versions(package) if _matches(version, wanted)]
        if not matching:
            raise PinFault(f"{package!r} is pinned at {wanted} for {service}, which is not on the shelf")
        return matching[-1]

    def load(self, package: str, service: str) -> ModuleType:
        version = self.pinned(package, service)
        folder = self._root / package / version / package
        name = f"_vendored_{package}_{version.replace('.', '_')}"
        spec = importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        if spec is None or spec.loader is None:
            raise NotVendored(f"{folder} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        # A package's own relative imports look it up by name while it runs. The
        # names go again afterwards, so that the next load reads the shelf anew.
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        finally:
            for loaded in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
                del sys.modules[loaded]
        return module

    def unused(self, package: str) -> tuple[str, ...]:
        """Shelved versions that no pin leads to; candidates for removal."""
        pins = self._read()
        services = [name for name, entries in pins.get("service", {}).items() if package in entries]
        used = {self.pinned(package, service) for service in ("", *services)}
        return tuple(version for version in self.versions(package) if version not in used)

    def _read(self) -> Mapping[str, Any]:
        store = self._root / "pins.toml"
        try:
            return tomllib.loads(store.read_text(encoding="ascii"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise PinFault(f"pins.toml: {error}") from error


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _matches(version: str, wanted: str) -> bool:
    if wanted.endswith(".*"):
        prefix = wanted[:-2].split(".")
        return version.split(".")[: len(prefix)] == prefix
    return version == wanted
