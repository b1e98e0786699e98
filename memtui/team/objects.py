"""Git's objects as bytes: names, trees, commits and packs (git's documentation, "gitformat-pack"). Pure.

Trees are read and written here, not by git's own listing, for a tree may hold names that are no text, and may unfold
into more files than there are atoms if every folder is opened.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

ObjectKind = Literal["commit", "tree", "blob"]

FILE = "100644"
FOLDER = "40000"
LINK = "120000"
SUBMODULE = "160000"
PLAIN = frozenset({FILE, "100755", "100664"})
"""Modes of plain files; the last is what git wrote in its first months."""

_NUMBERS: dict[ObjectKind, int] = {"commit": 1, "tree": 2, "blob": 3}


class Entry(NamedTuple):
    """What a tree holds under a name.

    Attributes:
        mode: as git writes it, octal digits.
        oid: the object, hex.
    """

    mode: str
    oid: str

    @property
    def is_folder(self) -> bool:
        """Whether it is another tree."""
        return self.mode.lstrip("0") == FOLDER


class GitObject(NamedTuple):
    """An object that is to be written."""

    kind: ObjectKind
    data: bytes


Leaves = Mapping[str, Entry]
"""A whole tree by paths: files, and what else is not opened. Names that are no UTF-8 have lone surrogates in them."""


def oid_of(made: GitObject, algorithm: str = "sha1") -> str:
    """The name git gives to an object, hex.

    Args:
        made: the object.
        algorithm: of the repository, ``sha1`` or ``sha256``.
    """
    digest = hashlib.new(algorithm, f"{made.kind} {len(made.data)}\0".encode(), usedforsecurity=False)
    digest.update(made.data)
    return digest.hexdigest()


def blob_oid(data: bytes, algorithm: str = "sha1") -> str:
    """The name git gives to a file's bytes."""
    return oid_of(GitObject("blob", data), algorithm)


class CrowdedError(ValueError):
    """A tree has more names than are looked at."""


def parse_tree(data: bytes, *, digits: int, most: int | None = None) -> list[tuple[str, Entry]]:
    """The names in one tree and what they stand for, in its order.

    Args:
        data: of the tree object.
        digits: hex digits of an object's name.
        most: so many names it may have; None for any number.

    Raises:
        CrowdedError: it has more.
        ValueError: this is no tree.
    """
    found: list[tuple[str, Entry]] = []
    at, width = 0, digits // 2
    while at < len(data):
        space = data.index(b" ", at)
        end = data.index(b"\0", space)
        mode, name, oid = data[at:space], data[space + 1 : end], data[end + 1 : end + 1 + width]
        if len(oid) != width or not name:
            raise ValueError("this is no tree")
        if len(found) == most:
            raise CrowdedError
        found.append((name.decode("utf-8", "surrogateescape"), Entry(mode.decode("ascii"), oid.hex())))
        at = end + 1 + width
    return found


def format_tree(children: Iterable[tuple[str, Entry]]) -> bytes:
    """One tree object, its names in git's order."""
    named = [(name.encode("utf-8", "surrogateescape"), entry) for name, entry in children]
    named.sort(key=lambda each: each[0] + b"/" if each[1].is_folder else each[0])
    return b"".join(
        entry.mode.encode() + b" " + name + b"\0" + bytes.fromhex(entry.oid) for name, entry in named
    )


def tree_objects(leaves: Leaves, algorithm: str = "sha1") -> list[GitObject]:
    """All trees of a whole tree; the last one is its root.

    Args:
        leaves: what it holds.
        algorithm: of the repository.

    Raises:
        ValueError: a file stands where a folder has to be.
    """
    folders: dict[str, dict[str, Entry]] = {"": {}}
    for path, entry in leaves.items():
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {})[name] = entry
        while folder:
            folder, _, _ = folder.rpartition("/")
            folders.setdefault(folder, {})
    made: list[GitObject] = []
    for folder in sorted(folders, key=lambda each: each.count("/") if each else -1, reverse=True):
        children = folders[folder]
        made.append(GitObject("tree", format_tree(children.items())))
        if folder:
            above, _, name = folder.rpartition("/")
            if name in folders[above]:
                raise ValueError(folder)
            folders[above][name] = Entry(FOLDER, oid_of(made[-1], algorithm))
    return made


class Person(NamedTuple):
    """Who made a commit."""

    name: str
    email: str


def format_commit(tree: str, parents: Sequence[str], person: Person, when: float, message: str) -> bytes:
    """A commit object.

    Args:
        tree: its tree.
        parents: the commits before it.
        person: author and committer.
        when: Unix seconds.
        message: what was done.
    """
    who = f"{_plain(person.name) or 'memtui'} <{_plain(person.email)}> {max(0, int(when))} +0000"
    head = [f"tree {tree}", *(f"parent {parent}" for parent in parents), f"author {who}", f"committer {who}"]
    return ("\n".join(head) + f"\n\n{message.strip()}\n").encode("utf-8", "replace")


def _plain(text: str) -> str:
    """A name as it may stand in a commit's header."""
    kept = "".join(char for char in text if char.isprintable() and char not in "<>")
    return kept.strip(" .,:;\"'")[:200]


def pack(objects: Sequence[GitObject], algorithm: str = "sha1") -> bytes:
    """Objects as one pack, none of them a delta.

    Args:
        objects: each once.
        algorithm: of the repository.
    """
    parts = [b"PACK" + (2).to_bytes(4, "big") + len(objects).to_bytes(4, "big")]
    for made in objects:
        size = len(made.data)
        byte, size = _NUMBERS[made.kind] << 4 | size & 0x0F, size >> 4
        head = bytearray()
        while size:
            head.append(byte | 0x80)
            byte, size = size & 0x7F, size >> 7
        head.append(byte)
        parts += [bytes(head), zlib.compress(made.data, 6)]
    body = b"".join(parts)
    return body + hashlib.new(algorithm, body, usedforsecurity=False).digest()
