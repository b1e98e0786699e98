"""What a dream looks at, what it suggests, and the lines a suggestion rests on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from memtui.memory.checks.claims import ProjectIndex
from memtui.memory.types import Lang, MemoryEntry

DreamRule = Literal["duplicate", "superseded", "stale", "relative-date", "dangling-link", "model"]
DreamKind = Literal["merge", "forget", "fix", "save"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A line that a suggestion rests on.

    Attributes:
        rel: the file, below the memory directory.
        line: 1-based line in it.
        quote: the line as it stands; show it through ``visible``.
    """

    rel: str
    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One thing that a dream would do.

    Attributes:
        rule: what found it.
        kind: ``merge`` makes the other memories old versions of the first, ``forget`` takes them to the trash,
            ``fix`` writes the first one's file anew, ``save`` makes the first one or saves it anew.
        slugs: the memories; of a merge the first is the result.
        reason: why, for a person.
        passages: what it rests on.
        content: the text that a merge or a save would leave; empty for the other kinds.
        data: the whole file that a fix would write; empty for the other kinds.
        header: name, description and type for the result of a merge or a save; None keeps those of the first memory.
    """

    rule: DreamRule
    kind: DreamKind
    slugs: tuple[str, ...]
    reason: str
    passages: tuple[Passage, ...]
    content: str = ""
    data: bytes = b""
    header: tuple[str, str, str] | None = None


@dataclass(frozen=True, slots=True)
class DreamInput:
    """What the rules look at.

    Attributes:
        entries: all memories of the directory, old versions too.
        now: Unix seconds.
        zone: the zone whose days count; None for the system's own.
        lang: language of the reasons.
        project: the project that the memories speak of; None if that is not known.
    """

    entries: Sequence[MemoryEntry]
    now: float
    zone: dt.tzinfo | None
    lang: Lang
    project: ProjectIndex | None = None

    @property
    def active(self) -> list[MemoryEntry]:
        """The memories in force that can be read."""
        return [entry for entry in self.entries if entry.is_active and entry.is_readable]


def line_at(entry: MemoryEntry, offset: int) -> int:
    """The 1-based line of a memory's file in which a place of its content stands."""
    return entry.body_line + entry.content.count("\n", 0, offset)


def line_of(content: str, offset: int) -> str:
    """The line around a place of a text, bare."""
    start = content.rfind("\n", 0, offset) + 1
    end = content.find("\n", offset)
    return content[start : end if end >= 0 else len(content)].strip()


def whole_file(entry: MemoryEntry) -> bytes:
    """The bytes of a memory's file as it was read."""
    return entry.data if isinstance(entry.data, bytes) else entry.data.encode("utf-8", "surrogateescape")


def local_day(moment: float, zone: dt.tzinfo | None) -> dt.date:
    """The local date of a time in Unix seconds."""
    return dt.datetime.fromtimestamp(moment, dt.UTC).astimezone(zone).date()
