"""Spec §16 in the app: what transcripts prove of a memory's use is read behind the first paint, and shown."""

import random
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.claude.usage import Progress
from memtui.claude.usage_report import UsageReport
from memtui.memory.types import Lang
from memtui.tui.app import MemtuiApp
from memtui.tui.app_lookups import USAGE_TOLD_BYTES, UsageReading
from memtui.tui.facts import Facts, with_use
from memtui.tui.given import usage_reading
from memtui.tui.launch import make_app
from memtui.tui.messages import SortWanted
from tests.unit.transcript_maker import Transcript, index_text

from .conftest import app_of, browse, rows, screen_text, until
from .making import DAY, NOW, make

SESSION = "10000000-0000-4000-8000-000000000000"


class Home:
    """A home whose project has a memory directory and one transcript."""

    def __init__(self, tmp: Path) -> None:
        self.home = tmp / "home"
        self.folder = self.home / ".claude" / "projects" / "-home-ada-lab"
        self.memory = self.folder / "memory"
        self.memory.mkdir(parents=True)
        self.state = tmp / "state"

    def write(self, slug: str) -> None:
        path = self.memory / f"{slug}.md"
        path.write_text(f"---\nname: {slug}\ndescription: d\ntype: user\n---\n\nText of {slug}.\n")

    def transcript(self, *, days: float = 2) -> Transcript:
        return Transcript(self.memory, session=SESSION, now=NOW - days * DAY, chance=random.Random(3))

    def app(self, usage: UsageReading | None = None, lang: Lang = "en") -> MemtuiApp:
        read = usage_reading(self.memory, environ={}, home=self.home, state=lambda: self.state, cwd=None)
        return make_app(self.memory, clock=lambda: NOW, home=self.home, usage=usage or read, lang=lang)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.write("tea")
    made.write("coffee")
    one = made.transcript().typed("go").context().loads(index_text(["tea", "coffee"]))
    one.reads("tea.md").reads("tea.md").says('<cc-memory filenames="tea.md">x</cc-memory>').save(made.folder)
    return made


async def known(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: app_of(pilot).usage is not None)
    await until(pilot, lambda: "Use" in screen_text(pilot) and "loaded in" in screen_text(pilot))


async def test_the_use_of_the_memory_under_the_cursor_is_told(home: Home) -> None:
    async with home.app().run_test(size=(120, 60)) as pilot:
        await known(pilot)
        await pilot.press("g")
        await until(pilot, lambda: "never used" in screen_text(pilot) or "read 2×" in screen_text(pilot))
        seen = {screen_text(pilot)}
        await pilot.press("j")
        await until(
            pilot, lambda: screen_text(pilot) not in seen and "loaded in 1 session" in screen_text(pilot)
        )
        text = "".join(seen) + screen_text(pilot)
        assert "loaded in 1 session · never used" in text
        assert "loaded in 1 session · read 2× · cited 1× · last used yesterday" in text


async def test_a_directory_without_transcripts_says_nothing_of_use(home: Home) -> None:
    for path in home.folder.glob("*.jsonl"):
        path.unlink()
    async with home.app().run_test(size=(120, 60)) as pilot:
        await until(pilot, lambda: app_of(pilot).usage is not None)
        await until(pilot, lambda: "Where it comes from" in screen_text(pilot))
        assert "loaded in" not in screen_text(pilot)


async def test_what_is_new_is_read_when_somebody_comes_back(home: Home) -> None:
    async with home.app().run_test(size=(120, 60)) as pilot:
        await known(pilot)
        app = app_of(pilot)
        before = app.usage
        home.transcript(days=1).typed("go").reads("coffee.md").save(home.folder)
        app.on_app_focus()
        await until(pilot, lambda: app.usage is not before)
        assert app.usage is not None
        assert app.usage.of("coffee.md").reads == 1


async def test_leaving_ends_the_reading(home: Home) -> None:
    began = threading.Event()
    ended = threading.Event()

    def read(cancel: threading.Event, _: Progress) -> UsageReport:
        began.set()
        if cancel.wait(60):
            ended.set()
        return UsageReport("", {}, ())

    async with home.app(read).run_test() as pilot:
        await until(pilot, began.is_set)
        await pilot.press("q")
    assert ended.wait(20)


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_it_is_said_how_far_large_transcripts_are_read(home: Home, lang: Lang) -> None:
    go_on = threading.Event()

    def read(_: threading.Event, progress: Progress) -> UsageReport:
        progress(USAGE_TOLD_BYTES // 4, USAGE_TOLD_BYTES)
        progress(USAGE_TOLD_BYTES // 2, USAGE_TOLD_BYTES)
        go_on.wait(20)
        return UsageReport("", {}, ())

    said = {"en": "transcripts 50 %", "zh": "会话记录 50%"}[lang]
    async with home.app(read, lang).run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: said in screen_text(pilot))
        go_on.set()
        await until(pilot, lambda: said not in screen_text(pilot))


async def test_what_is_read_at_once_is_not_counted(home: Home) -> None:
    told: list[int] = []
    go_on = threading.Event()

    def read(_: threading.Event, progress: Progress) -> UsageReport:
        progress(500, 1000)
        told.append(1)
        go_on.wait(20)
        return UsageReport("", {}, ())

    async with home.app(read).run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: bool(told))
        assert "transcripts" not in screen_text(pilot)
        go_on.set()


async def test_a_mistake_while_reading_leaves_the_app_usable(home: Home) -> None:
    def read(cancel: threading.Event, _: Progress) -> UsageReport:
        del cancel
        raise ZeroDivisionError

    async with home.app(read).run_test(size=(120, 60)) as pilot:
        app = app_of(pilot)
        await until(pilot, lambda: bool(app.faults))
        await until(pilot, lambda: "Where it comes from" in screen_text(pilot))
        assert app.is_running


async def test_the_list_can_be_ordered_by_last_use_and_narrowed_to_what_never_was(home: Home) -> None:
    home.write("water")
    home.transcript(days=1).typed("go").context().loads(index_text(["tea"])).reads("water.md").save(
        home.folder
    )
    second = Transcript(home.memory, session=f"2{SESSION[1:]}", now=NOW - 40 * DAY, chance=random.Random(9))
    second.typed("go").context().reads("tea.md").save(home.folder)
    async with home.app().run_test(size=(120, 60)) as pilot:
        await until(pilot, lambda: app_of(pilot).usage is not None and len(rows(pilot)) == 3)
        screen = browse(pilot)
        screen.on_sort_wanted(SortWanted("used"))
        await until(pilot, lambda: rows(pilot) == ["water", "tea", "coffee"])
        text = screen_text(pilot)
        assert "by last use" in text
        assert " used↓" in text
        shown = [line.split("COOL", 1)[1].split() for line in text.splitlines() if " COOL " in line]
        assert [(figures[1], figures[3]) for figures in shown] == [
            ("0d", "water"),
            ("39d", "tea"),
            ("–", "coffee"),
        ]
        screen.on_sort_wanted(SortWanted("used"))
        await until(pilot, lambda: rows(pilot) == ["coffee", "tea", "water"])
        await pilot.press("slash", *"is:unused", "enter")
        await until(pilot, lambda: rows(pilot) == ["coffee"])


async def test_where_no_session_is_known_nothing_counts_as_never_used(home: Home) -> None:
    for path in home.folder.glob("*.jsonl"):
        path.unlink()
    async with home.app().run_test(size=(120, 60)) as pilot:
        await until(pilot, lambda: app_of(pilot).usage is not None and len(rows(pilot)) == 2)
        await pilot.press("slash", *"is:unused", "enter")
        await until(pilot, lambda: rows(pilot) == [])


def test_the_use_is_laid_over_what_else_is_known() -> None:
    entries = [make("a"), make("b"), make("c"), make("old", old=True)]
    facts = {"a.md": Facts(broken=2, flags=frozenset({"broken"}))}
    laid = with_use(facts, entries, {"b.md": 5.0})
    assert laid["a.md"] == Facts(broken=2, flags=frozenset({"broken", "unused"}))
    assert laid["b.md"] == Facts(used=5.0)
    assert laid["c.md"].flags == {"unused"}
    assert "old.md" not in laid
    assert facts == {"a.md": Facts(broken=2, flags=frozenset({"broken"}))}
