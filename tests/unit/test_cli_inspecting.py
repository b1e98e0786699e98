"""Design §4: ``check`` as a gate in CI, ``index`` with its report, what loads, and the rebuild that shows itself first."""

from pathlib import Path

import pytest

from memtui.memory.checks.findings import RULES
from memtui.memory.index.entrypoint import truncate_entrypoint
from tests.unit.cli_support import Cli

BODY = "Deploys happen on Tuesdays, after the stand-up. Ask Robin for the key to the cabinet."
FINDING_KEYS = ["rule", "severity", "slug", "path", "line", "message", "fix", "names"]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


@pytest.fixture
def clean(cli: Cli) -> Cli:
    cli.memory_file("deploys", BODY)
    cli.write("MEMORY.md", "# Index\n\n- [Deploys](deploys.md) — when we deploy\n")
    return cli


@pytest.fixture
def untidy(clean: Cli) -> Cli:
    clean.memory_file("orphan", "Nobody links here, although the coffee machine is on the third floor.")
    clean.memory_file("guess", "It might be that the printer speaks a dialect, but so far nobody asked it.")
    clean.write(
        "MEMORY.md",
        "# Index\n\n- [Deploys](deploys.md) — x\n- [Gone](gone.md) — y\n- [Guess](guess.md) — z\n",
    )
    return clean


def test_a_clean_directory_passes(clean: Cli) -> None:
    done = clean("check")
    assert (done.code, done.out, done.err) == (0, "", "nothing found\n")


def test_findings_come_worst_first_one_a_line_and_the_code_is_1(untidy: Cli) -> None:
    untidy.write("broken.md", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    done = untidy("check")
    assert done.code == 1
    lines = done.out.splitlines()
    levels = [line.split(": ")[1] for line in lines]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert levels[0] == "error"
    assert any(
        line.startswith("MEMORY.md:4: warning: ") and line.endswith("[dangling-line]") for line in lines
    )
    assert any(line.startswith("orphan.md: warning: ") and line.endswith("[orphan]") for line in lines)
    assert "'memtui check --fix RULE' mends" in done.err


def test_check_json_has_the_documented_shape(untidy: Cli) -> None:
    rows = untidy("check", "--json").json
    assert rows
    assert all(list(row) == FINDING_KEYS for row in rows)
    (gone,) = [row for row in rows if row["rule"] == "dangling-line"]
    assert (gone["severity"], gone["path"], gone["line"], gone["slug"]) == ("warning", "MEMORY.md", 4, None)
    assert gone["fix"]
    assert untidy("check", "--json", "--rule", "unreadable").out == "[]\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 1),
        (["--fail-on", "note"], 1),
        (["--fail-on", "warning"], 1),
        (["--fail-on", "error"], 0),
        (["--fail-on", "never"], 0),
        (["--rule", "vague-language"], 0),
        (["--rule", "vague-language", "--fail-on", "note"], 1),
        (["--rule", "orphan"], 1),
        (["--rule", "unreadable", "--fail-on", "note"], 0),
    ],
)
def test_exit_code_follows_the_severity_asked_for(untidy: Cli, words: list[str], code: int) -> None:
    assert untidy("check", *words).code == code
    assert untidy("check", "--json", *words).code == code


def test_only_the_rules_asked_for(untidy: Cli) -> None:
    rows = untidy("check", "--json", "--rule", "orphan", "--rule", "vague-language").json
    assert {row["rule"] for row in rows} == {"orphan", "vague-language"}


def test_an_unknown_rule_names_the_nearest(untidy: Cli) -> None:
    for option in ("--rule", "--fix"):
        done = untidy("check", option, "orhpan")
        assert (done.code, done.out) == (2, "")
        assert "there is no rule 'orhpan'. Did you mean 'orphan'?" in done.err


def test_the_rules_are_listed_in_both_languages(cli: Cli) -> None:
    for lang in ("en", "zh"):
        out = cli("check", "--rules", "--lang", lang).out
        assert [line.split()[1] for line in out.splitlines()] == list(RULES)


def test_a_fix_shows_its_diff_and_changes_nothing_without_a_yes(untidy: Cli) -> None:
    before = untidy.files()
    done = untidy("check", "--fix", "dangling-line")
    assert done.code == 4
    assert "-- [Gone](gone.md) — y\n" in done.out
    assert "nothing was changed" in done.err
    assert untidy.files() == before
    assert not (untidy.memory / ".memtui").exists()


@pytest.mark.parametrize(
    ("answer", "made"), [("y\n", True), ("yes\n", True), ("n\n", False), ("", False), ("\n", False)]
)
def test_a_fix_asks_where_somebody_is_there(untidy: Cli, answer: str, made: bool) -> None:
    before = untidy.files()
    untidy.tty = True
    done = untidy("check", "--fix", "dangling-line", stdin=answer)
    assert done.code == 0
    assert "Make this change? [y/N]" in done.err
    assert (untidy.files() != before) is made


def test_a_fix_with_yes_is_one_change_that_can_be_undone(untidy: Cli) -> None:
    before = untidy.files()
    done = untidy("check", "--fix", "orphan", "--yes")
    assert done.code == 0
    assert "orphan.md: done: " in done.out
    assert "](orphan.md)" in untidy.files()["MEMORY.md"].decode()
    assert untidy("check", "--rule", "orphan").code == 0
    assert untidy("undo").code == 0
    assert untidy.files() == before


def test_several_fixes_of_one_rule_are_all_made(untidy: Cli) -> None:
    for number in range(4):
        untidy.memory_file(
            f"lost-{number}", f"The {number}th lost sheep has bell number {number * 17}, painted {number}."
        )
    done = untidy("check", "--fix", "orphan", "-y")
    assert done.out.count(": done: ") == 5
    assert untidy("check", "--rule", "orphan").code == 0


def test_nothing_to_mend(clean: Cli) -> None:
    done = clean("check", "--fix", "orphan", "--yes")
    assert (done.code, done.out, done.err) == (0, "", "nothing to mend\n")


def test_spec_10_claims_are_looked_up_in_the_project(clean: Cli) -> None:
    (clean.project / "src").mkdir()
    (clean.project / "src" / "kept.py").write_text("x = 1\n")
    clean.memory_file("deploys", "The parser is in `src/parser.py`, the table in `src/kept.py`.")
    done = clean("check", "--rule", "broken-claim")
    assert done.code == 1
    assert "src/parser.py" in done.out
    assert "src/kept.py" not in done.out


def test_a_hostile_message_reaches_the_terminal_visible(clean: Cli) -> None:
    clean.write("x\x1b[2Jy.md", "---\nname: a\n---\n\n[[\x9b31m]] maybe\n")
    done = clean("check", "--fail-on", "never")
    assert "\x1b" not in done.out + done.err
    assert "\x9b" not in done.out + done.err


def test_index_reports_lines_size_and_entries(clean: Cli) -> None:
    done = clean("index")
    assert done.code == 0
    assert done.out.splitlines() == ["lines    3 of 200", "size     49 of 25,000 UTF-16 units", "entries  1"]
    assert clean("index", "--json").json == {
        "exists": True,
        "lines": 3,
        "max_lines": 200,
        "size": 49,
        "max_size": 25000,
        "unit": "utf16",
        "entries": 1,
        "bound": None,
        "not_loaded": [],
    }
    assert "bytes" in clean("index", "--convention", "library").out


def test_index_says_what_does_not_load(clean: Cli) -> None:
    clean.write("MEMORY.md", "".join(f"- [M{n}](m{n}.md) — x\n" for n in range(203)))
    done = clean("index")
    assert "lines    203 of 200" in done.out
    assert done.out.endswith("3 do not load:\n  m200.md\n  m201.md\n  m202.md\n")
    assert clean("index", "--json").json["not_loaded"] == ["m200.md", "m201.md", "m202.md"]


def test_no_index(cli: Cli) -> None:
    assert cli("index").out == "there is no MEMORY.md\n"
    assert cli("index", "--loaded").out == ""
    assert cli("index", "--json").json["exists"] is False


@pytest.mark.parametrize("convention", ["claude", "library"])
def test_spec_6_loaded_prints_exactly_what_a_reader_gets(clean: Cli, convention: str) -> None:
    text = "# 索引 🚀\n" + "".join(f"- [记忆 {n}](m{n}.md) — {'说明' * 20}\n" for n in range(230))
    clean.write("MEMORY.md", text)
    done = clean("index", "--loaded", "--convention", convention)
    assert done.out == truncate_entrypoint(text, "utf16" if convention == "claude" else "bytes")
    assert "WARNING" in done.out
    assert done.err == ""


def test_loaded_adds_nothing_to_an_index_without_a_final_newline(clean: Cli) -> None:
    clean.write("MEMORY.md", "- [Deploys](deploys.md) — x")
    assert clean("index", "--loaded").out == "- [Deploys](deploys.md) — x"


def test_rebuild_shows_a_diff_and_asks(untidy: Cli) -> None:
    before = untidy.files()
    done = untidy("index", "--rebuild")
    assert done.code == 4
    assert done.out.startswith("--- MEMORY.md\n+++ MEMORY.md\n")
    assert "-- [Gone](gone.md) — y\n" in done.out
    assert "+- [Orphan](orphan.md)" in done.out
    assert untidy.files() == before
    untidy.tty = True
    assert untidy("index", "--rebuild", stdin="n\n").code == 0
    assert untidy.files() == before
    untidy.tty = False
    done = untidy("index", "--rebuild", "--yes")
    assert done.code == 0
    assert "](orphan.md)" in untidy.files()["MEMORY.md"].decode()
    assert "](gone.md)" not in untidy.files()["MEMORY.md"].decode()
    assert untidy("index", "--rebuild").err == "the index is as it would be written anew; nothing to do\n"
    untidy("undo")
    assert untidy.files() == before


def test_rebuild_shows_all_that_it_writes_and_says_what_will_not_load(untidy: Cli) -> None:
    notice = "> Older memories not listed here: 1. Their files are in this folder.\n"
    lines = "- [Deploys](deploys.md) — x\n- [Guess](guess.md) — z\n"
    untidy.write("MEMORY.md", "# Index\n" + "- note\n" * 197 + lines + notice)
    done = untidy("index", "--rebuild", "--yes", "--convention", "claude")
    assert f"-{notice}" in done.out, "all are listed again"
    assert "1 new line, of which 1 will not load: the index is over its limit." in done.err
    assert "Older memories" not in (untidy.memory / "MEMORY.md").read_text()


def test_loaded_and_rebuild_exclude_each_other(clean: Cli) -> None:
    done = clean("index", "--loaded", "--rebuild")
    assert (done.code, done.out) == (2, "")
    assert "exclude each other" in done.err


def test_an_index_that_cannot_be_read_is_refused(cli: Cli) -> None:
    (cli.memory / "MEMORY.md").mkdir()
    for words in ([], ["--loaded"], ["--rebuild", "--yes"]):
        done = cli("index", *words)
        assert done.code == 4
        assert "MEMORY.md" in done.err
        assert done.out == ""
