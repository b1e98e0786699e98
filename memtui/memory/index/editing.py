"""``MEMORY.md``, the index: changed a line at a time, so that nobody else's line is ever lost (spec §6).

Texts go in and come out as ``str`` decoded by ``decode_index``, so any bytes survive. Every function here keeps what
it does not mean to change: order, line ends, BOM, a missing last line end. Nothing to change gives the same text.

What counts as a memory's own line: a list line that begins with its link, canonical or not (``- [A](a.md) -- x``,
``- ~~[A](a.md)~~ — RESOLVED``). Table rows, headings and prose name memories too, but belong to their author: they are
never rewritten or removed, only repointed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from memtui.memory.conventions import TEAM_PREFIX, Convention
from memtui.memory.index.lines import Entry, Form, Index, Line, Link, lead_of, parse_index
from memtui.memory.index.section import listed, taken_out, without_empty_section
from memtui.memory.lazy import lazy_pattern
from memtui.memory.text import for_prompt
from memtui.memory.types import MemoryEntry

_BREAKS = lazy_pattern("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_COMMANDS = lazy_pattern("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]+")
_SPECIAL = lazy_pattern(r"[\[\]]|\\(?=[\[\]\\`<]|$)")
_UNSAFE = lazy_pattern(r"[\s()<>\\%#?\x00-\x1f\x7f]")


def decode_index(data: bytes | None) -> str:
    """The index's text; bytes that are not UTF-8 come through as surrogates and survive ``encode_index``."""
    return (data or b"").decode("utf-8", "surrogateescape")


def encode_index(text: str) -> bytes:
    """The bytes of an index's text."""
    return text.encode("utf-8", "surrogateescape")


def one_line(text: str) -> str:
    """A title or description as it stands in the index: line breaks become single spaces, and nothing commands a terminal.

    In a header an escape may stand for what no text that people look at should hold. The client puts the index into
    each prompt as it stands, so nothing in it is hidden or passes for a tag of a prompt, no more than in a reminder.
    """
    lines = (line.strip() for line in _BREAKS.split(for_prompt(_COMMANDS.sub("", text), roles=False)))
    return " ".join(line for line in lines if line)


def entry_line(rel: str, title: str, description: str, type_text: str | None, convention: Convention) -> str:
    """A memory's canonical line without its line end (spec §2).

    Args:
        rel: its file, e.g. ``sub/a.md``.
        title: shown as the link's text; ``[`` and ``]`` are escaped.
        description: one line; left out with its dash where empty.
        type_text: the type as written in the file; only the ``library`` convention shows it.
        convention: which house's habit to follow.
    """
    words = one_line(title) or rel.removesuffix(".md")
    shown = _SPECIAL.sub(lambda m: "\\" + m[0], words).replace("<!--", "\\<!--")
    hook = one_line(description).replace("<!--", "\\<!--")
    tail = f"]({_written(rel)})" + (f" — {hook}" if hook else "")
    if convention.type_in_index and type_text:
        tail = f"{tail} (type: {one_line(type_text)})"
    line = f"- [{shown}{tail}"
    subject = parse_index(line).lines[0].subject
    if subject is None or subject.title != words:
        # A lone backtick would make a code span with one further on, and the link be no link.
        line = "- [" + shown.replace("`", "\\`") + tail
    return line


def _written(rel: str) -> str:
    return _UNSAFE.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode("utf-8", "surrogateescape")), rel)


def has_entry(text: str, rel: str) -> bool:
    """Whether any line of the index names this file."""
    return bool(parse_index(text).naming(rel))


def with_entry(
    text: str, rel: str, title: str, description: str, type_text: str | None, convention: Convention
) -> str:
    """The index with this memory's line brought up to date, or appended where nothing names the memory.

    A memory of the team is appended to the team's section, which is made for the first one, any other one above it.
    The memory's own line keeps its indent, its bullet and its check box, and its title where the one given is no more
    than the file's name: headers of the ``claude`` convention say no other, so the title stands in the index alone. It stays as it is where it already says the
    same title, description and type, in whatever form. A line that is also the only one to name another memory stays,
    and so do table rows, headings and prose: a memory named only there is reachable, and no second line is added.
    Of several lines for one memory the first is changed; the others are the duplicates finding's business.
    """
    index = parse_index(text)
    new = entry_line(rel, title, description, type_text, convention)
    naming = index.naming(rel)
    for line in naming:
        subject = line.subject
        if subject is None or not subject.link.names(rel):
            continue
        if subject.title and title in {rel.removesuffix(".md"), _last(rel).removesuffix(".md")}:
            new = entry_line(rel, subject.title, description, type_text, convention)
        if _says(subject, rel, new, convention) or _names_others_alone(index, line, rel):
            return text
        return _join(index, {line.number: lead_of(line.text) + new.removeprefix("- ")})
    return text if naming else listed(text, [new], team=rel.startswith(TEAM_PREFIX))


@dataclass(frozen=True, slots=True)
class NewLine:
    """What a line for a memory says; see ``entry_line``."""

    rel: str
    title: str
    description: str
    type_text: str | None


def with_missing(text: str, wanted: Iterable[NewLine], convention: Convention) -> str:
    """The index with a line appended for every one of these memories that no line names.

    The same as ``with_entry`` for each in turn; but the index is taken apart once, not once for each of thousands.
    """
    index, named = parse_index(text), set[str]()
    added: dict[bool, list[str]] = {False: [], True: []}

    def appended() -> str:
        return listed(listed(text, added[False], team=False), added[True], team=True)

    for one in wanted:
        if one.rel in named or index.naming(one.rel):
            continue
        line = entry_line(one.rel, one.title, one.description, one.type_text, convention)
        added[one.rel.startswith(TEAM_PREFIX)].append(line)
        named.update(name for entry in parse_index(line).entries for name in entry.link.candidates)
        if (
            "---" in line or "-->" in line
        ):  # what was begun far above may end here, and more be hidden than before
            text = appended()
            index, added, named = parse_index(text), {False: [], True: []}, set()
    return appended()


def _says(entry: Entry, rel: str, new: str, convention: Convention) -> bool:
    wanted = parse_index(new).lines[0].entries[0]
    same_type = not convention.type_in_index or entry.type_text == wanted.type_text
    same_words = (entry.title, entry.description) == (wanted.title, wanted.description) or (
        one_line(entry.title),  # of a line that was there before, what memtui would not write stays
        one_line(entry.description),
    ) == (wanted.title, wanted.description)
    return same_type and same_words and entry.link.names(rel)


def _names_others_alone(index: Index, line: Line, rel: str) -> bool:
    others = {e.rel for e in line.entries if not e.link.names(rel)}
    return any(all(other is line for other in index.naming(name)) for name in others)


def without_entry(text: str, rel: str) -> str:
    """The index without this memory's own lines.

    Table rows, headings, prose, and a line that is the only one to name another memory stay; the dangling-line
    finding reports them. The team's section goes with its last line.
    """
    index = parse_index(text)
    gone = {
        line.number: None
        for line in index.naming(rel)
        if line.subject and line.subject.link.names(rel) and not _names_others_alone(index, line, rel)
    }
    if not gone:
        return text
    left = _join(index, gone)
    return without_empty_section(left) if rel.startswith(TEAM_PREFIX) else left


def without_lines(text: str, leaves: Callable[[Line], bool]) -> str:
    """The index without the lines that ``leaves`` says true of, asked in order."""
    index = parse_index(text)
    gone = {line.number: None for line in index.lines if leaves(line)}
    return _join(index, gone) if gone else text


def repoint(text: str, old_rel: str, new_rel: str) -> str:
    """The index with every link to one file leading to another: after a merge or a rename.

    Anchors, ``./`` and ``memory/`` in front, and titles stay; a link whose text is the file's name changes its text
    too. Where the new file has a line of its own already, the old file's own line is taken out instead of becoming
    its double.
    """
    if old_rel == new_rel:
        return text
    if any(line.subject and line.subject.link.names(new_rel) for line in parse_index(text).naming(new_rel)):
        text = without_entry(text, old_rel)
    index = parse_index(text)
    changed: dict[int, str | None] = {}
    for line in index.naming(old_rel):
        bom = line.text[: line.number == 1 and line.text.startswith("\ufeff")]
        words = line.text.removeprefix(bom)
        for entry in reversed(line.entries):
            if entry.link.names(old_rel):
                words = _repointed(words, entry.link, old_rel, new_rel)
        changed[line.number] = bom + words
    return _join(index, changed) if changed else text


def crossed(text: str, old_rel: str, new_rel: str) -> str:
    """The index once a memory went over to the other scope: its links lead there, its own line stands where such lines stand."""
    team = new_rel.startswith(TEAM_PREFIX)
    taken = taken_out(text, old_rel, team=team)
    if taken is None:
        return repoint(text, old_rel, new_rel)
    left, line = (repoint(part, old_rel, new_rel) for part in taken)
    return left if has_entry(left, new_rel) else listed(left, [line], team=team)


def after_merge(text: str, gone: Iterable[str], rel: str) -> str:
    """The index once memories have become part of another: every link to theirs leads to it, and one line is its own.

    Args:
        text: the index.
        gone: files of those that go.
        rel: the file that they become part of.
    """
    for old in gone:
        if has_entry(text, rel):
            text = without_entry(text, old)
        same_scope = old.startswith(TEAM_PREFIX) == rel.startswith(TEAM_PREFIX)
        text = (repoint if same_scope else crossed)(text, old, rel)
    return text


def _repointed(words: str, link: Link, old_rel: str, new_rel: str) -> str:
    start, end = link.target
    written = words[start:end]
    front = written[: len(written) - len(_after_front(written, old_rel))]
    words = words[:start] + front + _written(new_rel) + words[end:]
    for old, new in ((written, front + new_rel), (old_rel, new_rel), (_last(old_rel), _last(new_rel))):
        if words.startswith(f"[{old}](", link.start):
            return words[: link.start + 1] + new + words[link.start + 1 + len(old) :]
    return words


def _after_front(written: str, rel: str) -> str:
    """What follows ``./`` or ``memory/`` in a target, where that is only another way to name the file."""
    for front in ("./memory/", "../memory/", "memory/", "./"):
        rest = written.removeprefix(front)
        if rest != written and rel in (rest, unquote(rest, errors="surrogateescape")):
            return rest
    return written


def _last(rel: str) -> str:
    return rel.rsplit("/", 1)[-1]


def rebuild(
    text: str,
    entries: Iterable[MemoryEntry],
    convention: Convention,
    *,
    stays: Callable[[str], bool] = lambda _: False,
) -> str:
    """The index made whole again: every memory named, no own line for a memory that is gone, nothing else touched.

    Args:
        text: the index as it stands; empty where it is missing.
        entries: the active memories, in the order in which missing ones are to be appended; of those that cannot
            be read a line stays, but none is made.
        convention: which house's habit new lines follow.
        stays: whether a file that is none of them may be a memory all the same, so that its line stays.
    """
    wanted = {entry.rel: entry for entry in entries}
    for named in parse_index(text).entries:
        inside = not named.link.outside
        names = named.link.candidates
        if named.form is Form.LIST and inside and not any(rel in wanted or stays(rel) for rel in names):
            text = without_entry(text, named.rel)
    missing = (
        NewLine(rel, entry.name, entry.description, entry.type_text)
        for rel, entry in wanted.items()
        if entry.is_readable
    )
    return with_missing(text, missing, convention)


def _join(index: Index, changed: Mapping[int, str | None]) -> str:
    """The text with some lines changed or, for None, taken out; a BOM and a missing last line end stay."""
    lines = index.lines
    bom = "\ufeff" if lines and lines[0].text.startswith("\ufeff") else ""
    kept = [(words, line.end) for line in lines if (words := changed.get(line.number, line.text)) is not None]
    text = "".join(words + end for words, end in kept).removeprefix(bom)
    if kept and not lines[-1].end:
        text = text[: len(text) - len(kept[-1][1])]
    return bom + text
