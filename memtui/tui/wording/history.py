"""What the history of a memory says."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class HistoryWords(Sentences):
    """Sentences of the history; a template names its parts."""

    title: str
    counted: str
    counted_one: str
    forgotten: str
    current: str
    version: str
    from_other: str
    difference: str
    counts: str
    first: str
    text_of: str
    fields: str
    text: str
    reading: str
    none: str
    none_hint: str
    name: str
    description: str
    type: str
    origin: str
    restore: str
    restore_question: str
    restore_kept: str
    restore_back: str
    restore_text: str
    restore_index: str
    restore_undo: str
    restored: str
    cancel: str


EN = HistoryWords(
    title="History",
    counted="{n} versions",
    counted_one="1 version",
    forgotten="forgotten",
    current="now",
    version="v{id}",
    from_other="from {slug}",
    difference="{old} → {new}",
    counts="−{removed} +{added} lines",
    first="the first version",
    text_of="{version}, whole",
    fields="Header",
    text="Text",
    reading="Reading…",
    none="No version of this memory is left.",
    none_hint="What was forgotten lies in the trash: a shows it.",
    name="name",
    description="description",
    type="type",
    origin="session",
    restore="Restore",
    restore_question="Restore {version} of “{name}”?",
    restore_kept="what is in force now is kept as {archive}",
    restore_back="{rel} comes back: no version is in force now",
    restore_text="{rel} gets the text of {version}, with today's date",
    restore_index="its line in MEMORY.md is put back if it is missing",
    restore_undo="no version is lost; z takes it back",
    restored="Restored",
    cancel="Cancel",
)
ZH = HistoryWords(
    title="历史",
    counted="{n} 个版本",
    counted_one="1 个版本",
    forgotten="已遗忘",
    current="当前",
    version="v{id}",
    from_other="来自 {slug}",
    difference="{old} → {new}",
    counts="−{removed} +{added} 行",
    first="最早的版本",
    text_of="{version} 全文",
    fields="文件头",
    text="正文",
    reading="正在读取…",
    none="这条记忆没有留下任何版本。",
    none_hint="被遗忘的文件在回收站里：按 a 查看。",
    name="名称",
    description="描述",
    type="类型",
    origin="会话",
    restore="恢复",
    restore_question="恢复“{name}”的 {version}？",
    restore_kept="当前版本会存为 {archive}",
    restore_back="{rel} 会回来：目前没有有效版本",
    restore_text="{rel} 换成 {version} 的内容，日期记为今天",
    restore_index="MEMORY.md 中缺少它的那一行时会补上",
    restore_undo="任何版本都不会丢失；按 z 撤销",
    restored="已恢复",
    cancel="取消",
)

NAMED_KEYS: Mapping[str, tuple[str, ...]] = {"none_hint": ("activity",), "restore_undo": ("undo",)}
"""By sentence, the actions whose keys stand in it."""


def words(lang: Lang) -> HistoryWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
