"""Decides whether a principal may do something, and remembers what it did.

Separation of duties comes in two forms. Over a `principal`: whoever holds two
of the listed permissions may use neither, whatever the circumstances of the
grants. Over a `record`: whoever used one of them on a record may not use
another on that record.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from kit.clock import Clock
from kit.errors import RequestRefused, StoreFault
from kit.telemetry import Telemetry

DEFAULT_STORE = Path(__file__).with_name("roles.json")

_CONDITIONS = frozenset({"branches", "max_amount", "until", "hours"})


class RoleFault(StoreFault):
    """roles.json is unreadable or names a role or condition that does not exist."""


class AccessDenied(RequestRefused):
    def __init__(self, principal: str, permission: str, reason: str) -> None:
        super().__init__(f"{principal} may not {permission}: {reason}")
        self.principal = principal
        self.permission = permission
        self.reason = reason


@dataclass(frozen=True)
class Circumstances:
    """What the decision may depend on. A condition on something not given fails."""

    record: str = ""
    branch: str = ""
    amount: Decimal | None = None


@dataclass(frozen=True)
class Decision:
    allowed: bool
    reason: str


@dataclass(frozen=True)
class _Holding:
    permission: str
    by_way_of: str
    when: Mapping[str, Any]


class Authoriser:
    def __init__(self, clock: Clock, telemetry: Telemetry, store: Path = DEFAULT_STORE) -> None:
        self._clock = clock
        self._telemetry = telemetry
        self._store = store
        self._done: dict[tuple[str, str], set[str]] = {}

    def require(self, principal: str, permission: str, circumstances: Circumstances = Circumstances()) -> None:
        """Raises AccessDenied, or notes that the principal did this to the record."""
        decision = self.decide(principal, permission, circumstances)
        if not decision.allowed:
            self._telemetry.count("access_denied_total", permission=permission, reason=decision.reason.split(":")[0])
            raise AccessDenied(principal, permission, decision.reason)
        if circumstances.record:
            self._done.setdefault((principal, circumstances.record), set()).add(permission)

    def decide(self, principal: str, permission: str, circumstances: Circumstances = Circumstances()) -> Decision:
        document = self._read()
        holdings = list(self._holdings(document, principal))
        matching = [each for each in holdings if fnmatchcase(permission, each.permission)]
        if not matching:
            return Decision(False, "no grant")
        for name, rule in document.get("separation", {}).items():
            duties = set(rule["permissions"])
            if permission not in duties:
                continue
            if rule["over"] == "principal":
                others = {
                    duty
                    for duty in duties - {permission}
                    if any(fnmatchcase(duty, each.permission) for each in holdings)
                }
            else:
                others = (duties - {permission}) & self._done.get((principal, circumstances.record), set())
            if others:
                return Decision(False, f"separation: {name} keeps it apart from {sorted(others)[0]}")
        failed = ""
        for each in matching:
            failed = self._unmet(each.when, circumstances)
            if not failed:
                return Decision(True, each.by_way_of)
        return Decision(False, f"condition: {failed}")

    def permissions(self, principal: str) -> tuple[str, ...]:
        """Everything the principal's grants name, conditions left aside."""
        return tuple(sorted({each.permission for each in self._holdings(self._read(), principal)}))

    def holders(self, permission: str) -> tuple[str, ...]:
        document = self._read()
        return tuple(
            principal
            for principal in sorted(document.get("grants", {}))
            if any(fnmatchcase(permission, each.permission) for each in self._holdings(document, principal))
        )

    def _holdings(self, document: Mapping[str, Any], principal: str) -> Iterator[_Holding]:
        for grant in document.get("grants", {}).get(principal, []):
            when = grant.get("when", {})
            strange = sorted(set(when) - _CONDITIONS)
            if strange:
                raise RoleFault(f"{principal}: unknown condition {strange[0]!r}")
            if "permission" in grant:
                yield _Holding(grant["permission"], f"grant of {grant['permission']}", when)
            else:
                for permission in self._role(document, grant["role"], ()):
                    yield _Holding(permission, f"role {grant['role']}", when)

    def _role(self, document: Mapping[str, Any], role: str, path: tuple[str, ...]) -> Iterator[str]:
        if role in path:
            raise RoleFault(f"role {role!r} includes itself")
        try:
            entry = document["roles"][role]
        except KeyError:
            raise RoleFault(f"no role {role!r}") from None
        yield from entry.get("permissions", [])
        for included in entry.get("includes", []):
            yield from self._role(document, included, (*path, role))

    def _unmet(self, when: Mapping[str, Any], circumstances: Circumstances) -> str:
        now = self._clock.now()
        if "branches" in when and circumstances.branch not in when["branches"]:
            return f"only at {', '.join(when['branches'])}"
        if "max_amount" in when:
            limit = Decimal(when["max_amount"])
            if circumstances.amount is None or circumstances.amount > limit:
                return f"only up to {limit}"
        if "until" in when and now.date() > date.fromisoformat(when["until"]):
            return f"only until {when['until']}"
        if "hours" in when:
            opens, closes = (time.fromisoformat(each) for each in when["hours"])
            hour = now.time()
            inside = opens <= hour < closes if opens <= closes else hour >= opens or hour < closes
            if not inside:
                return f"only from {when['hours'][0]} to {when['hours'][1]}"
        return ""

    def _read(self) -> Mapping[str, Any]:
        try:
            return json.loads(self._store.read_text(encoding="ascii"))
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise RoleFault(f"{self._store.name}: {error}") from error
