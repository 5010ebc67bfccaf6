"""Reads settings.toml and hands each service its own view.

The file is read again on every call to `for_service`, so an operator's change
is picked up by the next view and never by one that is already in use. A text
that was parsed before is not parsed again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kit.errors import HarborlineError, StoreFault

DEFAULT_STORE = Path(__file__).with_name("settings.toml")

_SECTIONS = frozenset({"defaults", "shared", "service", "units", "aliases", "required"})


class SettingsFault(StoreFault):
    """settings.toml is unreadable or contradicts itself."""


class MissingSetting(HarborlineError, KeyError):
    def __init__(self, service: str, key: str) -> None:
        super().__init__(f"{service}: no setting {key!r} in its section, [shared] or [defaults]")
        self.service = service
        self.key = key

    def __str__(self) -> str:
        return str(self.args[0])


class WrongSettingType(HarborlineError):
    def __init__(self, service: str, key: str, wanted: str, value: object) -> None:
        super().__init__(f"{service}: setting {key!r} is {value!r}, wanted {wanted}")
        self.key = key


class ServiceSettings(Mapping[str, Any]):
    """What one service sees: its section over [shared] over [defaults].

    Iteration yields the current names of keys only; look-up also accepts the
    old names listed under [aliases].
    """

    def __init__(
        self,
        service: str,
        values: Mapping[str, Any],
        units: Mapping[str, str],
        aliases: Mapping[str, str],
        origins: Mapping[str, str],
    ) -> None:
        self.service = service
        self._values = MappingProxyType(dict(values))
        self._units = MappingProxyType(dict(units))
        self._aliases = MappingProxyType(dict(aliases))
        self._origins = MappingProxyType(dict(origins))

    def __getitem__(self, key: str) -> Any:
        current = self._aliases.get(key, key)
        try:
            value = self._values[current]
        except KeyError:
            raise MissingSetting(self.service, key) from None
        return list(value) if isinstance(value, list) else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def integer(self, key: str) -> int:
        value = self[key]
        if isinstance(value, bool) or not isinstance(value, int):
            raise WrongSettingType(self.service, key, "a whole number", value)
        return value

    def number(self, key: str) -> float:
        value = self[key]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise WrongSettingType(self.service, key, "a number", value)
        return float(value)

    def decimal(self, key: str) -> Decimal:
        """Amounts and percentages are quoted in the file, so that no float touches them."""
        value = self[key]
        if isinstance(value, (bool, float)):
            raise WrongSettingType(self.service, key, "a quoted decimal", value)
        try:
            return Decimal(value)
        except (InvalidOperation, TypeError, ValueError):
            raise WrongSettingType(self.service, key, "a quoted decimal", value) from None

    def text(self, key: str) -> str:
        value = self[key]
        if not isinstance(value, str):
            raise WrongSettingType(self.service, key, "a string", value)
        return value

    def unit(self, key: str) -> str:
        return self._units.get(self._aliases.get(key, key), "")

    def origin(self, key: str) -> str:
        """The section that supplied the value: 'service', 'shared' or 'defaults'."""
        current = self._aliases.get(key, key)
        if current not in self._origins:
            raise MissingSetting(self.service, key)
        return self._origins[current]


@lru_cache(maxsize=8)
def _parsed(text: str) -> Mapping[str, Any]:
    """The parsed file, shared between calls: nothing of it that can be changed leaves the loader."""
    return tomllib.loads(text)


class SettingsLoader:
    def __init__(self, store: Path = DEFAULT_STORE) -> None:
        self._store = store

    def for_service(self, service: str) -> ServiceSettings:
        document = self._read()
        aliases = self._aliases(document)
        values: dict[str, Any] = {}
        origins: dict[str, str] = {}
        layers = (
            ("defaults", document.get("defaults", {})),
            ("shared", document.get("shared", {})),
            ("service", document.get("service", {}).get(service, {})),
        )
        for origin, layer in layers:
            for key, value in self._current_names(layer, aliases, origin).items():
                values[key] = value
                origins[key] = origin
        for key in document.get("required", {}).get(service, []):
            if aliases.get(key, key) not in values:
                raise MissingSetting(service, key)
        return ServiceSettings(service, values, document.get("units", {}), aliases, origins)

    def services(self) -> tuple[str, ...]:
        document = self._read()
        return tuple(sorted({*document.get("service", {}), *document.get("required", {})}))

    def undocumented(self) -> tuple[str, ...]:
        """Keys that some section sets and [units] does not explain."""
        document = self._read()
        aliases = self._aliases(document)
        sections = [document.get("defaults", {}), document.get("shared", {}), *document.get("service", {}).values()]
        used = {aliases.get(key, key) for section in sections for key in section}
        return tuple(sorted(used - set(document.get("units", {}))))

    def _read(self) -> dict[str, Any]:
        try:
            document = _parsed(self._store.read_text(encoding="ascii"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise SettingsFault(f"{self._store.name}: {error}") from error
        unknown = sorted(set(document) - _SECTIONS)
        if unknown:
            raise SettingsFault(f"{self._store.name}: unknown section {unknown[0]!r}")
        return document

    def _aliases(self, document: Mapping[str, Any]) -> dict[str, str]:
        aliases = dict(document.get("aliases", {}))
        for old, new in aliases.items():
            if new in aliases:
                raise SettingsFault(f"alias {old!r} points at {new!r}, which is an alias itself")
        return aliases

    def _current_names(self, layer: Mapping[str, Any], aliases: Mapping[str, str], origin: str) -> dict[str, Any]:
        renamed: dict[str, Any] = {}
        for key, value in layer.items():
            current = aliases.get(key, key)
            if current in renamed:
                raise SettingsFault(f"{origin}: {current!r} is set twice, once under its old name")
            renamed[current] = value
        return renamed
