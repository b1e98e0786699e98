"""What the list, the memory beside it and their small dialogs say."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class BrowseWords(Sentences):
    """Sentences of the list and of a memory; a template names its parts. Words of a row take at most four cells."""

    memories: str
    by: str
    reversed: str
    with_old: str
    of: str
    sort_score: str
    sort_age: str
    sort_name: str
    sort_type: str
    sort_size: str
    sort_used: str
    col_tier: str
    col_score: str
    col_age: str
    col_name: str
    col_type: str
    col_size: str
    col_used: str
    col_description: str
    col_marks: str
    density_compact: str
    density_comfortable: str
    columns_title: str
    columns_note: str
    hint_words: str
    hint_not: str
    hint_quotes: str
    no_value: str
    no_key: str
    no_key_near: str
    row_hot: str
    row_warm: str
    row_cool: str
    row_old: str
    row_team: str
    marked_some: str
    hidden_by_filter: str
    unread_all: str
    copy_title: str
    copy_note: str
    copy_path: str
    copy_slug: str
    copy_text: str
    copy_link: str
    copied: str
    copied_hint: str
    link_nowhere: str
    no_links: str
    tab_detail: str
    tab_history: str
    tab_checks: str
    source: str
    use_title: str
    seen_title: str
    seen_copy: str
    score_title: str
    score_old: str
    score_decay: str
    score_tier: str
    tier_hot: str
    tier_warm: str
    tier_cool: str
    score_hot: str
    score_warm: str
    score_cool: str
    score_product: str
    score_rank: str
    links_title: str
    linked_title: str
    linked_none: str
    nowhere_yet: str
    index_title: str
    index_none: str
    index_line: str
    index_cut: str
    index_missing: str
    comes_title: str
    comes_session: str
    comes_no_session: str
    comes_scope: str
    comes_modified: str
    comes_mtime: str
    comes_versions: str
    comes_one_version: str
    problems_title: str
    gone: str
    gone_hint: str


EN = BrowseWords(
    memories="Memories",
    by="by {sort}",
    reversed=", reversed",
    with_old="with {n} old",
    of="{shown} of {total}",
    sort_score="score",
    sort_age="age",
    sort_name="name",
    sort_type="type",
    sort_size="size",
    sort_used="last use",
    col_tier="tier",
    col_score="score",
    col_age="age",
    col_name="name",
    col_type="type",
    col_size="size",
    col_used="used",
    col_description="description",
    col_marks="signs: team, duplicate, problem, missing things, unsaved text",
    density_compact="compact: one line for each memory",
    density_comfortable="comfortable: two lines, the second with the description",
    columns_title="What each row shows",
    columns_note="space turns one on or off",
    hint_words="words",
    hint_not="-not",
    hint_quotes='"as one"',
    no_value="{key}: knows no “{value}”; {values}",
    no_key="“{key}:” is no condition and is looked for as it stands; there are {keys}",
    no_key_near="“{key}:” is no condition and is looked for as it stands; is {near}: meant?",
    row_hot="HOT",
    row_warm="WARM",
    row_cool="COOL",
    row_old="OLD",
    row_team="team",
    marked_some="{n} marked",
    hidden_by_filter="{back} shows “{name}”: the filter hides it",
    unread_all="None of these could be read as a memory. enter shows why, c what mends it.",
    copy_title="Copy",
    copy_note="enter takes one along, esc none",
    copy_path="the path",
    copy_slug="the file name without .md",
    copy_text="the text",
    copy_link="a link to it",
    copied="Copied",
    copied_hint="where the terminal allows it",
    link_nowhere="{target} points to no memory yet",
    no_links="this memory links to no other",
    tab_detail="Detail",
    tab_history="History",
    tab_checks="Checks",
    source="source",
    use_title="Use",
    seen_title="Other stores",
    seen_copy="“Copy or move to another store” takes it to more of them.",
    score_title="Score",
    score_old="An old version: fixed at {score}, whatever its age.",
    score_decay="decay = 0.5 ^ ({days} days / 30) = {decay}",
    score_tier="tier  = {tier}, {why}: × {weight}",
    tier_hot="Hot",
    tier_warm="Warm",
    tier_cool="Cool",
    score_hot="up to 7 days",
    score_warm="8 to 30 days",
    score_cool="over 30 days",
    score_product="score = {decay} × {weight} = {score}",
    score_rank="place {place} of {total}",
    links_title="Links to",
    linked_title="Linked from",
    linked_none="no other memory",
    nowhere_yet="points to nothing yet",
    index_title="In MEMORY.md",
    index_none="no line names it: a session hears of it only if it is looked for",
    index_line="line {line}",
    index_cut="behind the cut: a session does not get this line",
    index_missing="there is no MEMORY.md",
    comes_title="Where it comes from",
    comes_session="written by session {id}",
    comes_no_session="the file does not say who wrote it",
    comes_scope="scope {scope}",
    comes_modified="dated {date} by its header",
    comes_mtime="dated {date} by the file system",
    comes_versions="{n} versions; h shows them",
    comes_one_version="the only version so far",
    problems_title="While reading",
    gone="This memory is gone.",
    gone_hint="It was forgotten or renamed meanwhile. esc goes back to the list, z takes back what was done here last.",
)
ZH = BrowseWords(
    memories="记忆",
    by="按{sort}",
    reversed="，倒序",
    with_old="含 {n} 个旧版本",
    of="{shown} / {total}",
    sort_score="分值",
    sort_age="时间",
    sort_name="名称",
    sort_type="类型",
    sort_size="大小",
    sort_used="最近使用",
    col_tier="层级",
    col_score="分值",
    col_age="时间",
    col_name="名称",
    col_type="类型",
    col_size="大小",
    col_used="使用",
    col_description="描述",
    col_marks="记号：团队、重复、问题、缺失之物、未保存的文字",
    density_compact="紧凑：每条记忆一行",
    density_comfortable="宽松：每条两行，第二行是描述",
    columns_title="每一行显示什么",
    columns_note="空格键切换",
    hint_words="词语",
    hint_not="-排除",
    hint_quotes='"连在一起"',
    no_value="{key}: 没有“{value}”；可用 {values}",
    no_key="“{key}:” 不是条件，按原样查找；可用 {keys}",
    no_key_near="“{key}:” 不是条件，按原样查找；是否想用 {near}:？",
    row_hot="热",
    row_warm="温",
    row_cool="凉",
    row_old="旧",
    row_team="团队",
    marked_some="已标记 {n} 条",
    hidden_by_filter="按 {back} 显示“{name}”：它被筛选隐藏",
    unread_all="这里没有一个文件能读作记忆。按 enter 看原因，按 c 看如何修复。",
    copy_title="复制",
    copy_note="enter 复制，esc 取消",
    copy_path="路径",
    copy_slug="文件名（不含 .md）",
    copy_text="正文",
    copy_link="指向它的链接",
    copied="已复制",
    copied_hint="需终端允许",
    link_nowhere="{target} 还没有对应的记忆",
    no_links="这条记忆没有链接到其他记忆",
    tab_detail="详情",
    tab_history="历史",
    tab_checks="检查",
    source="原文",
    use_title="使用情况",
    seen_title="其他记忆库",
    seen_copy="“复制或移动到另一个记忆库”可把它带到更多处。",
    score_title="分值",
    score_old="旧版本：无论多久，固定为 {score}。",
    score_decay="衰减 = 0.5 ^ ({days} 天 / 30) = {decay}",
    score_tier="层级 = {tier}，{why}：× {weight}",
    tier_hot="热",
    tier_warm="温",
    tier_cool="冷",
    score_hot="7 天以内",
    score_warm="8 到 30 天",
    score_cool="超过 30 天",
    score_product="分值 = {decay} × {weight} = {score}",
    score_rank="第 {place} 位，共 {total} 条",
    links_title="链接到",
    linked_title="被链接自",
    linked_none="没有其他记忆",
    nowhere_yet="还没有对应的记忆",
    index_title="在 MEMORY.md 中",
    index_none="没有哪一行提到它：会话只有主动查找才会知道它",
    index_line="第 {line} 行",
    index_cut="在截断之后：会话得不到这一行",
    index_missing="没有 MEMORY.md",
    comes_title="来源",
    comes_session="由会话 {id} 写入",
    comes_no_session="文件没有说明由谁写入",
    comes_scope="范围 {scope}",
    comes_modified="文件头记录的日期 {date}",
    comes_mtime="文件系统记录的日期 {date}",
    comes_versions="{n} 个版本；按 h 查看",
    comes_one_version="目前唯一的版本",
    problems_title="读取时发现",
    gone="这条记忆已经不在了。",
    gone_hint="它在此期间被遗忘或改名。esc 回到列表，z 撤回在此最后所做的修改。",
)


NAMED_KEYS: Mapping[str, tuple[str, ...]] = {
    "unread_all": ("open", "checks"),
    "comes_versions": ("versions",),
    "gone_hint": ("close_detail", "undo"),
}
"""By sentence, the actions whose keys stand in it."""


def words(lang: Lang) -> BrowseWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
