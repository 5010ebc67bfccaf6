"""Metrics, log lines, recording rules and alerts."""

from lumen.shared.telemetry.alerting import check_rules, derive, firing
from lumen.shared.telemetry.recorder import aggregate, catalogue, lines, log, parse_line, record, samples

__all__ = [
    "aggregate", "catalogue", "check_rules", "derive", "firing",
    "lines", "log", "parse_line", "record", "samples",
]
