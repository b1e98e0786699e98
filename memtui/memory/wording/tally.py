"""What is said about a change of the index before its difference is shown, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.findings_catalogue import Count
from memtui.memory.wording.sentences import Sentences


class TallyWording(Sentences):
    """The sentences; numbers are ``Count``."""

    left: str
    joined: str
    unheard: str
    rest: str


_WORDS: Mapping[Lang, TallyWording] = {
    "en": TallyWording(
        left="{stay} {stay:stays|stay} listed, {left} {left:leaves|leave}. What leaves is still found by search, by "
        "selection and through links; no file goes.",
        joined="{joined} new {joined:line|lines}, which {joined:loads|load}.",
        unheard="{joined} new {joined:line|lines}, of which {unheard} will not load: the index is over its limit.",
        rest="{rest} {rest:does|do} not fit and {rest:stays|stay} reported.",
    ),
    "zh": TallyWording(
        left="保留 {stay} 条，移出 {left} 条。移出的仍可经由搜索、选取和链接找到；文件都不会删除。",
        joined="新增 {joined} 行，都会加载。",
        unheard="新增 {joined} 行，其中 {unheard} 行不会加载：索引超出了上限。",
        rest="{rest} 条放不下，仍会报告。",
    ),
}


def tally_words(lang: Lang) -> TallyWording:
    """The sentences of a language."""
    return _WORDS[lang]


def filled(template: str, **numbers: int) -> str:
    """A sentence with its numbers."""
    return template.format(**{name: Count(number) for name, number in numbers.items()})
