"""Brings what changed onto the screen, and nothing else.

Textual's own compositor renders every widget that meets the rectangle around all changes, containers behind them
included: a cursor that moves a row in the list, and a figure at the other end of the screen, cost the whole screen.
This one asks of each changed piece of a line which widget stands in front there, and renders that widget's lines only.
So it does where all is painted: half of the lines of a whole screen are of containers that nobody sees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from rich.console import Console
from textual._compositor import Compositor, CompositorUpdate
from textual._context import visible_screen_stack
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui.widgets.painted import LinePainted, Piece

_NOTHING = Strip([])


class Pieces(CompositorUpdate):
    """What is to be written where."""

    def __init__(self, strips: Sequence[tuple[Piece, Strip]]) -> None:
        """Take the pieces, each with a strip as long as it is."""
        self.strips = strips

    def render_segments(self, console: Console) -> str:
        """What a terminal is sent."""
        return "".join(
            [f"\x1b[{piece.y + 1};{piece.start + 1}H{strip.render(console)}" for piece, strip in self.strips]
        )


class _Owned(NamedTuple):
    """A piece of a line between the edges of widgets, and what stands in front there."""

    piece: Piece
    widget: Widget
    region: Region


class ExactCompositor(Compositor):
    """Textual's compositor, with partial updates that cost what they show."""

    def __init__(self) -> None:
        super().__init__()
        self._owned_cuts: object = None
        self._owned: dict[int, Sequence[_Owned]] = {}
        self._seen: Sequence[tuple[Widget, Region, Region]] = ()

    def render_partial_update(self) -> Pieces | None:  # type: ignore[override]  # `_display` takes any `CompositorUpdate`
        """What became different, as pieces of lines; None if nothing did."""
        regions = self._dirty_regions.copy()
        self._dirty_regions.clear()
        wanted: defaultdict[Widget, list[Piece]] = defaultdict(list)
        places: dict[Widget, Region] = {}
        for y, left, right in self._regions_to_spans(regions):
            for piece, widget, region in self._owned_of(y):
                if piece.start < right and piece.end > left:
                    wanted[widget].append(piece)
                    places[widget] = region
        strips = _strips(wanted, places)
        return Pieces(strips) if strips else None

    def _render_chops(
        self,
        crop: Region,  # noqa: ARG002  -- Textual's signature; who still calls this wants the whole screen
        is_rendered_line: Callable[[int], bool],  # noqa: ARG002  -- as above
    ) -> Sequence[Mapping[int, Strip]]:
        """Every line of the screen, as pieces from left to right."""
        wanted: defaultdict[Widget, list[Piece]] = defaultdict(list)
        places: dict[Widget, Region] = {}
        lines: list[dict[int, Strip]] = [{} for _ in self.cuts]
        for y, line in enumerate(lines):
            # Pieces of one widget beside each other, which what stands elsewhere parts, are one.
            for widget, owned in groupby(self._owned_of(y), attrgetter("widget")):
                first, *others = owned
                piece = first.piece._replace(end=others[-1].piece.end) if others else first.piece
                wanted[widget].append(piece)
                places[widget] = first.region
                line[piece.start] = _NOTHING
        for piece, strip in _strips(wanted, places):
            lines[piece.y][piece.start] = strip
        return lines

    def _owned_of(self, y: int) -> Sequence[_Owned]:
        """The pieces of a line that something stands in; kept until widgets move."""
        cuts = self.cuts
        if cuts is not self._owned_cuts:
            self._owned_cuts, self._owned = cuts, {}
            placed = self.visible_widgets.items()  # the foremost first
            self._seen = [(widget, region, region.intersection(clip)) for widget, (region, clip) in placed]
        known = self._owned.get(y)
        if known is None:
            fronts: dict[int, tuple[Widget, Region]] = {}
            for widget, region, seen in self._seen:
                if seen.y <= y < seen.bottom:
                    for start in cuts[y]:
                        if seen.x <= start < seen.right:
                            fronts.setdefault(start, (widget, region))
            known = self._owned[y] = [
                _Owned(Piece(y, start, end), *fronts[start])
                for start, end in pairwise(cuts[y])
                if start in fronts
            ]
        return known


def _strips(
    wanted: Mapping[Widget, Sequence[Piece]], places: Mapping[Widget, Region]
) -> list[tuple[Piece, Strip]]:
    """Pieces of some widgets, painted.

    Args:
        wanted: the pieces, by widget.
        places: where all of each widget would stand.
    """
    strips: list[tuple[Piece, Strip]] = []
    for widget, pieces in wanted.items():
        if isinstance(widget, LinePainted):
            strips += widget.render_pieces(places[widget], pieces)
        else:
            strips += _rendered(widget, places[widget], pieces)
    return strips


def _rendered(widget: Widget, region: Region, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Strip]]:
    """Pieces of a widget that only knows how to paint whole lines, as Textual asks for them."""
    if isinstance(widget, Screen):
        # What shows through a screen is what Textual takes off a list next; where a screen in front of it kept what it
        # had, the list is one too long: a dialog behind a dialog would show nothing, or itself, without end.
        stack = widget.app.screen_stack
        visible_screen_stack.set(stack[: stack.index(widget)] if widget in stack else [])
    by_line: defaultdict[int, set[Piece]] = defaultdict(set)
    for piece in pieces:
        by_line[piece.y].add(piece)
    left = min(piece.start for own in by_line.values() for piece in own)
    right = max(piece.end for own in by_line.values() for piece in own)
    for first, count in _runs(sorted(by_line)):
        crop = Region(left - region.x, first - region.y, right - left, count)
        for y, strip in enumerate(widget.render_lines(crop), first):
            for piece in by_line[y]:
                whole = piece.start == left and piece.end == right
                yield piece, strip if whole else strip.crop(piece.start - left, piece.end - left)


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """First number and length of each run of neighbours."""
    first = last = None
    for number in numbers:
        if last is not None and first is not None and number == last + 1:
            last = number
            continue
        if first is not None and last is not None:
            yield first, last - first + 1
        first = last = number
    if first is not None and last is not None:
        yield first, last - first + 1
