"""Spec §15: when auto memory is off. Each row was measured against the released client (see the integration tests)."""

import json
from pathlib import Path

import pytest

from memtui.claude.settings import Settings, read_settings
from memtui.claude.switch import Switch, auto_memory_state, variable_problems

DISABLE, SIMPLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY", "CLAUDE_CODE_SIMPLE"
REMOTE, REMOTE_DIR = "CLAUDE_CODE_REMOTE", "CLAUDE_CODE_REMOTE_MEMORY_DIR"


def user(tmp: Path, value: object) -> Settings:
    (tmp / "settings.json").write_text(json.dumps(value))
    return read_settings(config=tmp, cwd=tmp / "project")


@pytest.mark.parametrize("text", ["1", "true", "TRUE", "yes", "on", " 1 "])
def test_disabled_by_the_variable(tmp_path: Path, text: str) -> None:
    settings = user(tmp_path, {"autoMemoryEnabled": True})
    found = auto_memory_state({DISABLE: text}, settings)
    assert found == Switch(on=False, code="disabled", value=text.strip())
    assert found.rule == f"{DISABLE}={text.strip()}"


@pytest.mark.parametrize("text", ["0", "false", "False", "no", "off"])
def test_forced_on_by_the_variable(tmp_path: Path, text: str) -> None:
    settings = user(tmp_path, {"autoMemoryEnabled": False})
    assert auto_memory_state({DISABLE: text, REMOTE: "1"}, settings) == Switch(
        on=True, code="forced", value=text
    )


@pytest.mark.parametrize("text", ["", "2", "nonsense"])
def test_a_variable_that_is_neither_yes_nor_no_counts_for_nothing(tmp_path: Path, text: str) -> None:
    assert auto_memory_state({DISABLE: text, SIMPLE: text, REMOTE: text}, Settings()).code == "default"
    found = auto_memory_state({DISABLE: text}, user(tmp_path, {"autoMemoryEnabled": False}))
    assert (found.on, found.code) == (False, "setting")


def test_simple_mode_is_off_even_where_memory_is_forced_on() -> None:
    assert auto_memory_state({SIMPLE: "1", DISABLE: "0"}, Settings()) == Switch(
        on=False, code="simple", value="1"
    )
    assert auto_memory_state({SIMPLE: "0"}, Settings()).on


def test_remote_mode_is_off_without_a_folder_of_its_own(tmp_path: Path) -> None:
    assert auto_memory_state({REMOTE: "1"}, Settings()) == Switch(on=False, code="remote", value="1")
    assert auto_memory_state({REMOTE: "1", REMOTE_DIR: "/r"}, Settings()).on
    settings = user(tmp_path, {"autoMemoryEnabled": False})
    assert auto_memory_state({REMOTE: "1", REMOTE_DIR: "/r"}, settings).code == "setting"


def test_the_setting_names_its_file(tmp_path: Path) -> None:
    found = auto_memory_state({}, user(tmp_path, {"autoMemoryEnabled": False}))
    assert found == Switch(on=False, code="setting", value="false", where=tmp_path / "settings.json")
    assert found.rule == f"autoMemoryEnabled: false in {tmp_path}/settings.json"
    assert found.said("zh") == f"{tmp_path}/settings.json 中的 autoMemoryEnabled: false"


def test_env_of_a_settings_file_wins_over_the_process(tmp_path: Path) -> None:
    settings = user(tmp_path, {"env": {DISABLE: "1"}})
    found = auto_memory_state({DISABLE: "0"}, settings)
    assert found == Switch(on=False, code="disabled", value="1", where=tmp_path / "settings.json")
    assert auto_memory_state({DISABLE: "1"}, user(tmp_path, {"env": {DISABLE: 0}})).on
    assert auto_memory_state({DISABLE: "1"}, user(tmp_path, {"env": {DISABLE: ""}})).code == "default"


@pytest.mark.parametrize(("name", "on"), [(DISABLE, False), (SIMPLE, True), (REMOTE, True)])
def test_of_a_projects_env_only_the_switch_itself_counts(tmp_path: Path, name: str, on: bool) -> None:
    mine = tmp_path / "project" / ".claude" / "settings.json"
    mine.parent.mkdir(parents=True)
    mine.write_text(json.dumps({"env": {name: "1"}}))
    settings = read_settings(config=tmp_path, cwd=tmp_path / "project")
    assert auto_memory_state({}, settings).on is on


def test_default_is_on() -> None:
    assert auto_memory_state({}, Settings()) == Switch(on=True, code="default")


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "~/over", "bad_variable"),
        ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "/", "bad_variable"),
        ("CLAUDE_CONFIG_DIR", "~/cfg", "relative_variable"),
        (REMOTE_DIR, "rem", "relative_variable"),
        (DISABLE, "2", "neither"),
        (SIMPLE, "maybe", "neither"),
        (REMOTE, "web", "neither"),
    ],
)
def test_a_variable_that_does_not_do_what_it_seems_to_is_told(
    tmp_path: Path, name: str, text: str, code: str
) -> None:
    (problem,) = variable_problems({name: text}, Settings())
    assert (problem.where, problem.code, problem.key, problem.detail) == (None, code, name, text)
    assert repr(text) in problem.what
    assert repr(text) in problem.said("zh")[0]
    (problem,) = variable_problems({}, user(tmp_path, {"env": {name: text}}))
    assert (problem.where, problem.code) == (tmp_path / "settings.json", code)


def test_variables_that_are_right_or_empty_are_no_problem() -> None:
    environ = {DISABLE: " TRUE ", SIMPLE: "", REMOTE: "off", REMOTE_DIR: "/r", "CLAUDE_CONFIG_DIR": "/c"}
    assert variable_problems({**environ, "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "/x/"}, Settings()) == ()
