"""What a change does to which file: edits planned on bytes just read. Nothing is written here.

``MemoryManager`` holds the lock while it asks for a plan, and hands the edits to the journal. What a text looks like is
decided in ``document.drafting``, what becomes of the index in ``index_edits``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from memtui.memory.conventions import HISTORY_FOLDER, OWN_FOLDER
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import FileImage, Folder, Unreadable
from memtui.memory.document import drafting, frontmatter, links
from memtui.memory.document.scopes import scope_of
from memtui.memory.document.slugs import check_new_slug
from memtui.memory.errors import Refused, UsageError
from memtui.memory.index.editing import has_entry, repoint
from memtui.memory.managing.index_edits import IndexEdits
from memtui.memory.saving.records import Edit
from memtui.memory.types import Clock, Lang, MemoryEntry, MemoryType, Severity
from memtui.memory.versions.history import next_number
from memtui.memory.wording.saying import Say


def slug_of(rel: str) -> str:
    """The slug that a path below the memory directory stands for, archives and trash included."""
    name = rel.removeprefix(f"{HISTORY_FOLDER}/").removesuffix(".md")
    return name if not name.startswith(f"{OWN_FOLDER}/") else name.rpartition("/")[2]


class Planner(IndexEdits):
    """Plans changes to one directory. Every method reads the files it is about, and only those.

    Attributes:
        team_off: what a new memory of the team is refused with now; asked when one is to be made. None where it may
            be, as it may unless a front end that knows the settings says otherwise.
    """

    def __init__(self, directory: Directory, folder: Folder, clock: Clock, lang: Lang) -> None:
        super().__init__(directory, folder, clock, lang)
        self.team_off: Callable[[], Refused | None] = lambda: None

    # -- what may be changed -----------------------------------------------------------------------------------------

    def rel_to_save(self, slug: str) -> str:
        """The path a save of ``slug`` writes.

        Raises:
            UsageError: a new slug is not allowed, or it names an old version.
            Refused: it would be a new memory of the team, and those are switched off.
        """
        entry = self.directory.get(slug)
        if entry is None or entry.aside:
            check_new_slug(slug, (e.slug for e in self.directory.entries if not e.aside))
            self.directory.refresh([f"{slug}.md"])
            entry = self.directory.get(slug)
            refusal = self.team_off() if entry is None and scope_of(slug) == "team" else None
            if refusal is not None:
                raise refusal
        if entry is not None and not entry.aside and not entry.is_active:
            raise UsageError(
                Say(
                    "{slug!r} is an old version of {owner!r}",
                    slug=slug,
                    owner=entry.superseded_by or Say("another memory"),
                ),
                where="slug",
                todo="Save under another slug, or restore that version",
            )
        self.refuse_link(f"{slug}.md")
        return f"{slug}.md"

    def refuse_link(self, rel: str) -> None:
        """Refuse to change a memory through a link: what changed would be another one, without a version of it.

        Raises:
            UsageError: the path is a link, or leads through one.
        """
        try:
            target = self.folder.resolve(rel)
        except (FileNotFoundError, Unreadable):
            return
        if target != rel:
            raise UsageError(
                Say("this is a link to {slug!r}", slug=slug_of(target)),
                where=slug_of(rel),
                todo=Say("Change {slug!r} itself", slug=slug_of(target)),
            )

    # -- the changes -----------------------------------------------------------------------------------------------

    def saved(self, slug: str, image: FileImage | None, fields: drafting.Fields) -> bytes:
        """The bytes of ``slug`` after a save of ``fields``; equal bytes mean nothing changes."""
        return self.saved_over(slug, image.data if image else None, fields)

    def saved_over(self, slug: str, current: bytes | None, fields: drafting.Fields) -> bytes:
        """The same over bytes that need not stand on disk; None for a memory that is new."""
        claude = self.directory.convention.name == "claude"
        return drafting.saved_text(
            current,
            fields,
            nested=self.new_files_nest(),
            convention=self.directory.convention,
            now=self.clock(),
            stamp_new=claude or scope_of(slug) == "team",
            stamp=scope_of(slug) == "team",
        )

    def save(self, slug: str, image: FileImage | None, after: bytes) -> list[Edit]:
        """A memory saved: new, or the version in force archived."""
        rel, before = f"{slug}.md", image.data if image else None
        line = self.index_edit(lambda text: self.line_after_save(text, rel, before, after))
        return [*self.replaced(slug, image, after), *line]

    def replaced(self, slug: str, image: FileImage | None, after: bytes) -> list[Edit]:
        """A memory's file with these bytes, and the version in force archived; nothing of the index."""
        edits = [Edit(f"{slug}.md", image.data if image else None, after)]
        if image is not None and image.data != after:
            edits.append(self.archive(slug, image, superseded_by=slug))
        return edits

    def set_types(self, entries: Sequence[MemoryEntry], kind: MemoryType) -> list[Edit]:
        """Memories saved under another type, each with its old version; index lines that tell the type follow."""
        edits: list[Edit] = []
        for entry in entries:
            image = self.existing(entry.rel)
            fields = drafting.Fields(memory_type=kind)
            edits.append(Edit(entry.rel, image.data, self.saved(entry.slug, image, fields)))
            edits.append(self.archive(entry.slug, image, superseded_by=entry.slug))

        def retyped(text: str) -> str:
            for entry in entries:
                if self.directory.convention.type_in_index or not has_entry(text, entry.rel):
                    described = entry.description or entry.name
                    text = self.with_line(text, entry.rel, entry.name, described, str(kind))
            return text

        return edits + self.index_edit(retyped)

    def still_true(self, entry: MemoryEntry) -> list[Edit]:
        """A memory confirmed: its effective time becomes now, and nothing else changes."""
        image = self.existing(entry.rel)
        now = self.clock()
        after = drafting.confirmed_text(image.data, now, stamp=entry.scope == "team")
        return [Edit(entry.rel, image.data, after, mtime_ns=int(now * 1e9), mode=image.stamp.mode)]

    def forget(self, entries: Sequence[MemoryEntry]) -> list[Edit]:
        """Files to the trash, index lines out."""
        gone = [Edit(e.rel, self.existing(e.rel).data, None, trash=True) for e in entries]
        rels = {entry.rel for entry in entries}
        return gone + self.index_edit(lambda text: self.lines_after_forget(text, entries), gone=rels)

    def restore(self, slug: str, old: MemoryEntry) -> list[Edit]:
        """An old version made the current one; the one in force archived."""
        source, image = self.existing(old.rel), self.image(f"{slug}.md")
        after = self.dated(
            slug, drafting.revived_text(source.data, self.directory.convention, self.clock()), self.clock()
        )
        edits = [Edit(f"{slug}.md", image.data if image else None, after)]
        if image is not None:
            edits.append(self.archive(slug, image, superseded_by=slug))
        return edits + self.index_edit(lambda text: self._with_line(text, f"{slug}.md", after))

    def untrash(self, trash_rel: str, rel: str) -> list[Edit]:
        """A file back from the trash, as old as it was, with its index line; an old version has none.

        Raises:
            UsageError: a memory of that name is there again.
        """
        if self.image(rel) is not None:
            raise UsageError("a memory of that name is there again", where=rel, todo="Rename that one first")
        image = self.existing(trash_rel)
        data = image.data
        back = [Edit(rel, None, data, mtime_ns=image.stamp.mtime_ns)]
        if rel.startswith(f"{HISTORY_FOLDER}/") or frontmatter.read(data).is_historical:
            return back
        return [*back, *self.index_edit(lambda text: self._with_line(text, rel, data))]

    def rename(self, entry: MemoryEntry, new_slug: str) -> list[Edit]:
        """A memory under another slug: the old file becomes its latest old version, links and index lines follow."""
        image, new_rel = self.existing(entry.rel), f"{new_slug}.md"
        named_alike = frontmatter.read(image.data).name == entry.slug
        after = frontmatter.edit(image.data, name=new_slug) if named_alike else image.data
        after = self.dated(new_slug, after, entry.modified)
        return [
            Edit(new_rel, None, after, mtime_ns=image.stamp.mtime_ns, mode=image.stamp.mode),
            Edit(entry.rel, image.data, None),
            *self.repointed({entry.slug: new_slug}, skip={entry.slug}),
            self.archive(entry.slug, image, superseded_by=new_slug),
            *self.index_edit(lambda text: repoint(text, entry.rel, new_rel), gone={entry.rel}),
        ]

    def merge(self, gone: Sequence[MemoryEntry], slug: str, fields: drafting.Fields) -> list[Edit]:
        """Memories merged into ``slug``: they become old versions of it, links and index lines follow."""
        image = self.image(f"{slug}.md")
        after = self.saved(slug, image, fields)
        edits = self.merged(gone, slug, image, after)
        rels = {entry.rel for entry in gone if entry.slug != slug}
        return edits + self.index_edit(
            lambda text: self.lines_after_merge(text, gone, slug, after), gone=rels
        )

    def merged(
        self, gone: Sequence[MemoryEntry], slug: str, image: FileImage | None, after: bytes
    ) -> list[Edit]:
        """The files of a merge into these bytes: result, sources, links in others, archives; not the index."""
        sources = [(entry, self.existing(entry.rel)) for entry in gone]
        edits = [Edit(f"{slug}.md", image.data if image else None, after)]
        edits += [Edit(entry.rel, source.data, None) for entry, source in sources]
        edits += self.repointed({entry.slug: slug for entry in gone}, skip={slug, *(e.slug for e in gone)})
        if image is not None and image.data != after:
            edits.append(self.archive(slug, image, superseded_by=slug))
        return edits + [self.archive(entry.slug, source, superseded_by=slug) for entry, source in sources]

    def rebuild_index(self) -> list[Edit]:
        """The index written anew from the active memories."""
        return self.index_edit(self.rebuilt_index)

    @staticmethod
    def dated(slug: str, data: bytes, moment: float) -> bytes:
        """A memory's bytes; those of the team carry a ``modified`` always (spec §5)."""
        return drafting.dated_text(data, moment) if scope_of(slug) == "team" else data

    # -- archives --------------------------------------------------------------------------------------------------

    def archive(self, slug: str, image: FileImage, *, superseded_by: str) -> Edit:
        """The old version that a change leaves: header marked, age kept."""
        rel, data = self.archive_of(slug, image.data, superseded_by)
        return Edit(rel, None, data, "archive", mtime_ns=image.stamp.mtime_ns, mode=image.stamp.mode)

    def archive_of(self, slug: str, data: bytes, superseded_by: str) -> tuple[str, bytes]:
        """Path and bytes of the next old version of ``slug``."""
        text, says_so = drafting.archived_text(data, superseded_by)
        number = next_number(slug, (entry.slug for entry in self.directory.entries))
        rel = self.directory.convention.archive_rel(slug, number)
        return (rel if says_so else f"{HISTORY_FOLDER}/{slug}_v{number}.md"), text

    def new_files_nest(self) -> bool:
        """The shape of a new header: the convention's, unless the folder's files are mostly of the other one."""
        nested, flat = self.directory.shapes
        wanted = self.directory.convention.nested
        return nested >= flat if wanted else wanted

    # -- links -------------------------------------------------------------------------------------------------------

    def repointed(self, moved: Mapping[str, str], *, skip: Iterable[str]) -> Iterator[Edit]:
        """Edits that make other memories' wiki links follow; their age stays, since what they say does.

        Raises:
            Unreadable: a memory that may link there cannot be read just now.
        """
        self.directory.complete()
        entries, left_out = self.directory.entries, set(skip)
        resolver = links.LinkResolver(entries)
        for entry in entries:
            if not entry.is_active or entry.slug in left_out:
                continue
            unread = any(problem.severity is Severity.ERROR for problem in entry.problems)
            if "[[" not in entry.content and not unread:
                continue
            try:
                image = self.existing(entry.rel)
            except Unreadable:
                if unread:  # as before: a file that nobody can read links nowhere
                    continue
                raise
            doc = frontmatter.read(image.data)
            if doc.is_historical:
                continue  # it could not be read before, and is an old version, which nobody writes to
            body = doc.body
            new = links.repoint(body, resolver, moved)
            if new != body:
                after = frontmatter.edit(image.data, body=new)
                yield Edit(entry.rel, image.data, after, mtime_ns=image.stamp.mtime_ns, mode=image.stamp.mode)
