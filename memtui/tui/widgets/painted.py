"""What the Line-API widgets share: roles get their look from the theme, lines become strips.

Roles are no component classes: the style sheet would be applied to each of them on every widget, which took two thirds
of the time to the first paint. Thirty styles are worked out once a theme instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self
from weakref import WeakKeyDictionary

from rich.segment import Segment
from rich.style import Style
from textual.app import App, ScreenError
from textual.cache import FIFOCache
from textual.color import TRANSPARENT, Color
from textual.filter import LineFilter
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui.present.lines import Line, width

ACTION_META = "memtui_action"
LINK_META = "memtui_link"

ROLES: Mapping[str, tuple[str, float, str]] = {
    "accent": ("text-accent", 1.0, ""),
    "added": ("text-success", 1.0, ""),
    "added-word": ("text-success", 1.0, "bold underline"),
    "bad": ("text-error", 1.0, ""),
    "brand": ("text-primary", 1.0, "bold"),
    "code": ("text-secondary", 1.0, ""),
    "cool": ("foreground", 0.45, ""),
    "count": ("foreground", 0.7, ""),
    "cursor-sign": ("text-primary", 1.0, "bold"),
    "description": ("foreground", 0.75, "italic"),
    "dim": ("foreground", 0.55, ""),
    "emphasis": ("foreground", 1.0, "italic"),
    "found": ("text-warning", 1.0, "bold underline"),
    "gauge": ("primary", 1.0, ""),
    "good": ("text-success", 1.0, ""),
    "heading": ("text-primary", 1.0, "bold"),
    "hot": ("text-warning", 1.0, "bold"),
    "key": ("text-primary", 1.0, "bold"),
    "link": ("text-accent", 1.0, "underline"),
    "mark": ("text-accent", 1.0, "bold"),
    "name": ("foreground", 1.0, ""),
    "off": ("foreground", 0.3, ""),
    "removed": ("text-error", 1.0, ""),
    "removed-word": ("text-error", 1.0, "bold underline"),
    "rule": ("foreground", 0.22, ""),
    "rule-active": ("primary", 0.7, ""),
    "score": ("foreground", 0.8, ""),
    "strong": ("foreground", 1.0, "bold"),
    "title": ("foreground", 1.0, "bold"),
    "title-active": ("text-primary", 1.0, "bold"),
    "type": ("text-secondary", 1.0, ""),
    "warm": ("text-warning", 0.8, ""),
    "warn": ("text-warning", 1.0, ""),
}
"""Look of each role: a colour of the theme, how strongly it stands out from the background, and emphasis."""

BACKGROUNDS: Mapping[str, tuple[str, float]] = {
    "cursor": ("foreground", 0.1),
    "cursor-active": ("primary", 0.27),
    "link-cursor": ("text-accent", 0.3),
}
"""Backgrounds laid over a part or a row: a colour of the theme, and how strongly."""

READABLE = 4.5
"""Least contrast of a text against the background: what WCAG 2 asks for at level AA. Themes that give less to a role have
its colour strengthened, then drawn towards black or white."""
READABLE_UNDER_CURSOR = 3.0
"""Least contrast of a text against the row of the cursor (ours: WCAG's figure for large text)."""
SMALL: frozenset[str] = frozenset({"hot", "warm", "cool"})
"""Roles of short words that need the contrast of a text on the cursor's row too: there is nothing else to tell them by."""
UNREAD: frozenset[str] = frozenset({"gauge", "off", "rule", "rule-active"})
"""Roles that need not be read: lines, and what cannot be used now."""
_STEP = 0.05
_EXTREMES = (Color(0, 0, 0), Color(255, 255, 255))

_LOOKS: WeakKeyDictionary[App[Any], tuple[object, dict[str, Style]]] = WeakKeyDictionary()


def looks(app: App[Any]) -> dict[str, Style]:
    """The style of each role and background under the app's theme; worked out when the theme changes."""
    variables = app.theme_variables
    held = _LOOKS.get(app)
    if held is None or held[0] is not variables:
        held = _LOOKS[app] = (variables, looks_of(variables))
    return held[1]


def looks_of(variables: Mapping[str, str]) -> dict[str, Style]:
    """The style of each role and background under a theme's variables."""
    readable = _is_readable(variables)
    everywhere = _is_readable(variables, under_cursor=READABLE)
    made = {
        role: _look(
            variables, *look, fits=None if role in UNREAD else everywhere if role in SMALL else readable
        )
        for role, look in ROLES.items()
    }
    return made | {name: _background(variables, *look) for name, look in BACKGROUNDS.items()}


def _look(
    variables: Mapping[str, str],
    name: str,
    strength: float,
    emphasis: str,
    *,
    fits: Callable[[Color], bool] | None,
) -> Style:
    colour, background = Color.parse(variables[name]), Color.parse(variables["background"])
    style = Style.parse(emphasis) if emphasis else Style()
    if colour.ansi is not None:  # a terminal's own colours cannot be blended
        return style + Style(color=colour.rich_color, dim=strength < 0.6 or None)
    if background.ansi is None:
        shades = _shades(background, colour, strength)
        colour = next(filter(fits, shades))
    return style + Style(color=colour.rich_color)


def _shades(background: Color, colour: Color, strength: float) -> Iterator[Color]:
    """A colour as faint as asked for, then ever stronger, at last drawn towards black or white."""
    while strength < 1:
        yield background.blend(colour, strength)
        strength += _STEP
    black, white = _EXTREMES
    extreme = black if luminance(background) > luminance(colour) else white
    for step in range(round(1 / _STEP)):
        yield background.blend(colour, 1.0).blend(extreme, step * _STEP)
    yield extreme


def _is_readable(
    variables: Mapping[str, str], *, under_cursor: float = READABLE_UNDER_CURSOR
) -> Callable[[Color], bool]:
    """Whether a text of a colour can be read, on the background and on the cursor's row; black or white always can."""
    background = Color.parse(variables["background"])
    name, strength = BACKGROUNDS["cursor-active"]
    row = background.blend(Color.parse(variables[name]), strength)

    def readable(colour: Color) -> bool:
        if colour in _EXTREMES:
            return True
        return contrast(colour, background) >= READABLE and contrast(colour, row) >= under_cursor

    return readable


def luminance(colour: Color) -> float:
    """Relative luminance of a colour, 0 to 1 (WCAG 2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _background(variables: Mapping[str, str], name: str, strength: float) -> Style:
    colour, background = Color.parse(variables[name]), Color.parse(variables["background"])
    if colour.ansi is not None or background.ansi is not None:
        return Style(reverse=True)
    return Style(bgcolor=background.blend(colour, strength).rich_color)


class LineStrip(Strip):
    """A strip that makes its caches when it needs them; Textual makes seven for each, of which most are never used."""

    __slots__ = ("_filtered",)

    def __init__(self, segments: list[Segment], cell_length: int) -> None:  # Textual's would make the caches
        self._segments = segments
        self._cell_length = cell_length
        self._render_cache = None
        self._link_ids = None
        self._cell_count = None
        self._filtered: tuple[LineFilter, Color, Strip] | None = None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  -- called for what has not been set yet
        if not name.endswith("_cache"):
            raise AttributeError(name)
        made: FIFOCache[Any, Any] = FIFOCache(4)
        setattr(self, name, made)
        return made

    def apply_filter(self, filter: LineFilter, background: Color) -> Strip:  # noqa: A002  -- Textual's name
        """The strip as it comes out of a filter; the same one where that changes nothing."""
        known = self._filtered
        if known is None or known[0] is not filter or known[1] is not background:
            segments = filter.apply(self._segments, background)
            made = self if segments == self._segments else LineStrip(segments, self.cell_length)
            known = self._filtered = (filter, background, made)
        return known[2]


class Piece(NamedTuple):
    """A part of a line of the screen, in cells.

    Attributes:
        y: the line.
        start: where it begins.
        end: one past its last cell.
    """

    y: int
    start: int
    end: int


class LinePainted(Widget):
    """Base of the widgets that paint line by line and have no border, outline, tint or opacity.

    Textual's own way looks up forty rules of the style sheet for each line; of these there is nothing to draw. What was
    painted is kept where Textual keeps it, so that its marks of what is to be painted again hold here, too.
    """

    _painted_for: tuple[object, ...] = ()

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Note what is to be painted again, and tell the screen at once; Textual does so in two messages."""
        if layout or recompose or not repaint or not self._is_mounted or not self._told():
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        self._layout_cache.clear()
        self._set_dirty(*regions)
        self.clear_cached_dimensions()
        self._rich_style_cache.clear()
        return self

    def _told(self) -> bool:
        """Whether the screen in front knows now that this is to be painted; no where it is another one's."""
        try:
            tell = getattr(self.app.screen, "paint_soon", None)  # of the screens of this package only
        except ScreenError:
            return False
        return tell is not None and bool(tell(self))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint a part of the widget, padding included."""
        pieces = [Piece(y, crop.x, crop.right) for y in crop.line_range]
        return [strip for _, strip in self.render_pieces(self._size.region, pieces)]

    def render_pieces(self, region: Region, pieces: Sequence[Piece]) -> list[tuple[Piece, Strip]]:
        """Paint pieces of the screen, all within the widget.

        Args:
            region: where on the screen all of the widget would stand.
            pieces: what to paint.
        """
        padding, kept = self.styles.padding, self._styles_cache
        height, top = self._size.height - padding.height, region.y
        background, filters = self.visual_style.background or TRANSPARENT, self.get_line_filters()
        state = (self._size.width, background, *filters)
        if self._painted_for != state:
            kept.clear()
            self._painted_for = state
        lines, dirty = kept._cache, kept._dirty_lines  # noqa: SLF001  -- Textual's own memory, which its ``refresh`` clears
        painted: list[tuple[Piece, Strip]] = []
        for piece in pieces:
            y, start, end = piece.y - top, piece.start - region.x, piece.end - region.x
            strip = lines.get(y)
            if strip is None or y in dirty or strip.cell_length < end:
                place = y - padding.top
                if 0 <= place < height:
                    strip = self._padded(self.render_line(place), padding.left, end, background)
                else:
                    strip = LineStrip([blank(end, background)], end)
                for line_filter in filters:
                    strip = strip.apply_filter(line_filter, background)
                lines[y] = strip
                dirty.discard(y)
            if start or strip.cell_length != end:
                strip = strip.crop(start, end)
            painted.append((piece, strip))
        return painted

    @staticmethod
    def _padded(strip: Strip, left: int, cells: int, background: Color) -> Strip:
        """A strip with blank cells before it, and behind it up to so many: a scrollbar's column is not painted."""
        room = cells - left - strip.cell_length
        if not left and room <= 0:
            return strip
        segments = [blank(left, background), *strip] if left else list(strip)
        if room > 0:
            segments.append(blank(room, background))
        return LineStrip(segments, left + strip.cell_length + max(0, room))


@lru_cache(256)
def blank(cells: int, background: Color) -> Segment:
    """Cells without anything in them."""
    return Segment(" " * cells, Style.from_color(bgcolor=background.rich_color))


class _Styles(dict[str, Style]):
    """The style of each role on a background, worked out when it is first painted."""

    def __init__(self, base: Style, known: Mapping[str, Style], over: Style | None) -> None:
        super().__init__()
        self.made_of = (base, known, over)
        self.base = base + over if over is not None else base

    def __missing__(self, role: str) -> Style:
        base, known, over = self.made_of
        style = base
        if role:
            name, _, target = role.partition("=")
            style = base + known[name]
            if target:
                style += Style.from_meta({LINK_META if name == "link" else ACTION_META: target})
        made = style + over if over is not None else style
        if "=" not in role:  # of targets there is no end
            self[role] = made
        return made


_STYLES: dict[tuple[int, int, int], _Styles] = {}
_MOST_STYLES = 64


def _styles(base: Style, known: Mapping[str, Style], over: Style | None) -> _Styles:
    key = (id(base), id(known), id(over))  # what is kept holds all three, so that no other gets their ids
    found = _STYLES.get(key)
    if found is None:
        if len(_STYLES) >= _MOST_STYLES:
            _STYLES.clear()
        found = _STYLES[key] = _Styles(base, known, over)
    return found


def paint(widget: Widget, line: Line, cells: int, over: Style | None = None) -> Strip:
    """A line as a strip of exactly ``cells`` cells.

    A role may carry a target: ``link=some-slug`` and ``key=action-id`` look like ``link`` and ``key``, and a click finds
    the target in the style's meta data.

    Args:
        widget: what paints.
        line: what to paint.
        cells: width.
        over: style laid over all of it, such as a cursor's.
    """
    styles = _styles(
        widget.visual_style.rich_style, looks(widget.app), over
    )  # cached, as ``rich_style`` is not
    if not line:
        return Strip.blank(cells, styles.base)
    segments = [Segment(text, styles[role]) for text, role in line if text]
    used = width(line)
    if used > cells:
        return Strip(segments, used).adjust_cell_length(cells)
    if used < cells:
        segments.append(Segment(" " * (cells - used), styles.base))
    return LineStrip(segments, cells)
