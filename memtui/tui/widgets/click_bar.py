"""A one-line bar of which parts can be clicked, each for an action."""

from __future__ import annotations

from textual import events

from memtui.tui.messages import ActionWanted
from memtui.tui.widgets.bar import Bar
from memtui.tui.widgets.painted import ACTION_META


class ClickBar(Bar):
    """A part whose role names an action (``key=more``) asks for it when clicked."""

    def on_click(self, event: events.Click) -> None:
        """Do what was clicked."""
        action_id = event.style.meta.get(ACTION_META)
        if action_id:
            event.stop()
            self.post_message(ActionWanted(str(action_id)))
