"""What the checks say."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ChecksWords(Sentences):
    """Sentences of the checks; a template names its parts."""

    title: str
    title_file: str
    counted: str
    count_filtered: str
    pending: str
    error: str
    warning: str
    note: str
    fixable: str
    finding: str
    whole_file: str
    fix: str
    planning: str
    nothing_to_do: str
    no_plan: str
    by_hand: str
    by_hand_memory: str
    by_hand_index: str
    clear: str
    clear_file: str
    checked: str
    checked_index: str
    checked_project: str
    not_checked_project: str
    missing: str
    none_match: str
    knows_no: str
    fix_question: str
    fix_all_question: str
    fix_yes: str
    fix_no: str
    fixed: str
    undo_note: str
    removed_file: str
    new_file: str
    changed_file: str
    hand: Mapping[str, str]


EN = ChecksWords(
    title="Checks",
    title_file="Checks · {path}",
    counted="{count} found",
    count_filtered="{shown} of {count} found",
    pending="checking…",
    error="error",
    warning="warning",
    note="note",
    fixable="fix",
    finding="Finding",
    whole_file="{path}, as a whole",
    fix="x fixes it: {label}",
    planning="working out what would change…",
    nothing_to_do="Nothing is left to do: the directory has changed since.",
    no_plan="What would change cannot be worked out: {problem}",
    by_hand="By hand",
    by_hand_memory="e edits the memory, enter goes to it.",
    by_hand_index="It stands in MEMORY.md; enter shows what of it loads.",
    clear="All clear.",
    clear_file="Nothing was found about {path}.",
    checked="Memories checked: {count}, by {rules} rules: how they read, what they say, doubles, links and age.",
    checked_index="The index was compared with the files: {lines} of {max_lines} lines; entries: {entries}.",
    checked_project="What they name was looked up in the project.",
    not_checked_project="What they name was not looked up: no project is known for this directory.",
    missing="The directory does not exist: there is nothing to check.",
    none_match="No finding matches the filter.",
    knows_no="{key}: knows no “{value}”, only {names}",
    fix_question="{label}?",
    fix_all_question="{label}: all {count}?",
    fix_yes="Write it",
    fix_no="Cancel",
    fixed="Fixed",
    undo_note="One change; z takes it back.",
    removed_file="{path} goes to .memtui/trash",
    new_file="{path}, new",
    changed_file="{path}",
    hand={
        "duplicate": "m merges the two into one, after showing what becomes of both. Or forget one (d in the list).",
        "same-but-numbers": "Compare the two; if one is an update of the other, merge them or forget the old one.",
        "same-title": "Say in the descriptions how they differ, or merge them.",
        "stale": "In the list: v if it is still true, d to forget it.",
        "broken-claim": "Look where it went; write the new name, or forget the memory.",
        "too-short": "Say what it is about and why, or forget it (d in the list).",
        "relative-date": "Write the date instead.",
        "misread": "Save it once from the editor: the line is then written so that every reader reads it alike.",
        "unreadable": "Open the file in your own editor and mend what the message names.",
        "sync-copy": "The two differ: move what is new into the original, then forget the copy.",
        "long-line": "Shorten the line in MEMORY.md; what it says beyond the first sentence belongs into the memory.",
        "prose-in-index": "Make a memory of it, and leave its line.",
        "link-outside": "Copy what is there into a memory, or take the line out.",
        "slug-collision": "Rename one of the two files.",
        "index-near-limit": "Merge memories that belong together, or shorten lines.",
        "orphan": "The index has no room for its line. Shorten the index, merge memories, or forget it.",
        "unlisted": "Nothing needs to be done. is:unlisted lists them in the list; a save with e puts one back.",
        "not-loaded": "Mend the index first: the finding about its limit offers how.",
    },
)

ZH = ChecksWords(
    title="检查",
    title_file="检查 · {path}",
    counted="发现 {count} 项",
    count_filtered="共 {count} 项，显示 {shown} 项",
    pending="检查中…",
    error="错误",
    warning="警告",
    note="提示",
    fixable="可修",
    finding="发现",
    whole_file="{path}，整个文件",
    fix="按 x 修复：{label}",
    planning="正在推算会改动什么…",
    nothing_to_do="无事可做：目录在此之后已有变化。",
    no_plan="无法推算会改动什么：{problem}",
    by_hand="手动处理",
    by_hand_memory="e 编辑这条记忆，enter 转到它。",
    by_hand_index="位于 MEMORY.md；enter 查看其中载入的部分。",
    clear="一切正常。",
    clear_file="{path} 没有发现问题。",
    checked="{count} 条记忆按 {rules} 条规则检查过：读法、内容、重复、链接与时效。",
    checked_index="索引与文件核对过：{lines}/{max_lines} 行，{entries} 个条目。",
    checked_project="其中提到的内容已在项目中核实。",
    not_checked_project="其中提到的内容未核实：此目录没有已知的项目。",
    missing="目录不存在：没有可检查的内容。",
    none_match="没有符合筛选条件的发现。",
    knows_no="{key}: 没有“{value}”，只有 {names}",
    fix_question="{label}？",
    fix_all_question="{label}：全部 {count} 项？",
    fix_yes="写入",
    fix_no="取消",
    fixed="已修复",
    undo_note="作为一次改动写入；z 可撤销。",
    removed_file="{path} 移入 .memtui/trash",
    new_file="{path}，新文件",
    changed_file="{path}",
    hand={
        "duplicate": "按 m 把两条合成一条，之前会显示两条各变成什么。或忘记其中一条（列表中按 d）。",
        "same-but-numbers": "比较两者；若一条是另一条的更新，就合并，或忘记旧的。",
        "same-title": "在描述里写明区别，或合并。",
        "stale": "在列表中：仍然成立按 v，要忘记按 d。",
        "broken-claim": "查明它去了哪里；写上新名字，或忘记这条记忆。",
        "too-short": "写明是什么、为什么，或忘记它（列表中按 d）。",
        "relative-date": "改写成具体日期。",
        "misread": "在编辑器中保存一次，这一行就会写成所有读者读法一致的样子。",
        "unreadable": "用自己的编辑器打开文件，修好提示所说之处。",
        "sync-copy": "两者内容不同：把新内容移到原件，再忘记副本。",
        "long-line": "缩短 MEMORY.md 中的这一行；第一句以外的内容应放进记忆。",
        "prose-in-index": "把它写成一条记忆，索引里只留一行。",
        "link-outside": "把那里的内容抄成记忆，或删去这一行。",
        "slug-collision": "重命名其中一个文件。",
        "index-near-limit": "合并同类记忆，或缩短各行。",
        "orphan": "索引放不下它的一行。请缩短索引、合并记忆，或忘记它。",
        "unlisted": "无需处理。在列表中用 is:unlisted 查看；保存一次（e）即可重新列入。",
        "not-loaded": "先修索引：关于上限的那一项提供了办法。",
    },
)

NAMED_KEYS: Mapping[str, tuple[str, ...]] = {
    "fix": ("fix",),
    "by_hand_memory": ("edit_there", "go_to_memory"),
    "by_hand_index": ("go_to_memory",),
    "undo_note": ("undo",),
}
"""By sentence, the actions whose keys stand in it."""

NAMED_HAND: Mapping[str, tuple[str, ...]] = {
    "duplicate": ("merge_doubles", "forget"),
    "stale": ("still_true", "forget"),
    "unlisted": ("edit",),
    "too-short": ("forget",),
}
"""The same for what to do by hand, by rule."""

_WORDS: dict[Lang, ChecksWords] = {"en": EN, "zh": ZH}


def words(lang: Lang) -> ChecksWords:
    """The sentences in a language."""
    return _WORDS[lang]
