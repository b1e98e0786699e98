"""Who goes with a question, in the preview: offline, and by a model beside it. Pure."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property

from memtui.memory.decay import explain_score
from memtui.memory.relevance.ranking import Ranked
from memtui.memory.relevance.selecting import Selection, Why
from memtui.memory.relevance.told import by_said, count_said, relevance_said, tokens_said, why_said
from memtui.memory.text import visible
from memtui.memory.types import Lang, MemoryEntry
from memtui.tui.present.lines import Line, clip_line, spread
from memtui.tui.present.parts import BROKEN, FOUND, TIER_ROLES, label, score
from memtui.tui.wording.preview import words as preview_words
from memtui.tui.wording.selection import words


@dataclass(frozen=True)
class Row:
    """One memory that was looked at.

    Attributes:
        entry: which.
        offline: whether the offline choice takes it.
        model: whether the model takes it; None where none has chosen.
        why: why the choice that is shown leaves it out; None if it takes it.
        relevance: what it has in common with the question.
        tool: the tool in use that it is a plain note about; empty for none.
    """

    entry: MemoryEntry
    offline: bool
    model: bool | None
    why: Why | None
    relevance: Ranked | None
    tool: str


@dataclass(frozen=True)
class Choices:
    """The choices that there are for one question.

    Attributes:
        offline: by what the memories say.
        asked: what came of asking a model; None if none was asked.
    """

    offline: Selection
    asked: Selection | None = None

    @property
    def by_model(self) -> Selection | None:
        """The model's choice, if it made one."""
        return self.asked if self.asked is not None and self.asked.by == "model" else None

    @property
    def shown(self) -> Selection:
        """The choice that the reminder is made of: the model's, else the offline one."""
        return self.by_model or self.offline

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All that was looked at: what the choice shown takes, what the other takes, the relevant ones, the rest."""
        shown, model = self.shown, self.by_model
        offline = {chosen.entry.slug for chosen in self.offline.chosen}
        taken = {chosen.entry.slug for chosen in model.chosen} if model is not None else None

        def row(entry: MemoryEntry, why: Why | None, relevance: Ranked | None, tool: str) -> Row:
            by_model = None if taken is None else entry.slug in taken
            return Row(entry, entry.slug in offline, by_model, why, relevance, tool)

        inside = [row(chosen.entry, None, chosen.relevance, chosen.tool) for chosen in shown.chosen]
        outside = [row(left.entry, left.why, left.relevance, left.tool) for left in shown.left_out]
        outside.sort(key=lambda each: (not each.offline, -(each.relevance.score if each.relevance else 0.0)))
        return (*inside, *outside)


def row_lines(
    choices: Choices, place: int, taken: Container[str], now: float, lang: Lang, cells: int
) -> tuple[Line, Line]:
    """One memory's two lines: in or out, by whom, name, score with its formula; then the reason.

    Args:
        choices: the choices.
        place: which of their ``rows``.
        taken: slugs of what the reminder took; a budget may leave out what was chosen.
        now: Unix seconds.
        lang: language of the screen.
        cells: width.
    """
    say, row = words(lang), choices.rows[place]
    entry, inside = row.entry, row.entry.slug in taken
    parts = explain_score(entry, now)
    left: Line = (
        (f"{FOUND if inside else BROKEN} ", "good" if inside else "dim"),
        (f"{place + 1:>3}  ", "dim"),
        (label(entry.name) or visible(entry.slug), "name" if inside else "dim"),
    )
    tier = {
        "HOT": preview_words(lang).tier_hot,
        "WARM": preview_words(lang).tier_warm,
        "COOL": preview_words(lang).tier_cool,
    }[parts.tier.name]
    right: Line = (
        (f" {score(parts.score)}", "score"),
        (f" = {score(parts.decay)} × ", "dim"),
        (f"{tier} {parts.tier.weight:.1f}", TIER_ROLES[parts.tier]),
    )
    common = relevance_said(row.relevance, row.tool, lang)
    if row.why is not None:
        reason = say.left_out.format(reason=why_said(row.why, lang))
    elif inside:
        by_words = choices.shown.by == "relevance" and bool(common)
        reason = say.chosen.format(reason=common if by_words else by_said(choices.shown.by, lang))
        common = "" if by_words else common
    else:
        reason = say.no_room
    second: Line = (("       ", ""), *_both(row, lang), (reason, "" if inside else "dim"))
    if common:
        second = (*second, (f" · {common}", "dim"))
    return spread(left, right, cells), clip_line(second, cells)


def _both(row: Row, lang: Lang) -> Line:
    """Who takes it, where a model has chosen too."""
    if row.model is None:
        return ()
    say = words(lang)
    return tuple(
        part
        for name, taken in ((say.offline, row.offline), (say.model, row.model))
        for part in ((f"{name} ", "dim"), (f"{FOUND if taken else BROKEN}  ", "good" if taken else "dim"))
    )


def title(choices: Choices | None, model: str, lang: Lang) -> str:
    """What the pane of memories is called."""
    say = words(lang)
    if choices is None or choices.by_model is None:
        return say.title
    return say.title_both.format(model=visible(model))


def note(choices: Choices | None, lang: Lang) -> str:
    """How many go with it, by whom, and what a model cost."""
    if choices is None:
        return words(lang).choosing
    tokens = tokens_said(choices.asked, lang) if choices.asked is not None else ""
    return " · ".join(filter(None, (count_said(choices.shown, lang), tokens)))
