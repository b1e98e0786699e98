"""How many more lines an index takes before fixes have to stop adding to it."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.conventions import Convention
from memtui.memory.index.editing import entry_line
from memtui.memory.index.entrypoint import IndexReport, measure
from memtui.memory.index.rotation import FILLED_TO
from memtui.memory.types import MemoryEntry


@dataclass(slots=True)
class Room:
    """What is left of both limits; lines are taken one after the other.

    Attributes:
        lines: how many more lines.
        size: how much more text, in the convention's unit.
        convention: whose lines.
    """

    lines: int
    size: int
    convention: Convention

    @classmethod
    def left(cls, stand: IndexReport, convention: Convention) -> Room:
        """The room that an index has, up to ``FILLED_TO`` of its limits."""
        lines = int(FILLED_TO * stand.max_lines) - stand.lines
        return cls(lines, int(FILLED_TO * stand.max_size) - stand.size, convention)

    @property
    def full(self) -> bool:
        """Whether no line at all fits any more."""
        return self.lines <= 0 or self.size <= 0

    def takes(self, entry: MemoryEntry) -> bool:
        """Whether a memory's line fits; it then takes its place."""
        line = entry_line(entry.rel, entry.name, entry.description, entry.type_text, self.convention)
        size = measure(line, self.convention.unit) + 1
        if self.full or size > self.size:
            return False
        self.lines, self.size = self.lines - 1, self.size - size
        return True
