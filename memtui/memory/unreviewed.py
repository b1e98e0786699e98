"""What others changed since a person last looked: new, edited, deleted, to keep or to revert (spec §14).

What a person did through memtui is theirs; everything else is somebody else's: an agent's own file writes, an editor, a
`save_memory` call. A change stays on the list until it is kept or reverted, however often the directory is opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memtui.memory import index
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.disk import refused
from memtui.memory.errors import Refused, UsageError
from memtui.memory.files import Unreadable, digest_of
from memtui.memory.journal import Edit, Record
from memtui.memory.labels import names
from memtui.memory.plans import Plan
from memtui.memory.record_lines import in_inbox
from memtui.memory.saying import Say
from memtui.memory.visits import Seen, Visits

if TYPE_CHECKING:
    from memtui.memory.manager import MemoryManager
    from memtui.memory.results import ChangeResult

PERSON = "user"
"""Who changes something through the app or the command line, in the journal."""

ChangeKind = Literal["new", "edited", "deleted"]


@dataclass(frozen=True, slots=True)
class OthersChange:
    """A memory that somebody else changed.

    Attributes:
        kind: what they did.
        slug: the memory.
        rel: its file.
        base: the bytes the person last saw; None for a new one, and where nobody knows them any more.
        now: the bytes that stand there; None for a deleted one.
        at: when they were written, Unix seconds; of a deletion, 0.0 if nobody knows.
        by: who did it, if it was done through memtui; else empty.
    """

    kind: ChangeKind
    slug: str
    rel: str
    base: bytes | None
    now: bytes | None
    at: float
    by: str = ""

    @property
    def revertible(self) -> bool:
        """Whether what was there before is known."""
        return self.kind == "new" or self.base is not None


class Unreviewed:
    """The changes by others in one directory. Looking writes to the state folder only, and only the first time."""

    def __init__(self, manager: MemoryManager, visits: Visits) -> None:
        self._manager = manager
        self._visits = visits

    def changes(self) -> tuple[OthersChange, ...]:
        """What others changed, by slug. The first look at a directory takes everything as seen.

        Raises:
            Refused: the state folder cannot be written to.
        """
        seen, now = self._visits.load(), self._now()
        if seen is None:
            self._save(now)
            return ()
        return tuple(self._between(seen, now))

    def get(self, slugs: Sequence[str]) -> tuple[OthersChange, ...]:
        """The changes of these memories.

        Raises:
            UsageError: nobody else changed one of them.
        """
        found = {change.slug: change for change in self.changes()}
        for slug in slugs:
            if slug not in found:
                raise UsageError(
                    "nobody else changed this memory since you last saw it",
                    where=slug,
                    todo="'memtui review changes' lists what was changed",
                )
        return tuple(found[slug] for slug in dict.fromkeys(slugs))

    def keep(self, changes: Sequence[OthersChange]) -> None:
        """Take changes as seen, as they were shown; nothing in the directory changes.

        Raises:
            Refused: the state folder cannot be written to.
        """
        seen = dict(self._visits.load() or {})
        at = self._manager.clock()
        for change in changes:
            seen.pop(change.rel, None)
            if change.now is not None:
                seen[change.rel] = Seen(digest_of(change.now), at, change.now)
        self._save(seen)

    def plan_revert(self, changes: Sequence[OthersChange]) -> Plan:
        """What reverting would do, byte for byte: a new one is forgotten, an edited or deleted one is as it was.

        Raises:
            Refused: what was there before is not known.
        """
        planner, edits, lines = (
            self._manager.planner,
            list[Edit](),
            dict[str, tuple[bytes | None, bytes | None]](),
        )
        planner.directory.refresh([INDEX_NAME, *(change.rel for change in changes)])
        for change in changes:
            if not change.revertible:
                raise Refused("the text as you last saw it is not known any more", where=change.slug)
            planner.refuse_link(change.rel)
            edits.append(Edit(change.rel, change.now, change.base, trash=change.kind == "new"))
            if change.kind == "edited" and change.now is not None:
                image = planner.existing(change.rel)
                edits.append(planner.archive(change.slug, image, superseded_by=change.slug))
            lines[change.rel] = (change.now, change.base)

        def restored(text: str) -> str:
            for rel, (before, after) in lines.items():
                if after is None:
                    text = index.without_entry(text, rel)
                elif before is not None or not index.has_entry(text, rel):
                    text = planner.line_after_save(text, rel, before, after)
            return text

        slugs = tuple(change.slug for change in changes)
        edits += planner.index_edit(restored)
        return Plan(f"revert {names(slugs)} to what you last saw", slugs, tuple(edits))

    def revert(self, plan: Plan) -> ChangeResult:
        """Carry out what `plan_revert` said, as one change that undo takes back.

        Raises:
            Conflict: a memory was changed again since. Nothing was written.
        """
        return self._manager.carry_out(plan)

    # -- within ----------------------------------------------------------------------------------------------------

    def _now(self) -> dict[str, Seen]:
        """The memories in force, as they are."""
        found: dict[str, Seen] = {}
        for entry in self._manager.entries():
            if entry.is_active:
                try:
                    image = self._manager.folder.read(entry.rel)
                except (FileNotFoundError, Unreadable):
                    continue
                found[entry.rel] = Seen(image.digest, self._manager.clock(), image.data)
        return found

    def _between(self, seen: Mapping[str, Seen], now: Mapping[str, Seen]) -> list[OthersChange]:
        mine, theirs = self._through_memtui(seen)
        still = {entry.rel for entry in self._manager.entries()}
        found: list[OthersChange] = []
        for rel in sorted({*seen, *now, *mine}):
            was = mine[rel] if rel in mine else (seen[rel].digest if rel in seen else None)
            is_now = now[rel].digest if rel in now else None
            if was == is_now or (is_now is None and rel in still):  # there, but an old version or unreadable
                continue
            kind: ChangeKind = "new" if was is None else "deleted" if is_now is None else "edited"
            by = theirs.get((rel, is_now))
            found.append(
                OthersChange(
                    kind=kind,
                    slug=rel.removesuffix(".md"),
                    rel=rel,
                    base=self._bytes(was, seen.get(rel)),
                    now=now[rel].data if rel in now else None,
                    at=by.at if by else self._written(rel),
                    by=by.actor if by else "",
                )
            )
        return found

    def _through_memtui(
        self, seen: Mapping[str, Seen]
    ) -> tuple[dict[str, str | None], dict[tuple[str, str | None], Record]]:
        """What the person made of a file since it was seen, and what somebody else did through memtui."""
        start = min((each.at for each in seen.values()), default=0.0)
        mine: dict[str, str | None] = {}
        theirs: dict[tuple[str, str | None], Record] = {}
        for record in self._manager.activity():
            for change in record.changes:
                rel = change.rel
                if change.role != "primary" or rel.startswith(".memtui/") or in_inbox(rel):
                    continue
                if record.actor != PERSON:
                    theirs[rel, change.after] = record
                elif record.at >= (seen[rel].at if rel in seen else start):
                    mine[rel] = change.after
        return mine, theirs

    def _bytes(self, digest: str | None, seen: Seen | None) -> bytes | None:
        if digest is None:
            return None
        if seen is not None and seen.digest == digest and seen.data is not None:
            return seen.data
        try:
            return self._manager.journal.object(digest)
        except Refused:
            return None

    def _written(self, rel: str) -> float:
        try:
            stamp = self._manager.folder.stamp(rel)
        except Unreadable:
            return 0.0
        return stamp.mtime_ns / 1e9 if stamp else 0.0

    def _save(self, seen: Mapping[str, Seen]) -> None:
        try:
            self._visits.save(seen)
        except OSError as error:
            raise refused(error, Say("could not keep what you have seen"), "state") from error
