"""What a memory directory holds, kept up to date at the cost of what changed (design §2, reliability §2).

The truth is one look at every file's stamp; hints, for instance from a watcher, only say where to look first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from itertools import chain, repeat
from pathlib import Path
from stat import S_ISDIR
from typing import NamedTuple

from memtui.memory.conventions import HISTORY_FOLDER, INDEX_NAME, Convention, detect
from memtui.memory.directory.changes import ChangeLog, Changes
from memtui.memory.directory.order import Move, Order
from memtui.memory.directory.unseen import Unseen
from memtui.memory.disk.bulk import collector_waits
from memtui.memory.disk.files import Folder, Stamp, Unreadable
from memtui.memory.document.entries import (
    HISTORY_PREFIX,
    Known,
    is_torn,
    kind_of,
    look,
    problem_of,
)
from memtui.memory.types import Clock, MemoryEntry, Problem

SETTLE_SECONDS = 2.0
"""How long the last good view of a half-written file stays (reliability §1)."""

_RACY_NS = 2_000_000_000
"""A file this young when it was read may be written once more without its stamp changing: clocks of file systems
tick every 4-10 ms on Linux and every 2 s on FAT. It is read again at the next full look."""


class _Look(NamedTuple):
    """One look at the folder: when it was, how long half-written files are waited for, and what it found."""

    now: float
    wall: int
    settle: float
    moves: list[Move]


class _Index(NamedTuple):
    stamp: Stamp | None = None
    data: bytes | None = None
    problem: Problem | None = None


class Directory:
    """The memories of one folder as last looked at. Methods may be called from any thread.

    Nothing is read before the first `refresh`, and looking changes nothing on disk.

    Attributes:
        root: the folder as given.
        folder: the door to its files.
        missing: whether the folder was not there at the last look.
        occupied: whether something that is no folder stood in its place.
    """

    def __init__(
        self,
        root: Path,
        *,
        convention: Convention | None = None,
        folder: Folder | None = None,
        clock: Clock = time.time,
        wall: Callable[[], int] = time.time_ns,
    ) -> None:
        """Prepare to look at a folder.

        Args:
            root: the folder; it need not exist.
            convention: the habits it follows; detected at the first look when None.
            folder: the door to its files, made for ``root`` when None.
            clock: the time dates are measured against, Unix seconds; may be any day.
            wall: the time the system stamps files with, nanoseconds: never a made-up day.
        """
        self.root = root
        self.folder = folder or Folder(root)
        self.missing = False
        self.occupied = False
        self._clock = clock
        self._wall = wall
        self._lock = threading.RLock()
        self._convention = convention
        self._detect = convention is None
        self._files: dict[str, Known] = {}
        self._order = Order(self._files)
        self._index = _Index()
        self._index_text: str | None = ""
        self._racy: set[str] = set()
        self._unseen = Unseen()
        self._torn_since: dict[str, float] = {}
        self._gone_once: set[str] = set()
        self._log = ChangeLog()

    # -- what is there ---------------------------------------------------------------------------------------------

    @property
    def convention(self) -> Convention:
        """The habits the folder follows; until a typed memory has been read, what its place suggests."""
        with self._lock:
            return self._convention or self._detected()

    def dated(self, rel: str) -> float | None:
        """The date a file states, or its own time, Unix seconds; one in the future as it is. None where no file is known."""
        known = self._files.get(rel)
        return known.effective if known is not None else None

    @property
    def entries(self) -> tuple[MemoryEntry, ...]:
        """All memories: active before historical, then newest ``modified`` first, then by slug.

        For active ones that is the order of the effective score at any ``now``: score and tier only fall with age.
        The tuple is the same object until something changes.
        """
        entries = self._order.ready
        if entries is None:
            with self._lock:
                entries = self._order.entries()
        return entries

    @property
    def shapes(self) -> tuple[int, int]:
        """How many live files hold their type nested under ``metadata``, and how many flat."""
        return self._order.nested, self._order.flat

    @property
    def index_data(self) -> bytes | None:
        """The bytes of ``MEMORY.md``; None if it is missing or cannot be read."""
        return self._index.data

    @property
    def index_text(self) -> str:
        """``MEMORY.md`` as text; empty if there is none. Bytes that are not UTF-8 survive as lone surrogates."""
        with self._lock:
            if self._index_text is None:
                from memtui.memory.index.editing import decode_index  # noqa: PLC0415 – twice what it takes to list a directory

                self._index_text = decode_index(self._index.data)
            return self._index_text

    @property
    def index_problem(self) -> Problem | None:
        """Why ``MEMORY.md`` cannot be read, if that is so."""
        return self._index.problem

    @property
    def unsettled(self) -> bool:
        """Whether some file looked half written or gone, and another look soon will tell."""
        return bool(self._torn_since or self._gone_once)

    def get(self, slug: str) -> MemoryEntry | None:
        """The memory of that slug; the live one where an archive in ``.memtui/history/`` has the same."""
        return self.get_rel(f"{slug}.md") or self.get_rel(f"{HISTORY_PREFIX}{slug}.md")

    def get_rel(self, rel: str) -> MemoryEntry | None:
        """The memory in that file, e.g. ``sub/a.md`` or ``.memtui/history/a_v1.md``."""
        known = self._files.get(rel)
        return known.entry if known else None

    def take_changes(self) -> Changes:
        """What became different since the last call, as one step; what came and went between is not named."""
        with self._lock:
            return self._log.take(self.get_rel, (self._index.data, self._index.problem))

    # -- looking ---------------------------------------------------------------------------------------------------

    def refresh(self, hints: Iterable[str] | None = None, *, settle: float = 0.0) -> None:
        """Look again, and read what differs.

        Args:
            hints: paths below the folder to look at, whatever they are; those are read even where the stamp is the
                same. None looks at every file's stamp, and reads only those that differ.
            settle: seconds for which a file that looks half written keeps its last good view, while a file that is
                gone stays until it is gone at two looks. 0 believes the first look.

        Raises:
            Unreadable: the folder is there but cannot be listed. What was known stays.
        """
        with self._lock:
            at = _Look(self._clock(), self._wall(), settle, [])
            wanted = None if hints is None else self._files_among(hints, settle)
            try:
                if wanted is None or not self._look_at(wanted, at):
                    self._look_everywhere(at)
            finally:
                self._order.place(at.moves, self._clock())
            if self._detect:
                self._convention = self._detected()
                self._detect = self.shapes == (0, 0) or self._unseen.passing

    def complete(self, *, files: bool = True, shut: bool = False) -> bool:
        """Look again at what the last look could not see, for whoever would be wrong without it.

        A file or folder that nobody here may look into, or that is no text, counts as seen: it is what it is.

        Args:
            files: whether files matter, and not only what folders hold.
            shut: whether folders matter, too, that nobody here may look into.

        Returns:
            Whether something is seen now that was not before.

        Raises:
            Unreadable: something is still not seen that may well be there.
        """
        unseen = self._unseen
        with self._lock:
            before = len(unseen.files) + len(unseen.folders)
            self._look_at_unseen()
            unseen.refuse(files=files, shut=shut)
            return len(unseen.files) + len(unseen.folders) < before

    def _look_at_unseen(self) -> None:
        if self._unseen:
            self.refresh(None if self._unseen.folders else tuple(self._unseen.files))

    def may_be_there(self, rel: str) -> bool:
        """Whether a file that is not among the `entries` may be one, in a folder that nobody here may look into."""
        return any(rel.startswith(f"{folder}/") for folder in self._unseen.folders)

    def ages(self) -> dict[str, float]:
        """The effective times of the memories in force, Unix seconds, by file; of one that was not read, now.

        Nobody knows how old that is, and an index over its limit must not lose its line for that.
        """
        unread, now = self._unseen.files, self._clock()
        return {e.rel: now if e.rel in unread else e.modified for e in self.entries if e.is_active}

    def refuse_to_guess(self) -> None:
        """See that the habits it follows were read off its files, if it has any.

        Raises:
            Unreadable: it has, and none of those could be read.
        """
        if self._detect and self._unseen:
            self._look_at_unseen()
            if self.shapes == (0, 0):
                self._unseen.refuse()

    def _detected(self) -> Convention:
        nested, flat = self.shapes
        shapes = chain(repeat(True, nested), repeat(False, flat))
        return detect(Path(self.folder.real_path()), shapes)

    def _files_among(self, hints: Iterable[str], settle: float) -> set[str] | None:
        """The files to look at because of these paths; None if a folder came or went with what it holds."""
        # Whoever does not wait for files to settle asks about the named ones only.
        files = self._torn_since.keys() | self._gone_once if settle > 0 else set()
        for rel in hints:
            kind = kind_of(rel)
            if kind == "other" and (self._order.any_below(rel) or self._is_folder(rel)):
                return None
            if kind in {"memory", "index"}:
                files.add(rel)
        return files

    def _is_folder(self, rel: str) -> bool:
        try:
            stamp = self.folder.stamp(rel) if rel else None
        except Unreadable:
            return True
        return rel == "" or (stamp is not None and S_ISDIR(stamp.mode))

    def _look_at(self, rels: set[str], at: _Look) -> bool:
        """Read these files; False where that does not tell and everything has to be looked at."""
        if self.missing:
            return False
        if not rels:
            return True
        try:
            self.folder.fresh_root()
        except OSError:
            return False
        with collector_waits(len(rels)):
            for rel in rels:
                self._look_again(rel, at)
        # What is called x.md may be a folder, and bring files along.
        return not any(
            known and known.stamp and S_ISDIR(known.stamp.mode) for move in at.moves for known in move
        )

    def _look_everywhere(self, at: _Look) -> None:
        self._unseen.folders.clear()
        seen = dict(self.folder.walk_again(self._files, skipped=self._unseen.skip))
        seen.update(self._archives())
        files = self._files
        todo = [
            rel
            for rel, stamp in seen.items()
            if ((known := files.get(rel)) is None or known.stamp != stamp) and kind_of(rel) == "memory"
        ]
        if self._index.stamp != seen.get(INDEX_NAME):
            todo.append(INDEX_NAME)
        again = self._racy | self._torn_since.keys() | self._gone_once | (files.keys() - seen.keys())
        again |= self._unseen.files.keys()
        again.difference_update(todo)
        with collector_waits(len(todo)):
            for rel in chain(todo, again):
                self._look_again(rel, at, seen.get(rel))
        self.missing = not files and not self.folder.exists()
        self.occupied = self.missing and self.folder.is_other()

    def _archives(self) -> list[tuple[str, Stamp | None]]:
        try:
            return list(self.folder.walk_again(self._files, history=True, skipped=self._unseen.skip))
        except Unreadable as error:
            self._unseen.skip(HISTORY_FOLDER, error)
            # Somebody else's ``.memtui/`` may hide old versions; the memories are there all the same.
            known = ((rel, known.stamp) for rel, known in self._files.items() if known.entry.aside)
            return [(rel, stamp) for rel, stamp in known if stamp]

    def _look_again(self, rel: str, at: _Look, seen: Stamp | None = None) -> None:
        if rel == INDEX_NAME:
            self._look_at_index(at)
            return
        old = self._files.get(rel)
        new = look(self.folder, rel, self._clock, old, seen)
        if old is not None or new is None:
            torn = old is not None and new is not None and is_torn(new.entry) and not is_torn(old.entry)
            if not self._believe(rel, at, had=old is not None, gone=new is None, torn=torn):
                return
        self._note_age(rel, new.stamp if new else None, at.wall)
        self._unseen.note(rel, new.entry.problems if new else ())
        if new is None:
            self._files.pop(rel, None)
        else:
            self._files[rel] = new
        if (old.entry if old else None) is (new.entry if new else None):
            return
        self._log.note(rel, old.entry if old else None)
        at.moves.append(Move(old, new))

    def _look_at_index(self, at: _Look) -> None:
        old = self._index
        try:
            image = self.folder.read(INDEX_NAME)
            new = _Index(image.stamp, image.data)
        except FileNotFoundError:
            new = _Index()
        except Unreadable as error:
            new = _Index(self._stamp_or_none(INDEX_NAME), None, problem_of(error))
        unstable = new.problem is not None and new.problem.code == "unstable"
        torn = bool(old.data) and (unstable or new.data == b"")
        gone = new.data is None and new.problem is None
        if not self._believe(INDEX_NAME, at, had=bool(old.data), gone=gone, torn=torn):
            return
        self._note_age(INDEX_NAME, new.stamp, at.wall)
        self._unseen.note(INDEX_NAME, (new.problem,) if new.problem else ())
        self._index = new
        if new.data != old.data:
            self._index_text = None

    def _stamp_or_none(self, rel: str) -> Stamp | None:
        try:
            return self.folder.stamp(rel)
        except Unreadable:
            return None

    def _believe(self, rel: str, at: _Look, *, had: bool, gone: bool, torn: bool) -> bool:
        """Whether what a look found is taken for the truth, or waits for another one (reliability §1)."""
        if not gone:
            self._gone_once.discard(rel)
        elif had and at.settle > 0 and rel not in self._gone_once:
            self._gone_once.add(rel)
            return False
        if torn and 0 <= at.now - self._torn_since.setdefault(rel, at.now) < at.settle:
            return False
        self._gone_once.discard(rel)
        self._torn_since.pop(rel, None)
        return True

    def _note_age(self, rel: str, stamp: Stamp | None, wall: int) -> None:
        if stamp is not None and stamp.ctime_ns > wall - _RACY_NS:
            self._racy.add(rel)
        else:
            self._racy.discard(rel)
