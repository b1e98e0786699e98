"""Reads all transcripts of a memory directory for what they prove of its use; later starts read only what is new."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from memtui.claude.folders import (
    MAX_TRANSCRIPTS,
    TranscriptFile,
    certain_folders,
    may_belong,
    project_roots,
    proves,
    transcripts_in,
)
from memtui.claude.naming import Store
from memtui.claude.receipts import Scan, ScanState
from memtui.claude.transcripts import TranscriptReader
from memtui.claude.usage_index import INDEX_FILE, Known, Reading, UsageIndex, storable_path
from memtui.claude.usage_report import UsageReport, build_report
from memtui.memory.errors import Refused

Progress = Callable[[int, int], None]
"""Called with the bytes read so far and the bytes to read in all."""

_KEEP_SECONDS = 1.0


class UsageReader:
    """Reads the transcripts of one memory directory, and remembers how far.

    Transcripts are only read. What they prove goes into ``receipts.db`` in the state folder; see `UsageIndex`.
    """

    def __init__(
        self,
        memory_dir: Path,
        *,
        environ: Mapping[str, str],
        home: Path,
        state_dir: Path | None,
        cwd: Path | None = None,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is read or made yet.

        Args:
            memory_dir: the memory directory.
            environ: environment variables.
            home: the home folder.
            state_dir: the user's state folder for memtui; None to keep nothing.
            cwd: a directory whose project is preferred, should the store's name fit several.
            timer: seconds that only ever go forward.
        """
        self.memory_dir = memory_dir
        self._environ = environ
        self._home = home
        self._file = state_dir / INDEX_FILE if state_dir is not None else None
        self._cwd = cwd
        self._timer = timer
        self._store = Store.of(memory_dir, home)
        self._name = self._store.names[-1].encode("utf-8", "backslashreplace").decode()
        self._index: UsageIndex | None = None
        self._busy = threading.Lock()

    def close(self) -> None:
        """Let the file go."""
        with self._busy:
            if self._index is not None:
                self._index.close()
                self._index = None

    def update(
        self,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
        *,
        seconds: float | None = None,
    ) -> UsageReport:
        """Read what is new, and say what is known then.

        Whatever was read before a cancel, or before the time was up, is kept, and the next call goes on there.

        Args:
            progress: called now and then, in this thread.
            cancel: set by another thread to break off.
            seconds: longest time to read; all there is if None.
        """
        with self._busy:
            if self._index is None:
                self._index = UsageIndex(self._file)
            self._store = Store.of(self.memory_dir, self._home)  # which memories there are has changed
            stop = _Stop(cancel, self._timer, seconds)
            files = self._transcripts(self._index, stop)
            known = self._index.known(self._name)
            work = [file for file in files if not _is_current(known, file)]
            left = _Progress(work, known, progress, stop)
            self._read(self._index, work, known, left, stop)
            return replace(
                build_report(self._index, self._name, {storable_path(file.path) for file in files}),
                transcripts=len(files),
                read=left.done,
                unread=max(0, left.total - left.done) if stop.stopped else 0,
            )

    def _transcripts(self, index: UsageIndex, stop: _Stop) -> list[TranscriptFile]:
        """Every transcript that belongs to the directory, newest first."""
        roots = project_roots(self.memory_dir, environ=self._environ, home=self._home)
        certain, project = certain_folders(self.memory_dir, roots, self._cwd)
        folders = {folder for folder in certain if folder.is_dir()}
        judged = index.judged(self._name)
        news: list[tuple[Path, bool, float]] = []
        for root in roots:
            for folder, changed in _folders_in(root):
                if folder in folders or not may_belong(folder.name, self.memory_dir, project):
                    continue
                belongs, then = judged.get(storable_path(folder), (False, -1.0))
                if not belongs and then != changed and not stop():
                    belongs = proves(folder, self._store, project)
                    news.append((folder, belongs, changed))
                if belongs:
                    folders.add(folder)
        if news:

            def judge() -> None:
                for folder, belongs, changed in news:
                    index.judge(self._name, folder, belongs=belongs, newest=changed)

            self._write(index, judge)
        found = {file.path: file for folder in folders for file in transcripts_in(folder)}
        return sorted(found.values(), key=lambda file: (-file.mtime, str(file.path)))[:MAX_TRANSCRIPTS]

    def _read(
        self,
        index: UsageIndex,
        work: Iterable[TranscriptFile],
        known: Mapping[str, Known],
        left: _Progress,
        stop: _Stop,
    ) -> None:
        readings: list[Reading] = []
        kept = self._timer()

        def keep() -> None:
            for reading in readings:
                index.keep(self._name, reading)

        for file in work:
            if stop():
                break
            reading = self._read_one(file, known.get(storable_path(file.path)), left)
            if reading is not None:
                readings.append(reading)
            if self._timer() - kept >= _KEEP_SECONDS:
                self._write(index, keep)
                readings.clear()
                kept = self._timer()
        if readings:
            self._write(index, keep)

    def _read_one(self, file: TranscriptFile, known: Known | None, left: _Progress) -> Reading | None:
        before = known.cursor if known else None
        scan = Scan(self._store, known.state if known else ScanState(), file.agent)
        reader = TranscriptReader(file.path, before, scan.wanted, left)
        whole = True
        first = True
        try:
            for line in reader:
                if first and reader.restarted:
                    scan.state = ScanState()
                first = False
                scan.take(line)
        except _Stopped:
            whole = False
        except (OSError, Refused):  # gone or unreadable since it was listed
            return None
        size = reader.size if whole else min(reader.cursor.offset, reader.size - 1)
        counts = reader.skipped
        return Reading(file, scan, before, reader.cursor, size, reader.restarted, counts.total - counts.torn)

    @staticmethod
    def _write(index: UsageIndex, change: Callable[[], object]) -> None:
        """Make a change in one step; where the file cannot be written, go on without it."""
        try:
            with index.writing():
                change()
        except sqlite3.Error as error:
            index.go_on_without(error)
            with index.writing():
                change()


class _Stopped(Exception):
    """Reading was broken off."""


class _Stop:
    """Whether to break off."""

    def __init__(
        self, cancel: threading.Event | None, timer: Callable[[], float], seconds: float | None
    ) -> None:
        self._cancel = cancel
        self._timer = timer
        self._until = timer() + seconds if seconds is not None else None
        self.stopped = False

    def __call__(self) -> bool:
        late = self._until is not None and self._timer() >= self._until
        self.stopped = self.stopped or late or (self._cancel is not None and self._cancel.is_set())
        return self.stopped


class _Progress:
    """Counts the bytes, tells whoever wants to know, and breaks off when asked to."""

    def __init__(
        self,
        work: Iterable[TranscriptFile],
        known: Mapping[str, Known],
        progress: Progress | None,
        stop: _Stop,
    ) -> None:
        offsets = {path: entry.cursor.offset for path, entry in known.items()}
        self.total = sum(max(0, file.size - offsets.get(storable_path(file.path), 0)) for file in work)
        self.done = 0
        self._progress = progress
        self._stop = stop

    def __call__(self, read: int) -> None:
        self.done += read
        if self._progress is not None:
            self._progress(self.done, max(self.total, self.done))
        if self._stop():
            raise _Stopped


def _is_current(known: Mapping[str, Known], file: TranscriptFile) -> bool:
    entry = known.get(storable_path(file.path))
    return entry is not None and entry.is_current(file)


def _folders_in(root: Path) -> list[tuple[Path, float]]:
    """The folders of a root with the time of their last change."""
    found: list[tuple[Path, float]] = []
    with suppress(OSError), os.scandir(root) as children:  # not there, or not ours to read
        for child in children:
            with suppress(OSError):  # it went while we looked
                if child.is_dir(follow_symlinks=False):
                    found.append((Path(child.path), child.stat(follow_symlinks=False).st_mtime))
    return sorted(found)
