"""Brings what changed onto the screen, and nothing else.

Textual's own compositor renders every widget that meets the rectangle around all changes, containers behind them
included: a cursor that moves a row in the list, and a figure at the other end of the screen, cost the whole screen.
This one asks of each changed piece of a line which widget stands in front there, and renders that widget's lines only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

_Place = tuple[Widget, Region]
"""A widget, and where all of it would stand."""


class ExactCompositor(Compositor):
    """Textual's compositor, with partial updates that cost what they show."""

    def __init__(self) -> None:
        super().__init__()
        self._owned_cuts: object = None
        self._owners: dict[int, dict[int, _Place]] = {}

    def render_partial_update(self) -> ChopsUpdate | None:
        """What became different, as pieces of lines; None if nothing did."""
        regions = self._dirty_regions.copy()
        self._dirty_regions.clear()
        spans = list(self._regions_to_spans(regions))
        if not spans:
            return None
        cuts = self.cuts
        # Of each line the pieces between the edges of widgets; only those that meet a span are made.
        chops: list[dict[int, Strip | None]] = [{}] * len(cuts)
        wanted: dict[Widget, _Wanted] = {}
        for y, left, right in spans:
            edges, owners = cuts[y], self._owners_of(y)
            if not chops[y]:
                chops[y] = dict.fromkeys(edges[:-1])
            for start, end in pairwise(edges):
                if start < right and end > left and (place := owners.get(start)) is not None:
                    known = wanted.get(place[0])
                    if known is None:
                        known = wanted[place[0]] = _Wanted(place)
                    known.pieces[y].add((start, end))
        for known in wanted.values():
            for y, start, strip in known.render():
                chops[y][start] = strip
        return ChopsUpdate(chops, spans, [edges[1:] for edges in cuts])

    def _owners_of(self, y: int) -> Mapping[int, _Place]:
        """By the start of each piece of a line, what stands in front there; kept until widgets move."""
        cuts = self.cuts
        if cuts is not self._owned_cuts:
            self._owned_cuts, self._owners = cuts, {}
        known = self._owners.get(y)
        if known is None:
            known = self._owners[y] = {}
            for widget, (region, clip) in self.visible_widgets.items():  # the foremost first
                seen = region.intersection(clip)
                if seen.y <= y < seen.bottom and seen.width:
                    for start in cuts[y]:
                        if seen.x <= start < seen.right:
                            known.setdefault(start, (widget, region))
        return known


class _Wanted:
    """The pieces of one widget that are to be shown."""

    __slots__ = ("pieces", "place")

    def __init__(self, place: _Place) -> None:
        self.place = place
        self.pieces: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)

    def render(self) -> Iterator[tuple[int, int, Strip]]:
        """Line, start and content of each."""
        widget, region = self.place
        left = min(start for pieces in self.pieces.values() for start, _ in pieces)
        right = max(end for pieces in self.pieces.values() for _, end in pieces)
        for first, count in _runs(sorted(self.pieces)):
            crop = Region(left - region.x, first - region.y, right - left, count)
            strips: Sequence[Strip] = widget.render_lines(crop)
            for y, strip in enumerate(strips, first):
                for start, end in self.pieces[y]:
                    whole = start == left and end == right
                    yield y, start, strip if whole else strip.crop(start - left, end - left)


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
