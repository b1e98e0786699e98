"""What ``review`` says beside its data, in both languages; as in ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ReviewWording(Sentences):
    """The sentences of ``review``."""

    kind_create: str
    kind_update: str
    kind_merge: str
    kind_forget: str
    kind_fix: str
    source_extraction: str
    source_dream: str
    source_sync: str
    source_rules: str
    code_unreadable: str
    code_altered: str
    code_too_large: str
    code_not_regular: str
    code_other: str
    waiting: str
    waiting_one: str
    nothing_waits: str
    others_waiting: str
    others_waiting_one: str
    no_proposal: str
    proposed: str
    by_line: str
    said_at: str
    line: str
    check_line: str
    check_empty: str
    check_wrong_type: str
    check_too_large: str
    check_team_leak: str
    check_slug: str
    check_duplicate: str
    check_index_lost: str
    check_index_rotates: str
    cannot_yet: str
    ask_accept: str
    ask_accept_one: str
    accepted: str
    accepted_one: str
    left_line: str
    rejected: str
    rejected_one: str
    no_fit: str
    not_edited: str
    change_new: str
    change_edited: str
    change_deleted: str
    changes_seen: str
    changes_seen_one: str
    nothing_changed_since: str
    base_unknown: str
    kept_seen: str
    kept_seen_one: str
    ask_revert: str
    ask_revert_one: str
    reverted: str
    reverted_one: str


_EN = ReviewWording(
    kind_create="create",
    kind_update="update",
    kind_merge="merge",
    kind_forget="forget",
    kind_fix="fix",
    source_extraction="extraction",
    source_dream="dream",
    source_sync="sync",
    source_rules="rules",
    code_unreadable="this is not a proposal",
    code_altered="it was altered after it was made, so it is not obeyed",
    code_too_large="it is too large to be read",
    code_not_regular="it is not a regular file",
    code_other="it cannot be read",
    waiting="{count} proposals wait; 'memtui review show ID' shows one, 'memtui review accept ID' makes it a memory",
    waiting_one="{count} proposal waits; 'memtui review show ID' shows it, 'memtui review accept ID' makes it a memory",
    nothing_waits="no proposal waits",
    others_waiting="others changed {count} memories since you last saw them; 'memtui review changes' shows them",
    others_waiting_one="others changed {count} memory since you last saw it; 'memtui review changes' shows it",
    no_proposal="{name}: {why}",
    proposed="{kind} {slugs} · {source} · {age}",
    by_line="by {by}",
    said_at="{path}, {line}:",
    line="line {line}",
    check_line="{slug}: {severity}: {message} [{rule}]",
    check_empty="its {field} is empty",
    check_wrong_type="its type is none of the four",
    check_too_large="it is larger than a memory may be",
    check_team_leak="it holds a secret that the team must not get ({kind}, line {line})",
    check_slug="this file name cannot be taken; free is {free}",
    check_duplicate="it is {percent} % like {other}",
    check_index_lost="its line in MEMORY.md will not load, since the index is over its limit",
    check_index_rotates="the index is full: older lines that leave it: {count}",
    cannot_yet="it cannot be accepted now: {reason}",
    ask_accept="Accept these {count} proposals?",
    ask_accept_one="Accept this proposal?",
    accepted="accepted {count} proposals: {slugs}; 'memtui undo' takes it all back",
    accepted_one="accepted {count} proposal: {slugs}; 'memtui undo' takes it back",
    left_line="{id} still waits: {reason}",
    rejected="rejected {count} proposals; they will not be proposed again; 'memtui undo' brings them back",
    rejected_one="rejected {count} proposal; it will not be proposed again; 'memtui undo' brings it back",
    no_fit="no proposal fits",
    not_edited="the text was not changed; nothing was accepted",
    change_new="new",
    change_edited="edited",
    change_deleted="deleted",
    changes_seen="{count} memories were changed; 'memtui review keep SLUG' or 'memtui review revert SLUG' settles one",
    changes_seen_one="{count} memory was changed; 'memtui review keep SLUG' or 'memtui review revert SLUG' settles it",
    nothing_changed_since="nobody else changed anything since you last saw it",
    base_unknown="{slug}: the text as you last saw it is not known any more",
    kept_seen="kept {count} changes as they are",
    kept_seen_one="kept {count} change as it is",
    ask_revert="Revert these {count} memories to what you last saw?",
    ask_revert_one="Revert this memory to what you last saw?",
    reverted="reverted {slugs} to what you last saw; 'memtui undo' takes it all back",
    reverted_one="reverted {slugs} to what you last saw; 'memtui undo' takes it back",
)

_ZH = ReviewWording(
    kind_create="新建",
    kind_update="更新",
    kind_merge="合并",
    kind_forget="遗忘",
    kind_fix="修正",
    source_extraction="提取",
    source_dream="整理",
    source_sync="同步",
    source_rules="规则",
    code_unreadable="这不是提议",
    code_altered="它生成之后被改过，因此不予采纳",
    code_too_large="它太大，无法读取",
    code_not_regular="它不是普通文件",
    code_other="无法读取",
    waiting="有 {count} 个提议待审阅；用 'memtui review show ID' 查看，用 'memtui review accept ID' 接受",
    waiting_one="有 {count} 个提议待审阅；用 'memtui review show ID' 查看，用 'memtui review accept ID' 接受",
    nothing_waits="没有待审阅的提议",
    others_waiting="自你上次查看以来，别人改动了 {count} 条记忆；用 'memtui review changes' 查看",
    others_waiting_one="自你上次查看以来，别人改动了 {count} 条记忆；用 'memtui review changes' 查看",
    no_proposal="不采用 {name}：{why}",
    proposed="{kind} {slugs} · 来自{source} · {age}",
    by_line="由 {by} 提出",
    said_at="出自 {path}，{line}：",
    line="第 {line} 行",
    check_line="检查 {slug}：{severity}：{message} [{rule}]",
    check_empty="字段 {field} 为空",
    check_wrong_type="类型不属于四种之一",
    check_too_large="超过一条记忆允许的大小",
    check_team_leak="含有不得交给团队的秘密（{kind}，第 {line} 行）",
    check_slug="不能使用这个文件名；可用的是 {free}",
    check_duplicate="与 {other} 有 {percent} % 相似",
    check_index_lost="它在 MEMORY.md 中的一行不会加载，因为索引超出了上限",
    check_index_rotates="索引已满：将移出 {count} 行较旧的条目",
    cannot_yet="现在无法接受：{reason}",
    ask_accept="要接受这 {count} 个提议吗？",
    ask_accept_one="要接受这个提议吗？",
    accepted="已接受 {count} 个提议：{slugs}；用 'memtui undo' 可全部撤销",
    accepted_one="已接受 {count} 个提议：{slugs}；用 'memtui undo' 可撤销",
    left_line="{id} 仍待审阅：{reason}",
    rejected="已拒绝 {count} 个提议，不会再次提出；用 'memtui undo' 可恢复",
    rejected_one="已拒绝 {count} 个提议，不会再次提出；用 'memtui undo' 可恢复",
    no_fit="没有符合的提议",
    not_edited="内容没有改动，未接受任何提议",
    change_new="新增",
    change_edited="编辑",
    change_deleted="删除",
    changes_seen="有 {count} 条记忆被改动；用 'memtui review keep SLUG' 保留或 'memtui review revert SLUG' 恢复",
    changes_seen_one="有 {count} 条记忆被改动；用 'memtui review keep SLUG' 保留或 'memtui review revert SLUG' 恢复",
    nothing_changed_since="自你上次查看以来，没有别人改动过",
    base_unknown="{slug}：你上次所见的内容已不可知",
    kept_seen="已保留 {count} 处改动",
    kept_seen_one="已保留 {count} 处改动",
    ask_revert="要将这 {count} 条记忆恢复为上次所见吗？",
    ask_revert_one="要将这条记忆恢复为上次所见吗？",
    reverted="已将 {slugs} 恢复为上次所见；用 'memtui undo' 可全部撤销",
    reverted_one="已将 {slugs} 恢复为上次所见；用 'memtui undo' 可撤销",
)

_CATALOGUES: dict[Lang, ReviewWording] = {"en": _EN, "zh": _ZH}


def review_words(lang: Lang) -> ReviewWording:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
