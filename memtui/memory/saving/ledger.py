"""The journal's file: read once and then only where it grew, within bounds, and appended to."""

from __future__ import annotations

import json
import stat
import threading

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.calls import READ_FLAGS
from memtui.memory.disk.files import Folder, Unreadable, shut
from memtui.memory.disk.writing import Writer
from memtui.memory.saving.record_lines import ForeignFiles, begin_line, begun, end_line, ended
from memtui.memory.saving.records import Record
from memtui.memory.wording.saying import Say

JOURNAL = f"{OWN_FOLDER}/journal.jsonl"
MAX_JOURNAL_BYTES = 256 << 20
"""Largest journal that is read, bytes (ours): some 200,000 usual changes."""
MAX_LINE_BYTES = 64 << 20
"""Longest line that is looked at, bytes (ours): a change of some 100,000 files."""

_CHUNK = 1 << 20


class Ledger:
    """The records of one directory. A line that makes no sense is passed over."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._ino = 0
        self._offset = 0
        self._records: dict[str, Record] = {}
        self._foreign: dict[str, str] = {}
        self._reading = threading.Lock()

    def records(self) -> list[Record]:
        """All changes, oldest first, in whatever state; empty where there is no journal.

        Raises:
            OSError: as the system says.
            Unreadable: the journal is not a regular file, or too large.
        """
        with self._reading:
            self._load()
            return list(self._records.values())

    def foreign(self) -> tuple[str, ...]:
        """Files that are not memories and that records name, as last read; nobody acts on such records."""
        return tuple(dict.fromkeys(self._foreign.values()))

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
            if info.st_size > MAX_JOURNAL_BYTES:
                raise Unreadable(
                    "too-large",
                    Say(
                        "the journal is {size:,} bytes, more than the {most:,} that are read",
                        size=info.st_size,
                        most=MAX_JOURNAL_BYTES,
                    ),
                    where=JOURNAL,
                    todo="Move it away: what was done before can then not be undone, and a new one is started",
                )
            if info.st_ino != self._ino or info.st_size < self._offset:
                self._forget()
                self._ino = info.st_ino
            self._read_from(fd, info.st_size)
        finally:
            shut(disk, fd)

    def _forget(self) -> None:
        self._ino = self._offset = 0
        self._records = {}
        self._foreign = {}

    def _read_from(self, fd: int, size: int) -> None:
        rest = bytearray()
        too_long = False
        at = self._offset
        while at < size and (chunk := self._folder.disk.pread(fd, min(_CHUNK, size - at), at)):
            at += len(chunk)
            first, newline, others = chunk.partition(b"\n")
            if len(rest) + len(first) > MAX_LINE_BYTES:
                rest.clear()
                too_long = True
            if not too_long:
                rest += first
            if not newline:
                continue
            if rest and not too_long:
                self._take(bytes(rest))
            too_long = False
            *lines, last = others.split(b"\n")
            for line in lines:
                if line:
                    self._take(line)
            rest = bytearray(last)
        self._offset = at - len(rest)  # a torn last line is looked at again

    def _take(self, line: bytes) -> None:
        key: object = None
        try:
            values = json.loads(line)
            key = values["key"]
            if not isinstance(key, str) or key in self._foreign:
                return
            if values["t"] == "begin":
                if key not in self._records:
                    self._records[key] = begun(values)
            elif key in self._records:
                self._records[key] = ended(self._records[key], values)
        except ForeignFiles as error:
            self._foreign[str(key)] = error.where
            self._records.pop(str(key), None)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError, Unreadable):
            return
