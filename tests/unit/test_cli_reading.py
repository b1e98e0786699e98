"""Design §4: ``list show history diff reminder``, their JSON shapes, and that looking leaves no trace (spec §5)."""

import json
from pathlib import Path

import pytest

from memtui.cli.output import cells
from tests.unit.cli_support import NOW, Cli

LIST_KEYS = [
    "slug",
    "name",
    "description",
    "type",
    "status",
    "superseded_by",
    "modified",
    "score",
    "tier",
    "scope",
    "path",
    "problems",
]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


@pytest.fixture
def filled(cli: Cli) -> Cli:
    cli.memory_file("fresh", type="feedback")
    cli.memory_file("warm", "Long body. " * 50, days_old=20, name="A warm one", type="user")
    cli.memory_file("cool", "正文：天体物理。", days_old=60, name="冷的", type="reference")
    cli.memory_file("odd", days_old=70, type="note")
    cli.write(
        ".memtui/history/fresh_v1.md",
        "---\nname: Fresh\ndescription: older\ntype: feedback\nstatus: historical\nsuperseded_by: fresh\n---\n\nIt was old.\n",
        days_old=5,
    )
    cli.write("MEMORY.md", "- [Fresh](fresh.md) — x\n")
    return cli


def test_list_is_sorted_by_score_and_goes_to_stdout_with_its_narration_on_stderr(filled: Cli) -> None:
    done = filled("list")
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert [row[:4] for row in rows] == [
        ["HOT", "1.00", "feedback", "fresh"],
        ["WARM", "0.44", "user", "warm"],
        ["COOL", "0.07", "reference", "cool"],
        ["COOL", "0.06", "note", "odd"],
    ]
    assert done.err == f"4 of 4 memories · claude · {filled.memory}\n"
    assert "20 days ago" in done.out
    assert "\x1b" not in done.out


def test_list_columns_line_up_with_wide_characters(filled: Cli) -> None:
    filled.memory_file("中文名", days_old=1)
    lines = filled("list").out.splitlines()
    starts = {
        cells(line[: line.index(age)])
        for line, age in zip(lines, ["today", "yesterday", "20", "60", "70"], strict=True)
    }
    assert len(starts) == 1


def test_spec_5_list_all_shows_old_versions_last_with_their_fixed_score(filled: Cli) -> None:
    rows = [line.split()[:4] for line in filled("list", "--all").out.splitlines()]
    assert rows[-1] == ["OLD", "0.01", "feedback", "fresh_v1"]
    assert len(rows) == 5
    assert filled("list", "--all").err.startswith("5 of 5 memories and old versions · ")
    assert filled("list", "--all", "--tier", "hot").err.startswith("2 of 5 memories and old versions · ")
    assert filled("list", "--tier", "hot").err.startswith("1 of 4 memories · ")


def test_list_json_has_the_documented_shape(filled: Cli) -> None:
    done = filled("list", "--all", "--json")
    assert done.err == ""
    rows = done.json
    assert [list(row) for row in rows] == [[*LIST_KEYS, "last_used"]] * 5
    assert rows[0] == {
        "slug": "fresh",
        "name": "Fresh",
        "description": "about fresh",
        "type": "feedback",
        "status": "active",
        "superseded_by": None,
        "modified": NOW,
        "score": 1.0,
        "tier": "hot",
        "scope": "private",
        "path": str(filled.memory / "fresh.md"),
        "problems": [],
        "last_used": None,
    }
    old = rows[-1]
    assert (old["status"], old["superseded_by"], old["score"]) == ("historical", "fresh", 0.01)
    assert old["path"] == str(filled.memory / ".memtui" / "history" / "fresh_v1.md")
    assert next(row["type"] for row in rows if row["slug"] == "odd") == "note"


@pytest.mark.parametrize(
    ("words", "slugs"),
    [
        (["--type", "user", "--type", "reference"], ["warm", "cool"]),
        (["--type", "unknown"], ["odd"]),
        (["--tier", "cool"], ["cool", "odd"]),
        (["--sort", "name"], ["warm", "fresh", "odd", "cool"]),
        (["--sort", "size"], ["warm", "cool", "fresh", "odd"]),
        (["--sort", "type"], ["warm", "fresh", "cool", "odd"]),
        (["--sort", "slug", "--reverse"], ["warm", "odd", "fresh", "cool"]),
        (["--sort", "age"], ["fresh", "warm", "cool", "odd"]),
        (["天体"], ["cool"]),
        (["LONG", "body"], ["warm"]),
        (["nothing holds this"], []),
    ],
)
def test_list_filters_and_sorts(filled: Cli, words: list[str], slugs: list[str]) -> None:
    assert [row["slug"] for row in filled("list", "--json", *words).json] == slugs


def test_a_file_that_cannot_be_read_is_listed_with_its_problem(cli: Cli) -> None:
    (cli.memory / "folder.md").mkdir()
    cli.write("huge.md", "x" * ((1 << 20) + 1))
    rows = {row["slug"]: row for row in cli("list", "--json").json}
    assert {problem["code"] for problem in rows["folder"]["problems"]} == {"not-regular"}
    assert {problem["code"] for problem in rows["huge"]["problems"]} == {"too-large"}
    assert cli("list").code == 0


def test_json_loses_nothing_and_holds_nothing_that_a_terminal_obeys(cli: Cli) -> None:
    name = "a\u202eb\x9bc\u200bd\U000e0041 é 中 🚀 \x7f"
    cli.write("x.md", f"---\nname: {name}\n---\nbody\n")
    done = cli("list", "--json")
    assert done.json[0]["name"] == name
    for char in "\u202e\x9b\u200b\U000e0041\x7f":
        assert char not in done.out
    assert "é 中 🚀" in done.out


def test_names_of_files_that_are_not_utf8_survive_json(cli: Cli) -> None:
    cli.write("b\udcffd.md", "---\nname: x\n---\nbody\n")
    done = cli("list", "--json")
    assert "\\udcff" in done.out
    assert done.json[0]["slug"] == "b\udcffd"
    assert "b␦d" in cli("list").out


def test_show_tells_name_type_age_score_and_text(filled: Cli) -> None:
    done = filled("show", "warm")
    assert done.code == 0
    assert done.out.startswith("A warm one\nabout warm\nuser · 20 days ago · score 0.44 = 0.63 × 0.7 WARM\n")
    assert done.out.endswith("Long body. \n")
    assert done.err == ""
    assert "天前" in filled("show", "warm", "--lang", "zh").out


def test_show_raw_and_content_are_exact_in_a_pipe(cli: Cli) -> None:
    text = "\ufeff---\r\nname: x\r\n---\r\n\r\n\x1b[31mred\x1b[0m\u202e\r\nno newline"
    cli.write("x.md", text)
    assert cli("show", "x", "--raw").out.encode() == text.encode()
    assert cli("show", "x", "--content").out.endswith("\x1b[31mred\x1b[0m\u202e\r\nno newline")
    shown = cli("show", "x").out
    assert "\x1b" not in shown
    assert "␛[31mred" in shown


def test_show_raw_keeps_bytes_that_are_not_utf8(cli: Cli) -> None:
    (cli.memory / "x.md").write_bytes(b"---\nname: x\n---\n\xff\xfe\x00 end")
    done = cli("show", "x", "--raw")
    assert done.out.encode("utf-8", "surrogateescape") == b"---\nname: x\n---\n\xff\xfe\x00 end"


def test_show_raw_and_content_exclude_each_other(filled: Cli) -> None:
    done = filled("show", "fresh", "--raw", "--content")
    assert (done.code, done.out) == (2, "")
    assert "--raw and --content exclude each other" in done.err


@pytest.mark.parametrize("command", ["history", "diff"])
def test_an_old_version_by_its_own_name_leads_to_its_memory(filled: Cli, command: str) -> None:
    done = filled(command, "fresh_v1")
    assert (done.code, done.out) == (2, "")
    assert (
        done.err == "memtui: fresh_v1: this is an old version of 'fresh'. 'memtui history fresh' lists it\n"
    )


def test_an_old_version_that_belongs_to_nobody_is_its_own_only_one(cli: Cli) -> None:
    cli.memory_file("past", status="historical")
    assert cli("history", "past").err.startswith(
        "1 version of past, an old one; 'memtui restore past VERSION'"
    )
    assert cli("diff", "past").err == "past has only one version\n"
    assert cli("restore", "past", "past").code == 0
    assert cli("list", "--json").json[0]["slug"] == "past"


def test_one_is_one(cli: Cli) -> None:
    cli.memory_file("a")
    assert cli("reminder").err.startswith("1 memory · ")
    assert cli("list").err.startswith("1 of 1 memory · ")
    assert cli("list", "--all").err.startswith("1 of 1 memory or old version · ")
    cli.write("MEMORY.md", "".join(f"- [M{n}](m{n}.md) — x\n" for n in range(201)))
    assert "1 does not load:\n  m200.md\n" in cli("index").out
    cli.write(".memtui/history/b_v1.md", "---\nname: b\nstatus: historical\nsuperseded_by: b\n---\n\nold\n")
    assert cli("history", "b").err.startswith("1 version of b, an old one; 'memtui restore b VERSION'")


def test_show_a_version_and_json(filled: Cli) -> None:
    assert "It was old." in filled("show", "fresh", "--version", "1").out
    assert "old version, superseded by fresh" in filled("show", "fresh", "--version", "v1").out
    shown = filled("show", "fresh", "--json").json
    assert list(shown) == [*LIST_KEYS, "content", "usage", "seen"]
    assert shown["content"].strip() == "A body of some length."


@pytest.mark.parametrize("command", ["show", "history", "diff"])
def test_an_unknown_slug_is_a_usage_error_with_the_nearest(filled: Cli, command: str) -> None:
    done = filled(command, "frseh")
    assert (done.code, done.out) == (2, "")
    assert "there is no memory 'frseh'" in done.err
    assert "Did you mean 'fresh'?" in done.err


def test_an_unknown_version_is_a_usage_error_that_lists_them(filled: Cli) -> None:
    for words in (["show", "fresh", "--version", "7"], ["diff", "fresh", "7"]):
        done = filled(*words)
        assert (done.code, done.out) == (2, "")
        assert "there is no version '7'" in done.err
        assert "current, 1" in done.err


def test_history_newest_first(filled: Cli) -> None:
    done = filled("history", "fresh")
    assert [line.split()[0] for line in done.out.splitlines()] == ["current", "1"]
    assert done.err.startswith("2 versions; ")
    assert filled("history", "warm").err == "1 version; there is no older one of warm\n"
    assert filled("history", "warm").out.startswith("current")
    rows = filled("history", "fresh", "--json").json
    assert [(row["version"], row["current"], row["slug"]) for row in rows] == [
        ("current", True, "fresh"),
        ("1", False, "fresh_v1"),
    ]


def test_diff_compares_what_is_said_without_our_own_header_lines(filled: Cli) -> None:
    done = filled("diff", "fresh")
    assert done.code == 0
    assert done.out.splitlines()[:2] == ["--- fresh 1", "+++ fresh current"]
    changed = [line for line in done.out.splitlines()[2:] if line.startswith(("+", "-"))]
    assert changed == [
        "-description: older",
        "+description: about fresh",
        "-It was old.",
        "+A body of some length.",
    ]
    assert "status:" in filled("diff", "fresh", "--raw").out
    assert filled("diff", "fresh", "current", "1").out.startswith("--- fresh current\n+++ fresh 1\n")
    assert filled("diff", "fresh", "1", "1").out == ""
    assert filled("diff", "fresh", "--json").json == {
        "slug": "fresh",
        "a": "1",
        "b": "current",
        "diff": done.out,
    }


def test_diff_of_a_memory_with_one_version_is_empty_and_says_so(filled: Cli) -> None:
    done = filled("diff", "warm")
    assert (done.code, done.out, done.err) == (0, "", "warm has only one version\n")


def test_spec_11_reminder_prints_the_block_itself(filled: Cli) -> None:
    done = filled("reminder", "--max", "2")
    assert done.code == 0
    assert done.out.startswith(
        "<project-memory-context>\n\n[PROJECT MEMORY]\n\n[Feedback] Fresh: about fresh\n"
    )
    assert done.out.endswith("</project-memory-context>\n")
    assert "[Preference] A warm one" in done.out
    assert "冷的" not in done.out
    assert done.err.startswith("2 memories · ")
    assert "[反馈] Fresh" in filled("--lang", "zh", "reminder").out


def test_a_budget_takes_memories_in_order_until_it_is_full(filled: Cli) -> None:
    whole = filled("reminder").out
    size = len(whole) - 1
    assert filled("reminder", "--budget", str(size)).out == whole
    less = filled("reminder", "--budget", str(size - 1))
    assert less.out == filled("reminder", "--max", less.err.split()[0]).out
    assert 0 < len(less.out) - 1 < size
    none = filled("reminder", "--budget", "10")
    assert (none.code, none.out, none.err) == (0, "", "no memory fits into the budget\n")


def test_spec_7_reminder_as_of_another_day(filled: Cli) -> None:
    assert "20 days" in filled("reminder").out
    later = filled("reminder", "--as-of", "10").out
    assert "30 days" in later
    assert "10 days" in later
    earlier = filled("reminder", "--as-of", "-30").out
    assert earlier.index("] Fresh") < earlier.index("] A warm one") < earlier.index("] 冷的")
    for days in ("nan", "1e9", "1.5", "99999"):
        assert filled("reminder", "--as-of", days).code == 2


def test_spec_11_no_memories_no_reminder(cli: Cli) -> None:
    assert cli("reminder").out == ""
    cli.memory_file("a")
    assert cli("reminder", "--max", "0").out == ""


def test_reminder_says_what_is_gone_from_the_project(cli: Cli) -> None:
    (cli.project / "src").mkdir()
    (cli.project / "src" / "kept.py").write_text("x = 1\n")
    cli.memory_file("a", "The parser is in `src/parser.py`, the table in `src/kept.py`.")
    out = cli("reminder").out
    assert "✗" in out
    assert "src/parser.py" in out.partition("✗")[2]
    assert "src/kept.py" not in out.partition("✗")[2]


def test_spec_5_looking_leaves_no_trace(cli: Cli) -> None:
    cli.memory_file("a", days_old=3)
    cli.write("MEMORY.md", "- [A](a.md) — x\n")
    before = {path: path.stat() for path in [cli.memory, *cli.memory.rglob("*")]}
    for words in (
        ["list", "--all"],
        ["show", "a"],
        ["history", "a"],
        ["diff", "a"],
        ["reminder"],
        ["index"],
        ["index", "--loaded"],
        ["check"],
        ["undo", "--dry-run"],
    ):
        cli(*words)
    after = {path: path.stat() for path in [cli.memory, *cli.memory.rglob("*")]}
    assert set(before) == set(after)
    for path, stat in before.items():
        assert (stat.st_mtime_ns, stat.st_ctime_ns) == (after[path].st_mtime_ns, after[path].st_ctime_ns), (
            path
        )


def test_a_memory_of_the_future_counts_as_now(cli: Cli) -> None:
    cli.memory_file("a", days_old=-3)
    (row,) = json.loads(cli("list", "--json").out)
    assert row["modified"] == NOW
    assert (row["score"], row["tier"]) == (1.0, "hot")
