"""Looking for secrets in files and folders of any kind, for `memtui secrets`: text files, git-ignored or not.

No value leaves this module: a find tells rule, file, line and fingerprint; the hash it carries is for the allow-list alone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from memtui.memory.secrets.allowed import FINGERPRINT
from memtui.memory.secrets.guard import find_secrets, secret_hash
from memtui.memory.secrets.team_guard import texts_of, wide_coding

MAX_SCANNED_BYTES = 8 << 20
"""A larger file is told as skipped (ours): nobody writes notes or code of that size by hand."""
_LOOK = 8 << 10  # bytes in which a NUL makes a file binary, as git has it
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_GIT_DATA = frozenset({"objects", "lfs", "index"})

SkipCode = Literal["binary", "large", "link", "not-regular", "git-data", "unreadable"]


@dataclass(frozen=True, slots=True)
class Found:
    """One secret.

    Attributes:
        path: the file, as it was named or below the folder that was.
        rule: which rule found it.
        provider: who gives out such secrets, or ``generic``.
        line: 1-based line; 0 where it stands in the file's name.
        fingerprint: what tells it from another.
        by: whose rule it is: ``memtui``, or the second opinion's name.
        key: ``secret_hash`` of the value.
    """

    path: str
    rule: str
    provider: str
    line: int
    fingerprint: str
    by: str = "memtui"
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not looked into.

    Attributes:
        path: the file.
        code: why.
        detail: what the system said of one that cannot be read.
    """

    path: str
    code: SkipCode
    detail: OSError | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """A file that was looked into."""

    path: str


Opinion = Callable[[str], Iterable[tuple[str, int, str]]]
"""Another scanner: from a text to rule, 1-based line and value of what it finds."""
Seen = Found | Skipped | Looked


def scan(
    paths: Iterable[Path],
    *,
    allowed: Container[str] = frozenset(),
    second: tuple[str, Opinion] | None = None,
) -> Iterator[Seen]:
    """The secrets in files and in all that is below folders, by name; links within folders are not followed.

    Args:
        paths: files and folders. Whoever names a link means what it leads to.
        allowed: hashes of values that are let through.
        second: another scanner and its name, asked too; what both find counts once, as ours.
    """
    for path in paths:
        yield from _below(path, os.fspath(path), allowed, second)


def _below(
    path: Path, shown: str, allowed: Container[str], second: tuple[str, Opinion] | None
) -> Iterator[Seen]:
    folders = [(path, shown, True)]
    while folders:  # a stack and no recursion: folders may be nested deeper than Python's calls
        here, name, follow = folders.pop()
        try:
            info = here.stat() if follow else here.lstat()
            if stat.S_ISDIR(info.st_mode):
                children = sorted(os.scandir(here), key=lambda child: child.name, reverse=True)
                if here.name == ".git":
                    left = [child.name for child in children if child.name in _GIT_DATA]
                    yield from (Skipped(f"{name}/{data}", "git-data") for data in reversed(left))
                    children = [child for child in children if child.name not in _GIT_DATA]
                folders += [(here / child.name, os.path.join(name, child.name), False) for child in children]  # noqa: PTH118  -- as it was named
                continue
        except OSError as error:
            yield Skipped(name, "unreadable", error)
            continue
        if stat.S_ISLNK(info.st_mode):
            yield Skipped(name, "link")
        elif not stat.S_ISREG(info.st_mode):
            yield Skipped(name, "not-regular")
        else:
            yield from _file(here, name, allowed, second, follow=follow)


def _file(
    path: Path, shown: str, allowed: Container[str], second: tuple[str, Opinion] | None, *, follow: bool
) -> Iterator[Seen]:
    try:
        fd = os.open(path, _FLAGS | (0 if follow else os.O_NOFOLLOW))
        with os.fdopen(fd, "rb") as stream:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                yield Skipped(shown, "not-regular")
                return
            data = stream.read(MAX_SCANNED_BYTES + 1)
    except OSError as error:
        yield Skipped(shown, "unreadable", error)
        return
    if len(data) > MAX_SCANNED_BYTES:
        yield Skipped(shown, "large")
    elif b"\0" in data[:_LOOK] and wide_coding(data) is None:
        yield Skipped(shown, "binary")
    else:
        yield Looked(shown)
        yield from _named(path.name, shown, allowed)
        yield from scan_data(data, shown, allowed=allowed, second=second)


def _named(name: str, shown: str, allowed: Container[str]) -> Iterator[Found]:
    for found in find_secrets(name, allowed=allowed):
        key = secret_hash(name[found.start : found.end])
        yield Found(shown, found.rule, found.provider, 0, found.fingerprint, key=key)


def scan_data(
    data: bytes,
    shown: str,
    *,
    allowed: Container[str] = frozenset(),
    second: tuple[str, Opinion] | None = None,
) -> Iterator[Found]:
    """The same for bytes, whatever their coding; what several readings of them hold counts once."""
    first, *others = texts_of(data)
    keys: set[str] = set()
    for found in scan_text(first, shown, allowed=allowed, second=second):
        keys.add(found.key)
        yield found
    for text in others:
        for found in scan_text(text, shown, allowed=allowed, second=second):
            if found.key not in keys:
                keys.add(found.key)
                yield found


def scan_text(
    text: str,
    shown: str,
    *,
    allowed: Container[str] = frozenset(),
    second: tuple[str, Opinion] | None = None,
) -> Iterator[Found]:
    """The secrets in one text.

    Args:
        text: it.
        shown: what it is called.
        allowed: hashes of values that are let through.
        second: another scanner and its name; what stands within a find of ours, or around one, is the same find.
    """
    ours: list[tuple[int, str]] = []
    for found in find_secrets(text, allowed=allowed):
        value = text[found.start : found.end]
        ours.append((found.line, value))
        yield Found(shown, found.rule, found.provider, found.line, found.fingerprint, key=secret_hash(value))
    if second is None:
        return
    name, ask = second
    seen: set[str] = set()
    for rule, line, value in ask(text):
        key = secret_hash(value)
        if key in allowed or key in seen or any(value in own or own in value for _, own in ours):
            continue
        seen.add(key)
        yield Found(shown, rule, "", line, key[:FINGERPRINT], name, key)
