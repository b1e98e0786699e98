"""A person's own keys (issue 3 §7): read as people write keys, held against clashes, shown wherever keys are shown."""

from __future__ import annotations

import pytest

from memtui.config import Config
from memtui.tui.actions.registry import ACTIONS, BY_ID
from memtui.tui.keymap import TYPING_PLACES, make_keymap
from memtui.tui.voice import Voice

from .conftest import Write, browse, notices, running, screen_text

SOURCES = {f"keys.{action.id}": "/home/ada/config.toml" for action in ACTIONS}


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("u", "u"),
        ("U", "U"),
        ("!", "exclamation_mark"),
        ("exclamation_mark", "exclamation_mark"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        (" ", "space"),
        ("del", "delete"),
        ("PgDn", "pagedown"),
        ("↓", "down"),
        ("Ctrl+Shift+Left", "ctrl+shift+left"),
        ("shift+ctrl+left", "ctrl+shift+left"),
        ("F12", "f12"),
        ("return", "enter"),
        ("文", "文"),
    ],
)
def test_keys_as_people_write_them(written: str, key: str) -> None:
    assert make_keymap({"discard": [written]}).keys == {"discard": key}


@pytest.mark.parametrize("written", ["", "ctrl+", "hyper+nope", "nokey", "ctrl+x+y", "\x1b", "\x1b[A"])
def test_what_is_no_key_is_told_and_the_action_keeps_its_own(written: str) -> None:
    made = make_keymap({"undo": [written]}, SOURCES)
    assert made.keys == {}
    assert len(made.problems) == 1
    assert made.problems[0].startswith("/home/ada/config.toml: there is no key")
    assert "\x1b" not in made.problems[0]


def test_an_unknown_action_names_the_nearest() -> None:
    (problem,) = make_keymap({"undoo": ["u"]}, {"keys.undoo": "/x.toml"}).problems
    assert problem == "/x.toml: there is no action “undoo”. Did you mean “undo”?"
    (problem,) = make_keymap({"qqqqqqqq": ["u"]}).problems
    assert "The README lists them." in problem


def test_a_clash_names_both_actions_and_the_file_and_only_those_keep_their_own_keys() -> None:
    made = make_keymap({"undo": ["d"], "quit": ["Q"]}, SOURCES)
    assert made.keys == {"quit": "Q"}
    (problem,) = made.problems
    assert problem.startswith("/home/ada/config.toml: d would mean two things on one screen")
    assert "Forget (forget)" in problem
    assert "Undo (undo)" in problem


def test_two_actions_may_swap_their_keys() -> None:
    made = make_keymap({"undo": ["d"], "forget": ["z"]})
    assert made.problems == ()
    assert made.keys == {"undo": "d", "forget": "z"}


def test_a_key_given_back_is_held_against_the_others_again() -> None:
    # forget leaves d to undo, but its own wish clashes: then undo cannot have d either.
    made = make_keymap({"undo": ["d"], "forget": ["s"]})
    assert made.keys == {}
    assert len(made.problems) == 2


def test_places_do_not_clash_with_one_another() -> None:
    assert make_keymap({"yes": ["d"]}).problems == ()


@pytest.mark.parametrize("written", ["x", "?", " ", "文"])
def test_a_letter_stays_a_letter_where_one_types(written: str) -> None:
    made = make_keymap({"keep_filter": [written]}, SOURCES)
    assert made.keys == {}
    assert len(made.problems) == 1


def test_no_action_of_a_typing_place_has_a_letter_by_itself() -> None:
    own = {
        action.id: action.keys.split(",") for action in ACTIONS if TYPING_PLACES.intersection(action.places)
    }
    assert own
    for name, keys in own.items():
        assert all(len(key) > 1 for key in keys), name


def test_a_voice_says_the_keys_a_person_has() -> None:
    voice = Voice("zh", {"undo": "u,ctrl+z"})
    spoken = voice.action(BY_ID["undo"])
    assert (spoken.keys, spoken.title, spoken.hint) == ("u,ctrl+z", "撤销", "撤销")
    assert Voice().action(BY_ID["undo"]) is BY_ID["undo"]


async def test_a_moved_key_works_and_shows_and_the_old_one_does_nothing(write: Write) -> None:
    folder = write("a").parent
    write("b", days=3)
    config = Config(keys={"reverse": ("x",), "sort": ("ctrl+o", "f6"), "filter": ("f", "slash")})
    async with running(folder, config=config) as pilot:
        await pilot.press("s", "S")
        assert "by score " in screen_text(pilot)
        await pilot.press("f6")
        assert "by age" in screen_text(pilot)
        await pilot.press("x")
        assert "reversed" in screen_text(pilot)
        assert " f filter" in screen_text(pilot)
        await pilot.press("question_mark")
        assert "ctrl+o f6" in screen_text(pilot)
        assert notices(pilot) == []


async def test_clashing_keys_are_told_and_the_app_starts_with_its_own(write: Write) -> None:
    folder = write("a").parent
    config = Config(keys={"undo": ("d",)}, sources={"keys.undo": "/x.toml"})
    async with running(folder, config=config) as pilot:
        assert any("/x.toml: d would mean two things" in note for note in notices(pilot))
        await pilot.press("d")
        assert "Forget" in screen_text(pilot)


async def test_the_palette_can_be_moved(write: Write) -> None:
    folder = write("a").parent
    async with running(folder, config=Config(keys={"palette": ("f2",)})) as pilot:
        await pilot.press("ctrl+p")
        assert pilot.app.screen is browse(pilot)
        await pilot.press("f2")
        assert pilot.app.screen is not browse(pilot)


async def test_an_unknown_theme_is_told_with_the_nearest(write: Write) -> None:
    folder = write("a").parent
    config = Config(theme="draculla", sources={"theme": "/x.toml"})
    async with running(folder, config=config) as pilot:
        assert notices(pilot) == ["Settings: /x.toml: there is no theme “draculla”. Did you mean “dracula”?"]
        assert pilot.app.theme == "textual-dark"
