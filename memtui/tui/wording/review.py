"""What the review says."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ReviewWords(Sentences):
    """Sentences of the review; a template names its parts."""

    title: str
    by_oldest: str
    by_newest: str
    by_name: str
    of: str
    marked: str
    reading: str
    empty: str
    empty_hint: tuple[str, ...]
    none_match: str
    knows_no: str
    trouble: str
    filter_note: str
    group_extraction: str
    group_dream: str
    group_sync: str
    group_rules: str
    group_others: str
    group_broken: str
    kind_create: str
    kind_update: str
    kind_merge: str
    kind_forget: str
    kind_fix: str
    kind_new: str
    kind_edited: str
    kind_deleted: str
    kind_broken: str
    by: str
    session: str
    no_reason: str
    said_at: str
    said_line: str
    checks: str
    no_checks: str
    about: str
    fits_not: str
    go_edit: str
    go_reject: str
    unknown_base: str
    code_unreadable: str
    code_altered: str
    code_too_large: str
    code_not_regular: str
    code_other: str
    remove: str
    by_hand: str
    new_file: str
    changed_file: str
    gone_file: str
    view_changes: str
    view_all: str
    view_new: str
    accepted: str
    rejected: str
    kept: str
    reverted: str
    edited: str
    put_back: str
    undoes: str
    ask_accept: str
    ask_reject: str
    accept_yes: str
    reject_yes: str
    new_memories: str
    changed_memories: str
    go_to_trash: str
    merged_away: str
    back_as_seen: str
    taken_out: str
    taken_as_seen: str
    left: str
    left_leak: str
    dangling: str
    index_line: str
    nothing: str
    one_step: str
    steps: str
    choose: str
    choose_note: str
    no_target: str
    lines: str


EN = ReviewWords(
    title="Review",
    by_oldest="oldest first",
    by_newest="newest first",
    by_name="by name",
    of="{shown} of {total}",
    marked="{n} marked",
    reading="reading…",
    empty="Nothing waits for you.",
    empty_hint=(
        "What fills this list:",
        "'memtui extract --new' proposes memories from conversations",
        "'memtui dream' proposes to merge, mend and tidy",
        "'memtui hook install' notes each session to be read; with auto_dream = true it dreams too",
        "what agents write by themselves is listed here too",
    ),
    none_match="The filter leaves nothing.",
    knows_no="{key}: knows no {value}; there are {names}",
    trouble="The inbox cannot be read.",
    filter_note="words  kind: source:  - for not",
    group_extraction="Proposed from conversations",
    group_dream="Proposed by dream",
    group_sync="Proposed by sync",
    group_rules="Proposed by rules",
    group_others="Changed by others since you last looked",
    group_broken="Not proposals",
    kind_create="create",
    kind_update="update",
    kind_merge="merge",
    kind_forget="forget",
    kind_fix="fix",
    kind_new="new",
    kind_edited="edited",
    kind_deleted="deleted",
    kind_broken="broken",
    by="by {by}",
    session="session {id}",
    no_reason="No reason is given.",
    said_at="Said in {path}, line {line}",
    said_line="Said in {path}",
    checks="Checks",
    no_checks="the checks have nothing to say",
    about="{slug}: {text}",
    fits_not="It cannot be accepted now: {reason}",
    go_edit="e opens it in the editor, merged with what stands there now; x rejects it.",
    go_reject="x rejects it.",
    unknown_base="The text as you last saw it is not known any more, so it cannot be reverted; a keeps it.",
    code_unreadable="This file is not a proposal.",
    code_altered="It was altered after it was made, so it is not obeyed.",
    code_too_large="It is too large to be read.",
    code_not_regular="It is not a regular file.",
    code_other="It cannot be read.",
    remove="x takes the file out; z brings it back.",
    by_hand="Remove it by hand: {path}",
    new_file="New: {path}",
    changed_file="Changed: {path}",
    gone_file="Gone: {path}",
    view_changes="changes",
    view_all="all lines",
    view_new="the new text",
    accepted="Accepted",
    rejected="Rejected",
    kept="Kept",
    reverted="Reverted",
    edited="Accepted as edited",
    put_back="On the list again",
    undoes="z undoes it",
    ask_accept="Accept {n}?",
    ask_reject="Reject {n}?",
    accept_yes="Accept",
    reject_yes="Reject",
    new_memories="New memories",
    changed_memories="Changed, the old text kept as a version",
    go_to_trash="Go to .memtui/trash",
    merged_away="Become old versions",
    back_as_seen="Back to what you last saw",
    taken_out="Proposals that go, and are not proposed again",
    taken_as_seen="Changes by others that stay as they are",
    left="Left as they are",
    left_leak="{what}. If it is none, accept this one alone and type its name",
    dangling="Links that will point to nothing, in",
    index_line="Lines of MEMORY.md",
    nothing="Nothing would be done.",
    one_step="It is one step: z takes all of it back, to the byte.",
    steps="It is {n} steps: z takes back one at a time, to the byte.",
    choose="Merge it into which memory?",
    choose_note="type to narrow · enter takes it",
    no_target="there is no other memory to merge it into",
    lines="+{added} −{removed}",
)
ZH = ReviewWords(
    title="审阅",
    by_oldest="最早的在前",
    by_newest="最新的在前",
    by_name="按名称",
    of="{total} 中的 {shown}",
    marked="已标记 {n}",
    reading="正在读取…",
    empty="没有等待审阅的内容。",
    empty_hint=(
        "以下操作会填充这个列表：",
        "'memtui extract --new' 从对话中提议记忆",
        "'memtui dream' 提议合并、修正和整理",
        "'memtui hook install' 记下每次会话以备读取；设置 auto_dream = true 时也会整理",
        "代理自己写下的内容也列在这里",
    ),
    none_match="没有符合筛选的内容。",
    knows_no="{key}: 没有 {value}；可用的有 {names}",
    trouble="无法读取收件箱。",
    filter_note="词语  kind: source:  前加 - 表示排除",
    group_extraction="从对话中提议",
    group_dream="整理时提议",
    group_sync="同步时提议",
    group_rules="按规则提议",
    group_others="自你上次查看以来别人的改动",
    group_broken="不是提议的文件",
    kind_create="新建",
    kind_update="更新",
    kind_merge="合并",
    kind_forget="遗忘",
    kind_fix="修正",
    kind_new="新增",
    kind_edited="改动",
    kind_deleted="删除",
    kind_broken="损坏",
    by="由 {by}",
    session="会话 {id}",
    no_reason="没有给出理由。",
    said_at="出自 {path} 第 {line} 行",
    said_line="出自 {path}",
    checks="检查",
    no_checks="检查没有发现问题",
    about="{slug}：{text}",
    fits_not="现在无法接受：{reason}",
    go_edit="按 e 在编辑器中打开它与现有内容合并的文本；按 x 拒绝。",
    go_reject="按 x 拒绝。",
    unknown_base="你上次所见的内容已不可知，因此无法恢复；按 a 保留。",
    code_unreadable="这个文件不是提议。",
    code_altered="它生成之后被改过，因此不予采纳。",
    code_too_large="它太大，无法读取。",
    code_not_regular="它不是普通文件。",
    code_other="无法读取。",
    remove="按 x 移走这个文件；按 z 取回。",
    by_hand="请手动移走：{path}",
    new_file="新文件：{path}",
    changed_file="改动：{path}",
    gone_file="移除：{path}",
    view_changes="改动",
    view_all="全部行",
    view_new="新文本",
    accepted="已接受",
    rejected="已拒绝",
    kept="已保留",
    reverted="已恢复",
    edited="已按编辑后的内容接受",
    put_back="重新列出",
    undoes="按 z 撤销",
    ask_accept="接受 {n} 项？",
    ask_reject="拒绝 {n} 项？",
    accept_yes="接受",
    reject_yes="拒绝",
    new_memories="新记忆",
    changed_memories="改动的记忆，旧文本保留为版本",
    go_to_trash="移入 .memtui/trash",
    merged_away="成为旧版本",
    back_as_seen="恢复为你上次所见",
    taken_out="移走且不再提出的提议",
    taken_as_seen="保持不变的他人改动",
    left="保持原样",
    left_leak="{what}。若不是秘密，请单独接受这一条并输入它的名称",
    dangling="链接将失去目标的记忆",
    index_line="MEMORY.md 中的行",
    nothing="什么也不会发生。",
    one_step="这是一步操作：按 z 可全部撤回，逐字节还原。",
    steps="这是 {n} 步操作：按 z 每次撤回一步，逐字节还原。",
    choose="合并到哪条记忆？",
    choose_note="输入以缩小范围 · 回车选用",
    no_target="没有可以并入的其他记忆",
    lines="+{added} −{removed}",
)

NAMED_KEYS: Mapping[str, tuple[str, ...]] = {
    "go_edit": ("edit_item", "reject_item"),
    "go_reject": ("reject_item",),
    "unknown_base": ("accept_item",),
    "remove": ("reject_item", "undo"),
    "undoes": ("undo",),
    "one_step": ("undo",),
    "steps": ("undo",),
}
"""By sentence, the actions whose keys stand in it."""


def words(lang: Lang) -> ReviewWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
