"""Checks of ``MEMORY.md`` against its limits and against what is in the directory (spec §6, needs 1-3)."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.checks import index_fixes
from memtui.memory.checks.findings_memory import conflict_marker
from memtui.memory.checks.findings_view import View
from memtui.memory.checks.rules import Hit, directory_rule, place_rule
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.index.entrypoint import measure
from memtui.memory.index.lines import Form, Line
from memtui.memory.index.rotation import SHORTENED_TO, is_notice, renumbered
from memtui.memory.types import MemoryEntry, Severity
from memtui.memory.wording.units import bytes_of_unit

PROSE_UNITS = 600
"""Prose from this size on takes the place of about five entries (ours)."""
LONG_LINE_UNITS = 200
"""The client asks for entries under about 200 characters."""


@directory_rule("index-unreadable", Severity.ERROR)
def index_unreadable(view: View) -> Iterator[Hit]:
    """There is an index, but it cannot be read: too large, no plain file, no permission."""
    problem = view.directory.index_problem
    if problem is not None:
        yield Hit(INDEX_NAME, parts={"problem": problem.message, "code": problem.code})


@directory_rule("index-over-limit", Severity.ERROR)
def index_over_limit(view: View) -> Iterator[Hit]:
    """The tail of the index does not load, and nobody says so; the newest memories usually stand there."""
    stand = view.report
    if stand.bound:
        parts = {
            "lines": stand.lines,
            "max_lines": stand.max_lines,
            "size": stand.size,
            "max_size": stand.max_size,
            "unit": bytes_of_unit(stand.unit),
            "lost": len(view.unheard),
        }
        yield Hit(INDEX_NAME, parts=parts, plan=index_fixes.fit(view.directory, view.lang, view.linked))


@directory_rule("index-conflict-markers", Severity.ERROR)
def index_conflict_markers(view: View) -> Iterator[Hit]:
    """Both sides of a merge in the index; no fix, since only a person knows which lines hold."""
    text = (view.text or "").replace("\r\n", "\n")
    at = conflict_marker(text)
    if at is not None:
        yield Hit(INDEX_NAME, line=text.count("\n", 0, at) + 1)


@directory_rule("missing-index", Severity.WARNING)
def missing_index(view: View) -> Iterator[Hit]:
    """Memories, but nothing that tells a reader of them at the start."""
    count = sum(entry.is_readable for entry in view.entries.values())
    if view.text is None and count and view.directory.index_problem is None:
        plan = index_fixes.build(view.directory, view.lang, view.linked)
        yield Hit(INDEX_NAME, parts={"count": count}, plan=plan)


@directory_rule("not-loaded", Severity.WARNING)
def not_loaded(view: View) -> Iterator[Hit]:
    """Exactly which memories stand behind the cut only."""
    for rel, number in view.unheard.items():
        yield Hit(rel, parts={"number": number})


@place_rule("orphan", Severity.WARNING, "directory")
def orphan(entry: MemoryEntry, view: View) -> Iterator[Hit]:
    """A memory that no line of the index leads to, nor a memory that a line leads to.

    Where the index bears a rotation notice, those older than the memories listed are announced by it: they were left
    out on purpose, and ``unlisted`` tells of them once. A fix is offered where there is room for its line.
    """
    if view.is_orphan(entry):
        plan = index_fixes.add_line(view.directory, entry) if entry.rel in view.fitting else None
        yield Hit(entry.rel, plan=plan)


@directory_rule("unlisted", Severity.NOTE)
def unlisted(view: View) -> Iterator[Hit]:
    """How many memories the index leaves out, where it says that it does; all of them in one finding."""
    if view.notice is None:
        return
    text = view.text or ""
    stale = renumbered(text, lambda: view.entries, view.lang) != text
    found = view.unlisted
    if found or stale:
        linked = sum(rel in view.through for rel in found)
        yield Hit(
            INDEX_NAME,
            line=view.notice,
            parts={"count": len(found), "linked": linked},
            plan=index_fixes.renumber(view.directory, view.lang) if stale else None,
            names=tuple(view.entries[rel].slug for rel in found),
        )


@directory_rule("only-through-link", Severity.NOTE)
def only_through_link(view: View) -> Iterator[Hit]:
    """A memory that is reached through another one's link only: no orphan, but one step further away."""
    for rel, hub in view.through.items():
        if view.text is not None:
            plan = index_fixes.add_line(view.directory, view.entries[rel]) if rel in view.fitting else None
            yield Hit(rel, parts={"hub": hub}, plan=plan)


@directory_rule("dangling-line", Severity.WARNING)
def dangling_line(view: View) -> Iterator[Hit]:
    """A line that names a file which is not there. Lines in a code fence may be examples and are not asked."""
    for line in view.index.lines:
        for entry in () if line.fenced else line.entries:
            names = view.names_of(entry.link)
            if entry.link.outside or any(view.is_there(name) for name in names):
                continue
            plan = None
            if entry is line.subject and len(line.entries) == 1:
                plan = index_fixes.drop_line(view.directory, entry.rel, line.text)
            yield Hit(INDEX_NAME, line=line.number, parts={"target": entry.rel}, plan=plan)


@directory_rule("duplicate-line", Severity.WARNING)
def duplicate_line(view: View) -> Iterator[Hit]:
    """Two lines of its own for one memory. The last one stays, which was written later, unless another is richer."""
    own: dict[str, list[Line]] = {}
    for line in view.index.lines:
        if line.subject and not line.fenced and not line.subject.link.outside:
            names = view.names_of(line.subject.link)
            own.setdefault(view.memory_of(names) or names[0], []).append(line)
    for rel, lines in own.items():
        if len(lines) > 1:
            best = max(lines, key=lambda line: (len(line.entries), line.number))
            others = [str(line.number) for line in lines[1:]]
            parts = {"target": rel, "first": lines[0].number, "others": ", ".join(others)}
            safe = all(len(line.entries) == 1 or line.text == best.text for line in lines)
            plan = index_fixes.keep_one_line(view.directory, rel, best.text) if safe else None
            yield Hit(INDEX_NAME, line=lines[1].number, parts=parts, plan=plan)


@directory_rule("old-version-line", Severity.NOTE)
def old_version_line(view: View) -> Iterator[Hit]:
    """A line that leads to a version which is no longer in force."""
    for entry in view.index.entries:
        for name in view.names_of(entry.link):
            old = None if name in view.entries else view.directory.get_rel(name)
            if old is None or old.is_active:
                continue
            new = f"{old.superseded_by}.md"
            plan = index_fixes.point_line(view.directory, name, new) if new in view.entries else None
            yield Hit(INDEX_NAME, line=entry.line, parts={"target": name}, plan=plan)
            break


@directory_rule("link-outside", Severity.NOTE)
def link_outside(view: View) -> Iterator[Hit]:
    """A line that leads out of the directory: what is there is no memory and is not kept by anything here."""
    root = str(view.directory.root).rstrip("/") + "/"
    for entry in view.index.entries:
        if entry.link.outside and not entry.rel.startswith(root):
            yield Hit(INDEX_NAME, line=entry.line, parts={"target": entry.rel})


@directory_rule("index-near-limit", Severity.NOTE)
def index_near_limit(view: View) -> Iterator[Hit]:
    """It fits, but not for many memories more; from where a shortened one would end, shortening is offered."""
    stand = view.report
    if stand.near:
        parts = {
            "lines": stand.lines,
            "max_lines": stand.max_lines,
            "size": stand.size,
            "max_size": stand.max_size,
            "unit": bytes_of_unit(stand.unit),
        }
        plan = None
        if stand.fill > SHORTENED_TO:
            plan = index_fixes.fit(view.directory, view.lang, view.linked)
        yield Hit(INDEX_NAME, parts=parts, plan=plan)


@directory_rule("long-line", Severity.NOTE)
def long_line(view: View) -> Iterator[Hit]:
    """Entries that say too much, told only where the size is short."""
    stand = view.report
    if stand.size < 0.8 * stand.max_size:
        return
    for line in view.index.lines:
        size = measure(line.text, "utf16")
        if line.subject and size > LONG_LINE_UNITS:
            yield Hit(INDEX_NAME, line=line.number, parts={"count": size, "target": line.subject.rel})


@directory_rule("prose-in-index", Severity.NOTE)
def prose_in_index(view: View) -> Iterator[Hit]:
    """Facts kept in the index instead of in a memory: they load, but have no type, no age and no history."""
    prose = [line for line in view.index.lines if _is_prose(line)]
    size = sum(measure(line.text, "utf16") for line in prose)
    if size >= PROSE_UNITS:
        yield Hit(INDEX_NAME, line=prose[0].number, parts={"lines": len(prose), "count": size})


def _is_prose(line: Line) -> bool:
    text = line.text.strip()
    if (
        not text
        or line.hidden
        or is_notice(text)
        or text.startswith(("#", "|", "---", "***", "___", "```", "~~~"))
    ):
        return False
    return all(entry.form is not Form.LIST and entry.form is not Form.TABLE for entry in line.entries)
