"""What is said before memories are changed in bulk."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class BulkWords(Sentences):
    """Sentences of the summary before a change; a template names its parts."""

    planning: str
    forget_many: str
    forget_yes: str
    forgotten: str
    retype: str
    retype_many: str
    retype_yes: str
    retyped: str
    merge: str
    merge_yes: str
    merged: str
    cancel: str
    edit_first: str
    result: str
    result_newest: str
    type_now: str
    type_is: str
    nothing: str
    nothing_hint: str
    to_trash: str
    type_changes: str
    merged_in: str
    text_of_result: str
    new_file: str
    rewritten: str
    versions: str
    index_word: str
    index_same: str
    dangling: str
    dangling_hint: str
    dangling_none: str
    merged_text: str
    one_step: str
    old_versions_stay: str


EN = BulkWords(
    planning="Working out what would happen…",
    forget_many="Forget {n} memories?",
    forget_yes="Forget",
    forgotten="Forgotten",
    retype="Change the type of “{name}”?",
    retype_many="Change the type of {n} memories?",
    retype_yes="Change the type",
    retyped="Type changed",
    merge="Merge {n} memories into one?",
    merge_yes="Merge",
    merged="Merged",
    cancel="Cancel",
    edit_first="Edit it first",
    result="into {slug}",
    result_newest="the newest",
    type_now="{n} of them now",
    type_is="as it is now",
    nothing="Nothing would change.",
    nothing_hint="All of them are so already.",
    to_trash="To the trash, .memtui/trash",
    type_changes="Type",
    merged_in="Becomes an old version of {slug}",
    text_of_result="Gets the merged text",
    new_file="New file",
    rewritten="Links that follow, in",
    versions="Versions made",
    index_word="Lines of MEMORY.md",
    index_same="MEMORY.md stays as it is",
    dangling="Links that will point to nothing, in",
    dangling_hint="the text of these memories stays as it is",
    dangling_none="No link will point to nothing",
    merged_text="The merged text",
    one_step="It is one step: z takes all of it back, to the byte.",
    old_versions_stay="Their old versions stay where they are.",
)
ZH = BulkWords(
    planning="正在计算会发生什么…",
    forget_many="遗忘 {n} 条记忆？",
    forget_yes="遗忘",
    forgotten="已遗忘",
    retype="更改“{name}”的类型？",
    retype_many="更改 {n} 条记忆的类型？",
    retype_yes="更改类型",
    retyped="已更改类型",
    merge="把 {n} 条记忆合并为一条？",
    merge_yes="合并",
    merged="已合并",
    cancel="取消",
    edit_first="先编辑",
    result="并入 {slug}",
    result_newest="最新的一条",
    type_now="其中现有 {n} 条",
    type_is="现在的类型",
    nothing="什么也不会改变。",
    nothing_hint="它们已经都是这样。",
    to_trash="移入回收站 .memtui/trash",
    type_changes="类型",
    merged_in="成为 {slug} 的旧版本",
    text_of_result="换成合并后的文本",
    new_file="新文件",
    rewritten="随之更新链接的记忆",
    versions="留下的版本",
    index_word="MEMORY.md 中的行",
    index_same="MEMORY.md 保持不变",
    dangling="链接将失去目标的记忆",
    dangling_hint="这些记忆的正文保持不变",
    dangling_none="没有链接会失去目标",
    merged_text="合并后的文本",
    one_step="这是一步操作：按 z 可全部撤回，逐字节还原。",
    old_versions_stay="它们的旧版本仍在原处。",
)

NAMED_KEYS: Mapping[str, tuple[str, ...]] = {"one_step": ("undo",)}
"""By sentence, the actions whose keys stand in it."""


def words(lang: Lang) -> BulkWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
