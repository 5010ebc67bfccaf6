"""One log line: `key=value` pairs, the first four always the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

_PAIR = re.compile(r'([a-z_]+)=("(?:[^"\\]|\\.)*"|\S*)')
_BARE = re.compile(r"^[A-Za-z0-9_.:+/@-]+$")
LEVELS = ("debug", "info", "warning", "error")


def format_line(at: datetime, level: str, service: str, event: str, fields: Mapping[str, object]) -> str:
    if level not in LEVELS:
        raise ValueError(f"unknown level {level!r}")
    pairs = [("ts", at.strftime("%Y-%m-%dT%H:%M:%SZ")), ("level", level), ("service", service), ("event", event)]
    pairs += [(name, "" if value is None else str(value)) for name, value in fields.items()]
    return " ".join(f"{name}={_quoted(value)}" for name, value in pairs)


def parse_line(line: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for name, value in _PAIR.findall(line):
        if value.startswith('"'):
            value = re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], value[1:-1])
        fields[name] = value
    return fields


def _quoted(value: str) -> str:
    if _BARE.match(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
