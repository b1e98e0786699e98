"""Design §4: memtui's hooks come into a settings file and go again, and nothing else in it changes by a byte."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.claude.hook_commands import hook_command, own_program
from memtui.claude.hook_settings import (
    backup_of,
    carry_out,
    installed_hooks,
    is_switched_off,
    plan_install,
    plan_uninstall,
    settings_path,
)
from memtui.claude.hooks import EVENTS
from memtui.memory.errors import Conflict, Refused

PROGRAM = ("/opt/my tools/memtui",)
ALL = tuple(EVENTS)
OTHERS = {
    "plain": '{\n  "model": "opus",\n  "permissions": {"allow": ["Bash(ls)"]}\n}\n',
    "tabs and CRLF": '{\r\n\t"model": "opus"\r\n}\r\n',
    "one line": '{"model":"opus"}',
    "empty object": "{}",
    "empty object on two lines": "{\n}\n",
    "empty file": "",
    "BOM": '\ufeff{"model": "大明"}\n',
    "no hooks yet": '{\n  "hooks": {}\n}\n',
    "an empty event": '{\n  "hooks": {\n    "SessionStart": []\n  }\n}\n',
    "others' hooks": (
        '{\n    "hooks": {\n        "Stop": [\n            {"matcher": "", "hooks": [{"type": "command", "command": "say hook stop"}]}\n'
        '        ],\n        "SessionStart": [ { "hooks": [ ] } ]\n    },\n    "z": 1\n}'
    ),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / ".claude" / "settings.json"


def write(path: Path, text: str) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return text.encode()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def install(path: Path, *words: str, program: tuple[str, ...] = PROGRAM) -> None:
    carry_out(plan_install(path, program, words or ALL))


def uninstall(path: Path) -> None:
    carry_out(plan_uninstall(path))


def commands(path: Path) -> dict[str, list[str]]:
    """What the file itself says, by event."""
    hooks = json.loads(path.read_bytes().decode("utf-8-sig"))["hooks"]
    return {
        event: [h["command"] for group in groups for h in group["hooks"]] for event, groups in hooks.items()
    }


@pytest.mark.parametrize("case", OTHERS)
def test_uninstalling_gives_back_every_byte(path: Path, case: str) -> None:
    before = write(path, OTHERS[case])
    install(path)
    assert {h.word for h in installed_hooks(path)} == set(ALL)
    assert backup_of(path).read_bytes() == before
    kept = json.loads(before.decode("utf-8-sig") or "{}")
    now = json.loads(path.read_bytes().decode("utf-8-sig"))
    assert {key: value for key, value in now.items() if key != "hooks"} == {
        key: value for key, value in kept.items() if key != "hooks"
    }
    uninstall(path)
    assert path.read_bytes() == before
    assert names(path.parent) == ["settings.json"]


@pytest.mark.parametrize("case", [case for case in OTHERS if "empty" not in case and case != "no hooks yet"])
def test_without_the_copy_too(path: Path, case: str) -> None:
    before = write(path, OTHERS[case])
    install(path)
    backup_of(path).unlink()
    uninstall(path)
    assert path.read_bytes() == before


def test_what_somebody_changed_meanwhile_stays(path: Path) -> None:
    write(path, OTHERS["plain"])
    install(path)
    changed = path.read_text().replace('"opus"', '"sonnet"').replace('"timeout": 2', '"timeout": 9')
    path.write_text(changed)
    uninstall(path)
    assert path.read_text() == OTHERS["plain"].replace('"opus"', '"sonnet"')


def test_a_hook_that_shares_a_group_with_anothers_goes_alone(path: Path) -> None:
    ours = {"type": "command", "command": hook_command("stop", PROGRAM)}
    theirs = {"type": "command", "command": "true"}
    write(path, json.dumps({"hooks": {"Stop": [{"hooks": [theirs, ours]}, {"hooks": [ours]}]}}, indent=2))
    uninstall(path)
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [{"hooks": [theirs]}]}}


def test_a_file_that_was_not_there_is_made_and_goes_again(path: Path) -> None:
    install(path)
    assert set(commands(path)) == set(EVENTS.values())
    assert not backup_of(path).exists()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    uninstall(path)
    assert names(path.parent) == []


def test_installing_twice_changes_nothing(path: Path) -> None:
    write(path, OTHERS["plain"])
    install(path)
    assert not plan_install(path, PROGRAM, ALL).changes
    assert not plan_install(path, PROGRAM, ["stop"]).changes


def test_events_can_come_one_by_one_and_the_copy_stays_that_of_before(path: Path) -> None:
    before = write(path, OTHERS["plain"])
    install(path, "session-start")
    assert set(commands(path)) == {"SessionStart"}
    install(path, "session-end", "stop")
    assert set(commands(path)) == set(EVENTS.values())
    assert backup_of(path).read_bytes() == before
    uninstall(path)
    assert path.read_bytes() == before


def test_a_program_that_moved_is_corrected_in_place(path: Path) -> None:
    write(path, OTHERS["others' hooks"])
    install(path)
    install(path, program=("/new/memtui",))
    found = commands(path)
    assert found["SessionStart"] == ["/new/memtui hook session-start # memtui"]
    assert found["Stop"] == ["say hook stop", "/new/memtui hook stop # memtui"]
    assert [hook.program for hook in installed_hooks(path)] == ["/new/memtui"] * 3
    uninstall(path)
    assert path.read_bytes() == OTHERS["others' hooks"].encode()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{\n  // mine\n  "a": 1\n}', "comment"),
        ('{"a": 1,}', "not JSON"),
        ("[]", "not a JSON object"),
        ('{"hooks": []}', "'hooks' is not an object"),
        ('{"hooks": {"Stop": {}}}', "'hooks.Stop' is not a list"),
        ('{"hooks": {}, "hooks": {}}', "twice"),
        ("\udcff", "not UTF-8"),
    ],
)
def test_what_cannot_be_edited_safely_is_refused_and_left(path: Path, text: str, word: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Refused, match=word) as caught:
        install(path)
    assert str(path) in str(caught.value)
    assert "Correct the file first" in str(caught.value)
    assert path.read_bytes() == text.encode("utf-8", "surrogateescape")
    assert names(path.parent) == ["settings.json"]


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "claude.json"
    before = write(target, OTHERS["plain"])
    target.chmod(0o640)
    path.parent.mkdir(parents=True)
    path.symlink_to("../../dotfiles/claude.json")
    install(path)
    assert str(path.readlink()) == "../../dotfiles/claude.json"
    assert set(commands(target)) == set(EVENTS.values())
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert names(target.parent) == ["claude.json"]
    assert backup_of(path).read_bytes() == before
    uninstall(path)
    assert target.read_bytes() == before
    assert path.is_symlink()


@pytest.mark.parametrize("before", [OTHERS["plain"], None])
def test_somebody_elses_change_meanwhile_is_not_overwritten(path: Path, before: str | None) -> None:
    if before is not None:
        write(path, before)
    plan = plan_install(path, PROGRAM, ALL)
    theirs = write(path, '{"model": "theirs"}')
    with pytest.raises(Conflict) as caught:
        carry_out(plan)
    assert (caught.value.theirs, caught.value.mine) == (theirs, plan.after)
    assert path.read_bytes() == theirs
    assert not [name for name in names(path.parent) if name.endswith(".part")]


def test_a_disk_that_is_full_leaves_everything(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = write(path, OTHERS["plain"])
    plan = plan_install(path, PROGRAM, ALL)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("memtui.claude.hook_settings.os.fsync", full)
    with pytest.raises(Refused, match="the disk is full"):
        carry_out(plan)
    assert path.read_bytes() == before
    assert names(path.parent) == ["settings.json"]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_something_that_is_no_file_is_refused(path: Path, make: object) -> None:
    path.parent.mkdir(parents=True)
    make(path)  # type: ignore[operator]
    with pytest.raises(Refused):
        install(path)


def test_the_command_runs_in_a_shell_whatever_the_programs_name(tmp_path: Path) -> None:
    program = tmp_path / 'it\'s $HOME "x"' / "memtui"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["sh", "-c", hook_command("session-end", (str(program),))], capture_output=True, text=True, check=True
    )
    assert done.stdout == "hook|session-end|"


def test_the_program_is_this_installations(tmp_path: Path) -> None:
    bin_folder = tmp_path / "venv" / "bin"
    bin_folder.mkdir(parents=True)
    script, python = bin_folder / "memtui", bin_folder / "python"
    assert own_program("/x/memtui/__main__.py", str(python)) == (str(python), "-P", "-m", "memtui")
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert own_program("/x/memtui/__main__.py", str(python)) == (str(script),)
    shim = tmp_path / "local" / "memtui"
    shim.parent.mkdir()
    shim.symlink_to(script)
    assert own_program(str(shim), str(python)) == (str(shim),)


def test_a_project_cannot_put_its_own_code_in_the_programs_place(tmp_path: Path) -> None:
    (tmp_path / "memtui").mkdir()
    (tmp_path / "memtui" / "__init__.py").write_text("raise SystemExit('taken over')")
    program = own_program("nowhere", "/nowhere/python")
    command = hook_command("stop", (sys.executable, *program[1:]))
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, input="", capture_output=True, text=True, check=False
    )
    assert "taken over" not in done.stderr
    assert "memtui: hook stop:" in done.stderr


def test_where_the_settings_of_a_scope_lie(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "sub").mkdir()
    (tmp_path / "plain").mkdir()

    def at(scope: str, cwd: str, **environ: str) -> str:
        found = settings_path(scope, cwd=tmp_path / cwd, environ=environ, home=tmp_path)  # type: ignore[arg-type]
        return str(found.relative_to(tmp_path))

    assert at("user", "repo") == ".claude/settings.json"
    assert at("user", "repo", CLAUDE_CONFIG_DIR=f"{tmp_path}/cfg") == "cfg/settings.json"
    assert at("project", "repo/sub") == "repo/.claude/settings.json"
    assert at("local", "repo/sub") == "repo/.claude/settings.local.json"
    assert at("local", "plain") == "plain/.claude/settings.local.json"


def test_status_tells_what_works(path: Path) -> None:
    assert installed_hooks(path) == ()
    write(path, '{"disableAllHooks": true}')
    assert is_switched_off(path)
    install(path, "stop", program=(sys.executable,))
    install(path, "session-start")
    assert [(hook.word, hook.works) for hook in installed_hooks(path)] == [
        ("session-start", False),
        ("stop", True),
    ]
