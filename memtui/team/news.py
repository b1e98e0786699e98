"""What is new after a sync, for whoever watches: each thing once, not at every sync."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memtui.memory.errors import MemtuiError
from memtui.team.results import SyncReport, TeamStatus

NewsKind = Literal[
    "shared",
    "waits",
    "arrived",
    "applied",
    "clash",
    "held",
    "blocked",
    "squashed",
    "rewritten",
    "failed",
    "reached",
]
"""``shared``: the remote took it; ``waits``: it could not be reached, so what was changed here waits; ``reached``: it
works again; ``failed``: an error that was not there before."""


@dataclass(frozen=True, slots=True)
class News:
    """One thing that is new.

    Attributes:
        kind: what it is.
        slugs: the memories it is about; may be empty.
        error: what went wrong, for ``failed`` and ``waits``.
    """

    kind: NewsKind
    slugs: tuple[str, ...] = ()
    error: MemtuiError | None = None


def news_of(before: TeamStatus | None, report: SyncReport) -> tuple[News, ...]:
    """What a sync brought.

    Args:
        before: how things stood before; None at the first sync, when all that waits is new.
        report: what it did.
    """
    now = report.status
    old = before if before is not None else TeamStatus(configured=True)
    was, error = old.last_error, now.last_error
    found: list[News] = []
    if error is None and was is not None:
        found.append(News("reached"))
    if report.pushed:
        found.append(News("shared", _slugs(report.committed)))
    elif report.offline and report.committed:
        found.append(News("waits", _slugs(report.committed)))
    lists: tuple[tuple[NewsKind, Iterable[str]], ...] = (
        ("applied", report.applied),
        ("arrived", _new([(e.rel, e.oid) for e in now.arrivals], [(e.rel, e.oid) for e in old.arrivals])),
        ("clash", (e.rel for e in report.clashes)),
        ("held", _new([(e.rel, e.oid) for e in now.held], [(e.rel, e.oid) for e in old.held])),
        (
            "blocked",
            _new(
                [(e.rel, e.fingerprint) for e in now.blocked], [(e.rel, e.fingerprint) for e in old.blocked]
            ),
        ),
    )
    found += [News(kind, slugs) for kind, rels in lists if (slugs := _slugs(rels))]
    if report.squashed:
        found.append(News("squashed"))
    if report.rewritten:
        found.append(News("rewritten"))
    if error is not None and (was is None or (was.code, was.detail) != (error.code, error.detail)):
        found.append(News("failed", (), error))
    return tuple(found)


def _new(now: Iterable[tuple[str, str]], before: Iterable[tuple[str, str]]) -> Iterable[str]:
    known = set(before)
    return (rel for rel, what in now if (rel, what) not in known)


def _slugs(rels: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"team/{rel.removesuffix('.md')}" for rel in rels))
