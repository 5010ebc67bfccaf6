"""Turning members into codes and codes into members."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TypeVar

from kit.codes.catalogue import LABELS, PARTNER_CODES, RETIRED_CODES
from kit.errors import HarborlineError

Member = TypeVar("Member", bound=Enum)


class UnknownCode(HarborlineError, ValueError):
    def __init__(self, family: str, raw: object) -> None:
        super().__init__(f"{raw!r} is no code of {family}")
        self.family = family
        self.raw = raw


def encode(member: Enum) -> str:
    return str(member.value)


def decode(kind: type[Member], raw: object) -> Member:
    """Reads a current code, a retired one, or the name of a member in any case."""
    if isinstance(raw, kind):
        return raw
    text = str(raw).strip()
    for member in kind:
        if encode(member) == text:
            return member
    retired = RETIRED_CODES.get(kind, {}).get(text)
    if retired is not None:
        return retired  # type: ignore[return-value]
    try:
        return kind[text.upper().replace(" ", "_").replace("-", "_")]
    except KeyError:
        raise UnknownCode(kind.__name__, raw) from None


def from_partner(partner: str, kind: type[Member], raw: str) -> Member:
    member = PARTNER_CODES.get(partner, {}).get(raw.strip().upper())
    if not isinstance(member, kind):
        raise UnknownCode(f"{partner} for {kind.__name__}", raw)
    return member


def to_partner(partner: str, member: Enum) -> str:
    for code, ours in PARTNER_CODES.get(partner, {}).items():
        if ours is member:
            return code
    raise UnknownCode(partner, member)


def label(member: Enum) -> str:
    return LABELS.get(type(member), {}).get(member) or member.name.replace("_", " ").capitalize()


def in_order(kind: type[Member]) -> tuple[Member, ...]:
    """Numeric codes by value; textual ones as they are declared."""
    if issubclass(kind, IntEnum):
        return tuple(sorted(kind, key=lambda member: member.value))
    return tuple(kind)


def choices(kind: type[Enum]) -> tuple[tuple[str, str], ...]:
    """Code and label of every member, as a form offers them."""
    return tuple((encode(member), label(member)) for member in in_order(kind))
