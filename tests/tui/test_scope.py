"""Team memory in the app: whose a new memory is, what stands in its way, and moving between the scopes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.memory.managing.manager import MemoryManager
from memtui.memory.secrets.guard import secret_hash
from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.launch import make_app
from memtui.tui.present.scope import scope_blocks
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.screens.bulk import BulkScreen
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.typed import TypedScreen
from memtui.tui.widgets.editor import Editor
from memtui.tui.widgets.fields import ChoiceField, TextField
from tests.unit.secret_makers import TEMPLATES, drawn

from .conftest import Write, browse, notices, rows, running, screen_text, until
from .making import NOW
from .test_snapshots import SMALL, Compare, loaded

TOKEN = drawn(random.Random(31), TEMPLATES["gitlab-token"][0])


def texts(manager: MemoryManager, slug: str) -> list[str]:
    blocks = scope_blocks(manager.plan_scope([slug], "team"), "en")
    return ["".join(text for text, _ in block.line) for block in blocks]


def test_the_summary_says_all_that_a_move_would_do(memory: Path, write: Write) -> None:
    write("a", content=f"The token is {TOKEN}, see [[b]].")
    write("b", content="See [[a]].")
    manager = MemoryManager.open(memory, clock=lambda: NOW)
    said = texts(manager, "a")
    assert said[0].startswith("A secret stands in the way")
    assert "a → team/a" in said
    assert "a  [[b]]" in said
    assert TOKEN not in "".join(said)
    assert not manager.plan_scope(["a"], "team").edits
    assert "Links that follow, in  1" in texts(manager, "b")


async def test_a_secret_for_the_team_is_saved_only_by_whoever_types_the_file_name(
    memory: Path, write: Write
) -> None:
    write("a", content="Nothing odd.")
    async with running(memory, team=True) as pilot:
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        screen = pilot.app.screen
        assert isinstance(screen, EditScreen)
        screen.query_one("#name", TextField).value = "Deploys"
        screen.query_one("#description", TextField).value = "how we deploy"
        await pilot.press("down", "down", "p")
        screen.query_one("#scope", ChoiceField).focus()
        await pilot.press("right")
        screen.query_one(Editor).load_text(f"The deploy token is {TOKEN}.")
        await until(
            pilot,
            lambda: (
                screen.report is not None
                and screen.report.draft.slug == "team/deploys"
                and any(found.rule == "team-secret" for found in screen.report.findings)
            ),
        )
        assert screen.report is not None
        assert [found.rule for found in screen.report.blocking] == ["team-secret"]
        assert "a secret the team must not get" in screen_text(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, TypedScreen))
        await pilot.press(*"deploys", "enter")
        assert isinstance(pilot.app.screen, TypedScreen), "the whole name has to be typed"
        pilot.app.screen.query_one(TextField).value = "team/deploys"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BrowseScreen))
        await until(pilot, lambda: "team/deploys" in rows(pilot))
    assert TOKEN in (memory / "team/deploys.md").read_text()
    (row,) = MemoryManager.open(memory).audit.rows()
    assert (row.tool_name, row.slug) == ("share_secret", "team/deploys")
    assert secret_hash(TOKEN)[:12] in row.detail


async def test_a_memory_goes_to_the_team_by_a_key_and_back_by_undo(memory: Path, write: Write) -> None:
    write("a", content="Nothing odd.")
    async with running(memory) as pilot:
        await pilot.press("W")
        await until(pilot, lambda: any("TEAMMEM=1" in note for note in notices(pilot)))
    async with running(memory, team=True) as pilot:
        await pilot.press("W")
        await until(
            pilot, lambda: isinstance(pilot.app.screen, BulkScreen) and pilot.app.screen.plan is not None
        )
        assert "a → team/a" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: rows(pilot) == ["team/a"])
        await until(pilot, lambda: browse(pilot).situation.undo is not None)
        await pilot.press("z")
        await until(pilot, lambda: pilot.app.screen is not browse(pilot))
        await pilot.press("y")
        await until(pilot, lambda: rows(pilot) == ["a"])


def pictured(folder: Path, *, lang: Lang = "en", theme: str = "textual-dark") -> MemtuiApp:
    app = make_app(folder, clock=lambda: NOW, team=True, lang=lang)
    app.theme = theme
    return app


@pytest.fixture
def lab(tmp_path: Path, memory: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("deploys", name="Deploys", description="how we deploy", content="After the tests, see [[role]].")
    write("role", name="用户角色", description="天体物理学博士后", content="见 [[deploys]]。", days=3)
    (memory / "MEMORY.md").write_text("- [Deploys](deploys.md) — how we deploy\n", encoding="utf-8")
    return Path("astro-lab/memory")


def test_a_new_memory_of_the_team_80x24(lab: Path, snap_compare: Compare) -> None:
    async def run(pilot: Pilot[None]) -> None:
        await loaded(pilot)
        await pilot.press("n", *"Release", "down", "down", "p", "down", "right")
        screen = pilot.app.screen
        assert isinstance(screen, EditScreen)
        await until(
            pilot,
            lambda: (
                screen.report is not None and screen.report.draft.slug == "team/release" == screen.draft.slug
            ),
        )
        await pilot.wait_for_scheduled_animations()

    assert snap_compare(pictured(lab), run_before=run, terminal_size=SMALL)


def test_giving_a_memory_to_the_team_80x24_zh_light(lab: Path, snap_compare: Compare) -> None:
    async def run(pilot: Pilot[None]) -> None:
        await loaded(pilot)
        await pilot.press("W")
        await until(
            pilot, lambda: isinstance(pilot.app.screen, BulkScreen) and pilot.app.screen.plan is not None
        )
        await pilot.pause()

    app = pictured(lab, lang="zh", theme="textual-light")
    assert snap_compare(app, run_before=run, terminal_size=SMALL)
