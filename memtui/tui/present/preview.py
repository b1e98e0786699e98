"""The preview: which text is injected, who is in it and why. Pure: time, language and findings are passed in.

The texts are those that ``memtui reminder`` and ``memtui index --loaded`` print; a test holds that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Literal

from memtui.memory.decay import explain_score
from memtui.memory.index.entrypoint import Loaded, load_entrypoint
from memtui.memory.index.lines import parse_index
from memtui.memory.reminder import (
    Fitting,
    assemble_system_prompt,
    build_reminder,
    estimate_tokens,
    fit_reminder,
    remindable,
)
from memtui.memory.text import visible
from memtui.memory.types import Lang, MemoryEntry
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.lines import Line, Part, clip_line, spread
from memtui.tui.present.parts import (
    BROKEN,
    FOUND,
    TIER_ROLES,
    gauge,
    label,
    reminder_line,
    score,
    source_lines,
)
from memtui.tui.wording.preview import PreviewWords, words
from memtui.tui.wording.preview_examples import examples

if TYPE_CHECKING:
    from memtui.memory.conventions import SizeUnit

Mode = Literal["reminder", "index", "prompt", "compaction"]
MODES: tuple[Mode, ...] = ("reminder", "index", "prompt", "compaction")
BUDGETS = (None, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 16_000, 25_000)
"""Budgets to choose from, characters; 10,000 is where the client spills what a hook injects (measured)."""
MOST_OF_A_LOST_LINE = 2_000
"""Characters shown of a line that does not load (ours)."""
MAX_DAYS = 365
"""How far one can look ahead, days (ours: four half-lives and more)."""
ROWS = 2
"""Lines that tell of one memory."""
_TRACK = 16


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to see.

    Attributes:
        mode: which text.
        entries: most memories in the reminder.
        budget: most characters of the reminder, its frame included; None for no bound.
        days: as of how many days from now.
        lang: language of the text.
    """

    mode: Mode = "reminder"
    entries: int = 5
    budget: int | None = None
    days: int = 0
    lang: Lang = "en"


@dataclass(frozen=True, slots=True)
class Known:
    """What the text is made from.

    Attributes:
        entries: all memories, active first, then newest first.
        index_text: the index.
        unit: what its size is measured in.
        broken: by slug, what a memory names and the project no longer has.
        now: the time it is looked at as of, Unix seconds.
        off: why the client loads nothing of it; empty if it does.
        picked: the memories that go with a question, in order; None where nothing was asked.
        allowed: hashes of values that are no secrets; others are not injected.
    """

    entries: Sequence[MemoryEntry]
    index_text: str
    unit: SizeUnit
    broken: Mapping[str, Sequence[str]]
    now: float
    off: str = ""
    picked: Sequence[MemoryEntry] | None = None
    allowed: Container[str] = frozenset()


# --- the texts -------------------------------------------------------------------------------------------------------


def choose(wish: Wish, known: Known) -> Fitting:
    """The most recent memories in force that can be read, in order, until there are enough or the budget is full."""
    wanted = known.picked
    if wanted is None:
        wanted = [*islice(filter(remindable, known.entries), max(0, wish.entries))]
    return fit_reminder(
        wanted, wish.budget, now=known.now, lang=wish.lang, broken=known.broken, allowed=known.allowed
    )


def _reminder(entries: Sequence[MemoryEntry], wish: Wish, known: Known) -> str:
    return build_reminder(entries, now=known.now, lang=wish.lang, broken=known.broken, allowed=known.allowed)


@dataclass(frozen=True, slots=True)
class Preview:
    """A text that is injected, with what is needed to explain it.

    Attributes:
        wish: what was asked.
        known: what it was made from.
        text: the text, exactly; empty if nothing is injected.
        chosen: the memories of the reminder.
        loaded: what a reader gets of the index.
        lines: by file, the first line of the index that names it.
        inside: how many active memories are in.
        total: active memories.
        unread: places in ``known.entries`` of active memories that cannot be read, ascending.
    """

    wish: Wish
    known: Known
    text: str
    chosen: Fitting
    loaded: Loaded
    lines: Mapping[str, int]
    inside: int
    total: int
    unread: tuple[int, ...]

    @property
    def file_text(self) -> str:
        """The text as a file: as the command line prints it, a prompt with a final line end, an index as it is."""
        return f"{self.text}\n" if self.wish.mode in {"reminder", "prompt"} else self.text


@lru_cache(maxsize=4)
def _index(text: str, unit: SizeUnit, lang: Lang) -> tuple[Loaded, Mapping[str, int]]:
    """What loads of an index, and by file the first line that names it; worked out once, not at every key."""
    lines: dict[str, int] = {}
    for named in parse_index(text).entries:
        for rel in named.link.candidates:
            lines.setdefault(rel, named.line)
    return load_entrypoint(text, unit, lang=lang), lines


def preview(wish: Wish, known: Known) -> Preview:
    """Make the text."""
    chosen = choose(wish, known)
    reminder = _reminder(chosen.entries, wish, known)
    loaded, lines = _index(known.index_text, known.unit, wish.lang)
    total = bisect_left(known.entries, True, key=lambda entry: not entry.is_active)
    # Few are odd to read: of ten thousand the rest is passed over without a call for each.
    odd = [at for at, entry in enumerate(islice(known.entries, total)) if entry.problems]
    unread = tuple(at for at in odd if not known.entries[at].is_readable)
    if wish.mode in {"reminder", "prompt"}:
        inside = len(chosen.entries)
    elif known.off:
        inside = 0
    else:
        cut = loaded.cut_line
        inside = sum(
            entry.is_active and (line := lines.get(entry.rel)) is not None and (cut is None or line < cut)
            for entry in known.entries
        )
    match wish.mode:
        case "reminder":
            text = reminder
        case "prompt":
            others = examples(wish.lang)
            text = assemble_system_prompt(
                others.identity, others.tools, others.skills, reminder, others.principles
            )
        case "index" | "compaction":
            text = loaded.text
    return Preview(wish, known, text, chosen, loaded, lines, inside, total, unread)


def text_blocks(shown: Preview, lang: Lang) -> list[Block]:
    """The text as it is shown: frame and content told apart, and below it what does not load.

    Args:
        shown: the preview.
        lang: language of the screen.
    """
    say = words(lang)
    if not shown.text:
        by_index = shown.wish.mode in {"index", "compaction"}
        return [Block(((say.nothing_index if by_index else say.nothing_reminder, "dim"),))]
    if shown.wish.mode == "reminder":
        return [Block(reminder_line(line)) for line in shown.text.split("\n")]
    if shown.wish.mode == "prompt":
        return _prompt_blocks(shown)
    blocks = [Block(_index_line(line, shown.loaded.warning)) for line in source_lines(shown.text)]
    if shown.known.off:
        blocks[:0] = [Block(((visible(say.off.format(reason=shown.known.off)), "bad"),)), BLANK]
    if shown.loaded.cut_line is not None:
        rest = source_lines(shown.known.index_text)[shown.loaded.cut_line - 1 :]
        notice = say.not_loaded.format(line=shown.loaded.cut_line)
        blocks += [BLANK, Block(((notice, "bad"),)), *(Block(((_clipped(line), "off"),)) for line in rest)]
    return blocks


def _clipped(line: str) -> str:
    """As much of a line that does not load as tells which it is: laying out all of a very long one takes seconds."""
    return line if len(line) <= MOST_OF_A_LOST_LINE else f"{line[:MOST_OF_A_LOST_LINE]}…"


def _prompt_blocks(shown: Preview) -> list[Block]:
    reminder = _reminder(shown.chosen.entries, shown.wish, shown.known)
    before, _, after = shown.text.partition(reminder) if reminder else (shown.text, "", "")
    blocks = [_example_line(line) for line in before.removesuffix("\n\n").split("\n")]
    if reminder:
        blocks += [BLANK, *(Block(reminder_line(line)) for line in reminder.split("\n")), BLANK]
        blocks += [_example_line(line) for line in after.removeprefix("\n\n").split("\n")]
    return blocks


def _example_line(line: str) -> Block:
    return Block(((line, "title" if line.startswith("# ") else "dim"),))


def _index_line(line: str, warning: str | None) -> Line:
    if warning is not None and line == visible(warning):
        return ((line, "bad"),)
    if line.startswith("#"):
        return ((line, "heading"),)
    return ((line, ""),)


# --- what stands around them -----------------------------------------------------------------------------------------


def mode_title(mode: Mode, lang: Lang) -> str:
    """What a text is called."""
    say = words(lang)
    return {
        "reminder": say.reminder,
        "index": say.index_word,
        "prompt": say.prompt,
        "compaction": say.compaction,
    }[mode]


def mode_note(mode: Mode, lang: Lang, *, pending: bool) -> Line:
    """What a text is, in one line."""
    say = words(lang)
    note = {
        "reminder": say.note_reminder,
        "index": say.note_index,
        "prompt": say.note_prompt,
        "compaction": say.note_compaction,
    }[mode]
    waiting = pending and mode in {"reminder", "prompt"}
    return ((f" {note}", "dim"), *(((f"  {say.pending}", "warn"),) if waiting else ()))


def tabs(mode: Mode, lang: Lang) -> Line:
    """The texts to choose from; each has a number, which is its key. The one that shows is told apart without a colour."""
    parts: list[Part] = []
    for number, each in enumerate(MODES, 1):
        on = each == mode
        text = f"{number} {mode_title(each, lang)}"
        parts.append((f"[{text}]" if on else f" {text} ", f"{'key' if on else 'dim'}=preview_{each}"))
        parts.append((" ", ""))
    return tuple(parts)


def cost(shown: Preview, lang: Lang) -> str:
    """How long the text is, and what a model would take it for, roughly."""
    say = words(lang)
    if not shown.text:
        return say.nothing
    return say.cost.format(chars=len(shown.text), tokens=estimate_tokens(shown.text))


def controls(wish: Wish, used: int, lang: Lang, cells: int) -> Line:
    """What can be turned: entries, budget with its gauge, the day, the language; each end can be clicked."""
    say = words(lang)
    parts: list[Part] = []
    if wish.mode in {"reminder", "prompt"}:
        parts += [(f" {say.entries.format(count=wish.entries)} ", ""), ("−", "key=fewer"), (" ", "")]
        parts += [("+", "key=more"), ("   ", "")]
        budget = say.no_budget if wish.budget is None else say.budget.format(count=wish.budget)
        parts += [(f"{budget} ", "key=next_budget")]
        if wish.budget is not None:
            parts += [*gauge(used, wish.budget, 8), (" ", "")]
        parts += [("  ", ""), (f"{say.as_of} ", "dim")]
        when = say.today if not wish.days else say.in_days.format(days=wish.days)
        if cells >= 90:
            place = round((wish.days / MAX_DAYS) ** 0.5 * (_TRACK - 1))
            parts += [
                ("─" * place, "gauge"),
                ("●", "accent"),
                ("─" * (_TRACK - 1 - place), "rule"),
                (" ", ""),
            ]
        parts += [("←", "key=earlier"), (f" {when} ", ""), ("→", "key=later"), ("   ", "")]
    else:
        parts += [(" ", "")]
    parts += [(words(wish.lang).language, "dim=prompt_language")]
    return tuple(parts)


# --- who is in, and why ----------------------------------------------------------------------------------------------


def verdict(shown: Preview, place: int, lang: Lang, cells: int) -> tuple[Line, Line]:
    """One memory's two lines: in or out, rank, name, score with its formula; then the reason.

    Args:
        shown: the preview.
        place: which of ``known.entries``.
        lang: language of the screen.
        cells: width.
    """
    say, entry = words(lang), shown.known.entries[place]
    inside, reason = _reason(shown, place, say)
    parts = explain_score(entry, shown.known.now)
    name = label(entry.name) or visible(entry.slug)
    left: Line = (
        (f"{FOUND if inside else BROKEN} ", "good" if inside else "dim"),
        (f"{place + 1:>3}  ", "dim"),
        (name, "name" if inside else "dim"),
    )
    if entry.is_active:
        tier = {"HOT": say.tier_hot, "WARM": say.tier_warm, "COOL": say.tier_cool}[parts.tier.name]
        right: Line = (
            (f" {score(parts.score)}", "score"),
            (f" = {score(parts.decay)} × ", "dim"),
            (f"{tier} {parts.tier.weight:.1f}", TIER_ROLES[parts.tier]),
        )
    else:
        right = ((f" {score(parts.score)}", "score"),)
    return spread(left, right, cells), clip_line((("       ", ""), (reason, "" if inside else "dim")), cells)


def _reason(shown: Preview, place: int, say: PreviewWords) -> tuple[bool, str]:
    entry, wish = shown.known.entries[place], shown.wish
    if not entry.is_active:
        successor = entry.superseded_by
        return False, say.old_version_of.format(slug=label(successor)) if successor else say.old_version
    if wish.mode in {"index", "compaction"}:
        return _index_reason(shown, entry, say)
    if not entry.is_readable:
        return False, say.unreadable
    chosen = shown.chosen
    place -= bisect_left(shown.unread, place)
    if place < len(chosen.entries):
        return True, say.in_reminder.format(chars=chosen.sizes[place])
    if place >= len(chosen.sizes):
        return False, say.beyond_entries.format(count=wish.entries)
    if place == len(chosen.entries):
        return False, say.no_room.format(chars=chosen.sizes[place], left=chosen.left)
    return False, say.behind_full


def _index_reason(shown: Preview, entry: MemoryEntry, say: PreviewWords) -> tuple[bool, str]:
    if shown.known.off:
        return False, say.off_reason
    line = shown.lines.get(entry.rel)
    if line is None:
        return False, say.no_line
    cut = shown.loaded.cut_line
    if cut is not None and line >= cut:
        return False, say.cut_line.format(line=line)
    text = say.line_returns if shown.wish.mode == "compaction" else say.loaded_line
    return True, text.format(line=line)
