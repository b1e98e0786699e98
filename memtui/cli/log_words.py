"""What ``memtui log`` says to a person, in both languages; see ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class LogWords(Sentences):
    """The sentences; a template names its parts, the same in both catalogues."""

    logged: str
    nothing_today: str
    nothing_that_day: str
    nothing_at_all: str
    secret: str


_EN = LogWords(
    logged="logged at {time} in {path}",
    nothing_today="nothing was logged on {day}; 'memtui log TEXT' adds a line",
    nothing_that_day="nothing was logged on {day}",
    nothing_at_all="nothing was ever logged here; 'memtui log TEXT' adds a line",
    secret="what was logged looks like a secret: {rules}. A log is never rewritten by memtui; edit {path} yourself",  # noqa: S106  -- a sentence
)

_ZH = LogWords(
    logged="已于 {time} 记入 {path}",
    nothing_today="{day} 还没有日志；用 'memtui log 文字' 追加一行",
    nothing_that_day="{day} 没有日志",
    nothing_at_all="这里从未写过日志；用 'memtui log 文字' 追加一行",
    secret="记入的内容像是秘密：{rules}。memtui 从不改写日志，请自行编辑 {path}",  # noqa: S106  -- a sentence
)

_CATALOGUES: dict[Lang, LogWords] = {"en": _EN, "zh": _ZH}


def log_words(lang: Lang) -> LogWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
