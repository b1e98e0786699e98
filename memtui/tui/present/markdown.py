"""Markdown rendered to blocks, for memories short enough; parsing is markdown-it's, drawing is ours.

Textual's own widget builds one widget a block and takes half a second for 4 KB (design §6); this takes milliseconds
and paints through the same safe path as everything else. HTML is shown as it stands, pictures by their text, and an
address is shown, never made a terminal link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt

from memtui.memory.text import visible
from memtui.tui.present.blocks import Block, Marks, no_marks, with_links
from memtui.tui.present.lines import Line, Part, fit, join, plain
from memtui.tui.present.lines import width as cells_of
from memtui.tui.present.markdown_simple import AnyToken, tokens_of
from memtui.tui.present.parts import BROKEN, FOUND

_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_MAX_COLUMN = 40
_ROLE_TOKENS = {"strong_open": "strong", "em_open": "emphasis", "s_open": "dim"}


@dataclass
class _Drawing:
    """Blocks made so far, and the prefixes of the containers that are open."""

    marks: Marks
    blocks: list[Block] = field(default_factory=list)
    prefixes: list[tuple[Part, Part]] = field(default_factory=list)
    fresh: int = -1  # index of the prefix whose first form (the bullet) has not been drawn yet
    lists: list[int | None] = field(default_factory=list)

    def gap(self) -> None:
        """A blank line between blocks, once."""
        if self.blocks and self.blocks[-1].line and self.fresh < 0:
            self.blocks.append(Block((), *self._prefix()))

    def add(self, line: Line, *, hard: bool = False) -> None:
        """A line with the open containers' prefixes."""
        first, rest = self._prefix()
        self.blocks.append(Block(line, first, rest, "hard" if hard else "words"))

    def _prefix(self) -> tuple[Line, Line]:
        rest = tuple(rest for _, rest in self.prefixes)
        if self.fresh < 0:
            return rest, rest
        first = tuple(pair[0] if place >= self.fresh else pair[1] for place, pair in enumerate(self.prefixes))
        self.fresh = -1
        return first, rest

    def open(self, first: Part, rest: Part) -> None:
        """A container begins; ``first`` stands before its first line only."""
        if self.fresh < 0:
            self.fresh = len(self.prefixes)
        self.prefixes.append((first, rest))

    def close(self) -> None:
        """The innermost container ends."""
        self.prefixes.pop()
        if self.fresh >= len(self.prefixes):
            self.fresh = -1


def render(text: str, marks: Marks = no_marks) -> list[Block]:
    """A memory's body as blocks.

    Args:
        text: the body as in the file.
        marks: what is known of the code spans in it.
    """
    drawing = _Drawing(marks)
    source = text.replace("\x00", "\u2400")
    tokens = tokens_of(source, _PARSER)
    if tokens is None:
        tokens = _PARSER.parse(source)
    place = 0
    while place < len(tokens):
        place = _draw(tokens, place, drawing)
    while drawing.blocks and not drawing.blocks[-1].line:
        drawing.blocks.pop()
    return drawing.blocks


def _draw(tokens: Sequence[AnyToken], place: int, drawing: _Drawing) -> int:
    """Draw the token at ``place``; gives the place of the next one."""
    token = tokens[place]
    kind = token.type
    if kind == "heading_open":
        drawing.gap()
        for line in _inline(tokens[place + 1], drawing.marks, "heading"):
            drawing.add(line)
        return place + 3
    if kind == "inline":
        for line in _inline(token, drawing.marks, ""):
            drawing.add(line)
    elif kind == "paragraph_open":
        if not token.hidden:
            drawing.gap()
    elif kind in {"bullet_list_open", "ordered_list_open"}:
        if not drawing.lists:
            drawing.gap()
        start = token.attrGet("start")
        drawing.lists.append(int(start or 1) if kind == "ordered_list_open" else None)
    elif kind in {"bullet_list_close", "ordered_list_close"}:
        drawing.lists.pop()
    elif kind == "list_item_open":
        number = drawing.lists[-1]
        bullet = "• " if number is None else f"{number}. "
        if number is not None:
            drawing.lists[-1] = number + 1
        drawing.open((bullet, "accent"), (" " * len(bullet), ""))
    elif kind == "blockquote_open":
        drawing.gap()
        drawing.open(("▎ ", "rule"), ("▎ ", "rule"))
    elif kind in {"list_item_close", "blockquote_close"}:
        drawing.close()
    elif kind in {"fence", "code_block"}:
        drawing.gap()
        for source in token.content.removesuffix("\n").split("\n"):
            drawing.add((("  ", ""), (visible(source.expandtabs(4)), "code")), hard=True)
    elif kind == "html_block":
        drawing.gap()
        for source in token.content.removesuffix("\n").split("\n"):
            drawing.add(((visible(source.expandtabs(4)), "dim"),))
    elif kind == "hr":
        drawing.gap()
        drawing.add((("─" * 12, "rule"),))
    elif kind == "table_open":
        drawing.gap()
        return _table(tokens, place, drawing)
    return place + 1


def _inline(token: AnyToken, marks: Marks, role: str) -> list[Line]:
    """The lines of a paragraph: one, unless it holds line breaks."""
    lines: list[list[Part]] = [[]]
    roles = [role]
    addresses: list[str] = []
    text = ""
    children: Sequence[AnyToken] = token.children or ()
    for place, child in enumerate(children):
        if child.type == "text":
            text += child.content
            continue
        lines[-1] += with_links(text, roles[-1])
        text = ""
        if child.type == "code_inline":
            lines[-1].append((visible(child.content), "code"))
            found = marks(child.content)
            if found is not None:
                lines[-1].append((f" {FOUND}" if found else f" {BROKEN}", "good" if found else "bad"))
        elif child.type in _ROLE_TOKENS:
            roles.append(_ROLE_TOKENS[child.type])
        elif child.type in {"strong_close", "em_close", "s_close"}:
            roles.pop()
        elif child.type == "softbreak":
            # "**Why:** …" and "**How to apply:** …" stand on lines of their own and are meant to.
            if (
                place + 1 < len(children)
                and children[place + 1].type in {"strong_open", "text"}
                and _starts_label(children[place + 1 : place + 3])
            ):
                lines.append([])
            else:
                text = " "
        elif child.type == "hardbreak":
            lines.append([])
        elif child.type == "link_open":
            address = str(child.attrGet("href") or "")
            addresses.append(address)
            local = address.endswith(".md") and ":" not in address
            roles.append(f"link={address.removeprefix('./').removesuffix('.md')}" if local else "accent")
        elif child.type == "link_close":
            roles.pop()
            address = addresses.pop()
            if ":" in address and address != plain(lines[-1][-1:]):
                lines[-1].append((f" ({visible(address)})", "dim"))
        elif child.type == "image":
            lines[-1].append((visible(f"[picture: {child.content}]"), "dim"))
        else:
            lines[-1].append((visible(child.content), "dim"))
    lines[-1] += with_links(text, roles[-1])
    return [join(line) for line in lines]


def _starts_label(tokens: Sequence[AnyToken]) -> bool:
    return tokens[0].type == "strong_open" or (
        not tokens[0].content and len(tokens) > 1 and tokens[1].type == "strong_open"
    )


def _table(tokens: Sequence[AnyToken], place: int, drawing: _Drawing) -> int:
    rows: list[list[Line]] = []
    while tokens[place].type != "table_close":
        token = tokens[place]
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            role = "strong" if len(rows) == 1 else ""
            rows[-1].append(join(part for line in _inline(token, drawing.marks, role) for part in line))
        place += 1
    widths = [min(_MAX_COLUMN, max(map(cells_of, column))) for column in zip(*rows, strict=False)]
    for number, cells in enumerate(rows):
        line: list[Part] = []
        for cell, size in zip(cells, widths, strict=False):
            if cells_of(cell) <= size:
                line += [*cell, (" " * (size - cells_of(cell) + 2), "")]
            else:
                line += [(fit("".join(text for text, _ in cell), size) + "  ", "")]
        drawing.add(join(line))
        if number == 0:
            drawing.add((("─" * (sum(widths) + 2 * len(widths) - 2), "rule"),))
    return place + 1
