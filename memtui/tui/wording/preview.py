"""What the preview says."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class PreviewWords(Sentences):
    """Sentences of the preview; a template names its parts."""

    reminder: str
    index_word: str
    prompt: str
    compaction: str
    note_reminder: str
    note_index: str
    note_prompt: str
    note_compaction: str
    cost: str
    nothing: str
    nothing_reminder: str
    nothing_index: str
    not_loaded: str
    off: str
    off_reason: str
    why: str
    why_count: str
    entries: str
    no_budget: str
    budget: str
    as_of: str
    today: str
    in_days: str
    language: str
    pending: str
    in_reminder: str
    beyond_entries: str
    no_room: str
    behind_full: str
    old_version: str
    old_version_of: str
    unreadable: str
    loaded_line: str
    cut_line: str
    no_line: str
    line_returns: str
    only_reminder: str
    copied: str
    save_title: str
    save_hint: str
    save_path: str
    saved: str
    tier_hot: str
    tier_warm: str
    tier_cool: str


EN = PreviewWords(
    reminder="Reminder",
    index_word="Index load",
    prompt="System prompt",
    compaction="After compaction",
    note_reminder="The block that goes into the system prompt, to the character.",
    note_index="What a session gets of MEMORY.md when it starts.",
    note_prompt="Five sections. The fourth is yours; the others are examples of what an agent puts there.",
    note_compaction="Only the index returns. A memory's text is back when it is read again.",
    cost="{chars:,} characters ≈ {tokens:,} tokens (estimate)",
    nothing="nothing is injected",
    nothing_reminder="Nothing is injected: no memory is taken.",
    nothing_index="Nothing is loaded: there is no index, or it is empty.",
    not_loaded="— not loaded: from line {line} on —",
    off="Not loaded: {reason}. This is what would load:",
    off_reason="nothing is loaded",
    why="In or out, and why (score = decay × tier)",
    why_count="{inside} of {total} in",
    entries="entries {count}",
    no_budget="no budget",
    budget="budget {count:,}",
    as_of="as of",
    today="today",
    in_days="in {days} days",
    language="words: English",
    pending="still checking what they name…",
    in_reminder="in: {chars:,} characters",
    beyond_entries="out: only the {count} most recent are taken",
    no_room="out: needs {chars:,} characters, {left:,} are left",
    behind_full="out: the budget is full before it",
    old_version="out: an old version",
    old_version_of="out: an old version, now {slug}",
    unreadable="out: it cannot be read",
    loaded_line="in: line {line} of the index",
    cut_line="out: line {line} of the index is behind the cut",
    no_line="out: no line of the index that loads names it",
    line_returns="line {line} returns, not its text",
    only_reminder="The index is what it is: entries, budget and day change the reminder only.",
    copied="{chars:,} characters copied, if the terminal allows it (OSC 52)",
    save_title="Save this text to a file",
    save_hint="A new file; one that is there is never overwritten. enter saves, esc does not.",
    save_path="path of the new file",
    saved="Saved",
    tier_hot="Hot",
    tier_warm="Warm",
    tier_cool="Cool",
)

ZH = PreviewWords(
    reminder="提醒",
    index_word="索引载入",
    prompt="系统提示词",
    compaction="压缩之后",
    note_reminder="进入系统提示词的那一段，逐字如此。",
    note_index="会话开始时从 MEMORY.md 得到的内容。",
    note_prompt="共五段：第四段是你的记忆，其余是示例，各家代理写法不同。",
    note_compaction="只有索引会回来；记忆的正文要重新读取才回来。",
    cost="{chars:,} 字符 ≈ {tokens:,} token（估算）",
    nothing="不注入任何内容",
    nothing_reminder="不注入任何内容：没有选中任何记忆。",
    nothing_index="没有载入任何内容：没有索引，或索引为空。",
    not_loaded="— 从第 {line} 行起未载入 —",
    off="不加载：{reason}。原本会加载：",
    off_reason="什么都不加载",
    why="在内在外的缘由（分值 = 衰减 × 层级）",
    why_count="{total} 条中 {inside} 条在内",
    entries="条数 {count}",
    no_budget="无预算",
    budget="预算 {count:,}",
    as_of="时点",
    today="今天",
    in_days="{days} 天后",
    language="用语：中文",
    pending="仍在核实其中提到的内容…",
    in_reminder="在内：{chars:,} 字符",
    beyond_entries="在外：只取最近的 {count} 条",
    no_room="在外：需要 {chars:,} 字符，只剩 {left:,}",
    behind_full="在外：预算在它之前已满",
    old_version="在外：旧版本",
    old_version_of="在外：旧版本，现为 {slug}",
    unreadable="在外：无法读取",
    loaded_line="在内：索引第 {line} 行",
    cut_line="在外：索引第 {line} 行在截断处之后",
    no_line="在外：载入的索引行都没有提到它",
    line_returns="第 {line} 行会回来，正文不会",
    only_reminder="索引不受影响：条数、预算与时点只改变提醒。",
    copied="已复制 {chars:,} 字符（需终端允许 OSC 52）",
    save_title="把这段文本存成文件",
    save_hint="只写新文件，绝不覆盖已有文件。enter 保存，esc 取消。",
    save_path="新文件的路径",
    saved="已保存",
    tier_hot="热",
    tier_warm="温",
    tier_cool="凉",
)

_WORDS: dict[Lang, PreviewWords] = {"en": EN, "zh": ZH}


def words(lang: Lang) -> PreviewWords:
    """The sentences in a language."""
    return _WORDS[lang]
