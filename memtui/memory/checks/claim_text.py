"""Pulling out of a memory's text what it says exists: paths, symbols, flags (spec §10). Pure; looks nothing up.

Only what is written like code is taken: paths with a file ending in prose, everything else between backticks. A claim
is ``firm`` if the text says that the thing exists here and now. One that is not firm may be found, but is never called
missing: a ✗ that cries wolf is worse than none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from memtui.memory.checks.claim_words import (
    ANYWHERE,
    COMMON_FLAGS,
    CUE,
    FLAG_CUE,
    INDENTED,
    KNOWN_ENDINGS,
    LIBRARIES,
    MIME_TYPES,
    NOT_HERE,
    NOT_PATHS,
    PROGRAM,
    SENTENCE_END,
    ending_of,
)
from memtui.memory.lazy import lazy_pattern

ClaimKind = Literal["path", "symbol", "flag"]


class Claim(NamedTuple):
    """Something a memory names.

    Attributes:
        kind: what it is.
        text: as written; equal to ``content[start:end]``.
        start: index in the content of its first code point.
        end: index behind its last.
        firm: whether its absence would say that the memory is out of date.
    """

    kind: ClaimKind
    text: str
    start: int
    end: int
    firm: bool = True


_FENCE = lazy_pattern(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<body>.*?)(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_SPAN = lazy_pattern(r"(?<!`)(?P<ticks>`{1,2})(?!`)(?P<body>[^`\n]{1,500})(?P=ticks)(?!`)")
# What only looks like a path: addresses, link targets, wiki links, mail addresses, scoped packages. Every repeat here and
# below is bounded or starts at a boundary, so that no text takes more than linear time.
_BLANKED = lazy_pattern(
    r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s`<>\")\]]+|\bmailto:\S+|(?<=\])\([^()\s]*\)|\[\[[^\[\]\n]{0,200}\]\]"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.-]+|(?<![\w/])@[\w-]+/[\w./-]+",
)
_SOME_BLANKED = ("://", "](", "[[", "@", "mailto:")
"""One of these stands in all that is blanked."""
_HOST = lazy_pattern(
    r"(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|ai|app|co|edu|gov|me|sh|so|cloud|internal|local|cn|de|uk)(?:/|$)",
    re.IGNORECASE,
)


def _path_pattern(chars: str) -> re.Pattern[str]:
    place = r"(?P<place>(?::\d+(?:[:-]\d+)*|\#L\d+(?:-L?\d+)?|::[\w:\[\]-]+))?"
    return re.compile(rf"(?<![\w/\\.~$<{{-])(?:~?/|\.{{1,2}}/)?(?:{chars}+/)*{chars}+/?{place}")


_PATH = _path_pattern(r"[\w.+@%~*?\[\]{}$-]")
_PROSE_PATH = _path_pattern(r"[\w.+~-]")  # there, * and [ are Markdown
_PATH_IN_PROSE = lazy_pattern(r"(?<![\w./~-])[\w.~-]*/[\w./~-]+")
_NOT_ASCII_HEAD = lazy_pattern(r"^[^\x00-\x7f]+(?=[A-Za-z0-9_.~])")
_NOT_ASCII_TAIL = lazy_pattern(r"(?<=[A-Za-z0-9_/])[^\x00-\x7f]+$")
_WINDOWS_PATH = lazy_pattern(r"(?<![\w\\.-])(?:[\w.-]+\\)+[\w.-]+\.\w{1,8}(?!\\)")
_PLACEHOLDER = lazy_pattern(
    r"[{}$<>%]|\.\.\.|…|(?:^|/)(?:path|some|your|foo|bar|baz|xxx|example)(?:[/_-]|$)|YYYY",
    re.IGNORECASE,
)
_GAP = lazy_pattern("[ \n]")
_NUMERIC = lazy_pattern(r"[\d./:+-]+")

_NAME = r"[A-Za-z_$][A-Za-z0-9_$]*"
_CALL = lazy_pattern(rf"(?P<name>{_NAME}(?:(?:\.|::|->|\#){_NAME})*)(?:\(\)|(?=!?\([^`]*\)$))!?")
_DOTTED = lazy_pattern(
    rf"[A-Z][A-Za-z0-9_$]*(?:(?:\.|::|\#){_NAME})+|{_NAME}(?:(?:\.|::){_NAME})*(?:\.|::)[A-Za-z0-9$]*_[A-Za-z0-9_$]*"
)
_SNAKE = lazy_pattern(r"_{0,2}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:__)?")
_CAMEL = lazy_pattern(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+")
_FLAG = lazy_pattern(r"(?<![A-Za-z0-9_-])--[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?![A-Za-z0-9_-])")


def _blank(match: re.Match[str]) -> str:
    text = match[0]
    return re.sub(r"[^\n]", " ", text) if "\n" in text else " " * len(text)


def _without_comments(content: str) -> str:
    """The content with HTML comments blanked; one that is not closed stays."""
    pieces, at = [], 0
    while (start := content.find("<!--", at)) >= 0 and (end := content.find("-->", start)) >= 0:
        pieces += [content[at:start], re.sub(r"[^\n]", " ", content[start : end + 3])]
        at = end + 3
    return "".join([*pieces, content[at:]])


class _Sentences:
    """The sentences of a text, and what each says of the things in it. Each is read once, whatever it names.

    Args:
        text: the text, with fenced blocks blanked.
        outside: the same with code spans blanked too.
    """

    def __init__(self, text: str, outside: str) -> None:
        self._text = text
        self._outside = outside
        self._said: dict[tuple[str, int], bool] = {}

    @cached_property
    def _ends(self) -> list[int]:
        return [*(match.end() for match in SENTENCE_END.finditer(self._text)), len(self._text)]

    @cached_property
    def _words(self) -> str:
        """The text with every name blanked: ``remove_item()`` says nothing of a removal."""
        words = self._outside
        words = _PATH_IN_PROSE.sub(_blank, words) if "/" in words else words
        return _FLAG.sub(_blank, words) if "--" in words else words

    def _says(self, pattern: re.Pattern[str], at: int, text: str) -> bool:
        number = min(bisect_right(self._ends, at), len(self._ends) - 1)
        key = (pattern.pattern, number)
        if key not in self._said:
            start = self._ends[number - 1] if number else 0
            self._said[key] = bool(pattern.search(text, start, self._ends[number]))
        return self._said[key]

    def here_and_now(self, at: int) -> bool:
        """Whether what stands there is said to exist. An indented block is an example, like a fenced one."""
        return not self._says(INDENTED, at, self._text) and not self._says(NOT_HERE, at, self._words)

    def about_code(self, at: int) -> bool:
        """Whether the sentence speaks of functions, classes and the like."""
        return self._says(CUE, at, self._words)

    def about_own_flags(self, at: int) -> bool:
        """Whether the sentence speaks of flags, and of no program that brings its own."""
        return self._says(FLAG_CUE, at, self._words) and not self._says(PROGRAM, at, self._text)


def path_target(text: str) -> str:
    """The path of a path claim, with ``/``, and without a line number, a fragment or a test's name."""
    return re.sub(r"(?::\d+(?:[:-]\d+)*|\#L\d+(?:-L?\d+)?|::.*)$", "", text.replace("\\", "/"))


def _is_path(text: str, *, in_code: bool) -> bool:
    path = path_target(text)
    if (
        _NUMERIC.fullmatch(path)
        or _HOST.match(path)
        or _PLACEHOLDER.search(path)
        or path.lower() in LIBRARIES
    ):
        return False
    if path.lower() in NOT_PATHS or (
        path.partition("/")[0] in MIME_TYPES
        and not path.endswith("/")
        and path.count("/") == 1
        and not ending_of(path)
    ):
        return False
    known = ending_of(path) in KNOWN_ENDINGS
    if "/" not in path:
        # One letter after several dots is an attribute, not an ending: `a.b.c`.
        return in_code and known and not (path.count(".") > 1 and len(ending_of(path)) == 1)
    parts = [part for part in path.split("/") if part not in ("", ".", "..", "~")]
    if not parts or (path.startswith(("/", "~")) and len(parts) < 2):
        return False
    return (
        known
        if not in_code
        else len(parts) > 1 or known or path.endswith("/") or path.startswith(("./", "../"))
    )


def _prose_paths(content: str) -> Iterator[Claim]:
    """The paths outside code: only words with a slash in them are looked at, since no others are paths there."""
    end, at = 0, content.find("/")
    while at >= 0:
        start = max(content.rfind(" ", end, at), content.rfind("\n", end, at), end - 1) + 1
        gap = _GAP.search(content, at)
        end = gap.start() if gap else len(content)
        yield from _paths(content, start, end, in_code=False)
        at = content.find("/", end)


def _paths(content: str, start: int, end: int, *, in_code: bool) -> Iterator[Claim]:
    if content.find("/", start, end) < 0 and content.find(".", start, end) < 0:
        return
    for pattern in (_PATH, _WINDOWS_PATH) if in_code else (_PROSE_PATH,):
        for match in pattern.finditer(content, start, end):
            text, at = match[0], match.start()
            if "/" not in text and "." not in text:
                continue
            if not (pattern.groups and match["place"]):
                text = text.rstrip(".,;:!?")
            if not in_code:
                # Chinese has no space between a word and a path: 在src/a.py里.
                text, at = _NOT_ASCII_TAIL.sub("", text), at + len(text) - len(_NOT_ASCII_HEAD.sub("", text))
                text = _NOT_ASCII_HEAD.sub("", text)
            if _is_path(text, in_code=in_code):
                yield Claim("path", text, at, at + len(text), firm=False)


def _symbol(body: str) -> tuple[str, bool] | None:
    """The symbol that a whole code span names, and whether it is written as a call; None if it names none."""
    call = _CALL.fullmatch(body) or _CALL.match(body)
    if call and (call.end() == len(body) or body.endswith(")")):
        name = call["name"]
        return (call[0] if call[0].endswith(("()", "()!")) else name), True
    for pattern in (_DOTTED, _SNAKE, _CAMEL):
        if pattern.fullmatch(body):
            return body, False
    return None


def _in_span(content: str, start: int, end: int, said: _Sentences) -> Iterator[Claim]:
    body = content[start:end]
    stripped = body.strip()
    paths = list(_paths(content, start, end, in_code=True))
    yield from (claim._replace(firm=said.here_and_now(claim.start)) for claim in paths)
    named = None if paths or stripped.lower() in LIBRARIES else _symbol(stripped)
    if named is None:
        return
    text, is_call = named
    at = start + body.index(text)
    first = re.split(r"\W+", text)[0]
    # A bare word may be a setting or a field of anything, and one in capitals a variable of anyone's environment; a
    # call, a dotted or a long snake_case name, and what is said to be a function or a class, is code.
    is_code = is_call or not text.isidentifier() or text.count("_") > 1 or said.about_code(at)
    firm = is_code and first not in ANYWHERE and not text.isupper() and said.here_and_now(at)
    yield Claim("symbol", text, at, at + len(text), firm=firm)


def extract_claims(content: str) -> tuple[Claim, ...]:
    """The paths, symbols and flags a memory names, in order of their place.

    Not taken: URLs and link targets, wiki links, hosts, placeholders (``<name>``, ``path/to``), ``and/or``, dates, versions.
    Fenced blocks are examples as often as facts: their paths are taken, but are not firm.

    Args:
        content: the body of a memory, Markdown.
    """
    if "`" not in content and "/" not in content and "--" not in content:
        return ()  # each kind of claim is written with one of these
    text = _without_comments(content)
    if any(sign in text for sign in _SOME_BLANKED):
        text = _BLANKED.sub(_blank, text)
    claims: list[Claim] = []
    fenced = "```" in text or "~~~" in text
    for match in _FENCE.finditer(text) if fenced else ():
        claims += (c for c in _paths(text, *match.span(), in_code=True) if "/" in c.text)
    prose = _FENCE.sub(_blank, text) if fenced else text
    outside = _SPAN.sub(_blank, prose)
    said = _Sentences(prose, outside)
    for match in _SPAN.finditer(prose):
        claims += _in_span(prose, *match.span("body"), said)
    for claim in _prose_paths(outside):
        claims.append(claim._replace(firm=said.here_and_now(claim.start)))
    for match in _FLAG.finditer(prose) if "--" in prose else ():
        at = match.start()
        firm = match[0].lower() not in COMMON_FLAGS and said.about_own_flags(at) and said.here_and_now(at)
        claims.append(Claim("flag", match[0], at, match.end(), firm=firm))
    return tuple(sorted(claims, key=lambda claim: (claim.start, -claim.end)))
