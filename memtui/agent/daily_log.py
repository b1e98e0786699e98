"""The daily log: ``logs/YYYY/MM/YYYY-MM-DD.md``, to which one only ever appends (second seed, "Assistant Daily Log").

A line is written in one piece at the end of the file of the local day on which it is written, so that agents may
append to the same file at the same time; nothing in it is ever rewritten. No part of it is a memory: scans pass
``logs/`` by, and ``dream`` distils it.
"""

from __future__ import annotations

import datetime as dt
import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memtui.memory.conventions import LOG_FOLDER
from memtui.memory.disk.calls import APPEND_FLAGS, refused
from memtui.memory.disk.files import MAX_FILE_BYTES, Folder, Unreadable, shut
from memtui.memory.disk.writing import Writer
from memtui.memory.errors import MemtuiError, Refused, UsageError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.types import Clock
from memtui.memory.wording.saying import Say

GATE = "KAIROS"
"""Environment variable that switches the log on or off (second seed)."""
MAX_TEXT_BYTES = 16 << 10
"""Longest text of one entry, UTF-8 bytes (ours): a log holds notes, and one write of this size is never torn apart."""
MAX_LOG_BYTES = MAX_FILE_BYTES
"""Largest log of one day, bytes: no more of a file is read."""
MAX_DAYS = 4_000
"""Most days that are listed, the latest ones (ours): ten years."""

_FLAGS = APPEND_FLAGS & ~os.O_WRONLY | os.O_RDWR  # the last byte is looked at
_YES = frozenset(["1", "true", "yes", "on"])
_NO = frozenset(["0", "false", "no", "off"])
_YEAR = lazy_pattern(r"\d{4}", re.ASCII)
_MONTH = lazy_pattern(r"\d{2}", re.ASCII)
_FILE = lazy_pattern(r"(\d{4})-(\d{2})-(\d{2})\.md", re.ASCII)
_ENTRY = lazy_pattern(r"[-*] (?:\[?(?P<time>[0-2]?\d:[0-5]\d)(?::[0-5]\d)?\]?[ :]?\s*)?(?P<text>.*)")
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


def logging_on(environ: Mapping[str, str], setting: bool | None) -> bool:
    """Whether the log is on: ``KAIROS`` if it says so, else the setting, else off.

    Args:
        environ: environment variables; 1, true, yes, on and their contraries count, anything else does not.
        setting: ``daily_log`` of the configuration; None where it is not set.
    """
    said = environ.get(GATE, "").strip().lower()
    if said in _YES | _NO:
        return said in _YES
    return bool(setting)


def local_moment(moment: float, zone: dt.tzinfo | None) -> dt.datetime:
    """A time in Unix seconds on the clock on the wall.

    Args:
        moment: it.
        zone: where the wall is; None for the system's own zone.
    """
    return dt.datetime.fromtimestamp(moment, dt.UTC).astimezone(zone)


def log_rel(day: dt.date) -> str:
    """Path of a day's log below the memory directory."""
    return f"{LOG_FOLDER}/{day.year:04}/{day.month:02}/{day.isoformat()}.md"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of a log.

    Attributes:
        line: its 1-based line in the file.
        time: hour and minute as written; empty if the entry names none, or was written by somebody else's habits.
        text: what it says; more lines than one stay lines. As in the file: show it through ``visible``.
    """

    line: int
    time: str
    text: str


@dataclass(frozen=True, slots=True)
class LogDay:
    """One day's log as read.

    Attributes:
        day: the day.
        rel: its path below the memory directory.
        text: all of it; empty if there is none.
        problem: why it is not read; None if it is.
    """

    day: dt.date
    rel: str
    text: str
    problem: MemtuiError | None = None

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """Its entries, in the order of the file."""
        return tuple(log_lines(self.text))


@dataclass(frozen=True, slots=True)
class Appended:
    """An entry that is on the disk.

    Attributes:
        day: the local day it went to.
        rel: the file, below the memory directory.
        time: hour and minute.
    """

    day: dt.date
    rel: str
    time: str


def log_lines(text: str) -> Iterator[LogLine]:
    """The entries of a log: list items with what is indented below them; any other line is an entry of its own."""
    number, time, parts = 0, "", list[str]()
    for at, line in enumerate(text.split("\n"), 1):
        bare = line.rstrip("\r")
        if parts and bare.startswith(("  ", "\t")) and bare.strip():
            parts.append(bare.removeprefix("  "))
            continue
        if parts:
            yield LogLine(number, time, "\n".join(parts))
            parts = []
        if bare.strip():
            found = _ENTRY.fullmatch(bare)
            number, time = at, (found["time"] or "") if found else ""
            parts = [found["text"] if found else bare]
    if parts:
        yield LogLine(number, time, "\n".join(parts))


def entry_bytes(text: str, moment: dt.datetime) -> bytes:
    """An entry as it is written: a list item with the time; further lines are indented, so that none can pass for another entry.

    Raises:
        UsageError: there is no text in it, it is too long, or it is no Unicode text.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip().split("\n")
    if not text.strip():
        raise UsageError("there is no text to log", todo="Give it at least a few words")
    body = "\n".join([lines[0].strip(), *(f"  {line}".rstrip() for line in lines[1:])])
    try:
        data = f"- {moment:%H:%M} {body}\n".encode()
    except UnicodeEncodeError:
        raise UsageError("the text is not UTF-8", todo="Convert it first") from None
    if len(data) > MAX_TEXT_BYTES:
        raise UsageError(Say("the text is longer than {most:,} bytes", most=MAX_TEXT_BYTES), todo="Split it")
    return data


class DailyLog:
    """The logs of one memory directory. Making one, and reading, creates nothing."""

    def __init__(self, folder: Folder, *, clock: Clock, zone: dt.tzinfo | None = None) -> None:
        """Name the logs of a directory.

        Args:
            folder: the directory.
            clock: gives the time, Unix seconds.
            zone: the zone whose days count; None for the system's own.
        """
        self.folder = folder
        self._clock = clock
        self._zone = zone

    def today(self) -> dt.date:
        """The local date now."""
        return local_moment(self._clock(), self._zone).date()

    # ------------------------------------------------------------------ writing

    def append(self, manager: MemoryManager, text: str) -> Appended:
        """Add an entry to the log of the local day it is at this moment, durable.

        Args:
            manager: the directory's, which holds it meanwhile and knows whether it may be changed.
            text: the entry; several lines stay one entry.

        Raises:
            UsageError: there is nothing in the text, or too much.
            Refused: the directory is read-only or busy, the day's log is full or is no plain file, or the system said
                no; after a full disk a part of the entry may stand there, on a line of its own.
        """
        entry_bytes(text, local_moment(self._clock(), self._zone))  # a wrong text makes no folder
        with manager.writing(create=True):
            moment = local_moment(self._clock(), self._zone)
            rel = log_rel(moment.date())
            try:
                self._append(rel, entry_bytes(text, moment))
            except OSError as error:
                raise refused(error, "could not write the log", rel) from error
        return Appended(moment.date(), rel, f"{moment:%H:%M}")

    def _append(self, rel: str, entry: bytes) -> None:
        disk = self.folder.disk
        with Writer(self.folder) as writer:
            writer.make_folder(rel.rpartition("/")[0])
            parent, name = writer.at(rel)
            fd = disk.open(name, _FLAGS, 0o644, dir_fd=parent)
            try:
                info = disk.fstat(fd)
                if not stat.S_ISREG(info.st_mode):
                    raise Unreadable(
                        "not-regular",
                        "this is not a regular file, so it is not read",
                        where=rel,
                        todo="Move it out of the memory directory",
                    )
                # Whoever was torn off in the middle of a line keeps that line to himself.
                torn = info.st_size > 0 and disk.pread(fd, 1, info.st_size - 1) != b"\n"
                rest = memoryview((b"\n" if torn else b"") + entry)
                if info.st_size + len(rest) > MAX_LOG_BYTES:
                    raise Refused(
                        Say("the log of this day is full ({most:,} bytes)", most=MAX_LOG_BYTES),
                        where=rel,
                        todo="Save what matters as a memory",
                    )
                while rest:
                    rest = rest[disk.write(fd, bytes(rest)) :]
                disk.fsync(fd)
            finally:
                shut(disk, fd)
            if info.st_size == 0:
                writer.touch(rel)
            writer.sync()

    # ------------------------------------------------------------------ reading

    def days(self) -> tuple[dt.date, ...]:
        """The days that have a log, the latest first, at most `MAX_DAYS`.

        Raises:
            Refused: a folder cannot be listed.
        """
        found: list[dt.date] = []
        for year in self._names(LOG_FOLDER, folders=True):
            if len(found) >= MAX_DAYS:
                break
            if not _YEAR.fullmatch(year):
                continue
            for month in self._names(f"{LOG_FOLDER}/{year}", folders=True):
                if _MONTH.fullmatch(month):
                    found += self._days_of(year, month)
        return tuple(found[:MAX_DAYS])

    def _days_of(self, year: str, month: str) -> list[dt.date]:
        days = []
        for name in self._names(f"{LOG_FOLDER}/{year}/{month}", folders=False):
            match = _FILE.fullmatch(name)
            if match and match.groups()[:2] == (year, month):
                try:
                    days.append(dt.date(*(int(part) for part in match.groups())))
                except ValueError:
                    continue
        return days

    def _names(self, folder: str, *, folders: bool) -> list[str]:
        """What a folder holds of one kind, the last name first; a link counts for neither."""
        try:
            fd = self.folder.open_folder(folder)
        except OSError as error:
            if error.errno in _GONE:
                return []
            raise refused(error, "could not read the logs", folder) from error
        try:
            children = self.folder.disk.scandir(fd)
            wanted = [
                child.name
                for child in children
                if (child.is_dir if folders else child.is_file)(follow_symlinks=False)
            ]
        except OSError as error:
            raise refused(error, "could not read the logs", folder) from error
        finally:
            shut(self.folder.disk, fd)
        return sorted(wanted, reverse=True)

    def read(self, day: dt.date) -> LogDay:
        """One day's log; empty if there is none. Bytes that are no UTF-8 are shown as such, none are lost on the disk."""
        rel = log_rel(day)
        try:
            data = self.folder.read(rel, MAX_LOG_BYTES).data
        except FileNotFoundError:
            return LogDay(day, rel, "")
        except Unreadable as error:
            return LogDay(day, rel, "", error)
        return LogDay(day, rel, data.decode("utf-8-sig", "surrogateescape"))
