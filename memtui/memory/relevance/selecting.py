"""Which memories go with a question: a few, chosen by a model where there is one, else by what they say (spec §13).

The model is not known here: `memtui.memory` asks nobody over a network. Whoever has one passes a `Chooser`, to whom the
question is put as text and whose answer is text; `memtui.agent.selection` makes one of a model. All the rest, the
catalogue, reading the answer, and what holds where there is none, needs no model and stands here, so that
``MemoryManager.select_relevant_memories`` is whole without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from memtui.memory.decay import ScoreParts, explain_score
from memtui.memory.errors import sentence_of
from memtui.memory.relevance.choice_answer import read_choice
from memtui.memory.relevance.ranking import Ranked, RelevanceIndex
from memtui.memory.relevance.tool_notes import about_tools
from memtui.memory.reminder import remindable
from memtui.memory.text import for_prompt, one_line
from memtui.memory.types import Lang, MemoryEntry
from memtui.memory.wording import wording
from memtui.memory.wording.saying import Say

DEFAULT_MAX_ENTRIES = 5
"""Memories that go with a question unless told otherwise (both seeds)."""
MAX_LISTED = 200
"""Candidates that a model is shown: of more, those most relevant offline, then those of highest score (ours). A line
takes about 30 tokens."""
MAX_LINE_CHARS = 300
"""Characters of a candidate's line in the catalogue (ours)."""
MAX_QUERY_CHARS = 4_000
"""Characters of a question that a model is shown (ours)."""
_RUNNERS_UP = 20

By = Literal["all", "model", "relevance", "recency"]
"""Who chose: nobody, since all fit; a model; offline relevance; or, with no question, the effective score."""
Why = Literal["surfaced", "unreadable", "irrelevant", "less relevant", "less recent", "not chosen"]
"""Why a memory is left out."""


@dataclass(frozen=True, slots=True)
class SelectionContext:
    """What memories are wanted for.

    Attributes:
        query: the question, in any words; may be empty.
        already_surfaced: memories that were shown already: slugs, or places in the entries (first seed).
        recent_tools: tools used lately; plain notes about them rank lower, for whoever uses a tool knows it.
        max_entries: most memories.
    """

    query: str = ""
    already_surfaced: Sequence[str | int] = ()
    recent_tools: Sequence[str] = ()
    max_entries: int = DEFAULT_MAX_ENTRIES


class Reply(NamedTuple):
    """What a chooser says, and what it cost.

    Attributes:
        text: the answer: ``["slug", …]`` or ``[0, 3]``, bare, fenced or inside prose.
        input_tokens: of the question.
        output_tokens: of the answer.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class Chooser(Protocol):
    """Somebody who can be asked which memories go with a question."""

    def __call__(self, system: str, question: str, /) -> Reply:
        """Answer, or raise; whatever is raised, the offline choice stands in."""
        ...


class Chosen(NamedTuple):
    """A memory that goes with the question.

    Attributes:
        entry: which.
        score: its effective score, and what that is made of; the order.
        relevance: what it has in common with the question; None for nothing.
        tool: the recently used tool that it is a note about, so that it ranks lower; empty for none.
    """

    entry: MemoryEntry
    score: ScoreParts
    relevance: Ranked | None
    tool: str


class LeftOut(NamedTuple):
    """A memory that does not.

    Attributes:
        entry: which.
        why: the reason.
        relevance: what it has in common with the question; None for nothing, or too little to tell.
        tool: as for `Chosen`.
    """

    entry: MemoryEntry
    why: Why
    relevance: Ranked | None
    tool: str


@dataclass(frozen=True, slots=True)
class Selection:
    """An answer, with its reasons.

    Attributes:
        context: what was asked for.
        by: who chose.
        chosen: what goes with the question, best first.
        left_out: what was looked at and does not, by score; old versions are not looked at.
        notice: what kept the model from choosing, for a person; empty if nothing did, or none was asked.
        input_tokens: what asking the model cost, as the service counted; 0 where none was asked.
        output_tokens: the same of its answer.
    """

    context: SelectionContext
    by: By
    chosen: tuple[Chosen, ...]
    left_out: tuple[LeftOut, ...] = field(repr=False)
    notice: Say = field(default_factory=lambda: Say(""))
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def entries(self) -> tuple[MemoryEntry, ...]:
        """The memories chosen."""
        return tuple(chosen.entry for chosen in self.chosen)


class _Candidate(NamedTuple):
    """A memory that may be chosen; ``tool`` as for `Chosen`."""

    entry: MemoryEntry
    score: ScoreParts
    relevance: Ranked | None
    tool: str

    @property
    def by_score(self) -> tuple[bool, float]:
        """The key that sorts by effective score, notes on tools in use last."""
        return bool(self.tool), -self.score.score

    @property
    def by_relevance(self) -> tuple[bool, float]:
        """The same by relevance."""
        return bool(self.tool), -(self.relevance.score if self.relevance else 0.0)


def select_memories(
    entries: Sequence[MemoryEntry],
    context: SelectionContext,
    *,
    now: float,
    lang: Lang,
    chooser: Chooser | None = None,
    index: RelevanceIndex | None = None,
) -> Selection:
    """Choose. Never raises: where a chooser fails, offline relevance stands in, and ``notice`` says so.

    Args:
        entries: all memories, in the order that numbers in ``already_surfaced`` count in.
        context: what they are wanted for.
        now: Unix seconds.
        lang: language of what the chooser is asked.
        chooser: whom to ask; None for nobody.
        index: an index that holds these entries; made when None.
    """
    surfaced = _surfaced(entries, context)
    active = [entry for entry in entries if entry.is_active]
    ranks = _ranks(active, context, index, extra=len(surfaced))
    tools = about_tools(active, context.recent_tools)
    pool = [
        _Candidate(entry, explain_score(entry, now), ranks.get(entry.slug), tools.get(entry.slug, ""))
        for entry in active
        if remindable(entry) and entry.slug not in surfaced
    ]
    pool.sort(key=lambda each: each.by_score)
    most = max(0, context.max_entries)
    by: By
    if len(pool) <= most:
        by, taken, reply, notice = "all", pool, None, Say("")
    else:
        chosen, reply, notice = (
            _asked(chooser, pool, context, most, lang) if chooser and most else (None, None, Say(""))
        )
        by = "model"
        if chosen is None:
            by = "relevance" if context.query.strip() else "recency"
            chosen = _offline(pool, most, by)
        names = set(chosen)
        taken = [each for each in pool if each.entry.slug in names]
    kept = {each.entry.slug for each in taken}
    return Selection(
        context,
        by,
        tuple(Chosen(*each) for each in taken),
        _left_out(active, kept, surfaced, pool, ranks, tools, by),
        notice,
        reply.input_tokens if reply else 0,
        reply.output_tokens if reply else 0,
    )


def _surfaced(entries: Sequence[MemoryEntry], context: SelectionContext) -> set[str]:
    """The slugs of what was shown already; places that are none count for nothing."""
    return {
        entries[each].slug if isinstance(each, int) else each
        for each in context.already_surfaced
        if isinstance(each, str) or 0 <= each < len(entries)
    }


def _ranks(
    active: Sequence[MemoryEntry], context: SelectionContext, index: RelevanceIndex | None, extra: int
) -> dict[str, Ranked]:
    if not context.query.strip():
        return {}
    if index is None:
        index = RelevanceIndex(active)
    limit = max(0, context.max_entries) + extra + _RUNNERS_UP
    return {ranked.slug: ranked for ranked in index.rank(context.query, limit)}


def _offline(pool: Sequence[_Candidate], most: int, by: By) -> list[str]:
    if by == "recency":
        return [each.entry.slug for each in pool[:most]]
    relevant = sorted((each for each in pool if each.relevance), key=lambda each: each.by_relevance)
    return [each.entry.slug for each in relevant[:most]]


def _asked(
    chooser: Chooser, pool: Sequence[_Candidate], context: SelectionContext, most: int, lang: Lang
) -> tuple[list[str] | None, Reply | None, Say]:
    """What the chooser takes, its reply, and what went wrong if it takes nothing."""
    listed = _listed(pool)
    reply: Reply | None = None
    try:
        reply = chooser(wording(lang).select_system, question(listed, context, lang))
        slugs = read_choice(reply.text, listed)
    except Exception as error:  # noqa: BLE001  -- spec §13: never an exception; what it was is told
        reason: Say = sentence_of(error)
    else:
        if slugs is not None:
            return slugs[:most], reply, Say("")
        reason = Say("its answer names no memory")
    return (
        None,
        reply,
        Say("The model did not choose ({reason}). The choice is the offline one.", reason=reason),
    )


def _listed(pool: Sequence[_Candidate]) -> dict[str, MemoryEntry]:
    """The candidates that the chooser is shown, by slug, by effective score."""
    if len(pool) > MAX_LISTED:
        best = sorted(pool, key=lambda each: (each.relevance is None, *each.by_relevance))[:MAX_LISTED]
        names = {each.entry.slug for each in best}
        pool = [each for each in pool if each.entry.slug in names]
    return {each.entry.slug: each.entry for each in pool}


def catalogue(entries: Iterable[MemoryEntry]) -> str:
    """Memories as a model chooses among them: one line each, numbered from 0, without their texts."""
    return "\n".join(
        one_line(
            _quoted(
                f"{number}. {entry.slug} ({entry.memory_type or 'unknown'}) {entry.name}: {entry.description}"
            )
        )[:MAX_LINE_CHARS]
        for number, entry in enumerate(entries)
    )


def _quoted(text: str) -> str:
    """Somebody's text, which cannot end the element that it stands in."""
    return for_prompt(text).replace("</", "&lt;/")


def question(listed: Mapping[str, MemoryEntry], context: SelectionContext, lang: Lang) -> str:
    """What a model is asked.

    Args:
        listed: the candidates.
        context: what they are wanted for.
        lang: language.
    """
    words = wording(lang)
    query = _quoted(context.query[:MAX_QUERY_CHARS]).strip() or words.select_no_query
    tools = words.list_separator.join(one_line(_quoted(tool)) for tool in context.recent_tools)
    parts = [
        words.select_query.format(query=query),
        words.select_tools.format(tools=tools) if tools else "",
        words.select_catalogue.format(catalogue=catalogue(listed.values())),
        words.select_task.format(count=max(0, context.max_entries)),
    ]
    return "\n\n".join(filter(None, parts))


def _left_out(
    active: Sequence[MemoryEntry],
    kept: set[str],
    surfaced: set[str],
    pool: Sequence[_Candidate],
    ranks: Mapping[str, Ranked],
    tools: Mapping[str, str],
    by: By,
) -> tuple[LeftOut, ...]:
    def why(entry: MemoryEntry) -> Why:
        if entry.slug in surfaced:
            return "surfaced"
        if not remindable(entry):
            return "unreadable"
        if by == "model":
            return "not chosen"
        if by == "recency":
            return "less recent"
        return "less relevant" if entry.slug in ranks else "irrelevant"

    order = {each.entry.slug: place for place, each in enumerate(pool)}
    rest = sorted(
        (entry for entry in active if entry.slug not in kept),
        key=lambda entry: order.get(entry.slug, len(order)),
    )
    return tuple(
        LeftOut(entry, why(entry), ranks.get(entry.slug), tools.get(entry.slug, "")) for entry in rest
    )
