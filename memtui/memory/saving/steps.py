"""How one change is carried out on disk: prepare, put in place, finish, or take back (reliability §1).

Every move here can be made again after a crash: what has happened already is read off the disk, never assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from memtui.memory.disk.filenames import names_from, split
from memtui.memory.disk.files import FileImage, Unreadable, digest_of
from memtui.memory.disk.moving import Taken
from memtui.memory.disk.writing import Part
from memtui.memory.errors import Refused
from memtui.memory.saving.keeping import FAILURES, Keeper, Missed, Step, with_displaced
from memtui.memory.saving.records import Pending

_INDEX_TRIES = 8


class Engine(Keeper):
    """Carries out the steps of one change."""

    # ------------------------------------------------------------------ up to the commit point

    def prepare(self, steps: Sequence[Step]) -> None:
        """Write all new bytes beside their places, archives and index too, so that a full disk shows now.

        So does a trash that cannot be used.
        """
        parts: list[tuple[Step, Part]] = []
        for step in steps:
            if step.after is not None:
                self.writer.make_folder(split(step.change.rel)[0])
                parts.append((step, self.part_of(step, step.after, step.change.mtime_ns)))
        thrown = next((step.change.rel for step in steps if step.change.trash), None)
        if thrown is not None:
            self.check_trash(thrown)
        self.writer.write_parts([part for _, part in parts])
        for step, _ in parts:
            self.writer.rename(step.change.part, step.change.swap)

    def apply(self, step: Step) -> None:
        """Put a primary in place: its commit point.

        Raises:
            Conflict: it is not what the change was based on; nothing was done.
            OSError: nothing was done, unless `is_applied` says otherwise.
        """
        try:
            if step.after is None:
                self._take_away(step)
            elif step.creates:
                self.install(step.change.swap, step.change.rel)
            else:
                self.replace(step.change, step.before)
        except (Taken, Missed):
            raise self.conflict(step) from None

    def _take_away(self, step: Step) -> None:
        change, writer = step.change, self.writer
        try:
            writer.move(change.rel, change.swap)
        except FileNotFoundError:
            raise Missed from None
        if self.theirs(change.swap) != step.before:
            self.put_back(step)
            raise Missed

    def is_applied(self, step: Step, *, copied: bool = False) -> bool:
        """Whether a primary has been put in place, read off the disk.

        Args:
            step: the primary.
            copied: take a new file with the right bytes for ours even if it is not the very one that was written,
                since a backup or copy of the directory keeps no hard links.
        """
        change, writer = step.change, self.writer
        swap = writer.lstat(change.swap)
        if step.after is None:
            if swap is None:
                return writer.lstat(change.rel) is None
            return not writer.same_file(change.swap, change.rel)
        if writer.lstat(change.part) is not None:
            # After a power failure the name may be there and the rename before it not.
            return step.creates and writer.same_file(change.part, change.rel)
        if swap is None:
            return self.theirs(change.rel) == step.after
        if step.creates:
            return writer.same_file(change.swap, change.rel) or (
                copied and self.theirs(change.rel) == step.after
            )
        # What we wrote is readable, so anything else there is what we displaced.
        return self.theirs(change.swap) != step.after

    # ------------------------------------------------------------------ taking back

    def roll_back(self, steps: Sequence[Step], made: Sequence[str]) -> None:
        """Take back what has happened of the primaries, and remove temporary files and new folders.

        Raises:
            OSError: it could not be finished; recovery does the rest.
        """
        for step in reversed(steps):
            if step.change.role == "primary" and self.is_applied(step):
                self._take_back(step)
        for step in steps:
            self.let_go(step)
        self.writer.drop_folders(made)
        self.writer.sync()

    def _take_back(self, step: Step) -> None:
        change, writer = step.change, self.writer
        if step.after is None:
            if writer.lstat(change.swap) is not None:
                self.put_back(step)
            return
        if step.before is None:
            writer.remove(change.swap)
            self.withdraw(step, step.after)
            return
        if writer.lstat(change.swap) is None:
            # A limited file system without links: the old bytes are in our hands only, and ours stand there still.
            old = Step(replace(change, mode=change.was_mode), None, None)
            self.write_swap(old, step.before, change.was_mtime_ns)
            with suppress(Missed):
                self.replace(change, step.after)
        elif writer.lstat(change.rel) is None:
            self.put_back(step)
        elif self.theirs(change.rel) == step.after:
            self._swap_back(step)
        else:
            self.keep_displaced(step, (step.before,))

    def _swap_back(self, step: Step) -> None:
        change, writer = step.change, self.writer
        displaced = self.keep_displaced(step, (step.before,)) if writer.folder.limited else None
        if displaced is not None:
            writer.rename(change.swap, change.rel)
            return
        with suppress(Missed):
            self.replace(change, step.after)
        self.keep_displaced(step, (step.before, step.after))

    # ------------------------------------------------------------------ after the commit point

    def finish(self, steps: Sequence[Step], *, again: bool) -> Exception | None:
        """Archives, displaced versions, index, trash. Does all it can; returns the first failure.

        Args:
            steps: of the whole change; their ``change`` is brought up to date.
            again: this is a recovery, so part of it may have been done.
        """
        failure: Exception | None = None
        try:
            self._hold_primaries(steps)
        except OSError as error:
            self.pending += [
                _pending(step) for step in steps if step.change.role != "primary" or step.change.trash
            ]
            return error
        for step in sorted(steps, key=_finishing_order):
            try:
                self._finish_step(step, again=again)
            except FAILURES as error:
                self.pending.append(_pending(step))
                failure = failure or error
        try:
            self.writer.sync()
        except OSError as error:
            failure = failure or error
        return failure

    def _hold_primaries(self, steps: Sequence[Step]) -> None:
        """Make the commit point durable before anything follows it: a power failure may keep names in any order.

        An index that names what is not there, or an archive withdrawn of a version that is in force again, would be
        what it leaves.

        Raises:
            OSError: it may not be durable.
        """
        primaries = [step for step in steps if step.change.role == "primary"]
        for step in primaries:
            self.writer.touch(step.change.rel)
        if primaries:
            self.writer.sync()

    def _finish_step(self, step: Step, *, again: bool) -> None:
        change = step.change
        if change.role == "primary":
            self._finish_primary(step)
        elif change.role == "index":
            self._finish_index(step, again=again)
        elif step.after is None:
            step.change = replace(change, skipped=not self.withdraw(step, step.before))
        else:
            part = self.part_of(step, step.after, change.mtime_ns)
            name = self.archive(change.rel, part, again=again)
            step.change = replace(change, rel=name)

    def _finish_primary(self, step: Step) -> None:
        if step.creates:
            return
        displaced = self.keep_displaced(step, (step.before,))
        if displaced is not None and displaced.data != step.before:
            step.change = with_displaced(step.change, digest_of(displaced.data), displaced.stamp)
        if step.change.trash:
            step.change = replace(step.change, trashed=self._trashed(step))

    def _trashed(self, step: Step) -> str | None:
        change = step.change
        if self.writer.lstat(change.swap) is not None:
            return self.to_trash(change.swap, change.rel)
        taken = takewhile(lambda name: self.theirs(name) is not None, names_from(self.trash_name(change.rel)))
        return next((name for name in taken if self.theirs(name) == step.before), None)

    # ------------------------------------------------------------------ the index

    def _finish_index(self, step: Step, *, again: bool) -> None:
        """Put the new index in place; what somebody else wrote meanwhile is merged in, line by line.

        Lines of theirs that stand nowhere else stay under the temporary name until more is written there, so that
        they are lost neither by a death nor by giving up; the recovery merges what it finds there.
        """
        change, writer = step.change, self.writer
        want, expected = step.after, step.before
        stood: FileImage | None = None
        ours = {want}
        unseen: list[tuple[bytes, bytes]] = []
        prepared = not again
        if again:
            want = self._with_leftover(step, want)
        for _ in range(_INDEX_TRIES):
            image = self.current(change.rel)
            now = None if image is None else image.data
            if now not in (expected, want):
                want = self.merge_index(expected or b"", want or b"", now or b"")
            if now == want:
                break
            try:
                displaced = self._swap_index(step, want, image, prepared=prepared and want == step.after)
            except Missed as missed:
                step.seen, prepared, expected = None, False, now
                if missed.theirs is not None:
                    writer.store(missed.theirs)
                    writer.sync()
                    unseen.append((want or b"", missed.theirs))
                    want = self.merge_index(now or b"", want or b"", missed.theirs)
                if writer.lstat(change.part) is not None:  # a limited file system
                    writer.rename(change.part, change.swap)
                continue
            if displaced is not None and displaced.data not in ours:
                stood = displaced
            if displaced is None or displaced.data == now:
                break
            writer.store(displaced.data)
            writer.sync()
            expected, want = want, self.merge_index(now or b"", want or b"", displaced.data)
            ours.add(want)
            prepared = False
        else:
            if want is not None and want != step.after:
                self.write_swap(step, want, None)
            raise Refused(
                "somebody else keeps changing the index", where=change.rel, todo="Try again in a moment"
            )
        if want is not None and want != step.after:
            change = replace(change, after=writer.store(want))
        if stood is not None:
            before = stood.data
            for base, theirs in unseen:  # an undo takes our lines out, and theirs stay
                before = self.merge_index(base, before, theirs)
            change = with_displaced(change, writer.store(before), stood.stamp)
        step.change = change

    def _with_leftover(self, step: Step, want: bytes | None) -> bytes | None:
        """The wanted index, with what an interrupted change had displaced and not yet merged."""
        change, writer = step.change, self.writer
        writer.remove(change.part)
        try:
            image = self.current(change.swap)
        except Unreadable:
            self.kept.append(self.to_trash(change.swap, change.rel))
            return want
        if image is not None and image.data not in (step.before, step.after):
            writer.store(image.data)
            writer.sync()
            return self.merge_index(step.before or b"", want or b"", image.data)
        writer.remove(change.swap)
        return want

    def _swap_index(
        self, step: Step, want: bytes | None, image: FileImage | None, *, prepared: bool
    ) -> FileImage | None:
        """Put an index in place, which may stand prepared; returns what it displaced, None if nothing stood there."""
        change = step.change
        if want is None:
            try:
                self.writer.move(change.rel, change.swap)
            except FileNotFoundError:
                raise Missed from None
        else:
            if not prepared:
                self.write_swap(step, want, change.mtime_ns if want == step.after else None)
            if image is None:
                try:
                    self.install(change.swap, change.rel)
                except Taken:
                    raise Missed from None
                return None
            self.replace(change, image.data)
            self._give_way(step, want, image.data)
        try:
            displaced, step.busy = self.writer.settle(change.swap)
        except FileNotFoundError:
            return image  # a limited file system without links
        step.seen = displaced.stamp
        return displaced

    def _give_way(self, step: Step, want: bytes, expected: bytes) -> None:
        """Put an index that came in the last instant back at once, before its writer misses its line and merge then.

        Raises:
            Missed: it was put back.
        """
        change = step.change
        if self.writer.folder.limited or self.theirs(change.swap) in (None, expected):
            return
        self.replace(change, want)
        late = self.theirs(change.swap)
        raise Missed(None if late == want else late)


def _pending(step: Step) -> Pending:
    if step.change.role == "index":
        return "index"
    return "trash" if step.change.trash else "archive"


def _finishing_order(step: Step) -> int:
    """New archives first, so that every version has its name; what an undo withdraws comes last."""
    if step.change.role == "archive":
        return 0 if step.after is not None else 3
    return 1 if step.change.role == "primary" else 2
