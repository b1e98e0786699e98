"""The app as a whole (issue 3 §7): errors never end it, what a crash interrupted is told, themes, languages, read-only."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pexpect
import pytest

from memtui.config import Config
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import Folder
from memtui.memory.managing.manager import MemoryManager
from memtui.store import Snapshot
from memtui.tui import notices as noticing
from memtui.tui.launch import make_app
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.screens.theme import ThemeScreen
from memtui.tui.voice import Voice
from tests.crash.faults import DEATH, Died, FaultyDisk

from .conftest import Write, app_of, browse, notices, rows, running, screen_text, until
from .making import NOW, make

SECRET = "sk-ant-" + "b2C3" * 6


# --- what is loaded stays, and the collector need not go through it ---


async def test_what_stays_is_told_at_the_first_paint_and_once_all_is_checked(write: Write) -> None:
    folder, seen = write("a").parent, list[bool]()

    def loaded() -> None:
        seen.append(app.snapshot is not None and not app.snapshot.findings_pending)

    app = make_app(folder, clock=lambda: NOW, loaded=loaded)
    async with app.run_test() as pilot:
        await until(pilot, lambda: len(seen) == 2)
        (write("b"), write("c"))
        await until(
            pilot, lambda: len(rows(pilot)) == 3 and not (app.snapshot and app.snapshot.findings_pending)
        )
    assert seen == [False, True]


# --- errors of memtui's own ---


def fails_with(text: str) -> NoReturn:
    raise ValueError(f"a memory said {text}")


async def test_an_error_in_a_thread_is_told_and_the_app_goes_on(write: Write) -> None:
    folder = write("a").parent
    async with running(folder, fails=True) as pilot:
        app = app_of(pilot)
        app.run_worker(lambda: fails_with(SECRET), thread=True)
        await until(pilot, lambda: bool(app.faults))
        assert isinstance(app.faults[0], ValueError)
        assert any("memtui made a mistake; it goes on" in note for note in notices(pilot))
        assert SECRET not in "".join(notices(pilot))
        await pilot.press("question_mark")
        assert "Help" in screen_text(pilot)


async def test_a_change_that_fails_unforeseen_leaves_the_screen_usable(write: Write) -> None:
    folder = write("a").parent
    async with running(folder, fails=True) as pilot:
        screen = browse(pilot)
        screen.change("Changed", lambda _: fails_with(SECRET))
        await until(pilot, lambda: bool(app_of(pilot).faults))
        assert not screen.situation.busy
        await pilot.press("d", "y")
        await until(pilot, lambda: any("Forgotten" in note for note in notices(pilot)))


async def test_a_check_that_fails_is_told_and_the_directory_is_followed_on(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write("a").parent
    async with running(folder, fails=True) as pilot:
        app = app_of(pilot)
        assert app.store is not None
        check = app.store.check
        failed: list[bool] = []

        def once() -> Snapshot:
            if not failed:
                failed.append(True)
                fails_with(SECRET)
            return check()

        monkeypatch.setattr(app.store, "check", once)
        write("b")
        await until(pilot, lambda: bool(app.faults))
        write("c")
        await until(pilot, lambda: app.snapshot is not None and len(app.snapshot.entries) == 3)
        await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)
        assert SECRET not in "".join(notices(pilot))


_CRASHING = """
import os, sys
import memtui.__main__ as program
from memtui.tui.screens.browse import BrowseScreen

def fails(self):
    held = os.environ["HELD"]
    raise ValueError(f"a memory said {held}")

BrowseScreen.do_sort = fails
sys.exit(program.main(sys.argv[1:]))
"""


def test_an_error_on_a_screen_ends_with_a_report_one_sentence_and_a_sane_terminal(
    tmp_path: Path, write: Write
) -> None:
    folder = write("held", content=SECRET).parent
    environ = {
        **os.environ,
        "TERM": "xterm-256color",
        "HOME": str(tmp_path / "home"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "LANG": "C.UTF-8",
        "HELD": SECRET,
    }
    child = pexpect.spawn(
        sys.executable,
        ["-c", _CRASHING, str(folder)],
        env=environ,
        dimensions=(30, 120),
        timeout=30,
        use_poll=True,
    )
    child.expect("1 memory")
    child.send("s")
    child.expect(pexpect.EOF)
    written = bytes(child.before)
    child.wait()
    assert child.exitstatus == 70
    reports = [path for path in tmp_path.rglob("crash-*.txt") if path.is_file()]
    assert len(reports) == 1
    sentence = written.rsplit(b"\x1b[?1049l", 1)[1]
    assert b"\x1b[?25h" in sentence, "the cursor shows again"
    assert b"\x1b[?1003l" in sentence, "the mouse is let go"
    assert str(reports[0]).encode() in sentence
    assert sentence.count(b"\n") == 1
    text = reports[0].read_text()
    assert "builtins.ValueError" in text
    assert 'raise ValueError(f"a memory said' in text or "in fails" in text
    for leaked in (SECRET, str(tmp_path), "held.md"):
        assert leaked not in text
    assert SECRET.encode() not in sentence


async def test_an_error_on_a_screen_ends_the_app(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write("a").parent
    monkeypatch.setattr(BrowseScreen, "do_sort", lambda _: fails_with("x"))
    with pytest.raises(ValueError, match="a memory said x"):  # noqa: PT012 – a Pilot has to press the key
        async with running(folder) as pilot:
            await pilot.press("s")
            await pilot.pause()
    assert app_of(pilot).fault is not None


# --- what a crash interrupted ---


def interrupted(folder: Path, scratch: Path) -> None:
    """Make a change that dies at a call after which there is something to recover."""
    for at in range(1, 400):
        place, copy = scratch / f"run{at}", scratch / f"copy{at}"
        shutil.copytree(folder, place)
        disk = FaultyDisk(at, DEATH)
        try:
            directory = Directory(place, folder=Folder(place, disk), clock=lambda: NOW)
            directory.refresh()
            MemoryManager.open(place, clock=lambda: NOW, directory=directory).forget("a")
        except Died:
            shutil.copytree(place, copy)
            if MemoryManager.open(copy, clock=lambda: NOW).recover():
                shutil.rmtree(folder)
                place.rename(folder)
                return
        shutil.rmtree(place)
    raise AssertionError("no call left anything to recover")


async def test_reliability_1_what_was_recovered_is_told_at_start(tmp_path: Path, write: Write) -> None:
    folder = write("a").parent
    write("b", days=2)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    interrupted(folder, scratch)
    async with running(folder) as pilot:
        await until(pilot, lambda: any("was interrupted" in note for note in notices(pilot)))


async def test_reliability_1_a_read_only_view_recovers_nothing(tmp_path: Path, write: Write) -> None:
    folder = write("a").parent
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    interrupted(folder, scratch)
    before = sorted((path.name, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    async with running(folder, read_only=True) as pilot:
        assert "read-only" in screen_text(pilot)
        await pilot.press("d")
        assert any("read-only" in note for note in notices(pilot))
    assert sorted((path.name, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before


# --- themes ---


async def test_a_theme_shows_under_the_cursor_and_escape_brings_the_old_one_back(write: Write) -> None:
    folder = write("a").parent
    async with running(folder) as pilot:
        await pilot.press("f9", "g", "j", "j")
        assert isinstance(pilot.app.screen, ThemeScreen)
        assert pilot.app.theme == "atom-one-dark"
        await pilot.press("escape")
        assert pilot.app.theme == "textual-dark"
        assert len(pilot.app.screen_stack) == 1
        await pilot.press("f9", "G", "enter")
        assert pilot.app.theme == "tokyo-night"
        assert len(pilot.app.screen_stack) == 1


async def test_every_theme_can_be_set_and_draws(write: Write) -> None:
    folder = write("a").parent
    async with running(folder) as pilot:
        for name in pilot.app.available_themes:
            pilot.app.theme = name
            await pilot.pause()
            assert "HOT" in screen_text(pilot), name


async def test_the_terminals_own_colours_are_a_theme(write: Write) -> None:
    folder = write("a").parent
    async with running(folder, config=Config(theme="terminal")) as pilot:
        assert pilot.app.theme == "ansi-dark"
        assert pilot.app.native_ansi_color
        assert notices(pilot) == []


def test_the_terminals_own_colours_reach_it_as_such(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from memtui.tui.launch import run_app; from memtui.launching import Launch; from memtui.config import Config;"
        "sys.exit(run_app(Launch(memory_dir=Path(sys.argv[1]), environ=os.environ, config=Config(theme='terminal'))))"
    )
    (tmp_path / "a.md").write_text("---\nname: A memory\n---\nText.\n", encoding="utf-8")
    environ = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    child = pexpect.spawn(
        sys.executable,
        ["-c", code, str(tmp_path)],
        env=environ,
        dimensions=(24, 80),
        timeout=30,
        use_poll=True,
    )
    child.expect("1 memory")
    written = bytes(child.before)
    child.send("q")
    child.expect(pexpect.EOF)
    assert b"\x1b[38;2;" not in written[written.index(b"memtui") :], "no colour of our own"


# --- languages and settings ---


async def test_the_interface_speaks_chinese(write: Write) -> None:
    folder = write("a", content="See [[b]].").parent
    write("b", days=40)
    async with running(folder, lang="zh") as pilot:
        shown = screen_text(pilot)
        for word in ("记忆", "提醒", "帮助", "筛选"):
            assert word in shown.replace(" ", ""), word
        await pilot.press("z")
        assert "撤销：没有可撤销的修改" in notices(pilot)[-1]
        await pilot.press("question_mark")
        assert "移动" in screen_text(pilot)
        await pilot.press("escape", "d")
        assert "遗忘“a”" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: any("已遗忘" in note for note in notices(pilot)))
        assert "按 z 撤销" in notices(pilot)[-1]


async def test_the_settings_count_of_entries_is_the_reminders(write: Write) -> None:
    folder = write("a").parent
    for number in range(4):
        write(f"b{number}", days=number + 1)
    async with running(folder, config=Config(entries=2)) as pilot:
        assert "2 of 5" in screen_text(pilot)


async def test_ascii_can_be_set(write: Write) -> None:
    folder = write("a").parent
    async with running(folder, config=Config(ascii=True)) as pilot:
        assert app_of(pilot)._walls[0].__class__.__name__ == "AsciiOnly"


def test_notices_name_the_keys_a_person_has() -> None:
    entry = make("a")
    _, lines = noticing.forget_question([entry], [entry], Voice("zh", {"undo": "u"}))
    assert lines[-1] == "旧版本会保留；按 u 可全部恢复"
    empty = noticing.empty_state(
        directory="~",
        missing=False,
        loading=False,
        total=3,
        filtering=True,
        voice=Voice("en", {"back": "f3"}),
    )
    assert empty[-1] == "f3 clears it."


async def test_the_same_notice_again_takes_the_place_of_the_first(write: Write) -> None:
    async with running(write("a").parent) as pilot:
        for _ in range(3):
            await pilot.press("z")
        await pilot.press("Z", "escape")  # that there is nothing to step back from goes unsaid
        await until(pilot, lambda: len(notices(pilot)) >= 2)
        told = notices(pilot)
        assert len(told) == len(set(told)) == 2


async def test_density_and_columns_can_be_set(write: Write) -> None:
    folder = write("a", description="What it is about").parent
    config = Config(density="comfortable", columns=("age", "description"))
    async with running(folder, size=(80, 24), config=config) as pilot:
        lines = screen_text(pilot).splitlines()
        place = next(number for number, line in enumerate(lines) if line.startswith("▸"))
        assert "0d" in lines[place]
        assert "HOT" not in lines[place]
        assert "What it is about" in lines[place + 1]
