"""The command palette's entries: actions from the registry, what can be done now and why the rest cannot, and themes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.types import IgnoreReturnCallbackType

from memtui.tui.actions.registry import BY_ID, MOVE, actions_for, keys_text
from memtui.tui.messages import ThemeKept
from memtui.tui.screens.base import ActionScreen
from memtui.tui.themes import theme_names
from memtui.tui.voice import voice_of
from memtui.tui.wording.palette import ALSO, DARK, LIGHT, THEME
from memtui.tui.wording.whole import words

_BY_WORDS = 0.05
"""Score of what is found by other words than its title: below every title that matches (ours)."""


@dataclass(frozen=True, slots=True)
class _Offer:
    title: str
    note: str
    run: IgnoreReturnCallbackType
    also: str
    listed: bool


class ActionProvider(Provider):
    """Offers the actions of the screen underneath, and the themes."""

    def _offers(self) -> Iterator[_Offer]:
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
            own = BY_ID[action.id]
            also = " ".join((action.help, own.title, own.help, *ALSO.get(action.id, ())))
            run = partial(screen.perform, action.id)
            yield _Offer(action.title, note, run, also, own.group != MOVE)
        title = words(voice.lang).theme
        for name in theme_names(self.app):
            theme = self.app.available_themes[name]
            run_theme = partial(self.app.post_message, ThemeKept(name))
            also = " ".join((*THEME, *(DARK if theme.dark else LIGHT)))
            shade = (DARK if theme.dark else LIGHT)[0 if voice.lang == "en" else _ZH_SHADE[theme.dark]]
            yield _Offer(f"{title}: {name}", shade, run_theme, also, listed=False)

    async def discover(self) -> Hits:
        """Everything but moving and single themes, in the registry's order."""
        for offer in self._offers():
            if offer.listed:
                yield DiscoveryHit(Content(offer.title), offer.run, offer.title, offer.note)

    async def search(self, query: str) -> Hits:
        """What matches, best first: by its title, else by the words it is also known by."""
        matcher = self.matcher(query)
        for offer in self._offers():
            score = matcher.match(offer.title)
            if score > 0:
                yield Hit(score, matcher.highlight(offer.title), offer.run, offer.title, offer.note)
            elif _means(query, offer.also):
                yield Hit(_BY_WORDS, Content(offer.title), offer.run, offer.title, offer.note)


_ZH_SHADE = {True: DARK.index("深色"), False: LIGHT.index("浅色")}


def _means(query: str, also: str) -> bool:
    """Whether each word of a query begins a word of ``also``; in a script without spaces, stands in it."""
    known = also.casefold()
    return all(_stands(word, known) for word in _words_of(query))


def _words_of(query: str) -> Iterable[str]:
    return query.casefold().split()


def _stands(word: str, known: str) -> bool:
    return f" {word}" in f" {known}" if word.isascii() else word in known
