"""What the Line-API widgets share: roles get their look from the theme, lines become strips.

Roles are no component classes: the style sheet would be applied to each of them on every widget, which took two thirds
of the time to the first paint. Thirty styles are worked out once a theme instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.cache import FIFOCache
from textual.color import TRANSPARENT, Color
from textual.filter import LineFilter
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui.lines import Line

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

    __slots__ = ()

    def __init__(self, segments: list[Segment], cell_length: int) -> None:  # Textual's would make the caches
        self._segments = segments
        self._cell_length = cell_length
        self._render_cache = None
        self._link_ids = None
        self._cell_count = None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  -- called for what has not been set yet
        if not name.endswith("_cache"):
            raise AttributeError(name)
        made: FIFOCache[Any, Any] = FIFOCache(4)
        setattr(self, name, made)
        return made

    def apply_filter(self, filter: LineFilter, background: Color) -> Strip:  # noqa: A002  -- Textual's name
        """The strip as it comes out of a filter."""
        key = (filter, background)
        made = self._filter_cache.get(key)
        if made is None:
            made = LineStrip(filter.apply(self._segments, background), self.cell_length)
            self._filter_cache[key] = made
        return made


class LinePainted(Widget):
    """Base of the widgets that paint line by line and have no border, outline, tint or opacity.

    Textual's own way looks up forty rules of the style sheet for each line; of these there is nothing to draw. What was
    painted is kept where Textual keeps it, so that its marks of what is to be painted again hold here, too.
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint a part of the widget, padding included."""
        padding, kept = self.styles.padding, self._styles_cache
        outer, height = self._size.width, self._size.height - padding.height
        if kept._width != outer:  # noqa: SLF001  -- Textual's own memory of the lines, which its ``refresh`` clears
            kept.clear()
            kept._width = outer  # noqa: SLF001
        lines, dirty = kept._cache, kept._dirty_lines  # noqa: SLF001
        background, filters = self.visual_style.background or TRANSPARENT, self.get_line_filters()
        strips: list[Strip] = []
        for y in crop.line_range:
            strip = None if y in dirty else lines.get(y)
            if strip is None or strip.cell_length < crop.right:
                place = y - padding.top
                strip = lines[y] = (
                    self._padded(self.render_line(place), padding.left, crop.right, background)
                    if 0 <= place < height
                    else LineStrip([blank(crop.right, background)], crop.right)
                )
            for line_filter in filters:
                strip = strip.apply_filter(line_filter, background)
            if crop.x or strip.cell_length != crop.right:
                strip = strip.crop(crop.x, crop.right)
            strips.append(strip)
        dirty.difference_update(crop.line_range)
        return strips

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
    base = widget.visual_style.rich_style  # cached, as ``rich_style`` is not
    if not line:
        return Strip.blank(cells, base + over if over is not None else base)
    known = looks(widget.app)
    segments = []
    used = 0
    for text, role in line:
        style = base
        if role:
            name, _, target = role.partition("=")
            style = base + known[name]
            if target:
                style += Style.from_meta({LINK_META if name == "link" else ACTION_META: target})
        segments.append(Segment(text, style + over if over is not None else style))
        used += len(text) if text.isascii() and text.isprintable() else cell_len(text)
    if used > cells:
        return Strip(segments, used).adjust_cell_length(cells)
    if used < cells:
        segments.append(Segment(" " * (cells - used), base + over if over is not None else base))
    return LineStrip(segments, cells)
