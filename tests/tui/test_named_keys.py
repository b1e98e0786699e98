"""A sentence that names a key names the person's own (design §3: one registry feeds them all)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from memtui.config import Config
from memtui.tui.actions import BY_ID, keys_text
from memtui.tui.voice import Voice
from memtui.tui.wording import activity, bulk, edit, history

from .conftest import Write, running, screen_text, until

CATALOGUES: tuple[tuple[Any, Any, Mapping[str, tuple[str, ...]]], ...] = tuple(
    (module.EN, module.ZH, module.NAMED_KEYS) for module in (activity, bulk, edit, history)
)


@pytest.mark.parametrize(("english", "chinese", "named"), CATALOGUES)
def test_the_key_of_each_action_stands_in_its_sentence_and_gives_way_to_the_persons(
    english: Any, chinese: Any, named: Mapping[str, tuple[str, ...]]
) -> None:
    for words in (english, chinese):
        for field, actions in named.items():
            for action_id in actions:
                own = keys_text(BY_ID[action_id], first_only=True)
                said = getattr(Voice("en", {action_id: "f8"}).with_keys(words, named), field)
                assert "f8" in said, (field, own)
                assert said.replace("f8", own, 1) == getattr(words, field)
        assert Voice().with_keys(words, named) is words
        other = Voice("en", {"quit": "f7"}).with_keys(words, named)
        assert other == words


async def test_the_activity_names_the_key_that_undo_has(write: Write) -> None:
    folder = write("a", content="A text that is long enough to say something.").parent
    async with running(folder, config=Config(keys={"undo": ("f8",)})) as pilot:
        await pilot.press("d", "y")
        await until(pilot, lambda: "Forgotten" in screen_text(pilot))
        await pilot.press("a")
        await until(pilot, lambda: "f8 undoes it" in screen_text(pilot))
