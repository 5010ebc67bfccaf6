"""Shared by the test packages of all teams."""

from __future__ import annotations

import tempfile
import textwrap
import unittest
from pathlib import Path

from kit.clock import ManualClock, utc
from kit.wiring import Kit, Stores

MONDAY_MORNING = utc(2024, 5, 6, 8)


class StoreCase(unittest.TestCase):
    """Writes stores of its own into a folder that goes when the test ends."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def store(self, name: str, content: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(content), encoding="ascii")
        return path


class KitCase(StoreCase):
    """A kit on the repository's own stores, on a Monday morning in May."""

    def setUp(self) -> None:
        super().setUp()
        self.clock = ManualClock(MONDAY_MORNING)
        self.kit = Kit.standard(self.clock)

    def kit_with(self, **stores: Path) -> Kit:
        return Kit.standard(self.clock, Stores(**stores))  # type: ignore[arg-type]
