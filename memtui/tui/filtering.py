"""Filter and order of the list: pure functions from entries and a query to rows; ``filter_query`` understands what is typed."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import compress, repeat
from typing import NamedTuple

from memtui.memory.decay import activation_tier
from memtui.memory.relevance.searchable import fold, searchable
from memtui.memory.relevance.signs import Bit, Signs, bits_of, is_whole_answer
from memtui.memory.types import MemoryEntry
from memtui.tui.filter_query import EVERYTHING, Condition, Query, parse_query

NO_FLAGS: frozenset[str] = frozenset()
NEVER_USED: Mapping[str, float] = {}

_SAME_TIERS_SECONDS = 60.0
_SIGNED_AT_ONCE = 50
"""Memories whose signs are made while somebody waits (ours): some milliseconds, and what changes is mostly one."""
_KEPT_RESULTS = 8
"""Results that are kept: whoever takes letters back sees again what was there."""


def matches(entry: MemoryEntry, haystack: str, query: Query, flags: frozenset[str], now: float) -> bool:
    """Whether an entry passes a query.

    Args:
        entry: the memory.
        haystack: its ``searchable`` text, see ``Catalogue``.
        query: what is asked.
        flags: what the findings say of it, values of ``FLAGS``.
        now: Unix seconds, for tiers.
    """
    return (
        all(word in haystack for word in query.words)
        and not any(word in haystack for word in query.without)
        and all(_holds(entry, condition, flags, now) for condition in query.conditions)
    )


def _holds(entry: MemoryEntry, condition: Condition, flags: frozenset[str], now: float) -> bool:
    if condition.key == "is":
        found = not condition.values.isdisjoint(flags)
        if not entry.is_active and "historical" in condition.values:
            found = True
    else:
        if condition.key == "type":
            value = entry.memory_type.value if entry.memory_type else "unknown"
        elif condition.key == "tier":
            value = activation_tier(entry.modified, now).name.lower()
        else:
            value = entry.scope
        found = value in condition.values
    return found != condition.negated


class Sort(NamedTuple):
    """One order of the list.

    Attributes:
        id: stable name.
        title: as shown, "by score".
        key: what is compared; None for the store's own order, which is by score, and for the last use, which no entry
            tells and the catalogue knows.
    """

    id: str
    title: str
    key: Callable[[MemoryEntry], object] | None


SORTS = (
    Sort("score", "score", None),
    Sort("age", "age", lambda entry: -entry.modified),
    Sort("name", "name", lambda entry: fold(entry.name)),
    Sort("type", "type", lambda entry: entry.memory_type.value if entry.memory_type else "~"),
    Sort("size", "size", lambda entry: -entry.size),
    Sort("used", "last used", None),
)
"""Orders that ``s`` goes through; old versions always come last."""


class View(NamedTuple):
    """What of a snapshot the list shows.

    Attributes:
        text: the filter as typed.
        sort: index into ``SORTS``.
        reverse: whether the order is turned round.
        history: whether old versions are listed too.
    """

    text: str = ""
    sort: int = 0
    reverse: bool = False
    history: bool = False


class _Folded:
    """One memory, ready to be looked through.

    Attributes:
        entry: the memory.
        text: its ``searchable`` text.
        place: where its sign stands; None until that is made.
    """

    __slots__ = ("entry", "place", "text")

    def __init__(self, entry: MemoryEntry, text: bytes) -> None:
        self.entry = entry
        self.text = text
        self.place: int | None = None


class _Pool(NamedTuple):
    """Memories in order, and beside each what it is looked through by.

    Attributes:
        entries: the memories.
        texts: their folded texts.
        places: where their signs stand; None while some are not made.
        starts: where in each text the word begins that was looked for last, or before that.
    """

    entries: Sequence[MemoryEntry]
    texts: Sequence[bytes]
    places: Sequence[int] | None
    starts: Sequence[int]

    def where(self, kept: Collection[object]) -> _Pool:
        """Those that are kept; the same pool where all are."""
        if all(kept):
            return self
        return _Pool(
            tuple(compress(self.entries, kept)),
            list(compress(self.texts, kept)),
            None if self.places is None else list(compress(self.places, kept)),
            array("i", compress(self.starts, kept)),
        )

    def anew(self) -> _Pool:
        """The same, to look for a word from the texts' beginnings."""
        return self._replace(starts=_beginnings(len(self.entries)))

    def holding(self, word: bytes) -> _Pool:
        """Those in which a word stands, looked for from where it may begin."""
        # `map` asks without a step of Python each.
        found = array("i", map(bytes.find, self.texts, repeat(word), self.starts))
        return self._replace(starts=found).where([start >= 0 for start in found])


class _Last(NamedTuple):
    """One of the last results, to narrow further.

    Attributes:
        query: what was asked.
        view: filter and order.
        now: when, Unix seconds.
        pool: what passed.
        word: the word whose beginnings the pool knows.
    """

    query: Query
    view: View
    now: float
    pool: _Pool
    word: bytes


def _beginnings(count: int) -> array[int]:
    return array("i", bytes(4 * count))


def _packed(text: str) -> bytes:
    """A text as UTF-8, in which a word stands if and only if it stands in the text."""
    return text.encode("utf-8", "surrogatepass")


class Catalogue:
    """The entries of one snapshot, ready to be filtered at every keystroke.

    Folded texts are made ahead (`fold_ahead`) or at the first word typed, and kept for entries that did not change; they
    are kept as UTF-8, which one Chinese word in an English text does not make twice as large. The order is kept until
    entries or sort change; a query that only narrows one of the last looks at its result only.
    """

    def __init__(self) -> None:
        self._entries: Sequence[MemoryEntry] = ()
        self._active = 0
        self._flags: Mapping[str, frozenset[str]] = {}
        self._used: Mapping[str, float] = {}
        self._folded: dict[tuple[str, bool], _Folded] = {}
        self._signs = Signs()
        self._ordered: dict[tuple[int, bool], tuple[MemoryEntry, ...]] = {}
        self._pools: dict[tuple[int, bool, bool], _Pool] = {}
        self._ahead: Sequence[MemoryEntry] = ()
        self._last: list[_Last] = []

    def update(
        self,
        entries: Sequence[MemoryEntry],
        flags: Mapping[str, frozenset[str]],
        used: Mapping[str, float] = NEVER_USED,
    ) -> None:
        """Take the entries of a new snapshot.

        Args:
            entries: in the store's order, active ones first.
            flags: what the findings say, by ``MemoryEntry.rel``.
            used: when each was last used, Unix seconds, by ``MemoryEntry.rel``; those never used are left out.
        """
        self._flags = flags
        self._last.clear()
        if used is not self._used:
            self._used = used
            self._ordered.clear()
            self._pools.clear()
        if entries is self._entries:
            return
        self._entries = entries
        self._active = bisect_left(entries, True, key=lambda entry: not entry.is_active)
        self._ordered.clear()
        self._pools.clear()
        if max(len(self._folded), len(self._signs)) > 2 * len(
            entries
        ):  # what left is kept until it is as much
            old, self._signs = self._folded, Signs()
            self._folded = {
                key: _Folded(entry, held.text)  # another one, for a thread may be giving the old one a place
                for entry in entries
                if (held := old.get(key := (entry.slug, entry.aside))) and held.entry is entry
            }

    def fold_ahead(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Make the folded texts before a word is typed, then their signs.

        For another thread: whoever needs a text meanwhile makes it, and does without signs.

        Args:
            go_on: asked before each sign; it may keep its thread waiting.
        """
        entries = self._entries
        if entries is self._ahead:
            return
        for folded in [self._fold(entry) for entry in entries]:
            if not go_on():
                return
            if folded.place is None:
                folded.place = self._signs.add(folded.text)
        self._ahead = entries
        self._pools = {}  # those made meanwhile have no signs

    def rows(self, view: View, now: float) -> tuple[MemoryEntry, ...]:
        """What the list shows, in order.

        Args:
            view: filter and order.
            now: Unix seconds, for tiers.
        """
        query = parse_query(view.text)
        history = view.history or query.asks_history
        if query.is_empty:
            order = self._order(view)
            return order if history else order[: self._active]
        last = next((last for last in reversed(self._last) if _narrows(query, view, now, last)), None)
        if last is not None:
            pool = last.pool
        else:
            pool = self._pool(view, history=history)
            for condition in query.conditions:
                flags = self._flags
                pool = pool.where(
                    [_holds(e, condition, flags.get(e.rel, NO_FLAGS), now) for e in pool.entries]
                )
        # What the last result was narrowed by holds for all of it.
        held, looked_for = (last.query, last.word) if last is not None else (EVERYTHING, b"")
        passed = {bit for word in held.words for bit in bits_of(_packed(word))}
        for word in map(_packed, (w for w in query.words if w not in held.words)):
            pool = self._holding(pool if word.startswith(looked_for) else pool.anew(), word, passed)
            looked_for = word
        for word in map(_packed, (w for w in query.without if w not in held.without)):
            holding = {*map(id, self._holding(pool.anew(), word).entries)}
            pool = pool.where([id(entry) not in holding for entry in pool.entries])
        if last is None or query != last.query:
            self._last = [*self._last[1 - _KEPT_RESULTS :], _Last(query, view, now, pool, looked_for)]
        return tuple(pool.entries)

    def _holding(self, pool: _Pool, word: bytes, passed: Collection[Bit] = ()) -> _Pool:
        """Those of a pool in which a word stands; it is looked for where its letters meet.

        Args:
            pool: where to look.
            word: a folded word in UTF-8.
            passed: bits that all of the pool are known to have.
        """
        if pool.places is None:
            return pool.holding(word)
        for bit in bits_of(word):
            if bit not in passed:
                pool = pool.where(self._signs.have(bit, pool.places or ()))
        return pool if is_whole_answer(word) else pool.holding(word)

    def counts(self) -> tuple[int, int]:
        """Number of active and of historical entries."""
        return self._active, len(self._entries) - self._active

    def _order(self, view: View) -> tuple[MemoryEntry, ...]:
        key = (view.sort, view.reverse)
        if key not in self._ordered:
            sort, given = SORTS[view.sort], tuple(self._entries)
            if sort.id == "used":
                sort = sort._replace(key=lambda entry: -self._used.get(entry.rel, 0.0))
            as_given = sort.key is None and not view.reverse
            self._ordered[key] = given if as_given else ordered(given, sort, reverse=view.reverse)
        return self._ordered[key]

    def _pool(self, view: View, *, history: bool) -> _Pool:
        """The entries in order, each with its folded text."""
        key = (view.sort, view.reverse, history)
        pool = self._pools.get(key)
        if pool is None:
            order = self._order(view)
            entries = order if history else order[: self._active]
            folded = [self._fold(entry) for entry in entries]
            unsigned = [each for each in folded if each.place is None]
            if len(unsigned) <= _SIGNED_AT_ONCE:
                for each in unsigned:
                    each.place = self._signs.add(each.text)
            places = [each.place for each in folded if each.place is not None]
            pool = self._pools[key] = _Pool(
                entries,
                [each.text for each in folded],
                places if len(places) == len(folded) else None,
                _beginnings(len(folded)),
            )
        return pool

    def _fold(self, entry: MemoryEntry) -> _Folded:
        key = (entry.slug, entry.aside)
        held = self._folded.get(key)
        if held is None or held.entry is not entry:
            text = searchable(f"{entry.name}\n{entry.slug}\n{entry.description}\n{entry.content}")
            held = self._folded[key] = _Folded(entry, _packed(text))
        return held


def ordered(entries: Iterable[MemoryEntry], sort: Sort, *, reverse: bool = False) -> tuple[MemoryEntry, ...]:
    """Entries in an order; active ones before old versions, equal ones as the store has them (by score)."""
    active: list[MemoryEntry] = []
    past: list[MemoryEntry] = []
    for entry in entries:
        (active if entry.is_active else past).append(entry)
    if sort.key is not None:
        active.sort(key=sort.key)  # type: ignore[arg-type]  # each key compares with its own kind
        past.sort(key=sort.key)  # type: ignore[arg-type]
    if reverse:
        active.reverse()
        past.reverse()
    return (*active, *past)


def _narrows(query: Query, view: View, now: float, last: _Last) -> bool:
    """Whether everything that passes now has passed the last time, so that only that need be looked at."""
    return (
        (view.sort, view.reverse, view.history) == (last.view.sort, last.view.reverse, last.view.history)
        and query.conditions == last.query.conditions
        and abs(now - last.now) < _SAME_TIERS_SECONDS
        and all(any(old in new for new in query.words) for old in last.query.words)
        and set(last.query.without) <= set(query.without)
    )
