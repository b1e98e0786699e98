"""What ``projects``, ``copy``, ``move`` and ``adopt`` say beside their data, in both languages; as in ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class TransferWording(Sentences):
    """The sentences of the commands about several stores."""

    head_project: str
    head_kind: str
    head_memories: str
    head_index: str
    head_stale: str
    head_secrets: str
    head_changed: str
    head_problems: str
    stores: str
    stores_one: str
    no_stores: str
    hits: str
    hits_one: str
    no_hits: str
    seen_copy: str
    seen_part: str
    plan_copy: str
    plan_copy_one: str
    plan_move: str
    plan_move_one: str
    plan_adopt: str
    plan_adopt_one: str
    new: str
    merged: str
    same: str
    versions: str
    versions_one: str
    dangling: str
    left_dangling: str
    looks_like: str
    alike: str
    clash: str
    ask_copy: str
    ask_move: str
    ask_adopt: str
    nothing_to_do: str
    copied: str
    moved: str
    adopted: str
    adopted_one: str
    undo_copy: str
    undo_move: str
    also_undone: str
    candidate: str
    left_over: str
    left_over_one: str
    left_gone: str
    left_gone_one: str
    because: str


_EN = TransferWording(
    head_project="PROJECT",
    head_kind="KIND",
    head_memories="MEMORIES",
    head_index="INDEX",
    head_stale="STALE",
    head_secrets="SECRETS",
    head_changed="CHANGED",
    head_problems="PROBLEMS",
    stores="{count} stores; 'memtui --dir DIR' opens one",
    stores_one="{count} store; 'memtui --dir DIR' opens it",
    no_stores="there is no memory store on this machine; looked below {home}",
    hits="{count} memories found",
    hits_one="{count} memory found",
    no_hits="nothing found",
    seen_copy="'memtui copy {slug} --to STORE' takes it to another store",
    seen_part="not all other stores were looked at in the time for it",
    plan_copy="copy {count} memories from {source} to {target}:",
    plan_copy_one="copy {count} memory from {source} to {target}:",
    plan_move="move {count} memories from {source} to {target}:",
    plan_move_one="move {count} memory from {source} to {target}:",
    plan_adopt="take over {count} memories from {source} into {target}; the old store stays as it is:",
    plan_adopt_one="take over {count} memory from {source} into {target}; the old store stays as it is:",
    new="new",
    merged="merged into the one there",
    same="there already, word for word",
    versions="{count} old versions",
    versions_one="{count} old version",
    dangling="links that lead nowhere there: {targets}",
    left_dangling="links that will lead nowhere here, in: {slugs}",
    looks_like="looks like a secret: {rules}",
    alike="says nearly the same as {slug} there ({percent} %)",
    clash="{slug}: the name is taken there; --as {proposed} gives it another, --merge joins the two",
    ask_copy="Copy?",
    ask_move="Move?",
    ask_adopt="Take these over?",
    nothing_to_do="everything is so already; nothing to do",
    copied="copied {slugs} to {target}",
    moved="moved {slugs} to {target}",
    adopted="took over {count} memories from {source}",
    adopted_one="took over {count} memory from {source}",
    undo_copy="'memtui undo --dir {target}' takes it back",
    undo_move="'memtui undo' takes back both sides of it, here or there",
    also_undone="the other half of the move was done in {path}",
    candidate="{path} may be this project's old store:",
    left_over="{path} holds {count} memories of no project that is known to be there:\n  memtui adopt {name}",
    left_over_one="{path} holds {count} memory of no project that is known to be there:\n  memtui adopt {name}",
    left_gone="{path} holds {count} memories of {project}, which is gone:\n  memtui adopt {name}",
    left_gone_one="{path} holds {count} memory of {project}, which is gone:\n  memtui adopt {name}",
    because="- {reason}",
)

_ZH = TransferWording(
    head_project="项目",
    head_kind="类型",
    head_memories="记忆",
    head_index="索引",
    head_stale="陈旧",
    head_secrets="密钥",
    head_changed="最近改动",
    head_problems="问题",
    stores="共 {count} 个记忆库；用 'memtui --dir DIR' 打开其中一个",
    stores_one="共 {count} 个记忆库；用 'memtui --dir DIR' 打开",
    no_stores="这台机器上没有记忆库；查找位置：{home}",
    hits="找到 {count} 条记忆",
    hits_one="找到 {count} 条记忆",
    no_hits="没有找到",
    seen_copy="用 'memtui copy {slug} --to 记忆库' 可复制到别的记忆库",
    seen_part="时间所限，其他记忆库没有看完",
    plan_copy="将 {count} 条记忆从 {source} 复制到 {target}：",
    plan_copy_one="将 {count} 条记忆从 {source} 复制到 {target}：",
    plan_move="将 {count} 条记忆从 {source} 移动到 {target}：",
    plan_move_one="将 {count} 条记忆从 {source} 移动到 {target}：",
    plan_adopt="将 {source} 的 {count} 条记忆接管到 {target}；旧记忆库保持原样：",
    plan_adopt_one="将 {source} 的 {count} 条记忆接管到 {target}；旧记忆库保持原样：",
    new="新增",
    merged="与那里的同名记忆合并",
    same="那里已有，一字不差",
    versions="{count} 个旧版本",
    versions_one="{count} 个旧版本",
    dangling="在那里没有目标的链接：{targets}",
    left_dangling="以下记忆中的链接将失去目标：{slugs}",
    looks_like="疑似密钥：{rules}",
    alike="与那里的 {slug} 几乎相同（{percent} %）",
    clash="{slug}：那里已有同名记忆；用 --as {proposed} 改名，或用 --merge 合并",
    ask_copy="要复制吗？",
    ask_move="要移动吗？",
    ask_adopt="要接管吗？",
    nothing_to_do="已是如此，无需改动",
    copied="已将 {slugs} 复制到 {target}",
    moved="已将 {slugs} 移动到 {target}",
    adopted="已从 {source} 接管 {count} 条记忆",
    adopted_one="已从 {source} 接管 {count} 条记忆",
    undo_copy="用 'memtui undo --dir {target}' 可撤销",
    undo_move="在任一边用 'memtui undo' 可同时撤销两边",
    also_undone="移动的另一半在 {path} 中一并完成",
    candidate="{path} 可能是这个项目原来的记忆库：",
    left_over="{path} 有 {count} 条记忆，不属于任何已知还在的项目：\n  memtui adopt {name}",
    left_over_one="{path} 有 {count} 条记忆，不属于任何已知还在的项目：\n  memtui adopt {name}",
    left_gone="{path} 有 {count} 条记忆，属于已不在的 {project}：\n  memtui adopt {name}",
    left_gone_one="{path} 有 {count} 条记忆，属于已不在的 {project}：\n  memtui adopt {name}",
    because="- {reason}（依据）",
)


def transfer_words(lang: Lang) -> TransferWording:
    """The catalogue of a language."""
    return _ZH if lang == "zh" else _EN
