"""What the activity says, and what is asked before undo and redo."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ActivityWords(Sentences):
    """Sentences of the activity; a template names its parts."""

    title: str
    changes: str
    trash: str
    calls: str
    change_number: str
    in_trash: str
    call: str
    just_now: str
    minutes: str
    hours: str
    utc: str
    session: str
    undone: str
    undo_next: str
    redo_next: str
    kind_undo: str
    kind_redo: str
    stands: str
    was_undone: str
    files: str
    created: str
    changed: str
    removed: str
    to_trash: str
    archived: str
    archive_gone: str
    index_word: str
    kept: str
    undo_would: str
    redo_would: str
    other_half: str
    comes_back: str
    goes_again: str
    text_before: str
    text_after: str
    wait_again: str
    wait_no_more: str
    old_versions: str
    old_versions_back: str
    index_back: str
    more: str
    undo_question: str
    redo_question: str
    undo: str
    redo: str
    cancel: str
    nothing_to_undo: str
    made_elsewhere: str
    nothing_to_redo: str
    was_at: str
    taken: str
    take_out: str
    taken_out: str
    status: str
    took: str
    memory: str
    reading: str
    no_changes: str
    no_changes_hint: str
    no_trash: str
    no_trash_hint: str
    no_calls: str
    no_calls_hint: str
    trouble: str
    look: str
    no_texts: str
    no_memory: str


EN = ActivityWords(
    title="Activity",
    changes="Changes",
    trash="Trash",
    calls="Calls",
    change_number="Change {n}",
    in_trash="In the trash",
    call="Call",
    just_now="just now",
    minutes="{n} min ago",
    hours="{n} h ago",
    utc="{time} UTC",
    session="session {id}",
    undone="undone",
    undo_next="z undoes it",
    redo_next="Z does it again",
    kind_undo="undo: {label}",
    kind_redo="redo: {label}",
    stands="It stands.",
    was_undone="It was undone.",
    files="Files",
    created="{rel} was made",
    changed="{rel} was changed",
    removed="{rel} was removed",
    to_trash="{rel} went to the trash",
    archived="the old version was kept as {rel}",
    archive_gone="{rel} was taken away",
    index_word="MEMORY.md followed",
    kept="somebody else's version was kept as {rel}",
    undo_would="z takes it back:",
    redo_would="Z does it again:",
    other_half="the other half of the move, in {path}, goes along",
    comes_back="{rel} comes back",
    goes_again="{rel} goes away again",
    text_before="{rel} gets its text of before back",
    text_after="{rel} gets the changed text again",
    wait_again="proposals that wait for review again: {n}",
    wait_no_more="proposals that leave the review again: {n}",
    old_versions="old versions that this made go away again: {n}",
    old_versions_back="old versions that it made come back: {n}",
    index_back="the lines in MEMORY.md follow",
    more="and {n} more",
    undo_question="Undo “{label}”?",
    redo_question="Do “{label}” again?",
    undo="Undo",
    redo="Do it again",
    cancel="Cancel",
    nothing_to_undo="Nothing to undo",
    made_elsewhere="The last change was made in {path}; this is one from before, in here.",
    nothing_to_redo="Nothing to redo",
    was_at="was {rel}",
    taken="a memory of that name is there again; R waits until that one has another name",
    take_out="R puts it back, with its line in MEMORY.md.",
    taken_out="Taken out of the trash",
    status="ended",
    took="took",
    memory="memory",
    reading="Reading…",
    no_changes="Nothing was changed through memtui yet.",
    no_changes_hint="What agents write into the files themselves is not listed here.",
    no_trash="The trash is empty.",
    no_trash_hint="d on a memory forgets it; it lies here until you take it out.",
    no_calls="No tool was called yet.",
    no_calls_hint="Calls of agents that save through memtui are logged here, never the texts.",
    trouble="This cannot be read:",
    look="enter shows what changed in the texts.",
    no_texts="The journal keeps no texts of this change.",
    no_memory="this is about no memory",
)
ZH = ActivityWords(
    title="活动",
    changes="变更",
    trash="回收站",
    calls="调用",
    change_number="第 {n} 项变更",
    in_trash="在回收站中",
    call="调用",
    just_now="刚刚",
    minutes="{n} 分钟前",
    hours="{n} 小时前",
    utc="{time} UTC",
    session="会话 {id}",
    undone="已撤销",
    undo_next="按 z 撤销",
    redo_next="按 Z 重做",
    kind_undo="撤销：{label}",
    kind_redo="重做：{label}",
    stands="这项变更有效。",
    was_undone="这项变更已撤销。",
    files="文件",
    created="{rel} 已新建",
    changed="{rel} 已修改",
    removed="{rel} 已移除",
    to_trash="{rel} 已移入回收站",
    archived="旧版本存为 {rel}",
    archive_gone="{rel} 已移走",
    index_word="MEMORY.md 随之更新",
    kept="他人写入的版本存为 {rel}",
    undo_would="按 z 撤销后：",
    redo_would="按 Z 重做后：",
    other_half="移动的另一半（在 {path} 中）一并处理",
    comes_back="{rel} 会回来",
    goes_again="{rel} 会再次移走",
    text_before="{rel} 恢复之前的内容",
    text_after="{rel} 再次换成修改后的内容",
    wait_again="重新等待审阅的提议：{n}",
    wait_no_more="再次离开审阅的提议：{n}",
    old_versions="由此产生的旧版本会移走：{n} 个",
    old_versions_back="由此产生的旧版本会回来：{n} 个",
    index_back="MEMORY.md 中的行随之更新",
    more="还有 {n} 项",
    undo_question="撤销“{label}”？",
    redo_question="重做“{label}”？",
    undo="撤销",
    redo="重做",
    cancel="取消",
    nothing_to_undo="没有可撤销的变更",
    made_elsewhere="上一次变更是在 {path} 中做的；这里撤销的是本目录里更早的一次。",
    nothing_to_redo="没有可重做的变更",
    was_at="原为 {rel}",
    taken="已有同名记忆；那一条改名后才能用 R 取回",
    take_out="按 R 放回原处，并补上 MEMORY.md 中的行。",
    taken_out="已从回收站取回",
    status="结果",
    took="耗时",
    memory="记忆",
    reading="正在读取…",
    no_changes="还没有通过 memtui 做过变更。",
    no_changes_hint="代理直接写入文件的内容不列在这里。",
    no_trash="回收站是空的。",
    no_trash_hint="在记忆上按 d 即可遗忘；文件会留在这里，直到取回。",
    no_calls="还没有工具调用。",
    no_calls_hint="代理通过 memtui 保存时的调用记在这里，从不记录正文。",
    trouble="无法读取：",
    look="按回车查看文本的变化。",
    no_texts="日志没有保存这项变更的文本。",
    no_memory="这一项与任何记忆无关",
)

NAMED_KEYS: Mapping[str, tuple[str, ...]] = {
    "undo_next": ("undo",),
    "redo_next": ("redo",),
    "undo_would": ("undo",),
    "redo_would": ("redo",),
    "take_out": ("restore_file",),
    "no_trash_hint": ("forget",),
}
"""By sentence, the actions whose keys stand in it."""


def words(lang: Lang) -> ActivityWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
