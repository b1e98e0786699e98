"""Every change to a memory directory: written down first, made in one step, undone exactly (reliability §1, spec §5)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.calls import refused
from memtui.memory.disk.files import Folder
from memtui.memory.disk.writing import OBJECTS_FOLDER, OWN_LIMIT, Writer
from memtui.memory.errors import MemtuiError, Refused, UsageError
from memtui.memory.saving.keeping import FAILURES, KeepAs, MergeIndex, Step
from memtui.memory.saving.ledger import JOURNAL, Ledger
from memtui.memory.saving.preflight import look
from memtui.memory.saving.record_lines import MAX_ID
from memtui.memory.saving.records import Door, Edit, Kind, Outcome, Pending, Record, Tie
from memtui.memory.saving.recovery import Recovery, is_live
from memtui.memory.saving.steps import Engine
from memtui.memory.types import Clock
from memtui.memory.wording.saying import Say, joined

_SHOWN = 200  # characters of a path in a warning


class Journal:
    """The one way to change a memory directory. Making one reads and creates nothing.

    Whoever calls `commit`, `undo` or `redo` holds ``folder.lock()``; without it nothing gets lost either, but two
    changes at once may conflict needlessly.
    """

    def __init__(self, folder: Folder, *, clock: Clock, merge_index: MergeIndex, keep_as: KeepAs) -> None:
        """Set up for one directory.

        Args:
            folder: the directory.
            clock: time of the records, Unix seconds.
            merge_index: (base, mine, theirs) -> an index with the changes of both, line-wise.
            keep_as: (path, displaced bytes) -> (path of its version 1, bytes to archive); the number goes up until
                the name is free.
        """
        self._folder = folder
        self._clock = clock
        self._merge_index = merge_index
        self._keep_as = keep_as
        self._ledger = Ledger(folder)
        self._recovery = Recovery(folder, self._ledger, merge_index, keep_as)
        self._looked = False
        self.door: Door = ""
        """How the changes come in that are made from now on."""

    # ------------------------------------------------------------------ looking

    def records(self) -> list[Record]:
        """What was done, oldest first; changes that were taken back or never came about are not among them.

        Raises:
            Refused: the journal cannot be read.
        """
        return [record for record in self._all() if record.is_done]

    def undoable(self) -> Record | None:
        """The change that `undo` would take back: the last one that stands."""
        done = self._stacks()[0]
        return done[-1] if done else None

    def redoable(self) -> Record | None:
        """The undo that `redo` would take back; a new change leaves none."""
        undone = self._stacks()[1]
        return undone[-1] if undone else None

    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the journal as last read, a sentence each: records that nobody will ever act on."""
        foreign = self._ledger.foreign()
        if not foreign:
            return ()
        named = foreign[0][:_SHOWN]
        if len(foreign) > 1:
            named = Say("{first} and {count} more", first=named, count=len(foreign) - 1)
        what = Say(
            "the journal names files that are not memories ({named}), so nothing is done about them",
            named=named,
        )
        return (
            Say(
                "{where}: {what}. memtui writes no such records: look at the file, or move it away.",
                where=JOURNAL,
                what=what,
            ),
        )

    def object(self, digest: str) -> bytes:
        """Bytes the journal keeps, by their SHA-256.

        Raises:
            Refused: they are not there, or damaged.
        """
        rel = f"{OBJECTS_FOLDER}/{digest}"
        try:
            image = self._folder.read(rel, OWN_LIMIT)
        except FileNotFoundError:
            raise Refused("the journal no longer holds this version", where=rel) from None
        if image.digest != digest:
            raise Refused("this version is damaged in the journal", where=rel)
        return image.data

    def _all(self) -> list[Record]:
        try:
            return self._ledger.records()
        except OSError as error:
            raise refused(error, "could not read the journal", OWN_FOLDER) from error

    def _stacks(self) -> tuple[list[Record], list[Record]]:
        return stacks_of(self.records())

    # ------------------------------------------------------------------ changing

    def commit(
        self,
        label: str,
        edits: Sequence[Edit],
        *,
        slugs: Sequence[str],
        actor: str = "user",
        session_id: str | None = None,
        tie: Tie | None = None,
    ) -> Outcome:
        """Make one change: all its primaries or none, then archives, then the index.

        Args:
            label: what it is, for a person.
            edits: the files.
            slugs: memories it is about.
            actor: who does it.
            session_id: the agent's session, if any.
            tie: what joins it to a change in another directory.

        Returns:
            What became of it. Once it returns, the texts survive a power failure.

        Raises:
            Conflict: a primary is not what its edit was based on. Nothing was written.
            Refused: it cannot be made safely, or the system said no. Nothing was changed.
        """
        draft = Record(
            0, self._clock(), label, tuple(slugs), actor, session_id, "do", None, tie=tie, door=self.door
        )
        return self._run(draft, edits)

    def undo(self) -> Outcome:
        """Take the last change back: exact bytes and times, and folders it made if they are empty.

        Raises:
            Conflict: somebody has changed one of its files since. Nothing was written.
            Refused: as for `commit`.
            UsageError: there is nothing to undo.
        """
        self._recover_if_needed()
        record = self.undoable()
        if record is None:
            raise UsageError("there is nothing to undo", todo=joined(self.warnings(), " "))
        return self._invert(record, "undo")

    def redo(self) -> Outcome:
        """Take the last undo back.

        Raises:
            Conflict: somebody has changed one of its files since. Nothing was written.
            Refused: as for `commit`.
            UsageError: there is nothing to redo.
        """
        self._recover_if_needed()
        record = self.redoable()
        if record is None:
            raise UsageError("there is nothing to redo", todo=joined(self.warnings(), " "))
        return self._invert(record, "redo")

    def recover(self) -> tuple[str, ...]:
        """Finish or take back what a crash interrupted, and clear up what it left; twice changes nothing more.

        Takes the lock if there is something to do.

        Returns:
            A sentence for each thing done, then the `warnings`; empty where nothing was left over.

        Raises:
            Refused: the system said no.
        """
        self._looked = True
        try:
            return (*self._recovery.run(self._clock()), *self.warnings())
        except OSError as error:
            raise refused(error, "could not clear up after an interrupted change", OWN_FOLDER) from error

    def _recover_if_needed(self) -> None:
        """The whole look once, then only when the journal has a change that nobody is working on."""
        if not self._looked or any(
            not record.is_settled and not is_live(record, self._clock()) for record in self._all()
        ):
            self.recover()

    def _invert(self, record: Record, kind: Kind) -> Outcome:
        draft = Record(
            id=0,
            at=self._clock(),
            label=record.label,
            slugs=record.slugs,
            actor="user",
            session_id=None,
            kind=kind,
            of=record.id,
            of_key=record.key,
            tie=record.tie,
            door=self.door,
        )
        edits: list[Edit] = []
        for change in record.changes:
            if change.skipped:
                continue
            before = None if change.before is None else self.object(change.before)
            after = None if change.after is None else self.object(change.after)
            edits.append(
                Edit(
                    change.rel, after, before, change.role, mtime_ns=change.was_mtime_ns, mode=change.was_mode
                )
            )
            if change.trashed is not None:
                edits.append(Edit(change.trashed, before, None, "archive", mode=change.was_mode))
        outcome = self._run(draft, edits)
        with Writer(self._folder) as writer:
            writer.drop_folders(record.made)
        return outcome

    def _run(self, draft: Record, edits: Sequence[Edit]) -> Outcome:
        self._recover_if_needed()
        with Writer(self._folder) as writer:
            number = min(MAX_ID, max((record.id for record in self._all()), default=0) + 1)
            engine = Engine(writer, number, self._merge_index, self._keep_as)
            steps, made = look(self._folder, writer, engine, edits)
            record = replace(
                draft,
                id=number,
                key=writer.token,
                pid=os.getpid(),
                changes=tuple(step.change for step in steps),
                made=made,
            )
            self._make(writer, engine, record, steps)
            return self._finish(writer, engine, record, steps)

    def _make(self, writer: Writer, engine: Engine, record: Record, steps: Sequence[Step]) -> None:
        """Up to the commit point; anything that goes wrong leaves the directory as it was."""
        primaries = [step for step in steps if step.change.role == "primary"]
        where = record.changes[0].rel if record.changes else OWN_FOLDER
        begun = False
        try:
            self._folder.make_own_folder()
            writer.store(*(data for step in steps for data in (step.before, step.after) if data is not None))
            writer.sync()
            begun = True
            self._ledger.begin(writer, record)
            writer.sync()
            engine.prepare(steps)
            for step in primaries:
                where = step.change.rel
                self._apply(engine, step)
        except (OSError, MemtuiError) as error:
            if begun:
                self._take_back(writer, engine, record, steps)
            if isinstance(error, OSError):
                raise refused(error, "could not save", where) from error
            raise

    @staticmethod
    def _apply(engine: Engine, step: Step) -> None:
        try:
            engine.apply(step)
        except OSError:
            # A system may report a failure for what it did do.
            if not engine.is_applied(step):
                raise

    def _take_back(self, writer: Writer, engine: Engine, record: Record, steps: Sequence[Step]) -> None:
        with suppress(*FAILURES):
            self._ledger.end(writer, replace(record, state="back"))
        with suppress(*FAILURES):
            engine.roll_back(steps, record.made)
            self._ledger.end(writer, replace(record, state="gone"))

    def _finish(self, writer: Writer, engine: Engine, record: Record, steps: Sequence[Step]) -> Outcome:
        failure = engine.finish(steps, again=False)
        if failure is not None and not any(step.change.role == "primary" for step in steps):
            self._take_back(writer, engine, record, steps)
            if isinstance(failure, OSError):
                raise refused(failure, "could not save", steps[0].change.rel if steps else "") from failure
            raise failure
        done = replace(
            record,
            changes=tuple(step.change for step in steps),
            kept=tuple(engine.kept),
            state="done" if failure is None else "part",
        )
        try:
            self._ledger.end(writer, done)
        except FAILURES:
            done = replace(done, state="part")
        if done.state == "done":
            for step in steps:
                with suppress(*FAILURES):
                    engine.let_go(step)
        done = replace(done, kept=tuple(engine.kept))
        pending: tuple[Pending, ...] = ()
        if done.state != "done":
            pending = tuple(dict.fromkeys(engine.pending)) or ("journal",)
        return Outcome(done, done.kept, pending)


def stacks_of(records: Iterable[Record]) -> tuple[list[Record], list[Record]]:
    """The changes that stand, and the undos that can be taken back, each with the next one to invert last.

    Args:
        records: changes that were made, oldest first.
    """
    done: list[Record] = []
    undone: list[Record] = []
    for record in records:
        if record.kind == "undo":
            _drop(done, record.of_key)
            undone.append(record)
        elif record.kind == "redo":
            _drop(undone, record.of_key)
            done.append(record)
        else:
            undone.clear()
            done.append(record)
    return done, undone


def _drop(records: list[Record], key: str | None) -> None:
    """Remove a record from a list that it nearly always stands at the end of."""
    for place in reversed(range(len(records))):
        if records[place].key == key:
            del records[place]
            return
