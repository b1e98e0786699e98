"""Which store of a project that is gone may be this project's, under its old name or place (needs 4)."""

from __future__ import annotations

import configparser
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

from memtui.claude.evidence import working_directories
from memtui.claude.foreign import head_of
from memtui.claude.paths import project_slug
from memtui.claude.store_summary import StoreSummary, memories_of
from memtui.claude.stores import ClientState
from memtui.memory.checks.claims import ProjectIndex, extract_claims, verify_claims
from memtui.memory.types import Clock

ReasonCode = Literal["remote", "sessions", "files", "name", "alike", "place"]
_WEIGHTS: Mapping[ReasonCode, int] = {
    "remote": 8,
    "sessions": 8,
    "files": 4,
    "name": 3,
    "alike": 2,
    "place": 1,
}
_ENOUGH = 3
_ENOUGH_UNKNOWN = 4
"""The same for a store that nothing says the project of (ours): its name alone is no reason, for any folder may have it."""
_BESIDE = 10_000
"""Most folders beside a project whose stores are known to be theirs (ours)."""
_MEMORIES = 200
_FEW_CLAIMS = 3
_MOST = 0.6
_LONG_WORD = 4
"""Letters from which a word in two folders' names says something (ours): ``api`` and ``web`` stand in many."""
_MAX_CONFIG_BYTES = 1 << 20
_GITHUB = re.compile(r"github\.com[:/](?P<name>[^/\s]+/[^/\s]+?)(?:\.git)?/?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a store may be this project's.

    Attributes:
        code: ``remote``, the client knew the old directory as a checkout of the same repository; ``sessions``, a session
            went on in the other place; ``files``, what the memories name is here; ``name``, the directories have the same
            name; ``alike``, their names share a longer word; ``place``, they stand side by side.
        parts: what a sentence about it names.
    """

    code: ReasonCode
    parts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AdoptionCandidate:
    """A store that may be adopted.

    Attributes:
        summary: of the store.
        reasons: why, strongest first.
    """

    summary: StoreSummary
    reasons: tuple[Reason, ...]

    @property
    def weight(self) -> int:
        """How much speaks for it."""
        return sum(_WEIGHTS[reason.code] for reason in self.reasons)


def adoption_candidates(
    project: Path,
    summaries: Iterable[StoreSummary],
    *,
    state: ClientState,
    transcripts: Path | None,
    now: float,
    monotonic: Clock,
) -> tuple[AdoptionCandidate, ...]:
    """Stores whose project is gone and that resemble a project, the most likely first.

    Args:
        project: the project's main checkout.
        summaries: of the stores there are.
        state: what the client knows about projects.
        transcripts: the folder of this project's transcripts, if there is one.
        now: Unix seconds.
        monotonic: seconds for the budget of looking into the project.
    """
    gone = left_over(project, summaries)
    if not gone:
        return ()
    here = working_directories(transcripts, "") if transcripts is not None else ()
    remote = github_name(project)
    files = ProjectIndex(project, clock=monotonic)
    found = [
        AdoptionCandidate(summary, tuple(_reasons(project, summary, state, remote, here, files, now)))
        for summary in gone
    ]
    likely = [
        candidate
        for candidate in found
        if candidate.weight >= (_ENOUGH if candidate.summary.project is not None else _ENOUGH_UNKNOWN)
    ]
    return tuple(
        sorted(likely, key=lambda c: (-c.weight, -(c.summary.last_change or 0.0), c.summary.store.slug))
    )


def left_over(project: Path, summaries: Iterable[StoreSummary]) -> list[StoreSummary]:
    """Stores with memories whose project is gone, or which nothing says the project of: no transcript, no list.

    Args:
        project: the one that looks for its old store; its own store and those of the folders beside it are left out.
        summaries: of the stores there are.

    Returns:
        Those whose project stood beside this one first, then the latest changed.
    """
    found = [s for s in summaries if s.active and s.store.kind == "project"]
    unknown = [s for s in found if s.project is None]
    alive = _slugs_beside(project) if unknown else frozenset()
    left = [
        s for s in found if "project-gone" in s.problems or (s.project is None and s.store.slug not in alive)
    ]
    return sorted(
        left,
        key=lambda s: (
            s.project is None or s.project.parent != project.parent,
            -(s.last_change or 0.0),
            s.store.slug,
        ),
    )


def _slugs_beside(project: Path) -> frozenset[str]:
    try:
        with os.scandir(project.parent) as entries:
            beside = [entry.path for entry in islice(entries, _BESIDE)]
    except OSError:
        beside = []
    return frozenset(map(project_slug, (str(project), str(project.parent), *beside)))


def _reasons(
    project: Path,
    summary: StoreSummary,
    state: ClientState,
    remote: str | None,
    here: tuple[Path, ...],
    files: ProjectIndex,
    now: float,
) -> Iterable[Reason]:
    old, slug = summary.project, summary.store.slug
    if old is not None:
        if remote is not None and old in state.repositories.get(remote, ()):
            yield Reason("remote", {"repository": remote})
        there = working_directories(summary.store.transcripts, "")
        if old in here or project in there:
            yield Reason("sessions")
    claims = [
        claim
        for entry in islice(memories_of(summary.store, now=now), _MEMORIES)
        for claim in extract_claims(entry.content)
        if claim.kind == "path"
    ]
    known = [verdict.found for verdict in verify_claims(claims, files) if verdict.found is not None]
    if len(known) >= _FEW_CLAIMS and sum(known) >= _MOST * len(known):
        yield Reason("files", {"found": sum(known), "named": len(known)})
    # Of a store that nothing says the project of, its name is the old path, with a hyphen for all but letters and digits.
    named_alike = (
        _plain(slug).endswith(f"-{_plain(project_slug(project.name))}")
        if old is None
        else _plain(old.name) == _plain(project.name)
    )
    if named_alike:
        yield Reason("name", {"name": project.name})
    elif old is not None and (shared := _long_words(old.name) & _long_words(project.name)):
        yield Reason("alike", {"name": old.name, "word": max(shared, key=lambda word: (len(word), word))})
    if old is not None and old.parent == project.parent:
        yield Reason("place", {"folder": str(project.parent)})


def _long_words(name: str) -> frozenset[str]:
    return frozenset(word for word in _plain(name).split("-") if len(word) >= _LONG_WORD)


def _plain(name: str) -> str:
    return re.sub(r"[-_.\s]+", "-", name.casefold())


def github_name(project: Path) -> str | None:
    """``owner/name``, in lower case, of the repository on GitHub that a checkout's ``origin`` names; git is not run."""
    text = (head_of(project / ".git" / "config", _MAX_CONFIG_BYTES) or b"").decode("utf-8", "replace")
    try:
        config = configparser.RawConfigParser(strict=False, allow_no_value=True, delimiters=("=",))
        config.read_string("\n".join(line.strip() for line in text.splitlines()))
        url = config.get('remote "origin"', "url", fallback=None)
    except configparser.Error:
        return None
    found = _GITHUB.search(url or "")
    return found["name"].lower() if found else None
