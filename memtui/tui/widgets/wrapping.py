"""The text an editor works on, kept to the character, and how it is broken into rows; quick for very long texts too.

Textual's own document splits at every character that Unicode calls a line end and writes them all back as one kind,
and its wrapping works through the whole text at each key.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from rich.cells import cell_len
from textual._wrap import compute_wrap_offsets
from textual.document._document import Document, EditResult, Location, Newline
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Offset, clamp

from memtui.memory.text import visible

_WORD_WRAPPED = 4_096
"""Longer lines are broken at the edge: nobody reads them as prose, and looking for words would be felt."""
_NONE: list[int] = []


class TextDocument(Document):
    """Lines between the newlines of the text, and nothing else: what goes in comes out.

    Where every line ends in CR LF, those are the newlines; otherwise LF is, and a CR is a character of its line.
    """

    def __init__(self, text: str) -> None:
        pairs = text.count("\r\n")
        self._newline: Newline = "\r\n" if pairs and pairs == text.count("\n") else "\n"
        self._lines = text.split(self._newline)

    def _split(self, text: str) -> list[str]:
        if self._newline == "\r\n":
            text = text.replace("\r\n", "\n")
        return text.split("\n")

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Replace what stands between two places; see Textual."""
        (top, left), (bottom, right) = sorted((start, end))
        lines = self._lines
        replaced = self.get_text_range((top, left), (bottom, right))
        before = lines[top][:left] if top < len(lines) else ""
        after = lines[bottom][right:] if bottom < len(lines) else ""
        new = self._split(text)
        new[0] = before + new[0]
        column = len(new[-1])
        new[-1] += after
        lines[top : bottom + 1] = new
        return EditResult((top + len(new) - 1, column), replaced)

    def get_text_range(self, start: Location, end: Location) -> str:
        """The text between two places."""
        (top, left), (bottom, right) = sorted((start, end))
        lines = self._lines
        if top == bottom:
            return lines[top][left:right] if top < len(lines) else ""
        last = lines[bottom][:right] if bottom < len(lines) else ""
        return self._newline.join([lines[top][left:], *lines[top + 1 : bottom], last])

    def location_of(self, index: int) -> Location:
        """The place of a character counted from the start of the text."""
        [(row, column, _)] = self.rows_of([(index, index)]) or [(len(self._lines) - 1, 0, 0)]
        return row, column

    def index_of(self, location: Location) -> int:
        """The number of characters before a place."""
        row, column = location
        return sum(map(len, self._lines[:row])) + row * len(self._newline) + column

    def rows_of(self, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """Spans of the text as row, first and one past the last column; one that goes over rows gives several."""
        step = len(self._newline)
        starts = [0, *accumulate(len(line) + step for line in self._lines)]
        found: list[tuple[int, int, int]] = []
        for start, end in spans:
            row = min(bisect_right(starts, start) - 1, len(self._lines) - 1)
            while row < len(self._lines):
                left, right = max(0, start - starts[row]), min(end - starts[row], len(self._lines[row]))
                found.append((row, min(left, len(self._lines[row])), max(left, right)))
                row += 1
                if end <= starts[row]:
                    break
        return found


class Wrapping(WrappedDocument):
    """Breaks lines at spaces and between wide characters, and knows on which row of the screen each piece stands.

    Everything is as wide as it is shown: a character that is not shown as it is takes the place of its sign.
    """

    def __init__(self, document: Document, width: int = 0, tab_width: int = 4) -> None:
        self.document = document
        self._width = width
        self._tab_width = tab_width
        self._wrap_offsets: list[list[int]] = []
        self._starts: list[int] = [0]
        self.wrap(width, tab_width)

    @property
    def wrapped(self) -> bool:
        """Whether no line is broken, as Textual has it."""
        return self.height == len(self._wrap_offsets)

    @property
    def height(self) -> int:
        """Rows of the whole text."""
        return self._starts[-1]

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Break every line anew."""
        del tab_width  # a tab is shown as its sign
        self._width = width
        self._wrap_offsets = [self._breaks(line) for line in self.document.lines]
        self._count()

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Break the lines anew that an edit touched."""
        last = len(self._wrap_offsets) - 1
        top, bottom = sorted((clamp(start[0], 0, last), clamp(old_end[0], 0, last)))
        new_bottom = max(top, min(new_end[0], self.document.line_count - 1))
        new = [self._breaks(line) for line in self.document.lines[top : new_bottom + 1]]
        same = [len(b) for b in self._wrap_offsets[top : bottom + 1]] == [len(b) for b in new]
        self._wrap_offsets[top : bottom + 1] = new
        if not same:
            self._count()

    def _count(self) -> None:
        self._starts = [0, *accumulate(len(breaks) + 1 for breaks in self._wrap_offsets)]

    def _breaks(self, line: str) -> list[int]:
        width = self._width
        if not width or len(line) * 2 <= width or (len(line) <= width and line.isascii()):
            return _NONE
        if len(line) > _WORD_WRAPPED:
            return self._edges(line)
        shown = visible(line)
        return compute_wrap_offsets(shown, width, 4, precomputed_tab_sections=[(shown, 0)])

    def _edges(self, line: str) -> list[int]:
        step = (
            self._width if line.isascii() else max(1, self._width // 2)
        )  # no character takes more than two cells
        return list(range(step, len(line), step))

    def section_at(self, y: int) -> tuple[int, int, int, bool] | None:
        """Line, first and one past the last column, and whether that ends the line, of a row; None below the text."""
        if not 0 <= y < self.height:
            return None
        line = bisect_right(self._starts, y) - 1
        start, end = self._bounds(line, y - self._starts[line])
        return line, start, end, y + 1 == self._starts[line + 1]

    def _bounds(self, line: int, section: int) -> tuple[int, int]:
        breaks = self._wrap_offsets[line]
        if section < 0:
            section += len(breaks) + 1
        start = breaks[section - 1] if section else 0
        return start, breaks[section] if section < len(breaks) else len(self.document[line])

    def offset_to_location(self, offset: Offset) -> Location:
        """The place in the text that is shown at a place on the screen."""
        x, y = offset
        y = clamp(y, 0, self.height - 1)
        line = bisect_right(self._starts, y) - 1
        return line, self.get_target_document_column(line, max(0, x), y - self._starts[line])

    def location_to_offset(self, location: Location) -> Offset:
        """Where a place in the text is shown."""
        line = clamp(location[0], 0, len(self._wrap_offsets) - 1)
        section = bisect_right(self._wrap_offsets[line], location[1])
        start, _ = self._bounds(line, section)
        shown = visible(self.document[line][start : location[1]])
        return Offset(cell_len(shown), self._starts[line] + section)

    def get_target_document_column(self, line_index: int, x_offset: int, y_offset: int) -> int:
        """The column that is shown ``x_offset`` cells into a piece of a line."""
        start, end = self._bounds(line_index, y_offset)
        shown = visible(self.document[line_index][start:end])
        used = column = 0
        for char in shown:
            used += cell_len(char)
            if used > x_offset:
                break
            column += 1
        if end < len(self.document[line_index]):
            column = min(column, max(0, end - start - 1))
        return start + column

    def get_sections(self, line_index: int) -> list[str]:
        """The pieces of a line."""
        line = self.document[line_index]
        edges: Sequence[int] = [0, *self._wrap_offsets[line_index], len(line)]
        return [line[a:b] for a, b in pairwise(edges)]

    def get_offsets(self, line_index: int) -> list[int]:
        """Columns at which a line is broken."""
        return self._wrap_offsets[line_index]

    def get_tab_widths(self, line_index: int) -> list[int]:
        """No tab is expanded."""
        del line_index
        return []
