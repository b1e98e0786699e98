"""``memtui hook install | uninstall | status``: shows the change, asks, makes it; says how things stand."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import pytest

from memtui.claude.hook_commands import hook_command
from memtui.claude.hook_settings import backup_of
from memtui.claude.hook_wording import HookWords, hook_words
from memtui.claude.hooks import EVENTS
from memtui.claude.queue import Queue, Queued
from memtui.cli.hook_words import HookCliWords, hook_cli_words
from tests.unit.cli_support import NOW, Cli

BEFORE = '{\n  "model": "opus"\n}\n'
PROGRAM = (str(Path(sys.executable).with_name("memtui")),)


@dataclass(frozen=True)
class Place:
    cli: Cli
    path: Path


@pytest.fixture
def place(tmp_path: Path) -> Place:
    cli = Cli(tmp_path)
    path = cli.home / ".claude" / "settings.json"
    path.write_text(BEFORE)
    return Place(cli, path)


def test_install_shows_the_change_asks_and_makes_it(place: Place) -> None:
    place.cli.tty = True
    done = place.cli("hook", "install", stdin="n\n")
    assert done.code == 0
    assert f'+            "command": "{hook_command("session-start", PROGRAM)}",' in done.out
    assert f"Write this to {place.path}?" in done.err
    assert place.path.read_text() == BEFORE
    assert place.cli("hook", "install", stdin="y\n").code == 0
    assert backup_of(place.path).read_text() == BEFORE
    assert set(json.loads(place.path.read_text())["hooks"]) == set(EVENTS.values())


def test_nobody_to_ask_is_refused_without_yes(place: Place) -> None:
    done = place.cli("hook", "install")
    assert done.code == 4
    assert "--yes" in done.err
    assert place.path.read_text() == BEFORE


def test_install_twice_then_uninstall_twice(place: Place) -> None:
    assert f"the file as it was is {backup_of(place.path)}" in place.cli("hook", "install", "-y").err
    again = place.cli("hook", "install", "-y")
    assert (again.code, again.out) == (0, "")
    assert "already" in again.err
    assert "as it was before" in place.cli("hook", "uninstall", "-y").err
    assert place.path.read_text() == BEFORE
    nothing = place.cli("hook", "uninstall", "-y")
    assert (nothing.code, nothing.out) == (0, "")
    assert "no hook of memtui" in nothing.err


def test_only_the_events_asked_for(place: Place) -> None:
    assert place.cli("hook", "install", "-y", "--events", "session-start, stop").code == 0
    assert set(json.loads(place.path.read_text())["hooks"]) == {"SessionStart", "Stop"}
    for wrong in ("start", ""):
        done = place.cli("hook", "install", "-y", "--events", wrong)
        assert done.code == 2
        assert "Use some of session-start, session-end, stop" in done.err


@pytest.mark.parametrize(("scope", "name"), [("project", "settings.json"), ("local", "settings.local.json")])
def test_a_project_has_settings_of_its_own(place: Place, scope: str, name: str) -> None:
    done = place.cli("hook", "install", "-y", "--scope", scope)
    assert done.code == 0
    assert ("may be shared" in done.err) == (scope == "project")
    assert (place.cli.project / ".claude" / name).exists()
    assert place.path.read_text() == BEFORE


def test_broken_settings_are_refused_with_a_sentence(place: Place) -> None:
    place.path.write_text('{"a": 1,}')
    for words in (["install", "-y"], ["uninstall", "-y"]):
        done = place.cli("hook", *words)
        assert done.code == 4
        assert done.out == ""
        assert f"memtui: {place.path}: the settings cannot be edited: it is not JSON" in done.err
        assert place.path.read_text() == '{"a": 1,}'
    (row, *_) = place.cli("hook", "status", "--json").json["settings"]
    assert "not JSON" in row["problem"]


def test_status_says_what_is_where_and_what_waits(place: Place) -> None:
    place.cli("hook", "install", "-y", "--events", "stop")
    Queue(place.cli.home / "state").enqueue(Queued("s", "/t.jsonl", "/p", "Stop", NOW))
    done = place.cli("hook", "status")
    assert done.code == 0
    assert f"  stop  {hook_command('stop', PROGRAM)}\n" in done.out
    assert done.out.count("none of memtui's hooks") == 2
    assert done.err == "sessions noted and not read for memories yet: 1\n"
    told = place.cli("hook", "status", "--json").json
    assert told["waiting"] == 1
    assert [(row["scope"], [h["event"] for h in row["hooks"]]) for row in told["settings"]] == [
        ("user", ["stop"]),
        ("project", []),
        ("local", []),
    ]
    place.path.write_text(place.path.read_text().replace(PROGRAM[0], "/gone/memtui"))
    assert "its program /gone/memtui is not there" in place.cli("hook", "status").out
    place.path.write_text('{"disableAllHooks": true}')
    assert "switches all hooks off" in place.cli("hook", "status").out


def test_the_client_may_call_with_more_words(place: Place) -> None:
    place.cli.memory_file("m")
    data = json.dumps({"session_id": "s", "transcript_path": "/t", "cwd": str(place.cli.project)})
    out = place.cli("--lang", "en", "hook", "session-start", stdin=data).json
    assert "[Project] M" in out["hookSpecificOutput"]["additionalContext"]
    assert place.cli("--lang", "en", "hook", "stop", stdin=data).code == 0
    assert [item.session_id for item in Queue(place.cli.home / "state").pending()] == ["s"]


def test_a_person_who_calls_it_is_told_whom_it_is_for(place: Place) -> None:
    place.cli.tty = True
    done = place.cli("--lang", "en", "hook", "session-start")
    assert (done.code, done.out) == (0, "")
    assert "'memtui hook install' sets it up" in done.err


def _parts(template: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(template) if name is not None})


@pytest.mark.parametrize("field", [*HookWords.names(), *HookCliWords.names()])
def test_both_catalogues_say_it_with_the_same_parts(field: str) -> None:
    house = hook_words if field in HookWords.names() else hook_cli_words
    en, zh = getattr(house("en"), field), getattr(house("zh"), field)
    assert _parts(en) == _parts(zh)
    assert not any("\u4e00" <= char <= "\u9fff" for char in en)
    assert any("\u4e00" <= char <= "\u9fff" for char in zh) or field == "separator"
