"""``memtui secrets``: a scanner that never prints a value, the list of what is let through, and the table of rules."""

import os
import random
import socket
from pathlib import Path

import pytest

from memtui.memory.secrets.guard import secret_hash
from memtui.memory.secrets.rules import RULES
from memtui.memory.secrets.table import rule_rows, rules_table
from memtui.scanning import MAX_SCANNED_BYTES, Found, Looked, Seen, scan, scan_text
from memtui.second_opinion import NAME, second_opinion
from tests.unit.cli_support import Cli
from tests.unit.secret_makers import TEMPLATES, drawn

TOKEN = drawn(random.Random(21), TEMPLATES["gitlab-token"][0])
OTHER = drawn(random.Random(22), TEMPLATES["gitlab-token"][0])
SHORT = secret_hash(TOKEN)[:12]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    made = Cli(tmp_path)
    made.memory_file("a", f"The deploy token is {TOKEN}.")
    return made


def by_path(seen: list[Seen]) -> dict[str, str]:
    """What became of each file: its rule, why it was skipped, or nothing."""
    told: dict[str, str] = {}
    for each in seen:
        name = Path(each.path).name
        if isinstance(each, Looked):
            told.setdefault(name, "")
        else:
            told[name] = each.rule if isinstance(each, Found) else each.code
    return told


def test_every_kind_of_file_is_looked_into_or_told_as_skipped(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text(f"\ntoken {TOKEN}\n")
    (tmp_path / "wide.txt").write_bytes(f"token {TOKEN}".encode("utf-16"))
    (tmp_path / "not-utf8.txt").write_bytes(b"\xff\xfe\xff token " + TOKEN.encode())
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0" + TOKEN.encode())
    (tmp_path / "link.txt").symlink_to("plain.txt")
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large.log").open("wb") as stream:
        stream.truncate(MAX_SCANNED_BYTES + 1)
    (tmp_path / ".git/objects").mkdir(parents=True)
    (tmp_path / ".git/config").write_text(f"[remote]\nurl = https://bot:{TOKEN}@git.test/x.git\n")
    seen = list(scan([tmp_path]))
    assert by_path(seen) == {
        "plain.txt": "gitlab-token",
        "wide.txt": "gitlab-token",
        "not-utf8.txt": "gitlab-token",
        "empty.txt": "",
        ".gitignore": "",
        "picture.png": "binary",
        "link.txt": "link",
        "pipe": "not-regular",
        "large.log": "large",
        "objects": "git-data",
        "config": "gitlab-token",
    }
    assert (
        next(each.line for each in seen if isinstance(each, Found) and each.path.endswith("plain.txt")) == 2
    )
    assert TOKEN not in repr(seen)
    assert by_path(list(scan([tmp_path / "link.txt"]))) == {"link.txt": "gitlab-token"}, (
        "who names it means it"
    )


def test_a_very_deep_folder_and_a_socket_stop_no_scan(tmp_path: Path) -> None:
    here = tmp_path
    fd = os.open(here, os.O_RDONLY)
    try:
        for _ in range(40):
            os.mkdir("d" * 20, dir_fd=fd)
            below = os.open("d" * 20, os.O_RDONLY, dir_fd=fd)
            os.close(fd)
            fd = below
        deep = os.open("deep.txt", os.O_WRONLY | os.O_CREAT, dir_fd=fd)
        os.write(deep, TOKEN.encode())
        os.close(deep)
    finally:
        os.close(fd)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        assert by_path(list(scan([tmp_path]))) == {"deep.txt": "gitlab-token", "s": "not-regular"}


def test_the_exit_code_tells_and_no_value_is_printed(cli: Cli) -> None:
    done = cli("secrets")
    assert (done.code, done.out) == (1, f"{cli.memory}/a.md:7: gitlab-token (GitLab) {SHORT}\n")
    clean = cli.project / "clean.md"
    clean.write_text(
        "Nothing to see; sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n"
    )
    assert cli("secrets", str(clean)).code == 0
    both = cli("secrets", str(clean), str(cli.memory), "--json")
    assert both.json["files"] == 2
    assert [(row["line"], row["rule"], row["fingerprint"]) for row in both.json["findings"]] == [
        (7, "gitlab-token", SHORT)
    ]
    assert TOKEN not in done.out + done.err + both.out + both.err
    assert cli("secrets", "not-there").code == 2
    assert cli("secrets", "--help").code == cli("secrets", "scan", "--help").code == 0


def test_what_is_let_through_is_let_through_until_it_is_not(cli: Cli) -> None:
    cli.memory_file("b", f"The other is {OTHER}.")
    assert cli("secrets", "allow", "123").code == cli("secrets", "allow").code == 2
    unknown = cli("secrets", "allow", "0" * 12)
    assert (unknown.code, SHORT in unknown.err) == (2, True)
    assert cli("secrets", "allow", SHORT).code == 0
    assert cli("secrets", "allow", "--file", str(cli.memory / "b.md"), "--line", "7").code == 0
    assert cli("secrets", "allow", SHORT, str(cli.memory)).out.startswith("let through already")
    assert cli("secrets").code == 0
    assert cli("check", "--rule", "secret").code == 0
    assert "🔒" not in cli("save", "a", "--content", f"Use {TOKEN} then.").out
    listed = cli("secrets", "allowed", "--json").json
    assert [(row["fingerprint"], row["rule"]) for row in listed] == [
        (SHORT, "gitlab-token"),
        (secret_hash(OTHER)[:12], "gitlab-token"),
    ]
    assert cli("secrets", "allowed").out.splitlines()[0].startswith(f"{SHORT}  gitlab-token  20")
    assert cli("secrets", "disallow", SHORT).code == 0
    assert cli("secrets", "disallow", SHORT).code == 2
    assert cli("secrets").code == 1


def test_every_rule_stands_in_the_table(cli: Cli) -> None:
    assert {row.id for row in rule_rows()} == set(RULES)
    assert rule_rows()[-1].provider == "generic"
    assert "| GitLab | `gitlab-token` | `glpat-…, gldt-…," in rules_table()
    assert [row["id"] for row in cli("secrets", "rules", "--json").json] == [row.id for row in rule_rows()]
    assert cli("secrets", "rules", "--lang", "zh").out.startswith("提供者")


def test_the_second_opinion_is_marked_and_adds_only_what_is_new() -> None:
    pytest.importorskip("betterleaks")
    name, ask = second_opinion()
    text = f"a\0b\ntoken {TOKEN}\n"
    assert [(line, value) for _, line, value in ask(text)] == [(2, TOKEN)]
    assert [found.by for found in scan_text(text, "x", second=(name, ask))] == ["memtui"]

    def other(_: str) -> list[tuple[str, int, str]]:
        return [("theirs", 1, "something else"), ("theirs", 3, "something else"), ("theirs", 2, TOKEN[:20])]

    found = list(scan_text(text, "x", second=(NAME, other)))
    assert [(each.by, each.rule, each.line) for each in found] == [
        ("memtui", "gitlab-token", 2),
        (NAME, "theirs", 1),
    ]
    assert "something" not in repr(found)
    allowed = {secret_hash("something else")}
    assert len(list(scan_text(text, "x", allowed=allowed, second=(NAME, other)))) == 1
