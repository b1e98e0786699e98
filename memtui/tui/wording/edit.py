"""What the editor says, and the dialogs around it."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class EditWords(Sentences):
    """Sentences of the editor; a template names its parts."""

    title_new: str
    title_edit: str
    title_absorb: str
    unsaved: str
    name: str
    description: str
    type: str
    scope: str
    private: str
    team: str
    team_leak: str
    share_title: str
    share_line: str
    share_audit: str
    share_yes: str
    slug: str
    text: str
    name_hint: str
    description_hint: str
    checks: str
    checking: str
    counts: str
    counts_one: str
    fine: str
    project_pending: str
    empty: str
    wrong_type: str
    too_large: str
    slug_bad: str
    duplicate: str
    said_in: str
    claim_found: str
    claim_unknown: str
    index_lost: str
    index_rotates: str
    index_word: str
    place_first: str
    place: str
    place_pushes: str
    changed_below: str
    gone_below: str
    taken_over: str
    saved: str
    merged: str
    no_problem: str
    merge_ready: str
    twin: str
    draft_lost: str
    draft_taken: str
    draft_told: str
    draft_told_more: str
    draft_told_title: str
    draft_beside: str
    gone_title: str
    gone_line: str
    back: str
    leave_title: str
    leave_line: str
    draft_title: str
    draft_line: str
    draft_more: str
    draft_renamed: str
    just_now: str
    minutes: str
    hours: str
    days: str
    conflict_title: str
    conflict_line: str
    conflict_again: str
    conflict_gone: str
    conflict_both: str
    conflict_both_one: str
    conflict_clean: str
    mine: str
    theirs: str
    together: str
    theirs_done: str
    together_done: str
    joined: str
    no_editor: str
    editor_failed: str
    editor_no_terminal: str
    editor_unchanged: str
    editor_keys: str


EN = EditWords(
    title_new="New memory",
    title_edit="Edit · {name}",
    title_absorb="Edit · {name} · takes in {other}",
    unsaved="not saved",
    name="Name",
    description="Description",
    type="Type",
    scope="Scope",
    private="private",
    team="team",
    team_leak="a secret the team must not get (rule {kind}, line {line}, fingerprint {fingerprint})",
    share_title="Give this secret to the team?",
    share_line="Take it out, or keep the memory private: what leaves cannot be called back.",
    share_audit="To share it all the same, type the file's name. The audit log will say so.",
    share_yes="Share it",
    slug="File",
    text="Text",
    name_hint="a title",
    description_hint="one line that says when it matters",
    checks="Checks",
    checking="checking…",
    counts="{problems} to mend · {notes} notes",
    counts_one="{problems} to mend · 1 note",
    fine="Nothing to say against it.",
    project_pending="reading the project for what it names…",
    empty="{field} is empty",
    wrong_type="choose one of the four types",
    too_large="larger than a memory may be: split it",
    slug_bad="this file name cannot be taken; free is {free}",
    duplicate="{percent} % like {other}",
    said_in="{other} says this word for word",
    claim_found="{claim} is there",
    claim_unknown="{claim}: nobody can tell",
    index_lost="its line in MEMORY.md would not be loaded: the index is full",
    index_rotates="the index is full: {count} older lines would leave it",
    index_word="Index {lines} of {max_lines} lines, {size} of {max_size} {unit}",
    place_first="Reminder: first of {total}",
    place="Reminder: place {rank} of {total}, the first {taken} are in",
    place_pushes="{other} would leave it",
    changed_below="changed on disk meanwhile · ctrl+r compares",
    gone_below="no longer on disk · saving asks first, ctrl+r compares",
    taken_over="Changed on disk; nothing was typed here yet, so this is the new text",
    saved="Saved",
    merged="Merged",
    no_problem="Nothing is marked in the text",
    merge_ready="Both texts stand here now: make them one, then save",
    twin="Double · {name} · {percent} %",
    draft_lost="The unsaved text could not be written beside the memories: {why}",
    draft_taken="Unsaved text, {age}",
    draft_told="{name} · {age} · {open_draft} goes on with it",
    draft_told_more="{name} · {age} · and {count} more · {open_draft} goes on with it, the filter is:draft lists them",
    draft_told_title="Text of the last time is not saved",
    draft_beside="Other text of this memory was not saved, {age}: it is offered when the editor opens the next time",
    gone_title="The file is gone",
    gone_line="Somebody removed {file} while you edited it. Nothing was written; your text is still here.",
    back="Put back",
    leave_title="Leave without saving?",
    leave_line="What was typed is in no file yet",
    draft_title="There is unsaved text",
    draft_line="{name} · {age} · characters: {chars}",
    draft_more="and {count} more, offered next time",
    draft_renamed="begun on {slug}, which is not there any more: it will be a new memory",
    just_now="just now",
    minutes="{n} min ago",
    hours="{n} h ago",
    days="{n} days ago",
    conflict_title="Changed underneath",
    conflict_line="Somebody else changed this memory while you edited it. Nothing was written, and both texts are kept.",
    conflict_again="Somebody went on writing, on the same lines. m saves yours whatever they write; theirs stays as an old version.",
    conflict_gone="The file is gone. Nothing was written; your text is here.",
    conflict_both_one="One place was changed on both sides: both wordings stand in the merged text, yours first",
    conflict_both="{count} places changed on both sides: both wordings stand in the merged text, yours first",
    conflict_clean="The changes do not touch each other",
    mine="Mine",
    theirs="Theirs",
    together="Merged",
    theirs_done="Their text now; ctrl+z brings yours back",
    together_done="Both changes in one text: read it, then save",
    joined="What somebody else wrote meanwhile, on other lines, is in it too",
    no_editor="no editor is set: set $VISUAL or $EDITOR",
    editor_failed="{command} could not be run, or ended with an error: {why}",
    editor_no_terminal="an editor cannot be opened in this terminal",
    editor_unchanged="Nothing was changed",
    editor_keys="not saved: of a header only name, description and type can be edited here, and these would be lost: {keys}. Saving goes on without them",
)
ZH = EditWords(
    title_new="新建记忆",
    title_edit="编辑 · {name}",
    title_absorb="编辑 · {name} · 并入 {other}",
    unsaved="未保存",
    name="名称",
    description="描述",
    type="类型",
    scope="范围",
    private="私有",
    team="团队",
    team_leak="不能交给团队的秘密（规则 {kind}，第 {line} 行，指纹 {fingerprint}）",
    share_title="把这个秘密交给团队？",
    share_line="请将其去掉，或将记忆保持私有：发出的内容无法收回。",
    share_audit="若仍要共享，请输入文件名。审计日志会记下此事。",
    share_yes="共享",
    slug="文件",
    text="正文",
    name_hint="标题",
    description_hint="一行文字，说明何时用得上",
    checks="检查",
    checking="检查中…",
    counts="{problems} 项待改 · {notes} 条提示",
    counts_one="{problems} 项待改 · 1 条提示",
    fine="没有可挑剔之处。",
    project_pending="正在读取项目，以核实其中提到的内容…",
    empty="{field}为空",
    wrong_type="请选择四种类型之一",
    too_large="超过一条记忆的上限：请拆分",
    slug_bad="不能用这个文件名；可用 {free}",
    duplicate="与 {other} 相似 {percent}%",
    said_in="{other} 中已有一字不差的这句话",
    claim_found="{claim} 存在",
    claim_unknown="{claim}：无法判断",
    index_lost="索引已满：它在 MEMORY.md 中的一行不会被加载",
    index_rotates="索引已满：将有 {count} 行较旧的条目移出",
    index_word="索引 {lines}/{max_lines} 行，{size}/{max_size} {unit}",
    place_first="提醒：{total} 条中的第一条",
    place="提醒：{total} 条中的第 {rank} 条，前 {taken} 条会注入",
    place_pushes="{other} 将不再注入",
    changed_below="磁盘上的文件已被改动 · ctrl+r 比较",
    gone_below="磁盘上已无此文件 · 保存前会先询问，ctrl+r 比较",
    taken_over="磁盘上的文件已被改动；此处尚未输入，已换成新内容",
    saved="已保存",
    merged="已合并",
    no_problem="正文中没有标出的地方",
    merge_ready="两段文字都在这里了：改成一段，再保存",
    twin="相似 · {name} · {percent}%",
    draft_lost="未保存的文字无法写到记忆旁边：{why}",
    draft_taken="{age}的未保存文字",
    draft_told="{name} · {age} · 按 {open_draft} 继续编辑",
    draft_told_more="{name} · {age} · 另有 {count} 份 · 按 {open_draft} 继续编辑，筛选 is:draft 可列出",
    draft_told_title="上次有文字没有保存",
    draft_beside="这条记忆还有{age}未保存的文字：下次打开编辑器时会提示",
    gone_title="文件已不在",
    gone_line="你编辑时有人移走了 {file}。尚未写入任何内容，你的文字还在。",
    back="已放回",
    leave_title="不保存就离开？",
    leave_line="输入的内容还不在任何文件里",
    draft_title="有未保存的文字",
    draft_line="{name} · {age} · {chars} 个字符",
    draft_more="另有 {count} 份，下次再提示",
    draft_renamed="原为 {slug} 的草稿，该记忆已不在：将成为新的记忆",
    just_now="刚才",
    minutes="{n} 分钟前",
    hours="{n} 小时前",
    days="{n} 天前",
    conflict_title="文件已被改动",
    conflict_line="你编辑时有人改了这条记忆。尚未写入任何内容，两边的文字都在。",
    conflict_again="有人继续在改同样的行。按 m 保存你的，不论对方再写什么；对方的文字留作旧版本。",
    conflict_gone="文件已不在。尚未写入任何内容，你的文字还在。",
    conflict_both_one="有一处两边都改了：合并稿中两种写法都保留，你的在前",
    conflict_both="{count} 处两边都改了：合并稿中两种写法都保留，你的在前",
    conflict_clean="两边的改动互不冲突",
    mine="我的",
    theirs="对方的",
    together="合并",
    theirs_done="已换成对方的文字；ctrl+z 可恢复你的",
    together_done="两边的改动已合在一起：看过后保存",
    joined="别人同时写在其他行的内容也已并入",
    no_editor="未设置编辑器：请设置 $VISUAL 或 $EDITOR",
    editor_failed="{command} 无法运行或出错结束：{why}",
    editor_no_terminal="此终端中无法打开编辑器",
    editor_unchanged="没有改动",
    editor_keys="尚未保存：此处只能编辑头部的名称、描述和类型，以下内容会丢失：{keys}。保存即舍弃它们",
)

NAMED_KEYS: Mapping[str, tuple[str, ...]] = {
    "changed_below": ("compare",),
    "gone_below": ("compare",),
    "conflict_again": ("keep_mine",),
}
"""By sentence, the actions whose keys stand in it."""


def words(lang: Lang) -> EditWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
