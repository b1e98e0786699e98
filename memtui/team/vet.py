"""What of a tree that others made may become memories here. Pure; everything else is named, and stays where it is.

A remote is a stranger. What it may do is bring plain files with sane names and texts; what it brings beside stays in
git's own storage, where nothing opens it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.memory.document.frontmatter import read
from memtui.memory.document.slugs import collision_key
from memtui.memory.secrets.guard import SecretFinding, find_secrets, redact
from memtui.memory.secrets.team_guard import texts_of
from memtui.team.objects import LINK, PLAIN, SUBMODULE, Entry, Leaves

HeldCode = Literal[
    "link",
    "submodule",
    "folder",
    "mode",
    "name",
    "collision",
    "too-many",
    "too-large",
    "not-text",
    "old-version",
    "secret",
    "missing",
]
"""``folder``: too deep, too large or empty; ``mode``: git knows no such kind of file; ``name``: of a kind that no file
system or screen should meet; ``collision``: some file system takes it for another one; ``old-version``: it says so of itself, and
every machine keeps its own."""

MAX_FILES = 10_000
"""Memories of a team that are taken (ours)."""
MAX_TOTAL_BYTES = 64 << 20
"""Bytes that all of them may have (ours)."""
MAX_PART_BYTES = 200
"""UTF-8 bytes of a file's or folder's name (ours): file systems stop at 255, and an old version's name is longer."""
MAX_PATH_BYTES = 600
"""UTF-8 bytes of a path (ours)."""
MAX_PARTS = 5
"""Parts of a path: what `memtui.team.repo.MAX_DEPTH` folders leave (ours)."""

_FORBIDDEN = frozenset('<>:"|?*\\')  # no name on Windows has them
_RESERVED = frozenset(
    [
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *(f"{p}{n}" for p in ("com", "lpt") for n in "0123456789¹²³"),
    ]
)
_ODD = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_AT_ONCE = 1_000
_JOINERS = frozenset("\u200c\u200d")  # of emoji, and of several scripts


@dataclass(frozen=True, slots=True)
class Held:
    """Something in the shared tree that does not become a memory here.

    Attributes:
        rel: its path; one that is no text has lone surrogates in it, one that holds a secret is shown without it.
        oid: the object, so that another one under that name is looked at anew.
        code: why.
        rule: of the secret guard, where that is why.
        line: 1-based line of the secret; 0 for one in the name.
        fingerprint: of the secret.
    """

    rel: str
    oid: str
    code: HeldCode
    rule: str | None = None
    line: int | None = None
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Sorted:
    """A tree by what its names and kinds allow; no content was looked at.

    Attributes:
        memories: files that may become memories if their contents do.
        held: what may not.
        others: what is none of our business, such as a ``.gitattributes`` or a picture. It is never touched.
        names: the paths of what is held, as they are.
    """

    memories: dict[str, Entry]
    held: tuple[Held, ...]
    others: dict[str, Entry]
    names: frozenset[str]


def sort_tree(leaves: Leaves, *, live: Collection[str] = ()) -> Sorted:
    """Tell what may be a memory by name and kind alone.

    Args:
        leaves: the whole tree.
        live: paths that are memories here already, whose names are known to be fine: of those that collide, they have
            the right of way.
    """
    memories: dict[str, Entry] = {}
    others: dict[str, Entry] = {}
    held: dict[str, HeldCode] = {}
    taken: dict[str, str] = {}
    first = set(live)
    for rel in sorted(leaves, key=lambda each: (each not in first, each)):
        entry = leaves[rel]
        code = _kind(entry)
        if code is None and rel not in first and not is_memory(rel):
            if rel.rpartition("/")[2] == INDEX_NAME or not rel.lower().endswith(".md"):
                others[rel] = entry
                continue
            code = "name"
        if code is None and rel not in first and not sane(rel):
            code = "name"
        if code is None and any(taken.setdefault(key, part) != part for key, part in _keys(rel)):
            code = "collision"
        if code is None and len(memories) >= MAX_FILES:
            code = "too-many"
        if code is None:
            memories[rel] = entry
        else:
            held[rel] = code
    shown = zip(_as_shown(list(held)), held.items(), strict=True)
    named = (Held(name, leaves[rel].oid, code) for name, (rel, code) in shown)
    return Sorted(memories, tuple(sorted(named, key=lambda each: each.rel)), others, frozenset(held))


def _as_shown(rels: Sequence[str]) -> Iterable[str]:
    """Paths without secrets. Many are looked through at once: a remote may hold a hundred thousand names."""
    for start in range(0, len(rels), _AT_ONCE):
        some = rels[start : start + _AT_ONCE]
        yield from map(redact, some) if find_secrets("\n".join(some)) else some


def vet(
    memories: Mapping[str, Entry],
    sizes: Mapping[str, int],
    read: Callable[[Iterable[str]], Mapping[str, bytes]],
    *,
    allowed: Container[str] = frozenset(),
    released: Container[str] = frozenset(),
    fine: set[tuple[str, str]] | None = None,
) -> tuple[frozenset[str], tuple[Held, ...]]:
    """Look into the files that may be memories; those in which nothing was found before are not read again.

    Args:
        memories: of `sort_tree`.
        sizes: bytes of objects by name; one that is left out is not there.
        read: gives contents of objects.
        allowed: hashes of values that the secret guard lets through.
        released: objects that a person let through, secret or not.
        fine: paths and objects in which nothing was found before, whatever is allowed; what is found fine is added.

    Returns:
        The paths of those that may be applied, and the others.
    """
    held: list[Held] = []
    fitting: dict[str, Entry] = {}
    total = 0
    for rel, entry in memories.items():
        size = sizes.get(entry.oid)
        if size is None:
            held.append(Held(rel, entry.oid, "missing"))
        elif size > MAX_FILE_BYTES:
            held.append(Held(rel, entry.oid, "too-large"))
        elif total + size > MAX_TOTAL_BYTES:
            held.append(Held(rel, entry.oid, "too-many"))
        else:
            total += size
            fitting[rel] = entry
    known = {rel for rel, entry in fitting.items() if fine is not None and (rel, entry.oid) in fine}
    found = set(known)
    contents = read({entry.oid for rel, entry in fitting.items() if rel not in known})
    for rel, entry in fitting.items():
        if rel in known:
            continue
        data = contents.get(entry.oid)
        if data is None:
            held.append(Held(rel, entry.oid, "missing"))
            continue
        why = look_into(rel, entry.oid, data)
        if why is None and fine is not None:
            fine.add((rel, entry.oid))
        elif why is not None and why.code == "secret":
            why = look_into(rel, entry.oid, data, allowed=allowed)
        if why is None or (why.code == "secret" and entry.oid in released):
            found.add(rel)
        else:
            held.append(why)
    return frozenset(found), tuple(sorted(held, key=lambda each: each.rel))


def look_into(rel: str, oid: str, data: bytes, *, allowed: Container[str] = frozenset()) -> Held | None:
    """Why a file may not become a memory, by what it holds; None if it may."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Held(rel, oid, "not-text")
    if "\0" in text:
        return Held(rel, oid, "not-text")
    if read(data).is_historical:
        return Held(rel, oid, "old-version")
    secret = secret_in(rel, data, allowed=allowed)
    if secret is None:
        return None
    finding, line = secret
    return Held(redact(rel), oid, "secret", finding.rule, line, finding.fingerprint)


def secret_in(
    rel: str, data: bytes, *, allowed: Container[str] = frozenset()
) -> tuple[SecretFinding, int] | None:
    """The first secret in a memory's file, whatever its coding, and its line; line 0 is the name."""
    for words in (rel, rel.removesuffix(".md").rpartition("/")[2]):
        for finding in find_secrets(words, allowed=allowed):
            return finding, 0
    for text in texts_of(data):
        for finding in find_secrets(text, allowed=allowed):
            return finding, finding.line
    return None


def is_memory(rel: str) -> bool:
    """Whether a path below ``team/`` is one that memories have."""
    parts = rel.split("/")
    return (
        parts[-1].endswith(".md")
        and parts[-1] != INDEX_NAME
        and not any(part.startswith(".") for part in parts)
    )


def sane(rel: str) -> bool:
    """Whether every file system can hold a path, and no screen or command takes it for something else."""
    parts = rel.split("/")
    try:
        size = len(rel.encode("utf-8"))
    except UnicodeEncodeError:
        return False
    folders_are = not any(
        part.lower().endswith(".md") for part in parts[:-1]
    )  # or a memory could not have the name
    return size <= MAX_PATH_BYTES and len(parts) <= MAX_PARTS and folders_are and all(map(_sane_part, parts))


def _sane_part(part: str) -> bool:
    if not part or part.startswith((".", "-", " ")) or part.endswith((".", " ")):
        return False
    if (
        len(part.encode("utf-8")) > MAX_PART_BYTES
        or collision_key(part.partition(".")[0].strip()) in _RESERVED
    ):
        return False
    if part.isascii():
        return part.isprintable() and _FORBIDDEN.isdisjoint(part)
    if unicodedata.category(part[0])[0] == "M" or unicodedata.normalize("NFC", part) != part:
        return False
    return not any(
        char in _FORBIDDEN or (unicodedata.category(char) in _ODD and char not in _JOINERS) for char in part
    )


def _keys(rel: str) -> Iterable[tuple[str, str]]:
    """A path and the folders above it, each with what file systems may take it for."""
    at = 0
    while at >= 0:
        at = rel.find("/", at + 1)
        part = rel if at < 0 else rel[:at]
        yield collision_key(part), part


def _kind(entry: Entry) -> HeldCode | None:
    mode = entry.mode.lstrip("0")
    if mode in PLAIN:
        return None
    if mode == LINK:
        return "link"
    if mode == SUBMODULE:
        return "submodule"
    return "folder" if entry.is_folder else "mode"
