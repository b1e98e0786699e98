"""Moving and copying memories between one's own and the team's, within one directory; old versions, links and index follow.

Planned first and shown, then carried out as one change that one undo takes back. The secret guard looks at it when it is
carried out, like at any other change; what it would stop is in the plan, so that nobody has to try.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memtui.memory.conventions import HISTORY_FOLDER
from memtui.memory.disk.files import FileImage
from memtui.memory.document import drafting, frontmatter, links
from memtui.memory.document.frontmatter import FrontmatterError
from memtui.memory.document.scopes import bare, in_scope, proposed_in, scope_of
from memtui.memory.document.slugs import check_new_slug, collision_key
from memtui.memory.errors import UsageError
from memtui.memory.index.editing import crossed
from memtui.memory.index.lines import Form, parse_index
from memtui.memory.managing.plans import Plan
from memtui.memory.saving.records import Edit
from memtui.memory.secrets.team_guard import Leak, entering
from memtui.memory.types import MemoryEntry, Scope
from memtui.memory.versions.history import Family, last_numbers
from memtui.memory.wording.labels import names
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.memory.managing.foreseeing import Foreseeing
    from memtui.memory.managing.planner import Planner

ScopeVerb = Literal["move", "copy"]


@dataclass(frozen=True, slots=True)
class Crossing:
    """One memory on its way to the other scope.

    Attributes:
        slug: what it is called.
        new_slug: what it will be called.
        versions: how many old versions go along.
        leads_private: of a memory for the team, the private memories it links to, which nobody else has.
    """

    slug: str
    new_slug: str
    versions: int
    leads_private: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScopePlan:
    """A move or a copy between scopes that has not been made.

    Attributes:
        verb: which.
        scope: where they go.
        crossings: the memories.
        plan: what is written; ``MemoryManager.carry_out`` does it.
        linking: other memories whose links follow.
        leaks: secrets that the team would get, for which it will be refused.
    """

    verb: ScopeVerb
    scope: Scope
    crossings: tuple[Crossing, ...]
    plan: Plan
    linking: tuple[str, ...]
    leaks: tuple[Leak, ...]

    @property
    def label(self) -> str:
        """One line for a person; the journal's."""
        return self.plan.label

    @property
    def slugs(self) -> tuple[str, ...]:
        """The memories, as they are called before and then after."""
        return self.plan.slugs

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Everything that would be written; nothing while a secret stands in the way."""
        return () if self.leaks else self.plan.edits


def plan_scope(
    manager: Foreseeing,
    slugs: Sequence[str],
    scope: Scope,
    *,
    verb: ScopeVerb = "move",
    new_slugs: Mapping[str, str] | None = None,
) -> ScopePlan:
    """What it would do to move or copy memories to a scope; those that are there already are left out.

    Args:
        manager: of the directory.
        slugs: which.
        scope: where they go.
        verb: ``move`` or ``copy``.
        new_slugs: for some of them, what they are to be called there, with or without ``team/``.

    Raises:
        UsageError: one is not there, is an old version or a link, all are there already, or a slug is taken or not
            allowed.
        Conflict: a file is gone.
        Unreadable: a file cannot be read.
    """
    manager.directory.complete(shut=True)
    entries = [manager.active(slug) for slug in dict.fromkeys(slugs)]
    entries = [entry for entry in entries if entry.scope != scope]
    if not entries:
        raise UsageError(
            "this is the team's already" if scope == "team" else "this is private already",
            where=slugs[0] if slugs else "",
        )
    moved = _places(manager.entries(), entries, scope, new_slugs or {})
    changing = _Changing(manager.planner, manager.entries(), moved, verb)
    edits, crossings = changing.files(entries)
    linking: tuple[str, ...] = ()
    if verb == "move":
        following = list(manager.planner.repointed(moved, skip=moved))
        edits += following
        linking = tuple(edit.rel.removesuffix(".md") for edit in following)
    leaving = {edit.rel for edit in edits if edit.after is None}
    edits += manager.planner.index_edit(lambda text: changing.lines(text, entries), gone=leaving)
    named = names(tuple(moved))
    label = {
        ("move", "team"): f"give {named} to the team",
        ("move", "private"): f"make {named} private",
        ("copy", "team"): f"give the team a copy of {named}",
        ("copy", "private"): f"make a private copy of {named}",
    }[verb, scope]
    plan = Plan(label, (*moved, *moved.values()), tuple(edits))
    return ScopePlan(verb, scope, crossings, plan, linking, entering(edits, manager.allowed_secrets))


def _places(
    known: Sequence[MemoryEntry], entries: Sequence[MemoryEntry], scope: Scope, new_slugs: Mapping[str, str]
) -> dict[str, str]:
    """The slug that each memory gets."""
    taken = {collision_key(entry.slug): entry.slug for entry in known if not entry.aside}
    places: dict[str, str] = {}
    for entry in entries:
        wanted = in_scope(new_slugs.get(entry.slug, entry.slug), scope)
        if entry.slug in new_slugs:
            check_new_slug(wanted)
        held = taken.get(collision_key(wanted))
        if held is not None:
            free = bare(proposed_in(scope, bare(wanted).rpartition("/")[2], taken.values()))
            raise UsageError(
                Say("there is a memory {slug!r} already", slug=held),
                where=entry.slug,
                todo=Say("Give it another slug, such as {free!r}", free=free),
            )
        places[entry.slug] = wanted
        taken[collision_key(wanted)] = wanted
    return places


class _Changing:
    def __init__(
        self, planner: Planner, known: Sequence[MemoryEntry], moved: Mapping[str, str], verb: ScopeVerb
    ) -> None:
        self._planner = planner
        self._moved = moved
        self._moves = verb == "move"
        self._resolver = links.LinkResolver(known)
        self._family = Family(known)
        self._numbers = last_numbers(entry.slug for entry in known)
        self._after: dict[str, bytes] = {}

    def files(self, entries: Iterable[MemoryEntry]) -> tuple[list[Edit], tuple[Crossing, ...]]:
        """The edits of the memories and their old versions."""
        edits: list[Edit] = []
        crossings: list[Crossing] = []
        for entry in entries:
            new = self._moved[entry.slug]
            image = self._planner.existing(entry.rel)
            after = self._after[entry.slug] = self._text(entry, image)
            edits.append(Edit(f"{new}.md", None, after, mtime_ns=image.stamp.mtime_ns, mode=image.stamp.mode))
            if self._moves:
                edits.append(Edit(entry.rel, image.data, None))
            old = self._family.old(entry.slug)
            first = self._numbers.get(new, 0) + 1
            for number, version in enumerate(old, first):
                edits += self._version(version, new, number)
            crossings.append(Crossing(entry.slug, new, len(old), self._leads_private(entry)))
        return edits, tuple(crossings)

    def _text(self, entry: MemoryEntry, image: FileImage) -> bytes:
        """A memory as it stands in the other scope: with its name if that was its slug, links to those beside it, a date."""
        new, data = self._moved[entry.slug], image.data
        document = frontmatter.read(data)
        try:
            if document.name in {entry.slug, bare(entry.slug)} and bare(new) != bare(entry.slug):
                data = frontmatter.edit(data, name=bare(new))
            data = frontmatter.edit(data, body=links.repoint(document.body, self._resolver, self._moved))
        except FrontmatterError:
            pass  # what cannot be edited safely arrives as it is
        return self._planner.dated(new, data, entry.modified)

    def _version(self, version: MemoryEntry, new: str, number: int) -> list[Edit]:
        image = self._planner.existing(version.rel)
        text, says_so = drafting.archived_text(image.data, new)
        rel = self._planner.directory.convention.archive_rel(new, number)
        if not says_so:
            rel = f"{HISTORY_FOLDER}/{new}_v{number}.md"
        made = Edit(rel, None, text, "archive", mtime_ns=image.stamp.mtime_ns, mode=image.stamp.mode)
        return [made, Edit(version.rel, image.data, None)] if self._moves else [made]

    def _leads_private(self, entry: MemoryEntry) -> tuple[str, ...]:
        if entry.scope == "team":
            return ()
        targets = (self._resolver.resolve(link.target) for link in links.wiki_links(entry.content))
        return tuple(
            dict.fromkeys(
                slug for slug in targets if slug and scope_of(self._moved.get(slug, slug)) == "private"
            )
        )

    def lines(self, text: str, entries: Iterable[MemoryEntry]) -> str:
        """The index: lines follow a move, a copy gets a line with the same words."""
        for entry in entries:
            new = f"{self._moved[entry.slug]}.md"
            if self._moves:
                text = crossed(text, entry.rel, new)
                continue
            words = _words_of(text, entry)
            kind = entry.type_text or ""
            text = self._planner.with_line(text, new, *words, kind)
        return text


def _words_of(text: str, entry: MemoryEntry) -> tuple[str, str]:
    """Title and description of a memory as its line in the index has them, else as its header does."""
    for line in parse_index(text).naming(entry.rel):
        subject = line.subject
        if subject is not None and subject.form is Form.LIST and subject.link.names(entry.rel):
            return subject.title, subject.description
    return entry.name, entry.description
