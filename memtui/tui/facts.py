"""What the findings say about each memory, gathered for the list: one pass over the findings of a check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from memtui.memory.types import MemoryEntry, Severity

if TYPE_CHECKING:
    from memtui.memory.checks.findings import Finding
    from memtui.snapshot import Snapshot

BROKEN_RULE = "broken-claim"
"""The rule about things that a memory names and that are not there."""
_FLAGS = {
    "stale": "stale",
    "duplicate": "duplicate",
    "sync-copy": "duplicate",
    "orphan": "orphan",
    "secret": "secret",
    "unreviewed": "unreviewed",
}


UNLISTED_RULE = "unlisted"
"""The rule about all memories that the index leaves out on purpose; its finding names them."""
_UNLISTED = frozenset({"orphan", "only-through-link"})


class FindingLike(Protocol):
    """What of a finding is needed here."""

    @property
    def rule(self) -> str:
        """Name of the rule."""

    @property
    def severity(self) -> Severity:
        """How bad it is."""

    @property
    def path(self) -> str:
        """The file it is about, relative to the memory directory."""

    @property
    def line(self) -> int | None:
        """1-based line of that file, or None."""

    @property
    def message(self) -> str:
        """What was found."""

    @property
    def names(self) -> tuple[str, ...]:
        """Slugs of the memories it is about, where it is about many."""

    @property
    def span(self) -> tuple[int, int] | None:
        """Where in the memory's content it was found."""


class Facts(NamedTuple):
    """What is known about one memory beyond its own text.

    Attributes:
        worst: severity of its worst finding or reading problem; None if there is none.
        broken: number of things it names that are not there.
        flags: the words that ``is:`` of the filter knows it by.
        used: when transcripts say it was last used, Unix seconds; None for never, or where that is not known.
    """

    worst: Severity | None = None
    broken: int = 0
    flags: frozenset[str] = frozenset()
    used: float | None = None


NO_FACTS = Facts()
FindingT = TypeVar("FindingT", bound=FindingLike)


class _Indexed(NamedTuple):
    """The findings of one check, taken apart once: ten thousand are too many for every key and every change."""

    findings: object
    by_path: Mapping[str, tuple[Any, ...]]
    facts: Mapping[str, Facts]


_last = _Indexed((), {}, {})


def _indexed(findings: Iterable[FindingLike]) -> _Indexed:
    global _last  # noqa: PLW0603  -- one slot: the findings that are shown; the check makes new ones, never other ones
    known = _last
    if known.findings is findings:
        return known
    grouped: defaultdict[str, list[FindingLike]] = defaultdict(list)
    for finding in findings:
        grouped[finding.path].append(finding)
    one_of_a_kind: dict[Facts, Facts] = {}
    facts: dict[str, Facts] = {}
    for rel, own in grouped.items():
        made = _facts_of(own)
        facts[rel] = one_of_a_kind.setdefault(made, made)
    for finding in (each for own in grouped.values() for each in own if each.rule == UNLISTED_RULE):
        for rel in (f"{slug}.md" for slug in finding.names):
            known_of = facts.get(rel, NO_FACTS)
            made = known_of._replace(flags=known_of.flags | {"unlisted"})
            facts[rel] = one_of_a_kind.setdefault(made, made)
    made_now = _Indexed(findings, {rel: tuple(own) for rel, own in grouped.items()}, facts)
    if isinstance(findings, tuple):
        _last = made_now
    return made_now


def by_path(findings: Iterable[FindingT]) -> Mapping[str, tuple[FindingT, ...]]:
    """The findings about each file, in their order. Of the tuple asked about last the answer is kept."""
    return _indexed(findings).by_path


def doubles_of(rel: str, findings: Iterable[Finding]) -> frozenset[str]:
    """Slugs of the memories that say the same as one, as the check that is shown found them."""
    return frozenset(each.double for each in by_path(findings).get(rel, ()) if each.double)


def _facts_of(findings: Iterable[FindingLike]) -> Facts:
    """What the findings about one memory say."""
    worst: Severity | None = None
    broken = 0
    flags: set[str] = set()
    for finding in findings:
        worst = _worse(worst, finding.severity)
        if finding.severity is not Severity.NOTE:
            flags.add("problem")
        if finding.rule == BROKEN_RULE:
            broken += 1
            flags.add("broken")
        if finding.rule in _FLAGS:
            flags.add(_FLAGS[finding.rule])
        if finding.rule in _UNLISTED:
            flags.add("unlisted")
    return Facts(worst, broken, frozenset(flags))


def _worse(one: Severity | None, other: Severity) -> Severity:
    return other if one is None or other.value < one.value else one


def _with_problems(facts: Facts, entry: MemoryEntry) -> Facts:
    worst, flags = facts.worst, set(facts.flags)
    for problem in entry.problems:
        worst = _worse(worst, problem.severity)
        if problem.severity is not Severity.NOTE:
            flags.add("problem")
        if problem.severity is Severity.ERROR:
            flags.add("broken")
    return Facts(worst, facts.broken, frozenset(flags), facts.used)


def with_use(
    known: Mapping[str, Facts], entries: Iterable[MemoryEntry], used: Mapping[str, float]
) -> Mapping[str, Facts]:
    """Facts that say too when a memory in force was last used, or that it never was.

    Args:
        known: facts by ``MemoryEntry.rel``.
        entries: all memories.
        used: when each was last used, Unix seconds; those never used are left out.
    """
    facts = dict(known)
    unused: dict[int, Facts] = {}  # by identity: few are different, and ten thousand hashes would be felt
    for entry in entries:
        if not entry.is_active:
            continue
        rel = entry.rel
        found, when = known.get(rel, NO_FACTS), used.get(rel)
        if when is not None:
            facts[rel] = found._replace(used=when)
            continue
        made = unused.get(id(found))
        if made is None:
            made = unused[id(found)] = found._replace(flags=found.flags | {"unused"})
        facts[rel] = made
    return facts


def gather(
    findings: Iterable[FindingLike],
    entries: Iterable[MemoryEntry],
    marked: frozenset[str] = frozenset(),
) -> Mapping[str, Facts]:
    """Facts by ``MemoryEntry.rel``; a memory without any is left out.

    Not to be changed by whoever asks: while no memory was odd to read and none is marked, it is the same object for the
    same findings.

    Args:
        findings: of the whole directory.
        entries: for what was odd while reading them.
        marked: ``rel`` of those marked for bulk work.
    """
    known = _indexed(findings).facts
    odd = [entry for entry in entries if entry.problems]
    if not odd and not marked:
        return known
    facts = dict(known)
    for entry in odd:
        facts[entry.rel] = _with_problems(facts.get(entry.rel, NO_FACTS), entry)
    for rel in marked:
        found = facts.get(rel, NO_FACTS)
        facts[rel] = found._replace(flags=found.flags | {"marked"})
    return facts


def unloaded(snapshot: Snapshot) -> frozenset[str]:
    """``MemoryEntry.rel`` of the memories in force that no line of the index tells a session of.

    Their line stands behind the cut, or there is none. Where a convention needs no index and there is none, it is none
    of them.
    """
    if not snapshot.index.exists and snapshot.convention.unit == "bytes":
        return frozenset()
    from memtui.memory.index.entrypoint import load_entrypoint  # noqa: PLC0415 – loaded behind the first paint
    from memtui.memory.index.lines import parse_index  # noqa: PLC0415 – as above

    loaded = load_entrypoint(snapshot.index_text, snapshot.convention.unit)
    root = f"{str(snapshot.directory).rstrip('/')}/"
    told = {
        name.removeprefix(root)
        for entry in parse_index(loaded.text).entries
        for name in entry.link.candidates
    }
    return frozenset(e.rel for e in snapshot.entries if e.is_active and e.is_readable and e.rel not in told)


def missing_things(
    findings: Iterable[FindingLike], entries: Iterable[MemoryEntry]
) -> dict[str, tuple[str, ...]]:
    """By slug, what memories name and the project does not have, as the reminder says it.

    Args:
        findings: of the whole directory.
        entries: the memories asked for.
    """
    known = by_path(findings)
    found: defaultdict[str, list[str]] = defaultdict(list)
    for entry in entries:
        for finding in known.get(entry.rel, ()):
            if finding.rule == BROKEN_RULE and finding.span is not None:
                found[entry.slug].append(entry.content[slice(*finding.span)])
    return {slug: tuple(things) for slug, things in found.items()}
