"""A sentence that names a key names the person's own (design §3: one registry feeds them all)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from memtui.config import Config
from memtui.tui.actions.registry import BY_ID, keys_text
from memtui.tui.present import checks as present_checks
from memtui.tui.voice import Voice
from memtui.tui.wording import activity, browse, bulk, checks, edit, history, log, review

from .conftest import Write, running, screen_text, until

CATALOGUES: tuple[tuple[Any, Any, Mapping[str, tuple[str, ...]]], ...] = tuple(
    (module.EN, module.ZH, module.NAMED_KEYS)
    for module in (activity, browse, bulk, checks, edit, history, log, review)
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
        assert vars(other) == vars(words)


async def test_the_activity_names_the_key_that_undo_has(write: Write) -> None:
    folder = write("a", content="A text that is long enough to say something.").parent
    async with running(folder, config=Config(keys={"undo": ("f8",)})) as pilot:
        await pilot.press("d", "y")
        await until(pilot, lambda: "Forgotten" in screen_text(pilot))
        await pilot.press("a")
        await until(pilot, lambda: "f8 undoes it" in screen_text(pilot))


def test_a_brace_that_is_a_key_opens_no_place_of_a_template() -> None:
    voice = Voice("en", {"versions": "left_curly_bracket"})
    said = voice.with_keys(browse.EN, browse.NAMED_KEYS).comes_versions
    assert said.format(n=3) == "3 versions; { shows them"
    assert voice.naming("h shows them", ("versions",)) == "{ shows them"


def test_two_actions_that_swap_their_keys_swap_them_in_the_sentence() -> None:
    voice = Voice("en", {"still_true": "d", "forget": "v"})
    said = present_checks.spoken(voice, "en").hand["stale"]
    assert said == "In the list: d if it is still true, v to forget it."
    chinese = present_checks.spoken(voice, "zh").hand["stale"]
    assert chinese == "在列表中：仍然成立按 d，要忘记按 v。"


def test_every_remedy_that_names_a_key_of_the_list_names_the_persons() -> None:
    for words in (checks.EN, checks.ZH):
        for rule, actions in checks.NAMED_HAND.items():
            for action_id in actions:
                assert "f8" in Voice("en", {action_id: "f8"}).naming(words.hand[rule], actions), (
                    rule,
                    action_id,
                )
        for rule, text in words.hand.items():
            named = re.findall(r"(?<![\w+])(?:[a-z]|space)(?![\w+'])", text.replace(" a ", " "))
            assert len(named) == len(checks.NAMED_HAND.get(rule, ())), rule


async def test_a_fix_names_the_keys_that_its_answers_and_undo_have(write: Write) -> None:
    folder = write("a", content="A text that is long enough to say something.").parent
    (folder / "MEMORY.md").write_text("- [A](a.md) — a\n- [Gone](gone.md) — gone\n", encoding="utf-8")
    keys = {"undo": ("f8",), "yes": ("f2",), "no": ("f3",), "fix": ("f4",)}
    async with running(folder, config=Config(keys=keys)) as pilot:
        await pilot.press("c")
        await until(pilot, lambda: "f4 fixes it" in screen_text(pilot))
        await pilot.press("f4")
        await until(pilot, lambda: "f8 takes it back" in screen_text(pilot))
        text = screen_text(pilot)
        assert "Write it  f2" in text
        assert "Cancel  f3" in text
        await pilot.press("f2")
        await until(pilot, lambda: "gone.md" not in (folder / "MEMORY.md").read_text(encoding="utf-8"))
