"""Projects: every store of the machine, a search through all, opening another, copying, moving and adopting (design §3)."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.claude.store_search import StoreHit
from memtui.claude.store_summary import Cancel, StoreSummary, summarise
from memtui.claude.stores import Store
from memtui.memory.types import Lang, MemoryEntry
from memtui.tui.launch import opening_notice
from memtui.tui.machine import Machine
from memtui.tui.present import projects as present_projects
from memtui.tui.present.lines import plain, spread, width
from memtui.tui.screens.bulk import BulkScreen
from memtui.tui.screens.confirm import ConfirmScreen
from memtui.tui.screens.pick import PickScreen
from memtui.tui.screens.projects import ProjectsScreen
from memtui.tui.widgets.row_list import RowList
from tests.crash.faults import tree
from tests.unit import machine as stores
from tests.unit import secret_makers
from tests.unit.machine import DAY

from .conftest import app_of, browse, cursor, notices, rows, running, screen_text, until
from .making import HOSTILE, NOW, make


class Home(stores.Machine):
    """Two projects: the one that is open, and a larger one with a secret and an index that is cut."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.lab, self.shop = self.project("astro-lab"), self.project("webshop")
        self.mine, self.theirs = self.store(self.lab), self.store(self.shop)
        texts = {"style": "Four spaces, see [[checks]].", "checks": "Run all the checks before a commit."}
        self.fill(self.mine, texts, days=1, now=NOW)
        (token, *_) = secret_makers.made(random.Random(1), "github-token")
        self.fill(
            self.theirs,
            {"style": "Tabs are what the shop uses.", "key": f"It is {token}."},
            days=300,
            now=NOW,
        )
        self.session(self.lab)
        self.session(self.shop)

    def machine(self, project: Path | None = None, *, lang: Lang = "en") -> Machine:
        """What the app is given."""
        return Machine({}, self.home, lambda: NOW, project or self.lab, lang=lang)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def projects(pilot: Pilot[None]) -> ProjectsScreen:
    return next(s for s in pilot.app.screen_stack if isinstance(s, ProjectsScreen))


async def opened(pilot: Pilot[None]) -> ProjectsScreen:
    """The screen with every store read."""
    await pilot.press("o")
    await until(pilot, lambda: isinstance(pilot.app.screen, ProjectsScreen))
    screen = projects(pilot)
    await until(pilot, lambda: all(w.is_finished or w.group == "watch" for w in pilot.app.workers))
    await pilot.pause()
    return screen


def names(pilot: Pilot[None]) -> list[str]:
    found = projects(pilot).query_one("#stores", RowList).rows
    return [item.store.slug.rpartition("-")[2] for item in found]


async def test_o_lists_every_store_with_its_figures_the_open_one_first(home: Home) -> None:
    async with running(home.mine, size=(160, 30), machine=home.machine()) as pilot:
        await opened(pilot)
        assert names(pilot) == ["lab", "webshop"]
        text = screen_text(pilot)
        assert "● ~/astro-lab" in text
        assert "2 stores" in text
        await pilot.press("j")
        await pilot.pause()
        text = screen_text(pilot)
        assert "100 % stale, not touched for 200 days" in text
        assert "1 value that looks like a secret" in text
        assert "2 memories" in text


async def test_summaries_stream_in_and_one_that_takes_long_keeps_nobody_waiting(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    real = Machine.summary

    def slow(self: Machine, store: Store, cancel: Cancel) -> StoreSummary:
        if store.path == home.theirs:
            go_on.wait(20)
        return real(self, store, cancel)

    monkeypatch.setattr(Machine, "summary", slow)
    async with running(home.mine, machine=home.machine()) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, ProjectsScreen))
        await until(pilot, lambda: "1 still to be read" in screen_text(pilot))
        assert "being read…" in screen_text(pilot)
        go_on.set()
        await until(pilot, lambda: "still to be read" not in screen_text(pilot))


async def test_leaving_ends_the_reading(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, ended = threading.Event(), threading.Event()

    def endless(_self: Machine, _store: Store, cancel: Cancel) -> StoreSummary:
        asked.set()
        while not cancel():
            ended.wait(0.01)
        ended.set()
        raise AssertionError  # its thread is nobody's by now

    monkeypatch.setattr(Machine, "summary", endless)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    async with running(home.mine, machine=home.machine()) as pilot:
        await pilot.press("o")
        await until(pilot, asked.is_set)
        await pilot.press("q")
        await until(pilot, ended.is_set)
        assert not isinstance(pilot.app.screen, ProjectsScreen)


async def test_enter_opens_the_store_under_the_cursor(home: Home) -> None:
    async with running(home.mine, machine=home.machine()) as pilot:
        await opened(pilot)
        await pilot.press("j", "enter")
        await until(pilot, lambda: app_of(pilot).next_store is not None)
        following = app_of(pilot).next_store
        assert following is not None
        assert (following.store.path, following.store.project, following.slug) == (home.theirs, home.shop, "")
    async with running(home.mine, machine=home.machine()) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ProjectsScreen))
        assert app_of(pilot).next_store is None


def test_a_store_that_is_not_ours_is_opened_read_only_and_says_why(home: Home) -> None:
    store = Store(home.theirs, "codex", "memories", read_only="format")
    assert opening_notice(store, "en").startswith("Opened read-only: another program keeps it")
    assert "只读" in opening_notice(store, "zh")
    assert opening_notice(replace(store, read_only=None), "en") == ""
    assert home.machine().manager(store).read_only
    assert not home.machine().manager(replace(store, read_only=None)).read_only


def test_a_new_memory_of_the_team_is_refused_in_another_store_as_it_would_be_there(home: Home) -> None:
    store = Store(home.theirs, "project", "memory")
    refused = home.machine().manager(store).planner.team_off()
    assert refused is not None
    assert refused.where == str(home.theirs)
    switched_on = replace(home.machine(), environ={"TEAMMEM": "1"})
    assert switched_on.manager(store).planner.team_off() is None


async def test_a_search_goes_through_all_stores_and_leads_to_the_memory(home: Home) -> None:
    async with running(home.mine, machine=home.machine()) as pilot:
        screen = await opened(pilot)
        await pilot.press("slash", *"tabs")
        await until(pilot, lambda: "1 found" in screen_text(pilot))
        assert "Tabs are what the shop uses." in screen_text(pilot)
        await pilot.press("enter", "enter")
        await until(pilot, lambda: app_of(pilot).next_store is not None)
        following = app_of(pilot).next_store
        assert following is not None
        assert (following.store.path, following.slug) == (home.theirs, "style")
        assert screen.situation.adoptable is False
    async with running(home.mine, machine=home.machine()) as pilot:
        await opened(pilot)
        await pilot.press("slash", *"commit", "enter")
        await until(pilot, lambda: "1 found" in screen_text(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ProjectsScreen))
        assert cursor(pilot) == "checks"
    async with running(home.mine, machine=home.machine()) as pilot:
        await opened(pilot)
        await pilot.press("slash", *"nowhere")
        await until(pilot, lambda: "No memory holds all of these words." in screen_text(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: names(pilot) == ["lab", "webshop"])
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ProjectsScreen))


async def test_a_machine_without_stores_says_where_it_looked(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    machine = Machine({}, tmp_path / "home", lambda: NOW)
    folder = tmp_path / "memory"
    folder.mkdir()
    async with running(folder, machine=machine) as pilot:
        assert "o shows every memory store on this machine" in screen_text(pilot)
        await opened(pilot)
        assert "No memory store was found on this machine." in screen_text(pilot)
        assert "Claude Code's projects and agents" in screen_text(pilot)


async def test_without_a_machine_the_keys_say_why_not(home: Home) -> None:
    async with running(home.mine) as pilot:
        await pilot.press("o")
        assert any("other stores are not looked for here" in note for note in notices(pilot))
        await pilot.press("greater_than_sign")
        assert len(notices(pilot)) == 2
        assert "memory store on this machine" not in screen_text(pilot)


async def chosen(pilot: Pilot[None]) -> None:
    """The plan for the store at the top of the choice, worked out."""
    await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, BulkScreen) and pilot.app.screen.plan is not None)


async def test_a_memory_is_moved_to_another_store_and_z_takes_both_sides_back(home: Home) -> None:
    before = tree(home.mine), tree(home.theirs)
    async with running(home.mine, machine=home.machine()) as pilot:
        await pilot.press("g")
        assert cursor(pilot) == "checks"
        await pilot.press("greater_than_sign")
        await chosen(pilot)
        await pilot.press("j")
        await until(pilot, lambda: "leaves here, into the trash" in screen_text(pilot))
        assert (tree(home.mine), tree(home.theirs)) == before
        await pilot.press("y")
        await until(pilot, lambda: rows(pilot) == ["style"])
        assert (home.theirs / "checks.md").exists()
        there = f"also changed: ~/{home.theirs.relative_to(home.home)}"
        assert any(there in note for note in notices(pilot))
        await pilot.press("z")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert "the other half of the move" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: set(rows(pilot)) == {"style", "checks"})
        assert not (home.theirs / "checks.md").exists()


async def test_a_copy_says_that_z_there_takes_it_back(home: Home) -> None:
    before = tree(home.mine)
    async with running(home.mine, machine=home.machine()) as pilot:
        await pilot.press("greater_than_sign")
        await chosen(pilot)
        assert "What is here stays as it is" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, (home.theirs / "checks.md").exists)
        await until(pilot, lambda: bool(notices(pilot)))
        assert any(
            "z there takes it back" in note and "z takes it back" not in note for note in notices(pilot)
        )
    assert tree(home.mine) == before


async def test_an_undo_behind_a_copy_asks_before_it_takes_back_something_else(home: Home) -> None:
    """A person who pressed z meant the copy, and lost what they had done before it."""
    async with running(home.mine, machine=home.machine()) as pilot:
        await pilot.press("v")
        await until(pilot, lambda: bool(notices(pilot)))
        confirmed = tree(home.mine)
        await pilot.press("greater_than_sign")
        await chosen(pilot)
        await pilot.press("y")
        await until(pilot, (home.theirs / "checks.md").exists)
        await until(pilot, lambda: any("z there" in note for note in notices(pilot)))
        await pilot.press("z")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert "The last change was made in" in screen_text(pilot)
        await pilot.press("n")
        await until(pilot, lambda: pilot.app.screen is browse(pilot))
        assert tree(home.mine) == confirmed


async def test_a_taken_name_has_to_be_decided_about(home: Home) -> None:
    async with running(home.mine, machine=home.machine()) as pilot:
        await pilot.press("A", "greater_than_sign")
        await chosen(pilot)
        assert "the name is taken there" in screen_text(pilot)
        await pilot.press("y")
        await pilot.pause()
        assert isinstance(pilot.app.screen, BulkScreen)
        await pilot.press(*"jjjj")
        await until(pilot, lambda: "style → style-2" in screen_text(pilot))
        await pilot.press("y")
        await until(pilot, (home.theirs / "style-2.md").exists)
        assert "[[checks]]" in (home.theirs / "style-2.md").read_text()


async def test_a_read_only_view_copies_and_does_not_move(home: Home) -> None:
    async with running(home.mine, read_only=True, machine=home.machine()) as pilot:
        await pilot.press("greater_than_sign")
        await chosen(pilot)
        assert "Move" not in screen_text(pilot)


async def test_an_empty_store_is_offered_its_old_one_and_takes_it_over(home: Home) -> None:
    old = home.home / "before" / "Nova"
    gone = home.store(old)
    home.fill(gone, {"fact": "What was learned before the move."}, now=NOW)
    home.session(old)
    new = home.project("nova")
    before = tree(gone)
    store = home.projects / "-new" / "memory"
    async with running(store, size=(120, 40), machine=home.machine(new)) as pilot:
        assert "a renamed project keeps its memories under its old name" in " ".join(
            screen_text(pilot).split()
        )
        await opened(pilot)
        await until(pilot, lambda: "This may be this project's old store" in screen_text(pilot))
        assert "the folder had the same name, nova" in screen_text(pilot)
        await pilot.press("a")
        await until(
            pilot, lambda: isinstance(pilot.app.screen, BulkScreen) and pilot.app.screen.plan is not None
        )
        assert "The old store stays as it is." in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: rows(pilot) == ["fact"])
        assert not isinstance(pilot.app.screen, ProjectsScreen)
    assert tree(gone) == before


async def test_the_open_store_is_not_adopted(home: Home) -> None:
    async with running(home.mine, machine=home.machine()) as pilot:
        await opened(pilot)
        await pilot.press("a")
        assert any("this is the store that is open" in note for note in notices(pilot))


@pytest.mark.parametrize("cells", [20, 31, 32, 61, 62, 89, 90, 140])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_row_fits_its_width_and_hostile_names_are_made_visible(home: Home, cells: int, lang: Lang) -> None:
    summary = home.machine().summary(
        Store(home.theirs, "project", "x", Path("/" + HOSTILE.replace("\x00", ""))), lambda: False
    )
    row = present_projects.StoreRow(summary.store, summary)
    line = present_projects.store_row(row, cells, cursor=True, now=NOW, home=home.home, lang=lang)
    assert width(line) <= cells
    assert "\x1b" not in plain(line)
    assert width(present_projects.head_line(cells, lang)) <= cells
    for block in present_projects.store_blocks(row, now=NOW, home=home.home, lang=lang):
        assert "\x1b" not in plain(block.line)


def test_the_heading_stands_above_its_figures(home: Home) -> None:
    summary = home.machine().summary(Store(home.theirs, "project", "x", home.shop), lambda: False)
    summary = replace(summary, last_change=NOW - 3 * DAY)
    for cells in (70, 120):
        row = present_projects.StoreRow(summary.store, summary)
        line = plain(present_projects.store_row(row, cells, cursor=False, now=NOW, home=home.home, lang="en"))
        head = plain(spread((), present_projects.head_line(cells, "en"), cells))
        assert line.index("3 days ago") == head.index("changed")
        assert line.index("100%") + 4 == head.index("stale") + 5
        assert line.index("1!") < head.index("secrets") + 7


@pytest.mark.parametrize("size", [(90, 50), (120, 50)], ids=["detail", "beside the list"])
async def test_detail_names_the_other_stores_that_hold_the_memory(home: Home, size: tuple[int, int]) -> None:
    home.fill(home.theirs, {"indent": "Four   spaces, see [[checks]]."}, now=NOW)
    async with running(home.mine, size=size, machine=home.machine()) as pilot:
        await until(pilot, lambda: len(rows(pilot)) == 2)
        await pilot.press(*("j" * rows(pilot).index("style")), "enter")
        await until(pilot, lambda: "Seen in 1 other store: ~/webshop" in screen_text(pilot))
        assert "“Copy or move to another store” takes it to more of them." in screen_text(pilot)
        await pilot.press("escape", "k" if rows(pilot).index("style") else "j")
        await until(pilot, lambda: "Seen in" not in screen_text(pilot))


async def test_a_look_through_the_other_stores_is_dropped_when_nobody_reads_any_more(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, dropped = threading.Event(), threading.Event()

    def waits(_: Machine, _entry: MemoryEntry, cancel: Cancel) -> str:
        asked.set()
        while not cancel():
            threading.Event().wait(0.005)
        dropped.set()
        return ""

    monkeypatch.setattr(Machine, "seen", waits)
    async with running(home.mine, size=(90, 30), machine=home.machine()) as pilot:
        await until(pilot, lambda: len(rows(pilot)) == 2)
        await pilot.press("enter")
        await until(pilot, asked.is_set)
        assert not dropped.is_set()
        await pilot.press("escape")
        await until(pilot, dropped.is_set)


@pytest.mark.parametrize("cells", [79, 100, 160])
def test_agents_of_one_project_are_told_apart_in_a_narrow_list(tmp_path: Path, cells: int) -> None:
    project = tmp_path / ("a-rather-long-name" * 3)
    said = set()
    for agent in ("reviewer", "tester"):
        row = present_projects.StoreRow(Store(tmp_path / agent, "agent-project", agent, project))
        summary = summarise(row.store, now=NOW)
        line = present_projects.store_row(
            replace(row, summary=summary), cells, cursor=False, now=NOW, home=None, lang="en"
        )
        assert width(line) == cells
        assert f" · {agent}" in plain(line)
        said.add(plain(line))
    assert len(said) == 2


def test_what_was_found_by_its_name_tells_what_it_is_and_not_its_name_twice() -> None:
    entry = make("freeze", description="why nothing ships", content="No ship on Fridays.")
    store = Store(Path("memory"), "project", "-p")
    by_name = StoreHit(store, entry, "name", 0, entry.name)
    by_text = StoreHit(store, entry, "content", 6, "ship on Fridays")
    told = [plain(present_projects.hit_row(hit, 70, cursor=False, store="p")) for hit in (by_name, by_text)]
    assert told[0].split() == [*entry.name.split(), "why", "nothing", "ships", "p"]
    assert told[1].split() == [*entry.name.split(), "ship", "on", "Fridays", "p"]
