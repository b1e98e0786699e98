"""Markdown as most memories are written, taken apart without the parser: it is shown at every key that moves the cursor.

Paragraphs, headings and flat lists of one line an item, and nothing else. What that is not is left to the parser, and
what it is is drawn as from the parser's tokens; a test holds the two against each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

_HEADING = re.compile(r"(#{1,6}) (\S.*)")
_BULLET = re.compile(r"- (\S.*)")
_NUMBERED = re.compile(r"\d{1,9}[.)](?: |$)")
_SPECIAL = re.compile(r"[\\~*_\[<&]| \n")
"""What an inline rule of the parser may begin with, but for code."""
_BLOCK_SIGNS = frozenset("`~#>-+*_=|<[: \\")
"""What a block that is no paragraph, or the line that ends one, begins with."""


class Plain(NamedTuple):
    """What is drawn of a token; the parser's own have three times as much, and take ten times as long to make."""

    type: str
    content: str = ""
    children: Sequence[Plain] | None = None
    hidden: bool = False

    def attrGet(self, name: str) -> None:  # noqa: N802  -- the parser's name
        """Nothing here has attributes."""


AnyToken = Token | Plain
_BREAK = Plain("softbreak")


def _is_prose(line: str) -> bool:
    """Whether a line can begin nothing but a paragraph, or go on with one."""
    first = line[0]
    if first not in _BLOCK_SIGNS:
        return not first.isdigit() or _NUMBERED.match(line) is None
    return line[1:2].isalpha() if first in "`[" else line[:2] == "**" and line[2:3].isalpha()


def tokens_of(text: str, parser: MarkdownIt) -> Sequence[AnyToken] | None:
    """The tokens of a text; None where it is not as simple as that.

    Args:
        text: what is written.
        parser: for what stands within a line.
    """
    if "\t" in text or "\r" in text or "]:" in text:
        return None
    tokens: list[AnyToken] = []
    prose: list[str] = []
    items: list[str] = []
    gap = loose = False  # whether a blank line came after the last item, and between two of them
    for line in (*text.split("\n"), ""):
        if not line.strip(" "):
            _close_prose(tokens, prose, parser)
            gap = True
            continue
        bullet = _BULLET.fullmatch(line)
        if bullet is None and items:
            if not gap:
                return None  # goes on with the item
            _close_list(tokens, items, parser, loose=loose)
            loose = False
        if bullet is not None:
            if not _is_prose(bullet[1]):
                return None
            _close_prose(tokens, prose, parser)
            loose = loose or (gap and bool(items))
            items.append(bullet[1])
        elif (heading := _HEADING.fullmatch(line)) is not None and not line.rstrip().endswith("#"):
            _close_prose(tokens, prose, parser)
            tokens += _wrapped("heading", heading[2].strip(), parser)
        elif _is_prose(line):
            prose.append(line)
        else:
            return None
        gap = False
    _close_list(tokens, items, parser, loose=loose)
    return tokens


def _close_prose(tokens: list[AnyToken], prose: list[str], parser: MarkdownIt) -> None:
    if prose:
        tokens += _wrapped("paragraph", "\n".join(prose).strip(), parser)
        prose.clear()


def _close_list(tokens: list[AnyToken], items: list[str], parser: MarkdownIt, *, loose: bool) -> None:
    if items:
        tokens.append(Plain("bullet_list_open"))
        for item in items:
            tokens.append(Plain("list_item_open"))
            tokens += _wrapped("paragraph", item.strip(), parser, hidden=not loose)
            tokens.append(Plain("list_item_close"))
        tokens.append(Plain("bullet_list_close"))
        items.clear()


def _wrapped(kind: str, content: str, parser: MarkdownIt, *, hidden: bool = False) -> list[AnyToken]:
    return [
        Plain(f"{kind}_open", hidden=hidden),
        _inline(content, parser),
        Plain(f"{kind}_close", hidden=hidden),
    ]


def _inline(content: str, parser: MarkdownIt) -> AnyToken:
    pieces = content.split("`")
    if not len(pieces) % 2 or "``" in content or _SPECIAL.search("`".join(pieces[::2])):
        return parser.parseInline(content)[0]
    return Plain("inline", content, _children(pieces))


def _children(pieces: Sequence[str]) -> list[Plain]:
    """Text, and between single backticks code."""
    children: list[Plain] = []
    for number, piece in enumerate(pieces):
        if number % 2:
            code = piece.replace("\n", " ")
            if code[0] == code[-1] == " " and code.strip(" "):
                code = code[1:-1]
            children.append(Plain("code_inline", code))
            continue
        for place, line in enumerate(piece.split("\n")):
            if place:
                children.append(_BREAK)
            if line:
                children.append(Plain("text", line))
    return children
