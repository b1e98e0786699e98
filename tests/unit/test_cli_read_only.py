"""Issue 3 §7: with ``--read-only`` every command that changes something refuses with code 4, and nothing is written."""

from pathlib import Path

import pytest

from tests.unit.cli_support import Cli

HEADER = ["--name", "Deploys", "--description", "when we deploy", "--type", "project"]
CHANGING = {
    "save": ["save", "deploys", *HEADER, "--content", "Deploys happen on Wednesdays, after lunch."],
    "save new": ["save", "other", *HEADER, "--content", "Another text that is long enough to keep."],
    "forget": ["forget", "deploys"],
    "restore": ["restore", "deploys", "1"],
    "undo": ["undo"],
    "redo": ["redo"],
    "check --fix": ["check", "--fix", "orphan", "--yes"],
    "index --rebuild": ["index", "--rebuild", "--yes"],
    "log": ["log", "a line"],
    "team init": ["team", "init", "/nowhere"],
    "team sync": ["team", "sync"],
    "team watch": ["team", "watch"],
    "dream": ["dream"],
    "dream --apply": ["dream", "--apply"],
}
LOOKING = {
    "list": ["list"],
    "show": ["show", "deploys"],
    "history": ["history", "deploys"],
    "diff": ["diff", "deploys"],
    "index": ["index"],
    "reminder": ["reminder"],
    "team status": ["team", "status"],
    "undo --dry-run": ["undo", "--dry-run"],
    "log --show": ["log", "--show"],
    "dream --dry-run": ["dream", "--dry-run"],
}


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path, environ={"KAIROS": "1"})
    for text in (
        "Deploys happen on Tuesdays, after the stand-up.",
        "Deploys happen on Mondays, before noon.",
    ):
        assert made("save", "deploys", *HEADER, "--content", text).code == 0
    assert made("save", "gone", *HEADER, "--content", "A text that was saved and taken back again.").code == 0
    assert made("undo").code == 0
    made.memory_file("unlisted")
    return made


def everything(cli: Cli) -> dict[str, tuple[bytes, int]]:
    return {
        path.relative_to(cli.memory).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(cli.memory.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("name", CHANGING)
def test_a_change_is_refused(cli: Cli, name: str, place: str) -> None:
    before = everything(cli)
    words = CHANGING[name]
    done = cli("--read-only", *words) if place == "before" else cli(*words, "--read-only")
    assert done.code == 4, done
    assert "read-only" in done.err
    assert everything(cli) == before


@pytest.mark.parametrize("name", LOOKING)
def test_looking_is_not(cli: Cli, name: str) -> None:
    before = everything(cli)
    done = cli("--read-only", *LOOKING[name])
    assert done.code == 0, done
    assert everything(cli) == before


@pytest.mark.parametrize("words", [["--read-only"], ["open", "--read-only"], ["demo", "--read-only"]])
def test_the_app_is_told(cli: Cli, words: list[str]) -> None:
    assert cli(*words).code == 0
    assert cli.launched[-1]["read_only"] is True


def test_the_setting_is_the_size_of_the_reminder(cli: Cli) -> None:
    cli.memory_file("second")
    whole = cli("reminder").out
    (cli.home / "config.toml").write_text("entries = 1\n")
    assert cli("reminder").out == cli("reminder", "--max", "1").out
    assert cli("reminder", "--max", "5").out == whole
