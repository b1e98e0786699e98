"""Markdown as most memories are written, taken apart without the parser: it is shown at every key that moves the cursor.

Paragraphs, headings and flat lists of one line an item, and nothing else. What that is not is left to the parser, and of
what it is the tokens are those the parser makes; a test holds the two against each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

_HEADING = re.compile(r"(#{1,6}) (\S.*)")
_BULLET = re.compile(r"- (\S.*)")
_NUMBERED = re.compile(r"\d{1,9}[.)](?: |$)")
_SPECIAL = re.compile(r"[\\~*_\[<&]| \n")
"""What an inline rule of the parser may begin with, but for code."""
_BLOCK_SIGNS = frozenset("`~#>-+*_=|<[: \\")
"""What a block that is no paragraph, or the line that ends one, begins with."""


def _is_prose(line: str) -> bool:
    """Whether a line can begin nothing but a paragraph, or go on with one."""
    first = line[0]
    if first not in _BLOCK_SIGNS:
        return not first.isdigit() or _NUMBERED.match(line) is None
    return line[1:2].isalpha() if first in "`[" else line[:2] == "**" and line[2:3].isalpha()


def tokens_of(text: str, parser: MarkdownIt) -> Sequence[Token] | None:
    """The tokens of a text; None where it is not as simple as that.

    Args:
        text: what is written.
        parser: for what stands within a line.
    """
    if "\t" in text or "\r" in text or "]:" in text:
        return None
    tokens: list[Token] = []
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


def _close_prose(tokens: list[Token], prose: list[str], parser: MarkdownIt) -> None:
    if prose:
        tokens += _wrapped("paragraph", "\n".join(prose).strip(), parser)
        prose.clear()


def _close_list(tokens: list[Token], items: list[str], parser: MarkdownIt, *, loose: bool) -> None:
    if items:
        tokens.append(Token("bullet_list_open", "ul", 1))
        for item in items:
            tokens.append(Token("list_item_open", "li", 1))
            tokens += _wrapped("paragraph", item.strip(), parser, hidden=not loose)
            tokens.append(Token("list_item_close", "li", -1))
        tokens.append(Token("bullet_list_close", "ul", -1))
        items.clear()


def _wrapped(kind: str, content: str, parser: MarkdownIt, *, hidden: bool = False) -> list[Token]:
    return [
        Token(f"{kind}_open", "", 1, hidden=hidden),
        _inline(content, parser),
        Token(f"{kind}_close", "", -1, hidden=hidden),
    ]


def _inline(content: str, parser: MarkdownIt) -> Token:
    pieces = content.split("`")
    if not len(pieces) % 2 or "``" in content or _SPECIAL.search("`".join(pieces[::2])):
        return parser.parseInline(content)[0]
    return Token("inline", "", 0, content=content, children=_children(pieces))


def _children(pieces: Sequence[str]) -> list[Token]:
    """Text, and between single backticks code."""
    children: list[Token] = []
    for number, piece in enumerate(pieces):
        if number % 2:
            code = piece.replace("\n", " ")
            if code[0] == code[-1] == " " and code.strip(" "):
                code = code[1:-1]
            children.append(Token("code_inline", "code", 0, content=code, markup="`"))
            continue
        for place, line in enumerate(piece.split("\n")):
            if place:
                children.append(Token("softbreak", "br", 0))
            if line:
                children.append(Token("text", "", 0, content=line))
    return children
