"""Keys typed faster than the app works reach what they were meant for.

Textual passes every key on to the widget that has the focus when the key is taken from the terminal, not when the key
before it has been worked off. While the app is busy, a filter typed at once with the key that opens it would reach the
list instead, as commands; so a key waits until what came before it has done its work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

from textual.app import App
from textual.events import Key, Paste
from textual.message_pump import MessagePump

ROUNDS = 2
"""How often one walks from the focus up to the app: behind the key, and behind the messages that it made (ours)."""

LOST_AFTER = 1.0
"""Seconds without a step after which a walk counts as lost and begins anew (ours). One that is slow, because the machine is
busy, goes on: begun anew every second it would never end."""


def keys_held(app: App[Any]) -> bool:
    """Whether a key waits for the one before it; no in an app that holds none back."""
    ahead = typed_ahead(app)
    return ahead is not None and ahead.holds


def typed_ahead(app: App[Any]) -> TypeAhead | None:
    """What holds an app's keys back; None in an app that holds none back."""
    # Asked at every key: whether a class fits a protocol takes Python 3.11 a tenth of a millisecond to say.
    ahead = getattr(app, "ahead", None)
    return ahead if isinstance(ahead, TypeAhead) else None


class TypeAhead:
    """Holds keys back while an earlier one is still on its way.

    Args:
        app: whose keys.
        send: passes a key on to what has the focus now.
    """

    def __init__(self, app: App[Any], send: Callable[[Key | Paste], Awaitable[None]]) -> None:
        self._app = app
        self._send = send
        self._held: deque[Key | Paste] = deque()
        self.typed_at = float("-inf")
        """When the key now being worked off was typed, in seconds of the monotonic clock."""
        self._walk = 0  # number of the walk under way; 0 for none
        self._walks = 0
        self._steps = 0

    @property
    def holds(self) -> bool:
        """Whether a key waits."""
        return bool(self._held)

    async def take(self, event: Key | Paste) -> None:
        """Pass a key on, at once where nothing is under way."""
        if self._held or self._walk or not self._is_quiet():
            self._held.append(event)
            if not self._walk:
                self._set_out()
        else:
            await self._pass_on(event)

    async def _pass_on(self, event: Key | Paste) -> None:
        self.typed_at = event.time
        await self._send(event)

    def _chain(self) -> list[MessagePump]:
        """What a key goes through, from the focus to the screen."""
        app = self._app
        return [node for node in (app.focused or app.screen).ancestors_with_self if node is not app]

    def _is_quiet(self) -> bool:
        return all(node.is_running and not node.message_queue_size for node in self._chain())

    def _set_out(self) -> None:
        """Go the way of the key before, behind it, and pass the next one on at the end."""
        self._walks += 1
        self._walk = self._walks
        self._watch(self._walk)
        self._step(self._way(), self._walk)

    def _watch(self, walk: int) -> None:
        self._app.set_timer(LOST_AFTER, partial(self._look_after, walk, self._steps))

    def _look_after(self, walk: int, steps: int) -> None:
        """Set out again where what was under way was taken down with what it stood in."""
        if walk != self._walk:
            return
        if steps == self._steps:
            self._set_out()
        else:
            self._watch(walk)

    def _way(self) -> Iterator[MessagePump]:
        """Each pump in turn: what was put into its queue before is worked off when its turn comes."""
        app = self._app
        screen = app.screen
        for _ in range(ROUNDS):
            yield from self._chain()
            yield app
        if (
            app.screen is not screen
        ):  # one was opened or closed: the other one takes the focus when it is there
            yield from self._chain()
            yield app
        yield app  # Textual moves the focus in a call of its own

    def _step(self, way: Iterator[MessagePump], walk: int) -> None:
        if walk != self._walk:
            return
        self._steps += 1
        for pump in way:
            if pump.call_later(self._step, way, walk):
                return  # else it is being taken down, and holds nothing back
        self._app.call_later(self._go_on, walk)

    async def _go_on(self, walk: int) -> None:
        if walk != self._walk:
            return
        self._walk = 0
        if self._held:
            await self._pass_on(self._held.popleft())
        if self._held:
            self._set_out()
