"""What history and activity share: the world, the directory's last state, what undo would do, and how to change things."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from memtui.memory.types import Lang
from memtui.tui.messages import ChangeWanted, Failed, Undoable
from memtui.tui.present import parts
from memtui.tui.screens.moving import Moving
from memtui.tui.screens.undoing import Undoing
from memtui.tui.setting import Setting
from memtui.tui.widgets.bar import Bar
from memtui.tui.widgets.keybar import KeyBar

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult
    from memtui.store import Snapshot
    from memtui.tui.app import MemtuiApp


class PastScreen(Moving, Undoing):
    """A screen about what was."""

    DEFAULT_CSS = """
    PastScreen { background: $background; }
    PastScreen DiffView { padding: 0 1; }
    """

    def __init__(self, setting: Setting, snapshot: Snapshot) -> None:
        super().__init__()
        self._setting = setting
        self._snapshot = snapshot
        self._undoable = Undoable(None, None)
        self._busy = False

    @property
    def speaks(self) -> Lang:
        """Language of the screen."""
        return self._setting.lang

    @property
    def main(self) -> MemtuiApp:
        """The app."""
        return cast("MemtuiApp", self.app)

    @property
    def signs(self) -> bool | None:
        """Whether a difference marks words by signs; None leaves it to the terminal's colours."""
        return self.main.ascii_mode or None

    def show_header(self) -> None:
        """Fill in the top line, and what undo would do."""
        setting = self._setting
        place = parts.short_path(setting.directory, setting.home)
        self.query_one("#header", Bar).left = parts.header_left(("memtui", setting.title, place))
        self._undoable = self.main.undoable

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        self.query_one(KeyBar).situation = self.situation

    def change(self, verb: str, do: Callable[[MemoryManager], ChangeResult]) -> None:
        """Have a change made."""
        self._busy = True
        self.show_keys()
        self.post_message(ChangeWanted(verb, do))

    def on_undoable(self, message: Undoable) -> None:
        """Undo or redo would do something else now."""
        self._undoable = message
        self.show_keys()

    def on_failed(self, message: Failed) -> None:
        """Something was refused."""
        del message  # the first screen says it
        self._busy = False
        self.show_keys()

    def on_descendant_focus(self) -> None:
        """What can be done depends on where one is."""
        self.show_keys()
