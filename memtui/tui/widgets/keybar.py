"""The bottom line: what can be done now, made from the action registry; a click does it."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.reactive import reactive

from memtui.tui.actions.registry import Situation, hints_for, keys_text
from memtui.tui.messages import ActionWanted
from memtui.tui.present.lines import Line, Part, width
from memtui.tui.voice import voice_of
from memtui.tui.widgets.bar import Bar
from memtui.tui.widgets.painted import ACTION_META


class KeyBar(Bar):
    """Keys with a word each; those that cannot be used now are dim, those that do not fit are left out."""

    situation: reactive[Situation] = reactive(Situation())
    place: reactive[str] = reactive("")
    note: reactive[str] = reactive("")

    def __init__(self, place: str, *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(id=id)
        self.set_reactive(KeyBar.place, place)

    def line(self, cells: int) -> Line:
        """``/ filter  enter open …``, aligned to the right edge."""
        shown: list[Part] = []
        used = 0
        voice = voice_of(self.app)
        for action in map(voice.action, hints_for(self.place)):
            blocked = action.blocked(self.situation) is not None
            if blocked and action.quiet:
                continue
            key = keys_text(action, first_only=True)
            parts: Line = (
                (f" {key}", "off" if blocked else f"key={action.id}"),
                (f" {action.hint} ", "off" if blocked else f"dim={action.id}"),
            )
            size = width(parts)
            if used + size > cells:
                break
            shown.extend(parts)
            used += size
        if self.note and used + cell_len(self.note) < cells:
            shown.append((f" {self.note}", "dim"))
            used += 1 + cell_len(self.note)
        return (*shown, (" " * max(0, cells - used), ""))

    def on_click(self, event: events.Click) -> None:
        """Do what was clicked."""
        action_id = event.style.meta.get(ACTION_META)
        if action_id:
            event.stop()
            self.post_message(ActionWanted(str(action_id)))
