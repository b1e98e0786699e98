"""Checks of one memory by itself: how it reads, what it lacks, and what in it will not stay true (spec §§3, 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memtui.memory import quality
from memtui.memory.checks.rules import Hit, memory_rule
from memtui.memory.document.prose import prose_only
from memtui.memory.lazy import lazy_pattern
from memtui.memory.lowered import words_of
from memtui.memory.types import MemoryEntry, Severity

Hints = tuple[tuple[frozenset[str], ...], ...]
"""Which words a text must hold for a pattern to be worth trying: of one of the groups, from each set one."""


def _worth_trying(text: str, hints: Hints, chinese: re.Pattern[str]) -> bool:
    words = words_of(text)
    for group in hints:
        for wanted in group:
            if words.isdisjoint(wanted):
                break
        else:
            return True
    return not text.isascii() and chinese.search(text) is not None


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = f"(?:{'|'.join(_DAYS)})"
_RELATIVE = lazy_pattern(
    rf"\b(?:(?:next|last|this|coming)\s+(?:{_DAY}|week(?:end)?|month|quarter|year|sprint|semester)"
    r"|yesterday|tomorrow|tonight"
    r"|(?:\d+|a|an|one|two|three|four|five|six|a\s+few|a\s+couple\s+of)\s+(?:day|week|month|year)s?\s+ago"
    r"|(?:end|start|beginning)\s+of\s+(?:the|this|next)\s+(?:week|month|quarter|year))\b"
    r"|昨天|明天|后天|前天|昨晚|今晚|明晚|去年|明年"
    r"|(?:上|下|本|这)一?个?(?:周|星期|礼拜)(?![期目])[一二三四五六日天末]?"
    r"|(?:上|下|本|这)一?个(?:月|季度|学期)|(?:上|下|本)(?:月|季度|学期)"
    r"|(?:\d+|[一两二三四五六几])\s*(?:天|周|个星期|个月|年)(?:前|后|之前|之后)",
    re.IGNORECASE,
)
_RELATIVE_HINTS: Hints = (
    (frozenset({"yesterday", "tomorrow", "tonight", "ago"}),),
    (
        frozenset({"next", "last", "this", "coming", "of"}),
        frozenset({"week", "weekend", "month", "quarter", "year", "sprint", "semester"}.union(_DAYS)),
    ),
)
# A class first, so that `re` skips what begins none.
_RELATIVE_ZH = lazy_pattern(
    "[昨明后前今去上下本这天周个年](?:(?<=[昨明后前])天|(?<=[昨今明])晚|(?<=[去明])年"
    "|(?<=[上下本这])一?个?(?:周|星期|礼拜|月|季度|学期)|(?<=[天周年])之?[前后]|(?<=个)(?:星期|月)之?[前后])"
)
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_ABSOLUTE = lazy_pattern(
    rf"\b\d{{4}}[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?\b|\d{{1,2}}\s*月\s*\d{{1,2}}\s*[日号]|\d{{4}}\s*年"
    rf"|\b(?:{_MONTHS})[a-z]*\.?\s+\d{{1,2}}\b|\b\d{{1,2}}\.?\s+(?:{_MONTHS})[a-z]*\b",
    re.IGNORECASE,
)
_THING = r"(?:CI|the build|build|pipeline|the tests|tests|test suite|deploy|deployment|migration|job|container|server)"
_STATUS = lazy_pattern(
    rf"\b(?:{_THING}\s+(?:is|are)\s+(?:still\s+|now\s+|currently\s+|already\s+)?"
    r"(?:running|pending|queued|failing|green|red|in\s+progress|broken|down|up\s+and\s+running)"
    r"|waiting\s+(?:for|on)\s+(?:a\s+|the\s+)?(?:review|CI|approval|merge|deploy(?:ment)?|build)"
    r"|(?:PR|MR|pull\s+request)\s*[#!]?\d*\s+(?:is|was)\s+(?:now\s+|still\s+)?(?:open|pending|in\s+review|under\s+review)"
    r"|just\s+(?:pushed|merged|deployed|committed)|ready\s+(?:to\s+merge|for\s+review))\b"
    r"|(?:CI|构建|流水线|测试|部署|迁移)\s*(?:正在|还在|仍在)\s*(?:跑|运行|进行|排队)|(?:CI|构建|测试|部署)(?:运行|进行)中"
    r"|等待\s*(?:评审|审核|审批|合并|CI|部署)|刚刚?(?:提交|合并|推送|部署)(?:了|完)",
    re.IGNORECASE,
)
_STATUS_HINTS: Hints = (
    (
        frozenset({"is", "are"}),
        frozenset(["running", "pending", "queued", "failing", "green", "red", "progress", "broken", "down"]),
        frozenset(
            [
                "ci",
                "build",
                "pipeline",
                "test",
                "tests",
                "deploy",
                "deployment",
                "migration",
                "job",
                "container",
                "server",
            ]
        ),
    ),
    (
        frozenset({"waiting"}),
        frozenset(["review", "ci", "approval", "merge", "deploy", "deployment", "build"]),
    ),
    (frozenset({"pr", "mr", "pull"}), frozenset({"open", "pending", "review"})),
    (frozenset({"just"}), frozenset({"pushed", "merged", "deployed", "committed"})),
    (frozenset({"ready"}), frozenset({"merge", "review"})),
)
_STATUS_ZH = lazy_pattern("[正还仍运进等刚](?:(?<=[正还仍])在|(?<=[运进])行中|(?<=等)待|(?<=刚))")
_ENDS = (
    re.compile(r"^<{7} ", re.MULTILINE),
    re.compile(r"^={7}$", re.MULTILINE),
    re.compile(r"^>{7} ", re.MULTILINE),
)


def conflict_marker(text: str) -> int | None:
    """Where an unresolved merge conflict begins in a text; None if there is none.

    Only the full set of markers counts, in order: ``=======`` alone is a heading's underline.
    """
    text, at, first = text.replace("\r\n", "\n"), 0, None
    for pattern in _ENDS:
        match = pattern.search(text, at)
        if match is None:
            return None
        first, at = match.start() if first is None else first, match.end()
    return first


@lru_cache(maxsize=4)
def _quality(content: str) -> tuple[quality.QualityFinding, ...]:
    """The gates' findings, worked out once for the four rules that share them."""
    return quality.quality_findings(content)


def _in_prose(
    pattern: re.Pattern[str], hints: Hints, chinese: re.Pattern[str], content: str
) -> Iterator[re.Match[str]]:
    """Matches outside code, addresses and quotations; what quotes a word does not say it.

    Looking for words first spares most texts the pattern.
    """
    if _worth_trying(content, hints, chinese) and pattern.search(content) is not None:
        yield from pattern.finditer(prose_only(content))


@memory_rule("unreadable", Severity.ERROR)
def unreadable(entry: MemoryEntry) -> Iterator[Hit]:
    """A file that could not be read as a memory."""
    yield from _problems(entry, Severity.ERROR)


@memory_rule("misread", Severity.WARNING)
def misread(entry: MemoryEntry) -> Iterator[Hit]:
    """A file of which something may be read other than it was meant."""
    yield from _problems(entry, Severity.WARNING)


@memory_rule("oddity", Severity.NOTE)
def oddity(entry: MemoryEntry) -> Iterator[Hit]:
    """A file with something unusual that is read as meant all the same."""
    yield from _problems(entry, Severity.NOTE)


def _problems(entry: MemoryEntry, severity: Severity) -> Iterator[Hit]:
    for problem in entry.problems:
        if problem.severity is severity:
            yield Hit(line=problem.line, parts={"problem": problem.message, "code": problem.code})


@memory_rule("conflict-markers", Severity.ERROR)
def conflict_markers(entry: MemoryEntry) -> Iterator[Hit]:
    """Both sides of a merge in one memory; no fix, since only a person knows which side holds."""
    at = conflict_marker(entry.content)
    if at is not None:
        yield Hit(span=(at, at + 7))


@memory_rule("missing-description", Severity.WARNING)
def missing_description(entry: MemoryEntry) -> Iterator[Hit]:
    """Nothing to choose it by; a file that could not be read says nothing about itself."""
    if not entry.description.strip() and entry.is_readable:
        yield Hit(line=1)


@memory_rule("unknown-type", Severity.WARNING)
def unknown_type(entry: MemoryEntry) -> Iterator[Hit]:
    """A type that is none of the four."""
    if entry.memory_type is None and (entry.type_text or "").strip():
        yield Hit(field="type", parts={"type": entry.type_text or ""})


@memory_rule("missing-type", Severity.NOTE)
def missing_type(entry: MemoryEntry) -> Iterator[Hit]:
    """No type at all; files of subagents often have none."""
    if not (entry.type_text or "").strip() and entry.is_readable:
        yield Hit(line=1)


@memory_rule("too-short", Severity.WARNING)
def too_short(entry: MemoryEntry) -> Iterator[Hit]:
    """Too little to be worth remembering (the first quality gate)."""
    for finding in _quality(entry.content):
        if isinstance(finding.check, quality.TooShort):
            yield Hit(span=(finding.start, finding.end), parts={"count": finding.check.n})


@memory_rule("transient-state", Severity.NOTE)
def transient_state(entry: MemoryEntry) -> Iterator[Hit]:
    """A passing state (the second quality gate)."""
    yield from _gate(entry, quality.TransientState)


@memory_rule("vague-language", Severity.NOTE)
def vague_language(entry: MemoryEntry) -> Iterator[Hit]:
    """A guess (the third quality gate)."""
    yield from _gate(entry, quality.VagueLanguage)


@memory_rule("code-pattern", Severity.NOTE)
def code_pattern(entry: MemoryEntry) -> Iterator[Hit]:
    """Pasted code (the fourth quality gate); the first place stands for all."""
    for hit in _gate(entry, quality.CodePattern):
        yield hit
        return


def _gate(entry: MemoryEntry, gate: type[quality.QualityCheck]) -> Iterator[Hit]:
    for finding in _quality(entry.content):
        if isinstance(finding.check, gate):
            words = entry.content[finding.start : finding.end]
            yield Hit(span=(finding.start, finding.end), parts={"words": words})


@memory_rule("relative-date", Severity.NOTE)
def relative_date(entry: MemoryEntry) -> Iterator[Hit]:
    """A day named from a day that the reader does not know; silent where the line gives the date as well."""
    for match in _in_prose(_RELATIVE, _RELATIVE_HINTS, _RELATIVE_ZH, entry.content):
        start = entry.content.rfind("\n", 0, match.start()) + 1
        end = entry.content.find("\n", match.end())
        if not _ABSOLUTE.search(entry.content, start, end if end >= 0 else len(entry.content)):
            yield Hit(span=match.span(), parts={"words": match[0]})


@memory_rule("status-noise", Severity.NOTE)
def status_noise(entry: MemoryEntry) -> Iterator[Hit]:
    """What some machine or review was doing at the time of writing."""
    for match in _in_prose(_STATUS, _STATUS_HINTS, _STATUS_ZH, entry.content):
        yield Hit(span=match.span(), parts={"words": match[0]})
