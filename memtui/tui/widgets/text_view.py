"""A view of a long text: Line API, so a megabyte scrolls like a paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, zip_longest

from textual import events
from textual.geometry import Region
from textual.strip import Strip

from memtui.tui.messages import LinkFollowed
from memtui.tui.present.blocks import Block, layout
from memtui.tui.present.lines import Line, width
from memtui.tui.widgets.line_view import LineView
from memtui.tui.widgets.painted import LINK_META, looks, paint

_MOST_KEPT = 2_000
"""Blocks that are kept as broken to lines (ours): some dozens of memories, between which one goes to and fro."""


class TextView(LineView):
    """Blocks of text, broken to the width, with links to other memories that can be followed."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id)
        self._blocks: Sequence[Block] = ()
        self._lines: list[Line] = []
        self._links: list[tuple[int, int]] = []
        self._link = -1
        self._laid_out = -1
        self._key: object = None
        self._kept: dict[int, tuple[Block, list[Line]]] = {}
        self._kept_for = -1

    # --- what it shows ---

    @property
    def lines(self) -> Sequence[Line]:
        """The lines as laid out."""
        return self._lines

    def show(self, blocks: Sequence[Block], *, key: object) -> None:
        """Replace the text.

        Args:
            blocks: the new text.
            key: what it is about; the place scrolled to is kept while this stays equal.
        """
        same, self._key = key == self._key, key
        if same and blocks == self._blocks and self._laid_out == self.cells:
            return  # what a change on disk did not touch is neither broken to lines nor painted again
        self._blocks = blocks
        self._laid_out = -1
        before, top, link = self._lines, self.scroll_offset.y, self._link
        if not same:
            self._link = -1
        self._lay_out()
        if not same:
            self.show_from(0)
        if link >= 0 or self._link >= 0 or top != self.scroll_offset.y:
            self.refresh()
        else:
            self._repaint_changed(before[top : top + self.rows_shown])

    def _repaint_changed(self, before: Sequence[Line]) -> None:
        """Have those lines painted that are not what stood in their place."""
        top, rows = self.scroll_offset.y, self.rows_shown
        now = self._lines[top : top + rows]
        changed = [
            y
            for y, (old, new) in enumerate(zip_longest(before, now, fillvalue=()))
            if old is not new and old != new
        ]
        if changed:
            self.refresh(*(Region(0, y, self.cells, 1) for y in changed))

    def _lay_out(self) -> None:
        cells = self.cells
        if cells <= 0 or cells == self._laid_out:
            return
        self._laid_out = cells
        # Blocks that were shown before, as wide as now, are not broken again.
        if self._kept_for != cells:
            self._kept, self._kept_for = {}, cells
        kept = self._kept
        lines = self._lines = []
        for block in self._blocks:
            known = kept.get(id(block))
            if known is None or known[0] is not block:
                known = kept[id(block)] = (block, layout((block,), cells))
            lines += known[1]
        for old in [*islice(kept, max(0, len(kept) - _MOST_KEPT))]:
            del kept[old]
        self._links = [
            (number, place)
            for number, line in enumerate(self._lines)
            for place, (_, role) in enumerate(line)
            if role.startswith("link=")
        ]
        self._link = min(self._link, len(self._links) - 1)
        self.set_line_count(len(self._lines))

    # --- moving ---

    def move(self, lines: int) -> None:
        """Scroll by lines."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False)

    def move_page(self, pages: int) -> None:
        """Scroll by a screenful."""
        self.move(pages * max(1, self.rows_shown - 1))

    def move_to_end(self, *, last: bool) -> None:
        """Scroll to the first or last line."""
        self.scroll_to(y=len(self._lines) if last else 0, animate=False)

    def next_link(self, step: int) -> bool:
        """Go to the next (or previous, -1) link; False if there is none."""
        if not self._links:
            return False
        self._link = (self._link + step) % len(self._links) if self._link >= 0 else (0 if step > 0 else -1)
        self._link %= len(self._links)
        number = self._links[self._link][0]
        top, height = self.scroll_offset.y, self.rows_shown
        if not top <= number < top + height:
            self.scroll_to(y=max(0, number - height // 2), animate=False)
        self.refresh()
        return True

    @property
    def link(self) -> str | None:
        """Target of the link gone to."""
        if self._link < 0:
            return None
        number, place = self._links[self._link]
        return self._lines[number][place][1].partition("=")[2]

    # --- painting ---

    def render_line(self, y: int) -> Strip:
        """Paint one line."""
        top, cells, _ = self.window
        number = y + top
        if number >= len(self._lines):
            return paint(self, (), cells)
        line = self._lines[number]
        if self._link >= 0 and self._links[self._link][0] == number:
            place = self._links[self._link][1]
            before, chosen, after = line[:place], line[place], line[place + 1 :]
            over = looks(self.app)["link-cursor"]
            strips = [paint(self, before, width(before)), paint(self, (chosen,), width((chosen,)), over)]
            return Strip.join([*strips, paint(self, after, max(0, cells - width((*before, chosen))))])
        return paint(self, line, cells)

    # --- events ---

    def on_resize(self) -> None:
        """Break the text to the new width."""
        self._lay_out()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Follow a clicked link."""
        target = event.style.meta.get(LINK_META)
        if target:
            event.stop()
            self.post_message(LinkFollowed(str(target)))
