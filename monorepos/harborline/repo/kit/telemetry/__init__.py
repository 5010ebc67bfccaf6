"""Metrics, log lines and alert rules."""

from kit.telemetry.recorder import LabelMismatch, Sample, Telemetry, UnknownMetric
from kit.telemetry.rules import DEFAULT_STORE, Firing, RuleBook, RuleFault

__all__ = [
    "DEFAULT_STORE",
    "Firing",
    "LabelMismatch",
    "RuleBook",
    "RuleFault",
    "Sample",
    "Telemetry",
    "UnknownMetric",
]
