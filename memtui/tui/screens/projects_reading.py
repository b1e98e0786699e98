"""What the projects screen has read for it in threads: the stores, what is in each, and a search through all."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from memtui.claude.adoption import AdoptionCandidate
    from memtui.claude.store_search import StoreHit
    from memtui.claude.store_summary import StoreSummary
    from memtui.claude.stores import Store
    from memtui.tui.machine import Machine

_READERS = 3
"""Stores that are read at a time, so that a large one does not keep the others waiting."""
_MOST_HITS = 1_000
_BATCH = 25


@dataclass
class StoresListed(Message):
    """The stores have been found."""

    stores: tuple[Store, ...]


@dataclass
class SummaryRead(Message):
    """A store has been read."""

    summary: StoreSummary


@dataclass
class CandidatesFound(Message):
    """Stores that may be the open project's old one."""

    candidates: tuple[AdoptionCandidate, ...]


@dataclass
class HitsFound(Message):
    """Some memories were found.

    Attributes:
        query: what was looked for.
        hits: all so far.
        done: whether the search is over.
    """

    query: str
    hits: tuple[StoreHit, ...]
    done: bool


class StoreReading:
    """Reads stores, and posts what it finds; every method runs in a thread of the screen's.

    Attributes:
        stop: set once nobody waits any more.
    """

    def __init__(self, machine: Machine, post: Callable[[Message], object]) -> None:
        """Prepare; nothing is read yet.

        Args:
            machine: where the stores are.
            post: takes the messages.
        """
        self.stop = threading.Event()
        self._machine = machine
        self._post = post

    def list_stores(self) -> None:
        """Find the stores, then say what is in each, then which may be the project's old one."""
        stores = self._machine.stores()
        self._post(StoresListed(stores))
        waiting = deque(stores)
        read: list[StoreSummary] = []
        threads = [
            threading.Thread(target=self._read_stores, args=(waiting, read), daemon=True)
            for _ in range(min(_READERS, len(stores)))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not self.stop.is_set():
            self._post(CandidatesFound(self._machine.candidates(read)))

    def _read_stores(self, waiting: deque[Store], read: list[StoreSummary]) -> None:
        while not self.stop.is_set():
            try:
                store = waiting.popleft()
            except IndexError:
                return
            summary = self._machine.summary(store, self.stop.is_set)
            if not self.stop.is_set():
                read.append(summary)
                self._post(SummaryRead(summary))

    def look_for(self, query: str, stores: Sequence[Store], stop: threading.Event) -> None:
        """Find the memories of all stores that fit a query.

        Args:
            query: what was typed.
            stores: where to look, in this order.
            stop: set once something else is looked for.
        """
        hits: list[StoreHit] = []
        for hit in self._machine.search(stores, query, stop.is_set):
            hits.append(hit)
            if len(hits) >= _MOST_HITS:
                break
            if len(hits) % _BATCH == 1:
                self._post(HitsFound(query, tuple(hits), done=False))
        if not stop.is_set():
            self._post(HitsFound(query, tuple(hits), done=True))
