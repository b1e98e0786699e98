"""What a change did, for whoever asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memtui.memory.doubles.dedup import Match
from memtui.memory.quality import QualityFinding
from memtui.memory.saving.records import Pending

if TYPE_CHECKING:
    from memtui.memory.secrets.guard import SecretFinding  # its rules are loaded by what looks for secrets

SaveOutcome = Literal["created", "updated", "unchanged"]


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """What a change did.

    Attributes:
        label: one line for a person, e.g. ``forget release-freeze``.
        slugs: the memories it was about.
        archived: slugs of the old versions it made.
        kept: paths of versions that somebody else wrote in the last instant, and which were archived, not lost.
        pending: what of it could not be brought up to date; the next change or start does it.
        dangling: memories whose wiki links now point to nothing.
        record_id: number in the journal; 0 if nothing had to be done.
        elsewhere: the other memory directory that was changed together with this one; empty usually.
    """

    label: str
    slugs: tuple[str, ...]
    archived: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    pending: tuple[Pending, ...] = ()
    dangling: tuple[str, ...] = ()
    record_id: int = 0
    elsewhere: str = ""

    @property
    def index_pending(self) -> bool:
        """Whether the index could not be brought up to date."""
        return "index" in self.pending


@dataclass(frozen=True, slots=True)
class SaveResult(ChangeResult):
    """What a save did.

    Attributes:
        slug: the memory.
        outcome: ``created``, ``updated`` (the old version was archived) or ``unchanged``.
        quality: what the quality gate has to say; it never refuses.
        duplicate: the active memory that says nearly the same, if any.
        secrets: what in name, description and content looks like a secret; places count within each field.
    """

    slug: str = ""
    outcome: SaveOutcome = "unchanged"
    quality: tuple[QualityFinding, ...] = ()
    duplicate: Match | None = None
    secrets: tuple[SecretFinding, ...] = ()
