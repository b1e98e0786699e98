"""The journal's lines, written and read: nothing that a line says is believed before it is checked.

A ``.memtui/`` may come from anybody: it travels in a clone, an archive, a shared folder. What makes acting on such a
journal harmless is not who wrote it but what it can say:

- It names only files that whoever brings the directory can bring anyway: memories, old versions, the index, and files
  of the trash. A record that names anything else, such as a hook of git or a settings file, is refused whole
  (`ForeignFiles`): nothing finishes it, takes it back or makes it again.
- Its contents are objects that hash to their names, so that it puts no other bytes in place than it says, and it
  replaces a file only where that file's bytes are the ones it names; whoever changed the file since gets a conflict.
- Modes are plain permissions without execution; temporary names stand in the folder of their file, in the writer's own
  form and with the record's own key, so that clearing up removes nothing else; folders it removes are memories' folders, and empty.
- The other directory of a move is acted on only where its own journal has the other half, under the same random key.
- Numbers are ones that a clock, a counter and a file system can have, so that nobody who shows them stumbles.

Under these rules a record made on another machine, or by another user, is as good as one of our own: a directory that is
synchronised or restored from a backup keeps its undo. A signature would take that away and stop nobody who brings the
memories themselves. What an undo is called is the record's own claim; it is shown made visible, with the memories it
is about, before a person agrees.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from memtui.memory.conventions import INBOX_FOLDER, TRASH_FOLDER
from memtui.memory.disk.filenames import NAME_PART, is_temp, split
from memtui.memory.disk.files import parts_of
from memtui.memory.disk.writing import TOKEN_DIGITS
from memtui.memory.document.entries import kind_of
from memtui.memory.errors import MemtuiError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.saving.records import Change, Door, Half, Kind, Record, Role, State, Tie

MAX_ID = 10**9
"""Largest number of a record; a forged one must not leave the next change without a number."""
MAX_LABEL = 4096
"""Characters of a label that are kept."""

_MAX_PATH = 4096  # bytes, PATH_MAX of Linux
_MAX_TIME = 253_402_300_800.0  # the year 10000, where dates end
_PLAIN = 0o666
_PROPOSAL = lazy_pattern(r"[A-Za-z0-9_-]{1,64}\.json\Z")
_DIGEST = lazy_pattern(r"[0-9a-f]{64}\Z")
_KEY = lazy_pattern(rf"[0-9a-f]{{{TOKEN_DIGITS}}}\Z")
_ROLES: dict[str, Role] = {"primary": "primary", "archive": "archive", "index": "index"}
_KINDS: dict[str, Kind] = {"do": "do", "undo": "undo", "redo": "redo"}
_HALVES: dict[str, Half] = {"arrived": "arrived", "left": "left"}
_DOORS: dict[object, Door] = {"app": "app", "command": "command", "mcp": "mcp"}
_ENDS: dict[str, State] = {"part": "part", "back": "back", "done": "done", "gone": "gone"}


class ForeignFiles(MemtuiError):
    """A record names a file that is none of the journal's business; ``where`` is the file."""


def may_change(rel: str) -> bool:
    """Whether a path is one that changes are about: a memory, an old version, the index, a proposal, or of the trash."""
    if len(rel) > _MAX_PATH:
        return False
    return kind_of(rel) in {"memory", "index"} or in_trash(rel) or in_inbox(rel)


def in_inbox(rel: str) -> bool:
    """Whether a path is of a file right in the inbox, with a name such as a proposal has."""
    folder, name = split(rel)
    return folder == INBOX_FOLDER and _PROPOSAL.match(name) is not None


def in_trash(rel: str) -> bool:
    """Whether a path is of a file right in the trash."""
    folder, name = split(rel)
    return folder == TRASH_FOLDER and not name.startswith(".") and name != "" and "\0" not in name


def begin_line(record: Record) -> bytes:
    """The line written before a change starts."""
    values = {name: getattr(record, name) for name in Record.__slots__}
    values.update(t="begin", state="", changes=[_change_to_json(change) for change in record.changes])
    values["tie"] = asdict(record.tie) if record.tie is not None else None
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


def begun(values: Mapping[str, Any]) -> Record:
    """The record that a line of `begin_line` holds.

    Raises:
        ForeignFiles: it names files that are not memories.
        ValueError, TypeError, KeyError, AttributeError, Unreadable: the line makes no sense.
    """
    of, of_key, session = values.get("of"), values.get("of_key"), values.get("session_id")
    key = _key(values["key"])
    return Record(
        id=_count(values["id"]),
        at=_time(values["at"]),
        label=_text(values.get("label", ""))[:MAX_LABEL],
        slugs=_texts(values.get("slugs", ())),
        actor=_text(values.get("actor", ""))[:MAX_LABEL],
        session_id=None if session is None else _text(session)[:MAX_LABEL],
        kind=_KINDS[values["kind"]],
        of=None if of is None else _count(of),
        key=key,
        of_key=None if of_key is None else _key(of_key),
        pid=_number(values.get("pid")) or 0,
        changes=_changes(values, key),
        made=_made(values),
        tie=_tie(values["tie"]) if "tie" in values else None,
        door=_DOORS.get(_text(values.get("door", "")), ""),
    )


def ended(record: Record, values: Mapping[str, Any]) -> Record:
    """A record with what a line of `end_line` says became of it; raises as `begun` does."""
    return replace(
        record,
        state=_ENDS[values["t"]],
        changes=_changes(values, record.key) or record.changes,
        kept=tuple(_path(rel) for rel in values.get("kept", ())) or record.kept,
        made=_made(values) or record.made,
    )


# ------------------------------------------------------------------ writing


def _compact(values: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in values.items() if value not in (None, False, (), "")}


def _change_to_json(change: Change) -> dict[str, object]:
    return _compact({name: getattr(change, name) for name in Change.__slots__})


def _line(values: Mapping[str, object]) -> bytes:
    return json.dumps(values, ensure_ascii=True, separators=(",", ":")).encode("ascii")


# ------------------------------------------------------------------ reading


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)


def _number(value: object) -> int | None:
    if value is not None and (not isinstance(value, int) or abs(value) >= 1 << 63):
        raise TypeError
    return value


def _count(value: object) -> int:
    number = _number(value)
    if number is None or not 0 < number <= MAX_ID:
        raise ValueError
    return number


def _time(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError
    if not (math.isfinite(value) and 0 <= value < _MAX_TIME):
        raise ValueError
    return float(value)


def _mode(value: object) -> int | None:
    """Permissions: a text is never a program, and nobody's who wrote it."""
    mode = _number(value)
    return None if mode is None else mode & _PLAIN


def _digest(value: object) -> str | None:
    if value is not None and not _DIGEST.match(_text(value)):
        raise ValueError
    return None if value is None else _text(value)


def _key(value: object) -> str:
    if not _KEY.match(_text(value)):
        raise ValueError
    return _text(value)


def _tie(values: Mapping[str, Any]) -> Tie:
    """A tie; that the other directory has the other half is for whoever acts on it to see."""
    other = _text(values["other"])
    if not other.startswith("/") or "\0" in other or len(other) > _MAX_PATH:
        raise ValueError
    return Tie(_key(values["key"]), _HALVES[values["half"]], other)


def _path(value: object) -> str:
    rel = _text(value)
    if not may_change(rel):
        raise ForeignFiles("this is not a file of memories", where=rel)
    parts_of(rel)
    return rel


def _trash_path(value: object) -> str:
    rel = _text(value)
    if not in_trash(rel):
        raise ForeignFiles("this is not in the trash", where=rel)
    return rel


def _made(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Folders of memories: what a memory in them would be called must be a memory's name."""
    made = _texts(values.get("made", ()))
    for folder in made:
        if folder.startswith(".") or kind_of(f"{folder}/x.md") != "memory":
            raise ForeignFiles("this is not a folder of memories", where=folder)
        parts_of(folder)
    return made


def _changes(values: Mapping[str, Any], key: str) -> tuple[Change, ...]:
    return tuple(_change(change, key) for change in values.get("changes", ()))


def _change(values: Mapping[str, Any], key: str) -> Change:
    rel = _path(values["rel"])
    role = _ROLES[values["role"]]
    return Change(
        rel=rel,
        role=role,
        before=_digest(values.get("before")),
        after=_digest(values.get("after")),
        was_mtime_ns=_number(values.get("was_mtime_ns")),
        was_mode=_mode(values.get("was_mode")),
        mtime_ns=_number(values.get("mtime_ns")),
        mode=_mode(values.get("mode")),
        trash=values.get("trash") is True,
        trashed=_trash_path(values["trashed"]) if "trashed" in values else None,
        temp=_temp(values.get("temp", ""), rel, role, key),
        skipped=values.get("skipped") is True,
    )


def _temp(value: object, rel: str, role: Role, key: str) -> str:
    """A temporary name that the writer of this record would give this file.

    An archive that found its name taken has another one by now, in the same folder.
    """
    temp = _text(value)
    if not temp:
        return temp
    found = is_temp(f"{temp}.swap")
    folder, name = split(rel)
    if (
        found is None
        or split(temp)[0] != folder
        or found["token"][:TOKEN_DIGITS] != key
        or (role != "archive" and found["name"] != name[:NAME_PART])
    ):
        raise ForeignFiles("this is not a temporary file of the change", where=temp)
    return temp
