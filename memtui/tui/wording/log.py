"""What the log screen says."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class LogWords(Sentences):
    """Sentences of the log; a template names its parts."""

    title: str
    days: str
    days_one: str
    entries: str
    entries_one: str
    reading: str
    empty: str
    empty_write: str
    empty_agents: str
    off: str
    off_hint: str
    off_hint_file: str
    trouble: str
    append_title: str
    append_hint: str
    write: str
    logged: str
    looks: str
    looks_hint: str


EN = LogWords(
    title="Daily log",
    days="{n} days",
    days_one="{n} day",
    entries="{n} entries",
    entries_one="{n} entry",
    reading="reading…",
    empty="No day has a log yet.",
    empty_write="n writes a line into today's, and so does 'memtui log TEXT'.",
    empty_agents="Agents append to logs/YYYY/MM/YYYY-MM-DD.md; 'memtui dream --model' proposes memories from it.",
    off="The log is switched off.",
    off_hint="Set KAIROS=1, or write 'daily_log = true' into your configuration file.",
    off_hint_file="Set KAIROS=1, or write 'daily_log = true' into {path}; then n writes a line.",
    trouble="This log cannot be read.",
    append_title="Add a line to the log",
    append_hint="It goes to today's log with the time. Nothing in a log is ever rewritten, so it cannot be undone.",
    write="Write",
    logged="Logged at {time}",
    looks="What was logged looks like a secret",
    looks_hint="{rules}: memtui never rewrites a log; edit {path} yourself",
)
ZH = LogWords(
    title="每日日志",
    days="{n} 天",
    days_one="{n} 天",
    entries="{n} 条",
    entries_one="{n} 条",
    reading="正在读取…",
    empty="还没有任何一天的日志。",
    empty_write="按 n 在今天的日志里写一行，'memtui log 文字' 也一样。",
    empty_agents="代理会追加到 logs/YYYY/MM/YYYY-MM-DD.md；'memtui dream --model' 从中提议记忆。",
    off="日志已关闭。",
    off_hint="设置 KAIROS=1，或在配置文件中写入 'daily_log = true'。",
    off_hint_file="设置 KAIROS=1，或在 {path} 中写入 'daily_log = true'；之后按 n 写一行。",
    trouble="无法读取这一天的日志。",
    append_title="在日志中添加一行",
    append_hint="它会带着时间写入今天的日志。日志从不改写，因此不能撤销。",
    write="写入",
    logged="已于 {time} 记入",
    looks="记入的内容像是秘密",
    looks_hint="{rules}：memtui 从不改写日志，请自行编辑 {path}",
)

NAMED_KEYS: Mapping[str, tuple[str, ...]] = {
    "empty_write": ("append_line",),
    "off_hint_file": ("append_line",),
}
"""By sentence, the actions whose keys stand in it."""


def words(lang: Lang) -> LogWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
