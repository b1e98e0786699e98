"""The preview's question: who goes with it and why, offline at every key, and by a model on demand, against a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from string import Formatter

import anthropic  # noqa: F401  -- loading it is part of the first deadline; here that is not what is measured
import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.agent.llm import AnthropicModel
from memtui.memory.reminder import build_reminder
from memtui.memory.types import Lang
from memtui.tui.launch import make_app
from memtui.tui.screens.preview import PreviewScreen
from memtui.tui.wording import selection as wording
from tests import messages_server as ways
from tests.messages_server import MessagesServer

from .conftest import Write, notices, screen_text, until
from .making import NOW


@pytest.fixture
def store(memory: Path, write: Write) -> Path:
    write("deploys", name="Deploys", description="when", content="Deploys happen on Tuesdays.", days=12)
    write("freeze", name="Freeze", description="weeks", content="No deploys in December.", days=3)
    for number in range(5):
        write(f"other-{number}", name=f"Other {number}", content=f"Something else {number}.", days=number)
    return memory


def preview(pilot: Pilot[None]) -> PreviewScreen:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, PreviewScreen))


@asynccontextmanager
async def asking(
    store: Path, server: MessagesServer | None = None, *, lang: Lang = "en"
) -> AsyncIterator[Pilot[None]]:
    model = AnthropicModel(server.access(), pause=0.001) if server else None
    app = make_app(store, clock=lambda: NOW, lang=lang, model=lambda: model)
    async with app.run_test(size=(160, 48), notifications=True) as pilot:
        await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)
        await pilot.press("P")
        await pilot.pause()
        yield pilot
    if app.faults:
        raise app.faults[0]


async def ask(pilot: Pilot[None], question: str) -> None:
    """Type a question, and wait until it is known who goes with it."""
    await pilot.press("slash")
    await until(pilot, lambda: preview(pilot).query_one("#query").has_focus)
    preview(pilot).query_one("#query", Input).value = question
    await until(
        pilot,
        lambda: (found := preview(pilot).choices) is not None and found.offline.context.query == question,
    )
    await pilot.press("enter")
    await pilot.pause()


def chosen(pilot: Pilot[None]) -> list[str]:
    return [entry.slug for entry in preview(pilot).preview.chosen.entries]


async def test_a_question_decides_on_the_reminder_and_everyone_has_a_reason(store: Path) -> None:
    async with asking(store) as pilot:
        assert chosen(pilot) == ["other-0", "other-1", "other-2", "freeze", "other-3"]
        await ask(pilot, "when do deploys happen")
        assert chosen(pilot) == ["freeze", "deploys"]
        choices = preview(pilot).choices
        assert choices is not None
        expected = build_reminder(choices.offline.entries, now=NOW, lang="en")
        assert preview(pilot).preview.text == expected
        seen = screen_text(pilot)
        assert "Who goes with the question, and why" in seen
        assert "2 of 7 memories · chosen by what they say" in seen
        assert "in: relevance" in seen
        assert "“deploys” in" in seen
        assert "out: says nothing of it" in seen


async def test_another_number_of_entries_chooses_again(store: Path) -> None:
    async with asking(store) as pilot:
        await ask(pilot, "deploys in december")
        for _ in range(4):
            await pilot.press("minus")
        await until(
            pilot, lambda: (c := preview(pilot).choices) is not None and c.offline.context.max_entries == 1
        )
        assert chosen(pilot) == ["freeze"]


async def test_a_change_on_disk_is_chosen_from_at_once(store: Path, write: Write) -> None:
    async with asking(store) as pilot:
        await ask(pilot, "walrus")
        assert chosen(pilot) == []
        assert "no memory is about that; none of 7 is chosen" in screen_text(pilot)
        write("walrus", content="The walrus sleeps.")
        await until(pilot, lambda: chosen(pilot) == ["walrus"])


async def test_no_question_is_the_reminder_as_before(store: Path) -> None:
    async with asking(store) as pilot:
        before = preview(pilot).preview.text
        await ask(pilot, "deploys")
        assert preview(pilot).preview.text != before
        await pilot.press("slash")
        await until(pilot, lambda: preview(pilot).query_one("#query").has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: preview(pilot).preview.text == before)
        assert preview(pilot).choices is None
        assert not preview(pilot).has_class("-query")
        await pilot.press("escape")
        assert not any(isinstance(screen, PreviewScreen) for screen in pilot.app.screen_stack)


async def test_a_question_has_no_say_in_the_index(store: Path) -> None:
    async with asking(store) as pilot:
        await pilot.press("2", "slash")
        await pilot.pause()
        assert ": A question decides on the reminder only, not on the index." in notices(pilot)
        await pilot.press("1")
        await ask(pilot, "deploys")
        await pilot.press("2")
        await pilot.pause()
        assert "Who goes with the question" not in screen_text(pilot)


async def test_the_models_choice_stands_beside_the_offline_one_with_what_it_cost(store: Path) -> None:
    with MessagesServer() as server:
        server.say('["other-4", "deploys"]', tokens=(987, 6))
        async with asking(store, server) as pilot:
            await ask(pilot, "when do deploys happen")
            assert server.asked == []
            await pilot.press("m")
            await until(pilot, lambda: (c := preview(pilot).choices) is not None and c.by_model is not None)
            assert chosen(pilot) == ["other-4", "deploys"]
            seen = screen_text(pilot)
            assert "Offline beside the model (claude-sonnet-5-5)" in seen
            assert "2 of 7 memories · chosen by the model · 987 + 6 tokens" in seen
            assert "offline ✗  model ✓  in: chosen by the model" in seen
            assert "offline ✓  model ✓  in: chosen by the model" in seen
            assert "offline ✓  model ✗  out: not chosen by the model" in seen
            assert len(server.asked) == 1
            await ask(pilot, "another question")
            choices = preview(pilot).choices
            assert choices is not None
            assert choices.by_model is None


@pytest.mark.parametrize("key", ["escape", "m"])
async def test_asking_is_called_off(store: Path, key: str) -> None:
    with MessagesServer() as server:
        server.play(ways.hang())
        async with asking(store, server) as pilot:
            await ask(pilot, "when do deploys happen")
            await pilot.press("m")
            await until(pilot, lambda: len(server.asked) == 1)
            assert preview(pilot).asking
            assert "claude-sonnet-5-5 is asked at 127.0.0.1:" in screen_text(pilot)
            await pilot.press(key)
            await pilot.pause()
            assert not preview(pilot).asking
            assert chosen(pilot) == ["freeze", "deploys"]
            server.wait_done()
            choices = preview(pilot).choices
            assert choices is not None
            assert choices.asked is None


async def test_leaving_the_screen_ends_the_question(store: Path) -> None:
    with MessagesServer() as server:
        server.play(ways.hang())
        async with asking(store, server) as pilot:
            await ask(pilot, "when do deploys happen")
            await pilot.press("m")
            await until(pilot, lambda: len(server.asked) == 1)
            preview(pilot).dismiss(None)
            await pilot.pause()
            server.wait_done()


async def test_a_model_that_fails_leaves_the_offline_choice_and_says_so_once(store: Path) -> None:
    with MessagesServer() as server:
        server.play(ways.status(400, "invalid_request_error", "no\x1b[2J"))
        async with asking(store, server) as pilot:
            await ask(pilot, "when do deploys happen")
            await pilot.press("m")
            await until(pilot, lambda: not preview(pilot).asking)
            assert chosen(pilot) == ["freeze", "deploys"]
            [notice] = notices(pilot)
            assert notice.startswith(": The model did not choose (")
            assert "\x1b" not in notice


async def test_without_a_model_or_a_question_it_is_said_why_not(store: Path) -> None:
    async with asking(store) as pilot:
        await pilot.press("m")
        await pilot.pause()
        assert any("no model is set up: set ANTHROPIC_API_KEY" in notice for notice in notices(pilot))
    with MessagesServer() as server:
        async with asking(store, server) as pilot:
            await pilot.press("m")
            await pilot.pause()
            assert any("no question was typed" in notice for notice in notices(pilot))
        assert server.asked == []


async def test_a_budget_leaves_out_what_was_chosen_last(store: Path) -> None:
    async with asking(store) as pilot:
        await ask(pilot, "when do deploys happen")
        await pilot.press("b")
        await pilot.pause()
        assert "out: chosen, but the budget is full" in screen_text(pilot)


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("field", wording.QueryWords.names())
def test_both_languages_say_it_with_the_same_parts(field: str) -> None:
    en, zh = getattr(wording.EN, field), getattr(wording.ZH, field)
    assert placeholders(en) == placeholders(zh)
    assert en != zh
