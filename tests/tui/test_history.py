"""History (design §3): versions of a memory, any two compared, one restored; also of a memory that was forgotten."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.memory.managing.authors import Author
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.versions.history import Version, versions_of
from memtui.tui.present import history as present_history
from memtui.tui.present.lines import plain, width
from memtui.tui.screens.history import HistoryScreen
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.wording.history import EN, ZH

from .conftest import Write, notices, running, screen_text, until
from .making import HOSTILE, NOW, make
from .past import Past, versions


def history(pilot: Pilot[None]) -> HistoryScreen:
    screen = pilot.app.screen
    assert isinstance(screen, HistoryScreen)
    return screen


async def opened(pilot: Pilot[None], *keys: str) -> HistoryScreen:
    """Press keys that lead to the history, and wait until it has compared."""
    await pilot.press(*keys)
    await until(pilot, lambda: isinstance(pilot.app.screen, HistoryScreen))
    await compared(pilot)
    return history(pilot)


async def compared(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: "Reading" not in screen_text(pilot))


async def test_versions_stand_newest_first_and_the_newest_is_compared_with_the_one_before(
    memory: Path,
) -> None:
    versions(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "h")
        text = screen_text(pilot)
        assert text.index("now  2 days ago") < text.index("v2   12 days ago") < text.index("v1   40 days ago")
        assert "3 versions" in text
        assert "v2 → now" in text
        assert "Integration tests use a real database" in text
        assert "Integration tests use a **real** database" in text


async def test_the_cursor_compares_each_version_with_the_one_before_it_and_the_first_with_the_one_in_force(
    memory: Path,
) -> None:
    versions(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "h", "j")
        assert "v1 → v2" in screen_text(pilot)
        await pilot.press("j")
        await compared(pilot)
        text = screen_text(pilot)
        assert "v1 → now" in text
        assert "may mock the API client" in text


async def test_a_version_that_is_the_only_one_is_shown_whole(write: Write) -> None:
    folder = write("only", content="One line.\nAnd another.").parent
    async with running(folder, size=(120, 30)) as pilot:
        screen = await opened(pilot, "h")
        assert "now · the first version" in screen_text(pilot)
        rows = screen.query_one(DiffView).lines
        assert [plain(line).split(maxsplit=1)[-1].strip() for line in rows][-2:] == [
            "One line.",
            "And another.",
        ]
        assert not {role for line in rows for _, role in line} & {"added", "removed", "added-word"}


async def test_any_two_can_be_compared_the_older_one_first(memory: Path) -> None:
    versions(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "h", "G", "space", "g")
        text = screen_text(pilot)
        assert "v1 → now" in text
        assert "A v1" in text
        assert "may mock the API client" in text
        await pilot.press("G", "space")
        await compared(pilot)
        assert "A v1" not in screen_text(pilot)


async def test_fields_of_the_header_are_compared_too(memory: Path) -> None:
    versions(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "h", "j")
        text = screen_text(pilot)
        assert "- type: user" in text
        assert "+ type: feedback" in text
        assert "- description: Mocks are fine for the API client" in text
        assert "superseded_by" not in text


async def test_a_field_that_memtui_does_not_know_is_compared_too(memory: Path) -> None:
    past = versions(memory)
    path = memory / "tests.md"
    path.write_text(
        path.read_text(encoding="utf-8").replace("---\n", "---\npriority: high\n", 1), encoding="utf-8"
    )
    os.utime(path, (NOW, NOW))
    past.manager.reload()
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "h")
        assert "+ priority: high" in screen_text(pilot)


async def test_u_shows_them_side_by_side_and_f_everything(memory: Path) -> None:
    past = versions(memory)
    tail = "".join(f"\n{n}" for n in range(20))
    past.save("tests", f"Integration tests use a real database.{tail}", days=1)
    past.save("tests", f"Integration tests use a **real** database.{tail}", days=0.5)
    async with running(memory, size=(160, 40)) as pilot:
        screen = await opened(pilot, "h", "u")
        row = next(line for line in screen_text(pilot).split("\n") if "use a **real**" in line)
        assert "use a real" in row
        assert "equal lines" in screen_text(pilot)
        before = len(screen.query_one(DiffView).lines)
        await pilot.press("f")
        await pilot.pause()
        assert len(screen.query_one(DiffView).lines) > before
        assert "equal lines" not in screen_text(pilot)


async def test_enter_reads_a_version_whole_and_escape_goes_back(memory: Path) -> None:
    versions(memory)
    async with running(memory, size=(80, 24)) as pilot:
        screen = await opened(pilot, "h", "G", "enter")
        text = screen_text(pilot)
        assert "v1, whole" in text
        assert "may mock the API client" in text
        assert "12 days ago" not in text
        await pilot.press("escape")
        await pilot.pause()
        assert not screen.has_class("-reading")
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(pilot.app.screen, HistoryScreen)


async def test_restoring_asks_says_what_is_kept_and_loses_nothing(memory: Path) -> None:
    versions(memory)
    newest = (memory / "tests.md").read_text(encoding="utf-8")
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "h", "G")
        await pilot.press("R")
        await pilot.pause()
        text = screen_text(pilot)
        assert "Restore v1 of" in text
        assert "what is in force now is kept as tests_v3" in text
        await pilot.press("enter")
        await pilot.pause()
        assert (memory / "tests.md").read_text(encoding="utf-8") == newest
        await pilot.press("R", "y")
        await until(pilot, lambda: "4 versions" in screen_text(pilot))
        await until(pilot, lambda: "you, in memtui" in screen_text(pilot))
        assert screen_text(pilot).count("you, in memtui") == 1, (
            "the first version's bytes are not by whom they were restored"
        )
        assert "may mock the API client" in (memory / "tests.md").read_text(encoding="utf-8")
        assert "**real** database" in (memory / "tests_v3.md").read_text(encoding="utf-8")
        assert any("Restored" in note for note in notices(pilot))
        await pilot.press("z")
        await until(pilot, lambda: "3 versions" in screen_text(pilot))
        assert (memory / "tests.md").read_text(encoding="utf-8") == newest


async def test_the_version_in_force_is_not_restored_and_it_says_why(memory: Path) -> None:
    versions(memory)
    async with running(memory) as pilot:
        await opened(pilot, "h", "R")
        assert notices(pilot) == [": Restore: this is the version in force"]


async def test_a_read_only_view_compares_and_does_not_restore(memory: Path) -> None:
    versions(memory)
    async with running(memory, read_only=True) as pilot:
        await opened(pilot, "h", "j", "R")
        assert "v1 → v2" in screen_text(pilot)
        assert any("read-only" in note for note in notices(pilot))


async def test_a_forgotten_memory_comes_back_from_an_old_version(memory: Path) -> None:
    past = versions(memory)
    past.at(1).forget("tests")
    async with running(memory, size=(120, 30)) as pilot:
        await pilot.press("H", "G")
        await opened(pilot, "h")
        text = screen_text(pilot)
        assert "2 versions · forgotten" in text
        await pilot.press("g", "R")
        await pilot.pause()
        assert "tests.md comes back: no version is in force now" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: (memory / "tests.md").exists() and "3 versions" in screen_text(pilot))
        assert "tests.md" in (memory / "MEMORY.md").read_text(encoding="utf-8")


async def test_the_history_of_an_old_version_is_that_of_its_memory_and_starts_there(memory: Path) -> None:
    versions(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await pilot.press("H", "G")
        screen = await opened(pilot, "h")
        assert screen.situation.total == 3
        assert "v1 → now" in screen_text(pilot)


async def test_a_new_version_from_outside_shows_by_itself(memory: Path) -> None:
    versions(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "h")
        MemoryManager.open(memory, clock=lambda: NOW).save_memory(
            "tests", "T", "d", "user", "rewritten outside"
        )
        await until(pilot, lambda: "4 versions" in screen_text(pilot))
        await compared(pilot)
        assert "rewritten outside" in screen_text(pilot)


async def test_a_memory_without_versions_left_says_where_to_look(memory: Path) -> None:
    past = Past(memory)
    past.save("only", "text", days=3)
    past.save("other", "text of another", days=3)
    past.at(1).forget("only")
    async with running(memory, size=(80, 24)) as pilot:
        await pilot.press("a", "2")
        await until(pilot, lambda: "only" in screen_text(pilot))
        await opened(pilot, "h")
        assert "No version of this memory is left." in screen_text(pilot)
        await pilot.press("R", "space", "enter", "u")
        assert any("no version is left" in note for note in notices(pilot))


async def test_hostile_names_and_texts_show_safely(memory: Path) -> None:
    past = Past(memory)
    past.save("evil", HOSTILE, days=3, name="harmless")
    (memory / "evil.md").write_text(
        f'---\nname: "{HOSTILE[:20]}"\ndescription: x\ntype: user\n---\n\n{HOSTILE}\nmore\n',
        encoding="utf-8",
        errors="surrogateescape",
    )
    past.manager.reload()
    past.save("evil", f"{HOSTILE} again", days=1, name="harmless")
    async with running(memory, size=(100, 30)) as pilot:
        await opened(pilot, "h")
        for key in ("u", "enter", "escape", "G", "f"):
            await pilot.press(key)
            await pilot.pause()
            shown = screen_text(pilot)
            assert "\x1b" not in shown
            assert "\u202e" not in shown


@pytest.mark.parametrize("size", [(80, 24), (100, 12), (120, 30), (200, 60)])
async def test_it_fits_every_size(memory: Path, size: tuple[int, int]) -> None:
    versions(memory)
    async with running(memory, size=size) as pilot:
        await opened(pilot, "h")
        lines = screen_text(pilot).split("\n")
        assert len(lines) == size[1]
        assert "v2 → now" in screen_text(pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "v2 → now" in screen_text(pilot)


async def test_a_click_compares_and_the_key_bar_can_be_clicked(memory: Path) -> None:
    versions(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "h")
        await pilot.click("#versions", offset=(5, 1))
        await compared(pilot)
        assert "v1 → v2" in screen_text(pilot)
        bar = screen_text(pilot).split("\n")[-1]
        await pilot.click("#keys", offset=(bar.index("layout"), 0))
        await pilot.pause()
        assert "│" in screen_text(pilot)


# --- pure ------------------------------------------------------------------------------------------------------------


def test_a_row_fits_and_says_where_a_version_came_from() -> None:
    current = make("a", days=1)
    merged = make("b_v1", days=5, old=True, superseded_by="a")
    first, second = versions_of("a", [current, merged])
    wrote = Author("person", "command")
    row = present_history.version_row(
        second, 60, author=None, marked=True, cursor=False, now=NOW, lang="en", words=EN
    )
    assert "A " in plain(row)
    assert "from b" in plain(row)
    row = present_history.version_row(
        first, 60, author=wrote, marked=False, cursor=True, now=NOW, lang="en", words=EN
    )
    assert "you, on the command line" in plain(row)
    assert plain(row).endswith(" B ")
    for cells in range(10, 60, 7):
        row = present_history.version_row(
            first, cells, author=wrote, marked=False, cursor=True, now=NOW, lang="zh", words=ZH
        )
        assert width(row) <= cells


def test_the_older_of_two_stands_first_whichever_is_marked() -> None:
    found = tuple(Version(str(n), make(f"a_v{n}", old=True)) for n in (3, 2, 1))
    assert present_history.chosen(found, found[0], None) == (found[1], found[0])
    assert present_history.chosen(found, found[0], "a_v1.md") == (found[2], found[0])
    assert present_history.chosen(found, found[2], "a_v3.md") == (found[2], found[0])
    assert present_history.chosen(found, found[2], None) == (found[2], found[0])
    assert present_history.chosen(found[2:], found[2], None) == (None, found[2])
    assert present_history.chosen(found, found[1], found[1].entry.rel) == (found[2], found[1])
    assert present_history.chosen((), None, None) == (None, None)


@pytest.mark.parametrize("name", EN.names())
def test_both_languages_have_the_same_places(name: str) -> None:
    def places(text: str) -> list[str]:
        return sorted(part.split("}")[0] for part in text.split("{")[1:])

    assert places(getattr(EN, name)) == places(getattr(ZH, name))


async def test_the_rows_of_a_difference_are_made_in_a_thread(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ninety thousand of them, made where keys are heard, were felt for two seconds."""
    versions(memory)
    made_in: list[bool] = []
    make_rows = present_history.diff_rows

    def noting(*given: Any, **named: Any) -> Any:
        made_in.append(threading.current_thread() is threading.main_thread())
        return make_rows(*given, **named)

    monkeypatch.setattr(present_history, "diff_rows", noting)
    async with running(memory, size=(120, 30)) as pilot:
        screen = await opened(pilot, "h", "u", "f")
        await until(pilot, lambda: len(made_in) > 2 and screen.query_one(DiffView).lines != [])
        assert not any(made_in)
