"""How the actions of the registry are spoken of: in the person's language, and with the keys they have set."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from textual.app import App

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences
from memtui.tui.actions.base import Action, Situation
from memtui.tui.actions.registry import BY_ID, keys_text

WordsT = TypeVar("WordsT", bound=Sentences)
"""Sentences with names."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Language and keys of a person.

    Attributes:
        lang: the language that titles, hints, help and reasons are in.
        keymap: by action, the keys it has instead of its own, comma between alternatives.
    """

    lang: Lang = "en"
    keymap: Mapping[str, str] = field(default_factory=dict)
    _spoken: dict[str, Action] = field(default_factory=dict, compare=False, repr=False)

    def action(self, action: Action) -> Action:
        """The action with the words and keys to show."""
        if self.lang == "en" and not self.keymap:
            return action
        spoken = self._spoken.get(action.id)
        if spoken is None:
            spoken = action._replace(keys=self.keymap.get(action.id, action.keys))
            if self.lang == "zh":
                # Loaded by those who read it only.
                from memtui.tui.wording.actions_zh import GROUPS, ROWS  # noqa: PLC0415

                title, hint, text = ROWS.get(action.id, (action.title, action.hint, action.help))
                group = GROUPS.get(action.group, action.group)
                spoken = spoken._replace(title=title, hint=hint, help=text, group=group)
            self._spoken[action.id] = spoken
        return spoken

    def with_keys(self, words: WordsT, named: Mapping[str, Sequence[str]]) -> WordsT:
        """Sentences with the person's keys in them.

        Args:
            words: sentences that name the registry's own keys.
            named: by sentence, the actions whose keys stand in it.
        """
        if not self.keymap:
            return words
        changed = {name: self.naming(getattr(words, name), actions) for name, actions in named.items()}
        return words.replaced(**changed)

    def naming(self, text: str, actions: Sequence[str]) -> str:
        """A sentence with the person's keys in it.

        Args:
            text: a sentence that names the registry's own keys.
            actions: whose they are.
        """
        mine: list[str] = []
        for action_id in actions:
            if action_id in self.keymap:
                own, others = (keys_text(action, first_only=True) for action in self._both(action_id))
                # Put in when all are found: one's new key may be another's old one.
                place = rf"(?<![\w+\0]){re.escape(own)}(?![\w+\0])"
                text = re.sub(place, f"\0{len(mine)}\0", text, count=1)
                mine.append(others)
        template = "{" in text
        for number, key in enumerate(mine):
            # A brace that is a key must not open a place of the template it stands in.
            shown = key.replace("{", "{{").replace("}", "}}") if template else key
            text = text.replace(f"\0{number}\0", shown)
        return text

    def button(self, label: str, action_id: str) -> str:
        """What stands on a button: what it does, and its key."""
        return f"{label}  {keys_text(self.action(BY_ID[action_id]), first_only=True)}"

    def _both(self, action_id: str) -> tuple[Action, Action]:
        return BY_ID[action_id], self.action(BY_ID[action_id])

    def blocked(self, action: Action, situation: Situation) -> str | None:
        """Why the action cannot be done now; None if it can."""
        reason = action.blocked(situation)
        if reason is None or self.lang == "en":
            return reason
        from memtui.tui.wording.actions_zh import REASONS  # noqa: PLC0415 – as above

        return REASONS.get(reason, reason)


PLAIN = Voice()
"""English, and the registry's own keys."""


def voice_of(app: App[Any]) -> Voice:
    """The voice of an app, by its attribute ``voice``; the plain one where it has none of its own."""
    voice = getattr(app, "voice", None)  # asked at every key, and a protocol is slow to answer
    return voice if isinstance(voice, Voice) else PLAIN
