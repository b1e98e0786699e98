"""Spec §15: settings files of every kind, read tolerantly. What counts was measured against the released client."""

import json
import os
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.claude.paths import memory_candidates, settings_at, usable_folder
from memtui.claude.settings import (
    MAX_SETTINGS_BYTES,
    ManagedPlaces,
    Settings,
    SettingsProblem,
    managed_places,
    read_settings,
)
from memtui.claude.wording import words


class Place:
    """A home, a project in it, and an organisation's folder."""

    def __init__(self, tmp: Path) -> None:
        self.home = tmp / "home"
        self.config = self.home / ".claude"
        self.project = tmp / "project"
        self.managed = ManagedPlaces.below(tmp / "etc")
        self.project.mkdir(parents=True)

    def put(self, path: Path, value: object) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, bytes):
            path.write_bytes(value)
        else:
            path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    def user(self, value: object) -> Path:
        return self.put(self.config / "settings.json", value)

    def own(self, value: object, name: str = "settings.json") -> Path:
        return self.put(self.project / ".claude" / name, value)

    def organisation(self, value: object, drop_in: str = "") -> Path:
        return self.put(self.managed.folder / drop_in if drop_in else self.managed.file, value)

    def read(self, cwd: Path | None = None, root: Path | None = None) -> Settings:
        return read_settings(
            config=self.config,
            cwd=cwd or self.project,
            root=root or cwd or self.project,
            managed=self.managed,
        )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


OFF, ON = {"autoMemoryEnabled": False}, {"autoMemoryEnabled": True}


def codes(settings: Settings) -> list[tuple[str, str]]:
    return [(problem.code, problem.key) for problem in settings.problems]


def test_no_files_are_no_settings_and_no_problem(place: Place) -> None:
    assert place.read() == Settings()


def test_managed_wins_over_local_over_project_over_user(place: Place) -> None:
    sources = [place.user(OFF)]
    assert place.read().enabled is not None
    sources += [place.own(ON), place.own(OFF, "settings.local.json"), place.organisation(ON)]
    assert [(value.where, value.value) for value in place.read().values("autoMemoryEnabled")] == [
        (path, number % 2 == 1) for number, path in reversed(list(enumerate(sources)))
    ]
    for path in reversed(sources):
        enabled = place.read().enabled
        assert enabled is not None
        assert enabled.where == path
        path.unlink()


def test_a_later_drop_in_wins_over_an_earlier_one_and_both_over_the_managed_file(place: Place) -> None:
    paths = [
        place.organisation({"autoMemoryDirectory": f"/{name or 'main'}"}, name)
        for name in ("", "10.json", "9.json")
    ]
    place.organisation({"autoMemoryDirectory": "/hidden"}, ".x.json")
    place.organisation({"autoMemoryDirectory": "/other"}, "99.txt")
    assert [value.where for value in place.read().values("autoMemoryDirectory")] == paths[::-1]
    named = place.read().directory(place.home)
    assert named is not None
    assert named[0] == Path("/9.json")


def test_a_project_settings_file_counts_in_its_own_folder_a_local_one_in_the_whole_checkout(
    place: Place,
) -> None:
    below = place.project / "sub"
    place.own(OFF)
    assert place.read(below, place.project).enabled is None
    above = place.own(ON, "settings.local.json")
    place.put(below / ".claude" / "settings.local.json", OFF)
    enabled = place.read(below, place.project).enabled
    assert enabled is not None
    assert (enabled.where, enabled.value) == (above, True)


def test_a_project_is_trusted_for_the_switch_and_not_for_a_folder(place: Place) -> None:
    mine = place.own({"autoMemoryDirectory": "/elsewhere", **OFF})
    settings = place.read()
    assert settings.enabled is not None
    assert settings.directory(place.home) is None
    assert [(path, value.where) for path, value in settings.untrusted_directories(place.home)] == [
        (Path("/elsewhere"), mine)
    ]
    assert codes(settings) == [("untrusted", "autoMemoryDirectory")]


def test_in_the_home_the_settings_of_the_project_are_those_of_the_user(place: Place) -> None:
    place.user({"autoMemoryDirectory": "~/mine"})
    settings = place.read(place.home)
    named = settings.directory(place.home)
    assert named is not None
    assert named[0] == place.home / "mine"
    assert settings.problems == ()


def test_a_managed_folder_that_is_none_hides_the_users(place: Place) -> None:
    place.user({"autoMemoryDirectory": "/mine"})
    place.organisation({"autoMemoryDirectory": "relative"})
    assert place.read().directory(place.home) is None
    assert codes(place.read()) == [("bad_folder", "autoMemoryDirectory")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{oops", "not_json"),
        ('{// no\n"autoMemoryEnabled": false}', "not_json"),
        ('{"autoMemoryEnabled": false,}', "not_json"),
        ('{"autoMemoryEnabled": false, "x": NaN}', "not_json"),
        ("[" * 100_000, "not_json"),
        ('{"x": ' + "1" * 5_000 + "}", "not_json"),
        ("[1]", "not_an_object"),
        ("null", "not_an_object"),
        ('{"autoMemoryEnabled": "false"}', "wrong_type_file"),
        ('{"autoMemoryEnabled": 0}', "wrong_type_file"),
        ('{"autoMemoryEnabled": null}', "wrong_type_file"),
        ('{"autoMemoryEnabled": false, "autoMemoryDirectory": 3}', "wrong_type_file"),
        ('{"autoMemoryEnabled": false, "env": []}', "wrong_type_file"),
    ],
)
def test_a_file_that_the_client_drops_is_a_problem_and_sets_nothing(
    place: Place, text: str, code: str
) -> None:
    path = place.user(text)
    settings = place.read()
    assert settings.files == ()
    (problem,) = settings.problems
    assert (problem.where, problem.code) == (path, code)
    assert problem.what
    assert problem.todo


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf{"autoMemoryEnabled": false}',
        b'{"autoMemoryEnabled": true, "autoMemoryEnabled": false}',
        b'{"autoMemoryEnabled": false, "nonsense": 3}',
        b'{"autoMemoryEnabled": false, "x": "\xff"}',
        b'{"autoMemoryEnabled": false, "autoMemoryDirectory": "relative"}',
    ],
)
def test_what_the_client_reads_is_read(place: Place, data: bytes) -> None:
    place.user(data)
    enabled = place.read().enabled
    assert enabled is not None
    assert enabled.value is False


@pytest.mark.parametrize("data", [b"", b" \n"])
def test_an_empty_file_sets_nothing_and_is_no_problem(place: Place, data: bytes) -> None:
    place.user(data)
    assert place.read() == Settings()


def test_one_wrong_value_of_a_managed_file_leaves_its_others_in_effect(place: Place) -> None:
    place.organisation({"autoMemoryEnabled": "x", "autoMemoryDirectory": "/theirs"})
    settings = place.read()
    named = settings.directory(place.home)
    assert named is not None
    assert named[0] == Path("/theirs")
    assert settings.enabled is None
    assert codes(settings) == [("wrong_type", "autoMemoryEnabled")]


def test_the_size_limit_is_the_clients(place: Place) -> None:
    text = json.dumps({**OFF, "x": ""})
    room = MAX_SETTINGS_BYTES - len(text)
    place.user(json.dumps({**OFF, "x": "a" * room}))
    assert place.read().enabled is not None
    place.user(json.dumps({**OFF, "x": "a" * (room + 1)}))
    assert codes(place.read()) == [("too_large", "")]


def test_things_that_are_no_files_are_problems_and_nothing_waits_for_a_pipe(place: Place) -> None:
    (place.config / "settings.json").mkdir(parents=True)
    (place.project / ".claude").mkdir()
    os.mkfifo(place.project / ".claude" / "settings.json")
    (place.project / ".claude" / "settings.local.json").symlink_to("settings.local.json")
    assert codes(place.read()) == [("unreadable", ""), ("not_a_file", ""), ("not_a_file", "")]


def test_a_file_without_permission_is_a_problem(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    path = place.user(OFF)
    real = os.open

    def refusing(name: Any, *rest: Any, **more: Any) -> int:
        if Path(name) == path:
            raise PermissionError(13, "Permission denied", str(name))
        return real(name, *rest, **more)

    monkeypatch.setattr(os, "open", refusing)
    (problem,) = place.read().problems
    assert (problem.code, problem.detail) == ("unreadable", "Permission denied")


def test_a_settings_file_behind_a_link_is_read(place: Place) -> None:
    place.put(place.home / "dotfiles" / "claude.json", OFF)
    place.config.mkdir(parents=True)
    (place.config / "settings.json").symlink_to("../dotfiles/claude.json")
    assert place.read().enabled is not None


@pytest.mark.parametrize(
    "text", ["relative", "~", "~/", "~/.", "~/..", "/", "//", "/x/..", "", "a\0b", "~x/y", "."]
)
def test_what_names_no_folder(text: str) -> None:
    assert usable_folder(text, Path("/home/u")) is None


@pytest.mark.parametrize(
    ("text", "path"),
    [("~/a", "/home/u/a"), ("/a/../b/", "/b"), ("/a//b", "/a/b"), ("~/.memory", "/home/u/.memory")],
)
def test_what_names_a_folder(text: str, path: str) -> None:
    assert usable_folder(text, Path("/home/u")) == Path(path)


def test_env_of_trusted_files_moves_the_store_and_that_of_a_project_does_not(place: Place) -> None:
    name = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
    place.own({"env": {name: "/stranger"}})
    at: Any = {"cwd": place.project, "environ": {name: "/process"}, "home": place.home}
    assert memory_candidates(**at)[0].path == Path("/process")
    place.user({"env": {name: "/mine"}})
    assert memory_candidates(**at)[0].path == Path("/mine")
    place.organisation({"env": {name: "/theirs"}})
    settings = settings_at(**at, managed=place.managed)
    assert memory_candidates(**at, settings=settings)[0].path == Path("/theirs")


def test_env_of_the_user_moves_the_base(place: Place) -> None:
    place.user({"env": {"CLAUDE_CONFIG_DIR": "/far"}})
    (found,) = memory_candidates(place.project, environ={}, home=place.home)
    assert found.path.parts[:3] == ("/", "far", "projects")


def test_a_relative_configuration_folder_is_below_the_working_directory(place: Place) -> None:
    place.put(place.project / "cfg" / "settings.json", {"autoMemoryDirectory": "/from-cfg"})
    found = memory_candidates(place.project, environ={"CLAUDE_CONFIG_DIR": "cfg"}, home=place.home)
    assert found[0].path == Path("/from-cfg")
    assert found[1].path.is_relative_to(place.project / "cfg" / "projects")


@pytest.mark.parametrize(
    ("platform", "file"),
    [
        ("linux", "/etc/claude-code/managed-settings.json"),
        ("darwin", "/Library/Application Support/ClaudeCode/managed-settings.json"),
    ],
)
def test_where_managed_settings_lie(platform: str, file: str) -> None:
    assert managed_places(platform).file == Path(file)
    assert managed_places(platform).folder == Path(file).with_suffix(".d")


@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(string.printable, max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["autoMemoryEnabled", "autoMemoryDirectory", "env", "x"]), inner, max_size=4
            )
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode())
)
def test_no_settings_file_is_fatal_and_none_is_passed_over_in_silence(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    place = Place(tmp_path_factory.mktemp("place"))
    place.user(data)
    settings = place.read()
    assert bool(settings.files) or bool(settings.problems) or not data.strip()
    for problem in settings.problems:
        assert "{" not in problem.code
        assert all(problem.said("en"))
        assert all(problem.said("zh"))


def test_every_sentence_about_settings_has_the_same_parts_in_both_languages() -> None:
    def parts(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    en, zh = words("en"), words("zh")
    assert en.settings.keys() == zh.settings.keys()
    for code, pair in en.settings.items():
        assert [parts(text) for text in pair] == [parts(text) for text in zh.settings[code]], code
    for one, two in ((en.rules, zh.rules), (en.switches, zh.switches), (en.warnings, zh.warnings)):
        assert {key: parts(text) for key, text in one.items()} == {
            key: parts(text) for key, text in two.items()
        }


def test_a_broken_managed_file_says_that_the_client_does_not_start(place: Place) -> None:
    place.organisation("{oops")
    (problem,) = place.read().problems
    assert problem == SettingsProblem(place.managed.file, "not_json", "", problem.detail, "managed")
    assert problem.todo == words("en").managed_todo
