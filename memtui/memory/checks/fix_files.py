"""What a fix is, what it sees of the directory while it plans, and how several fixes are planned as one change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from memtui.memory.saving.records import Edit

if TYPE_CHECKING:
    from memtui.memory.disk.files import Folder


class Files(Protocol):
    """The files of a directory, as they are or as they would be."""

    def data(self, rel: str) -> bytes | None:
        """The bytes of a file; None if there is none.

        Raises:
            Unreadable: there is something, but it is not read.
        """

    def is_there(self, rel: str) -> bool:
        """Whether anything has this name."""


class Plan(Protocol):
    """Makes the edits of a fix; none where nothing is left to do."""

    def __call__(self, files: Files | None = None) -> tuple[Edit, ...]:
        """Plan on these files; on what is on disk at that moment if None."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A mechanical remedy.

    Attributes:
        label: what it does, a few words.
        plan: makes its edits from what is on disk at that moment, or from the files it is given; nothing where
            nothing is left to do. Its diff is the diff of these edits, and ``MemoryManager.apply`` carries them out,
            undoable.
    """

    label: str
    plan: Plan


class OnDisk:
    """The files as they are now."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def data(self, rel: str) -> bytes | None:
        """The bytes of a file; None if there is none."""
        try:
            return self._folder.read(rel).data
        except FileNotFoundError:
            return None

    def is_there(self, rel: str) -> bool:
        """Whether anything has this name."""
        return self._folder.stamp(rel) is not None


class AfterEdits:
    """The files as they would be after some edits; each edit sees those before it, and a file is edited once."""

    def __init__(self, under: Files) -> None:
        self._under = under
        self._edits: dict[str, Edit] = {}

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, one a file, from what stands on disk to what shall stand there."""
        return tuple(edit for edit in self._edits.values() if edit.before != edit.after)

    def add(self, edits: Iterable[Edit]) -> None:
        """Take edits in that were planned on these files."""
        for edit in edits:
            first = self._edits.get(edit.rel)
            self._edits[edit.rel] = edit if first is None else replace(edit, before=first.before)

    def data(self, rel: str) -> bytes | None:
        """The bytes of a file; None if there would be none."""
        edit = self._edits.get(rel)
        return self._under.data(rel) if edit is None else edit.after

    def is_there(self, rel: str) -> bool:
        """Whether anything would have this name."""
        edit = self._edits.get(rel)
        return self._under.is_there(rel) if edit is None else edit.after is not None


def plan_together(folder: Folder, fixes: Iterable[Fix]) -> tuple[Edit, ...]:
    """The edits of several fixes as one change, each planned on what the ones before it would leave.

    Raises:
        Unreadable: a file that a fix needs cannot be read.
    """
    files = AfterEdits(OnDisk(folder))
    for fix in fixes:
        files.add(fix.plan(files))
    return files.edits
