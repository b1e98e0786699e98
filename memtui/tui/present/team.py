"""The team screen as lines and blocks: state, arrivals, what both changed, what is held back, the log. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from memtui.memory.document.draft import Draft
from memtui.memory.document.frontmatter import FrontmatterError, edit
from memtui.memory.document.parse import read
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.memory.versions.diffrows import Row, unified
from memtui.memory.versions.worddiff import compare
from memtui.memory.wording.saying import said
from memtui.team.repo import LogEntry
from memtui.team.resolving import Decision, undecided
from memtui.team.results import Arrival, Blocked, Preview, TeamStatus
from memtui.team.vet import Held
from memtui.team.wording import blocked_said, held_said
from memtui.tui.present.activity import ago
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.lines import Line, Part, clip_line, fit, spread
from memtui.tui.present.parts import CURSOR, DOT, ELLIPSIS, label
from memtui.tui.wording.activity import words as activity_words
from memtui.tui.wording.team import TeamWords

Tab = Literal["arrived", "clashes", "held", "log"]
TABS: tuple[Tab, ...] = ("arrived", "clashes", "held", "log")
TAB_ACTIONS = {"arrived": "tab_arrived", "clashes": "tab_clashes", "held": "tab_held", "log": "tab_team_log"}
MOST_LOGGED = 200
"""Commits shown, the newest (ours)."""
MOST_NAMED = 12
"""Memories named in a question; the rest are counted (ours)."""
Item = Arrival | Decision | Held | Blocked | LogEntry
_AGE_CELLS = 12
_KIND_CELLS = 9


@dataclass(frozen=True, slots=True)
class TeamLoaded:
    """What was read for the screen.

    Attributes:
        status: how things stand.
        decisions: what both sides changed.
        log: the last commits, newest first.
        trouble: what could not be read, fit to be shown; empty if all was.
    """

    status: TeamStatus
    decisions: tuple[Decision, ...] = ()
    log: tuple[LogEntry, ...] = ()
    trouble: str = ""


def items_of(loaded: TeamLoaded | None, tab: Tab) -> tuple[Item, ...]:
    """The rows of a list; an arrival that clashes is among what both changed."""
    if loaded is None:
        return ()
    status = loaded.status
    lists: dict[Tab, tuple[Item, ...]] = {
        "arrived": plain_arrivals(loaded),
        "clashes": loaded.decisions,
        "held": (*status.blocked, *status.held),
        "log": loaded.log,
    }
    return lists[tab]


def plain_arrivals(loaded: TeamLoaded) -> tuple[Arrival, ...]:
    """The arrivals that replace nothing of ours."""
    clashing = undecided(loaded.status.arrivals, loaded.decisions)
    return tuple(each for each in loaded.status.arrivals if each not in clashing)


def key_of(item: Item) -> Hashable:
    """What a row is known by; another text of an arrival is another row."""
    if isinstance(item, Arrival):
        return ("arrival", item.rel, item.oid)
    if isinstance(item, Decision):
        return ("clash", item.slug, item.id)
    if isinstance(item, Held):
        return ("held", item.rel, item.oid)
    return ("blocked", item.rel) if isinstance(item, Blocked) else item.commit


# --- state -----------------------------------------------------------------------------------------------------------


def to_send(status: TeamStatus) -> int:
    """What others do not have yet: commits, or else memories that are in none; what is kept back does not count."""
    return status.ahead or max(0, status.unsaved - len(status.blocked))


def team_mark(status: TeamStatus | None, words: TeamWords) -> Line:
    """What the top line says of the team: what is to be sent, what waits; empty where nothing is shared."""
    if status is None or not status.configured:
        return ()
    up, down = to_send(status), len(status.arrivals)
    parts = [f"↑{up}" if up else "", f"↓{down}" if down else ""]
    counts = "".join(f" {part}" for part in parts if part)
    error = status.last_error
    if error is None:
        return ((words.mark + counts, "warn" if down or status.clashes else "dim"),)
    offline = error.code in {"offline", "timeout", "gone", "no-git", "auth"}
    return (((words.mark_offline if offline else words.mark_error) + counts, "warn"),)


def place_line(status: TeamStatus, words: TeamWords) -> Line:
    """Where it is shared."""
    return (
        (" ", ""),
        (words.place.format(remote=label(status.remote), branch=label(status.branch)), "strong"),
    )


def state_line(
    status: TeamStatus, *, syncing: bool, read_only: bool, now: float, lang: Lang, words: TeamWords
) -> Line:
    """What is to be sent, and when it was synced."""
    up = to_send(status)
    when = words.never
    if status.last_sync is not None:
        when = words.synced.format(ago=ago(status.last_sync, now, lang, activity_words(lang)))
    return (
        (words.to_send.format(count=up) if up else words.in_step, "warn" if up else "dim"),
        (DOT, "dim"),
        (words.paused, "warn") if read_only else (words.syncing if syncing else when, "dim"),
        (" ", ""),
    )


def error_lines(status: TeamStatus, trouble: str, lang: Lang, words: TeamWords) -> tuple[str, ...]:
    """What went wrong and the way on, a sentence each; fit to be shown."""
    lines = []
    if status.rebuilt:
        lines.append(words.damaged)
    error = status.last_error
    if error is not None:
        what, todo = visible(said(error.what, lang)), visible(said(error.todo, lang))
        lines.append(words.error.format(what=what, todo=todo) if todo else what)
    return (*lines, *([trouble] if trouble else ()))


def tabs_line(loaded: TeamLoaded | None, tab: Tab, words: TeamWords) -> Line:
    """The lists to choose from, each with how much it holds; a click goes there."""
    names = {"arrived": words.arrived, "clashes": words.clashes, "held": words.held, "log": words.log}
    parts: list[Part] = [(" ", "")]
    for number, name in enumerate(TABS, 1):
        count = len(items_of(loaded, name))
        text = f"{number} {names[name]} {count}" if count and name != "log" else f"{number} {names[name]}"
        here = name == tab
        role = "key" if here else "warn" if count and name in {"arrived", "clashes"} else "dim"
        parts += [(f"[{text}]" if here else f" {text} ", f"{role}={TAB_ACTIONS[name]}"), ("  ", "")]
    return tuple(parts)


def empty_text(loaded: TeamLoaded | None, tab: Tab, *, off: bool, words: TeamWords) -> Sequence[str]:
    """What an empty list says; where nothing is shared, how to begin."""
    if off:
        return words.switched_off
    if loaded is None:
        return (words.reading,)
    if not loaded.status.configured:
        return (*words.not_shared, words.how_to_share)
    return (
        {
            "arrived": words.empty_arrived,
            "clashes": words.empty_clashes,
            "held": words.empty_held,
            "log": words.empty_log,
        }[tab],
    )


# --- rows ------------------------------------------------------------------------------------------------------------


def item_row(item: Item, cells: int, *, cursor: bool, now: float, lang: Lang, words: TeamWords) -> Line:
    """A row of any of the lists."""
    if isinstance(item, Arrival):
        return _row(item.when, _kind(item, words), _short(item.slug), item.author, cells, cursor, now, lang)
    if isinstance(item, Decision):
        return _row(item.at, "", _short(item.slug), clash_said(item, words), cells, cursor, now, lang)
    if isinstance(item, Held):
        return _named(item.rel, held_said(item, lang), "warn", cells, cursor)
    if isinstance(item, Blocked):
        return _named(item.rel, blocked_said(item, lang), "bad", cells, cursor)
    subject = item.subject.removeprefix("memtui: ")
    return _row(item.when, "", subject, item.author, cells, cursor, now, lang)


def _row(
    at: float,
    kind: str,
    name: str,
    right: str,
    cells: int,
    cursor: bool,
    now: float,
    lang: Lang,
) -> Line:
    age = ago(at, now, lang, activity_words(lang)) if at else ""
    head: Line = ((CURSOR if cursor else " ", "cursor-sign"), (f" {fit(age, _AGE_CELLS, ELLIPSIS)} ", "dim"))
    middle: Line = ((fit(kind, _KIND_CELLS, ELLIPSIS), "accent"),) if kind else ()
    tail = clip_line(((label(right), "dim"),), cells // 3, ELLIPSIS)  # others chose its length
    return spread((*head, *middle, (label(name), "name")), (*tail, (" ", "")), cells, ELLIPSIS)


def _short(slug: str) -> str:
    """A memory's name where all of them are the team's."""
    return slug.removeprefix("team/")


def _named(name: str, why: str, role: str, cells: int, cursor: bool) -> Line:
    head: Line = ((CURSOR if cursor else " ", "cursor-sign"), (" ", ""), (label(name), "name"))
    return clip_line((*head, (DOT, "dim"), (label(why), role)), cells, ELLIPSIS)


def _kind(arrival: Arrival, words: TeamWords) -> str:
    return {"new": words.kind_new, "changed": words.kind_changed, "deleted": words.kind_deleted}[arrival.kind]


def clash_said(decision: Decision, words: TeamWords) -> str:
    """What the two sides did."""
    if decision.other is not None:
        name = label(decision.other.removeprefix("team/"))
        return (words.clash_renamed if decision.kind == "both-renamed" else words.clash_named).format(
            name=name
        )
    if decision.ours is None:
        return words.clash_here
    return words.clash_there if decision.theirs is None else words.clash_both


# --- one row, whole --------------------------------------------------------------------------------------------------


def item_title(item: Item | None, words: TeamWords) -> str:
    """Title of what stands beside the list."""
    if isinstance(item, Arrival):
        return words.arrival_title
    if isinstance(item, Decision):
        return words.clash_title
    if isinstance(item, Held | Blocked):
        return words.held_title
    return words.commit_title.format(id=item.commit[:8]) if item is not None else ""


def diff_rows(before: bytes | None, after: bytes | None, heading: str) -> tuple[Row, ...]:
    """Two texts of a file compared, under a line that names it."""
    old, new = ((data or b"").decode("utf-8", "replace") for data in (before, after))
    return (Row("heading", heading), *unified(compare(old, new)))


def item_blocks(item: Held | Blocked | LogEntry, *, now: float, lang: Lang, words: TeamWords) -> list[Block]:
    """Something held back, or a commit, as text."""
    if isinstance(item, LogEntry):
        return _commit_blocks(item, now=now, lang=lang, words=words)
    held = isinstance(item, Held)
    why = held_said(item, lang) if isinstance(item, Held) else blocked_said(item, lang)
    blocks = [
        _plain(label(f"team/{item.rel}"), "strong"),
        _plain(words.is_held if held else words.is_blocked, "dim"),
        BLANK,
        _plain(label(why), "warn"),
    ]
    if item.fingerprint:
        blocks.append(_plain(words.fingerprint.format(fingerprint=label(item.fingerprint)), "dim"))
    blocks.append(BLANK)
    if isinstance(item, Held):
        blocks.append(_plain(words.how_held))
        if item.code == "secret":
            blocks.append(_plain(words.how_held_secret))
    else:
        blocks.append(_plain(words.how_blocked_name if item.rule == "name" else words.how_blocked))
    return blocks


def _commit_blocks(entry: LogEntry, *, now: float, lang: Lang, words: TeamWords) -> list[Block]:
    author = label(entry.author) or words.nobody
    who = DOT.join((words.by.format(author=author), ago(entry.when, now, lang, activity_words(lang))))
    blocks = [_plain(label(entry.subject.removeprefix("memtui: ")), "strong"), _plain(who, "dim"), BLANK]
    if not entry.changes:
        return [*blocks, _plain(words.joined_commit, "dim")]
    for rel, oid in entry.changes.items():
        slug = label(f"team/{rel.removesuffix('.md')}")
        text = (words.commit_changed if oid else words.commit_removed).format(slug=slug)
        blocks.append(Block(((text, ""),), (("· ", "dim"),), (("  ", ""),)))
    return blocks


def _plain(text: str, role: str = "") -> Block:
    return Block(((text, role),))


# --- beginning -------------------------------------------------------------------------------------------------------


def preview_lines(preview: Preview, lang: Lang, words: TeamWords) -> list[str]:
    """What a first sync would share, and what not, fit to be shown."""
    count, shown = len(preview.rels), [label(rel.removesuffix(".md")) for rel in preview.rels[:MOST_NAMED]]
    if count > MOST_NAMED:
        shown.append(words.and_more.format(count=count - MOST_NAMED))
    told = words.preview_one if count == 1 else words.preview
    lines = [told.format(count=count, names=words.join.join(shown)) if count else words.preview_none]
    stays = [(each.rel, blocked_said(each, lang)) for each in preview.blocked]
    stays += [(rel, words.preview_left) for rel in preview.left]
    lines += [words.preview_stays.format(name=label(rel), why=label(why)) for rel, why in stays[:MOST_NAMED]]
    if len(stays) > MOST_NAMED:
        lines.append(words.and_more.format(count=len(stays) - MOST_NAMED))
    return lines


# --- deciding --------------------------------------------------------------------------------------------------------


def accept_question(arrivals: Sequence[Arrival], words: TeamWords) -> tuple[str, list[str]]:
    """What is asked before all are accepted, and which those are."""
    lines = [f"{_kind(each, words)}: {label(each.slug)}" for each in arrivals[:MOST_NAMED]]
    if len(arrivals) > MOST_NAMED:
        lines.append(words.and_more.format(count=len(arrivals) - MOST_NAMED))
    asked = words.accept_all_one if len(arrivals) == 1 else words.accept_all
    return asked.format(count=len(arrivals)), lines


def sides_of(decision: Decision) -> tuple[Draft, Draft] | None:
    """Both texts as drafts, mine first; None where one is no text."""
    drafts = []
    for data in (decision.ours, decision.theirs):
        document = read(data) if data is not None else None
        if document is None or any("\udc80" <= char <= "\udcff" for char in document.body):
            return None
        drafts.append(
            Draft(
                decision.slug,
                document.name or "",
                document.description or "",
                document.type_text or "",
                document.body,
            )
        )
    return drafts[0], drafts[1]


def merged_text(decision: Decision, draft: Draft) -> str | None:
    """The whole file of a merged draft, with whatever else stands in theirs; None where that cannot be written."""
    try:
        return edit(
            decision.theirs or b"",
            name=draft.name or None,
            description=draft.description or None,
            memory_type=draft.type_text or None,
            body=draft.content,
        ).decode()
    except (FrontmatterError, UnicodeDecodeError):
        return None
