"""One duplicate index of a directory for everybody: the checks, the saves, and whoever types a draft meanwhile."""

from __future__ import annotations

import threading

from memtui.memory.breathing import Breathe, no_pause
from memtui.memory.directory.scan import Directory
from memtui.memory.doubles.dupindex import DuplicateIndex
from memtui.memory.doubles.likeness import Match, Pair
from memtui.memory.types import MemoryEntry


class SharedDuplicates:
    """The contents of a directory's active memories, compared; follows the directory by itself. Thread-safe.

    A question about one text is answered while all pairs are being worked out, which takes seconds in a large
    directory; only taking in what changed waits for that.
    """

    def __init__(self, directory: Directory) -> None:
        """Prepare the index; nothing is compared yet.

        Args:
            directory: refreshed by its owner.
        """
        self._directory = directory
        self._index = DuplicateIndex("content")
        self._held: dict[str, MemoryEntry] = {}
        self._seen: tuple[MemoryEntry, ...] | None = None
        self._changing = threading.Lock()  # held by whoever takes texts in, and while pairs are worked out
        self._asking = threading.Lock()  # held for one question, or while one text is taken in

    def best(self, content: str, exclude: str | None = None) -> Match | None:
        """The active memory most like a text, the slug ``exclude`` left out; None if none is a duplicate."""
        self._follow()
        with self._asking:
            return self._index.best(content, exclude)

    def matches(
        self, content: str, exclude: str | None = None, limit: int | None = None, *, wait: bool = True
    ) -> tuple[Match, ...]:
        """The duplicates of a text, most similar first, at most ``limit``.

        Args:
            content: the text.
            exclude: slug to leave out.
            limit: how many at most; None for all.
            wait: whether to wait, while others work, for what changed to be taken in; if not, the answer may be that
                of a moment ago.
        """
        self._follow(wait=wait)
        with self._asking:
            return self._index.matches(content, limit, exclude=exclude)

    def pairs(self, breathe: Breathe = no_pause) -> tuple[Pair, ...]:
        """All pairs of duplicates, most similar first.

        Args:
            breathe: called between one text and the next; questions are answered meanwhile.
        """
        with self._changing:
            self._take_in(breathe)
            return self._index.pairs(breathe)

    def take_in(self, entry: MemoryEntry) -> None:
        """Take in an active memory whose text was just looked at, which is cheaper than later.

        Where all of the directory was taken in already it was among it, or is of a moment ago.
        """
        with self._changing:
            if self._seen is not self._directory.entries:
                with self._asking:
                    self._index.add(entry.slug, entry)
                self._held[entry.slug] = entry

    def _follow(self, *, wait: bool = True) -> None:
        if self._seen is self._directory.entries or not self._changing.acquire(blocking=wait):
            return
        try:
            self._take_in(no_pause)
        finally:
            self._changing.release()

    def _take_in(self, breathe: Breathe) -> None:
        entries = self._directory.entries
        if entries is self._seen:
            return
        wanted = {entry.slug: entry for entry in entries if entry.is_active}
        for slug in self._held.keys() - wanted.keys():
            with self._asking:
                self._index.remove(slug)
        for slug, entry in wanted.items():
            if self._held.get(slug) is not entry:
                breathe()
                with self._asking:
                    self._index.add(slug, entry)
        self._held, self._seen = wanted, entries
