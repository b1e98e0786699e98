"""Where auto memory is off, the app says so: first, in the top line, and where the index is shown (spec §15)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.claude.paths import store_folder
from memtui.claude.stores import Store
from memtui.config import NOTHING_SET
from memtui.launching import Launch
from memtui.memory.types import Lang
from memtui.tui.launch import following, make_app
from memtui.tui.screens.preview import PreviewScreen
from tests.unit.cli_support import Cli

from .conftest import notices, screen_text, until
from .making import NOW

RULE = "auto memory is off: autoMemoryEnabled: false in /home/u/.claude/set\x1b[31mtings.json"
SEEN = RULE.replace("\x1b", "␛")


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    world = Cli(tmp_path, now=NOW)
    world.memory_file("one")
    world.memory_file("two")
    world.write("MEMORY.md", "- [One](one.md) — about it\n- [Two](two.md) — about it\n")
    return world


@pytest.mark.parametrize(
    ("lang", "top", "first", "reason", "nothing"),
    [
        (
            "en",
            " · not loaded",
            "Not loaded: auto memory",
            "nothing is loaded",
            "0 of 2",
        ),
        ("zh", " · 不加载", "不加载：auto memory", "什么都不加载", "2 条中 0 条在内"),
    ],
)
async def test_the_app_says_that_nothing_is_loaded(
    cli: Cli, lang: Lang, top: str, first: str, reason: str, nothing: str
) -> None:
    app = make_app(
        cli.memory, clock=lambda: cli.now, lang=lang, convention="claude", off=RULE, greeting=f"off ({RULE})"
    )
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)
        assert [notice.replace("\n", " ") for notice in notices(pilot)] == [f": off ({SEEN})"]
        assert top in screen_text(pilot).splitlines()[0]
        await pilot.press("P", "2")
        await pilot.pause()
        shown = screen_text(pilot)
        assert first in shown
        assert SEEN.rpartition("/")[2] in shown
        assert nothing in shown.splitlines()[0]
        assert shown.count(reason) == 2
        screen = app.screen
        assert isinstance(screen, PreviewScreen)
        assert screen.preview.text == "- [One](one.md) — about it\n- [Two](two.md) — about it"


async def test_the_reminder_is_memtuis_own_and_is_not_switched_off(cli: Cli) -> None:
    app = make_app(cli.memory, clock=lambda: cli.now, convention="claude", off=RULE)
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)
        await pilot.press("P")
        await pilot.pause()
        assert "2 of 2" in screen_text(pilot).splitlines()[0]
        assert "Not loaded" not in screen_text(pilot)


async def test_without_a_reason_nothing_is_said(cli: Cli) -> None:
    app = make_app(cli.memory, clock=lambda: cli.now, convention="claude")
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)
        assert notices(pilot) == []
        assert "not loaded" not in screen_text(pilot)


def test_of_a_store_opened_later_it_is_known_too_whether_the_client_loads_it(
    cli: Cli, tmp_path: Path
) -> None:
    """The switch stands in a project's settings, so each store has its own."""
    quiet = tmp_path / "quiet"
    (quiet / ".git").mkdir(parents=True)
    (quiet / ".claude").mkdir()
    (quiet / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": false}')
    store = store_folder(cli.home / ".claude" / "projects", quiet) / "memory"
    store.mkdir(parents=True)
    cli()
    (launched,) = cli.launched
    off_of = launched["off_of"]
    assert (launched["off"], off_of(cli.memory, cli.project)) == ("", "")
    assert off_of(store, quiet).startswith("auto memory is off (autoMemoryEnabled: false in ")
    assert off_of(store, None) == ""
    asked = Launch(memory_dir=cli.memory, environ={}, off_of=off_of, read_only=False)
    there = following(asked, Store(store, "project", store.parent.name, quiet), lambda _: NOTHING_SET)
    assert (there.memory_dir, there.project_root) == (store, quiet)
    assert there.off == there.greeting == off_of(store, quiet)
    foreign = Store(store, "project", store.parent.name, quiet, read_only="format")
    there = following(asked, foreign, lambda _: NOTHING_SET)
    assert there.read_only
    assert there.greeting != there.off != ""
