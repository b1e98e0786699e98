"""The list of memories as lines: title, header, rows. Pure; every text from a file goes through ``visible``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len

from memtui.memory.age import memory_age_days
from memtui.memory.decay import Tier, effective_score, explain_score
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry, Severity
from memtui.preferences import USUAL, Preferences
from memtui.tui.facts import NO_FACTS, Facts
from memtui.tui.filtering import SORTS, Sort, View
from memtui.tui.present.lines import Line, Part, clip, clip_line, fit, width
from memtui.tui.present.parts import (
    BROKEN,
    CURSOR,
    DOT,
    DRAFT,
    DUPLICATE,
    ELLIPSIS,
    MARKED,
    NEVER,
    PROBLEM,
    SEVERITY_ROLES,
    TIER_ROLES,
    TYPE_CODES,
    UNREVIEWED,
    label,
    score,
)
from memtui.tui.wording.browse import EN, BrowseWords

_DESCRIPTION_FROM = 72
"""Cells from which a description stands beside the name."""
_NARROW_BELOW = 30
"""Cells below which only tier, figure and name are shown."""
_LEAST_NAME = 8
"""Cells that the name keeps; where the columns would leave it fewer, the same few are shown."""
_SIGNS = 2
"""Cells of the cursor's and the mark's sign."""
_CELLS: Mapping[str, int] = {"tier": 5, "score": 4, "age": 6, "used": 6, "type": 3, "size": 5}
"""Cells of the columns before the name, the space behind them included."""
_SORTED_BY: Mapping[str, str] = {
    "tier": "score",
    "score": "score",
    "age": "age",
    "used": "used",
    "type": "type",
    "size": "size",
}
"""The order that a click on a column's title asks for."""


def _columns(cells: int, liked: Preferences, sort: Sort) -> list[str]:
    """The columns before the name that are shown: those liked, and the one the list is ordered by."""
    wanted = {*liked.columns, sort.id} & _CELLS.keys()
    if cells < _NARROW_BELOW or _used(wanted) + _LEAST_NAME > cells:
        wanted &= {"tier", sort.id if sort.id in _CELLS else "score"}
    return [name for name in _CELLS if name in wanted]


def _used(columns: Iterable[str]) -> int:
    """Cells before the name."""
    return _SIGNS + sum(_CELLS[name] for name in columns)


def _room(cells: int, columns: Sequence[str]) -> tuple[int, int]:
    """Cells before the name, and of the name where a description stands beside it."""
    used = _used(columns)
    return used, max(24, (cells - used) * 2 // 5)  # the same in every row, whatever its marks


def header(
    cells: int, sort: Sort, *, reverse: bool, liked: Preferences = USUAL, say: BrowseWords = EN
) -> Line:
    """The titles of the columns; a part's target is the order that it stands for.

    Args:
        cells: width.
        sort: the order now.
        reverse: whether it is turned round.
        liked: which columns are shown.
        say: sentences.
    """
    columns = _columns(cells, liked, sort)
    used, name_cells = _room(cells, columns)
    arrow = "↑" if reverse else "↓"

    def part(title: str, room: int, order: str) -> Part:
        active = order == sort.id
        text = f"{title}{arrow}" if active else title
        if active and cell_len(text) >= room:  # a narrow column keeps its arrow, not its last letters
            text = clip(title, max(0, room - 2), "") + arrow
        return (fit(text, room - 1, "") + " " if room else "", f"{'accent' if active else 'dim'}={order}")

    titles = {
        "tier": say.col_tier,
        "score": say.col_score,
        "age": say.col_age,
        "used": say.col_used,
        "type": say.col_type,
        "size": say.col_size,
    }
    parts: list[Part] = [("  ", "")]
    for name in columns:
        order = _SORTED_BY[name]
        shown = part(titles[name], _CELLS[name], order if name == order else "")
        parts.append(shown if name == order else (shown[0], f"dim={order}"))
    wide = cells >= _DESCRIPTION_FROM and liked.height == 1 and "description" in liked.columns
    parts.append(part(say.col_name, name_cells + 2 if wide else max(0, cells - used), "name"))
    if wide:
        parts.append((fit(say.col_description, max(0, cells - used - name_cells - 2)), "dim"))
    return clip_line(tuple(parts), cells)


def row(
    entry: MemoryEntry,
    cells: int,
    *,
    now: float,
    facts: Facts = NO_FACTS,
    sort: Sort = SORTS[0],
    cursor: bool = False,
    liked: Preferences = USUAL,
    say: BrowseWords = EN,
) -> Line:
    """One memory as a line of exactly ``cells`` cells: the columns liked, name, description where there is room, signs."""
    marked = "marked" in facts.flags
    head: list[Part] = [
        (CURSOR if cursor else " ", "cursor-sign"),
        (MARKED if marked else " ", "mark"),
    ]
    columns = _columns(cells, liked, sort)
    head += [_figure(name, entry, facts, now, say) for name in columns]
    used, name_cells = _room(cells, columns)
    tail = marks(entry, facts, say) if cells >= _NARROW_BELOW and "marks" in liked.columns else ()
    room = cells - used - width(tail)
    name = label(entry.name) or visible(entry.slug)
    name_role = "name" if entry.is_active else "dim"
    body: list[Part]
    beside = cells >= _DESCRIPTION_FROM and liked.height == 1 and "description" in liked.columns
    description = label(entry.description) if beside else ""
    if description:
        body = [
            (fit(name, name_cells, ELLIPSIS) + "  ", name_role),
            (fit(description, room - name_cells - 2, ELLIPSIS), "dim"),
        ]
    else:
        body = [(fit(name, max(0, room), ELLIPSIS), name_role)]
    return clip_line((*head, *body, *tail), cells, ELLIPSIS)


def second_line(entry: MemoryEntry, cells: int, *, sort: Sort = SORTS[0], liked: Preferences = USUAL) -> Line:
    """What stands below the name in a row of two lines: the description, else the file."""
    used = min(_room(cells, _columns(cells, liked, sort))[0], max(0, cells - 4))
    text = label(entry.description) if "description" in liked.columns else ""
    return ((" " * used, ""), (fit(text or visible(entry.rel), max(0, cells - used), ELLIPSIS), "dim"))


def _figure(column: str, entry: MemoryEntry, facts: Facts, now: float, say: BrowseWords) -> Part:
    if column == "tier":
        if not entry.is_active:
            return (fit(say.row_old, 5), "dim")
        tier = explain_score(entry, now).tier
        word = {Tier.HOT: say.row_hot, Tier.WARM: say.row_warm, Tier.COOL: say.row_cool}[tier]
        return (fit(word, 5), TIER_ROLES[tier])
    if column == "score":
        return (f"{score(effective_score(entry, now)):>3} ", "score")
    if column == "age":
        return (f"{f'{memory_age_days(entry.modified, now)}d':>5} ", "score")
    if column == "used":
        if facts.used is None:
            return (f"{NEVER:>5} ", "dim")
        return (f"{f'{memory_age_days(facts.used, now)}d':>5} ", "score")
    if column == "size":
        size = entry.size
        return (f"{size if size < 1000 else f'{size / 1000:.0f}k':>4} ", "score")
    kind = TYPE_CODES.get(entry.memory_type, "??") if entry.memory_type else "??"
    return (f"{kind} ", "type" if entry.memory_type else "dim")


def marks(entry: MemoryEntry, facts: Facts, say: BrowseWords = EN) -> Line:
    """The signs at the end of a row: scope, duplicate, problem, broken names, changed by others, unsaved text."""
    signs: list[Part] = []
    if entry.scope == "team":
        signs.append((f" {say.row_team}", "dim"))
    if "duplicate" in facts.flags:
        signs.append((f" {DUPLICATE}", "warn"))
    if facts.worst in {Severity.ERROR, Severity.WARNING}:
        signs.append((f" {PROBLEM}", SEVERITY_ROLES[facts.worst]))
    if facts.broken:
        signs.append((f" {BROKEN}{facts.broken}", "bad"))
    if "unreviewed" in facts.flags:
        signs.append((f" {UNREVIEWED}", "accent"))
    if "draft" in facts.flags:
        signs.append((f" {DRAFT}", "warn"))
    return (*signs, (" ", "")) if signs else ()


def list_title(
    view: View, shown: int, total: int, past: int, *, marked: int = 0, say: BrowseWords = EN
) -> tuple[str, str]:
    """Title and count of the list: how it is ordered, how many of how many.

    Args:
        view: filter and order.
        shown: rows.
        total: active memories.
        past: old versions.
        marked: how many are marked.
        say: sentences.
    """
    title = f"{say.memories}{DOT}{say.by.format(sort=getattr(say, f'sort_{SORTS[view.sort].id}'))}"
    if view.reverse:
        title += say.reversed
    if view.history:
        title += DOT + say.with_old.format(n=past)
        total += past
    count = str(shown) if shown == total else say.of.format(shown=shown, total=total)
    return title, f"{say.marked_some.format(n=marked)}{DOT}{count}" if marked else count
