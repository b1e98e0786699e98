"""Several lists, of which one is shown, beside everything about the row under its cursor: the activity's and the team's."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar, cast

from textual.app import ComposeResult
from textual.containers import Horizontal

from memtui.tui.present.lines import Line
from memtui.tui.screens.moving import Movable
from memtui.tui.screens.past_screen import PastScreen
from memtui.tui.widgets.bar import Pane, PaneTitle
from memtui.tui.widgets.click_bar import ClickBar
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.widgets.keybar import KeyBar
from memtui.tui.widgets.row_list import RowList
from memtui.tui.widgets.text_view import TextView

TabT = TypeVar("TabT", bound=str)
ItemT = TypeVar("ItemT")


class Tabbed(PastScreen, Generic[TabT, ItemT]):
    """The panes, and turning from list to list. What the lists hold is the screen's own."""

    DEFAULT_CSS = """
    Tabbed #tabs { background: $panel; }
    Tabbed #row-pane { width: 1fr; }
    Tabbed #row-diff { display: none; }
    Tabbed.-diff #row-diff { display: block; }
    Tabbed.-diff #row-text { display: none; }
    Tabbed.-narrow #body { layout: vertical; }
    Tabbed.-narrow #rows-pane { width: 100%; height: 1fr; }
    Tabbed.-short #row-pane { display: none; }
    Tabbed.-short.-reading #row-pane { display: block; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-two")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type
    AUTO_FOCUS = "#rows"

    _tab: TabT

    def _panes(
        self, draw: Callable[[ItemT, int, bool], Line], key: Callable[[ItemT], Hashable]
    ) -> ComposeResult:
        """The lists to choose from; one of them beside its row; keys."""
        yield ClickBar(id="tabs")
        with Horizontal(id="body"):
            with Pane(id="rows-pane", classes="pane"):
                yield PaneTitle(id="rows-title")
                yield RowList[ItemT](draw, key, id="rows")
            with Pane(id="row-pane", classes="pane"):
                yield PaneTitle(id="row-title")
                yield TextView(id="row-text")
                yield DiffView(self._setting.lang, signs=self.signs, id="row-diff")
        with Horizontal(id="bottom"):
            yield KeyBar(self.PLACE, id="keys")

    @property
    def _list(self) -> RowList[ItemT]:
        return cast("RowList[ItemT]", self.query_one("#rows", RowList))

    @property
    def _text(self) -> TextView | DiffView:
        return self.query_one(DiffView) if self.has_class("-diff") else self.query_one(TextView)

    @property
    def moving_pane(self) -> Movable:
        """The list where it has the focus, else the text."""
        return self._list if self._list.has_focus else self._text

    def _show(self) -> None:
        """Bring everything up to date."""
        raise NotImplementedError

    def _leave_text(self) -> None:
        """Nothing of the list that was shown is looked at any more."""
        raise NotImplementedError

    def _turn_to(self, tab: TabT) -> None:
        if tab != self._tab:
            self._tab = tab
            self._leave_text()
            self._list.show(())
            self._show()
            self._list.move_to(0)

    def _turn_by(self, tabs: Sequence[TabT], step: int) -> None:
        self._turn_to(tabs[(tabs.index(self._tab) + step) % len(tabs)])
