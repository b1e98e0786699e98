"""``memtui where``, and which store opens without a name (needs.md 4, spec §15)."""

import json
from pathlib import Path

import pytest

from memtui.claude.paths import project_slug
from tests.unit.cli_support import Cli

OFF = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


def other_store(cli: Cli, config: str = ".claude-work") -> Path:
    path = cli.home / config / "projects" / project_slug(str(cli.project)) / "memory"
    path.mkdir(parents=True)
    (path / "left.md").write_text("A body.\n")
    return path


def settings(cli: Cli, value: object) -> Path:
    path = cli.home / ".claude" / "settings.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def test_it_says_which_folder_and_why(cli: Cli) -> None:
    cli.memory_file("one", days_old=1)
    done = cli("where")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"project {cli.project}\nauto memory is on (the default)\n\n"
        f"{cli.memory}\n  in force · the project {cli.project}\n  1 memory · changed yesterday\n"
    )


def test_it_speaks_chinese(cli: Cli) -> None:
    cli.memory_file("one", days_old=1)
    assert cli("where", "--lang", "zh").out == (
        f"项目 {cli.project}\n自动记忆已开启（默认）\n\n"
        f"{cli.memory}\n  使用中 · 项目 {cli.project}\n  1 条记忆 · 昨天改动\n"
    )


def test_json_has_the_documented_keys(cli: Cli) -> None:
    cli.memory_file("one")
    left = other_store(cli)
    done = cli("where", "--json")
    assert done.code == 0
    first, second = done.json
    assert first == {
        "path": str(cli.memory),
        "rule": f"the project {cli.project}",
        "exists": True,
        "memories": 1,
        "used": None,
        "kind": "project",
        "in_force": True,
        "changed": cli.now,
        "used_at": None,
        "project": str(cli.project),
        "auto_memory": {"on": True, "rule": "the default", "where": None},
        "warnings": [],
        "problems": [],
    }
    assert (second["path"], second["exists"], second["in_force"]) == (str(left), True, False)
    assert [warning["code"] for warning in second["warnings"]] == ["unseen"]
    assert done.err == f"memtui: 1 memory that the client does not see here: {left}\n"


def test_it_names_what_switches_memory_off_and_what_is_wrong_with_settings(cli: Cli) -> None:
    path = settings(cli, {"autoMemoryEnabled": False, "autoMemoryDirectory": "notes"})
    done = cli("where")
    assert done.code == 0
    assert f"auto memory is off (autoMemoryEnabled: false in {path})\n" in done.out
    assert done.err == (
        f"memtui: {path}: autoMemoryDirectory is 'notes', which is not followed. "
        "Write an absolute path other than '/', or one that begins with '~/'\n"
    )
    (place,) = cli("where", "--json").json
    assert place["auto_memory"] == {
        "on": False,
        "rule": f"autoMemoryEnabled: false in {path}",
        "where": str(path),
    }
    assert [(row["code"], row["key"], row["where"]) for row in place["problems"]] == [
        ("bad_folder", "autoMemoryDirectory", str(path))
    ]


def test_a_broken_settings_file_is_told_and_is_not_fatal(cli: Cli) -> None:
    path = settings(cli, "{oops")
    done = cli("where")
    assert done.code == 0
    assert done.err.startswith(f"memtui: {path}: this settings file is not valid JSON")
    assert done.err.count("\n") == 1


def test_another_directory_can_be_asked_about_also_one_that_is_gone(cli: Cli) -> None:
    gone = cli.tmp / "gone"
    done = cli("where", "../gone", "--json")
    assert [place["rule"] for place in done.json] == [f"the project {gone}"]
    assert done.err == f"there is no directory {gone}; this is how it would be\n"
    assert done.code == 0


def test_a_store_stands_for_its_project(cli: Cli) -> None:
    below = cli.project / "src"
    below.mkdir()
    for words in ([str(cli.memory)], ["--dir", str(cli.memory)]):
        done = cli("where", *words, "--json", cwd=cli.tmp)
        assert [(place["project"], place["path"]) for place in done.json] == [
            (str(cli.project), str(cli.memory))
        ]


def test_the_app_opens_the_store_in_force(cli: Cli) -> None:
    other_store(cli)
    cli.memory_file("one")
    assert cli().code == 0
    (launched,) = cli.launched
    assert (launched["memory_dir"], launched["off"], launched["greeting"]) == (cli.memory, "", "")


def test_where_that_is_not_there_the_app_opens_the_one_that_holds_memories_and_says_so(cli: Cli) -> None:
    left = other_store(cli)
    cli.memory.rmdir()
    assert cli().code == 0
    (launched,) = cli.launched
    assert (launched["memory_dir"], launched["project_root"]) == (left, cli.project)
    assert launched["off"] == "Claude Code does not use this folder here"
    assert launched["greeting"] == (
        f"{cli.memory} is not there; opened {left} instead "
        f"(the project {cli.project}, in the configuration folder {left.parents[2]})"
    )


def test_a_command_does_not_turn_to_another_store_but_names_it(cli: Cli) -> None:
    left = other_store(cli)
    cli.memory.rmdir()
    done = cli("list")
    assert done.code == 2
    assert f"There are memories in:\n  {left}\n'memtui where' says more. Looked for:\n" in done.err
    assert f"以下目录中有记忆：\n  {left}\n" in cli("list", "--lang", "zh").err
    assert not cli.memory.exists()


def test_an_empty_folder_elsewhere_is_no_reason_to_open_it(cli: Cli) -> None:
    other_store(cli).joinpath("left.md").unlink()
    cli.memory.rmdir()
    done = cli()
    assert done.code == 0
    (launched,) = cli.launched
    assert launched["memory_dir"] == cli.memory
    assert not cli.memory.exists()


def test_the_app_is_told_that_auto_memory_is_off(cli: Cli) -> None:
    cli.environ[OFF] = "1"
    cli()
    cli(str(cli.memory), cwd=cli.tmp)
    for launched in cli.launched:
        assert launched["off"] == launched["greeting"] == f"auto memory is off ({OFF}=1)"


def test_a_directory_that_is_no_store_of_the_client_is_not_off(cli: Cli) -> None:
    cli.environ[OFF] = "1"
    notes = cli.tmp / "notes"
    notes.mkdir()
    cli(str(notes))
    assert (cli.launched[0]["off"], cli.launched[0]["greeting"]) == ("", "")


def test_what_a_settings_file_holds_reaches_the_terminal_visible(cli: Cli) -> None:
    settings(cli, {"autoMemoryDirectory": "x\x1b]0;y\x07"})
    for words in (["where"], ["where", "--json"]):
        done = cli(*words)
        assert "\x1b" not in done.out + done.err
        assert "\x07" not in done.out + done.err


def test_what_a_moved_project_left_behind_can_be_adopted(cli: Cli) -> None:
    gone = cli.tmp / "before" / "project"
    left = cli.memory.parents[1] / project_slug(str(gone)) / "memory"
    left.mkdir(parents=True)
    (left / "a.md").write_text("A body.\n")
    done = cli("where")
    assert f"\n{left}\n" in done.out
    assert "'memtui adopt' takes its memories over" in done.err
    assert "adopt" not in cli("where", cwd=cli.tmp).err


def test_a_relative_variable_is_explained_and_is_not_fatal(cli: Cli) -> None:
    cli.environ["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"] = "~/over"
    done = cli("where", "--json")
    assert done.code == 0
    (place,) = done.json
    assert place["path"] == str(cli.memory)
    assert [(row["code"], row["where"]) for row in place["problems"]] == [("bad_variable", None)]
    assert done.err == (
        "memtui: CLAUDE_COWORK_MEMORY_PATH_OVERRIDE is '~/over', which is not followed. "
        "Write an absolute path other than '/'\n"
    )
