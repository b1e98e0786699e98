"""Small dialogs: one thing of a few, or several on and off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from memtui.memory.types import Lang
from memtui.preferences import COLUMNS, Density, Preferences
from memtui.tui.actions.registry import bindings_for
from memtui.tui.present.lines import Line, clip_line, fit
from memtui.tui.screens.base import ActionModal, Result
from memtui.tui.screens.moving import Moving
from memtui.tui.widgets.bar import PaneTitle
from memtui.tui.widgets.row_list import RowList
from memtui.tui.wording.browse import words


@dataclass(frozen=True, slots=True)
class Item:
    """One row.

    Attributes:
        id: what it stands for.
        title: fit to be shown.
        note: the same, dim.
        on: whether it is on; None for what cannot be.
    """

    id: str
    title: str
    note: str = ""
    on: bool | None = None


_FRAME = 4
"""Lines of a dialog that are no rows; more rows than fit are scrolled."""


class _ListDialog(Moving, ActionModal[Result]):
    """A title and rows."""

    DEFAULT_CSS = """
    _ListDialog { align: center middle; background: $background 60%; }
    .list-dialog { width: 66; max-width: 100%; height: auto; max-height: 100%; background: $surface; padding: 0 1 1 1; }
    .list-dialog RowList { height: auto; }
    """

    def __init__(self, title: str, note: str, items: Sequence[Item]) -> None:
        """Prepare the dialog.

        Args:
            title: fit to be shown.
            note: the same; how to use it.
            items: the rows.
        """
        super().__init__()
        self._title = title
        self._note = note
        self._items = items

    def compose(self) -> ComposeResult:
        """Title and rows."""
        with Vertical(classes="list-dialog"):
            yield PaneTitle(classes="list-dialog-title")
            yield RowList[Item](_item_line, lambda item: item.id)

    def on_mount(self) -> None:
        """Show the rows."""
        self.query_one(PaneTitle).show(self._title, self._note)
        self.rows.styles.height = min(len(self._items), max(1, self.app.size.height - _FRAME))
        self.rows.show(self._items)
        self.rows.focus()

    @property
    def rows(self) -> RowList[Item]:
        """The rows."""
        return cast("RowList[Item]", self.query_one(RowList))

    @property
    def moving_pane(self) -> RowList[Item]:
        """The rows."""
        return self.rows

    def do_leave_dialog(self) -> None:
        """Close the dialog."""
        self.dismiss(None)


class PickScreen(_ListDialog[str]):
    """Gives the id of what was taken."""

    PLACE = "pick"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("pick")]

    def do_pick(self) -> None:
        """Take what the cursor is on."""
        item = self.rows.cursor
        self.dismiss(item.id if item is not None else None)

    @on(RowList.Opened)
    def _opened(self) -> None:
        self.do_pick()


class ColumnsScreen(_ListDialog[None]):
    """What each row of the list shows; every change shows at once."""

    PLACE = "columns"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("columns")]

    def __init__(self, liked: Preferences, changed: Callable[[Preferences], None], lang: Lang) -> None:
        """Prepare the dialog.

        Args:
            liked: what is shown now.
            changed: called with what shall be shown.
            lang: language of the dialog.
        """
        self._say = words(lang)
        self._liked = liked
        self._changed = changed
        super().__init__(self._say.columns_title, self._say.columns_note, self._made())

    def _made(self) -> list[Item]:
        say, liked = self._say, self._liked
        columns = [Item(name, getattr(say, f"col_{name}"), on=name in liked.columns) for name in COLUMNS]
        return [
            *columns,
            Item("compact", say.density_compact, on=liked.density == "compact"),
            Item("comfortable", say.density_comfortable, on=liked.density == "comfortable"),
        ]

    def do_toggle(self) -> None:
        """Show it, or not."""
        item = self.rows.cursor
        if item is None:
            return
        if item.id in {"compact", "comfortable"}:
            density: Density = "compact" if item.id == "compact" else "comfortable"
            self._liked = self._liked._replace(density=density)
        else:
            columns = self._liked.with_column(item.id, shown=not item.on)
            self._liked = self._liked._replace(columns=columns)
        self.rows.show(self._made())
        self._changed(self._liked)

    @on(RowList.Opened)
    def _opened(self) -> None:
        self.do_toggle()


def _item_line(item: Item, cells: int, at_cursor: bool) -> Line:
    sign = "▸ " if at_cursor else "  "
    box = "" if item.on is None else "[✓] " if item.on else "[ ] "
    title = item.title if not item.note else fit(item.title, 26)
    return clip_line(
        (
            (sign, "cursor-sign"),
            (box, "good" if item.on else "dim"),
            (title, "name"),
            (f"  {item.note}", "dim"),
        ),
        cells,
    )
