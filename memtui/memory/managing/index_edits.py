"""What a change does to the index: lines come, go and follow, within its limits. Nothing is written here.

What a line looks like is decided in ``index.editing``, which lines leave a full one in ``index.rotation``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import FileImage, Folder
from memtui.memory.document import frontmatter
from memtui.memory.errors import Conflict
from memtui.memory.index import rotation
from memtui.memory.index.editing import (
    NewLine,
    after_merge,
    decode_index,
    encode_index,
    has_entry,
    rebuild,
    with_entry,
    with_missing,
    without_entry,
)
from memtui.memory.index.places import Stood, put_back
from memtui.memory.saving.records import Edit
from memtui.memory.types import Clock, Lang, MemoryEntry


class IndexEdits:
    """The index of one directory as changes to its memories leave it; for `Planner`, which plans those."""

    def __init__(self, directory: Directory, folder: Folder, clock: Clock, lang: Lang) -> None:
        self.directory = directory
        self.folder = folder
        self.clock = clock
        self.lang: Lang = lang

    def image(self, rel: str) -> FileImage | None:
        """The file as it is, None if there is none.

        Raises:
            Unreadable: it is there and cannot be read.
        """
        try:
            return self.folder.read(rel)
        except FileNotFoundError:
            return None

    def existing(self, rel: str) -> FileImage:
        """The file as it is.

        Raises:
            Conflict: it is gone.
            Unreadable: it cannot be read.
        """
        image = self.image(rel)
        if image is None:
            raise Conflict(
                "the file is gone", where=str(self.folder.root / rel), todo="Look at the list again"
            )
        return image

    def index_edit(
        self, change: Callable[[str], str], *, gone: Container[str] = (), new: Iterable[str] = ()
    ) -> list[Edit]:
        """The edit that makes ``change`` to the index; none if it changes nothing.

        Args:
            change: from the text to the text; the line that says how many memories are not listed follows it.
            gone: files that will be memories in force no more.
            new: files that will be memories in force.
        """
        image = self.image(INDEX_NAME)
        text = decode_index(image.data if image else None)
        active = (entry.rel for entry in self.directory.entries if entry.is_active and entry.rel not in gone)
        changed = rotation.renumbered(change(text), lambda: {*active, *new}, self.lang)
        if changed == text:
            return []
        before = image.data if image else None
        return [Edit(INDEX_NAME, before, encode_index(changed), "index")]

    def with_line(self, text: str, rel: str, title: str, description: str, type_text: str) -> str:
        """The index with this memory's line, within its limits where the convention rotates without being asked."""
        text = with_entry(text, rel, title, description, type_text, self.directory.convention)
        return self._rotated(text, {rel: self.clock()})

    def with_missing_lines(self, text: str, lines: Iterable[NewLine], modified: Mapping[str, float]) -> str:
        """The index with a line for each of these memories that none names, within its limits as for ``with_line``.

        Args:
            text: the index.
            lines: what they say.
            modified: their files to their effective times, Unix seconds.
        """
        return self._rotated(with_missing(text, lines, self.directory.convention), modified)

    def _rotated(self, text: str, arriving: Mapping[str, float]) -> str:
        if not self.directory.convention.rotates:
            return text
        modified = {**self.directory.ages(), **arriving}
        return rotation.rotate(text, modified, self.directory.convention.unit, lang=self.lang).text

    def lines_after_forget(self, text: str, entries: Iterable[MemoryEntry]) -> str:
        """The index without the lines of memories that go."""
        for entry in entries:
            text = without_entry(text, entry.rel)
        return text

    def lines_after_merge(self, text: str, gone: Iterable[MemoryEntry], slug: str, after: bytes) -> str:
        """The index once memories have become part of ``slug``: one line, in the place of theirs."""
        rel = f"{slug}.md"
        text = after_merge(text, (entry.rel for entry in gone), rel)
        return self._line_for(text, rel, after)

    def line_after_save(self, text: str, rel: str, before: bytes | None, after: bytes) -> str:
        """The index after a save: its line is rewritten when it is missing or when what it says has changed.

        Real index lines say something else than the frontmatter in 93 of 100 cases (measured), so a save that leaves
        title, description and type alone leaves a hand-written line alone, too.
        """
        if before is not None and has_entry(text, rel):
            old, new = frontmatter.read(before), frontmatter.read(after)
            if (old.name, old.description, old.type_text) == (new.name, new.description, new.type_text):
                return text
        return self._line_for(text, rel, after)

    def line_put_back(self, text: str, rel: str, stood: Stood, modified: float) -> str:
        """The index with the line of a memory that comes back, as it stood.

        Args:
            text: the index.
            rel: its file.
            stood: its line, and where.
            modified: its effective time, Unix seconds.
        """
        return self._rotated(put_back(text, rel, stood), {rel: modified})

    def _line_for(self, text: str, rel: str, data: bytes) -> str:
        doc = frontmatter.read(data)
        title = doc.name or rel.removesuffix(".md").rpartition("/")[2]
        return self.with_line(text, rel, title, doc.description or "", doc.type_text or "")

    def _with_line(self, text: str, rel: str, data: bytes) -> str:
        """The index with a line for a file that came back; a line that is there stays."""
        if has_entry(text, rel):
            return text
        return self._line_for(text, rel, data)

    def rebuilt_index(self, text: str) -> str:
        """The index made whole again: every active memory named, no line for one that is gone.

        Raises:
            Unreadable: a memory that should be named cannot be read just now.
        """
        self.directory.complete()
        active = [entry for entry in self.directory.entries if entry.is_active]
        made = rebuild(text, active, self.directory.convention, stays=self.directory.may_be_there)
        return rotation.renumbered(made, lambda: {entry.rel for entry in active}, self.lang)
