"""After a crash: finish or take back what was interrupted, and clear up what it left (reliability §1)."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.filenames import is_temp, split
from memtui.memory.disk.files import Folder, Unreadable, digest_of, shut
from memtui.memory.disk.writing import ACTIVE, OBJECTS_FOLDER, OWN_LIMIT, TOKEN_DIGITS, Writer
from memtui.memory.errors import sentence_of
from memtui.memory.saving.keeping import FAILURES, KeepAs, MergeIndex, Step
from memtui.memory.saving.ledger import Ledger
from memtui.memory.saving.records import Change, Record
from memtui.memory.saving.steps import Engine
from memtui.memory.wording.labels import Label
from memtui.memory.wording.saying import Say

LIVE_SECONDS = 3600.0
"""A change or temporary file older than this belongs to nobody: its process number was given out again (ours)."""

_NO_TEXT = frozenset({"not-regular", "too-large", "outside"})
"""Why what stands in an object's place is none, however often it is read."""


def _process_lives(pid: int, token: str) -> bool:
    if pid == os.getpid():
        return token[:TOKEN_DIGITS] in ACTIVE
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def is_live(record: Record, now: float) -> bool:
    """Whether somebody may still be working on a change that is not settled.

    Args:
        record: the change.
        now: Unix seconds.
    """
    return abs(now - record.at) < LIVE_SECONDS and record.pid > 0 and _process_lives(record.pid, record.key)


class Recovery:
    """Clears up one directory."""

    def __init__(self, folder: Folder, ledger: Ledger, merge_index: MergeIndex, keep_as: KeepAs) -> None:
        self._folder = folder
        self._ledger = ledger
        self._merge_index = merge_index
        self._keep_as = keep_as

    def run(self, now: float) -> tuple[str, ...]:
        """Do it; takes the lock only if there is something to do.

        Args:
            now: Unix seconds.

        Returns:
            A sentence for each thing done.

        Raises:
            OSError: the system said no.
            Refused: it could not be done.
        """
        if not self._open_records(now) and not any(True for _ in self._leftovers()):
            return ()
        with self._folder.lock():
            said = [self._settle(record) for record in self._open_records(now)]
            with Writer(self._folder) as writer:
                engine = Engine(writer, 0, self._merge_index, self._keep_as)
                for rel in list(self._leftovers()):
                    said += self._clear(writer, engine, rel)
                writer.sync()
        return tuple(sentence for sentence in said if sentence)

    def _open_records(self, now: float) -> list[Record]:
        return [
            record for record in self._ledger.records() if not record.is_settled and not is_live(record, now)
        ]

    # ------------------------------------------------------------------ interrupted changes

    def _settle(self, record: Record) -> str:
        with Writer(self._folder) as writer:
            engine = Engine(writer, record.id, self._merge_index, self._keep_as)
            steps = self._steps(record)
            if steps is None:
                self._ledger.end(writer, replace(record, state="gone"))
                return Say(
                    "Gave up on an interrupted change whose texts are gone: {label}.",
                    label=Label.of(record.label, record.slugs),
                )
            primaries = [step for step in steps if step.change.role == "primary"]
            forward = record.state != "back" and all(
                engine.is_applied(step, copied=True) for step in primaries
            )
            if not forward:
                engine.roll_back(steps, record.made)
                self._ledger.end(writer, replace(record, state="gone", kept=tuple(engine.kept)))
                return Say(
                    "Took back an interrupted change: {label}.", label=Label.of(record.label, record.slugs)
                )
            failure = engine.finish(steps, again=True)
            if failure is not None:
                # The memories themselves are in place, so this need not keep anybody from working.
                if record.state != "part":
                    self._ledger.end(writer, replace(record, state="part"))
                return Say(
                    "An interrupted change still waits for its archives or index ({failure}): {label}.",
                    failure=sentence_of(failure),
                    label=Label.of(record.label, record.slugs),
                )
            done = replace(
                record,
                state="done",
                changes=tuple(step.change for step in steps),
                kept=(*record.kept, *engine.kept),
            )
            self._ledger.end(writer, done)
            for step in steps:
                with suppress(*FAILURES):
                    engine.let_go(step)
            return Say("Finished an interrupted change: {label}.", label=Label.of(record.label, record.slugs))

    def _steps(self, record: Record) -> list[Step] | None:
        try:
            return [
                Step(change, self._bytes(change.before), self._bytes(change.after))
                for change in record.changes
                if change.temp
            ]
        except FileNotFoundError:
            return None
        except Unreadable as error:
            if error.code in _NO_TEXT:
                return None
            raise

    def _bytes(self, digest: str | None) -> bytes | None:
        """The bytes of an object; one whose bytes are not what its name says is as good as gone."""
        if digest is None:
            return None
        rel = f"{OBJECTS_FOLDER}/{digest}"
        image = self._folder.read(rel, OWN_LIMIT)
        if image.digest != digest:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), rel)
        return image.data

    # ------------------------------------------------------------------ leftovers

    def _leftovers(self) -> Iterator[str]:
        """Temporary files that no living writer is using, and no change is waiting for."""
        waiting = {record.key for record in self._ledger.records() if not record.is_settled}
        pending = [""]
        while pending:
            folder = pending.pop()
            prefix = f"{folder}/" if folder else ""
            try:
                fd = self._folder.open_folder(folder)
            except OSError as error:
                if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES}:
                    continue
                raise
            try:
                entries = self._folder.disk.scandir(fd)
            finally:
                shut(self._folder.disk, fd)
            for entry in entries:
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    if name == OWN_FOLDER or name[0] != ".":
                        pending.append(prefix + name)
                else:
                    found = is_temp(name)
                    if (
                        found
                        and found["token"][:TOKEN_DIGITS] not in waiting
                        and not _process_lives(int(found["pid"]), found["token"])
                    ):
                        yield prefix + name

    def _clear(self, writer: Writer, engine: Engine, rel: str) -> list[str]:
        found = is_temp(rel)
        info = writer.lstat(rel)
        if found is None or info is None:
            return []
        if found["kind"] == "part" or info.st_nlink > 1 or not stat.S_ISREG(info.st_mode):
            if stat.S_ISREG(info.st_mode):
                writer.remove(rel)
            return []
        target = self._target(rel, found["name"])
        step = Step(Change(target, "primary", None, None, temp=rel.removesuffix(".swap")), None, None)
        try:
            data = writer.read(rel).data
        except Unreadable:
            return []
        if self._is_known(data) or engine.theirs(target) == data:
            writer.remove(rel)
            return []
        engine.keep_displaced(step, ())
        kept = engine.kept[-1] if engine.kept else rel
        engine.let_go(step)
        return [Say("Kept a version that an interrupted change had displaced: {kept}.", kept=kept)]

    def _is_known(self, data: bytes) -> bool:
        try:
            return self._bytes(digest_of(data)) == data
        except FileNotFoundError:
            return False
        except Unreadable as error:
            if error.code in _NO_TEXT:
                return False
            raise

    @staticmethod
    def _target(rel: str, name: str) -> str:
        """The file a leftover belonged to, as far as its name tells: a long one is cut."""
        folder = split(rel)[0]
        whole = name if name.endswith(".md") else f"{name}.md"
        return f"{folder}/{whole}" if folder else whole
