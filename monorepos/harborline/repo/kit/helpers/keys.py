"""Identifiers: ours, the carriers', and those that make a delivery unique."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

_CONTAINER = re.compile(r"^[A-Z]{3}[UJZ][0-9]{7}$")
_RECORD = re.compile(r"^([A-Z]{3})-([0-9]{4})-([0-9]{6})-([0-9]{2})$")


def _letter_values() -> dict[str, int]:
    """ISO 6346 counts A as 10 and leaves out 11, 22 and 33."""
    values: dict[str, int] = {}
    value = 10
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        if value % 11 == 0:
            value += 1
        values[letter] = value
        value += 1
    return values


def container_check_digit(prefix: str) -> int:
    """Check digit for owner code, category and serial: the first ten characters."""
    values = _letter_values()
    total = sum(
        (values[mark] if mark.isalpha() else int(mark)) * 2**place for place, mark in enumerate(prefix[:10].upper())
    )
    return total % 11 % 10


def container_number(text: str) -> str:
    """Canonical spelling of a container number, or ValueError when it is not one."""
    plain = re.sub(r"[\s\-./]", "", text).upper()
    if not _CONTAINER.match(plain):
        raise ValueError(f"not a container number: {text!r}")
    if container_check_digit(plain) != int(plain[-1]):
        raise ValueError(f"check digit of {plain} is wrong")
    return plain


def record_key(kind: str, year: int, serial: int) -> str:
    """`BKG-2024-000123-57`. The last two digits catch a mistyped or swapped digit."""
    if not re.fullmatch(r"[A-Z]{3}", kind):
        raise ValueError(f"a record kind is three capitals: {kind!r}")
    if not 0 < serial < 1_000_000:
        raise ValueError(f"serial {serial} does not fit six digits")
    return f"{kind}-{year:04d}-{serial:06d}-{_mod97(year, serial):02d}"


def parse_record_key(text: str) -> tuple[str, int, int]:
    match = _RECORD.match(text.strip().upper())
    if not match:
        raise ValueError(f"not a record key: {text!r}")
    kind, year, serial, check = match[1], int(match[2]), int(match[3]), int(match[4])
    if _mod97(year, serial) != check:
        raise ValueError(f"check digits of {text.strip().upper()} are wrong")
    return kind, year, serial


def _mod97(year: int, serial: int) -> int:
    return 97 - int(f"{year:04d}{serial:06d}") % 97


def event_key(topic: str, record: str, payload: Mapping[str, Any]) -> str:
    """Same topic, record and content give the same key, whatever the order of the fields."""
    body = json.dumps(payload, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(f"{topic}\n{record}\n{body}".encode("utf-8")).hexdigest()[:20]


def message_reference(service: str, record: str, attempt: int = 0) -> str:
    """At most 14 characters, which is what the interchange header of the gateway holds."""
    digest = hashlib.sha256(f"{service}/{record}/{attempt}".encode("utf-8")).hexdigest()
    return f"{service[:3].upper()}{digest[:11].upper()}"
