"""What Textual does in many steps and a key has to wait for, done in one: a key's action, and a frame's bytes.

It uses what is private to one minor release of Textual, as ``compositor`` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.control import Control
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual.app import WINDOWS, App
from textual.events import Key, Paste

from memtui.tui.compositor import Pieces
from memtui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual._compositor import CompositorUpdate
    from textual.screen import Screen


class DirectApp(App[None]):
    """Mixed into the app, in front of Textual's own."""

    async def give(self, event: Key | Paste) -> None:
        """Pass a key on; what it is bound to is done here where the focus is on a view, which listens to no key itself.

        Textual would have it go through the queue of everything that the view stands in, and look then.
        """
        at_once = isinstance(self.focused, LineView) and self.app_focus and self.screen.maximized is None
        if at_once and isinstance(event, Key):
            for priority in (True, False):
                if await self._check_bindings(event.key, priority=priority):
                    return
        await super().on_event(event)

    def _display(self, screen: Screen[object], renderable: RenderableType | CompositorUpdate | None) -> None:
        """Write a frame of pieces as one: each write wakes the thread that writes."""
        driver = self._driver
        ready = self._running and not (
            self._batch_count or self._closed or self.is_headless or self.is_inline
        )
        if driver is None or not ready or not isinstance(renderable, Pieces) or WINDOWS:
            super()._display(screen, renderable)  # type: ignore[arg-type]  # Textual gives it such updates itself
            return
        cursor = Control.move_to(*self.screen.outer_size.clamp_offset(self.cursor_position))
        frame = renderable.render_segments(self.console) + cursor.segment.text
        driver.write(f"{SYNC_START}{frame}{SYNC_END}" if self._sync_available else frame)
        self.post_display_hook()
