"""Errors that a person reads: what happened, where, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.wording.saying import Say, plain, system_said

if TYPE_CHECKING:
    from memtui.memory.types import Lang


class MemtuiError(Exception):
    """Anything memtui refuses or fails to do.

    ``what`` and ``todo`` are written in English, as a plain literal or a `Say`; whoever shows the error asks for the
    language with `said`. Nothing is translated where an error is raised.

    Attributes:
        what: what happened, one sentence without a final full stop.
        where: the file, directory or value it is about; empty if it is about nothing on disk.
        todo: what the reader can do next; empty if nothing helps.
        exit_code: what a command line leaves with (design §4: 2 usage, 3 conflict, 4 refused).
    """

    exit_code = 4

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.todo = todo

    @property
    def sentence(self) -> Say:
        """All of it as one sentence, which may be a value of another."""
        what, where, todo = plain(self.what), self.where, plain(self.todo)
        if where and todo:
            return Say("{where}: {what}. {todo}", where=where, what=what, todo=todo)
        if where:
            return Say("{where}: {what}", where=where, what=what)
        return Say("{what}. {todo}", what=what, todo=todo) if todo else what

    def said(self, lang: Lang) -> str:
        """What happened, where, and what to do, in the language ``lang``."""
        return self.sentence.said(lang)

    def __str__(self) -> str:
        return str(self.sentence)


class UsageError(MemtuiError):
    """A value given by the caller is wrong: a slug, a type, an empty text, a version that is not there."""

    exit_code = 2


class Refused(MemtuiError):
    """The change was not made, because it cannot be made safely or the system said no. Nothing was changed."""

    exit_code = 4


class MissingExtra(Refused):
    """A part of memtui needs packages that are not installed with all of it; the message says how to get them."""

    def __init__(self, extra: str, error: ModuleNotFoundError) -> None:
        """Make the sentence.

        Args:
            extra: the extra to install.
            error: what Python says.
        """
        super().__init__(
            Say("this needs a package that is not installed ({name})", name=error.name),
            todo=Say(
                "Install it with: pip install 'memtui[{extra}]' (pipx: pipx runpip memtui install 'memtui[{extra}]')",
                extra=extra,
            ),
        )


class Busy(Refused):
    """Another memtui process holds the directory's lock."""


class Conflict(MemtuiError):
    """The file is not what the change was based on. Nothing was written; all three texts are here.

    Attributes:
        base: the bytes the change was based on; None for a file that was not there.
        mine: the bytes that would have been written; None for a removal.
        theirs: the bytes that stand on disk now; None if the file is gone.
    """

    exit_code = 3

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        todo: str = "",
        base: bytes | None = None,
        mine: bytes | None = None,
        theirs: bytes | None = None,
    ) -> None:
        super().__init__(what, where=where, todo=todo)
        self.base = base
        self.mine = mine
        self.theirs = theirs


def sentence_of(error: Exception) -> Say:
    """What any error has to say, as a value for another sentence: ours, the system's, or somebody else's."""
    if isinstance(error, MemtuiError):
        return error.sentence
    return system_said(error) if isinstance(error, OSError) else plain(str(error))
