"""Vendored packages: pins, resolution, and the link and label printer on top."""

from lumen.shared.vendoring.link import acknowledge, receive, send
from lumen.shared.vendoring.printer import tube_label
from lumen.shared.vendoring.resolver import available, check, load, pinned

__all__ = ["acknowledge", "available", "check", "load", "pinned", "receive", "send", "tube_label"]
