"""What stands above and below the list, and over a memory and the reminder."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class PresentWords(Sentences):
    """Words and sentences; a template names its parts."""

    tier_hot: str
    tier_warm: str
    tier_cool: str
    some_of: str
    memory: str
    memories: str
    finding: str
    findings: str
    to_review: str
    checking: str
    reading_use: str
    read_only: str
    memory_off: str
    no_index: str
    index_word: str
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


EN = PresentWords(
    tier_hot="Hot",
    tier_warm="Warm",
    tier_cool="Cool",
    some_of="{shown} of {total}",
    memory="{count:,} memory",
    memories="{count:,} memories",
    finding="{count:,} finding",
    findings="{count:,} findings",
    to_review="{count} to review",
    checking="checking…",
    reading_use="transcripts {percent} %",
    read_only="read-only",
    memory_off="not loaded",
    no_index="no index: MEMORY.md is missing",
    index_word="index",
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
)
ZH = PresentWords(
    tier_hot="热",
    tier_warm="温",
    tier_cool="凉",
    some_of="{total} 中的 {shown}",
    memory="{count:,} 条记忆",
    memories="{count:,} 条记忆",
    finding="{count:,} 处问题",
    findings="{count:,} 处问题",
    to_review="{count} 条待审",
    checking="检查中…",
    reading_use="会话记录 {percent}%",
    read_only="只读",
    memory_off="不加载",
    no_index="没有索引：缺少 MEMORY.md",
    index_word="索引",
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
)


def words(lang: Lang) -> PresentWords:
    """The words in a language."""
    return ZH if lang == "zh" else EN
