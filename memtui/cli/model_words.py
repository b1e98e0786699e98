"""What a command says of the model that it asks, in both languages; see ``wording``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences

if TYPE_CHECKING:
    from memtui.agent.llm import Usage


class ModelWords(Sentences):
    """The sentences; a template names its parts, the same in both catalogues."""

    asked: str
    tokens: str
    dry: str


_EN = ModelWords(
    asked="the model {model} at {host} is asked",
    tokens="tokens: {input} of what was asked, {output} of the answers",
    dry="this is what the model would be sent; nothing was sent or written",
)

_ZH = ModelWords(
    asked="正在询问位于 {host} 的模型 {model}",
    tokens="token 数：提问 {input}，答复 {output}",
    dry="以上是将发送给模型的内容；未发送，也未写入任何内容",
)

_CATALOGUES: dict[Lang, ModelWords] = {"en": _EN, "zh": _ZH}


def model_words(lang: Lang) -> ModelWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]


def tokens_said(usage: Usage, lang: Lang) -> str:
    """What a model cost; empty where nobody was asked, or nothing was counted."""
    if not usage.input_tokens and not usage.output_tokens:
        return ""
    words = model_words(lang).tokens
    return words.format(input=f"{usage.input_tokens:,}", output=f"{usage.output_tokens:,}")
