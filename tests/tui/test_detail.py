"""One memory on a screen of its own: links both ways, score, origin, copy, source (issue part 2 point 2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.tui.present.lines import plain
from memtui.tui.screens.checks import ChecksScreen
from memtui.tui.screens.detail import DetailScreen
from memtui.tui.screens.history import HistoryScreen
from memtui.tui.screens.pick import PickScreen
from memtui.tui.widgets.text_view import TextView

from .conftest import Write, browse, cursor, running, screen_text, until
from .making import HOSTILE


@pytest.fixture
def linked(memory: Path, write: Write) -> Path:
    write(
        "tests", name="Integration tests", kind="feedback", content="See [[role]], [[nowhere]] and `make db`."
    )
    write("role", name="用户角色", content="研究恒星演化，见 [[tests]]。", days=10)
    write("alone", name="Alone", content="**Nothing** links here.", days=40)
    (memory / "MEMORY.md").write_text("- [Tests](tests.md) — x (type: feedback)\n", encoding="utf-8")
    return memory


def shown(pilot: Pilot[None]) -> str:
    return "\n".join(plain(line) for line in pilot.app.screen.query_one(TextView).lines)


async def opened(pilot: Pilot[None]) -> DetailScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, DetailScreen))
    screen = pilot.app.screen
    assert isinstance(screen, DetailScreen)
    await until(pilot, lambda: "MEMORY.md" in shown(pilot))
    return screen


async def test_everything_about_a_memory_stands_below_its_text(linked: Path) -> None:
    async with running(linked, size=(80, 50)) as pilot:
        await pilot.press("enter")
        await opened(pilot)
        text = shown(pilot)
        assert "nowhere  points to nothing yet" in text
        assert text.index("Linked from") < text.index("role", text.index("Linked from"))
        assert "line 1  - [Tests](tests.md)" in text
        assert "decay = 0.5 ^ (0.0 days / 30) = 1.00" in text
        assert "score = 1.00 × 1.0 = 1.00  place 1 of 3" in text
        assert "scope private" in text
        assert "the only version so far" in text
        assert "[Detail]  History 1   Checks 2" in screen_text(pilot)
        await pilot.press("right", "right")
        await until(pilot, lambda: "no line names it" in shown(pilot))
        assert "no other memory" in shown(pilot)
        assert "tier  = Cool, over 30 days: × 0.3" in shown(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert cursor(pilot) == "alone"


async def test_links_are_followed_and_the_way_back_is_kept(linked: Path) -> None:
    async with running(linked, size=(80, 40)) as pilot:
        await pilot.press("enter")
        screen = await opened(pilot)
        await pilot.press("enter", "enter")
        await until(pilot, lambda: screen.memory is not None and screen.memory.slug == "role")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: screen.memory is not None and screen.memory.slug == "tests")
        await pilot.press("backspace", "backspace")
        await until(pilot, lambda: screen.memory is not None and screen.memory.slug == "tests")
        assert screen.situation.followed is False


async def test_links_in_the_pane_beside_the_list_lead_back_too(linked: Path) -> None:
    async with running(linked, size=(160, 48)) as pilot:
        await pilot.press("right_square_bracket", "enter")
        await until(pilot, lambda: cursor(pilot) == "role")
        await pilot.press("backspace")
        await until(pilot, lambda: cursor(pilot) == "tests")


async def test_wide_enter_reads_beside_the_list_and_again_whole(linked: Path) -> None:
    async with running(linked, size=(160, 48)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app.screen is browse(pilot)
        await pilot.press("enter")
        await opened(pilot)


async def test_the_source_can_be_shown(linked: Path) -> None:
    async with running(linked, size=(80, 40)) as pilot:
        await pilot.press("G", "enter")
        await opened(pilot)
        assert "**Nothing**" not in shown(pilot)
        await pilot.press("M")
        await until(pilot, lambda: "**Nothing** links here." in shown(pilot))
        assert "source · " in screen_text(pilot)


async def test_tabs_lead_to_history_and_checks_and_back(linked: Path) -> None:
    async with running(linked, size=(100, 30)) as pilot:
        await pilot.press("D")
        screen = await opened(pilot)
        await pilot.press("h")
        await until(pilot, lambda: isinstance(pilot.app.screen, HistoryScreen))
        await pilot.press("q")
        await until(pilot, lambda: pilot.app.screen is screen)
        await pilot.click("#tabs", offset=(screen_text(pilot).split("\n")[1].index("Checks") + 1, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, ChecksScreen))


async def test_what_is_copied_is_chosen(linked: Path) -> None:
    async with running(linked, size=(80, 24)) as pilot:
        for keys, wanted in (
            (("enter",), str(linked / "tests.md")),
            (("j", "enter"), "tests"),
            (("j", "j", "enter"), "[[tests]]"),
            (("j", "j", "j", "enter"), "See [[role]], [[nowhere]] and `make db`."),
        ):
            await pilot.press("y")
            await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen))
            await pilot.press(*keys)
            await pilot.pause()
            assert pilot.app.clipboard.strip() == wanted


async def test_a_memory_that_goes_while_it_is_read_says_so_and_comes_back(linked: Path, write: Write) -> None:
    async with running(linked, size=(80, 24)) as pilot:
        await pilot.press("G", "enter")
        screen = await opened(pilot)
        (linked / "alone.md").unlink()
        await until(pilot, lambda: "This memory is gone." in shown(pilot))
        assert screen.memory is None
        await pilot.press("d", "right")
        write("alone", name="Alone", content="Back.", days=40)
        await until(pilot, lambda: "Back." in shown(pilot))


async def test_a_change_made_here_shows_here(linked: Path) -> None:
    async with running(linked, size=(80, 24)) as pilot:
        await pilot.press("G", "enter")
        screen = await opened(pilot)
        await pilot.press("v")
        await until(pilot, lambda: screen.memory is not None and screen.memory.modified > 1_799_000_000)
        await until(pilot, lambda: screen.situation.undo is not None)
        await pilot.press("z")
        await until(pilot, lambda: screen.memory is not None and screen.memory.modified < 1_799_000_000)


async def test_claims_show_in_the_source_too(linked: Path, write: Write, tmp_path: Path) -> None:
    project = tmp_path / "astro-lab"
    (project / "src").mkdir()
    (project / "src" / "here.py").write_text("x = 1\n")
    write("claims", name="Claims", content="Uses `src/here.py` and `src/gone.py`.", days=0.1)
    async with running(linked, size=(80, 40), project_root=project) as pilot:
        await pilot.press("j", "enter", "M")
        await opened(pilot)
        await until(pilot, lambda: "`src/here.py` ✓ and `src/gone.py` ✗" in shown(pilot))


@pytest.mark.parametrize("size", [(40, 10), (80, 24), (200, 60)])
async def test_hostile_texts_are_harmless(memory: Path, write: Write, size: tuple[int, int]) -> None:
    write("x", name="Hostile", content=HOSTILE.replace("\x00", ""))
    (memory / "MEMORY.md").write_text(f"- [a](x.md) — {HOSTILE}\n".replace("\x00", ""), encoding="utf-8")
    async with running(memory, size=size) as pilot:
        await pilot.press("D")
        await opened(pilot)
        await pilot.press("M", "G", "M")
        await pilot.pause()
        assert "\x1b" not in screen_text(pilot)
        assert "\u202e" not in screen_text(pilot)
