"""Forges what a stranger can ship: a memory directory with a ``.memtui/`` of their making."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

KEY = "58feb004e2f8"
DEAD = 4_194_305
"""A process number that no process has: one more than Linux ever gives."""
PAYLOAD = b"#!/bin/sh\necho owned\n"
MEMORY = b"---\nname: A\ndescription: about a\ntype: user\n---\n\nSomething worth knowing.\n"


def put_object(root: Path, data: bytes) -> str:
    """Bytes as the journal keeps them; returns their digest."""
    digest = hashlib.sha256(data).hexdigest()
    folder = root / ".memtui" / "objects"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / digest).write_bytes(data)
    return digest


def temp(rel: str, serial: int, key: str = KEY) -> str:
    """The temporary name that a writer would give a file."""
    folder, _, name = rel.rpartition("/")
    base = f".{name[:40]}.{DEAD}.{key}{serial:02x}"
    return f"{folder}/{base}" if folder else base


def change(
    root: Path, rel: str, role: str, before: bytes | None, after: bytes | None, serial: int
) -> dict[str, Any]:
    """One file of a record."""
    made: dict[str, Any] = {
        "rel": rel,
        "role": role,
        "temp": temp(rel, serial),
        "mode": 0o755,
        "was_mode": 0o755,
    }
    if before is not None:
        made["before"] = put_object(root, before)
    if after is not None:
        made["after"] = put_object(root, after)
    return made


def write_journal(
    root: Path, changes: Sequence[Mapping[str, Any]], state: str, *, more: Mapping[str, object] | None = None
) -> Path:
    """A journal of one record in that state, its process dead; ``more`` are values of its own."""
    begin = {
        "t": "begin",
        "id": 1,
        "at": 1e9,
        "label": "update a",
        "slugs": ["a"],
        "actor": "user",
        "kind": "do",
        "key": KEY,
        "pid": DEAD,
        "changes": changes,
        **(more or {}),
    }
    lines = [begin]
    if state != "open":
        lines.append({"t": state, "key": KEY, "changes": changes if state == "done" else []})
    path = root / ".memtui" / "journal.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def tree(root: Path) -> dict[str, tuple[int, bytes]]:
    """Everything below a folder but what any change or look of memtui makes: mode, and bytes or target of a link."""
    found = {}
    for path in sorted(root.rglob("*")):
        rel = path.relative_to(root).as_posix()
        if path.parent.name == ".memtui" and path.name in {"lock", ".gitignore", "journal.jsonl"}:
            continue
        info = path.lstat()
        if stat.S_ISLNK(info.st_mode):
            found[rel] = (info.st_mode, str(path.readlink()).encode())
        elif stat.S_ISREG(info.st_mode):
            found[rel] = (info.st_mode, path.read_bytes())
        else:
            found[rel] = (info.st_mode, b"")
    return found
