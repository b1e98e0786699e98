"""What a look at a directory could not see: a plan that is made from all of it must not take that for gone."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.memory.disk.files import Unreadable
from memtui.memory.types import Problem

_PASSING = frozenset({"io", "unstable"})
"""Why something is not seen that says nothing about what it is: the disk, too many open files, a writer at work."""
_AGAIN = _PASSING | {"permission"}
"""What a second look may see. A permission may have been given meanwhile; where it was not, that is how it is meant."""


class Unseen:
    """Files that were not read at the last look at them, and folders that were not listed.

    Attributes:
        files: paths of the files, each with why.
        folders: paths of the folders, each with why.
    """

    def __init__(self) -> None:
        self.files: dict[str, Unreadable] = {}
        self.folders: dict[str, Unreadable] = {}

    def __bool__(self) -> bool:
        return bool(self.files or self.folders)

    def note(self, rel: str, problems: Iterable[Problem]) -> None:
        """Take in what a look at a file found odd; nothing where it is gone."""
        for problem in problems:
            if problem.code in _AGAIN:
                self.files[rel] = Unreadable(problem.code, problem.message, where=rel)
                return
        if self.files:
            self.files.pop(rel, None)

    def skip(self, rel: str, error: Unreadable) -> None:
        """Note a folder that could not be listed."""
        self.folders[rel] = error

    @property
    def passing(self) -> bool:
        """Whether something was not seen for a reason that says nothing about what it is."""
        return any(error.code in _PASSING for error in (*self.folders.values(), *self.files.values()))

    def refuse(self, *, files: bool = True, shut: bool = False) -> None:
        """Refuse to go on without what may well be seen later.

        Args:
            files: whether files matter, and not only what folders hold.
            shut: whether folders matter, too, that nobody here may look into.

        Raises:
            Unreadable: something that matters was not seen.
        """
        for folder in self.folders.values():
            if shut or folder.code in _PASSING:
                raise folder
        for file in self.files.values() if files else ():
            if file.code in _PASSING:
                raise file
