"""How the team screen looks: small and large, dark and light, ASCII, Chinese, out of reach, and before anything is shared."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.config import Config
from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.given import teaming
from memtui.tui.launch import make_app
from memtui.tui.screens.team import TeamScreen

from .conftest import app_of, screen_text, until
from .making import NOW
from .sharing import Shared, busy
from .test_snapshots import LARGE, SMALL, Compare, loaded


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """Two people who share; the screen only looks, so that one of it is enough."""
    root = tmp_path_factory.mktemp("team")
    memory = root / "astro-lab" / "memory"
    memory.mkdir(parents=True)
    return busy(root, memory)


def app_on(
    shared: Shared,
    *,
    theme: str = "textual-dark",
    ascii_mode: bool = False,
    lang: Lang = "en",
    away: bool = False,
) -> MemtuiApp:
    """The app, seen from where the directory's path is short and always the same."""
    ada = shared.ada
    os.chdir(ada.memory.parents[1])
    config = Config(team_poll_seconds=86_400)
    nowhere = "sh -c 'echo ssh: Could not resolve hostname git.example.org >&2; exit 255'"
    environ = {**ada.environ, "GIT_SSH_COMMAND": nowhere} if away else ada.environ
    app = make_app(
        Path("astro-lab/memory"),
        clock=lambda: NOW,
        ascii_mode=ascii_mode,
        lang=lang,
        config=config,
        joined=True,
        sharing=teaming(environ=environ, config=config, state=lambda: ada.state, read_only=False),
    )
    app.theme = theme
    return app


def after(*keys: str, shared: bool = True) -> Callable[[Pilot[None]], object]:
    """Open the team screen once the first sync is over, and press keys, each when all is read."""

    async def at_rest(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: all(w.is_finished or w.group == "watch" for w in pilot.app.workers))
        await until(pilot, lambda: not {"Reading…", "正在读取…"} & set(screen_text(pilot).split()))

    async def run(pilot: Pilot[None]) -> None:
        await loaded(pilot)
        app = app_of(pilot)
        if shared:
            await until(pilot, lambda: app.team is not None and app.team._synced and not app.team.syncing)
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, TeamScreen))
        await at_rest(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.1)
            await at_rest(pilot)
        await pilot.wait_for_scheduled_animations()

    return run


@pytest.fixture(autouse=True)
def _stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back from where the app is looked at."""
    monkeypatch.chdir(Path.cwd())


def test_team_arrived_80x24(snap_compare: Compare, shared: Shared) -> None:
    assert snap_compare(app_on(shared), terminal_size=SMALL, run_before=after("j"))


def test_team_clash_light_160x48(snap_compare: Compare, shared: Shared) -> None:
    assert snap_compare(app_on(shared, theme="textual-light"), terminal_size=LARGE, run_before=after("2"))


def test_team_held_ascii_100x30(snap_compare: Compare, shared: Shared) -> None:
    assert snap_compare(
        app_on(shared, ascii_mode=True), terminal_size=(100, 30), run_before=after("3", "j", "j")
    )


def test_team_log_zh_100x30(snap_compare: Compare, shared: Shared) -> None:
    assert snap_compare(
        app_on(shared, lang="zh"), terminal_size=(100, 30), run_before=after("4", "j", "j", "j")
    )


def test_team_three_texts_120x30(snap_compare: Compare, shared: Shared) -> None:
    assert snap_compare(app_on(shared), terminal_size=(120, 30), run_before=after("2", "enter"))


def test_team_out_of_reach_80x24(snap_compare: Compare, shared: Shared) -> None:
    assert snap_compare(app_on(shared, away=True), terminal_size=SMALL, run_before=after("A"))


@pytest.mark.parametrize("keys", [(), ("i",)], ids=["not_shared", "joining"])
def test_team_not_shared_80x24(
    snap_compare: Compare, memory: Path, tmp_path: Path, shared: Shared, keys: tuple[str, ...]
) -> None:
    del shared
    os.chdir(tmp_path)
    config = Config()
    state = tmp_path / "state"
    app = make_app(
        memory.relative_to(tmp_path),
        clock=lambda: NOW,
        sharing=teaming(
            environ={"PATH": os.environ["PATH"]}, config=config, state=lambda: state, read_only=False
        ),
    )
    assert snap_compare(app, terminal_size=SMALL, run_before=after(*keys, shared=False))
