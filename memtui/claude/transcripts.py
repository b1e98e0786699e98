"""Claude Code's transcripts as lines: tolerant, streaming, resumable; nothing is ever written to one.

A transcript is JSON Lines. Real ones hold lines of hundreds of kilobytes, a last line that is still being written,
lines that are no objects, bytes that are no UTF-8 and NULs left by a crash: what cannot be read is counted and passed
by. Memory stays bounded whatever the file holds.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from memtui.memory.disk.calls import READ_FLAGS, REAL_DISK, Disk
from memtui.memory.disk.images import Unreadable, shut
from memtui.memory.document.timestamps import parse_moment
from memtui.memory.wording.saying import Say, system_said

MAX_LINE_BYTES = 8 << 20
"""Longest line that is read, bytes (ours; the longest seen in the wild is 178 KB). A longer one is counted."""

_SKEW_SECONDS = 86_400.0
"""How far two clocks may differ (ours): archives keep the local time of another place."""

_CHUNK_BYTES = 1 << 20
_HEAD_BYTES = 4096
_OWN = (b'{"type":"api-request', b'{"type":"file-history-snapshot"')
"""How lines begin that the client writes for itself: each request repeats the conversation so far (2.1.328)."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a transcript was read, and by what the same file is known again.

    Attributes:
        offset: bytes read; a line begins here.
        number: lines read.
        ino: inode number of the file.
        head: SHA-256, hex, of the file's first ``head_size`` bytes.
        head_size: bytes, at most 4,096 and never more than ``offset``.
    """

    offset: int
    number: int
    ino: int
    head: str
    head_size: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line that holds a JSON object.

    Attributes:
        number: counts from 1.
        offset: where it begins, bytes.
        value: the object.
        data: the line's bytes, without its end.
        changed: when the file was last changed, Unix seconds.
    """

    number: int
    offset: int
    value: dict[str, Any]
    data: bytes
    changed: float = math.inf

    @property
    def at(self) -> float | None:
        """The time of the line, Unix seconds; None where it has none."""
        return moment_in(self.value, self.changed)


def moment_in(value: Mapping[str, object], changed: float) -> float | None:
    """The time that a line names, Unix seconds; None where it names none.

    Nothing was written after the file's last change: what says so, by more than clocks and archives differ, counts as
    of that change, for a line of the year 9999 would be the latest for ever.

    Args:
        value: the line's object.
        changed: when the file was last changed, Unix seconds.
    """
    text = value.get("timestamp")
    at = parse_moment(text[:40]) if isinstance(text, str) else None
    return at if at is None or at <= changed + _SKEW_SECONDS else changed


@dataclass(slots=True)
class Skipped:
    """Lines that were passed by, by reason.

    Attributes:
        too_long: over `MAX_LINE_BYTES`.
        not_json: no JSON, or JSON nested too deeply.
        not_object: JSON, but no object.
        torn: a last line without an end that is no whole JSON yet; it is read again when it has grown.
    """

    too_long: int = 0
    not_json: int = 0
    not_object: int = 0
    torn: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.too_long + self.not_json + self.not_object + self.torn


def parse_line(data: bytes) -> dict[str, Any] | None:
    """The object on a line; None if it holds another kind of JSON.

    Bytes that are no UTF-8 are read as U+FFFD, control characters inside strings are let pass, NULs around are dropped.

    Raises:
        ValueError: it is no JSON.
    """
    text = data.strip(b"\0 \t\r").decode("utf-8", "replace")
    try:
        value = json.loads(text, strict=False)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value if isinstance(value, dict) else None


def for_the_client_alone(data: bytes) -> bool:
    """Whether a line repeats for the client's own use what other lines say; told by how it begins, without parsing."""
    return data.startswith(_OWN)


@dataclass(slots=True)
class TranscriptReader:
    """The lines of one transcript, as an iterator that can be left at any line.

    Attributes:
        path: the file.
        since: where to go on, of an earlier reading; it counts only while the file still is the same one: same inode,
            not shorter, same beginning.
        wanted: whether a line is worth parsing, by its bytes; all are if None. Lines not wanted are not checked.
        progress: called with the number of bytes read since the last call.
        disk: the system calls.
        max_line: longest line that is read, bytes.
        restarted: whether ``since`` was given but did not fit.
        skipped: what was passed by; counts grow while reading.
        cursor: where the next reading goes on; stands behind the line last given, and at the end after the last.
        size: the file's size when it was opened; what is appended meanwhile is left for the next time.
        changed: when it had been changed last by then, Unix seconds.
    """

    path: Path
    since: Cursor | None = None
    wanted: Callable[[bytes], bool] | None = None
    progress: Callable[[int], None] | None = None
    disk: Disk = REAL_DISK
    max_line: int = MAX_LINE_BYTES
    restarted: bool = False
    skipped: Skipped = field(default_factory=Skipped)
    cursor: Cursor = Cursor(0, 0, 0, "", 0)
    size: int = 0
    changed: float = math.inf

    def __iter__(self) -> Iterator[Line]:
        """The lines.

        Raises:
            FileNotFoundError: there is no such file.
            Unreadable: something is there that is not read: a link, a pipe, a folder; or the system says no.
        """
        disk = self.disk
        try:
            fd = disk.open(os.fspath(self.path), READ_FLAGS)
        except FileNotFoundError:
            raise
        except (ValueError, NotADirectoryError) as error:  # no file can have that path
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.path)) from error
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.path)) from error
            raise _unreadable(error, self.path) from error
        try:
            try:
                self._begin(fd)
                yield from self._lines(fd)
            except OSError as error:
                raise _unreadable(error, self.path) from error
        finally:
            shut(disk, fd)

    def _begin(self, fd: int) -> None:
        info = self.disk.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise Unreadable(
                "not-regular", "this is not a regular file, so it is not read", where=str(self.path)
            )
        self.size, self.changed = info.st_size, info.st_mtime
        since = self.since
        if since is not None and since.offset and self._same(fd, info, since):
            self.cursor = since
            return
        self.restarted = since is not None and since.offset > 0
        self.cursor = Cursor(0, 0, info.st_ino, "", 0)

    def _same(self, fd: int, info: os.stat_result, since: Cursor) -> bool:
        """Whether it is the file the cursor was made on, grown or not."""
        return (
            info.st_ino == since.ino
            and info.st_size >= since.offset
            and 0 < since.head_size <= _HEAD_BYTES
            and _digest(self.disk, fd, since.head_size) == since.head
        )

    def _move(self, fd: int, offset: int, number: int) -> None:
        old = self.cursor
        head, head_size = old.head, old.head_size
        if head_size < _HEAD_BYTES and offset > head_size:
            head_size = min(offset, _HEAD_BYTES)
            head = _digest(self.disk, fd, head_size)
        self.cursor = Cursor(offset, number, old.ino, head, head_size)

    def _lines(self, fd: int) -> Iterator[Line]:
        start, number = self.cursor.offset, self.cursor.number
        # The last line given had no end then: what follows up to its end still belongs to it.
        behind = start > 0 and self.disk.pread(fd, 1, start - 1) != b"\n"
        at, rest, dropped = start, b"", 0
        while at < self.size:
            chunk = self.disk.pread(fd, min(_CHUNK_BYTES, self.size - at), at)
            if not chunk:  # cut short meanwhile
                break
            at += len(chunk)
            pieces = chunk.split(b"\n")
            pieces[0] = rest + pieces[0]
            rest = pieces.pop()
            for data in pieces:
                began, start = start, start + dropped + len(data) + 1
                if behind:
                    behind, dropped = False, 0
                    continue
                number += 1
                if dropped or len(data) > self.max_line:
                    self.skipped.too_long += 1
                    dropped = 0
                    continue
                line = self._read(data, began, number)
                if line is not None:
                    self._move(fd, start, number)
                    yield line
            self._move(fd, start, number)
            if dropped or len(rest) > self.max_line:
                dropped += len(rest)
                rest = b""
            if self.progress is not None:
                self.progress(len(chunk))
        if dropped or not rest or behind:
            self.skipped.torn += bool(dropped)
            return
        line = self._last(rest, start, number + 1)
        if line is not None:
            self._move(fd, start + len(rest), number + 1)
            yield line

    def _read(self, data: bytes, offset: int, number: int) -> Line | None:
        if not data or data.isspace() or (self.wanted is not None and not self.wanted(data)):
            return None
        try:
            value = parse_line(data)
        except ValueError:
            self.skipped.not_json += 1
            return None
        if value is None:
            self.skipped.not_object += 1
            return None
        return Line(number, offset, value, data, self.changed)

    def _last(self, data: bytes, offset: int, number: int) -> Line | None:
        """A last line without an end: read if it is whole, else left for the next time."""
        try:
            value = parse_line(data)
        except ValueError:
            self.skipped.torn += 1
            return None
        if value is None:  # a number or word may go on
            self.skipped.torn += 1
            return None
        if self.wanted is not None and not self.wanted(data):
            return None
        return Line(number, offset, value, data, self.changed)


def _digest(disk: Disk, fd: int, size: int) -> str:
    return sha256(disk.pread(fd, size, 0)).hexdigest()


def _unreadable(error: OSError, path: Path) -> Unreadable:
    if error.errno in {errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.EISDIR, errno.ENODEV}:
        return Unreadable("not-regular", "this is not a regular file, so it is not read", where=str(path))
    code = "permission" if error.errno in {errno.EACCES, errno.EPERM} else "io"
    return Unreadable(
        code, Say("this transcript cannot be read: {reason}", reason=system_said(error)), where=str(path)
    )
