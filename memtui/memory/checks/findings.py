"""Every check over a memory directory: what is wrong, why it matters, and the fix where there is a mechanical one.

``Checker`` keeps the findings up to date at the cost of what changed. The rules themselves are in ``findings_memory``,
``findings_threats``, ``findings_index`` and ``findings_between``; ``rules`` says how to add one.
"""

from __future__ import annotations

import time
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from memtui.memory.breathing import Breathe, no_pause
from memtui.memory.checks import findings_between, findings_index, findings_memory, findings_threats
from memtui.memory.checks.claims import ProjectIndex
from memtui.memory.checks.findings_threats import SECRET_RULE
from memtui.memory.checks.findings_view import CopyName, Facts, View, copy_name, facts_of
from memtui.memory.checks.fix_files import Fix
from memtui.memory.checks.rules import RULES, Field, Hit, PlaceCheck, Rule, Scope, put_in_order
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.directory.changes import Changes
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import Unreadable
from memtui.memory.document.headers import field_line
from memtui.memory.document.links import LinkResolver
from memtui.memory.doubles.dedup import Pair, PairKind, active_texts
from memtui.memory.doubles.dupindex import DuplicateIndex
from memtui.memory.doubles.shared import SharedDuplicates
from memtui.memory.text import one_line, visible
from memtui.memory.types import Clock, Lang, MemoryEntry, Problem, Severity
from memtui.memory.wording.findings_catalogue import FieldWording, RuleWording
from memtui.memory.wording.findings_en import FIELDS_EN, RULES_EN
from memtui.memory.wording.findings_zh import FIELDS_ZH, RULES_ZH
from memtui.memory.wording.problems import problem_message

__all__ = ["RULES", "Checker", "Finding", "Fix", "rule_wording"]

# Importing a module of rules fills RULES, and another may have imported one of them before.
put_in_order(
    [room.__name__ for room in (findings_between, findings_index, findings_memory, findings_threats)]
)

DAY = 86_400
_OTHER_KINDS: tuple[PairKind, ...] = ("numbers", "title")
_WORDS: dict[Lang, dict[str, RuleWording]] = {"en": RULES_EN, "zh": RULES_ZH}
_FIELDS: dict[Lang, FieldWording] = {"en": FIELDS_EN, "zh": FIELDS_ZH}
_SHOWN_CHARS = 160
_BY_MEMORY = [(rule, rule.memory) for rule in RULES.values() if rule.memory is not None]
_UNREADABLE = [(rule, check) for rule, check in _BY_MEMORY if rule.id == "unreadable"]
_BY_PLACE: dict[Scope, list[tuple[Rule, PlaceCheck]]] = {
    scope: [(rule, rule.place) for rule in RULES.values() if rule.place is not None and rule.scope == scope]
    for scope in ("place", "project", "directory")
}
_HAVE_TEXT = frozenset({"unclosed-header"})  # what cannot be read as a memory, but is text all the same


DUPLICATE = "duplicate"
"""The rule about two memories that say the same."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    Attributes:
        rule: id of the rule, see ``RULES``.
        severity: how much it matters.
        slug: the memory it is about; None for the index.
        path: the file it is in, relative to the memory directory.
        line: 1-based line of that file; None if it is about the whole.
        span: first and one past the last character in the memory's ``content``; None if it is about the whole, or
            about the index.
        message: what was found, one sentence, safe to show.
        why: why it matters and what to do.
        fix: the remedy, None where a person has to judge.
        names: slugs of the memories it is about, where it is about many.
        double: slug of the memory that says the same, where it is about that; empty elsewhere.
    """

    rule: str
    severity: Severity
    slug: str | None
    path: str
    line: int | None
    span: tuple[int, int] | None
    message: str
    why: str
    fix: Fix | None
    names: tuple[str, ...] = ()
    double: str = ""


def rule_wording(rule_id: str, lang: Lang) -> RuleWording:
    """Title, reason and sentences of a rule."""
    return _WORDS[lang][rule_id]


@dataclass(slots=True)
class _Known:
    """One memory in force and what was found in it."""

    entry: MemoryEntry
    facts: Facts
    own: tuple[Finding, ...] = ()
    place: tuple[Finding, ...] = ()
    listing: tuple[Finding, ...] = ()
    project: tuple[Finding, ...] = ()

    @property
    def identity(self) -> tuple[object, ...]:
        """What other memories' and the index's findings depend on; places in the text are not among it."""
        entry = self.entry
        targets = tuple(link.target for link in self.facts.wiki)
        return entry.name, entry.description, entry.type_text, self.facts.files, targets


class _Title(NamedTuple):
    """What a memory is called, made when it is compared."""

    entry: MemoryEntry

    @property
    def content(self) -> str:
        """Its title, as ``active_texts`` has it."""
        return active_texts((self.entry,), "title").get(self.entry.slug, "")


class Checker:
    """Runs every rule over a directory and keeps the answers for as long as they hold.

    Not to be used by two threads at once, except for its ``duplicates``.

    Args:
        directory: refreshed by its owner before each ``update``.
        project_root: the project that the memories speak of; None leaves their claims unchecked.
        clock: Unix seconds.
        lang: language of messages.
        monotonic: seconds for the budget of looking into the project.
        breathe: called between one memory and the next.
        allowed: fingerprints of secrets that the person lets through.

    Attributes:
        duplicates: which memories say the same; may be asked by any thread.
    """

    def __init__(
        self,
        directory: Directory,
        *,
        project_root: Path | None = None,
        clock: Clock = time.time,
        lang: Lang = "en",
        monotonic: Clock = time.monotonic,
        breathe: Breathe = no_pause,
        allowed: Container[str] = frozenset(),
    ) -> None:
        self._allowed = allowed
        self._breathe = breathe
        self.directory = directory
        self.project_root = project_root
        self.clock = clock
        self.lang = lang
        self._monotonic = monotonic
        self._project: ProjectIndex | None = None
        self._known: dict[str, _Known] = {}
        self._shared: dict[Scope, tuple[Finding, ...]] = {}
        self._copies: dict[str, CopyName] = {}
        self._announced: float | None = None
        self.duplicates = SharedDuplicates(directory)
        self._doubles = {kind: DuplicateIndex(kind=kind) for kind in _OTHER_KINDS}
        self._resolver: LinkResolver | None = None
        self._linked: frozenset[str] | None = None
        self._index: tuple[bytes | None, Problem | None] = (None, None)
        self._day = -1
        self._started = False

    def update(self, changes: Changes | None = None) -> tuple[Finding, ...]:
        """The findings as of now, worst first, then by file and line.

        Args:
            changes: what the store saw change; None checks everything anew, the project included. Which memories
                changed is taken from the directory itself, so what ``changes`` leaves out is not missed.
        """
        now = self.clock()
        everything = changes is None or not self._started
        if everything:
            self._project = self._look_at_project()
        view = self._view(now)
        touched, gone, moved, aged = self._take_in(view)
        if moved:
            self._resolver = self._linked = None
        index = (self.directory.index_data, self.directory.index_problem)
        index_changed = index != self._index
        self._index = index
        new_day = int(now // DAY) != self._day
        self._day = int(now // DAY)
        for rel in self._known if everything or moved or new_day else touched | aged:
            self._known[rel].place = self._of_entry(view, rel, "place")
        for rel in self._known if everything else touched:
            self._known[rel].project = self._of_entry(view, rel, "project")
        whole = everything or moved or index_changed
        if whole:
            self._shared["directory"] = self._of_directory(view, "directory")
        # A rotation notice speaks for the memories older than those listed, so that there ages matter.
        before, self._announced = self._announced, view.announced_before
        for rel in self._known if whole or before != self._announced else touched | aged:
            self._known[rel].listing = self._of_entry(view, rel, "directory")
        if everything or touched or gone:
            self._shared["texts"] = self._of_directory(view, "texts")
        self._started = True
        return self._sorted()

    def _look_at_project(self) -> ProjectIndex | None:
        if self.project_root is None:
            return None
        # A memory's own words about a symbol are no proof of it: the directory may lie inside the project.
        return ProjectIndex(self.project_root, clock=self._monotonic, skip=[self.directory.root])

    def _view(self, now: float) -> View:
        entries = {entry.rel: entry for entry in self.directory.entries if entry.is_active}
        return View(
            self.directory,
            entries,
            self._copies,
            lambda rel: self._known[rel].facts,
            self._pairs,
            lambda: self._links(entries),
            self._linked_of,
            project=self._project,
            now=now,
            lang=self.lang,
        )

    def _links(self, entries: Mapping[str, MemoryEntry]) -> LinkResolver:
        if self._resolver is None:
            self._resolver = LinkResolver(entries.values())
        return self._resolver

    def _linked_of(self, view: View) -> frozenset[str]:
        if self._linked is None:
            self._linked = frozenset(
                other for rel in view.entries for other in view.leads_to(rel) if other != rel
            )
        return self._linked

    def _pairs(self) -> tuple[Pair, ...]:
        others = (pair for doubles in self._doubles.values() for pair in doubles.pairs(self._breathe))
        return (*self.duplicates.pairs(self._breathe), *others)

    def _take_in(self, view: View) -> tuple[set[str], set[str], bool, set[str]]:
        """Bring what is known of each memory in line with the directory.

        Returns:
            Files whose bytes changed, files that left, whether a name or a link changed, and files with another age.
        """
        gone = self._known.keys() - view.entries.keys()
        for rel in gone:
            slug = self._known.pop(rel).entry.slug
            self._copies.pop(rel, None)
            for doubles in self._doubles.values():
                doubles.remove(slug)
        touched: set[str] = set()
        aged: set[str] = set()
        moved = bool(gone)
        for rel, entry in view.entries.items():
            known = self._known.get(rel)
            if known is not None and known.entry is entry:
                continue
            self._breathe()
            if known is not None and known.entry.modified != entry.modified:
                aged.add(rel)
            if known is not None and known.entry.digest == entry.digest:
                known.entry = entry
                continue
            touched.add(rel)
            if known is None and (copied := copy_name(entry.slug)):
                self._copies[rel] = copied
            read = entry.at_hand()
            new = _Known(entry, facts_of(read))
            moved = moved or known is None or known.identity != new.identity
            self._known[rel] = new
            new.own = self._of_memory(entry, read)
            self._compare(entry, read)
        return touched, gone, moved, aged

    def _compare(self, entry: MemoryEntry, read: MemoryEntry) -> None:
        for kind, doubles in self._doubles.items():
            text = active_texts((read,), kind).get(entry.slug)
            if text is None:
                doubles.remove(entry.slug)
            else:
                doubles.add(entry.slug, _Title(entry) if kind == "title" else entry)
        self.duplicates.take_in(entry)

    # -- running rules ---------------------------------------------------------------------------------------------

    def _of_memory(self, entry: MemoryEntry, read: MemoryEntry) -> tuple[Finding, ...]:
        """What is found in a memory by itself; ``read`` is the same one with its text at hand."""
        return tuple(
            self._finding(rule, hit, entry)
            for rule, check in (_BY_MEMORY if _has_text(entry) else _UNREADABLE)
            for hit in check(read)
            if rule.id != SECRET_RULE or hit.parts["fingerprint"] not in self._allowed
        )

    def _of_entry(self, view: View, rel: str, scope: Scope) -> tuple[Finding, ...]:
        self._breathe()
        entry = self._known[rel].entry
        if not _has_text(entry):
            return ()
        return tuple(
            self._finding(rule, hit, entry) for rule, check in _BY_PLACE[scope] for hit in check(entry, view)
        )

    def _of_directory(self, view: View, scope: Scope) -> tuple[Finding, ...]:
        return tuple(
            self._finding(rule, hit, entry)
            for rule in RULES.values()
            if rule.directory is not None and rule.scope == scope
            for hit in rule.directory(view)
            if (entry := view.entries.get(hit.rel)) is None or _has_text(entry)
        )

    def _finding(self, rule: Rule, hit: Hit, entry: MemoryEntry | None) -> Finding:
        words = rule_wording(rule.id, self.lang)
        line = hit.line
        if hit.field is not None and entry is not None:
            line = self._line_of(hit.field, entry)
        elif line is None and hit.span is not None and entry is not None:
            line = entry.body_line + entry.content.count("\n", 0, hit.span[0])
        parts = {"line": line, **{name: _shown(part) for name, part in hit.parts.items()}}
        if "problem" in hit.parts:
            said_of_it = problem_message(str(hit.parts["code"]), str(hit.parts["problem"]), self.lang)
            parts["problem"] = _shown(said_of_it)
        message = words.filled(parts)
        said = _FIELDS[self.lang]
        if hit.field is not None and hit.field in said.names:
            message = said.message.format(message=message, field=said.names[hit.field])
        return Finding(
            rule=rule.id,
            severity=rule.severity,
            slug=entry.slug if entry else None,
            path=hit.rel or (entry.rel if entry else INDEX_NAME),
            line=line,
            span=hit.span,
            message=message,
            why=words.why,
            fix=Fix(words.fix, hit.plan) if hit.plan else None,
            names=hit.names,
            double=str(hit.parts["other"]) if rule.id == DUPLICATE else "",
        )

    def _line_of(self, field: Field, entry: MemoryEntry) -> int:
        """The line of the file that a field comes from; 1 if that cannot be told any more."""
        try:
            image = self.directory.folder.read(entry.rel)
        except (FileNotFoundError, Unreadable):
            return 1
        return (field_line(image.data, field) if image.digest == entry.digest else None) or 1

    def _sorted(self) -> tuple[Finding, ...]:
        found: list[Finding] = []
        for known in self._known.values():
            found += known.own
            found += known.place
            found += known.listing
            found += known.project
        for shared in self._shared.values():
            found += shared
        # By rule, since the value of an enum's member takes as long as all the rest.
        order = {rule.id: (rule.severity.value, number) for number, rule in enumerate(RULES.values())}

        def rank(finding: Finding) -> tuple[int, bool, str, int, int]:
            severity, number = order[finding.rule]
            return severity, finding.path != INDEX_NAME, finding.path, finding.line or 0, number

        found.sort(key=rank)
        return tuple(found)


def _has_text(entry: MemoryEntry) -> bool:
    """Whether there is a text to find anything in; of a folder or a device all there is to say is that."""
    return entry.is_readable or any(problem.code in _HAVE_TEXT for problem in entry.problems)


def _shown(part: object) -> object:
    """A part of a message: text of files is made visible, put on one line and kept short."""
    if not isinstance(part, str):
        return part
    text = visible(one_line(part))
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
