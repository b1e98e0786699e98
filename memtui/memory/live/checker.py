"""What there is to say about a memory while it is typed: one report for each state of its fields.

Cheap enough for every keystroke beside ten thousand memories (design §7).
The rules are those of the directory's checks, and so are their answers; what takes in the whole directory is worked
out when the directory changes, what takes in the index when a field of the index line does.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, takewhile
from pathlib import Path

from memtui.memory.checks import (
    findings_memory,  # noqa: F401  (importing a module of rules is what fills RULES)
    findings_threats,  # noqa: F401  (importing a module of rules is what fills RULES)
)
from memtui.memory.checks.claims import ProjectIndex, Verdict, extract_claims, verify_claims
from memtui.memory.checks.findings_threats import SECRET_RULE
from memtui.memory.checks.rules import RULES, Rule
from memtui.memory.conventions import MAX_ENTRYPOINT_BYTES, MAX_ENTRYPOINT_LINES
from memtui.memory.document.draft import Draft, changed, draft_of
from memtui.memory.document.drafting import checked_fields
from memtui.memory.document.links import LinkResolver, wiki_links
from memtui.memory.document.scopes import bare, in_scope, proposed_in, scope_of
from memtui.memory.document.slugs import MAX_SLUG_CHARS, check_new_slug, collision_key, propose_slug
from memtui.memory.doubles.likeness import Match
from memtui.memory.doubles.verbatim import WordForWord
from memtui.memory.errors import UsageError
from memtui.memory.index import entrypoint, rotation
from memtui.memory.index.editing import after_merge, has_entry, with_entry
from memtui.memory.live.report import (
    FieldName,
    IndexFit,
    LiveFinding,
    LiveReport,
    Matches,
    Place,
    Surroundings,
)
from memtui.memory.reminder import reminder_block
from memtui.memory.secrets.guard import find_secrets, secret_hash
from memtui.memory.types import ACTIVE, Clock, Lang, MemoryEntry, MemoryType, Scope, Severity

TEAM_SECRET = "team-secret"  # noqa: S105  -- the name of a rule
"""Rule of a secret that the team would get."""
MAX_DUPLICATES = 5
"""How many similar memories a report names (ours)."""
_SAID_ALREADY: Mapping[str, tuple[str, ...]] = {
    "description": ("missing-description",),
    "type": ("missing-type", "unknown-type"),
    "content": ("too-short",),
}
"""Rules that say the same as a field that a save would refuse."""
_OWN_ANSWER = frozenset({SECRET_RULE})
"""Rules of the directory that this report answers with more detail itself."""


class _Known:
    """What follows from a directory's entries alone."""

    def __init__(self, entries: tuple[MemoryEntry, ...]) -> None:
        self.entries = entries
        self.active = [entry for entry in entries if entry.is_active]
        self.keys = {collision_key(entry.slug): entry.slug for entry in entries if not entry.aside}
        self.ordered_keys = sorted(self.keys)
        self.ranks = {entry.slug: rank for rank, entry in enumerate(self.active, 1)}
        self.modified = {entry.rel: entry.modified for entry in self.active}

    @cached_property
    def resolver(self) -> LinkResolver:
        """Finds what a wiki link means; few drafts have one."""
        return LinkResolver(self.entries)

    def proposed(self, name: str, scope: Scope = "private") -> str:
        """A free slug of a scope for a title."""
        free = collision_key(propose_slug(name))
        stem = in_scope(free if len(free) < MAX_SLUG_CHARS // 2 else free[: MAX_SLUG_CHARS // 2], scope)
        first = bisect_left(self.ordered_keys, stem)
        near = takewhile(lambda key: key.startswith(stem), islice(self.ordered_keys, first, None))
        return proposed_in(scope, name, [self.keys[key] for key in near])

    def taken_by(self, slug: str) -> list[str]:
        """The slug that some file system would take for the same name."""
        other = self.keys.get(collision_key(slug))
        return [other] if other is not None else []


class LiveChecker:
    """Checks drafts of one memory, one state after the other. Thread-safe; one state is checked at a time."""

    def __init__(
        self,
        matches: Matches,
        *,
        editing: MemoryEntry | None,
        clock: Clock,
        lang: Lang,
        taken: int,
        project_root: Path | None = None,
        skip: Iterable[Path] = (),
        allowed: Container[str] = frozenset(),
        absorbs: Iterable[str] = (),
        monotonic: Clock = time.monotonic,
    ) -> None:
        """Prepare to check; nothing is read yet.

        Args:
            matches: finds duplicates.
            editing: the memory that is edited; None for a new one.
            clock: gives the time, Unix seconds.
            lang: language of the reminder.
            taken: how many memories go into a reminder.
            project_root: the project that memories speak of; None leaves claims unchecked.
            skip: folders of the project that are no source.
            allowed: hashes of secrets that are let through.
            absorbs: slugs of the memories that a save merges into this one, which it may well be like.
            monotonic: seconds for the budget of looking into the project.
        """
        self._matches = matches
        self._editing = editing
        self._clock = clock
        self._lang: Lang = lang
        self._taken = taken
        self._allowed = allowed
        self._absorbs = frozenset(absorbs)
        self._team_has = _secrets_in(editing, allowed)
        self._project = (
            ProjectIndex(project_root, clock=monotonic, skip=skip) if project_root is not None else None
        )
        self._project_read = project_root is None
        self._lock = threading.Lock()
        self._known = _Known(())
        self._verbatim = WordForWord()
        self._index_key: tuple[object, ...] | None = None
        self._index_fit: IndexFit | None = None

    @property
    def claims_ready(self) -> bool:
        """Whether claims can be checked at once; the first time the whole project is read, which takes its time."""
        return self._project_read

    def check(
        self, draft: Draft, around: Surroundings, *, claims: bool = True, name_it: bool = False
    ) -> LiveReport:
        """The report on one state of the draft.

        Args:
            draft: that state.
            around: the directory.
            claims: whether to look up what the text names; the first time takes as long as reading the project.
            name_it: take the slug that the name suggests; the report's draft has it.
        """
        with self._lock:
            if self._known.entries is not around.entries:
                self._known = _Known(around.entries)
            if name_it:
                draft = replace(draft, slug=self._known.proposed(draft.name, scope_of(draft.slug)))
            return self._checked(draft, around, claims=claims)

    def _checked(self, draft: Draft, around: Surroundings, *, claims: bool) -> LiveReport:
        entry = self._as_entry(draft)
        exclude = self._editing.slug if self._editing else None
        alike = (match for match in self._matches(draft.content, exclude) if match.slug not in self._absorbs)
        duplicates = tuple(islice(alike, MAX_DUPLICATES))
        left_out = self._absorbs | ({exclude} if exclude is not None else set())
        said_in = None if duplicates else self._verbatim.said(draft.content, self._known.active, left_out)
        verdicts: tuple[Verdict, ...] = ()
        if claims and self._project is not None:
            verdicts = verify_claims(extract_claims(draft.content), self._project)
            self._project_read = True
        fit = self._fit(draft, around)
        broken = tuple(verdict.claim.text for verdict in verdicts if verdict.found is False)
        refused = tuple(self._fields(draft))
        said = {rule for found in refused for rule in _SAID_ALREADY.get(found.where, ())}
        findings = [
            *refused,
            *(found for found in _by_rules(entry) if found.rule not in said),
            *self._secrets(draft),
            *(_duplicate(match) for match in duplicates),
            *(_duplicate(match, whole=True) for match in (said_in,) if match is not None),
            *(_broken(verdict) for verdict in verdicts if verdict.found is False),
            *self._links(draft),
            *_of_index(fit),
        ]
        findings.sort(
            key=lambda found: (found.severity.value, _ORDER[found.where], found.span or (-1, -1), found.rule)
        )
        return LiveReport(
            draft=draft,
            findings=tuple(findings),
            duplicates=duplicates if said_in is None else (said_in,),
            claims=verdicts,
            claims_pending=self._project is not None and not claims,
            index=fit,
            place=self._place(draft, entry, broken),
            proposed=(
                self._known.proposed(draft.name, scope_of(draft.slug))
                if self._editing is None
                else draft.slug
            ),
        )

    def _as_entry(self, draft: Draft) -> MemoryEntry:
        """The memory as it would be once saved now."""
        now = self._clock()
        return MemoryEntry(
            slug=draft.slug,
            name=" ".join(draft.name.split()) or draft.slug,
            description=" ".join(draft.description.split()),
            memory_type=MemoryType.parse(draft.type_text),
            mtime=now,
            content=draft.content,
            path=Path(f"{draft.slug}.md"),
            status=ACTIVE,
            modified=now,
            type_text=draft.type_text or None,
            scope=scope_of(draft.slug),
        )

    # --- what a save would refuse ---

    def _fields(self, draft: Draft) -> Iterator[LiveFinding]:
        """A finding for each field that a save would refuse; what was odd before the edit is left alone."""
        sample = Draft("x", "x", "x", MemoryType.USER, "x")
        for name in ("name", "description", "content", "type"):
            part = "type_text" if name == "type" else name
            if self._editing is not None and getattr(draft, part) == getattr(draft_of(self._editing), part):
                continue  # what nobody touches is not written
            tried = replace(sample, **{part: getattr(draft, part)})
            try:
                checked_fields(tried.name, tried.description, tried.type_text, tried.content)
            except UsageError as error:
                parts = {"what": error.what, "todo": error.todo, "empty": not getattr(draft, part).strip()}
                yield LiveFinding("field", Severity.ERROR, name, parts=parts)
        if self._editing is not None:
            return
        try:
            check_new_slug(draft.slug, self._known.taken_by(draft.slug))
        except UsageError as error:
            free = self._known.proposed(bare(draft.slug) or draft.name, scope_of(draft.slug))
            yield LiveFinding("slug", Severity.ERROR, "slug", parts={"what": error.what, "free": free})

    def _secrets(self, draft: Draft) -> Iterator[LiveFinding]:
        """Each secret where it stands; an error where the team would get it by a save (``secrets.team_guard``)."""
        texts: tuple[tuple[FieldName, str], ...] = (
            ("name", draft.name),
            ("description", draft.description),
            ("content", draft.content),
        )
        for name, text in texts:
            for found in find_secrets(text, allowed=self._allowed):
                parts = {"kind": found.rule, "line": found.line, "fingerprint": found.fingerprint}
                span = (found.start, found.end)
                new = secret_hash(text[found.start : found.end]) not in self._team_has
                if new and scope_of(draft.slug) == "team":
                    yield LiveFinding(TEAM_SECRET, Severity.ERROR, name, span, parts)
                else:
                    yield LiveFinding(SECRET_RULE, Severity.WARNING, name, span, parts)

    # --- the directory ---

    def _links(self, draft: Draft) -> Iterator[LiveFinding]:
        if "[[" not in draft.content:
            return
        for link in wiki_links(draft.content):
            if self._known.resolver.resolve(link.target) is None and link.target != draft.slug:
                yield LiveFinding(
                    "dangling-link", Severity.NOTE, "content", (link.start, link.end), {"target": link.target}
                )

    def _place(self, draft: Draft, entry: MemoryEntry, broken: Sequence[str]) -> Place:
        """A save brings the memory's time up to now, which puts it first."""
        known, old = self._known, self._editing
        now_rank = known.ranks.get(old.slug) if old is not None else None
        total = len(known.active) + (now_rank is None)
        if old is not None and now_rank is not None and not changed(draft, old):
            block = reminder_block(
                old, now=self._clock(), lang=self._lang, broken=broken, allowed=self._allowed
            )
            return Place(now_rank, total, self._taken, None, block)
        block = reminder_block(
            entry, now=self._clock(), lang=self._lang, broken=broken, allowed=self._allowed
        )
        others_in = now_rank is not None and now_rank <= self._taken
        out = None
        if not others_in and len(known.active) >= self._taken > 0:
            out = known.active[self._taken - 1].slug
        return Place(1, total, self._taken, out, block)

    # --- the index ---

    def _fit(self, draft: Draft, around: Surroundings) -> IndexFit:
        # Spaces that do not count in the line do not count here either, so that typing them costs nothing.
        title, hook = " ".join(draft.name.split()), " ".join(draft.description.split())
        key = (
            around.index_text,
            around.convention,
            draft.slug,
            title,
            hook,
            draft.type_text,
            id(self._known),
        )
        if key != self._index_key or self._index_fit is None:
            self._index_key = key
            self._index_fit = self._fit_of(f"{draft.slug}.md", title, hook, draft.type_text, around)
        return self._index_fit

    def _fit_of(self, rel: str, title: str, hook: str, type_text: str, around: Surroundings) -> IndexFit:
        text, convention, old = around.index_text, around.convention, self._editing
        same = old is not None and (old.name, old.description, old.type_text) == (title, hook, type_text)
        text = after_merge(text, (f"{slug}.md" for slug in sorted(self._absorbs)), rel)
        if not (same and has_entry(text, rel)):  # a save leaves a line alone that says nothing new
            text = with_entry(text, rel, title, hook, type_text, convention)
        loaded = entrypoint.load_entrypoint(text, convention.unit)
        dropped: tuple[str, ...] = ()
        if convention.rotates and loaded.bound is not None:
            modified = {**self._known.modified, rel: self._clock()}
            rotated = rotation.rotate(text, modified, convention.unit, lang=self._lang)
            dropped = rotated.dropped
            loaded = entrypoint.load_entrypoint(rotated.text, convention.unit)
        return IndexFit(
            lines=loaded.lines_total,
            max_lines=MAX_ENTRYPOINT_LINES,
            size=loaded.size,
            max_size=MAX_ENTRYPOINT_BYTES,
            unit=convention.unit,
            loaded=rel not in loaded.lost and rel not in dropped,
            dropped=dropped,
            not_loaded=len(loaded.lost),
        )


_ORDER: Mapping[FieldName, int] = {"slug": 0, "name": 1, "description": 2, "type": 3, "content": 4}


def _memory_rules() -> list[Rule]:
    return [rule for rule in RULES.values() if rule.memory is not None and rule.id not in _OWN_ANSWER]


def _by_rules(entry: MemoryEntry) -> Iterator[LiveFinding]:
    """What the directory's checks of one memory say."""
    for rule in _memory_rules():
        assert rule.memory is not None  # noqa: S101  -- chosen by that
        for hit in rule.memory(entry):
            yield LiveFinding(rule.id, rule.severity, hit.field or "content", hit.span, hit.parts)


def _secrets_in(entry: MemoryEntry | None, allowed: Container[str]) -> frozenset[str]:
    """The hashes of what a memory of the team holds already, which stands in the way of no save."""
    if entry is None or entry.scope != "team":
        return frozenset()
    texts = (entry.name, entry.description, entry.content)
    return frozenset(
        secret_hash(text[found.start : found.end])
        for text in texts
        for found in find_secrets(text, allowed=allowed)
    )


def _duplicate(match: Match, *, whole: bool = False) -> LiveFinding:
    parts: dict[str, object] = {"other": match.slug, "percent": round(100 * match.bigrams)}
    if whole:
        parts["whole"] = True
    return LiveFinding("duplicate", Severity.WARNING, "content", parts=parts)


def _broken(verdict: Verdict) -> LiveFinding:
    claim = verdict.claim
    parts = {"claim": claim.text, "kind": claim.kind}
    return LiveFinding("broken-claim", Severity.WARNING, "content", (claim.start, claim.end), parts)


def _of_index(fit: IndexFit) -> Iterator[LiveFinding]:
    if not fit.loaded:
        yield LiveFinding("index-lost", Severity.WARNING, "description", parts={"count": fit.not_loaded})
    if fit.dropped:
        parts = {"count": len(fit.dropped), "first": fit.dropped[0]}
        yield LiveFinding("index-rotates", Severity.NOTE, "description", parts=parts)
