"""What the journal writes down: one line before a change starts, one when it is done (or undone again)."""

from __future__ import annotations

import json
import re
import stat
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from memtui.memory.conventions import OWN_FOLDER, TRASH_FOLDER
from memtui.memory.disk import READ_FLAGS
from memtui.memory.filenames import is_temp
from memtui.memory.files import Folder, Unreadable, parts_of, shut
from memtui.memory.writing import Writer

JOURNAL = f"{OWN_FOLDER}/journal.jsonl"
_CHUNK = 1 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")

Role = Literal["primary", "archive", "index"]
Kind = Literal["do", "undo", "redo"]
State = Literal["open", "part", "back", "done", "gone"]
_ROLES: dict[str, Role] = {"primary": "primary", "archive": "archive", "index": "index"}
_KINDS: dict[str, Kind] = {"do": "do", "undo": "undo", "redo": "redo"}


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
        index_pending: archives or the index could not be brought up to date; the next change or start does it.
    """

    record: Record
    kept: tuple[str, ...]
    index_pending: bool


def _compact(values: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in values.items() if value not in (None, False, (), "")}


def _change_to_json(change: Change) -> dict[str, object]:
    return _compact({name: getattr(change, name) for name in Change.__slots__})


def _line(values: Mapping[str, object]) -> bytes:
    return json.dumps(values, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def begin_line(record: Record) -> bytes:
    """The line written before a change starts."""
    values = {name: getattr(record, name) for name in Record.__slots__}
    values.update(t="begin", state="", changes=[_change_to_json(change) for change in record.changes])
    return _line(_compact(values))


def end_line(record: Record) -> bytes:
    """The line that says what became of a change."""
    changes = [_change_to_json(change) for change in record.changes] if record.state == "done" else ()
    return _line(
        _compact(
            {
                "t": record.state,
                "key": record.key,
                "changes": changes,
                "kept": record.kept,
                "made": record.made,
            }
        )
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> int | None:
    if value is not None and (not isinstance(value, int) or abs(value) >= 1 << 63):
        raise TypeError
    return value


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)


def _digest(value: object) -> str | None:
    if value is not None and not _DIGEST.match(_text(value)):
        raise ValueError
    return None if value is None else _text(value)


def _path(value: object) -> str:
    parts_of(_text(value))
    return _text(value)


def _change_from_json(values: Mapping[str, Any]) -> Change:
    temp = values.get("temp", "")
    if temp and not is_temp(f"{_path(temp)}.swap"):
        raise ValueError
    return Change(
        rel=_path(values["rel"]),
        role=_ROLES[values["role"]],
        before=_digest(values.get("before")),
        after=_digest(values.get("after")),
        was_mtime_ns=_number(values.get("was_mtime_ns")),
        was_mode=_number(values.get("was_mode")),
        mtime_ns=_number(values.get("mtime_ns")),
        mode=_number(values.get("mode")),
        trash=values.get("trash") is True,
        trashed=_path(values["trashed"]) if "trashed" in values else None,
        temp=temp,
        skipped=values.get("skipped") is True,
    )


def _record_from_json(values: Mapping[str, Any]) -> Record:
    of, of_key, session = values.get("of"), values.get("of_key"), values.get("session_id")
    return Record(
        id=_number(values["id"]) or 0,
        at=float(values["at"]),
        label=_text(values.get("label", "")),
        slugs=_texts(values.get("slugs", ())),
        actor=_text(values.get("actor", "")),
        session_id=None if session is None else _text(session),
        kind=_KINDS[values["kind"]],
        of=_number(of),
        key=_text(values["key"]),
        of_key=None if of_key is None else _text(of_key),
        pid=_number(values.get("pid")) or 0,
        changes=tuple(_change_from_json(change) for change in values.get("changes", ())),
    )


class Ledger:
    """The journal file, read once and then only where it grew. A line that makes no sense is passed over."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._ino = 0
        self._offset = 0
        self._records: dict[str, Record] = {}
        self._reading = threading.Lock()

    def records(self) -> list[Record]:
        """All changes, oldest first, in whatever state; empty where there is no journal."""
        with self._reading:
            self._load()
            return list(self._records.values())

    def begin(self, writer: Writer, record: Record) -> None:
        """Write down that a change starts."""
        writer.append(JOURNAL, begin_line(record))

    def end(self, writer: Writer, record: Record) -> None:
        """Write down what became of it."""
        writer.append(JOURNAL, end_line(record))

    def _load(self) -> None:
        disk = self._folder.disk
        try:
            parent = self._folder.open_folder(OWN_FOLDER)
        except (FileNotFoundError, NotADirectoryError):
            self._forget()
            return
        try:
            fd = disk.open(JOURNAL.rpartition("/")[2], READ_FLAGS, dir_fd=parent)
        except FileNotFoundError:
            self._forget()
            return
        finally:
            shut(disk, parent)
        try:
            info = disk.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                raise Unreadable("not-regular", "the journal is not a regular file", where=JOURNAL)
            if info.st_ino != self._ino or info.st_size < self._offset:
                self._forget()
                self._ino = info.st_ino
            self._read_from(fd)
        finally:
            shut(disk, fd)

    def _forget(self) -> None:
        self._ino = self._offset = 0
        self._records = {}

    def _read_from(self, fd: int) -> None:
        rest = b""
        at = self._offset
        while chunk := self._folder.disk.pread(fd, _CHUNK, at):
            at += len(chunk)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line:
                    self._take(line)
        self._offset = at - len(rest)  # a torn last line is looked at again

    def _take(self, line: bytes) -> None:
        try:
            values = json.loads(line)
            kind, key = values["t"], values["key"]
            if kind == "begin":
                record = _record_from_json(values)
                self._records.setdefault(record.key, record)
            elif key in self._records and kind in {"part", "back", "done", "gone"}:
                old = self._records[key]
                changes = tuple(_change_from_json(change) for change in values.get("changes", ()))
                self._records[key] = replace(
                    old,
                    state=kind,
                    changes=changes or old.changes,
                    kept=_texts(values.get("kept", ())) or old.kept,
                    made=_texts(_path(made) for made in values.get("made", ())) or old.made,
                )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError, Unreadable):
            return
