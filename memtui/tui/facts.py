"""What the findings say about each memory, gathered for the list: pure, one pass over the findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from memtui.memory.types import MemoryEntry, Severity

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
    def span(self) -> tuple[int, int] | None:
        """Where in the memory's content it was found."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about one memory beyond its own text.

    Attributes:
        worst: severity of its worst finding or reading problem; None if there is none.
        broken: number of things it names that are not there.
        flags: the words that ``is:`` of the filter knows it by.
    """

    worst: Severity | None = None
    broken: int = 0
    flags: frozenset[str] = frozenset()


NO_FACTS = Facts()


def gather(
    findings: Iterable[FindingLike],
    entries: Iterable[MemoryEntry],
    marked: frozenset[str] = frozenset(),
) -> Mapping[str, Facts]:
    """Facts by ``MemoryEntry.rel``; a memory without any is left out.

    Args:
        findings: of the whole directory.
        entries: for what was odd while reading them.
        marked: ``rel`` of those marked for bulk work.
    """
    worst: dict[str, Severity] = {}
    broken: defaultdict[str, int] = defaultdict(int)
    flags: defaultdict[str, set[str]] = defaultdict(set)

    def add(rel: str, severity: Severity) -> None:
        known = worst.get(rel)
        if known is None or severity.value < known.value:
            worst[rel] = severity
        if severity is not Severity.NOTE:
            flags[rel].add("problem")

    for finding in findings:
        add(finding.path, finding.severity)
        if finding.rule == BROKEN_RULE:
            broken[finding.path] += 1
            flags[finding.path].add("broken")
        if finding.rule in _FLAGS:
            flags[finding.path].add(_FLAGS[finding.rule])
    for entry in entries:
        for problem in entry.problems:
            add(entry.rel, problem.severity)
            if problem.severity is Severity.ERROR:
                flags[entry.rel].add("broken")
    for rel in marked:
        flags[rel].add("marked")
    return {
        rel: Facts(worst.get(rel), broken.get(rel, 0), frozenset(flags.get(rel, ())))
        for rel in worst.keys() | flags.keys()
    }


def missing_things(
    findings: Iterable[FindingLike], entries: Iterable[MemoryEntry]
) -> dict[str, tuple[str, ...]]:
    """By slug, what memories name and the project does not have, as the reminder says it.

    Args:
        findings: of the whole directory.
        entries: the memories asked for.
    """
    by_rel = {entry.rel: entry for entry in entries}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for finding in findings:
        entry = by_rel.get(finding.path)
        if finding.rule == BROKEN_RULE and finding.span is not None and entry is not None:
            found[entry.slug].append(entry.content[slice(*finding.span)])
    return {slug: tuple(things) for slug, things in found.items()}
