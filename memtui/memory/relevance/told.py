"""What a person is told of a selection, in both languages, for the command line and the app."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.relevance.ranking import Ranked, Reason
from memtui.memory.relevance.selecting import By, Selection, Why
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences

REASONS = 4
"""Reasons that are told of one memory; the score is made of these for the most part (ours)."""


class SelectionWords(Sentences):
    """The sentences; templates name their parts, and both languages have the same ones."""

    by_all: str
    by_model: str
    by_relevance: str
    by_recency: str
    surfaced: str
    unreadable: str
    irrelevant: str
    less_relevant: str
    less_recent: str
    not_chosen: str
    tool: str
    relevance: str
    in_name: str
    in_description: str
    in_content: str
    in_modified: str
    other_word: str
    linked: str
    beside: str
    chosen_count: str
    none_relevant: str
    asked: str
    tokens: str
    dry_nothing: str
    dry: str
    between: str


EN = SelectionWords(
    by_all="all fit",
    by_model="chosen by the model",
    by_relevance="chosen by what they say",
    by_recency="chosen by their score, for nothing was asked",
    surfaced="shown already",
    unreadable="cannot be read",
    irrelevant="says nothing of it",
    less_relevant="others say more of it",
    less_recent="others score higher",
    not_chosen="not chosen by the model",
    tool="a plain note on {tool}, which is in use: ranks lower",
    relevance="relevance {score}",
    in_name="“{term}” in the name",
    in_description="“{term}” in the description",
    in_content="“{term}” in the text",
    in_modified="“{term}” in its date",
    other_word="{place}, as “{found}”",
    linked="shares “{term}” with {found}",
    beside="written beside {found}",
    chosen_count="{count} of {total} memories · {by}",
    none_relevant="no memory is about that; none of {total} is chosen",
    asked="{model} is asked at {host}",
    tokens="{input} + {output} tokens (question + answer)",
    dry_nothing="nothing would be sent: all memories fit",
    dry="nothing was sent; the question has about {tokens} tokens",
    between=", ",
)

ZH = SelectionWords(
    by_all="全部可容纳",
    by_model="由模型选择",
    by_relevance="按内容选择",
    by_recency="没有提问，按分值选择",
    surfaced="已经展示过",
    unreadable="无法读取",
    irrelevant="与之无关",
    less_relevant="有更相关的",
    less_recent="有分值更高的",
    not_chosen="模型没有选",
    tool="关于正在使用的 {tool} 的普通说明：排后",
    relevance="相关度 {score}",
    in_name="名称中有“{term}”",
    in_description="描述中有“{term}”",
    in_content="正文中有“{term}”",
    in_modified="日期中有“{term}”",
    other_word="{place}（写作“{found}”）",
    linked="与 {found} 同有“{term}”",
    beside="与 {found} 前后写成",
    chosen_count="{total} 条记忆中选出 {count} 条 · {by}",
    none_relevant="没有与之相关的记忆；{total} 条中一条都没有选",
    asked="向 {host} 的 {model} 提问",
    tokens="{input} + {output} token（提问 + 答复）",
    dry_nothing="不会发送任何内容：全部记忆都可容纳",
    dry="没有发送任何内容；提问约 {tokens} token",
    between="，",
)

_WORDS: dict[Lang, SelectionWords] = {"en": EN, "zh": ZH}


def selection_words(lang: Lang) -> SelectionWords:
    """The sentences in a language."""
    return _WORDS[lang]


def by_said(by: By, lang: Lang) -> str:
    """Who chose."""
    say = selection_words(lang)
    return {
        "all": say.by_all,
        "model": say.by_model,
        "relevance": say.by_relevance,
        "recency": say.by_recency,
    }[by]


def why_said(why: Why, lang: Lang) -> str:
    """Why a memory is left out."""
    say = selection_words(lang)
    return {
        "surfaced": say.surfaced,
        "unreadable": say.unreadable,
        "irrelevant": say.irrelevant,
        "less relevant": say.less_relevant,
        "less recent": say.less_recent,
        "not chosen": say.not_chosen,
    }[why]


def relevance_said(relevance: Ranked | None, tool: str, lang: Lang) -> str:
    """What a memory has in common with the question, the most telling first; empty for nothing."""
    return selection_words(lang).between.join(_parts(relevance, tool, lang))


def _parts(relevance: Ranked | None, tool: str, lang: Lang) -> Iterator[str]:
    say = selection_words(lang)
    if relevance is not None:
        yield say.relevance.format(score=f"{relevance.score:.2f}")
        for reason in relevance.reasons[:REASONS]:
            yield reason_said(reason, lang)
    if tool:
        yield say.tool.format(tool=visible(tool))


def reason_said(reason: Reason, lang: Lang) -> str:
    """One thing in common, with what it adds to the score."""
    say = selection_words(lang)
    term, found = visible(reason.term), visible(reason.found)
    if reason.how == "linked":
        text = say.linked.format(term=term, found=found)
    elif reason.how == "beside":
        text = say.beside.format(found=found)
    else:
        place = {
            "name": say.in_name,
            "description": say.in_description,
            "content": say.in_content,
            "modified": say.in_modified,
        }[reason.field].format(term=term)
        text = say.other_word.format(place=place, found=found) if reason.how == "near" else place
    return f"{text} +{reason.score:.2f}"


def count_said(selection: Selection, lang: Lang) -> str:
    """How many were chosen of how many, and by whom."""
    say = selection_words(lang)
    count = len(selection.chosen)
    total = count + len(selection.left_out)
    if not count and selection.by == "relevance" and selection.context.max_entries > 0:
        return say.none_relevant.format(total=total)
    return say.chosen_count.format(count=count, total=total, by=by_said(selection.by, lang))


def tokens_said(selection: Selection, lang: Lang) -> str:
    """What asking the model cost; empty if it cost nothing."""
    if not selection.input_tokens and not selection.output_tokens:
        return ""
    return selection_words(lang).tokens.format(
        input=f"{selection.input_tokens:,}", output=f"{selection.output_tokens:,}"
    )
