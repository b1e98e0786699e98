"""The sentences about loads and uses, in both languages, for the command line and the app."""

from __future__ import annotations

from memtui.claude.receipt_values import EventKind, LoadState
from memtui.claude.usage_report import SessionReceipt, Usage, UsageReport
from memtui.memory.age import memory_age_label
from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class UsageWords(Sentences):
    """The sentences; templates name their parts, and both languages have the same ones."""

    state_whole: str
    state_cut: str
    state_none: str
    state_unknown: str
    memory_whole: str
    memory_cut: str
    memory_none: str
    memory_unknown: str
    kind_read: str
    kind_recalled: str
    kind_cited: str
    kind_written: str
    kind_saved: str
    loaded: str
    loaded_one: str
    cut: str
    read: str
    recalled: str
    cited: str
    written: str
    last_used: str
    never_used: str
    not_known: str
    entries: str
    entries_one: str
    claim: str
    by_agent: str
    gone: str
    listed: str
    listed_one: str
    none_found: str
    reading: str
    left_off: str
    skipped: str
    skipped_one: str
    rebuilt: str
    locked: str
    unusable: str


_EN = UsageWords(
    state_whole="whole",
    state_cut="cut",
    state_none="not loaded",
    state_unknown="unknown",
    memory_whole="loaded",
    memory_cut="cut off",
    memory_none="not loaded",
    memory_unknown="unknown",
    kind_read="read",
    kind_recalled="recalled",
    kind_cited="cited",
    kind_written="wrote",
    kind_saved="saved in the background",
    loaded="loaded in {count} sessions",
    loaded_one="loaded in {count} session",
    cut="cut off in {count}",
    read="read {count}×",
    recalled="recalled {count}×",
    cited="cited {count}×",
    written="written {count}×",
    last_used="last used {age}",
    never_used="never used",
    not_known="no transcript tells of its use",
    entries="{count} memories",
    entries_one="{count} memory",
    claim="said saved, wrote nothing (line {line})",
    by_agent="by subagent {agent}",
    gone="transcript deleted",
    listed="{shown} of {total} sessions · {store}",
    listed_one="{shown} of {total} session · {store}",
    none_found="no transcripts of this directory were found",
    reading="reading {size} MB of transcripts; the next time only what is new",
    left_off="{size} MB of transcripts are not read yet; 'memtui receipts' reads them all",
    skipped="{count} lines of the transcripts could not be read",
    skipped_one="{count} line of the transcripts could not be read",
    rebuilt="what was known of earlier transcripts could not be read, and was gathered anew",
    locked="another process holds the file of what is known; what was read now is not kept",
    unusable="what was read cannot be kept in the state folder; the next time reads it all again",
)

_ZH = UsageWords(
    state_whole="完整加载",
    state_cut="被截断",
    state_none="未加载",
    state_unknown="未知",
    memory_whole="已加载",
    memory_cut="被截断",
    memory_none="未加载",
    memory_unknown="未知",
    kind_read="读取",
    kind_recalled="召回",
    kind_cited="引用",
    kind_written="写入",
    kind_saved="后台保存",
    loaded="在 {count} 个会话中加载",
    loaded_one="在 {count} 个会话中加载",
    cut="在 {count} 个会话中被截断",
    read="读取 {count} 次",
    recalled="召回 {count} 次",
    cited="引用 {count} 次",
    written="写入 {count} 次",
    last_used="最近使用：{age}",
    never_used="从未使用",
    not_known="没有会话记录提到它的使用",
    entries="{count} 条记忆",
    entries_one="{count} 条记忆",
    claim="声称已保存，实际未写入（第 {line} 行）",
    by_agent="由子代理 {agent}",
    gone="会话记录已删除",
    listed="共 {total} 个会话，列出 {shown} 个 · {store}",
    listed_one="共 {total} 个会话，列出 {shown} 个 · {store}",
    none_found="没有找到此目录的会话记录",
    reading="正在读取 {size} MB 会话记录；下次只读新增部分",
    left_off="还有 {size} MB 会话记录未读；用 'memtui receipts' 可全部读取",
    skipped="会话记录中有 {count} 行无法读取",
    skipped_one="会话记录中有 {count} 行无法读取",
    rebuilt="以前的统计无法读取，已重新收集",
    locked="另一进程占用了统计文件；这次读到的不会保留",
    unusable="读到的内容无法保存到状态目录；下次会全部重读",
)

_WORDS: dict[Lang, UsageWords] = {"en": _EN, "zh": _ZH}
_SEPARATOR = " · "


def usage_words(lang: Lang) -> UsageWords:
    """The sentences of a language."""
    return _WORDS[lang]


def counted(count: int, one: str, many: str, **parts: object) -> str:
    """A sentence about so many."""
    return (one if count == 1 else many).format(count=count, **parts)


def state_word(state: LoadState, lang: Lang) -> str:
    """What a session got of the index, in a word or two."""
    word: str = getattr(_WORDS[lang], f"state_{state.value}")
    return word


def memory_word(state: LoadState, lang: Lang) -> str:
    """What a session got of one memory's line, in a word or two."""
    word: str = getattr(_WORDS[lang], f"memory_{state.value}")
    return word


def kind_word(kind: EventKind, lang: Lang) -> str:
    """A use, in a word."""
    word: str = getattr(_WORDS[lang], f"kind_{kind}")
    return word


def usage_line(usage: Usage, report: UsageReport, now: float, lang: Lang) -> str:
    """How one memory was used, on one line.

    Args:
        usage: of the memory.
        report: what it was taken from.
        now: Unix seconds.
        lang: language of the line.
    """
    say = _WORDS[lang]
    known = report.knows or usage.uses or usage.writes
    if not known:
        return say.not_known
    parts = [counted(usage.loaded, say.loaded_one, say.loaded)] if report.knows else []
    for count, template in (
        (usage.cut, say.cut),
        (usage.reads, say.read),
        (usage.recalls, say.recalled),
        (usage.citations, say.cited),
        (usage.writes, say.written),
    ):
        if count:
            parts.append(template.format(count=count))
    if usage.last_used is not None:
        parts.append(say.last_used.format(age=memory_age_label(usage.last_used, now, lang)))
    elif not usage.uses:
        parts.append(say.never_used)
    return _SEPARATOR.join(parts)


def uses_line(session: SessionReceipt, lang: Lang, rel: str | None = None) -> str:
    """What a session did with the memories, or with one of them, on one line; empty if nothing."""
    kinds: dict[EventKind, int] = {}
    for use in session.uses:
        if rel is None or use.rel == rel:
            kinds[use.kind] = kinds.get(use.kind, 0) + 1
    order: tuple[EventKind, ...] = ("read", "recalled", "cited", "written", "saved")
    return _SEPARATOR.join(f"{kind_word(kind, lang)} {kinds[kind]}" for kind in order if kind in kinds)


def notes(report: UsageReport, lang: Lang) -> list[str]:
    """What a person should know of how the report was made."""
    say = _WORDS[lang]
    said = [getattr(say, report.trouble)] if report.trouble else []
    if report.unread:
        said.append(say.left_off.format(size=megabytes(report.unread)))
    if report.skipped:
        said.append(counted(report.skipped, say.skipped_one, say.skipped))
    return said


def megabytes(size: int) -> str:
    """Bytes as megabytes, at least 1."""
    return f"{max(1, round(size / 1e6)):,}"
