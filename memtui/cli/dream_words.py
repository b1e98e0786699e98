"""What ``memtui dream`` says to a person, in both languages; see ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class DreamCliWords(Sentences):
    """The sentences; a template names its parts, the same in both catalogues."""

    kinds: dict[str, str]
    nothing: str
    would: str
    added: str
    all_known: str
    applied: str
    left: str
    not_due: str
    dry_nothing: str


_EN = DreamCliWords(
    kinds={"merge": "merge", "forget": "forget", "fix": "rewrite", "save": "save"},
    nothing="nothing to put in order",
    would="would propose {count}; nothing was written. 'memtui dream' puts them into the inbox",
    added="{count} found, {added} new in the inbox; nothing is changed before you accept it",
    all_known="{count} found, all known: they wait in the inbox or were decided on before",
    applied="applied {count}; 'memtui undo' takes all of it back",
    left="left in the inbox: {slugs}: {why}",
    not_due="not due yet: sessions since the last dream {sessions} of {least}, hours {hours} of {wanted}",
    dry_nothing="the model would be sent nothing: there are no memories and no logs to show",
)

_ZH = DreamCliWords(
    kinds={"merge": "合并", "forget": "遗忘", "fix": "改写", "save": "保存"},
    nothing="没有需要整理的内容",
    would="将提出 {count} 项提议，尚未写入。用 'memtui dream' 放入收件箱",
    added="发现 {count} 项，其中 {added} 项新放入收件箱；在你接受之前不会改动任何内容",
    all_known="发现 {count} 项，均已知：在收件箱中等待，或此前已决定",
    applied="已应用 {count} 项；用 'memtui undo' 可全部撤回",
    left="留在收件箱中：{slugs}：{why}",
    not_due="尚未到时候：自上次以来的会话 {sessions}/{least}，小时 {hours}/{wanted}",
    dry_nothing="不会向模型发送任何内容：没有可展示的记忆和日志",
)

_CATALOGUES: dict[Lang, DreamCliWords] = {"en": _EN, "zh": _ZH}


def dream_cli_words(lang: Lang) -> DreamCliWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
