"""Design §4: ``save forget restore undo redo``; bad input is a sentence, a documented code, and nothing changed."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memtui.agent.save_tool import SaveMemoryTool, ToolResult, run_save_memory
from memtui.cli import changing, review_changes, review_deciding, team_deciding
from memtui.memory.managing.manager import MemoryManager
from tests.unit.cli_support import Cli

HEADER = ["--name", "Deploys", "--description", "when we deploy", "--type", "project"]
BODY = "Deploys happen on Tuesdays, after the stand-up."


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


def save(cli: Cli, *words: str, slug: str = "deploys", content: str = BODY) -> None:
    assert cli("save", slug, *HEADER, "--content", content, *words).code == 0


def test_spec_12_save_prints_what_the_tool_would(cli: Cli, tmp_path: Path) -> None:
    done = cli(
        "save",
        "deploys",
        "--name",
        "Deploys",
        "--description",
        "when we deploy",
        "--type",
        "project",
        "--content",
        BODY,
    )
    other = tmp_path / "projects" / "other" / "memory"
    other.mkdir(parents=True)
    manager = MemoryManager.open(other, clock=lambda: cli.now)
    fields = {
        "slug": "deploys",
        "name": "Deploys",
        "description": "when we deploy",
        "memory_type": "project",
        "content": BODY,
    }
    assert done.code == 0
    assert done.err == ""
    assert done.out == run_save_memory(manager, fields).text + "\n"
    assert done.out.startswith("✅")
    assert cli.files()["deploys.md"] == (other / "deploys.md").read_bytes()
    assert "](deploys.md)" in cli.files()["MEMORY.md"].decode()


@pytest.mark.parametrize("way", ["stdin", "file", "file-is-stdin", "content"])
def test_save_takes_the_text_from_one_place(cli: Cli, way: str) -> None:
    text = "\ufeff第一行：部署在周二。\nsecond line\n"
    (cli.project / "text.md").write_text(text, encoding="utf-8")
    words, stdin = {
        "stdin": (["-"], text),
        "file": (["--file", "text.md"], ""),
        "file-is-stdin": (["--file", "-"], text),
        "content": (["--content", text.removeprefix("\ufeff")], ""),
    }[way]
    done = cli("save", "x", "--name", "X", "--description", "d", "--type", "project", *words, stdin=stdin)
    assert done.code == 0
    assert cli("show", "x", "--content").out.strip() == text.strip().removeprefix("\ufeff")


def test_spec_5_saving_again_keeps_the_old_version_and_only_what_is_given_changes(cli: Cli) -> None:
    save(cli)
    first = cli.files()["deploys.md"]
    cli.now += 60
    done = cli("save", "deploys", "--description", "the day we deploy")
    assert done.code == 0
    assert done.out.startswith("🔄")
    assert "deploys_v1" in done.out
    (shown,) = [row for row in cli("list", "--json").json if row["slug"] == "deploys"]
    assert (shown["name"], shown["description"], shown["type"]) == ("Deploys", "the day we deploy", "project")
    assert cli("show", "deploys", "--content").out.strip() == BODY
    old = (cli.memory / ".memtui" / "history" / "deploys_v1.md").read_bytes()
    assert BODY.encode() in old
    assert first != old
    assert b"status: historical" in old


def test_saving_without_a_change_alters_no_byte(cli: Cli) -> None:
    save(cli)
    before = cli.files()
    cli.now += 60
    assert cli("save", "deploys", "--content", BODY).code == 0
    assert cli.files() == before
    assert not (cli.memory / ".memtui" / "history").exists()


def test_spec_5_a_partial_save_is_a_conflict_if_the_rest_has_changed_meanwhile(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(cli)
    path = cli.memory / "deploys.md"

    edit = SaveMemoryTool.edit

    def meanwhile(self: SaveMemoryTool, slug: str, changes: Mapping[str, str], **settings: Any) -> ToolResult:
        path.write_bytes(path.read_bytes().replace(b"Tuesdays", b"Mondays"))
        return edit(self, slug, changes, **settings)

    monkeypatch.setattr(SaveMemoryTool, "edit", meanwhile)
    done = cli("save", "deploys", "--description", "the day we deploy")
    assert (done.code, done.out) == (3, "")
    assert "-Deploys happen on Tuesdays" in done.err
    assert "+Deploys happen on Mondays" in done.err
    assert b"when we deploy" in path.read_bytes()
    assert cli("save", "deploys", *HEADER, "--content", BODY).code == 0


def test_spec_3_a_memory_without_a_type_can_be_edited_and_still_has_none(cli: Cli) -> None:
    cli.write("x.md", "---\nname: X\ndescription: d\n---\n\nA body of some length.\n")
    assert cli("save", "x", "--name", "Y").code == 0
    assert cli.files()["x.md"] == b"---\nname: Y\ndescription: d\n---\n\nA body of some length.\n"


def test_save_json(cli: Cli) -> None:
    done = cli(
        "save",
        "x",
        "--name",
        "X",
        "--description",
        "d",
        "--type",
        "user",
        "--content",
        "maybe it rains tomorrow",
        "--json",
    )
    answer = done.json
    assert (answer["is_error"], answer["outcome"], answer["slugs"]) == (False, "created", ["x"])
    assert answer["text"].startswith("✅")
    assert "⚠" in answer["text"]
    done = cli("save", "x", "--type", "nonsense", "--json")
    assert done.code == 2
    assert done.json["is_error"]
    assert "nonsense" in done.json["text"]


IN_CHINESE = {
    "--content and -": "--content和-",
    "--content and --file": "--content和--file",
    "nowhere.md: there is no such file": "nowhere.md：没有此文件",
    "not a regular file": "不是普通文件",
    "latin1.txt: the text is not UTF-8 (byte 4)": "latin1.txt：正文不是 UTF-8（第 4 字节）",
    "huge.txt: the text is longer than 1,048,576 bytes": "huge.txt：正文超过 1,048,576 字节",
    "unexpected argument 'what'": "多余的参数 'what'",
    "a new memory needs --content, --file or -": "新记忆需要 --content、--file 或 -",
}
"""What a sentence is in Chinese; a part that is a value is the same."""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["Bad_Slug", "--content", BODY], "Bad_Slug"),
        (["../outside", "--content", BODY], "outside"),
        (["/etc/passwd", "--content", BODY], "etc"),
        (["a/../../b", "--content", BODY], "a/../../b"),
        ([".hidden", "--content", BODY], "hidden"),
        (["memory", "--content", BODY], "memory"),
        (["con", "--content", BODY], "con"),
        (["x" * 101, "--content", BODY], "101"),
        (["ok", "--content", "   \n"], "content"),
        (["ok", "--content", ""], "content"),
        (["ok", "--content", BODY, "--name", " "], "name"),
        (["ok", "--content", BODY, "--type", "nonsense"], "nonsense"),
        (["ok", "--content", BODY, "--description", ""], "description"),
        (["ok", "--content", BODY, "-"], "--content and -"),
        (["ok", "--content", BODY, "--file", "x"], "--content and --file"),
        (["ok", "--file", "nowhere.md"], "nowhere.md: there is no such file"),
        (["ok", "--file", "."], "not a regular file"),
        (["ok", "--file", "latin1.txt"], "latin1.txt: the text is not UTF-8 (byte 4)"),
        (["ok", "--file", "pipe"], "not a regular file"),
        (["ok", "--file", "huge.txt"], "huge.txt: the text is longer than 1,048,576 bytes"),
        (["ok", "what"], "unexpected argument 'what'"),
        (["ok"], "a new memory needs --content, --file or -"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_bad_input_is_a_sentence_code_2_and_changes_nothing(
    cli: Cli, words: list[str], says: str, lang: str
) -> None:
    save(cli)
    (cli.project / "latin1.txt").write_bytes(b"caf\xe9 au lait")
    (cli.project / "huge.txt").write_bytes(b"x" * ((1 << 20) + 1))
    os.mkfifo(cli.project / "pipe")
    before = cli.files()
    header = ["--name", "N", "--description", "d", "--type", "user"]
    done = cli("--lang", lang, "save", *header, *words)
    assert done.code == 2
    assert done.out == ""
    assert (says if lang == "en" else IN_CHINESE.get(says, says)) in done.err
    assert done.err.endswith("\n")
    assert cli.files() == before
    assert not list(cli.memory.parent.glob("*outside*"))


def test_a_new_memory_names_everything_that_is_missing(cli: Cli) -> None:
    done = cli("save", "x")
    assert done.code == 2
    assert "--name, --description, --type, --content, --file or -" in done.err
    assert not cli.files()
    assert not (cli.memory / ".memtui").exists()


def test_a_save_in_the_place_of_an_old_version_says_what_stands_there(cli: Cli) -> None:
    cli.memory_file("x", status="historical")
    done = cli("save", "x", "--content", BODY)
    assert done.code == 2
    assert "a new memory" not in done.err
    assert "there is an old version of that name" in done.err
    assert "--name, --description, --type" in done.err


def test_a_save_of_some_fields_over_a_file_that_cannot_be_read_says_why(cli: Cli) -> None:
    (cli.memory / "x.md").mkdir()
    done = cli("save", "x", "--content", BODY)
    assert done.code == 4
    assert "a new memory" not in done.err
    assert "not a regular file" in done.err


def test_stdin_that_is_not_utf8_is_refused(cli: Cli) -> None:
    done = cli("save", "x", "-", "--name", "X", "--description", "d", "--type", "user", stdin=b"\xff")
    assert done.code == 2
    assert "stdin: the text is not UTF-8" in done.err


def test_forget_and_undo_bring_back_every_byte(cli: Cli) -> None:
    save(cli)
    cli.memory_file("other", "It stands on [[deploys]].")
    before = cli.files()
    done = cli("forget", "deploys")
    assert done.code == 0
    assert done.out == "forgot deploys; 'memtui undo' brings it back\n"
    assert "wiki links now point to nothing in: other" in done.err
    assert "deploys.md" not in cli.files()
    assert b"deploys.md" not in cli.files()["MEMORY.md"]
    dry = cli("undo", "--dry-run")
    assert dry.out == "would undo: forget deploys\n"
    assert cli("undo", "--dry-run", "--json").json == {"label": "forget deploys"}
    assert "deploys.md" not in cli.files()
    done = cli("undo")
    assert done.out == "undone: forget deploys; 'memtui redo' makes it again\n"
    assert cli.files() == before
    assert cli("redo", "--dry-run").out == "would redo: forget deploys\n"
    assert cli("redo").out == "made again: forget deploys; 'memtui undo' takes it back\n"
    assert "deploys.md" not in cli.files()


def test_forget_several_is_one_change(cli: Cli) -> None:
    for slug in ("a", "b"):
        cli.memory_file(slug)
    before = cli.files()
    done = cli("forget", "a", "b", "--json")
    assert done.json["slugs"] == ["a", "b"]
    assert not {"a.md", "b.md"} & set(cli.files())
    assert cli("undo", "--json").code == 0
    assert cli.files() == before


def test_forget_what_is_not_there_changes_nothing(cli: Cli) -> None:
    cli.memory_file("a")
    before = cli.files()
    done = cli("forget", "a", "nope")
    assert (done.code, done.out) == (2, "")
    assert "there is no memory 'nope'" in done.err
    assert cli.files() == before


def test_an_old_version_is_not_forgotten(cli: Cli) -> None:
    save(cli)
    save(cli, content="Deploys happen on Wednesdays now, at noon.")
    done = cli("forget", "deploys_v1")
    assert done.code == 2
    assert "kept for ever" in done.err


def test_restore_makes_an_old_version_current_and_keeps_the_other(cli: Cli) -> None:
    save(cli)
    cli.now += 60
    save(cli, content="Deploys happen on Wednesdays now, at noon.")
    done = cli("restore", "deploys", "1")
    assert done.code == 0
    assert done.out == "restored version 1 of deploys; what stood there is deploys_v2\n"
    assert cli("show", "deploys", "--content").out.strip() == BODY
    assert [row["version"] for row in cli("history", "deploys", "--json").json] == ["current", "2", "1"]
    done = cli("restore", "deploys", "current")
    assert "nothing to do" in done.out
    done = cli("restore", "deploys", "9")
    assert done.code == 2
    assert "there is no version '9'" in done.err


@pytest.mark.parametrize(
    "words", [["undo"], ["redo"], ["undo", "--dry-run"], ["redo", "--dry-run"], ["undo", "--json"]]
)
def test_nothing_to_undo_is_said_and_leaves_no_trace(cli: Cli, words: list[str]) -> None:
    done = cli(*words)
    assert done.code == 2
    assert ("error" in done.json) if "--json" in words else (done.out == "")
    assert f"there is nothing to {words[0]}" in done.err
    assert not (cli.memory / ".memtui").exists()


def test_undo_tells_what_comes_next(cli: Cli) -> None:
    save(cli)
    cli("forget", "deploys")
    assert cli("undo").err == "next to undo: create deploys\n"


def test_spec_5_undo_is_refused_with_a_diff_when_somebody_changed_the_file_since(cli: Cli) -> None:
    save(cli)
    path = cli.memory / "deploys.md"
    path.write_bytes(path.read_bytes() + b"\nAn agent was here. \x1b[31m\n")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    done = cli("undo")
    assert (done.code, done.out) == (3, "")
    assert "deploys.md" in done.err
    assert "+An agent was here. ␛[31m" in done.err
    assert "\x1b" not in done.err
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


def test_the_audit_log_names_the_command(cli: Cli) -> None:
    save(cli)
    rows = MemoryManager.open(cli.memory).audit.rows()
    assert [(row.tool_name, row.status, row.slug, row.actor) for row in rows] == [
        ("save_memory", "created", "deploys", "user")
    ]


def test_commands_that_change_something_take_a_yes_though_they_ask_nothing() -> None:
    for command in (
        changing.save_command,
        changing.forget_command,
        changing.restore_command,
        changing.undo_command,
        changing.redo_command,
        review_deciding.accept_command,
        review_deciding.edit_command,
        review_deciding.reject_command,
        review_changes.keep_command,
        team_deciding.decline_command,
        team_deciding.resolve_command,
    ):
        assert any("--yes" in option.opts and "-y" in option.opts for option in command.params), command.name
