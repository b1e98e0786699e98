"""One registry: bindings, key bar, help, palette and README table come from it (design §3)."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

import memtui.tui.screens
from memtui.tui.actions import registry as actions
from memtui.tui.actions.checks import mends, mends_alike
from memtui.tui.actions.registry import ACTIONS, BY_ID, Action, Situation
from memtui.tui.present.lines import plain
from memtui.tui.screens.base import ActionScreen
from memtui.tui.screens.choice import ChoiceScreen
from memtui.tui.screens.filtered import Filtered
from memtui.tui.screens.help import help_blocks

READY = Situation(selected=True, active=True, total=3, undo="x", redo="y")


def screens() -> dict[str, type[ActionScreen[Any]]]:
    """Every screen by its place."""
    modules = [
        importlib.import_module(f"memtui.tui.screens.{each.name}")
        for each in pkgutil.iter_modules(memtui.tui.screens.__path__)
    ]
    found = [each for module in modules for each in vars(module).values() if isinstance(each, type)]
    places = {each.PLACE: each for each in found if issubclass(each, ActionScreen) and "PLACE" in vars(each)}
    return {place: screen for place, screen in places.items() if place}


def is_answer(action: Action, screen: type[ActionScreen[Any]]) -> bool:
    """Whether it is what a question gives back, instead of something that its screen does."""
    return issubclass(screen, ChoiceScreen) and action.places == (screen.PLACE,)


PLACES = screens()
ON_A_SCREEN = [
    *PLACES.items(),
    *(("filter", each) for each in PLACES.values() if issubclass(each, Filtered)),
    ("query", PLACES["preview"]),
    ("edit_checks", PLACES["edit"]),
]


def test_ids_are_unique() -> None:
    assert len(BY_ID) == len(ACTIONS)


@pytest.mark.parametrize("place", [*PLACES, "filter", "query"])
def test_no_key_means_two_things_on_one_screen(place: str) -> None:
    keys = [key for action in actions.actions_for(place) for key in action.keys.split(",")]
    assert len(keys) == len(set(keys))


def test_the_screens_are_there() -> None:
    assert len(PLACES) > 20
    there = {place for place, _ in ON_A_SCREEN}
    assert {place for action in ACTIONS for place in action.places} - there == {"everywhere"}


@pytest.mark.parametrize(
    ("place", "screen"), ON_A_SCREEN, ids=[f"{place}-{each.PLACE}" for place, each in ON_A_SCREEN]
)
def test_every_action_of_a_screen_is_implemented_and_bound_by_id(
    place: str, screen: type[ActionScreen[Any]]
) -> None:
    """Of what is typed into on several screens, too: its keys and its part of the key bar reach each of them."""
    for action in actions.actions_for(place):
        assert is_answer(action, screen) or callable(getattr(screen, f"do_{action.id}"))
    bound = {binding.id for binding in actions.bindings_for(place)}
    assert bound == {action.id for action in actions.actions_for(place)} - {"palette"}


def test_design_3_keys() -> None:
    keys = {key: action.id for action in actions.actions_for("browse") for key in action.keys.split(",")}
    expected = {
        "j": "down", "k": "up", "g": "top", "G": "bottom", "slash": "filter", "enter": "open", "d": "forget",
        "z": "undo", "Z": "redo", "p": "preview", "s": "sort", "space": "mark", "v": "still_true",
        "ctrl+p": "palette", "question_mark": "help", "q": "quit",
    }  # fmt: skip
    assert {key: keys.get(key) for key in expected} == expected


@pytest.mark.parametrize(
    ("action_id", "change", "reason"),
    [
        ("forget", {"read_only": True}, "this is a read-only view"),
        ("forget", {"missing": True}, "the directory does not exist"),
        ("forget", {"missing": True, "creatable": True}, "the directory does not exist"),
        ("new", {"missing": True}, "the directory does not exist"),
        ("new", {"missing": True, "creatable": True}, None),
        ("forget", {"loading": True}, "memories are still being read"),
        ("open", {"selected": False, "total": 0, "loading": True}, "memories are still being read"),
        ("forget", {"busy": True}, "another change is still being written"),
        ("forget", {"selected": False}, "no memory is selected"),
        ("forget", {"selected": False, "total": 0}, "there is no memory here"),
        ("forget", {"active": False}, "this is an old version; only its successor can be changed"),
        ("forget", {"active": False, "marked": 2}, None),
        ("still_true", {"active": False}, "this is an old version; only its successor can be changed"),
        ("undo", {"undo": None}, "nothing to undo"),
        ("redo", {"redo": None}, "nothing to redo"),
        ("undo", {"read_only": True}, "this is a read-only view"),
        ("open", {"selected": False}, "no memory is selected"),
        ("forget", {}, None),
        ("quit", {"busy": True}, None),
    ],
)
def test_a_disabled_action_says_why(action_id: str, change: dict[str, object], reason: str | None) -> None:
    situation = READY._replace(**change)  # type: ignore[arg-type]
    assert BY_ID[action_id].blocked(situation) == reason


def test_help_lists_every_action_and_says_why_not() -> None:
    text = "\n".join(
        plain((*block.first, *block.line)) for block in help_blocks("browse", READY._replace(undo=None))
    )
    for action in actions.actions_for("browse"):
        assert action.title in text
    assert "Undo – not now: nothing to undo" in text


def test_readme_table_has_a_row_for_every_action() -> None:
    table = actions.readme_table()
    assert table.count("\n") == len(ACTIONS) + 2
    assert "| `/` | **Filter**" in table


def test_all_of_a_kind_can_be_fixed_from_one_that_cannot() -> None:
    now = Situation(active=True, total=3, finding=True, fixable_alike=True)
    assert mends(now) == "this one takes a person: the text says what to do"
    assert mends_alike(now) is None
    assert mends_alike(now._replace(fixable_alike=False)) == mends(now)
    assert mends_alike(now._replace(read_only=True)) == mends(now._replace(read_only=True))
