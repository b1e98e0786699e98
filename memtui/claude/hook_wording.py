"""What the hooks tell a session beside the reminder: facts, in both languages (a hook that gives orders is distrusted).

``hook_words(lang)`` gives the catalogue. A template names its parts; both catalogues have the same parts in every
template, which a test holds.
"""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class HookWords(Sentences):
    """Sentences for the model; where one counts, ``_one`` is the one for exactly one."""

    started: str
    started_one: str
    resumed: str
    resumed_one: str
    cut: str
    cut_one: str
    more: str
    separator: str


_EN = HookWords(
    started=(
        "{folder} holds {total} memories of this project. What Claude Code loads of them by itself is the index MEMORY.md."
        " Below is how {shown} of the memories begin, the most relevant first."
    ),
    started_one=(
        "{folder} holds one memory of this project. What Claude Code loads by itself is the index MEMORY.md."
        " Below is how the memory begins."
    ),
    resumed=(
        "{shown} of the {total} memories in {folder} changed since the last answer in this session. Below is how they begin"
        " now."
    ),
    resumed_one=(
        "One of the {total} memories in {folder} changed since the last answer in this session. Below is how it begins now."
    ),
    cut=(
        "MEMORY.md is longer than what Claude Code loads of it. {count} memories are named only in the part that was not"
        " loaded: {names}"
    ),
    cut_one=(
        "MEMORY.md is longer than what Claude Code loads of it. One memory is named only in the part that was not loaded:"
        " {names}"
    ),
    more="{names} and {count} more",
    separator=", ",
)

_ZH = HookWords(
    started=(
        "{folder} 中有本项目的 {total} 条记忆。Claude Code 自己只加载索引 MEMORY.md。以下是其中 {shown} 条记忆的开头，"
        "最相关的在前。"
    ),
    started_one="{folder} 中有本项目的一条记忆。Claude Code 自己只加载索引 MEMORY.md。以下是这条记忆的开头。",
    resumed="{folder} 的 {total} 条记忆中，有 {shown} 条在本会话上次回答之后有改动。以下是它们现在的开头。",
    resumed_one="{folder} 的 {total} 条记忆中，有一条在本会话上次回答之后有改动。以下是它现在的开头。",
    cut="MEMORY.md 超出了 Claude Code 加载的长度。有 {count} 条记忆只出现在未加载的部分：{names}",
    cut_one="MEMORY.md 超出了 Claude Code 加载的长度。有一条记忆只出现在未加载的部分：{names}",
    more="{names} 等，另有 {count} 条",
    separator="、",
)

_CATALOGUES: dict[Lang, HookWords] = {"en": _EN, "zh": _ZH}


def hook_words(lang: Lang) -> HookWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
