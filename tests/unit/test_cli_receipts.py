"""``memtui receipts`` and what ``show`` says of use: words in both languages, stable JSON, nothing read twice."""

import random
from pathlib import Path
from string import Formatter

import pytest

from memtui.claude.receipt_values import LoadState
from memtui.claude.usage_words import UsageWords, state_word, usage_words
from tests.unit.cli_support import DAY, NOW, Cli
from tests.unit.transcript_maker import CUT, Transcript, index_text

ONE, TWO = (f"{n}0000000-0000-4000-8000-000000000000" for n in (1, 2))


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path)
    made.memory_file("tea", days_old=9)
    made.memory_file("coffee", days_old=9)
    one = Transcript(
        made.memory, session=ONE, cwd=str(made.project), now=NOW - 4 * DAY, chance=random.Random(1)
    )
    one.typed("zebra").context().loads(index_text(["tea", "coffee"])).reads("tea.md")
    one.says('<cc-memory filenames="tea.md">x</cc-memory>').save(made.memory.parent)
    two = Transcript(
        made.memory, session=TWO, cwd=str(made.project), now=NOW - 2 * DAY, chance=random.Random(2)
    )
    two.typed("zebra").context().loads(index_text(["tea"]) + CUT).writes("tea.md")
    two.typed("remember").says("Saved to memory.").raw(b'{"user" torn').save(made.memory.parent)
    return made


def test_each_session_has_a_row_newest_first(cli: Cli) -> None:
    done = cli("receipts")
    assert done.code == 0
    first, second = done.out.splitlines()
    assert first == "20000000  yesterday   cut    1 memory    wrote 1 · said saved, wrote nothing (line 7)"
    assert second == "10000000  3 days ago  whole  2 memories  read 1 · cited 1"
    assert f"2 of 2 sessions · {cli.memory}" in done.err


def test_a_memory_has_its_own_state_in_each_session(cli: Cli) -> None:
    done = cli("receipts", "coffee")
    assert done.out.splitlines()[0] == "loaded in 1 session · cut off in 1 · never used"
    assert done.out.splitlines()[1:] == [
        "20000000  yesterday   cut off  1 memory    said saved, wrote nothing (line 7)",
        "10000000  3 days ago  loaded   2 memories",
    ]


def test_one_session_is_shown_whole_by_how_its_id_begins(cli: Cli) -> None:
    done = cli("receipts", "--session", "2")
    assert done.out.splitlines() == [
        TWO,
        f"cut · 1 memory · yesterday · {cli.project}",
        str(cli.memory.parent / f"{TWO}.jsonl"),
        "! said saved, wrote nothing (line 7)",
        "wrote tea.md",
        "loaded tea.md",
    ]
    data = cli("receipts", "--session", ONE, "--json").json
    assert (data["state"], data["loaded"]) == ("whole", ["coffee.md", "tea.md"])
    assert [(use["kind"], use["path"]) for use in data["uses"]] == [("read", "tea.md"), ("cited", "tea.md")]


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--session", "9"], "there is no session '9'"),
        (["--session", ""], "there is no session ''"),
        (["tea", "--session", "1"], "exclude each other"),
        (["nope"], "there is no memory 'nope'"),
    ],
)
def test_what_is_not_there_is_an_error_that_says_so(cli: Cli, argv: list[str], says: str) -> None:
    done = cli("receipts", *argv)
    assert done.code == 2
    assert says in done.err


def test_json_of_all_sessions_has_a_stable_shape(cli: Cli) -> None:
    data = cli("receipts", "--json").json
    assert set(data) == {"store", "skipped", "total", "sessions"}
    assert (data["store"], data["skipped"], data["total"]) == (str(cli.memory), 1, 2)
    assert data["sessions"][0] == {
        "session": TWO,
        "state": "cut",
        "started": NOW - 2 * DAY + 1,
        "last": NOW - 2 * DAY + 7,
        "cwd": str(cli.project),
        "version": "2.1.328",
        "loads": 1,
        "entries": 1,
        "reads": 0,
        "recalls": 0,
        "citations": 0,
        "writes": 1,
        "claims": [{"at": NOW - 2 * DAY + 7, "line": 7, "agent": None}],
        "skipped": 1,
        "transcript": str(cli.memory.parent / f"{TWO}.jsonl"),
        "gone": False,
    }
    assert len(cli("receipts", "--json", "--last", "1").json["sessions"]) == 1
    assert len(cli("receipts", "--json", "--last", "0").json["sessions"]) == 2
    one = cli("receipts", "coffee", "--json").json
    assert [session["memory"] for session in one["sessions"]] == ["cut", "whole"]


def test_a_list_as_json_says_when_each_memory_was_last_used(cli: Cli) -> None:
    used = {memory["slug"]: memory["last_used"] for memory in cli("list", "--json").json}
    assert used == {"tea": NOW - 4 * DAY + 6, "coffee": None}


def test_show_tells_of_the_use_of_a_memory(cli: Cli) -> None:
    assert (
        "loaded in 2 sessions · read 1× · cited 1× · written 1× · last used 3 days ago"
        in cli("show", "tea").out
    )
    usage = cli("show", "tea", "--json").json["usage"]
    assert usage == {
        "loaded": 2,
        "cut": 0,
        "reads": 1,
        "recalls": 0,
        "citations": 1,
        "writes": 1,
        "last_used": NOW - 4 * DAY + 6,
        "last_loaded": NOW - 2 * DAY + 3,
        "last_session": ONE,
        "written_by": [{"at": NOW - 2 * DAY + 5, "session": TWO, "agent": None, "background": False}],
        "sessions": 2,
        "complete": True,
    }


def test_without_transcripts_show_says_nothing_and_receipts_says_that(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    cli.memory_file("tea")
    assert cli("show", "tea", "--json").json["usage"] is None
    assert "session" not in cli("show", "tea").out
    done = cli("receipts")
    assert (done.code, done.out) == (0, "")
    assert "no transcripts of this directory were found" in done.err
    assert cli("receipts", "--json").json["sessions"] == []


def test_an_old_version_has_no_use_of_its_own(cli: Cli) -> None:
    cli(
        "save",
        "tea",
        "--name",
        "T",
        "--description",
        "d",
        "--type",
        "user",
        "--content",
        "Green tea, no sugar in it.",
    )
    assert cli("show", "tea", "--version", "1", "--json").json["usage"] is None


def test_old_clients_are_unknown_and_that_is_no_never(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    cli.memory_file("tea")
    Transcript(cli.memory, cwd=str(cli.project)).typed("hi").says("hello").save(cli.memory.parent)
    assert "no transcript tells of its use" in cli("show", "tea").out
    assert " unknown" in cli("receipts").out


def test_what_looks_leaves_the_directory_as_it_was(cli: Cli) -> None:
    before = {path: path.lstat().st_mtime_ns for path in cli.memory.parent.rglob("*")}
    cli("receipts")
    cli("show", "tea")
    assert {path: path.lstat().st_mtime_ns for path in cli.memory.parent.rglob("*")} == before


def test_the_words_are_in_both_languages_with_the_same_parts(cli: Cli) -> None:
    for name in UsageWords.names():
        en, zh = (getattr(usage_words(lang), name) for lang in ("en", "zh"))
        parts = [sorted(part for _, part, _, _ in Formatter().parse(text) if part) for text in (en, zh)]
        assert parts[0] == parts[1], name
        assert any("\u4e00" <= char <= "\u9fff" for char in zh), name
    assert len({state_word(state, "zh") for state in LoadState}) == 4
    done = cli("--lang", "zh", "receipts", "tea")
    assert (
        done.out.splitlines()[0] == "在 2 个会话中加载 · 读取 1 次 · 引用 1 次 · 写入 1 次 · 最近使用：3 天前"
    )
    assert "声称已保存，实际未写入（第 7 行）" in done.out
    assert "有 1 行无法读取" in done.err


def test_a_file_that_cannot_be_kept_is_told(cli: Cli) -> None:
    (cli.home / "state").write_text("a file stands where the folder should be")
    done = cli("receipts")
    assert done.out.startswith("20000000")
    assert "cannot be kept in the state folder" in done.err
    assert "lines of the transcripts" not in done.err
