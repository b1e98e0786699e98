"""What others changed since a person last looked: new, edited, deleted, to keep or to revert (spec §14).

What a person did through memtui is theirs; everything else is somebody else's: an agent's own file writes, an editor, a
`save_memory` call. A change stays on the list until it is kept or reverted, however often the directory is opened.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.disk.calls import refused
from memtui.memory.disk.files import digest_of
from memtui.memory.document import frontmatter
from memtui.memory.errors import Refused, UsageError
from memtui.memory.index.editing import decode_index, has_entry, without_entry
from memtui.memory.index.places import Stood, places
from memtui.memory.managing.authors import Author, doer_of
from memtui.memory.managing.plans import Plan
from memtui.memory.review.done_through import Done
from memtui.memory.review.visits import Seen, Visits
from memtui.memory.saving.records import Door, Edit
from memtui.memory.types import MemoryEntry
from memtui.memory.wording.labels import names
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.memory.directory.changes import Changes
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult

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
        mtime_ns: modification time that the file had with ``base``, nanoseconds since 1970; None if nobody knows.
        stood: how the index named it then; None if nobody knows, or it had no line of its own there.
        door: how it came in, if it was done through memtui and that is known.
    """

    kind: ChangeKind
    slug: str
    rel: str
    base: bytes | None
    now: bytes | None
    at: float
    by: str = ""
    mtime_ns: int | None = None
    stood: Stood | None = None
    door: Door = ""

    @property
    def author(self) -> Author:
        """Who did it."""
        return doer_of(self.by, self.door) if self.by else Author("outside")

    @property
    def revertible(self) -> bool:
        """Whether what was there before is known."""
        return self.kind == "new" or self.base is not None


class Unreviewed:
    """The changes by others in one directory. Looking writes to the state folder only, and only the first time.

    What was found is kept: a further look costs what has changed since, not what the directory holds. Thread-safe.
    """

    def __init__(self, manager: MemoryManager, visits: Visits) -> None:
        self._manager = manager
        self._visits = visits
        self._lock = threading.RLock()
        self._stamp: tuple[int, int, int] | None = None
        self._seen: Mapping[str, Seen] | None = None
        self._found: dict[str, OthersChange] = {}
        self._all: tuple[OthersChange, ...] = ()
        self._done = Done()
        self._texts: Mapping[str, Seen] | None = None

    def changes(self) -> tuple[OthersChange, ...]:
        """What others changed, by slug. The first look at a directory takes everything as seen.

        Raises:
            Refused: the state folder cannot be written to.
        """
        return self.update(None)

    def update(self, changes: Changes | None) -> tuple[OthersChange, ...]:
        """The same, after these changes since the last call; None stands for any change.

        Gives the object of before where nothing is different.

        Raises:
            Refused: the state folder cannot be written to, or the journal cannot be read.
        """
        with self._lock:
            stamp = self._visits.stamp
            if self._seen is None or stamp != self._stamp:
                seen = self._visits.load(texts=False)
                if seen is None and self._seen is not None and stamp is None:
                    seen = self._seen  # it could not be kept: it counts while this runs
                if seen is None:
                    return self._first_look()
                self._seen, self._stamp, changes = seen if stamp is None else _digests(seen), stamp, None
                self._done = Done()
            return self._look(self._seen, changes)

    @property
    def is_outdated(self) -> bool:
        """Whether somebody kept changes elsewhere, as on the command line, since the last look."""
        return self._seen is not None and self._visits.stamp != self._stamp

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

    def keep(self, changes: Sequence[OthersChange]) -> Mapping[str, Seen | None]:
        """Take changes as seen, as they were shown; nothing in the directory changes.

        Returns:
            What counted as seen before, for `put_back`.

        Raises:
            Refused: the state folder cannot be written to.
        """
        at, stood = self._manager.clock(), places(self._manager.directory.index_text)

        def seen(change: OthersChange) -> Seen | None:
            if change.now is None:
                return None
            entry = self._manager.directory.get_rel(change.rel)
            same = entry is not None and _bytes_of(entry) == change.now
            return Seen.of(
                change.now,
                at,
                mtime_ns=_mtime_ns(entry) if same and entry is not None else None,
                stood=stood.get(change.rel, Stood()),
            )

        return self._settle({each.rel: seen(each) for each in changes})

    def put_back(self, before: Mapping[str, Seen | None]) -> None:
        """Take back a `keep`: the changes are on the list again.

        Raises:
            Refused: the state folder cannot be written to.
        """
        self._settle(before)

    def _settle(self, now: Mapping[str, Seen | None]) -> dict[str, Seen | None]:
        with self._lock:
            seen = dict(self._visits.load() or self._seen or {})
            before = {rel: seen.get(rel) for rel in now}
            for rel, each in now.items():
                if each is None:
                    seen.pop(rel, None)
                else:
                    seen[rel] = each
            self._save(seen)
            return before

    def plan_revert(self, changes: Sequence[OthersChange]) -> Plan:
        """What reverting would do, byte for byte: a new one is forgotten, an edited or deleted one is as it was.

        Its age is as it was, too, and a deleted one's line in the index, or that there was none, as far as it is known.

        Raises:
            Refused: what was there before is not known.
        """
        planner, edits, lines = (
            self._manager.planner,
            list[Edit](),
            dict[str, tuple[OthersChange, bytes | None]](),
        )
        planner.directory.refresh([INDEX_NAME, *(change.rel for change in changes)])
        for change in changes:
            if not change.revertible:
                raise Refused("the text as you last saw it is not known any more", where=change.slug)
            planner.refuse_link(change.rel)
            kept = change.mtime_ns if change.base is not None else None
            edits.append(Edit(change.rel, change.now, change.base, mtime_ns=kept, trash=change.kind == "new"))
            if change.kind == "edited" and change.now is not None:
                image = planner.existing(change.rel)
                edits.append(planner.archive(change.slug, image, superseded_by=change.slug))
            lines[change.rel] = (change, change.base)

        def restored(text: str) -> str:
            for rel, (change, after) in lines.items():
                before, stood = change.now, change.stood
                if after is None:
                    text = without_entry(text, rel)
                elif before is None and stood is not None:
                    if stood.line and not has_entry(text, rel):
                        age = (change.mtime_ns or 0) / 1e9
                        text = planner.line_put_back(
                            text, rel, stood, frontmatter.read(after).modified or age
                        )
                elif has_entry(text, rel) == (before is not None):
                    # Of one that was edited a line that is there follows, and none is made; a deleted one gets its line.
                    text = planner.line_after_save(text, rel, before, after)
            return text

        slugs = tuple(change.slug for change in changes)
        gone = {edit.rel for edit in edits if edit.after is None}
        back = {edit.rel for edit in edits if edit.before is None and edit.role == "primary"}
        edits += planner.index_edit(restored, gone=gone, new=back)
        return Plan(f"revert {names(slugs)} to what you last saw", slugs, tuple(edits))

    def revert(self, plan: Plan) -> ChangeResult:
        """Carry out what `plan_revert` said, as one change that undo takes back.

        Raises:
            Conflict: a memory was changed again since. Nothing was written.
        """
        return self._manager.carry_out(plan)

    # -- within ----------------------------------------------------------------------------------------------------

    def _first_look(self) -> tuple[OthersChange, ...]:
        at = self._manager.clock()
        self._found, self._all, self._done = {}, (), Done()
        stood = places(self._manager.directory.index_text)
        self._seen = {
            entry.rel: Seen.of(data, at, mtime_ns=_mtime_ns(entry), stood=stood.get(entry.rel, Stood()))
            for entry in self._manager.entries()
            if (data := _bytes_of(entry)) is not None  # an empty file was seen too
        }
        self._save(self._seen)
        self._stamp = self._visits.stamp
        return ()

    def _look(self, seen: Mapping[str, Seen], changes: Changes | None) -> tuple[OthersChange, ...]:
        """Compare what may have become different: what changed, what was found before, what was done through memtui."""
        named = self._done.read(self._manager.activity(), seen)
        if changes is None:
            active = (entry.rel for entry in self._manager.entries() if entry.is_active)
            wanted = {*seen, *active, *self._done.mine}
            self._found.clear()
        else:
            slugs = changes.added | changes.changed | changes.removed
            wanted = {*named, *self._found, *(f"{slug}.md" for slug in slugs)}
        different = changes is None
        for rel in wanted:
            before = self._found.pop(rel, None)
            after = self._compared(rel, seen, before)
            if after is not None:
                self._found[rel] = before if before == after and before is not None else after
            different |= before != after
        self._texts = None
        if different:
            found = tuple(self._found[rel] for rel in sorted(self._found))
            self._all = self._all if found == self._all else found
        return self._all

    def _compared(
        self, rel: str, seen: Mapping[str, Seen], before: OthersChange | None
    ) -> OthersChange | None:
        """What others did to one memory; None if it is as the person knows it."""
        mine, entry = self._done.mine, self._manager.directory.get_rel(rel)
        data = _bytes_of(entry) if entry is not None else None
        if entry is not None and data is None:
            return None  # there, but an old version or unreadable
        was = mine[rel] if rel in mine else (seen[rel].digest if rel in seen else None)
        is_now = digest_of(data) if data is not None else None
        if was == is_now:
            return None
        by = self._done.theirs.get((rel, is_now))
        mtime_ns, stood = self._age_and_line(was, rel) if was is not None else (None, None)
        return OthersChange(
            kind="new" if was is None else "deleted" if is_now is None else "edited",
            slug=rel.removesuffix(".md"),
            rel=rel,
            base=self._bytes(was, rel, before),
            now=data,
            at=by.at if by else entry.mtime if entry is not None else 0.0,
            by=by.actor if by else "",
            door=by.door if by else "",
            mtime_ns=mtime_ns,
            stood=stood,
        )

    def _age_and_line(self, digest: str, rel: str) -> tuple[int | None, Stood | None]:
        """The time that a file had with a text that a person knows, and how the index named it; None for the unknown."""
        known = self._known(rel)
        if known is not None and known.digest == digest and rel not in self._done.mine:
            return known.mtime_ns or self._done.times.get((rel, digest)), known.stood
        written = self._done.indexes.get(rel)
        stood = known.stood if known is not None and not written else None
        if written:
            with suppress(Refused):
                stood = places(decode_index(self._manager.journal.object(written))).get(rel, Stood())
        return self._done.times.get((rel, digest)), stood

    def _known(self, rel: str) -> Seen | None:
        """A memory as it was seen, with its text."""
        if self._texts is None:  # of thousands, few are ever asked for: they are not held
            self._texts = self._visits.load() or self._seen or {}
        return self._texts.get(rel)

    def _bytes(self, digest: str | None, rel: str, before: OthersChange | None) -> bytes | None:
        """The text that a person knows: as found before, as kept when it was seen, or as the journal has it."""
        if digest is None:
            return None
        if before is not None and before.base is not None and digest_of(before.base) == digest:
            return before.base
        known = self._known(rel)
        if known is not None and known.digest == digest and (data := known.data) is not None:
            return data
        try:
            return self._manager.journal.object(digest)
        except Refused:
            return None

    def _save(self, seen: Mapping[str, Seen]) -> None:
        try:
            self._visits.save(seen)
        except OSError as error:
            raise refused(error, Say("could not keep what you have seen"), "state") from error
        self._seen, self._stamp, self._done = _digests(seen), None, Done()


def _digests(seen: Mapping[str, Seen]) -> dict[str, Seen]:
    """What was seen, without the texts."""
    return {rel: Seen(each.digest, each.at) for rel, each in seen.items()}


def _mtime_ns(entry: MemoryEntry) -> int:
    return round(entry.mtime * 1e9)


def _bytes_of(entry: MemoryEntry) -> bytes | None:
    """The file of a memory in force; None for any other, and for one that cannot be read."""
    return entry.data if entry.is_active and isinstance(entry.data, bytes) else None
