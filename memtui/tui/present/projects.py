"""The stores of the machine as rows and texts, what was found in them, and a transfer before it is made. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui.memory.age import memory_age_label
from memtui.memory.types import Lang
from memtui.memory.wording.units import unit_word
from memtui.tui.filter_query import VALUES
from memtui.tui.present.blocks import BLANK, INDENT, Block, grouped, source_blocks
from memtui.tui.present.lines import Line, Part, clip_line, clip_start, fit, spread, width
from memtui.tui.present.parts import CURSOR, DOT, ELLIPSIS, PROBLEM, gauge, label, short_path, source_lines
from memtui.tui.wording.projects import ProjectsWords, words

if TYPE_CHECKING:
    from memtui.claude.adoption import AdoptionCandidate
    from memtui.claude.store_search import StoreHit
    from memtui.claude.store_summary import StoreSummary
    from memtui.claude.stores import Store
    from memtui.memory.managing.packing import Passage
    from memtui.memory.managing.transfer import TransferPlan

WIDE = 90
"""Cells from which a row shows everything."""
MIDDLE = 62
"""Cells from which it shows every figure; below, how full the index is and whether something is wrong."""
SMALL = 32
"""Cells from which it shows how full the index is."""
SEARCH_VALUES: Mapping[str, tuple[str, ...]] = {
    "type": VALUES["type"],
    "tier": VALUES["tier"],
    "is": ("stale",),
}
"""What a search through all stores may be narrowed to; see `memtui.claude.store_search`."""

_GAUGE, _AGE, _PROBLEMS = 6, 12, 14


@dataclass(frozen=True, slots=True)
class StoreRow:
    """One store in the list.

    Attributes:
        store: which.
        summary: what is in it; None while that is being read.
        current: whether it is the one that is open.
        candidate: why it may be the open project's old store; None if nothing speaks for it.
    """

    store: Store
    summary: StoreSummary | None = None
    current: bool = False
    candidate: AdoptionCandidate | None = None


def store_name(store: Store, project: Path | None, home: Path | None) -> str:
    """What to call a store: its project, with the agent where it is one's; else its folder."""
    path = project or store.project
    if path is None:
        return label(short_path(store.path, home))
    name = short_path(path, home)
    return label(f"{name}{DOT}{store.slug}" if store.kind.startswith("agent") else name)


def row_order(row: StoreRow) -> tuple[object, ...]:
    """The open store first, then what may be its old one, then the one changed last; what is still unread by name."""
    last = row.summary.last_change if row.summary is not None else None
    return (not row.current, row.candidate is None, -(last or 0.0), row.store.kind, row.store.slug)


def store_row(row: StoreRow, cells: int, *, cursor: bool, now: float, home: Path | None, lang: Lang) -> Line:
    """One store in one line; figures give way to the name, from the right."""
    from memtui.claude.store_words import store_words  # noqa: PLC0415 – with the stores themselves

    say, known, summary = words(lang), store_words(lang), row.summary
    sign: Part = (f"{CURSOR} " if cursor else "  ", "cursor-sign")
    name = store_name(row.store, summary.project if summary is not None else None, home)
    mark: Line = (("● ", "mark"),) if row.current else (("? ", "warn"),) if row.candidate else (("  ", ""),)
    if summary is None:
        reading: Line = ((say.being_read, "dim"), (" ", ""))
        return spread((sign, *mark, (name, "name")), reading, cells, ELLIPSIS)
    problems = [known.problems[problem] for problem in summary.problems]
    figures: list[Part] = [(f"{summary.active:>5}", "count")]
    if cells >= SMALL:
        figures.append(("  ", ""))
        figures += _index(summary, bar=_GAUGE if cells >= WIDE else 0)
    if cells >= MIDDLE:
        stale = f"{summary.stale_share:.0%}" if summary.active else ""
        figures.append((f"  {stale:>5}", "warn" if summary.stale_share > 0.5 else "dim"))
        figures.append((f"  {summary.secrets or '':>6}{PROBLEM if summary.secrets else ' '}", "bad"))
        age = memory_age_label(summary.last_change, now, lang) if summary.last_change is not None else ""
        figures += [("  ", ""), (fit(age, _AGE, ELLIPSIS), "dim")]
    if cells >= WIDE:
        text = fit(", ".join(problems), _PROBLEMS, ELLIPSIS) if problems else " " * _PROBLEMS
        figures.append((f"  {text}", "warn"))
    else:
        worst = "bad" if summary.secrets else "warn"
        figures.append((f" {PROBLEM}", worst) if problems or summary.secrets else ("  ", ""))
    right = (*figures, (" ", ""))
    name = clip_start(name, max(8, cells - width((sign, *mark, *right)) - 1), ELLIPSIS)
    return spread((sign, *mark, (name, "name")), right, cells, ELLIPSIS)


def head_line(cells: int, lang: Lang) -> Line:
    """Names of the figures, for the right end of a line of so many cells; empty where they have no room."""
    if cells < MIDDLE:
        return ()
    say = words(lang)
    columns = [
        (" " * (5 - cell_len(say.head_count)) + say.head_count, 5),
        (say.head_index, _GAUGE + 5 if cells >= WIDE else 5),
        (say.head_stale, 5),
        (say.head_secrets, 7),
        (say.head_changed, _AGE),
    ]
    if cells >= WIDE:
        columns.append((say.head_problems, _PROBLEMS))
    right = [(f"{'  ' if n else ''}{fit(name, size)}", "dim") for n, (name, size) in enumerate(columns)]
    end = " " if cells >= WIDE else "   "
    return (*right, (end, ""))


def _index(summary: StoreSummary, *, bar: int) -> list[Part]:
    index = summary.index
    if not index.exists:
        return [(" " * (bar + 5), "dim")]
    percent = min(999, round(index.fill * 100))
    role = "bad" if index.bound is not None else "warn" if index.near else "dim"
    return [*gauge(percent, 100, bar), (f"{percent:>4}%", role)]


def list_title(shown: int, left: int, lang: Lang) -> tuple[str, str]:
    """Title of the list of stores, and how many there are."""
    say = words(lang)
    count = (say.counted_one if shown == 1 else say.counted).format(count=shown)
    return say.title, f"{count}{DOT}{say.reading.format(left=left)}" if left else count


def store_blocks(row: StoreRow, *, now: float, home: Path | None, lang: Lang) -> list[Block]:
    """Everything about one store."""
    from memtui.claude.store_words import store_words  # noqa: PLC0415 – with the stores themselves

    say, known, store, summary = words(lang), store_words(lang), row.store, row.summary
    blocks: list[Block] = []

    def fact(name: str, text: str, role: str = "") -> None:
        lead: Line = ((fit(name, 9), "dim"),)
        blocks.append(Block(((text, role),), lead, ((" " * 9, ""),)))

    projects = (summary.project, *summary.others) if summary is not None else (store.project,)
    named = [label(short_path(path, home)) for path in projects if path is not None]
    fact(say.project, named[0] if named else say.no_project, "name" if named else "dim")
    for other in named[1:]:
        fact("", say.also.format(path=other), "warn")
    fact(say.kind, known.kinds[store.kind] + (f"{DOT}{say.open_now}" if row.current else ""))
    fact(say.place, label(short_path(store.path, home)), "dim")
    if store.read_only is not None:
        blocks += [BLANK, Block(((say.read_only.format(why=known.read_only[store.read_only]), "warn"),))]
    if summary is None:
        return [*blocks, BLANK, Block(((say.being_read, "dim"),))]
    blocks += [BLANK, *(Block(line) for line in _figures(summary, say, now, lang))]
    if summary.problems:
        blocks.append(BLANK)
        lead = ((f"{PROBLEM} ", "warn"),)
        blocks += [
            Block(((known.explained[problem], ""),), lead, (("  ", ""),)) for problem in summary.problems
        ]
    if row.candidate is not None:
        blocks += [BLANK, Block(((say.candidate, "strong"),))]
        for reason in row.candidate.reasons:
            parts = {name: label(str(part)) for name, part in reason.parts.items()}
            text = known.reasons[reason.code].format_map(parts)
            blocks.append(Block(((text, ""),), (("- ", "dim"),), (("  ", ""),)))
        blocks.append(Block(((say.adopt_it, "accent"),)))
    return blocks


def _figures(summary: StoreSummary, say: ProjectsWords, now: float, lang: Lang) -> list[Line]:
    count = (say.memory if summary.active == 1 else say.memories).format(count=summary.active)
    first: list[Part] = [(count, "strong")]
    if summary.historical:
        first.append((DOT + say.old_versions.format(count=summary.historical), "dim"))
    lines: list[Line] = [tuple(first)]
    index = summary.index
    if index.exists:
        percent = round(index.fill * 100)
        role = "bad" if index.bound is not None else "dim"
        lines.append(((say.index_full.format(percent=percent), role), ("  ", ""), *gauge(percent, 100, 12)))
        text = say.index_lines.format(
            lines=index.lines,
            max_lines=index.max_lines,
            size=f"{index.size:,}",
            max_size=f"{index.max_size:,}",
            unit=unit_word(index.unit, lang),
        )
        lines.append(((text, "dim"),))
    else:
        lines.append(((say.no_index, "dim"),))
    if summary.stale:
        lines.append(((say.stale.format(percent=round(summary.stale_share * 100)), "warn"),))
    if summary.secrets:
        text = (say.secret if summary.secrets == 1 else say.secrets).format(count=summary.secrets)
        lines.append(((f"{PROBLEM} {text}", "bad"),))
    changed = summary.last_change
    age = say.changed.format(age=memory_age_label(changed, now, lang)) if changed is not None else say.never
    lines.append(((age, "dim"),))
    return lines


# --- what was found --------------------------------------------------------------------------------------------------


def hit_row(hit: StoreHit, cells: int, *, cursor: bool, store: str) -> Line:
    """One memory that was found: its name, the words around or, if that is the name, what it is; its store."""
    beside = hit.entry.description if hit.place == "name" else hit.excerpt
    left: Line = (
        (f"{CURSOR} " if cursor else "  ", "cursor-sign"),
        (label(hit.entry.name), "name"),
        (f"  {label(beside)}", "dim"),
    )
    return spread(left, clip_line(((store, "type"), (" ", "")), cells // 3, ELLIPSIS), cells, ELLIPSIS)


def hit_title(count: int, *, searching: bool, lang: Lang) -> tuple[str, str]:
    """Title of what was found."""
    say = words(lang)
    return say.found_title, say.searching if searching else say.found.format(count=count)


def hit_blocks(hit: StoreHit, *, now: float, home: Path | None, lang: Lang) -> list[Block]:
    """A memory that was found, whole."""
    entry = hit.entry
    where = label(short_path(entry.path, home))
    place = f"{DOT}{words(lang).line.format(line=hit.line)}" if hit.line else ""
    head = [
        Block(((label(entry.name), "strong"),)),
        Block(((where + place, "dim"),)),
        Block(((memory_age_label(entry.modified, now, lang), "dim"),)),
    ]
    if entry.description:
        head.append(Block(((label(entry.description), "description"),)))
    return [*head, BLANK, *source_blocks(source_lines(entry.content.strip("\n")))]


# --- a transfer ------------------------------------------------------------------------------------------------------


def transfer_blocks(plan: TransferPlan, lang: Lang) -> list[Block]:
    """Everything that a copy, a move or an adoption would do."""
    say = words(lang)
    blocks = grouped(say.taken, [((label(clash.slug), ""),) for clash in plan.clashes], "bad")
    if plan.clashes:
        blocks[-1:] = [Block(((say.taken_hint, "warn"),), INDENT), BLANK]
    for fate, title in (("new", say.arrives), ("merged", say.merged), ("same", say.same)):
        blocks += grouped(title, [_passage(p, say) for p in plan.passages if p.fate == fate])
    secrets = [
        ((label(p.slug), ""), (f"  {label(rule)}", "bad"))
        for p in plan.passages
        for rule in dict.fromkeys(secret.rule for secret in p.secrets)
    ]
    blocks += grouped(say.looks_like, secrets, "bad")
    lost = [((label(p.slug), ""), (f"  [[{label(t)}]]", "dim")) for p in plan.passages for t in p.dangling]
    blocks += grouped(say.dangling, lost, "warn")
    if plan.leaving is not None:
        blocks += grouped(say.leaves, [((label(slug), ""),) for slug in plan.leaving.slugs])
        blocks += grouped(say.dangling_here, [((label(slug), ""),) for slug in plan.leaving.dangling], "warn")
    if plan.is_empty and not plan.clashes:
        blocks.append(Block(((say.nothing, "strong"),)))
    undo = {"copy": say.undo_copy, "move": say.undo_move, "adopt": say.undo_adopt}[plan.verb]
    return [*blocks, Block(((undo, "dim"),))]


def _passage(passage: Passage, say: ProjectsWords) -> Line:
    parts: list[Part] = [(label(passage.slug), "")]
    if passage.new_slug != passage.slug:
        parts += [(" → ", "dim"), (label(passage.new_slug), "name")]
    if passage.versions:
        parts.append((f"  {say.versions.format(count=passage.versions)}", "dim"))
    if passage.alike is not None:
        text = say.alike.format(slug=label(passage.alike.slug), percent=int(passage.alike.bigrams * 100))
        parts.append((f"  {text}", "warn"))
    return tuple(parts)
