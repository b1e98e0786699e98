"""A change as the journal knows it: the edits asked for, what became of each file, and of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memtui.memory.conventions import TRASH_FOLDER

PERSON = "user"
"""Who changes something through the app or the command line, in the journal."""
Role = Literal["primary", "archive", "index"]
Kind = Literal["do", "undo", "redo"]
State = Literal["open", "part", "back", "done", "gone"]
Pending = Literal["archive", "index", "trash", "journal"]
"""What a change that was made still waits for: old versions, the index, the trash, or its line in the journal."""
Half = Literal["arrived", "left"]
Door = Literal["app", "command", "mcp", ""]
"""How a change came in: the app, the command line, MCP; empty where that was not written down."""


@dataclass(frozen=True, slots=True)
class Tie:
    """What joins the two halves of a move between directories, each of which has its own journal.

    Attributes:
        key: the same in both records, and in no others.
        half: what happened in this directory.
        other: the directory of the other half, an absolute path.
    """

    key: str
    half: Half
    other: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One file's part in a change.

    Attributes:
        rel: path below the memory directory.
        before: the bytes the change is based on; None for a file that must not be there yet.
        after: the bytes that take their place; None for a removal.
        role: ``primary`` (all of them or none), ``archive`` (a new file under the first free number) or ``index``
            (merged line-wise when somebody changed it meanwhile).
        mtime_ns: modification time the written file gets, nanoseconds since 1970; None for now.
        mode: permission bits it gets; None keeps the file's, or is the usual for a new one.
        trash: a removal that leaves the file under ``.memtui/trash/``.
    """

    rel: str
    before: bytes | None
    after: bytes | None
    role: Role = "primary"
    mtime_ns: int | None = None
    mode: int | None = None
    trash: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """An edit as the journal keeps it: contents by digest, and what is needed to take it back exactly.

    Attributes:
        rel: path below the memory directory; for an archive that is done, the name it got.
        role: as in `Edit`.
        before: digest of the bytes that stood there; None for no file.
        after: digest of the bytes that took their place; None for a removal.
        was_mtime_ns: modification time of what stood there.
        was_mode: its permission bits.
        mtime_ns: modification time asked for.
        mode: permission bits asked for.
        trash: whether a removed file goes to the trash.
        trashed: where it is there, once it is done.
        temp: temporary name, without ``.part`` or ``.swap``.
        skipped: nothing was done, because the file was no longer ours.
    """

    rel: str
    role: Role
    before: str | None
    after: str | None
    was_mtime_ns: int | None = None
    was_mode: int | None = None
    mtime_ns: int | None = None
    mode: int | None = None
    trash: bool = False
    trashed: str | None = None
    temp: str = ""
    skipped: bool = False

    @property
    def part(self) -> str:
        """Temporary name of new bytes that may be torn."""
        return f"{self.temp}.part"

    @property
    def swap(self) -> str:
        """Temporary name of new bytes that are whole, and then of what they displaced."""
        return f"{self.temp}.swap"


def _in_trash(rel: str) -> bool:
    return rel.startswith(f"{TRASH_FOLDER}/")


@dataclass(frozen=True, slots=True)
class Record:
    """One change in the journal.

    Attributes:
        id: counts up from 1.
        at: when, Unix seconds.
        label: what it was, for a person.
        slugs: memories it is about.
        actor: who did it: ``user``, an agent's name, …
        session_id: the agent's session, if any.
        kind: a change, or the undoing or redoing of one.
        of: id of the record that an undo or redo took back.
        key: unique name of this record; also the token in its temporary files.
        of_key: the same for ``of``.
        pid: process that did it.
        changes: the files.
        state: ``open`` (begun), ``part`` (made, but archives or index still to do), ``back`` (being taken back),
            ``done`` or ``gone`` (taken back: nothing of it stands).
        kept: archives of versions by others that this change displaced.
        made: folders it made.
        tie: what joins it to a change in another directory; None for nearly all.
        door: how it came in.
    """

    id: int
    at: float
    label: str
    slugs: tuple[str, ...]
    actor: str
    session_id: str | None
    kind: Kind
    of: int | None
    key: str = ""
    of_key: str | None = None
    pid: int = 0
    changes: tuple[Change, ...] = ()
    state: State = "open"
    kept: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    tie: Tie | None = None
    door: Door = ""

    @property
    def rels(self) -> tuple[str, ...]:
        """The files it changed; archives under the names they got."""
        return tuple(change.rel for change in self.changes if not change.skipped)

    @property
    def archived(self) -> tuple[str, ...]:
        """The archives it made of versions it replaced."""
        return tuple(
            change.rel
            for change in self.changes
            if change.role == "archive" and change.after is not None and not _in_trash(change.rel)
        )

    @property
    def trashed(self) -> dict[str, str]:
        """Where in the trash its removed files are -> where they were."""
        found = {change.trashed: change.rel for change in self.changes if change.trashed is not None}
        removed = {change.before: change.rel for change in self.changes if change.after is None}
        for change in self.changes:  # a redo puts the copy in the trash back as a file of its own
            if _in_trash(change.rel) and change.after in removed:
                found[change.rel] = removed[change.after]
        return found

    @property
    def is_done(self) -> bool:
        """Whether it stands: done, or done but for archives and index."""
        return self.state in {"done", "part"}

    @property
    def is_settled(self) -> bool:
        """Whether nothing of it is left to do."""
        return self.state in {"done", "gone"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change that was made.

    Attributes:
        record: as journalled.
        kept: archives of versions by others that were displaced, so that nothing is lost.
        pending: what could not be brought up to date; the next change or start does it.
    """

    record: Record
    kept: tuple[str, ...]
    pending: tuple[Pending, ...] = ()

    @property
    def index_pending(self) -> bool:
        """Whether anything is still to be brought up to date, the index or something else."""
        return bool(self.pending)
