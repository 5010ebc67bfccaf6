"""What services do with vendored packages, done for them.

Services never import from vendor/. A desk loads the version pinned for the
service it works for at every call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kit.errors import RequestRefused
from kit.vendoring.resolver import VendorShelf


class MessageRefused(RequestRefused):
    """The partner's message format has no way to say this."""


@dataclass(frozen=True)
class EdiSegment:
    tag: str
    elements: tuple[str, ...]


class EdiDesk:
    """Composes and reads EDIFACT messages with edifold."""

    def __init__(self, shelf: VendorShelf) -> None:
        self._shelf = shelf

    def compose(self, service: str, segments: Sequence[EdiSegment]) -> str:
        edifold = self._shelf.load("edifold", service)
        try:
            return edifold.compose([(segment.tag, *segment.elements) for segment in segments])
        except ValueError as error:
            raise MessageRefused(str(error)) from error

    def read(self, service: str, message: str) -> tuple[EdiSegment, ...]:
        edifold = self._shelf.load("edifold", service)
        try:
            return tuple(EdiSegment(tag, tuple(elements)) for tag, *elements in edifold.parse(message))
        except ValueError as error:
            raise MessageRefused(str(error)) from error


class LabelDesk:
    """Numbers pallets and prints their labels with palletmark."""

    COMPANY_PREFIX = "8712345"

    def __init__(self, shelf: VendorShelf) -> None:
        self._shelf = shelf

    def number(self, service: str, serial: int, extension: int = 0) -> str:
        palletmark = self._shelf.load("palletmark", service)
        try:
            return palletmark.make_sscc(extension, self.COMPANY_PREFIX, serial)
        except ValueError as error:
            raise MessageRefused(str(error)) from error

    def is_valid(self, service: str, sscc: str) -> bool:
        return bool(self._shelf.load("palletmark", service).is_sscc(sscc))

    def label(self, service: str, sscc: str, lines: Sequence[str] = ()) -> str:
        return str(self._shelf.load("palletmark", service).label(sscc, list(lines)))
