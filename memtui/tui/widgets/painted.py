"""What the Line-API widgets share: roles become styles of the style sheet, lines become strips."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui.lines import Line

ROLES = (
    "accent",
    "bad",
    "brand",
    "code",
    "cool",
    "count",
    "cursor-sign",
    "description",
    "dim",
    "emphasis",
    "gauge",
    "good",
    "heading",
    "hot",
    "key",
    "link",
    "mark",
    "name",
    "off",
    "quote",
    "rule",
    "score",
    "strong",
    "title",
    "type",
    "warm",
    "warn",
)
"""Every role a part of a line may have; the style sheet gives each a look as ``.role--NAME``."""

ACTION_META = "memtui_action"
LINK_META = "memtui_link"


ROLE_CLASSES = frozenset(f"role--{role}" for role in ROLES)
"""What a widget that paints has among its ``COMPONENT_CLASSES``."""


def paint(widget: Widget, line: Line, cells: int, over: Style | None = None) -> Strip:
    """A line as a strip of exactly ``cells`` cells.

    A role may carry a target: ``link=some-slug`` and ``key=action-id`` look like ``link`` and ``key``, and a click finds
    the target in the style's meta data.

    Args:
        widget: what paints; its style sheet decides the looks.
        line: what to paint.
        cells: width.
        over: style laid over all of it, such as a cursor's.
    """
    base = widget.rich_style
    segments = []
    for text, role in line:
        style = _style(widget, role, base)
        segments.append(Segment(text, style + over if over is not None else style))
    fill = base + over if over is not None else base
    return Strip(segments).adjust_cell_length(cells, fill)


def _style(widget: Widget, role: str, base: Style) -> Style:
    if not role:
        return base
    name, _, target = role.partition("=")
    style = widget.get_component_rich_style(f"role--{name}")
    if target:
        style += Style.from_meta({LINK_META if name == "link" else ACTION_META: target})
    return style
