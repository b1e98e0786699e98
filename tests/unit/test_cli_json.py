"""With ``--json`` stdout holds one JSON value, whatever happens (``memtui.cli.shapes``); sentences go to stderr."""

from pathlib import Path

import pytest

from memtui.memory.checks.findings import RULES
from tests.unit.cli_support import Cli

BODY = "Deploys happen on Tuesdays, after the stand-up. Ask Robin for the key to the cabinet."
CHANGE_KEYS = {
    "label",
    "slugs",
    "archived",
    "kept",
    "index_pending",
    "pending",
    "dangling",
    "record_id",
    "elsewhere",
}


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path)
    made.memory_file("deploys", BODY)
    made.write("MEMORY.md", "- [Deploys](deploys.md) — when we deploy\n")
    return made


@pytest.fixture
def untidy(cli: Cli) -> Cli:
    cli.memory_file("orphan", "Nobody links here, although the coffee machine is on the third floor.")
    return cli


@pytest.mark.parametrize(
    ("argv", "code", "what"),
    [
        (["history", "nope"], 2, "there is no memory 'nope'"),
        (["show", "nope"], 2, "there is no memory 'nope'"),
        (["diff", "deploys", "7"], 2, "there is no version '7'"),
        (["forget", "nope"], 2, "there is no memory 'nope'"),
        (["restore", "deploys", "7"], 2, "there is no version '7'"),
        (["undo"], 2, "there is nothing to undo"),
        (["redo", "--dry-run"], 2, "there is nothing to redo"),
        (["save", "new"], 2, "a new memory needs"),
        (["list", "-d", "nowhere"], 2, "there is no such directory"),
        (["list", "--nope"], 2, "--nope"),
        (["lst"], 2, "there is no command or directory 'lst'"),
        (["show"], 2, "SLUG"),
        (["check", "--rule", "nope"], 2, "there is no rule 'nope'"),
        (["index", "--loaded", "--rebuild"], 2, "exclude each other"),
        (["show", "deploys", "--raw", "--content"], 2, "exclude each other"),
        (["forget", "deploys", "--read-only"], 4, "opened read-only"),
    ],
)
def test_an_error_is_json_on_stdout_and_the_sentence_on_stderr(
    cli: Cli, argv: list[str], code: int, what: str
) -> None:
    before = cli.files()
    plain = cli(*argv)
    done = cli(*argv, "--json")
    assert done.code == plain.code == code
    assert plain.out == ""
    assert done.err == plain.err
    error = done.json["error"]
    assert list(error) == ["what", "where", "todo", "exit_code"]
    assert what in error["what"]
    assert error["what"] in done.err
    assert error["todo"] in done.err
    assert error["exit_code"] == code
    assert cli.files() == before


def test_a_refused_save_is_an_error_too(cli: Cli) -> None:
    done = cli("save", "deploys", "--type", "nonsense", "--json")
    assert done.code == 2
    assert (done.json["is_error"], done.json["error"]["exit_code"]) == (True, 2)


def test_a_conflict_is_json_with_its_difference_on_stderr(cli: Cli) -> None:
    cli("save", "deploys", "--content", "Deploys happen on Wednesdays now, at noon.")
    cli.write("deploys.md", "somebody else was here\n")
    done = cli("undo", "--json")
    assert done.code == done.json["error"]["exit_code"] == 3
    assert "+somebody else was here" in done.err


def test_a_word_that_only_looks_like_the_option_asks_for_nothing(cli: Cli) -> None:
    assert cli("show", "--", "--json").out == ""


def test_index_rebuild(untidy: Cli) -> None:
    refused = untidy("index", "--rebuild", "--json")
    assert refused.code == refused.json["error"]["exit_code"] == 4
    assert "+- [Orphan](orphan.md)" in refused.err
    done = untidy("index", "--rebuild", "--json", "--yes")
    assert done.code == 0
    assert list(done.json) == ["diff", "change"]
    assert "+- [Orphan](orphan.md)" in done.json["diff"]
    assert set(done.json["change"]) == CHANGE_KEYS
    again = untidy("index", "--rebuild", "--json")
    assert (again.code, again.json) == (0, {"diff": "", "change": None})


def test_a_no_is_json_too(untidy: Cli) -> None:
    before = untidy.files()
    untidy.tty = True
    for argv in (["index", "--rebuild"], ["check", "--fix", "orphan"]):
        done = untidy(*argv, "--json", stdin="n\n")
        assert done.code == 0
        assert done.json["change"] is None
        assert "orphan.md" in done.json["diff"]
    assert untidy.files() == before


def test_check_fix(untidy: Cli) -> None:
    done = untidy("check", "--fix", "orphan", "--json", "--yes")
    assert done.code == 0
    assert list(done.json) == ["rule", "findings", "diff", "change"]
    assert done.json["rule"] == "orphan"
    assert [finding["slug"] for finding in done.json["findings"]] == ["orphan"]
    assert set(done.json["change"]) == CHANGE_KEYS
    again = untidy("check", "--fix", "orphan", "--json")
    assert (again.code, again.json) == (0, {"rule": "orphan", "findings": [], "diff": "", "change": None})
    assert again.err == "nothing to mend\n"


def test_index_loaded(cli: Cli) -> None:
    text = cli("index", "--loaded").out
    assert cli("index", "--loaded", "--json").json == {
        "text": text,
        "lines": 1,
        "lines_loaded": 1,
        "bound": None,
        "not_loaded": [],
    }
    cli.write("MEMORY.md", "".join(f"- [M{n}](m{n}.md) — x\n" for n in range(202)))
    read = cli("index", "--loaded", "--json").json
    assert read["text"] == cli("index", "--loaded").out
    assert (read["lines"], read["lines_loaded"], read["bound"]) == (202, 200, "lines")
    assert read["not_loaded"] == ["m200.md", "m201.md"]


def test_the_rules(cli: Cli) -> None:
    rules = cli("check", "--rules", "--json").json
    assert [rule["rule"] for rule in rules] == list(RULES)
    assert all(list(rule) == ["rule", "severity", "title", "why"] for rule in rules)
    assert cli("check", "--rules", "--json", "--lang", "zh").json != rules
