"""The quality gate: what in a text makes a poor memory. It warns and never refuses (spec §8).

The four gates and their words come from the first seed; where and how they match is ours: a word that is quoted,
or stands in code or a URL, says nothing about the memory itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memtui.memory.lazy import lazy_pattern
from memtui.memory.lowered import letters_of, lowered

MIN_CHARS = 10
"""Non-space characters a memory needs not to be too short (seed)."""

_SOLID_AT = 400
"""Characters that are looked at first: hardly any text has fewer than ``MIN_CHARS`` that are no spaces among them."""

TRANSIENT_WORDS = (
    "正在做",
    "正在进行",
    "目前正在",
    "现在正在",
    "暂时",
    "currently",
    "at the moment",
    "right now",
    "in progress",
    "for now",
    "working on",
)
"""Signs of a passing state (seed: 11)."""

VAGUE_WORDS = ("可能", "也许", "大概", "或许", "maybe", "perhaps", "probably", "might be")
"""Signs of a guess (seed: 8)."""

CODE_PATTERNS = (
    "fn ",
    "impl ",
    "struct ",
    "import {",
    'from "',
    "def ",
    "class ",
    "const ",
    "function ",
    "pub ",
    "#include",
    "=> {",
)
"""Signs of pasted code (seed: 12)."""

OTHER_WORDS: Mapping[str, tuple[str, str]] = {
    "可能": ("不尽", "性"),  # impossible, as far as possible; a possibility
    "大概": ("", "念率"),  # 大概念, 大概率
    "暂时": ("", "性"),
    "或许": ("", "可证"),  # a licence
    "也许": ("", "可证"),
}
"""Chinese words that hold a listed one and mean something else (ours): what stands before it, what stands behind it."""

ALSO_ENGLISH = frozenset({"def ", "class ", "const ", "function "})
"""Code patterns that are words of prose too: they count at the start of a line and inside code only."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Nothing to say against the text."""


@dataclass(frozen=True, slots=True)
class TooShort:
    """Too little to be worth remembering.

    Attributes:
        n: its non-space characters.
    """

    n: int


@dataclass(frozen=True, slots=True)
class TransientState:
    """It tells what is going on now, which will not be true for long."""


@dataclass(frozen=True, slots=True)
class VagueLanguage:
    """It guesses.

    Attributes:
        word: the word that gives it away, as listed in ``VAGUE_WORDS``.
    """

    word: str


@dataclass(frozen=True, slots=True)
class CodePattern:
    """It holds code, which the code itself tells better."""


QualityCheck = Accept | TooShort | TransientState | VagueLanguage | CodePattern


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """One place that a gate objects to.

    Attributes:
        check: which gate.
        start: first character, counted in code points of the content.
        end: one past its last character; the whole content for ``TooShort``.
    """

    check: QualityCheck
    start: int
    end: int


def check_content_quality(content: str) -> QualityCheck:
    """The first gate that objects, in the seed's order (too short, transient, vague, code), else ``Accept``.

    Args:
        content: the body of a memory, without its header.
    """
    return min(
        (finding.check for finding in quality_findings(content)),
        key=lambda check: _GATE_ORDER.index(type(check)),
        default=Accept(),
    )


def quality_findings(content: str) -> tuple[QualityFinding, ...]:
    """Everything the gates object to, in the order of the text (at one place: in the order of the gates).

    Of words that overlap, as in 目前正在做, the one that starts first is reported, and of two that start
    together the longer.

    Args:
        content: the body of a memory; places count in its characters.
    """
    found: list[QualityFinding] = []
    solid = len("".join(content[:_SOLID_AT].split()))
    if solid < MIN_CHARS and len(content) > _SOLID_AT:
        solid = len("".join(content.split()))
    if solid < MIN_CHARS:
        found.append(QualityFinding(TooShort(solid), 0, len(content)))
    transient = list(_words(content, TRANSIENT_WORDS))
    vague = list(_words(content, VAGUE_WORDS))
    patterns = list(_code(content))
    if "`" not in content and "~~~" not in content:  # then nothing is code but what starts a line
        patterns = [hit for hit in patterns if hit[2] not in ALSO_ENGLISH or _starts_line(content, hit[0])]
    if not (transient or vague or patterns):
        return tuple(found)
    regions = _Regions(content)
    found += [
        QualityFinding(TransientState(), start, end)
        for start, end, _ in transient
        if not regions.is_silent(start)
    ]
    found += [
        QualityFinding(VagueLanguage(word), start, end)
        for start, end, word in vague
        if not regions.is_silent(start)
    ]
    found += [
        QualityFinding(CodePattern(), start, end)
        for start, end, pattern in patterns
        if pattern not in ALSO_ENGLISH or _starts_line(content, start) or regions.is_code(start)
    ]
    found.sort(key=lambda finding: finding.start)
    return tuple(found)


def _start(span: tuple[int, int, bool]) -> int:
    return span[0]


_GATE_ORDER = (TooShort, TransientState, VagueLanguage, CodePattern)

# Scripts that put no space between words are next to a Latin word without belonging to it, so \b will not do.
_LATIN = r"0-9A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"


def _word_rule(word: str) -> re.Pattern[str]:
    if not word.isascii():
        before, behind = OTHER_WORDS.get(word, ("", ""))
        behind = behind if word[-1] == "许" else "|".join(behind)
        return re.compile((f"(?<![{before}])" if before else "") + word + (f"(?!{behind})" if behind else ""))
    gap = r"(?:[ \t]+|[ \t]*\r?\n[ \t]*)"  # a phrase may be wrapped, but not cross an empty line
    phrase = gap.join(map(re.escape, word.split(" ")))
    return re.compile(f"{phrase}(?![{_LATIN}])", re.IGNORECASE | re.ASCII)


# A word is looked for by its rarest-looking part first: that is a plain substring search over the text.
_WORD_RULES = {
    word: (max(word.split(" "), key=len), _word_rule(word)) for word in (*TRANSIENT_WORDS, *VAGUE_WORDS)
}
_LIST_SIGNS = frozenset([",", "/", "|", ":", "(", ")", "、", "，", "：", "（", "）", "→", ">"])
_TITLE = lazy_pattern(
    r'from "[^"\n]{0,200}[^\S\n][^"\n]{0,200}"'
)  # what is imported has no blank in its name
_IS_LATIN = lazy_pattern(f"[{_LATIN}]")


def _words(content: str, words: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Where the words of one gate stand, overlaps resolved."""
    low, letters = lowered(content), letters_of(content)
    hits: list[tuple[int, int, str]] = []
    for word in words:
        probe, rule = _WORD_RULES[word]
        if (probe.isascii() and probe not in letters) or probe not in low:
            continue
        hits += [
            (match.start(), match.end(), word)
            for match in rule.finditer(content)
            if not (word.isascii() and _after_latin(content, match.start()))
            and not (word == "in progress" and _is_listed(content, *match.span()))
        ]
    hits.sort(key=lambda hit: (hit[0], -hit[1]))
    reached = 0
    for hit in hits:
        if hit[0] >= reached:
            reached = hit[1]
            yield hit


def _is_listed(content: str, start: int, end: int) -> bool:
    """Whether words are one of a list, as the names of states are: ``open, in progress, done`` (ours)."""
    before = content[max(0, start - 200) : start].rpartition("\n")[2].rstrip(" \t*_")
    behind = content[end : end + 4].lstrip(" \t*_")[:1]
    if before[-1:] not in _LIST_SIGNS:
        return False
    return behind in _LIST_SIGNS if behind and behind not in ".;\r\n" else ":" in before or "：" in before


def _code(content: str) -> Iterator[tuple[int, int, str]]:
    """Where code patterns start a word, without the space that ends them."""
    letters = letters_of(content)
    for pattern in CODE_PATTERNS:
        start = content.find(pattern) if pattern in letters else -1
        while start >= 0:
            is_word = not (pattern[0].isalpha() and _after_latin(content, start))
            if is_word and not (pattern == 'from "' and _TITLE.match(content, start)):
                yield start, start + len(pattern.rstrip()), pattern
            start = content.find(pattern, start + 1)


def _after_latin(content: str, start: int) -> bool:
    return start > 0 and _IS_LATIN.match(content[start - 1]) is not None


def _starts_line(content: str, start: int) -> bool:
    while start > 0 and content[start - 1] in " \t":
        start -= 1
    return start == 0 or content[start - 1] in "\n\r"


_FENCE = lazy_pattern(r"^ {0,3}(?P<fence>`{3,}|~{3,})(?P<info>[^\r\n]*)", re.MULTILINE)
_MARK = lazy_pattern(  # a class first, so that `re` skips what begins none
    r"[`hH\"'“‘「『«”’」』»](?:(?<=`)`*|(?<=[hH])(?i:ttps?)://[^\s<>\"“”‘’「」『』«»`）)。，、；：！？]+|(?<=[^`hH]))"
)
_EMPTY_LINE = lazy_pattern(r"\n[ \t]*\r?\n")
_CLOSES = {"“": "”", "‘": "’", "「": "」", "『": "』", "«": "»", '"': '"', "'": "'"}


class _Regions:
    """The parts of a text that are code, URL or quotation. Takes time linear in the text, whatever is in it.

    Only the paragraphs that are asked about are gone through: nothing quoted or spanned crosses an empty line.
    """

    def __init__(self, content: str) -> None:
        self._content = content
        self._fences = list(_fences(content))
        self._starts = [start for start, _ in self._fences]
        self._blanks = [match.span() for match in _EMPTY_LINE.finditer(content)]
        self._spans: dict[int, list[tuple[int, int, bool]]] = {}

    def is_silent(self, position: int) -> bool:
        """Whether a word here is quoted rather than said."""
        return self._span(position) is not None

    def is_code(self, position: int) -> bool:
        """Whether this place is in a code block or a code span."""
        span = self._span(position)
        return span is not None and span[2]

    def _span(self, position: int) -> tuple[int, int, bool] | None:
        at = bisect_right(self._starts, position)
        first, last = 0, self._starts[at] if at < len(self._starts) else len(self._content)
        if at:
            start, first = self._fences[at - 1]
            if position < first:
                return start, first, True
        blank = bisect_right(self._blanks, (position, len(self._content)))
        if blank:
            first = max(first, self._blanks[blank - 1][1])
        if blank < len(self._blanks):
            last = min(last, self._blanks[blank][0])
        if first not in self._spans:
            self._spans[first] = list(self._paragraph([*_MARK.finditer(self._content, first, last)]))
        spans = self._spans[first]
        before = bisect_right(spans, position, key=_start) - 1
        return spans[before] if before >= 0 and position < spans[before][1] else None

    def _paragraph(self, marks: list[re.Match[str]]) -> Iterator[tuple[int, int, bool]]:
        """The code spans, URLs and quotations of one paragraph, of its marks."""
        closers: dict[str, list[int]] = {}
        for index, mark in enumerate(marks):
            if self._may_close(mark):
                closers.setdefault(mark[0], []).append(index)
        index = 0
        while index < len(marks):
            mark = marks[index]
            text = mark[0]
            if text[0] in "hH":
                yield mark.start(), mark.end(), False
            elif text[0] == "`" or (text in _CLOSES and self._may_open(mark)):
                where = closers.get(_CLOSES.get(text, text), [])
                after = bisect_right(where, index)
                if after < len(where):
                    index = where[after]
                    yield mark.start(), marks[index].end(), text[0] == "`"
            index += 1

    def _may_open(self, mark: re.Match[str]) -> bool:
        """Whether a quotation may start here: a straight quote after a letter is an inch or an apostrophe."""
        if mark[0] not in "\"'":
            return True
        following = self._content[mark.end() : mark.end() + 1]
        return not _after_latin(self._content, mark.start()) and bool(following.strip())

    def _may_close(self, mark: re.Match[str]) -> bool:
        if mark[0] not in "\"'’":
            return True
        return not _IS_LATIN.match(self._content[mark.end() : mark.end() + 1])


def _fences(content: str) -> Iterator[tuple[int, int]]:
    """The fenced code blocks; one that is never closed runs to the end (CommonMark)."""
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(content):
        fence, info = mark["fence"], mark["info"]
        if opened is None:
            if fence[0] == "~" or "`" not in info:
                opened = mark
        elif fence.startswith(opened["fence"]) and not info.strip():
            yield opened.start(), mark.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(content)
