"""A memory directory at one moment, and who finds out what is not in its files; see ``store``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memtui.memory.conventions import Convention
from memtui.memory.directory.changes import Changes
from memtui.memory.index.entrypoint import IndexReport
from memtui.memory.types import MemoryEntry
from memtui.watching import WatchState

if TYPE_CHECKING:
    from memtui.memory.checks.findings import Finding
    from memtui.memory.review.unreviewed import OthersChange


class Checker(Protocol):
    """Looks for what is wrong in a directory."""

    def update(self, changes: Changes | None) -> tuple[Finding, ...]:
        """All findings, worst first, after these changes; None stands for any change."""
        ...


class Reviewer(Protocol):
    """Knows what others changed since a person last looked."""

    @property
    def is_outdated(self) -> bool:
        """Whether what the person has seen was written down anew since the last look."""
        ...

    def update(self, changes: Changes | None) -> tuple[OthersChange, ...]:
        """All their changes, after these since the last call; None stands for any change."""
        ...


class WaitingFile(NamedTuple):
    """A file in the inbox, as far as it is known without being read.

    Attributes:
        name: of the file.
        mtime_ns: when it was written, nanoseconds since 1970.
        size: bytes.
    """

    name: str
    mtime_ns: int
    size: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A memory directory at one moment. Nothing in it ever changes.

    Its ``repr`` leaves out what the files say: whoever logs it or makes a worker with it would wait for megabytes.

    Attributes:
        directory: the folder.
        convention: the habits it follows.
        entries: all memories, active before historical, then by score (which is newest first), then by slug.
        index: how ``MEMORY.md`` stands against its limits.
        index_text: its text; empty if there is none.
        findings: what the last check found, worst first.
        findings_pending: whether something changed since that check; another snapshot brings its result.
        inbox: proposals that wait for review, by name.
        others: what others changed since the person last looked, by slug; found behind the first paint.
        changes: what became different since the snapshot of the generation before.
        watch: how changes on disk are noticed.
        generation: counts up by one from snapshot to snapshot; 0 before anything was read. Whoever missed one takes
            everything as changed.
        missing: whether the folder is not there.
        occupied: whether something that is no folder stands in its place.
        loaded_at: when it was made, Unix seconds.
    """

    directory: Path
    convention: Convention
    entries: tuple[MemoryEntry, ...] = field(repr=False)
    index: IndexReport = field(repr=False)
    index_text: str = field(repr=False)
    findings: tuple[Finding, ...] = field(repr=False)
    findings_pending: bool
    inbox: tuple[WaitingFile, ...] = field(repr=False)
    changes: Changes = field(repr=False)
    watch: WatchState
    generation: int
    missing: bool
    loaded_at: float
    occupied: bool = False
    others: tuple[OthersChange, ...] = field(default=(), repr=False)

    @property
    def inbox_count(self) -> int:
        """How many proposals wait."""
        return len(self.inbox)

    @property
    def to_review(self) -> int:
        """How many proposals and changes by others wait for a person."""
        return len(self.inbox) + len(self.others)
