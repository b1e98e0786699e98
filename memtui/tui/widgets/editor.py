"""The text editor: what it holds stays to the character, what it shows is safe, and words can be marked in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.document._document import EditResult, Location, Selection
from textual.document._document_navigator import DocumentNavigator
from textual.document._edit import Edit
from textual.strip import Strip
from textual.widgets import TextArea

from memtui.memory.text import visible
from memtui.tui.present.blocks import source_line
from memtui.tui.widgets.painted import looks
from memtui.tui.widgets.wrapping import TextDocument, Wrapping

Mark = tuple[int, int, str]
"""First column, one past the last, and the role of a word that is marked."""

_COLOURED_CHARS = 1_000
"""Longer lines are not coloured as Markdown."""
_UNDERLINE = Style(underline=True)


class Editor(TextArea):
    """A text area for one memory's text."""

    DEFAULT_CSS = """
    Editor { border: none; padding: 0 1; background: $background; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    Editor:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+home", "text_end(False, False)", show=False),
        Binding("ctrl+end", "text_end(True, False)", show=False),
        Binding("ctrl+shift+home", "text_end(False, True)", show=False),
        Binding("ctrl+shift+end", "text_end(True, True)", show=False),
        Binding("alt+left,alt+b", "cursor_word_left", show=False),
        Binding("alt+right,alt+f", "cursor_word_right", show=False),
        Binding("ctrl+delete,alt+d", "delete_word_right", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(
            soft_wrap=True,
            tab_behavior="focus",
            compact=True,
            max_checkpoints=500,
            id=id,
        )
        self.cursor_blink = False

    # --- the document ---

    def _set_document(self, text: str, language: str | None) -> None:
        del language  # colouring by a parser would have to follow every key
        self._highlight_query = None
        self.document = TextDocument(text)
        self.wrapped_document = Wrapping(self.document)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._marks: dict[int, list[Mark]] = {}
        self._build_highlight_map()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    @property
    def lines_of_text(self) -> TextDocument:
        """The document, which knows where characters stand."""
        assert isinstance(self.document, TextDocument)  # noqa: S101  -- made above
        return self.document

    def action_text_end(self, last: bool, select: bool) -> None:
        """To the first or the last character of the text.

        Args:
            last: whether to the last.
            select: whether what lies between is selected.
        """
        self.move_cursor(self.document.end if last else (0, 0), select=select)

    def replace_all(self, text: str) -> None:
        """Put another text in place of this one, as one step that can be taken back."""
        if text != self.text:
            self.history.checkpoint()
            self.replace(text, (0, 0), self.document.end, maintain_selection_offset=False)
            self.history.checkpoint()
            self.move_cursor((0, 0))

    def edit(self, edit: Edit) -> EditResult:
        """Make an edit; marks below it move along, those it touches go."""
        lines = self.document.line_count
        result = super().edit(edit)
        self._move_marks(edit.top, edit.bottom[0], self.document.line_count - lines)
        return result

    def _move_marks(self, top: Location, bottom: int, shift: int) -> None:
        if not self._marks:
            return
        row, column = top
        moved: dict[int, list[Mark]] = {}
        for number, marks in self._marks.items():
            if number < row:
                moved[number] = marks
            elif number > bottom:
                moved[number + shift] = marks
            elif number == row:
                moved[number] = [mark for mark in marks if mark[1] <= column]
        self._marks = moved

    async def _on_paste(self, event: events.Paste) -> None:
        """Put a pasted text in; whatever ends its lines, they become lines here."""
        event.prevent_default()
        event.stop()
        if self.read_only:
            return
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        result = self._replace_via_keyboard(text, *self.selection)
        if result is not None:
            self.move_cursor(result.end_location)
            self.focus()

    def find_matching_bracket(self, bracket: str, search_from: Location) -> Location | None:
        """Brackets are not matched: the search goes through the whole text."""
        del bracket, search_from
        return None

    # --- marks ---

    def mark(self, marks: Mapping[int, Sequence[Mark]]) -> None:
        """Mark words.

        Args:
            marks: by row, the words to underline.
        """
        made = {row: list(found) for row, found in marks.items()}
        if made != self._marks:
            self._marks = made
            self._line_cache.clear()
            self.refresh()

    def select_span(self, start: int, end: int) -> None:
        """Put the cursor behind a span of the text, select it, and bring it into sight."""
        rows = self.lines_of_text.rows_of([(start, end)])
        first, last = (rows[0][0], rows[0][1]), (rows[-1][0], rows[-1][2])
        self.selection = Selection(first, last)
        self.scroll_cursor_visible(center=True)

    # --- painting ---

    def get_line(self, line_index: int) -> Text:
        """A line, safe to show; as long as it is in the document."""
        return Text(visible(self.document.get_line(line_index)), end="", no_wrap=True)

    def render_line(self, y: int) -> Strip:
        """Paint one row; only what is in sight is looked at, however long its line is."""
        width = self.scrollable_content_region.width
        base = self.visual_style.rich_style
        assert isinstance(self.wrapped_document, Wrapping)  # noqa: S101  -- made above
        section = self.wrapped_document.section_at(y + self.scroll_offset.y)
        if section is None:
            return Strip.blank(width, base)
        line, start, end, last = section
        text = self.document.get_line(line)
        shown = visible(text[start:end])
        layers = self._layers(line, text)
        if last:  # the cursor may stand behind the last character, and a selection may go on
            shown += " "
        cuts = sorted(
            {
                0,
                len(shown),
                *(p - start for a, b, _ in layers for p in (a, b) if start < p < start + len(shown)),
            }
        )
        segments = []
        for a, b in pairwise(cuts):
            style = base
            for first, past, look in layers:
                if first <= start + a and start + b <= past:
                    style += look
            segments.append(Segment(shown[a:b], style))
        return Strip(segments).adjust_cell_length(width, base)

    def _layers(self, line: int, text: str) -> list[tuple[int, int, Style]]:
        """Columns with a look, one over the other."""
        known = looks(self.app)
        layers: list[tuple[int, int, Style]] = []
        if len(text) <= _COLOURED_CHARS:
            at = 0
            for part, role in source_line(text):
                if role:
                    layers.append((at, at + len(part), known[role.partition("=")[0]]))
                at += len(part)
        layers += [(a, b, known[role] + _UNDERLINE) for a, b, role in self._marks.get(line, ())]
        start, end = sorted(self.selection)
        if start != end and start[0] <= line <= end[0]:
            first = start[1] if line == start[0] else 0
            past = end[1] if line == end[0] else len(text) + 1
            layers.append((first, past, known["cursor-active"]))
        row, column = self.selection.end
        if row == line and self._draw_cursor:
            layers.append((column, column + 1, Style(reverse=True)))
        return layers
