"""How a change is made: the directory is held, the journal commits, and the reader hears of it.

What is changed is decided in ``manager``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from memtui.memory.audit import AuditRow
from memtui.memory.conventions import INDEX_NAME, TEAM_PREFIX
from memtui.memory.disk.files import FileImage
from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.managing.foreseeing import Foreseeing
from memtui.memory.managing.planner import slug_of
from memtui.memory.managing.results import ChangeResult
from memtui.memory.saving.records import Edit, Outcome, Tie
from memtui.memory.wording.saying import Say, joined, plain

if TYPE_CHECKING:
    from memtui.memory.secrets.team_guard import Leak

Verb = Literal["undo", "redo"]
NO_FILE = ""
"""In place of a digest: what is written is based on there being no file of that name."""
SHARE_SECRET = "share_secret"  # noqa: S105  -- the name of what was done
"""What the audit log calls it when a person lets a secret into a memory of the team."""


class Committer(Foreseeing):
    """A reader that can also make a change, undo and redo one; all of it for `MemoryManager`."""

    @contextmanager
    def writing(self, *, create: bool = False) -> Iterator[None]:
        """Hold the directory for a change, or for several in a row; the journal deals with leftovers of one that died first.

        Args:
            create: whether a directory that is not there is made.

        Raises:
            Busy: another memtui holds it for longer than ``lock_seconds``.
            Refused: it was opened read-only, is not there, or cannot be locked; or none of its files can be read, so
                that nobody knows which habits they follow.
            MemtuiError: there is a `hindrance`.
        """
        if self.hindrance is not None:
            raise self.hindrance
        if self.read_only:
            raise Refused(
                "opened read-only", where=str(self.root), todo="Open it without --read-only to change it"
            )
        if not create and not self.folder.exists():
            raise Refused(
                "there is no such directory", where=str(self.root), todo="Save a first memory in it"
            )
        with self._mutex, self.folder.lock(self.lock_seconds):
            self.directory.refuse_to_guess()
            yield

    def _commit(
        self, label: str, edits: Sequence[Edit], slugs: Sequence[str], tie: Tie | None = None
    ) -> ChangeResult:
        live = [edit for edit in edits if edit.before != edit.after or edit.mtime_ns is not None]
        if not live:
            return ChangeResult(label, tuple(slugs))
        if all(edit.role == "index" for edit in live):
            # What is about the index alone is made or not, and does not follow what is made.
            live = [replace(edit, role="primary") for edit in live]
        self._guard_team(live)
        outcome = self.journal.commit(
            label, live, slugs=slugs, actor=self.actor, session_id=self.session_id, tie=tie
        )
        return self._result(outcome)

    @contextmanager
    def sharing_secrets(self, slugs: Iterable[str]) -> Iterator[None]:
        """Let the changes made within put secrets into these memories of the team; the audit log gets a row for each.

        Args:
            slugs: what a person typed, to say that they mean it.
        """
        with self._mutex:
            before, self.shared_secrets = self.shared_secrets, frozenset(slugs)
            try:
                yield
            finally:
                self.shared_secrets = before

    def refuse_secrets(self, edits: Sequence[Edit]) -> tuple[Leak, ...]:
        """Refuse a change that would give the team a secret which nobody let through; those let through come back.

        Args:
            edits: the change.

        Raises:
            SecretBlocked: it would.
        """
        if not any(edit.rel.startswith(TEAM_PREFIX) and edit.after is not None for edit in edits):
            return ()
        from memtui.memory.secrets.team_guard import SecretBlocked, entering, held_back  # noqa: PLC0415  -- few directories have a team

        leaks = entering(edits, self.allowed_secrets)
        blocked = held_back(leaks, self.shared_secrets)
        if blocked:
            raise SecretBlocked.of(blocked)
        return leaks

    def _guard_team(self, edits: Sequence[Edit]) -> None:
        """The same before a change is made, with a row in the audit log for what is let through.

        Raises:
            SecretBlocked: as for `refuse_secrets`.
            Refused: somebody let it through, and the audit log cannot be written.
        """
        for leak in self.refuse_secrets(edits):
            detail = f"{leak.rule}, line {leak.line}, {leak.fingerprint}"
            self.audit.add(
                AuditRow(
                    self.clock(),
                    SHARE_SECRET,
                    "override",
                    0.0,
                    leak.slug,
                    self.actor,
                    self.session_id,
                    detail,
                )
            )

    def _replay(self, verb: Verb, only: int | None) -> ChangeResult:
        record = self.undoable() if verb == "undo" else self.redoable()
        if record is None:
            wrong = joined(self.journal.warnings(), " ")
            raise UsageError(
                Say("there is nothing to {verb}", verb=plain(verb)), where=str(self.root), todo=wrong
            )
        if record.tie is not None:
            from memtui.memory.managing.tied import replay_both  # noqa: PLC0415  -- moves are rare

            both = replay_both(self, record, verb, only)
            if both is not None:
                return both
        return self.replay_half(verb, only)

    def replay_half(self, verb: Verb, only: int | None = None) -> ChangeResult:
        """`undo` or `redo` in this directory alone, whatever belongs to it elsewhere.

        Args:
            verb: ``undo`` or ``redo``.
            only: as for either.

        Raises:
            UsageError, Conflict: as for either.
        """
        with self.writing():
            now = self.undoable() if verb == "undo" else self.redoable()
            if only is not None and (now is None or now.id != only):
                raise Conflict(
                    Say("another change was made meanwhile, which {verb} would act on now", verb=plain(verb)),
                    where=str(self.root),
                    todo="Look at what was done, then try again",
                )
            return self._result(self.journal.undo() if verb == "undo" else self.journal.redo())

    def _result(self, outcome: Outcome) -> ChangeResult:
        record = outcome.record
        self.directory.refresh({*record.rels, *outcome.kept, INDEX_NAME})
        archived = tuple(slug_of(rel) for rel in record.archived)
        return ChangeResult(
            record.label, record.slugs, archived, outcome.kept, outcome.pending, (), record.id
        )

    def _check_base(self, rel: str, image: FileImage | None, based_on: str | None, after: bytes) -> None:
        if based_on is None or based_on == (image.digest if image is not None else NO_FILE):
            return
        theirs = image.data if image else None
        if theirs == after:
            return
        raise Conflict(
            "the file was changed by somebody else while you edited it" if image else "the file is gone",
            where=str(self.root / rel),
            todo="Nothing was written; compare the texts and save again",
            base=self._remembered(based_on),
            mine=after or None,
            theirs=theirs,
        )

    def _remembered(self, digest: str) -> bytes | None:
        try:
            return self.journal.object(digest)
        except Refused:
            return None
