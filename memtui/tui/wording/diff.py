"""What a view of differences says."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class DiffWords(Sentences):
    """Sentences of the view; ``{n}`` is a number of lines."""

    gap: str
    equal: str
    lines_coarse: str
    words_skipped: str
    newline_lost: str
    newline_added: str


EN = DiffWords(
    gap="{n} equal lines",
    equal="both are equal",
    lines_coarse="very different: not every equal line is found",
    words_skipped="too long to compare every line by words",
    newline_lost="the last line lost its newline",
    newline_added="the last line got a newline",
)
ZH = DiffWords(
    gap="{n} 行相同",
    equal="两者相同",
    lines_coarse="差异很大：未必找出了所有相同的行",
    words_skipped="内容太长：并非每一行都逐词比较",
    newline_lost="最后一行少了换行符",
    newline_added="最后一行多了换行符",
)


def words(lang: Lang) -> DiffWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
