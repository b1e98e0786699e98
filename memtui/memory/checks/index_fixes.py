"""The mechanical fixes: each plans its edits from what is on disk at that moment; the manager applies them.

A fix exists only where nothing is lost by it: lines that say nothing true leave, lines that are missing come, a file
that is another one's equal goes to the trash. What needs a judgement has none.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from memtui.memory.age import SECONDS_PER_DAY
from memtui.memory.checks.fix_files import Files, OnDisk, Plan
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.decay import DEFAULT_HALF_LIFE_DAYS
from memtui.memory.directory.scan import Directory
from memtui.memory.document import frontmatter
from memtui.memory.document.links import wiki_links
from memtui.memory.index import rotation
from memtui.memory.index.editing import (
    decode_index,
    encode_index,
    rebuild,
    repoint,
    with_entry,
    without_entry,
    without_lines,
)
from memtui.memory.index.lines import Line, parse_index
from memtui.memory.saving.records import Edit
from memtui.memory.types import Lang, MemoryEntry

LINKED_BONUS = DEFAULT_HALF_LIFE_DAYS * SECONDS_PER_DAY
"""Seconds that a memory which others link to counts younger where lines have to leave (ours): its score counts double."""


def index_plan(
    directory: Directory, change: Callable[[str, Files], str], *, gone: Container[str] = ()
) -> Plan:
    """A plan that changes the index; it makes no edit where the index is as it should be by then.

    Args:
        directory: the directory.
        change: from the text to the text; the line that says how many memories are not listed follows it.
        gone: files that the fix takes away.
    """

    def plan(files: Files | None = None) -> tuple[Edit, ...]:
        seen = files or OnDisk(directory.folder)
        data = seen.data(INDEX_NAME)
        text = decode_index(data)
        active = (entry.rel for entry in directory.entries if entry.is_active and entry.rel not in gone)
        changed = rotation.renumbered(change(text, seen), lambda: set(active))
        if changed == text:
            return ()
        return (Edit(INDEX_NAME, data, encode_index(changed), "index"),)

    return plan


def add_line(directory: Directory, entry: MemoryEntry) -> Plan:
    """The memory gets its line, at the end; unless that would leave no room for what is saved next."""
    convention = directory.convention

    def change(text: str, _: Files) -> str:
        new = with_entry(text, entry.rel, entry.name, entry.description, entry.type_text, convention)
        return new if rotation.fits(new, convention.unit, rotation.FILLED_TO) else text

    return index_plan(directory, change)


def drop_line(directory: Directory, rel: str, words: str) -> Plan:
    """The memory's own lines that read exactly so leave, if the file is still not there."""

    def change(text: str, files: Files) -> str:
        if files.is_there(rel):
            return text
        return without_lines(text, lambda line: line.text == words and _is_about(line, rel))

    return index_plan(directory, change)


def _is_about(line: Line, rel: str) -> bool:
    return line.subject is not None and line.subject.link.names(rel)


def keep_one_line(directory: Directory, rel: str, words: str) -> Plan:
    """Of a memory's own lines the one that reads so stays, once."""

    def change(text: str, _: Files) -> str:
        kept = False

        def is_double(line: Line) -> bool:
            nonlocal kept
            if not _is_about(line, rel):
                return False
            if line.text == words and not kept:
                kept = True
                return False
            return True

        if not any(line.text == words for line in parse_index(text).naming(rel)):
            return text
        return without_lines(text, is_double)

    return index_plan(directory, change)


def point_line(directory: Directory, old_rel: str, new_rel: str) -> Plan:
    """Links to one file lead to another."""
    return index_plan(directory, lambda text, _: repoint(text, old_rel, new_rel))


def fit(directory: Directory, lang: Lang, linked: Container[str]) -> Plan:
    """The lines of the memories with the lowest scores leave, until there is room for what is saved next.

    Args:
        directory: the directory.
        lang: language of the line that says how many are not listed.
        linked: files that other memories link to; their score counts double.
    """
    return index_plan(directory, lambda text, _: _shortened(text, directory, lang, linked))


def _shortened(text: str, directory: Directory, lang: Lang, linked: Container[str]) -> str:
    worth = {
        rel: changed + (LINKED_BONUS if rel in linked else 0.0) for rel, changed in directory.ages().items()
    }
    unit = directory.convention.unit
    return rotation.rotate(text, worth, unit, lang=lang, share=rotation.SHORTENED_TO).text


def renumber(directory: Directory, lang: Lang) -> Plan:
    """The line that says how many memories are not listed says so again."""

    def change(text: str, _: Files) -> str:
        return rotation.renumbered(text, lambda: directory.ages().keys(), lang)

    return index_plan(directory, change)


def build(directory: Directory, lang: Lang, linked: Container[str]) -> Plan:
    """Every memory gets its line; of more than fit, those with the best scores (see ``fit``)."""

    def change(text: str, _: Files) -> str:
        directory.complete()
        active = [entry for entry in directory.entries if entry.is_active]
        whole = rebuild(text, active, directory.convention, stays=directory.may_be_there)
        unit = directory.convention.unit
        return whole if rotation.fits(whole, unit) else _shortened(whole, directory, lang, linked)

    return index_plan(directory, change)


def date_today(directory: Directory, rel: str, now: float) -> Plan:
    """A date in the header that lies in the future becomes today's; nothing where it does not any more.

    Args:
        directory: the directory.
        rel: the file.
        now: Unix seconds.
    """

    def plan(files: Files | None = None) -> tuple[Edit, ...]:
        data = (files or OnDisk(directory.folder)).data(rel)
        dated = frontmatter.read(data).modified if data is not None else None
        if data is None or dated is None or dated <= now:
            return ()
        return (Edit(rel, data, frontmatter.edit(data, modified=now)),)

    return plan


def mend_link(directory: Directory, rel: str, target: str, slug: str) -> Plan:
    """A memory's links to a misspelt name lead to the memory of nearly that name; its age stays, for it says nothing new.

    Args:
        directory: the directory.
        rel: the file with the links.
        target: the misspelt name.
        slug: the memory that it means.
    """

    def plan(files: Files | None = None) -> tuple[Edit, ...]:
        data = (files or OnDisk(directory.folder)).data(rel)
        body = frontmatter.read(data).body if data is not None else ""
        parts, last = list[str](), 0
        for link in wiki_links(body):
            if link.target == target:
                parts += [body[last : link.start], slug]
                last = link.end
        if data is None or not parts:
            return ()
        stamp = directory.folder.stamp(rel)
        after = frontmatter.edit(data, body="".join([*parts, body[last:]]))
        return (Edit(rel, data, after, mtime_ns=stamp.mtime_ns if stamp is not None else None),)

    return plan


def trash_copy(directory: Directory, rel: str, original: str) -> Plan:
    """A file that equals another one byte for byte goes to the trash, its line with it; nothing if it does not any more."""
    line_out = index_plan(directory, lambda text, _: without_entry(text, rel), gone={rel})

    def plan(files: Files | None = None) -> tuple[Edit, ...]:
        seen = files or OnDisk(directory.folder)
        copy, kept = seen.data(rel), seen.data(original)
        if copy is None or copy != kept:
            return ()
        return (Edit(rel, copy, None, trash=True), *line_out(seen))

    return plan
