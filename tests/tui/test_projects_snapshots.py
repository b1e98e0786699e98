"""How the projects look: small and large, dark and light, ASCII, Chinese, a search, a transfer, and an old store offered."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.launch import make_app
from memtui.tui.machine import Machine
from tests.unit import machine as stores
from tests.unit import secret_makers

from .making import NOW
from .test_checks_preview_snapshots import after
from .test_snapshots import LARGE, SMALL, Compare

MEDIUM = (120, 30)


class Home(stores.Machine):
    """Stores whose paths look the same wherever the test runs."""

    def at(self, name: str, memories: dict[str, str], *, days: float, gone: bool = False) -> Path:
        """The store of a project, with a session."""
        project = self.home / name
        if not gone:
            (project / ".git").mkdir(parents=True)
        slug = f"-home-ada-{name.replace('/', '-')}"
        directory = self.projects / slug / "memory"
        self.fill(directory, memories, days=days, now=NOW)
        self.session(project, slug=slug)
        return directory


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.at(
        "astro-lab",
        {"style": "Four spaces, see [[checks]].", "checks": "Run all the checks before a commit."},
        days=1,
    )
    (token, *_) = secret_makers.made(random.Random(1), "github-token")
    shop = made.at("webshop", {f"note-{n}": f"The till is opened at {n}." for n in range(12)}, days=300)
    made.fill(
        shop, {"style": "Tabs are what the shop uses, 商店.", "till-key": f"It is {token}."}, days=3, now=NOW
    )
    with (shop / "MEMORY.md").open("a") as index:
        index.writelines(f"line {n}\n" for n in range(200))
    made.at("thesis", {"fact": "Chapter three is done."}, days=40, gone=True)
    made.fill(
        made.home / ".claude" / "agent-memory" / "reviewer", {"tone": "Reviews are short."}, days=9, now=NOW
    )
    made.fill(made.home / ".codex" / "memories", {"raw": "What another agent keeps."}, days=20, now=NOW)
    return made


def app_on(
    home: Home,
    name: str = "astro-lab",
    *,
    theme: str = "textual-dark",
    ascii_mode: bool = False,
    lang: Lang = "en",
) -> MemtuiApp:
    machine = Machine({}, home.home, lambda: NOW, home.home / name, lang=lang)
    app = make_app(
        home.projects / f"-home-ada-{name}" / "memory",
        clock=lambda: NOW,
        ascii_mode=ascii_mode,
        lang=lang,
        home=home.home,
        machine=machine,
    )
    app.theme = theme
    return app


Run = Callable[[Pilot[None]], object]


def test_projects_80x24(snap_compare: Compare, home: Home) -> None:
    assert snap_compare(app_on(home), terminal_size=SMALL, run_before=after("o"))


def test_projects_160x48(snap_compare: Compare, home: Home) -> None:
    assert snap_compare(app_on(home), terminal_size=LARGE, run_before=after("o", "j"))


def test_projects_light_120x30(snap_compare: Compare, home: Home) -> None:
    assert snap_compare(app_on(home, theme="textual-light"), terminal_size=MEDIUM, run_before=after("o", "j"))


def test_projects_ascii_120x30(snap_compare: Compare, home: Home) -> None:
    assert snap_compare(app_on(home, ascii_mode=True), terminal_size=MEDIUM, run_before=after("o", "j"))


def test_projects_chinese_120x30(snap_compare: Compare, home: Home) -> None:
    assert snap_compare(app_on(home, lang="zh"), terminal_size=MEDIUM, run_before=after("o", "j"))


def test_projects_search_120x30(snap_compare: Compare, home: Home) -> None:
    keys = ("o", "slash", *"tabs", "enter")
    assert snap_compare(app_on(home), terminal_size=MEDIUM, run_before=after(*keys))


def test_move_to_another_store_120x36(snap_compare: Compare, home: Home) -> None:
    keys = ("A", "greater_than_sign", "j", "j", "enter", "j")
    assert snap_compare(app_on(home), terminal_size=(120, 36), run_before=after(*keys))


def test_an_old_store_is_offered_120x30(snap_compare: Compare, home: Home) -> None:
    (home.home / "moved" / "thesis" / ".git").mkdir(parents=True)
    machine = Machine({}, home.home, lambda: NOW, home.home / "moved" / "thesis")
    app = make_app(
        home.projects / "-home-ada-moved-thesis" / "memory",
        clock=lambda: NOW,
        home=home.home,
        machine=machine,
    )
    assert snap_compare(app, terminal_size=MEDIUM, run_before=after("o"))
