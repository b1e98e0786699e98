"""The list of memories: a Line-API view that costs what is visible, not what there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress, count, repeat, zip_longest
from operator import attrgetter, eq, is_

from textual import events
from textual.strip import Strip

from memtui.memory.types import MemoryEntry
from memtui.preferences import USUAL, Preferences
from memtui.tui.facts import NO_FACTS, Facts
from memtui.tui.filtering import SORTS, Sort
from memtui.tui.messages import CursorMoved, RowOpened
from memtui.tui.present import memories as present_memories
from memtui.tui.voice import voice_of
from memtui.tui.widgets.cursor_view import CursorView
from memtui.tui.widgets.painted import paint
from memtui.tui.wording.browse import words

_MINUTE = 60
"""For so long scores and ages are drawn alike, seconds (ours)."""
_MOST_STRIPS = 2_000
_SLUG = attrgetter("slug")


class MemoryList(CursorView):
    """Rows of memories with a cursor that stays on its memory, whatever happens around it."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id)
        self._rows: Sequence[MemoryEntry] = ()
        self._facts: Mapping[str, Facts] = {}
        self._sort: Sort = SORTS[0]
        self._now = 0.0
        self._index = 0
        self._chosen: MemoryEntry | None = None
        self._chosen_anew = False  # whether it may be another object by now
        self._among: object = None
        self._strips: dict[tuple[int, int, bool, int, bool], tuple[MemoryEntry, Strip]] = {}
        self._painted_with: tuple[object, ...] = ()
        self._liked = USUAL
        self._tall = 1

    # --- what it shows ---

    @property
    def rows(self) -> Sequence[MemoryEntry]:
        """The rows, in order."""
        return self._rows

    @property
    def index(self) -> int:
        """Row of the cursor, from 0."""
        return self._index

    @property
    def cursor(self) -> MemoryEntry | None:
        """The memory under the cursor."""
        return self._rows[self._index] if self._rows else None

    def show(
        self,
        rows: Sequence[MemoryEntry],
        facts: Mapping[str, Facts],
        *,
        sort: Sort,
        now: float,
        empty: Sequence[str] = (),
        narrowed: bool = False,
        liked: Preferences = USUAL,
        among: object = None,
    ) -> None:
        """Replace the rows; the cursor stays on its memory, and that on its line of the screen.

        A memory that a filter hides gets the cursor back when it shows again, unless somebody has moved on since.

        Args:
            rows: in order.
            facts: by ``MemoryEntry.rel``.
            sort: the order, for the figure shown.
            now: Unix seconds, for score and age.
            empty: what to say when there is no row.
            narrowed: whether memories may be hidden.
            liked: columns, and lines of each row.
            among: what the rows were taken from: while it is the same, so is each memory, and none is looked for by its
                slug; None if nobody knows.
        """
        before, seen = self.cursor, self._seen()
        height = self._index * self._tall - self.scroll_offset.y
        alike = (sort, liked, now // _MINUTE)
        other_looks = facts is not self._facts or alike != self._painted_with
        if other_looks or len(self._strips) > _MOST_STRIPS:
            self._strips.clear()
            self._painted_with, self._now = alike, now
        other_looks = other_looks or not rows or not self._rows
        self._rows, self._facts, self._sort, self._empty = rows, facts, sort, () if rows else empty
        resized, self._liked, self._tall = liked.height != self._tall, liked, liked.height
        renewed, self._among = among is None or among is not self._among, among
        self._chosen_anew = self._chosen_anew or renewed
        chosen = self._find(self._chosen, by_slug=self._chosen_anew)
        if chosen is not None:
            self._chosen, self._chosen_anew = rows[chosen], False
        place = chosen
        if chosen is None and before is not self._chosen:
            place = self._find(before, by_slug=renewed)
        if chosen is None and not narrowed:
            self._chosen = None
        self._index = place if place is not None else max(0, min(self._index, len(rows) - 1))
        self.set_line_count(len(rows) * self._tall)
        if before is not None and not resized and self._index * self._tall - self.scroll_offset.y != height:
            self.show_from(max(0, self._index * self._tall - height))
        self._reveal()
        if other_looks:
            self.refresh()
        else:
            self._repaint_changed(seen)
        if self.cursor is not before:
            self._tell_moved()

    def _seen(self) -> list[tuple[MemoryEntry, bool]]:
        """The memories in sight, and on which of them the cursor is."""
        top = self.scroll_offset.y // self._tall
        last = -(-(self.scroll_offset.y + self.rows_shown) // self._tall)
        return [(row, place == self._index) for place, row in enumerate(self._rows[top:last], top)]

    def _repaint_changed(self, seen: Sequence[tuple[MemoryEntry, bool]]) -> None:
        """Have those rows painted that are not what stood in their place."""
        top = self.scroll_offset.y // self._tall
        for place, (old, new) in enumerate(zip_longest(seen, self._seen()), top):
            if old is None or new is None or old[0] is not new[0] or old[1] is not new[1]:
                self._repaint(place)

    def _find(self, entry: MemoryEntry | None, *, by_slug: bool) -> int | None:
        """Row of a memory, if it is there; by its slug, of what it has become since."""
        if entry is None:
            return None
        if self._index < len(self._rows) and self._rows[self._index] is entry:
            return self._index
        # `map` asks ten thousand without a step of Python each.
        place = next(compress(count(), map(is_, self._rows, repeat(entry))), None)
        if place is not None or not by_slug:
            return place
        alike = compress(count(), map(eq, map(_SLUG, self._rows), repeat(entry.slug)))
        return next((place for place in alike if self._rows[place].aside == entry.aside), None)

    def wait_for(self, entry: MemoryEntry) -> None:
        """Give a memory that a filter hides the cursor when it shows again, unless somebody has moved on since."""
        self._chosen, self._chosen_anew = entry, True

    # --- moving ---

    def move(self, lines: int) -> None:
        """Move the cursor down (or up, negative), as far as there are rows."""
        self.move_to(self._index + lines)

    def move_to(self, index: int) -> None:
        """Put the cursor on a row; beyond the ends is the end."""
        index = max(0, min(index, len(self._rows) - 1))
        self._chosen, self._chosen_anew = self._rows[index] if self._rows else None, False
        if index == self._index:
            return
        old, self._index = self._index, index
        self._repaint(old)
        self._repaint(index)
        self._reveal()
        self._tell_moved()

    def _tell_moved(self) -> None:
        self.screen.post_message(CursorMoved(self.cursor))  # at once, not through the panes between

    def move_page(self, pages: int) -> None:
        """Move the cursor by a screenful."""
        self.move(pages * max(1, self.rows_shown // self._tall - 1))

    def move_to_end(self, *, last: bool) -> None:
        """Put the cursor on the first or last row."""
        self.move_to(len(self._rows) - 1 if last else 0)

    def select(self, wanted: Callable[[MemoryEntry], bool]) -> bool:
        """Put the cursor on the first row that is wanted; False if there is none."""
        for place, row in enumerate(self._rows):
            if wanted(row):
                self.move_to(place)
                return True
        return False

    def _reveal(self) -> None:
        """Scroll as far as is needed to see the row of the cursor."""
        top, room = self.scroll_offset.y, self.rows_shown
        first, end = self._index * self._tall, (self._index + 1) * self._tall
        if room and (first < top or end > top + room):
            self.show_from(min(first, max(top, end - room)))

    def repaint_cursor(self) -> None:
        """Paint the row of the cursor anew."""
        self._repaint(self._index)

    def _repaint(self, place: int) -> None:
        self.refresh_lines(place * self._tall, self._tall)

    # --- painting ---

    def render_line(self, y: int) -> Strip:
        """Paint one row."""
        top, cells, focused = self.window
        place, part = divmod(y + top, self._tall)
        if place >= len(self._rows):
            return paint(self, self.empty_line(y, cells), cells)
        at_cursor = place == self._index
        entry = self._rows[place]
        # By the memory, not by its place: a filter moves rows about, and a change touches one of them. What is held
        # keeps the memory, so that no other one gets its id.
        key = (id(entry), part, at_cursor, cells, focused)
        held = self._strips.get(key)
        if held is None:
            held = (entry, self._row(place, cells, part, at_cursor=at_cursor))
            self._strips[key] = held
        return held[1]

    def _row(self, place: int, cells: int, part: int, *, at_cursor: bool) -> Strip:
        entry = self._rows[place]
        if part:
            line = present_memories.second_line(entry, cells, sort=self._sort, liked=self._liked)
        else:
            line = present_memories.row(
                entry,
                cells,
                now=self._now,
                facts=self._facts.get(entry.rel, NO_FACTS) if self._facts else NO_FACTS,
                sort=self._sort,
                cursor=at_cursor,
                liked=self._liked,
                say=words(voice_of(self.app).lang),
            )
        return paint(self, line, cells, self.cursor_style() if at_cursor else None)

    def notify_style_update(self) -> None:
        """Forget strips painted in other colours."""
        super().notify_style_update()
        self._strips.clear()

    # --- events ---

    def on_resize(self) -> None:
        """Fit the rows to the new width, and keep the cursor in sight."""
        self._strips.clear()
        self.set_line_count(len(self._rows) * self._tall)
        self._reveal()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the clicked row; a double click opens it."""
        place = (event.y + self.scroll_offset.y) // self._tall
        if not 0 <= place < len(self._rows):
            return
        self.move_to(place)
        if event.chain > 1:
            self.post_message(RowOpened(self.cursor))
