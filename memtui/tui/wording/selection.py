"""What the preview says of a question and of who goes with it."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class QueryWords(Sentences):
    """Sentences; a template names its parts."""

    placeholder: str
    title: str
    title_both: str
    asking: str
    choosing: str
    called_off: str
    chosen: str
    left_out: str
    offline: str
    model: str
    no_room: str
    only_reminder: str


EN = QueryWords(
    placeholder="a question: which memories go with it?",
    title="Who goes with the question, and why",
    title_both="Offline beside the model ({model})",
    asking="{model} is asked at {host}… esc calls it off",
    choosing="looking…",
    called_off="called off",
    chosen="in: {reason}",
    left_out="out: {reason}",
    offline="offline",
    model="model",
    no_room="out: chosen, but the budget is full",
    only_reminder="A question decides on the reminder only, not on the index.",
)

ZH = QueryWords(
    placeholder="输入问题：哪些记忆与之相关？",
    title="哪些记忆与问题相关，为何",
    title_both="离线选择与模型选择（{model}）",
    asking="正在向 {host} 的 {model} 提问… esc 取消",
    choosing="正在查找…",
    called_off="已取消",
    chosen="在内：{reason}",
    left_out="在外：{reason}",
    offline="离线",
    model="模型",
    no_room="在外：已选中，但预算已满",
    only_reminder="问题只决定提醒，不决定索引。",
)

_WORDS: dict[Lang, QueryWords] = {"en": EN, "zh": ZH}


def words(lang: Lang) -> QueryWords:
    """The sentences in a language."""
    return _WORDS[lang]
