"""What the app says in passing, before a change, and where there is nothing to show. Pure, and safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memtui.memory.errors import MemtuiError
from memtui.memory.text import visible
from memtui.memory.types import Lang, MemoryEntry, Severity
from memtui.memory.wording.saying import said
from memtui.tui.actions.registry import BY_ID, keys_text
from memtui.tui.present.lines import clip
from memtui.tui.present.parts import ELLIPSIS, label
from memtui.tui.voice import PLAIN, Voice
from memtui.tui.wording.whole import EN, ZH, words

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.memory.managing.results import ChangeResult


NOTICE_CELLS = 60
"""Widest that Textual makes a notice; half of the screen where that is less."""
NOTICE_FRAME = 4
"""Cells of it that are no text."""
_UNDONE, _DONE_AGAIN = {EN.undone, ZH.undone}, {EN.done_again, ZH.done_again}


def _key(voice: Voice, action_id: str) -> str:
    return keys_text(voice.action(BY_ID[action_id]), first_only=True)


def error_text(error: MemtuiError, lang: Lang) -> tuple[str, str]:
    """Title and text of a notice: what happened; where and what to do."""
    rest = [visible(part, keep_newlines=True) for part in (error.where, said(error.todo, lang)) if part]
    return visible(said(error.what, lang)), "\n".join(rest)


def notice_text(text: str, home: Path | None, cells: int) -> str:
    """A notice with the home folder as ``~``, and with words that are paths broken behind a ``/`` where they are too long.

    Args:
        text: the notice, fit to be shown.
        home: the home folder; None where it is not known.
        cells: how wide a line of it is.
    """
    root = str(home) if home is not None else ""
    if len(root) > 1:
        text = re.sub(rf"(?<![\w/]){re.escape(root)}(?=/|\b)", "~", text)
    return "\n".join(" ".join(_broken(word, cells) for word in line.split(" ")) for line in text.split("\n"))


def _broken(word: str, cells: int) -> str:
    if "/" not in word or len(word) <= cells:
        return word
    rows = [""]
    for part in re.findall(r"[^/]*/|[^/]+", word):
        if rows[-1] and len(rows[-1]) + len(part) > cells:
            rows.append("")
        rows[-1] += part
    return "\n".join(rows)


def empty_state(
    *,
    directory: str,
    missing: bool,
    loading: bool,
    total: int,
    filtering: bool,
    checking: bool = False,
    occupied: bool = False,
    problems: Sequence[str] = (),
    trouble: str = "",
    others: bool = False,
    voice: Voice = PLAIN,
) -> Sequence[str]:
    """What the empty list says: why there is nothing, and what to do next."""
    say = words(voice.lang)
    elsewhere = (
        (say.other_stores.format(projects=_key(voice, "projects"), adopt=_key(voice, "adopt")),)
        if others
        else ()
    )
    if loading:
        return (say.reading,)
    if occupied:
        return (say.occupied, visible(directory), "", say.occupied_todo, say.sample)
    if missing:
        appears = say.appears.format(new=_key(voice, "new"))
        return (say.missing, visible(directory), "", appears, *elsewhere, say.sample)
    if trouble and not total:
        return (say.unreadable, visible(said(trouble, voice.lang)), "", say.unreadable_todo)
    if filtering and total:
        none = say.no_match_yet if checking else say.no_match
        return (none, *map(visible, problems), say.clear_filter.format(back=_key(voice, "back")))
    if total:
        return (say.only_old, say.old_listed.format(history=_key(voice, "history")))
    first = say.write_first.format(new=_key(voice, "new"))
    return (say.none_yet, first, say.first_shows, *elsewhere, say.sample)


def all_unread(entries: Sequence[MemoryEntry]) -> bool:
    """Whether there are files, and none could be read as a memory."""
    return bool(entries) and all(
        any(problem.severity is Severity.ERROR for problem in entry.problems) for entry in entries
    )


def change_text(result: ChangeResult, verb: str, voice: Voice = PLAIN) -> tuple[str, str]:
    """Title and text of the notice after a change."""
    say = words(voice.lang)
    known = {EN.forgotten: say.forgotten, EN.still_true: say.still_true}
    known |= {EN.undone: say.undone, EN.done_again: say.done_again}

    def named(rels: Sequence[str]) -> str:
        return say.join.join(map(visible, rels))

    from memtui.memory.wording.labels import label_said  # noqa: PLC0415 – nothing was changed before the first paint

    lines = [_first_three(result.slugs, voice) or label(label_said(result.label, (), voice.lang))]
    if result.archived:
        lines.append(say.kept_as.format(names=named(result.archived[:3])))
    if result.kept:
        lines.append(say.kept_theirs.format(names=named(result.kept)))
    if result.dangling:
        lines.append(say.dangling.format(names=named(result.dangling[:3])))
    if result.index_pending:
        lines.append(say.index_pending)
    if {"archive", "trash"}.intersection(result.pending):
        lines.append(say.rest_pending)
    if result.elsewhere:
        from memtui.tui.wording.projects import words as said  # noqa: PLC0415 – moves are rare

        there = said(voice.lang)
        text = there.also_there if result.record_id else there.undo_there
        lines.append(text.format(path=label(result.elsewhere)))
        if not result.record_id:
            return known.get(verb, verb), "\n".join(lines)
    if verb in _UNDONE:
        lines.append(say.redo_redoes.format(redo=_key(voice, "redo")))
    elif verb not in _DONE_AGAIN:
        lines.append(say.undo_undoes.format(undo=_key(voice, "undo")))
    return known.get(verb, verb), "\n".join(lines)


def _first_three(slugs: Sequence[str], voice: Voice) -> str:
    say = words(voice.lang)
    names = say.join.join(map(visible, slugs[:3]))
    return names + say.and_more.format(count=len(slugs) - 3) if len(slugs) > 3 else names


def forget_question(
    chosen: Sequence[MemoryEntry], entries: Iterable[MemoryEntry], voice: Voice = PLAIN
) -> tuple[str, list[str]]:
    """What is asked before forgetting, and what will happen, one sentence each."""
    say = words(voice.lang)
    if len(chosen) == 1:
        entry = chosen[0]
        question = say.forget_one.format(name=clip(label(entry.name), 60, ELLIPSIS))
        lines = [say.forget_one_goes.format(file=visible(entry.rel)), say.forget_one_index]
    else:
        names = _first_three([entry.slug for entry in chosen], voice)
        question = say.forget_many.format(count=len(chosen))
        lines = [say.forget_many_go.format(names=names), say.forget_many_index]
    sources = _linking(chosen, entries)
    if sources:
        names = say.join.join(map(label, sources[:3])) + (ELLIPSIS if len(sources) > 3 else "")
        lines.append(say.links_stay.format(names=names))
    lines.append(say.undo_brings_back.format(undo=_key(voice, "undo")))
    return question, lines


def _linking(chosen: Sequence[MemoryEntry], entries: Iterable[MemoryEntry]) -> list[str]:
    """Slugs of the memories that link to one of ``chosen``."""
    from memtui.memory.document.links import LinkResolver, may_link, wiki_links  # noqa: PLC0415 – loaded behind the first paint

    resolver = LinkResolver(chosen)
    gone = {entry.slug for entry in chosen}
    return [
        entry.slug
        for entry in entries
        if may_link(entry)
        and entry.is_active
        and entry.slug not in gone
        and any(resolver.resolve(link.target) for link in wiki_links(entry.content))
    ]
