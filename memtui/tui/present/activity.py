"""The activity: what was done and whether it stands, what undo would bring back, the trash, the calls. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from memtui.memory.age import memory_age_label, memory_age_seconds
from memtui.memory.audit import AuditRow
from memtui.memory.conventions import TRASH_FOLDER
from memtui.memory.errors import MemtuiError
from memtui.memory.managing.authors import Author, author_said, doer_of
from memtui.memory.managing.trash import TrashedFile
from memtui.memory.saving.record_lines import in_inbox
from memtui.memory.saving.records import Change, Record
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.memory.versions.diffrows import Row, unified
from memtui.memory.versions.worddiff import compare
from memtui.memory.wording.labels import label_said
from memtui.memory.wording.recognising import written_said
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.lines import Line, Part, clip, fit, spread
from memtui.tui.present.parts import CURSOR, DOT, ELLIPSIS, label, size
from memtui.tui.wording.activity import ActivityWords

Tab = Literal["changes", "trash", "calls"]
TABS: tuple[Tab, ...] = ("changes", "trash", "calls")
MOST_CALLS = 500
"""Calls shown, the newest (ours)."""
_MOST_LINES = 8
_AGE_CELLS = 12
_GOOD = {
    "saved",
    "updated",
    "unchanged",
    "ok",
    "proposed",
    "applied",
    "extracted",
    "nothing",
    "skipped",
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read for the screen.

    Attributes:
        records: the journal, oldest first.
        undo: what undo would take back.
        redo: the undo that redo would take back.
        trash: files in the trash, newest first.
        calls: the audit log, newest first.
        troubles: by tab, why it could not be read.
    """

    records: tuple[Record, ...] = ()
    undo: Record | None = None
    redo: Record | None = None
    trash: tuple[TrashedFile, ...] = ()
    calls: tuple[AuditRow, ...] = ()
    troubles: Mapping[Tab, str] | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """A change with what became of it.

    Attributes:
        record: the change.
        state: whether it stands; ``undo`` and ``redo`` for the one that these keys act on now.
    """

    record: Record
    state: Literal["stands", "undone", "undo", "redo"]


def done_rows(loaded: Loaded) -> tuple[Done, ...]:
    """The journal, newest first, each with what became of it."""
    inverted: dict[str, Record] = {}
    for record in loaded.records:
        if record.of_key is not None:
            inverted[record.of_key] = record

    def state(record: Record) -> Literal["stands", "undone", "undo", "redo"]:
        if loaded.undo is not None and record.key == loaded.undo.key:
            return "undo"
        if loaded.redo is not None and record.key == loaded.redo.key:
            return "redo"
        stands, last = True, record
        while (after := inverted.get(last.key)) is not None:
            stands, last = not stands, after
        return "stands" if stands else "undone"

    return tuple(Done(record, state(record)) for record in reversed(loaded.records))


# --- rows ------------------------------------------------------------------------------------------------------------


def ago(at: float, now: float, lang: Lang, words: ActivityWords) -> str:
    """How long ago, by minutes within the hour, by hours within the day, then by days."""
    seconds = memory_age_seconds(at, now)
    if seconds < 60:
        return words.just_now
    if seconds < 3600:
        return words.minutes.format(n=int(seconds // 60))
    if seconds < 86_400:
        return words.hours.format(n=int(seconds // 3600))
    return memory_age_label(at, now, lang)


def _when(at: float, words: ActivityWords) -> str:
    try:
        return words.utc.format(time=datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S"))
    except (ValueError, OverflowError, OSError):
        return ""


def record_label(record: Record, lang: Lang, words: ActivityWords) -> str:
    """What a record did, in one line."""
    text = label(label_said(record.label, record.slugs, lang))
    if record.kind == "do":
        return text
    return (words.kind_undo if record.kind == "undo" else words.kind_redo).format(label=text)


def _row(cells: int, age: str, text: Line, right: Line, *, cursor: bool) -> Line:
    head: Line = (
        (CURSOR if cursor else " ", "cursor-sign"),
        (" " + fit(age, _AGE_CELLS, ELLIPSIS) + " ", "dim"),
    )
    return spread((*head, *text), (*right, (" ", "")), cells, ELLIPSIS)


def _by(doer: Author, cells: int, lang: Lang) -> Part:
    """Who it was, in no more than a quarter of the row, for whoever writes the record chooses its length."""
    return (clip(author_said(doer, lang), cells // 4, ELLIPSIS), "dim")


def done_row(done: Done, cells: int, *, cursor: bool, now: float, lang: Lang, words: ActivityWords) -> Line:
    """A change as a line: when, what, by whom, what became of it."""
    record = done.record
    states: dict[str, Part] = {
        "undo": (words.undo_next, "key=undo"),
        "redo": (words.redo_next, "key=redo"),
        "undone": (words.undone, "warn"),
    }
    right: list[Part] = [_by(doer_of(record.actor, record.door), cells, lang)]
    if done.state in states:
        right += [(DOT, "dim"), states[done.state]]
    role = "dim" if done.state == "undone" or record.kind != "do" else "name"
    return _row(
        cells,
        ago(record.at, now, lang, words),
        ((record_label(record, lang, words), role),),
        tuple(right),
        cursor=cursor,
    )


def trash_row(
    file: TrashedFile, cells: int, *, cursor: bool, now: float, lang: Lang, words: ActivityWords
) -> Line:
    """A file in the trash as a line: when forgotten, what it was, how long."""
    right: Line = ((size(file.size), "dim"),)
    role = "dim" if file.taken else "name"
    return _row(cells, ago(file.at, now, lang, words), ((visible(file.slug), role),), right, cursor=cursor)


def call_row(
    call: AuditRow, cells: int, *, cursor: bool, now: float, lang: Lang, words: ActivityWords
) -> Line:
    """A call as a line: when, which tool, how it ended, about what, by whom."""
    text: list[Part] = [
        (fit(label(call.tool_name), 14, ELLIPSIS) + " ", "name"),
        (fit(label(call.status), 10, ELLIPSIS) + " ", "good" if call.status in _GOOD else "bad"),
        (visible(call.slug or ""), ""),
    ]
    return _row(
        cells,
        ago(call.at, now, lang, words),
        tuple(text),
        (_by(doer_of(call.actor), cells, lang),),
        cursor=cursor,
    )


def tabs_line(loaded: Loaded | None, tab: Tab, words: ActivityWords) -> Line:
    """The lists to choose from, each with how much it holds; a click goes there."""
    names = {"changes": words.changes, "trash": words.trash, "calls": words.calls}
    counts = {"changes": 0, "trash": 0, "calls": 0}
    if loaded is not None:
        counts = {"changes": len(loaded.records), "trash": len(loaded.trash), "calls": len(loaded.calls)}
    parts: list[Part] = [(" ", "")]
    for number, name in enumerate(TABS, 1):
        text = f"{number} {names[name]} {counts[name]}" if loaded else f"{number} {names[name]}"
        here = name == tab
        parts.append((f"[{text}]" if here else f" {text} ", f"{'key' if here else 'dim'}=tab_{name}"))
        parts.append(("  ", ""))
    return tuple(parts)


def empty_text(loaded: Loaded | None, tab: Tab, words: ActivityWords) -> Sequence[str]:
    """What an empty list says."""
    if loaded is None:
        return (words.reading,)
    trouble = (loaded.troubles or {}).get(tab)
    if trouble:
        return (words.trouble, *trouble.split("\n"))
    return {
        "changes": (words.no_changes, words.no_changes_hint),
        "trash": (words.no_trash, words.no_trash_hint),
        "calls": (words.no_calls, words.no_calls_hint),
    }[tab]


# --- one row, whole --------------------------------------------------------------------------------------------------


def _plain(text: str, role: str = "") -> Block:
    return Block(((text, role),))


def _bullet(text: str) -> Block:
    return Block(((text, ""),), (("· ", "dim"),), (("  ", ""),))


def _who(at: float, doer: Author, session: str | None, now: float, lang: Lang, words: ActivityWords) -> Block:
    parts = [ago(at, now, lang, words), _when(at, words), author_said(doer, lang)]
    if session:
        parts.append(words.session.format(id=label(session)))
    return _plain(DOT.join(part for part in parts if part), "dim")


def done_blocks(done: Done, *, now: float, lang: Lang, words: ActivityWords) -> list[Block]:
    """A change as text: who, when, which files, and what undo would bring."""
    record = done.record
    blocks = [
        _plain(record_label(record, lang, words), "strong"),
        _who(record.at, doer_of(record.actor, record.door), record.session_id, now, lang, words),
        BLANK,
    ]
    if done.state in {"undo", "redo"}:
        verb: Literal["undo", "redo"] = "undo" if done.state == "undo" else "redo"
        blocks.append(_plain(words.undo_would if verb == "undo" else words.redo_would, "accent"))
        blocks += [_bullet(text) for text in undo_lines(record, verb, words)]
    else:
        blocks.append(_plain(words.was_undone if done.state == "undone" else words.stands, "dim"))
    blocks += [BLANK, _plain(words.files, "heading")]
    lines = [text for change in record.changes if (text := _change_text(change, words))]
    lines += [words.kept.format(rel=visible(rel)) for rel in record.kept]
    blocks += [_bullet(text) for text in lines]
    return [*blocks, BLANK, _plain(words.look, "dim")]


def _change_text(change: Change, words: ActivityWords) -> str:
    if change.skipped or change.rel.startswith(f"{TRASH_FOLDER}/"):
        return ""
    rel = visible(change.rel)
    if change.role == "index":
        return words.index_word
    if change.role == "archive":
        return (words.archive_gone if change.after is None else words.archived).format(rel=rel)
    if change.before is None:
        return words.created.format(rel=rel)
    if change.after is None:
        return (words.to_trash if change.trash else words.removed).format(rel=rel)
    return words.changed.format(rel=rel)


def trash_blocks(file: TrashedFile, *, now: float, lang: Lang, words: ActivityWords) -> list[Block]:
    """A file in the trash as text."""
    return [
        _plain(visible(file.slug), "strong"),
        _who(file.at, doer_of(file.actor), None, now, lang, words),
        _plain(f"{words.was_at.format(rel=visible(file.was))}{DOT}{size(file.size)}", "dim"),
        BLANK,
        _plain(words.taken if file.taken else words.take_out, "warn" if file.taken else "accent"),
    ]


def call_blocks(call: AuditRow, *, now: float, lang: Lang, words: ActivityWords) -> list[Block]:
    """A call as text."""
    facts = [
        (words.status, label(call.status), "good" if call.status in _GOOD else "bad"),
        (words.took, f"{call.elapsed_ms:.1f} ms", ""),
        (words.memory, visible(call.slug or "–"), ""),
    ]
    blocks = [
        _plain(label(call.tool_name), "strong"),
        _who(call.at, doer_of(call.actor), call.session_id, now, lang, words),
        BLANK,
    ]
    blocks += [
        Block(((text, role),), ((fit(name, 10), "dim"),), ((" " * 10, ""),)) for name, text, role in facts
    ]
    if not call.detail:
        return blocks
    about = (call.slug,) if call.slug else ()
    return [*blocks, BLANK, _plain(label(written_said(label_said(call.detail, about, lang), lang)))]


# --- what undo and redo do -------------------------------------------------------------------------------------------


def memories_of(record: Record) -> int:
    """How many memories change when a record is inverted."""
    return sum(
        change.role == "primary" and not change.skipped and not in_inbox(change.rel)
        for change in record.changes
    )


def undo_lines(record: Record, verb: Literal["undo", "redo"], words: ActivityWords) -> list[str]:
    """What inverting a record brings back, one sentence each.

    Args:
        record: what is inverted: for redo, the undo.
        verb: which of the two.
        words: sentences.
    """
    lines: list[str] = []
    made = gone = waiting = 0
    index = False
    for change in record.changes:
        if change.skipped or change.rel.startswith(f"{TRASH_FOLDER}/"):
            continue
        if change.role == "index":
            index = True
        elif in_inbox(change.rel):
            waiting += 1
        elif change.role == "archive":
            made += change.after is not None
            gone += change.after is None
        elif change.after is None:
            lines.append(words.comes_back.format(rel=visible(change.rel)))
        elif change.before is None:
            lines.append(words.goes_again.format(rel=visible(change.rel)))
        else:
            text = words.text_before if verb == "undo" else words.text_after
            lines.append(text.format(rel=visible(change.rel)))
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], words.more.format(n=len(lines) - _MOST_LINES + 1)]
    if waiting:
        lines.append((words.wait_again if verb == "undo" else words.wait_no_more).format(n=waiting))
    if made:
        lines.append(words.old_versions.format(n=made))
    if gone:
        lines.append(words.old_versions_back.format(n=gone))
    if index:
        lines.append(words.index_back)
    if record.tie is not None:
        lines.append(words.other_half.format(path=label(record.tie.other)))
    return lines


def undo_question(
    record: Record, verb: Literal["undo", "redo"], lang: Lang, words: ActivityWords
) -> tuple[str, list[str]]:
    """What is asked before undo or redo, and what will come back, one sentence each."""
    template = words.undo_question if verb == "undo" else words.redo_question
    text = label(label_said(record.label, record.slugs, lang))
    return template.format(label=clip(text, 60, ELLIPSIS)), undo_lines(record, verb, words)


def change_rows(record: Record, read: Callable[[str], bytes], words: ActivityWords) -> tuple[Row, ...]:
    """What a change did to the texts, as rows of a difference under each file's name.

    Args:
        record: the change.
        read: gives the bytes the journal keeps under a digest; raises MemtuiError if it has them no more.
        words: sentences.
    """
    rows: list[Row] = []
    for change in record.changes:
        if change.skipped or change.role == "archive" or change.before == change.after:
            continue
        rows.append(Row("heading", change.rel))
        try:
            old, new = (
                "" if digest is None else read(digest).decode("utf-8", "replace")
                for digest in (change.before, change.after)
            )
        except MemtuiError:
            rows.append(Row("same", words.no_texts))
            continue
        rows += unified(compare(old, new))
    return tuple(rows)
