"""What there is to say about a memory while it is typed, and the directory it is typed in; ``checker`` works it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from memtui.memory.checks.claims import Verdict
from memtui.memory.conventions import Convention, SizeUnit
from memtui.memory.document.draft import Draft
from memtui.memory.doubles.likeness import Match
from memtui.memory.types import MemoryEntry, Severity

FieldName = Literal["name", "description", "type", "slug", "content"]


@dataclass(frozen=True, slots=True)
class LiveFinding:
    """One thing to say about a draft.

    Attributes:
        rule: a rule of ``RULES``, or one of ``duplicate secret team-secret broken-claim dangling-link field slug index-lost
            index-rotates``.
        severity: ``ERROR`` for what a save would refuse.
        where: the field it is about.
        span: first and one past the last character in that field; None if it is about the whole.
        parts: what a message about it names; text of files, not fit to be shown as it is.
    """

    rule: str
    severity: Severity
    where: FieldName
    span: tuple[int, int] | None = None
    parts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexFit:
    """How ``MEMORY.md`` would stand after a save.

    Attributes:
        lines: its lines.
        max_lines: their limit.
        size: its size in the convention's unit.
        max_size: the limit.
        unit: what both are measured in.
        loaded: whether a reader would hear of this memory.
        dropped: files whose lines would leave to make room, oldest first.
        not_loaded: how many files a reader would not hear of.
    """

    lines: int
    max_lines: int
    size: int
    max_size: int
    unit: SizeUnit
    loaded: bool
    dropped: tuple[str, ...]
    not_loaded: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where the memory would stand in the reminder once saved.

    Attributes:
        rank: 1-based place by score among the active memories; as it is now where nothing was changed.
        total: how many there would be.
        taken: how many go into a reminder.
        pushed_out: slug of the memory that would leave the reminder for it, if one would.
        block: the text of this memory in the reminder.
    """

    rank: int
    total: int
    taken: int
    pushed_out: str | None
    block: str

    @property
    def within(self) -> bool:
        """Whether it would be in the reminder."""
        return self.rank <= self.taken


@dataclass(frozen=True, slots=True)
class LiveReport:
    """Everything there is to say about one state of a draft. Nothing in it ever changes.

    Attributes:
        draft: the state it is about.
        findings: worst first, then by place in the text.
        duplicates: the most similar active memories, most similar first.
        claims: what the text names, and whether the project has it; empty while ``claims_pending``.
        claims_pending: whether the project has still to be read for that.
        index: how the index would stand.
        place: where the memory would stand in the reminder.
        proposed: the slug that the name suggests, free to be taken.
        blocking: the findings for which a save would be refused; empty if it would be accepted.
    """

    draft: Draft
    findings: tuple[LiveFinding, ...]
    duplicates: tuple[Match, ...]
    claims: tuple[Verdict, ...]
    claims_pending: bool
    index: IndexFit
    place: Place
    proposed: str

    @property
    def blocking(self) -> tuple[LiveFinding, ...]:
        """What stands in the way of a save."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)


Matches = Callable[[str, str | None], Sequence[Match]]
"""Finds the duplicates of a text, the given slug left out, most similar first."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The directory that a draft is typed in, as it is now.

    Its ``repr`` leaves out what the files say, as that of a snapshot does.

    Attributes:
        entries: all memories, active before historical, then newest first.
        index_text: the text of ``MEMORY.md``.
        convention: the habits the directory follows.
    """

    entries: tuple[MemoryEntry, ...] = field(repr=False)
    index_text: str = field(repr=False)
    convention: Convention
