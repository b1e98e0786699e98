"""The command palette's entries, from the action registry: what can be done now, and why the rest cannot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from memtui.tui.actions import BY_ID, MOVE, Action, actions_for, keys_text
from memtui.tui.screens.base import ActionScreen
from memtui.tui.voice import voice_of
from memtui.tui.wording.whole import words


class ActionProvider(Provider):
    """Offers the actions of the screen underneath."""

    def _actions(self) -> Iterator[tuple[Action, ActionScreen[object], str]]:
        if not isinstance(self.screen, ActionScreen):
            return
        screen = cast("ActionScreen[object]", self.screen)
        voice = voice_of(self.app)
        for action in map(voice.action, actions_for(screen.PLACE)):
            if action.id == "palette":
                continue
            reason = voice.blocked(action, screen.situation)
            not_now = words(voice.lang).not_now
            note = f"{keys_text(action)}  ·  {action.help}" if reason is None else f"{not_now}{reason}"
            yield action, screen, note

    async def discover(self) -> Hits:
        """Everything but moving, in the registry's order."""
        for action, screen, note in self._actions():
            if BY_ID[action.id].group == MOVE:
                continue
            yield DiscoveryHit(Content(action.title), partial(screen.perform, action.id), action.title, note)

    async def search(self, query: str) -> Hits:
        """What matches, best first."""
        matcher = self.matcher(query)
        for action, screen, note in self._actions():
            score = matcher.match(action.title)
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(action.title),
                    partial(screen.perform, action.id),
                    action.title,
                    note,
                )
