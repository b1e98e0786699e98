"""What is chosen in the app holds for the next run; the configuration wins, and a file that is no such file is left out."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual.pilot import Pilot

from memtui.choices import CHOICES_NAME, Choices, ChoicesFile
from memtui.config import NOTHING_SET, Config
from memtui.memory.types import Lang
from memtui.preferences import COLUMNS, Preferences
from memtui.tui.launch import make_app

from .conftest import Write, app_of, browse, notices, screen_text, until
from .making import NOW

CHOSEN = Choices(Preferences("name", reverse=True, density="comfortable", columns=("age", "size")), "nord")


@asynccontextmanager
async def running(
    folder: Path, state: Path, *, config: Config = NOTHING_SET, read_only: bool = False, lang: Lang = "en"
) -> AsyncIterator[Pilot[None]]:
    app = make_app(folder, clock=lambda: NOW, config=config, read_only=read_only, choices=state, lang=lang)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await until(pilot, lambda: app.snapshot is not None)
        yield pilot
        await until(pilot, lambda: not any(w.is_running for w in app.workers if w.group == "choices"))
    assert app.faults == []


def chosen(state: Path) -> Choices:
    return ChoicesFile(state).read()[0]


async def test_order_density_columns_and_theme_hold_for_the_next_run(write: Write, tmp_path: Path) -> None:
    folder, state = write("a").parent, tmp_path / "state"
    async with running(folder, state) as pilot:
        assert not state.exists()  # looking leaves no trace
        await pilot.press("s", "S", "full_stop")
        await pilot.press("f9", "k", "enter")
        theme = pilot.app.theme
        await until(pilot, lambda: chosen(state).theme == theme)
        liked = chosen(state).liked
        assert (liked.reverse, liked.density) == (True, "comfortable")
    async with running(folder, state) as pilot:
        assert pilot.app.theme == theme
        assert browse(pilot)._liked == liked
        assert browse(pilot).memories._tall == 2
        assert notices(pilot) == []


async def test_the_configuration_wins_and_is_not_taken_for_a_choice(write: Write, tmp_path: Path) -> None:
    folder, state = write("a").parent, tmp_path / "state"
    ChoicesFile(state).write(CHOSEN, 1)
    config = Config(density="compact", theme="textual-light")
    async with running(folder, state, config=config) as pilot:
        assert browse(pilot)._liked.density == "compact"
        assert browse(pilot)._liked.columns == ("age", "size")
        assert pilot.app.theme == "textual-light"
        await pilot.press("S")
        await until(pilot, lambda: not chosen(state).liked.reverse)
    assert chosen(state).liked.density == "comfortable"
    assert chosen(state).theme == "nord"


async def test_a_theme_that_is_only_looked_at_is_not_kept(write: Write, tmp_path: Path) -> None:
    folder, state = write("a").parent, tmp_path / "state"
    async with running(folder, state) as pilot:
        await pilot.press("f9", "k", "escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
    assert not state.exists()


async def test_a_read_only_look_takes_the_choices_and_writes_none(write: Write, tmp_path: Path) -> None:
    folder, state = write("a").parent, tmp_path / "state"
    ChoicesFile(state).write(CHOSEN, 1)
    async with running(folder, state, read_only=True) as pilot:
        assert browse(pilot)._liked == CHOSEN.liked
        await pilot.press("S")
        await until(pilot, lambda: not browse(pilot)._liked.reverse)
    assert chosen(state) == CHOSEN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        "null",
        json.dumps({"sort": "name"}),
        json.dumps({"sort": 1, "reverse": False, "density": "compact", "columns": [], "theme": None}),
        json.dumps({"sort": "x", "reverse": False, "density": "wide", "columns": [], "theme": None}),
        "\xff",
        "[" * 10_000,
    ],
)
async def test_a_file_that_is_no_such_file_is_left_out_with_a_word(
    write: Write, tmp_path: Path, text: str
) -> None:
    folder, state = write("a").parent, tmp_path / "state"
    state.mkdir()
    (state / CHOICES_NAME).write_text(text, encoding="latin-1")
    async with running(folder, state) as pilot:
        assert browse(pilot)._liked == Preferences()
        assert any("cannot be understood" in note and CHOICES_NAME in note for note in notices(pilot))
        await pilot.press("S")
        await until(pilot, lambda: chosen(state).liked.reverse)  # written anew


async def test_a_theme_that_is_no_more_is_left_out(write: Write, tmp_path: Path) -> None:
    folder, state = write("a").parent, tmp_path / "state"
    ChoicesFile(state).write(Choices(theme="gone"), 1)
    async with running(folder, state) as pilot:
        assert pilot.app.theme == "textual-dark"


async def test_a_choice_that_cannot_be_kept_holds_for_this_run_and_is_told(
    write: Write, tmp_path: Path
) -> None:
    folder, state = write("a").parent, tmp_path / "state"
    state.write_text("a file stands there", encoding="utf-8")
    async with running(folder, state) as pilot:
        await pilot.press("S")
        await until(
            pilot, lambda: any("could not be kept for the next run" in note for note in notices(pilot))
        )
        assert "reversed" in screen_text(pilot)
        assert app_of(pilot).faults == []


@given(
    st.builds(
        Choices,
        st.builds(
            Preferences,
            st.sampled_from(["score", "name", "odd"]),
            st.booleans(),
            st.sampled_from(["compact", "comfortable"]),
            st.sets(st.sampled_from(COLUMNS)).map(lambda names: tuple(n for n in COLUMNS if n in names)),
        ),
        st.one_of(st.none(), st.text(max_size=100)),
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=30)
def test_what_is_written_is_read_again(tmp_path: Path, choices: Choices) -> None:
    ChoicesFile(tmp_path).write(choices, 1)
    assert ChoicesFile(tmp_path).read() == (choices, False)
    assert [path.name for path in tmp_path.iterdir()] == [CHOICES_NAME]  # no temp file is left


def test_the_newest_choice_stays_whichever_thread_is_slower(tmp_path: Path) -> None:
    file = ChoicesFile(tmp_path)
    threads = [
        threading.Thread(target=file.write, args=(Choices(theme=str(number)), number))
        for number in (3, 1, 4, 2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert file.read()[0].theme == "4"


def test_a_folder_that_cannot_be_written_leaves_the_choices_before(tmp_path: Path) -> None:
    file = ChoicesFile(tmp_path)
    file.write(CHOSEN, 1)
    file.path.unlink()
    file.path.mkdir()  # a folder where the file should be
    with pytest.raises(OSError, match=CHOICES_NAME):
        file.write(Choices(), 2)
    assert [path.name for path in tmp_path.iterdir()] == [CHOICES_NAME]
