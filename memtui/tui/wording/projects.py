"""What the projects screen says, and what is said before memories go to another store."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ProjectsWords(Sentences):
    """Sentences; a template names its parts."""

    title: str
    counted: str
    counted_one: str
    reading: str
    found_title: str
    found: str
    searching: str
    no_stores: str
    no_stores_where: str
    no_hits: str
    search_note: str
    search_hint: str
    memories: str
    memory: str
    stale: str
    secrets: str
    secret: str
    old_versions: str
    index_full: str
    no_index: str
    index_lines: str
    changed: str
    never: str
    kind: str
    place: str
    project: str
    no_project: str
    also: str
    open_now: str
    read_only: str
    candidate: str
    adopt_it: str
    being_read: str
    line: str
    opened: str
    pick_title: str
    pick_note: str
    no_target: str
    question_one: str
    question_many: str
    adopt_question: str
    yes: str
    copy: str
    move: str
    adopt: str
    copy_note: str
    move_note: str
    adopt_note: str
    joined: str
    renamed: str
    joined_note: str
    renamed_note: str
    arrives: str
    merged: str
    same: str
    versions: str
    taken: str
    taken_hint: str
    leaves: str
    dangling: str
    dangling_here: str
    looks_like: str
    alike: str
    undo_copy: str
    undo_move: str
    undo_adopt: str
    nothing: str
    copied: str
    moved: str
    adopted: str
    undo_there: str
    also_there: str
    head_count: str
    head_index: str
    head_stale: str
    head_secrets: str
    head_changed: str
    head_problems: str


EN = ProjectsWords(
    title="Projects",
    counted="{count} stores",
    counted_one="{count} store",
    reading="{left} still to be read",
    found_title="Found in all stores",
    found="{count} found",
    searching="searching…",
    no_stores="No memory store was found on this machine.",
    no_stores_where="Looked below {home}: Claude Code's projects and agents, Qwen Code, and what other agents keep.",
    no_hits="No memory holds all of these words.",
    search_note="words  type:feedback  tier:hot  is:stale",
    search_hint="search all stores",
    memories="{count} memories",
    memory="{count} memory",
    stale="{percent} % stale, not touched for 200 days",
    secrets="{count} values that look like secrets",
    secret="{count} value that looks like a secret",  # noqa: S106 – a sentence
    old_versions="{count} old versions",
    index_full="index {percent} % full",
    no_index="no index",
    index_lines="{lines} of {max_lines} lines, {size} of {max_size} {unit}",
    changed="last change {age}",
    never="nothing in it",
    kind="kind",
    place="place",
    project="project",
    no_project="not known",
    also="and {path}",
    open_now="open now",
    read_only="read-only: {why}",
    candidate="This may be this project's old store:",
    adopt_it="a takes its memories over.",
    being_read="being read…",
    line="line {line}",
    opened="Opened read-only: {why}",
    pick_title="Copy or move to which store?",
    pick_note="enter takes it",
    no_target="there is no other store that may be written to",
    question_one="{name}: to {target}?",
    question_many="{count} memories: to {target}?",
    adopt_question="Take the memories of {source} over?",
    yes="Do it",
    copy="Copy",
    move="Move",
    adopt="Take over",
    copy_note="what is here stays",
    move_note="arrives there, then leaves here",
    adopt_note="the old store stays as it is",
    joined=", joined",
    renamed=", renamed",
    joined_note="a taken name: the two texts become one",
    renamed_note="a taken name: this one gets another",
    arrives="arrives there",
    merged="is joined with the one there",
    same="is there already, word for word",
    versions="with {count} old versions",
    taken="the name is taken there",
    taken_hint="Choose above how: joined with the one there, or under another name.",
    leaves="leaves here, into the trash",
    dangling="links that lead nowhere there",
    dangling_here="memories here whose links will lead nowhere",
    looks_like="looks like a secret",
    alike="says nearly the same as {slug} there, {percent} %",
    undo_copy="What is here stays as it is; in the other store z takes the copy back.",
    undo_move="One change: z takes it back on both sides, here or there.",
    undo_adopt="One change, which z takes back. The old store stays as it is.",
    nothing="Everything is so already.",
    copied="Copied",
    moved="Moved",
    adopted="Taken over",
    undo_there="to {path}; z there takes it back",
    also_there="also changed: {path}",
    head_count="count",
    head_index="index",
    head_stale="stale",
    head_secrets="secrets",
    head_changed="changed",
    head_problems="problems",
)

ZH = ProjectsWords(
    title="项目",
    counted="{count} 个记忆库",
    counted_one="{count} 个记忆库",
    reading="还有 {left} 个待读取",
    found_title="在所有记忆库中找到",
    found="找到 {count} 条",
    searching="正在查找…",
    no_stores="这台机器上没有找到记忆库。",
    no_stores_where="查找位置：{home} 之下 Claude Code 的项目与子代理、Qwen Code，以及其他代理保存的内容。",
    no_hits="没有记忆包含所有这些词。",
    search_note="词语  type:feedback  tier:hot  is:stale",
    search_hint="在所有记忆库中查找",
    memories="{count} 条记忆",
    memory="{count} 条记忆",
    stale="{percent} % 陈旧，200 天未动",
    secrets="{count} 处疑似密钥",
    secret="{count} 处疑似密钥",  # noqa: S106 – a sentence
    old_versions="{count} 个旧版本",
    index_full="索引已用 {percent} %",
    no_index="没有索引",
    index_lines="{lines}/{max_lines} 行，{size}/{max_size} {unit}",
    changed="最近改动 {age}",
    never="其中没有内容",
    kind="类型",
    place="位置",
    project="项目",
    no_project="未知",
    also="以及 {path}",
    open_now="当前打开",
    read_only="只读：{why}",
    candidate="这可能是本项目原来的记忆库：",
    adopt_it="按 a 接管其中的记忆。",
    being_read="正在读取…",
    line="第 {line} 行",
    opened="以只读方式打开：{why}",
    pick_title="复制或移动到哪个记忆库？",
    pick_note="回车选定",
    no_target="没有其他可写入的记忆库",
    question_one="{name}：到 {target}？",
    question_many="{count} 条记忆：到 {target}？",
    adopt_question="要接管 {source} 的记忆吗？",
    yes="执行",
    copy="复制",
    move="移动",
    adopt="接管",
    copy_note="这里的保持不变",
    move_note="先到那里，再从这里移出",
    adopt_note="旧记忆库保持原样",
    joined="，合并",
    renamed="，改名",
    joined_note="同名时：两份文本合为一条",
    renamed_note="同名时：这一条另起名称",
    arrives="将到那里",
    merged="将与那里的同名记忆合并",
    same="那里已有，一字不差",
    versions="连同 {count} 个旧版本",
    taken="那里已有同名记忆",
    taken_hint="请在上方选择：与那里的合并，或另起名称。",
    leaves="将从这里移入回收站",
    dangling="在那里没有目标的链接",
    dangling_here="这里将失去链接目标的记忆",
    looks_like="疑似密钥",
    alike="与那里的 {slug} 几乎相同，{percent} %",
    undo_copy="这里保持不变；在另一个记忆库中按 z 可撤销复制。",
    undo_move="这是一次修改：在任一边按 z 可同时撤销两边。",
    undo_adopt="这是一次修改，按 z 可撤销。旧记忆库保持原样。",
    nothing="已是如此。",
    copied="已复制",
    moved="已移动",
    adopted="已接管",
    undo_there="到 {path}；在那里按 z 可撤销",
    also_there="同时改动：{path}",
    head_count="条数",
    head_index="索引",
    head_stale="陈旧",
    head_secrets="密钥",
    head_changed="改动",
    head_problems="问题",
)


def words(lang: Lang) -> ProjectsWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
