"""What the screens about one memory share: the world, the directory's last state, and the memory they are on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.memory.types import Lang, MemoryEntry
from memtui.tui.messages import ChangeWanted
from memtui.tui.screens.base import ActionScreen
from memtui.tui.setting import Setting

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.managing.results import ChangeResult
    from memtui.store import Snapshot


class MemoryScreen(ActionScreen[None]):
    """A screen that is on a memory, or on none."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self._setting = setting
        self._snapshot: Snapshot | None = None
        self._busy = False

    @property
    def setting(self) -> Setting:
        """The world."""
        return self._setting

    @property
    def snapshot(self) -> Snapshot | None:
        """The directory as it is now; None before the first look."""
        return self._snapshot

    @property
    def speaks(self) -> Lang:
        """Language of what the screen says."""
        return self._setting.lang

    @property
    def memory(self) -> MemoryEntry | None:
        """The memory this is about now."""
        raise NotImplementedError

    @property
    def chosen(self) -> list[MemoryEntry]:
        """The memories in force that a change is about."""
        entry = self.memory
        return [entry] if entry is not None and entry.is_active else []

    def go_to(self, slug: str) -> bool:
        """Show another memory; False if there is none of that slug."""
        raise NotImplementedError

    def change(self, verb: str, do: Callable[[MemoryManager], ChangeResult]) -> None:
        """Have a change made.

        Args:
            verb: what will have been done, for the notice.
            do: the change.
        """
        self._busy = True
        self.show_keys()
        self.post_message(ChangeWanted(verb, do))

    def show_keys(self) -> None:
        """Bring the key bar up to date."""
        raise NotImplementedError
