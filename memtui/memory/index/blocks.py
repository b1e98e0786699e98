"""Which parts of an index are HTML comments that stand as blocks of their own, or frontmatter.

The released client takes both out of ``MEMORY.md`` before it measures and loads it. It knows a comment block by the
rules of Markdown: one inside a code fence, a list item, a quotation, a paragraph or another HTML block is text like
any other and stays (measured; ``tests/integration/test_client_index.py`` compares).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memtui.memory.lazy import lazy_pattern

_COMMENT = lazy_pattern(r"<!--.*?-->", re.DOTALL)
_OPENS = lazy_pattern(r" {0,3}<!--")
_BULLET = lazy_pattern(r"( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|\t|$)")
_FENCE = lazy_pattern(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = lazy_pattern(r" {0,3}#{1,6}(?:\s|$)")
_RULE = lazy_pattern(r" {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$")
_RAW_TAG = lazy_pattern(r" {0,3}<(script|pre|style|textarea)[\s>]", re.IGNORECASE)
_BLOCK_TAG = lazy_pattern(
    r" {0,3}</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog"
    r"|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend"
    r"|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td"
    r"|tfoot|th|thead|title|tr|track|ul)(?: +|$|/?>)",
    re.IGNORECASE,
)
_ANY_TAG = lazy_pattern(r" {0,3}(?:<[a-z][\w-]*(?: [^<>]*)?/?>|</[a-z][\w-]*\s*>)[ \t]*$", re.IGNORECASE)
_EMPTY = lazy_pattern(r" {0,3}<!---?>")
_DEFINITION = lazy_pattern(
    r" {0,3}\[[^\[\]]+\]: *(?:<[^<>]*>|[^<\s]\S*)(?: +(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))? *$"
)
_MARKUP = lazy_pattern(r"<(?:[a-z].*>|!--)", re.IGNORECASE)
_FRONTMATTER = lazy_pattern(r"---\s*\n.*?---\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CommentBlock:
    """One HTML comment block.

    Attributes:
        first: index of its first line.
        after: index of the line that follows it; empty lines behind the comment belong to it.
        rest: the text on its lines outside the comments; empty for nearly every one.
    """

    first: int
    after: int
    rest: str


def without_frontmatter(lines: Sequence[str]) -> tuple[int, list[str]]:
    """How many whole lines at the top are frontmatter, and the lines behind it, the first of which may be a rest.

    As in the client, frontmatter ends at the next ``---`` wherever in a line it stands: an index that begins with a
    rule loses everything down to its next table or rule (measured).
    """
    text = "\n".join(lines).removeprefix("\ufeff")
    match = _FRONTMATTER.match(text)
    if match is None:
        return 0, list(lines)
    return text.count("\n", 0, match.end()), text[match.end() :].split("\n")


def comment_blocks(lines: Sequence[str]) -> tuple[CommentBlock, ...]:
    """The HTML comment blocks among lines without their line ends.

    Where there is a comment at all, the client loses link definitions (``[label]: address``) along with it, so they
    count here, too.

    Args:
        lines: the text behind the frontmatter, a string a line.
    """
    if not any("<!--" in line for line in lines):
        return ()
    return tuple(_Scanner(lines).blocks(0))


def _breaks(line: str) -> bool:
    """Whether a line is a heading, a fence or a rule, which neither continue a paragraph nor are continued."""
    return bool(_HEADING.match(line) or _FENCE.match(line) or _RULE.match(line))


class _Scanner:
    """Walks the lines with just enough Markdown to tell a block of its own from text."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._in_text = False  # the line before is a paragraph that this one may continue
        self._item = 0  # columns an open list item's own text is indented by; 0 outside lists
        self._item_has_text = False  # an empty item ends at a blank line
        self._item_has_blank = False  # behind a blank line, text has to be indented to belong to the item

    def blocks(self, at: int) -> list[CommentBlock]:
        found: list[CommentBlock] = []
        while at < len(self._lines):
            line = self._lines[at]
            if not line.strip() and not ("\t" in line and self._in_text and not self._item):
                self._in_text = False
                self._item_has_blank = True
                self._item = self._item if self._item_has_text else 0
                at += 1
            elif self._item and self._stays_in_list(line, self._lines[at - 1]):
                at += 1
            elif (block := self._comment(at) or self._definition(at)) is not None:
                self._leave()
                found.append(block)
                at = block.after
            else:
                at = self._step(at, line)
        return found

    def _leave(self) -> None:
        self._in_text, self._item = False, 0

    def _stays_in_list(self, line: str, before: str) -> bool:
        indent = len(line) - len(line.lstrip(" "))
        if line.startswith("\t") or indent >= self._item:
            self._in_text = self._item_has_text = True
            return True
        if _BULLET.match(line) and not _RULE.match(line):
            return False
        lazy = self._in_text and not self._item_has_blank and not _breaks(line)
        before = before[self._item :]
        lazy = lazy and not before.startswith("    ") and not _breaks(before)
        if lazy and not (_MARKUP.match(line, indent) and indent < min(4, self._item)):
            return True
        self._leave()
        return False

    def _comment(self, at: int) -> CommentBlock | None:
        line = self._lines[at]
        if not (line.startswith("<!--") if self._in_text else _OPENS.match(line)):
            return None
        for end in range(at, len(self._lines)):
            text = line if end == at else self._lines[end]
            if end == at and (_EMPTY.match(line) or "-->" in line[line.index("<!--") + 4 :]):
                break
            if end > at and "-->" in text:
                break
        else:
            return CommentBlock(at, len(self._lines), "\n".join(self._lines[at:]))
        rest = _COMMENT.sub("", "\n".join(self._lines[at : end + 1]))
        if rest.strip():
            return CommentBlock(at, end + 1, rest)
        return CommentBlock(at, self._past_empty(end + 1), "")

    def _definition(self, at: int) -> CommentBlock | None:
        if self._in_text or not _DEFINITION.match(self._lines[at]):
            return None
        return CommentBlock(at, self._past_empty(at + 1), "")

    def _past_empty(self, at: int) -> int:
        while at < len(self._lines) and not self._lines[at]:
            at += 1
        return at

    def _step(self, at: int, line: str) -> int:
        """Past one line that is no comment, or past the whole block that it opens."""
        if (fence := _FENCE.match(line)) is not None:
            self._leave()
            return self._past_fence(at + 1, fence[1])
        if (bullet := _BULLET.match(line)) is not None and not _RULE.match(line):
            self._item = len(bullet[0].replace("\t", " ")) if bullet[3] else len(bullet[0]) + 1
            self._item_has_blank = False
            self._item_has_text = self._in_text = bool(line[bullet.end() :].strip())
            return at + 1
        if _HEADING.match(line) or _RULE.match(line):
            self._leave()
            return at + 1
        if (raw := _RAW_TAG.match(line)) is not None:
            self._leave()
            return self._past_closing(at, f"</{raw[1]}>".lower())
        if _BLOCK_TAG.match(line) or (not self._in_text and _ANY_TAG.match(line)):
            self._leave()
            while at < len(self._lines) and self._lines[at].strip():
                at += 1
            return at
        if not self._in_text and line.startswith(("    ", "\t")):
            return at + 1
        self._in_text = True
        return at + 1

    def _past_fence(self, at: int, mark: str) -> int:
        closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}\s*$")
        while at < len(self._lines) and not closing.match(self._lines[at]):
            at += 1
        return at + 1

    def _past_closing(self, at: int, tag: str) -> int:
        for number in range(at, len(self._lines)):
            if tag in self._lines[number].lower():
                return number + 1
        return len(self._lines)
