"""Spec §14: the sub-agent reads the project and nothing else, a bounded amount of it, and none of its secrets."""

import os
import random
from pathlib import Path

import pytest

from memtui.agent.project_tools import MAX_FILE_BYTES, MAX_HITS, ProjectTools, ToolText
from tests.unit.secret_makers import made as secrets_made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "main.py").write_text("def main():\n    print('Hello')\n")
    (root / "README.md").write_text("# Title\n\nHello there\n")
    (tmp_path / "outside.txt").write_text("Hello from outside")
    (root / "way-out").symlink_to(tmp_path / "outside.txt")
    (root / "folder-out").symlink_to(tmp_path)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("Hello config")
    (root / ".env").write_text("GREETING=Hello\n")
    return root


def call(root: Path | None, name: str, **given: object) -> ToolText:
    done = ProjectTools(root, "en").call(name, given)
    assert done is not None
    return done


def test_there_are_these_three_and_no_other(project: Path) -> None:
    tools = ProjectTools(project, "en")
    assert [tool.name for tool in tools.tools()] == ["read_file", "grep", "glob"]
    assert tools.call("bash", {"command": "ls"}) is None


@pytest.mark.parametrize("path", ["src/main.py", "./src/main.py", "src/../src/main.py"])
def test_a_file_of_the_project_is_read(project: Path, path: str) -> None:
    assert call(project, "read_file", path=path) == ToolText("def main():\n    print('Hello')")
    assert call(project, "read_file", path=str(project / path)).text.startswith("def main")


def test_an_offset_goes_on_where_an_answer_ended(project: Path) -> None:
    (project / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 1001)))
    first = call(project, "read_file", path="long.txt").text
    assert first.startswith("line 1\n")
    assert first.endswith("line 400\n… and more.")
    assert call(project, "read_file", path="long.txt", offset=999).text == "line 999\nline 1000"


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../outside.txt",
        "src/../../outside.txt",
        "~/x",
        "../project-2/a",
        "folder-out/../../x",
        "a\0b",
        "/",
    ],
)
def test_what_is_outside_is_refused(project: Path, path: str) -> None:
    done = call(project, "read_file", path=path)
    assert done.refused
    assert done.failed
    assert "outside" in done.text


@pytest.mark.parametrize("path", ["way-out", "folder-out/outside.txt", ".git/config", ".env", "src"])
def test_no_link_is_followed_and_no_hidden_store_or_key_file_is_read(project: Path, path: str) -> None:
    done = call(project, "read_file", path=path)
    assert done.failed
    assert "Hello" not in done.text


def test_a_pipe_is_not_read(project: Path) -> None:
    os.mkfifo(project / "pipe")
    assert call(project, "read_file", path="pipe").refused


def test_grep_finds_lines_without_case_and_stays_inside(project: Path) -> None:
    assert (
        call(project, "grep", pattern="hello").text
        == "README.md:3: Hello there\nsrc/main.py:2: print('Hello')"
    )
    assert call(project, "grep", pattern="hello", glob="*.py").text == "src/main.py:2: print('Hello')"
    assert call(project, "grep", pattern="(((a+)+)+$").text == "Nothing found."
    assert call(project, "grep", pattern="x", glob="/etc/*").refused


def test_glob_lists_paths(project: Path) -> None:
    assert call(project, "glob", pattern="**/*.py").text == "src/main.py"
    assert call(project, "glob", pattern="*.md").text == "README.md"
    assert call(project, "glob", pattern="../*").refused
    for number in range(MAX_HITS + 1):
        (project / f"{number:03}.txt").touch()
    assert call(project, "glob", pattern="*.txt").text.splitlines()[-2:] == [
        f"{MAX_HITS - 1:03}.txt",
        "… and more.",
    ]


def test_secrets_in_files_do_not_leave(project: Path) -> None:
    token = secrets_made(random.Random(1), "github-token")[0]
    (project / "deploy.sh").write_text(f"export GH={token}\n")
    shown = (call(project, "read_file", path="deploy.sh").text, call(project, "grep", pattern="export").text)
    assert all(token not in text and "[secret github-token" in text for text in shown)


def test_large_and_binary_files_are_not_read(project: Path) -> None:
    (project / "big.txt").write_bytes(b"a" * (MAX_FILE_BYTES + 1))
    (project / "data.bin").write_bytes(b"Hello\0")
    assert "too large" in call(project, "read_file", path="big.txt").text
    assert "not text" in call(project, "read_file", path="data.bin").text


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("read_file", {}),
        ("read_file", {"path": 3}),
        ("read_file", {"path": "README.md", "offset": 0}),
        ("read_file", {"path": "README.md", "offset": "1"}),
        ("read_file", {"path": "none.txt"}),
        ("grep", {"pattern": ""}),
        ("grep", {"pattern": "x" * 500}),
        ("grep", {"pattern": "x", "glob": []}),
        ("glob", {"pattern": None}),
    ],
)
def test_a_call_gone_wrong_is_answered_not_raised(project: Path, name: str, given: dict[str, object]) -> None:
    done = call(project, name, **given)
    assert done.failed
    assert not done.refused


def test_without_a_project_nothing_is_read() -> None:
    assert call(None, "read_file", path="/etc/passwd").failed
