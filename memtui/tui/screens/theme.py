"""Choosing a theme: the one under the cursor shows at once, on everything behind the list."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from memtui.tui.actions.registry import bindings_for
from memtui.tui.messages import ThemeKept
from memtui.tui.screens.base import ActionModal
from memtui.tui.screens.moving import Moving
from memtui.tui.themes import theme_names
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import PaneTitle
from memtui.tui.wording.whole import words


class ThemeList(OptionList, inherit_bindings=False):
    """The names, in the shape that moving in a screen asks for; its own keys are the registry's."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def on_resize(self) -> None:
        """Keep the cursor in view where there is less room."""
        self.call_after_refresh(self.scroll_to_highlight)

    def move(self, lines: int) -> None:
        """Move the cursor, as far as there are names."""
        self.highlighted = max(0, min((self.highlighted or 0) + lines, self.option_count - 1))

    def move_page(self, pages: int) -> None:
        """Move it by a screenful."""
        self.move(pages * max(1, self.size.height - 1))

    def move_to_end(self, *, last: bool) -> None:
        """Move it to an end."""
        self.move(self.option_count if last else -self.option_count)


class ThemeScreen(Moving, ActionModal[None]):
    """A list of themes; leaving it without choosing brings back the one before."""

    PLACE = "theme"
    DEFAULT_CSS = """
    ThemeScreen { align: right middle; background: transparent; }
    ThemeScreen > Vertical { width: 36; max-width: 100%; height: 80%; background: $surface; padding: 0 1 1 1; }
    ThemeScreen ThemeList, ThemeScreen ThemeList:focus { height: 1fr; border: none; background: $surface; padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("theme")]

    def __init__(self, current: str) -> None:
        """Prepare the list.

        Args:
            current: name of the theme now.
        """
        super().__init__()
        self._before = current

    def compose(self) -> ComposeResult:
        """A title and the names."""
        with Vertical():
            yield PaneTitle()
            yield ThemeList(*(Option(Content(name), id=name) for name in theme_names(self.app)))

    def on_mount(self) -> None:
        """The cursor starts on the theme now."""
        say = words(voice_of(self.app).lang)
        self.query_one(PaneTitle).show(say.theme, say.theme_note)
        names = self.query_one(ThemeList)
        names.highlighted = theme_names(self.app).index(self._before)
        names.focus()

    @property
    def moving_pane(self) -> ThemeList:
        """The list."""
        return self.query_one(ThemeList)

    @on(OptionList.OptionHighlighted)
    def _preview(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None:
            self.app.theme = event.option_id

    @on(OptionList.OptionSelected)
    def _clicked(self) -> None:
        self.do_keep_theme()

    def do_keep_theme(self) -> None:
        """Leave it at what shows, and keep it for the next run."""
        self.app.post_message(ThemeKept(self.app.theme))
        self.dismiss(None)

    do_theme = do_keep_theme

    def do_drop_theme(self) -> None:
        """Back to the theme before."""
        self.app.theme = self._before
        self.dismiss(None)
