"""What transcripts prove of each memory and each session, added up."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from memtui.claude.receipt_values import Claim, EventKind, LoadState
from memtui.claude.usage_index import Trouble, UsageIndex

_MOST_WRITERS = 20
_SAME_SAVE_SECONDS = 600.0
"""How long after a call's write the client's own word on it may follow (ours)."""


@dataclass(frozen=True, slots=True)
class Written:
    """Somebody wrote a memory.

    Attributes:
        at: Unix seconds, None where the transcript does not say.
        session: id of the session.
        agent: id of the subagent; empty for the main one.
        background: whether the client did it by itself, after the turn.
    """

    at: float | None
    session: str
    agent: str
    background: bool


@dataclass(frozen=True, slots=True)
class Usage:
    """How one memory was used.

    Attributes:
        rel: its file below the memory directory.
        loaded: sessions that were given its line of the index.
        cut: sessions, since it is known, whose index was cut before its line.
        reads: times its file was read, by a tool or because the person named it.
        recalls: times the client put it into a session by itself.
        citations: answers that cite it.
        writes: times it was written.
        first_seen: earliest time a transcript tells of it, Unix seconds.
        last_used: latest time it was read, recalled or cited, Unix seconds; None for never.
        last_loaded: latest time its line was loaded, Unix seconds; None for never.
        last_session: the session of ``last_used``.
        written_by: who wrote it, newest first, at most 20.
    """

    rel: str
    loaded: int = 0
    cut: int = 0
    reads: int = 0
    recalls: int = 0
    citations: int = 0
    writes: int = 0
    first_seen: float | None = None
    last_used: float | None = None
    last_loaded: float | None = None
    last_session: str = ""
    written_by: tuple[Written, ...] = ()

    @property
    def uses(self) -> int:
        """Reads, recalls and citations together."""
        return self.reads + self.recalls + self.citations


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a memory in a session.

    Attributes:
        kind: what was done.
        rel: its file below the memory directory.
        at: Unix seconds, None where the transcript does not say.
        agent: the subagent that did it; empty for the main one.
    """

    kind: EventKind
    rel: str
    at: float | None
    agent: str


@dataclass(frozen=True, slots=True)
class SessionReceipt:
    """What one session got of the memory directory, and did with it.

    Attributes:
        session: its id.
        store: path of the memory directory.
        state: what it got of the index; ``cut`` if any load of it was.
        started: first time seen, Unix seconds.
        last: last time seen that has to do with memories, or a prompt, Unix seconds.
        cwd: its working directory.
        version: of the client.
        loads: times the index was loaded: at the start, and after each compaction.
        loaded: the files whose line of the index was loaded, in any of the loads.
        uses: what was read, recalled, cited and written, by time.
        claims: answers that say "saved" where nothing was written.
        skipped: lines of its transcripts that could not be read.
        transcript: its own transcript.
        gone: whether that file has been deleted since.
    """

    session: str
    store: str
    state: LoadState
    started: float | None
    last: float | None
    cwd: str
    version: str
    loads: int
    loaded: frozenset[str]
    uses: tuple[Use, ...]
    claims: tuple[Claim, ...]
    skipped: int
    transcript: str
    gone: bool

    def count(self, *kinds: EventKind) -> int:
        """How many uses there were of these kinds."""
        return sum(use.kind in kinds for use in self.uses)

    def state_of(self, rel: str) -> LoadState:
        """What it got of one memory's line: ``cut`` where the index was, and the part that was loaded has it not."""
        if rel in self.loaded:
            return LoadState.WHOLE
        return LoadState.NONE if self.state is LoadState.WHOLE else self.state


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Everything that the transcripts read so far prove.

    Attributes:
        store: path of the memory directory.
        usage: by file below the directory, of every memory that some transcript tells of.
        sessions: the newest first.
        transcripts: how many were found now.
        read: bytes read this time.
        unread: bytes still to read, where the reading was broken off.
        skipped: lines that could not be read.
        trouble: what is wrong with the file that keeps all this, empty if nothing.
    """

    store: str
    usage: Mapping[str, Usage]
    sessions: tuple[SessionReceipt, ...]
    transcripts: int = 0
    read: int = 0
    unread: int = 0
    skipped: int = 0
    trouble: Trouble = ""
    _cuts: tuple[tuple[float, frozenset[str]], ...] = field(default=(), repr=False)

    @property
    def knows(self) -> bool:
        """Whether any session tells what it loaded."""
        return any(session.state is not LoadState.UNKNOWN for session in self.sessions)

    def session(self, start: str) -> SessionReceipt | None:
        """The session whose id begins so; None if there is none, or more than one."""
        found = [session for session in self.sessions if session.session.startswith(start)]
        exact = [session for session in found if session.session == start]
        return (exact or found)[0] if len(exact or found) == 1 else None

    def of(self, rel: str, since: float | None = None) -> Usage:
        """The use of one memory.

        Args:
            rel: its file below the memory directory.
            since: a time at which it was there already, such as when it was last changed, Unix seconds: sessions from
                then on whose index was cut before its line count as ``cut``. No transcript tells that by itself.
        """
        known = self.usage.get(rel) or Usage(rel)
        times = [time for time in (since, known.first_seen) if time is not None]
        if not times:
            return known
        first = min(times)
        return replace(known, cut=sum(at >= first and rel not in loaded for at, loaded in self._cuts))


_FILES = """SELECT id, path, session, agent, started, last, cwd, version, tells, skipped FROM files WHERE store = ?
    ORDER BY session, agent, path"""
_RECEIPTS = "SELECT file, at, cut, loaded FROM receipts WHERE store = ?"
_INDEXES = "SELECT id, rels FROM indexes WHERE id IN (SELECT loaded FROM receipts WHERE store = ?)"
_EVENTS = "SELECT file, kind, rel, at FROM events WHERE store = ? ORDER BY ifnull(at, 0)"
_CLAIMS = """SELECT file, line, claims.at FROM claims JOIN files ON files.id = claims.file WHERE store = ?
    ORDER BY file, line"""


def build_report(index: UsageIndex, store: str, there: set[str]) -> UsageReport:
    """Add up what is known. Values come from a file that others may have touched: a wrong kind counts as nothing."""
    files: dict[Any, tuple[Any, ...]] = {row[0]: row for row in index.rows(_FILES, store)}
    indexes = {number: frozenset(json.loads(str(rels))) for number, rels in index.rows(_INDEXES, store)}
    receipts: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in index.rows(_RECEIPTS, store):
        if row[0] in files:
            receipts[files[row[0]][2]].append(row)
    events: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in index.rows(_EVENTS, store):
        if row[0] in files:
            events[files[row[0]][2]].append(row)
    claims: dict[Any, list[tuple[Any, ...]]] = defaultdict(list)
    for row in index.rows(_CLAIMS, store):
        claims[row[0]].append(row)

    tally = _Tally()
    sessions: list[SessionReceipt] = []
    for session, group in groupby(files.values(), key=lambda row: row[2]):
        rows = list(group)
        tally.session(session, receipts[session], events[session], indexes, files)
        made = _session(store, session, rows, receipts[session], events[session], indexes, claims, there)
        if made is not None:
            sessions.append(made)
    sessions.sort(key=lambda receipt: -(receipt.started or 0.0))
    report = UsageReport(
        store=store,
        usage={},
        sessions=tuple(sessions),
        skipped=sum(row[9] for row in files.values()),
        trouble=index.trouble,
        _cuts=tuple(tally.cuts),
    )
    usage = {rel: entry.made(rel, tally.loads.get(rel, 0)) for rel, entry in tally.entries.items()}
    report = replace(report, usage=usage)
    return replace(report, usage={rel: report.of(rel) for rel in sorted(usage)})


def _session(
    store: str,
    session: str,
    rows: list[tuple[Any, ...]],
    receipts: list[tuple[Any, ...]],
    events: list[tuple[Any, ...]],
    indexes: Mapping[Any, frozenset[str]],
    claims: Mapping[Any, list[tuple[Any, ...]]],
    there: set[str],
) -> SessionReceipt | None:
    main = [row for row in rows if not row[3]] or rows
    numbers = {row[0] for row in main}
    own = [receipt for receipt in receipts if receipt[0] in numbers]
    started = _least(row[4] for row in rows)
    if started is None and not receipts and not events:
        return None
    if own:
        state = LoadState.CUT if any(cut for _, _, cut, _ in own) else LoadState.WHOLE
    else:
        state = LoadState.NONE if any(row[8] for row in main) else LoadState.UNKNOWN
    agents = {row[0]: row[3] for row in rows}
    return SessionReceipt(
        session=session,
        store=store,
        state=state,
        started=started,
        last=_most(row[5] for row in rows),
        cwd=main[0][6],
        version=main[0][7],
        loads=len(own),
        loaded=_union(indexes.get(loaded, frozenset()) for _, _, _, loaded in own),
        uses=tuple(Use(kind, rel, at, agents[file]) for file, kind, rel, at in _without_doubles(events)),
        claims=tuple(Claim(at, line, row[3]) for row in rows for _, line, at in claims.get(row[0], ())),
        skipped=sum(row[9] for row in rows),
        transcript=main[0][1],
        gone=main[0][1] not in there,
    )


@dataclass(slots=True)
class _Entry:
    """One memory while it is being counted."""

    counts: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    last_used: float | None = None
    last_loaded: float | None = None
    last_session: str = ""
    writers: list[Written] = field(default_factory=list)

    def made(self, rel: str, loaded: int) -> Usage:
        writers = sorted(self.writers, key=lambda writer: -(writer.at or 0.0))
        return Usage(
            rel=rel,
            loaded=loaded,
            reads=self.counts["read"],
            recalls=self.counts["recalled"],
            citations=self.counts["cited"],
            writes=len(writers),
            first_seen=min(self.times, default=None),
            last_used=self.last_used,
            last_loaded=self.last_loaded,
            last_session=self.last_session,
            written_by=tuple(writers[:_MOST_WRITERS]),
        )


@dataclass(slots=True)
class _Tally:
    """Counts over all sessions."""

    entries: defaultdict[str, _Entry] = field(default_factory=lambda: defaultdict(_Entry))
    loads: Counter[str] = field(default_factory=Counter)
    cuts: list[tuple[float, frozenset[str]]] = field(default_factory=list)

    def session(
        self,
        session: str,
        receipts: list[tuple[Any, ...]],
        events: list[tuple[Any, ...]],
        indexes: Mapping[Any, frozenset[str]],
        files: Mapping[Any, tuple[Any, ...]],
    ) -> None:
        loaded: set[str] = set()
        cut_at: float | None = None
        for _, at, cut, number in receipts:
            rels = indexes.get(number, frozenset())
            loaded |= rels
            if cut and at is not None:
                cut_at = at if cut_at is None else min(cut_at, at)
            for rel in rels:
                entry = self.entries[rel]
                if at is not None:
                    entry.times.append(at)
                    entry.last_loaded = max(at, entry.last_loaded or at)
        self.loads.update(loaded)
        if cut_at is not None:
            self.cuts.append((cut_at, _union(indexes.get(row[3], frozenset()) for row in receipts)))
        for number, kind, rel, at in _without_doubles(events):
            entry = self.entries[rel]
            if at is not None:
                entry.times.append(at)
            if kind in ("written", "saved"):
                entry.writers.append(Written(at, session, files[number][3], kind == "saved"))
                continue
            entry.counts[kind] += 1
            if at is not None and (entry.last_used is None or at >= entry.last_used):
                entry.last_used, entry.last_session = at, session


def _without_doubles(events: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Events of a session, by time, without what the client says of writes that stand there as calls too."""
    written: dict[str, float] = {}
    kept = []
    for event in events:
        _, kind, rel, at = event
        if kind == "written" and at is not None:
            written[rel] = at
        elif (
            kind == "saved" and at is not None and at - written.get(rel, float("-inf")) <= _SAME_SAVE_SECONDS
        ):
            continue
        kept.append(event)
    return kept


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    """All of them together; the set itself where there is one, so that sessions share it."""
    different = set(sets)
    return different.pop() if len(different) == 1 else frozenset().union(*different)


def _least(times: Iterable[float | None]) -> float | None:
    return min((time for time in times if time is not None), default=None)


def _most(times: Iterable[float | None]) -> float | None:
    return max((time for time in times if time is not None), default=None)
