"""What the list, the memory beside it, the reminder and the lines above and below say."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.memory.types import Lang


@dataclass(frozen=True, slots=True)
class PresentWords:
    """Words and sentences of Browse; a template names its parts. Tiers of the list take at most four cells."""

    hot: str
    warm: str
    cool: str
    old: str
    tier_hot: str
    tier_warm: str
    tier_cool: str
    memories_by: str
    sorts: tuple[str, ...]
    reversed: str
    with_old: str
    some_of: str
    memory: str
    memories: str
    finding: str
    findings: str
    to_review: str
    checking: str
    read_only: str
    no_index: str
    index: str
    kinds: tuple[str, ...]
    unknown_type: str
    private: str
    team: str
    versions: str
    old_version: str
    now: str
    score: str
    decay: str
    no_description: str
    line: str
    and_more: str
    reminder: str
    nothing_injected: str
    cost: str
    filter_placeholder: str
    filter_note: str
    no_links: str
    points_nowhere: str


EN = PresentWords(
    hot="HOT",
    warm="WARM",
    cool="COOL",
    old="OLD",
    tier_hot="Hot",
    tier_warm="Warm",
    tier_cool="Cool",
    memories_by="Memories · by {sort}",
    sorts=("score", "age", "name", "type", "size"),
    reversed=", reversed",
    with_old="with {count} old",
    some_of="{shown} of {total}",
    memory="{count:,} memory",
    memories="{count:,} memories",
    finding="{count:,} finding",
    findings="{count:,} findings",
    to_review="{count} to review",
    checking="checking…",
    read_only="read-only",
    no_index="no index: MEMORY.md is missing",
    index="index",
    kinds=("user", "feedback", "project", "reference"),
    unknown_type="unknown type",
    private="private",
    team="team",
    versions="{count} versions",
    old_version="old version, score fixed at {score:.2f}",
    now="now ",
    score="score ",
    decay=" = decay {decay:.2f} × ",
    no_description="no description",
    line="line {line}: ",
    and_more="  and {count} more",
    reminder="Reminder",
    nothing_injected="nothing is injected",
    cost="{chars:,} chars ≈ {tokens:,} tokens",
    filter_placeholder="{key} filter",
    filter_note="words  type: tier: is: scope:  - for not",
    no_links="this memory links to no other",
    points_nowhere="{target} points to no memory yet",
)
ZH = PresentWords(
    hot="热",
    warm="温",
    cool="凉",
    old="旧",
    tier_hot="热",
    tier_warm="温",
    tier_cool="凉",
    memories_by="记忆 · 按{sort}",
    sorts=("分值", "时间", "名称", "类型", "大小"),
    reversed="，倒序",
    with_old="含 {count} 个旧版本",
    some_of="{total} 中的 {shown}",
    memory="{count:,} 条记忆",
    memories="{count:,} 条记忆",
    finding="{count:,} 处问题",
    findings="{count:,} 处问题",
    to_review="{count} 条待审",
    checking="检查中…",
    read_only="只读",
    no_index="没有索引：缺少 MEMORY.md",
    index="索引",
    kinds=("用户", "反馈", "项目", "参考"),
    unknown_type="未知类型",
    private="私有",
    team="团队",
    versions="{count} 个版本",
    old_version="旧版本，分值固定为 {score:.2f}",
    now="现为 ",
    score="分值 ",
    decay=" = 衰减 {decay:.2f} × ",
    no_description="没有描述",
    line="第 {line} 行：",
    and_more="  另有 {count} 处",
    reminder="提醒",
    nothing_injected="不注入任何内容",
    cost="{chars:,} 字符 ≈ {tokens:,} token",
    filter_placeholder="{key} 筛选",
    filter_note="词语  type: tier: is: scope:  前加 - 表示排除",
    no_links="这条记忆没有指向其他记忆的链接",
    points_nowhere="{target} 还没有对应的记忆",
)


def words(lang: Lang) -> PresentWords:
    """The words in a language."""
    return ZH if lang == "zh" else EN
