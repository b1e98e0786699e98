"""Which files are memories, and what is read from one (spec §3, §4, §5)."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from memtui.memory.directory.scan import Directory
from memtui.memory.disk.files import Folder
from memtui.memory.document.entries import kind_of, look
from memtui.memory.types import ACTIVE, Historical, MemoryEntry, MemoryType, Severity
from tests.unit.scan_support import DAY, NOW, opened, text, write


def slugs(directory: Directory) -> list[str]:
    return [entry.slug for entry in directory.entries]


# -- what counts -------------------------------------------------------------------------------------------------------


def test_spec_5_index_dot_files_logs_and_other_endings_are_not_memories(tmp_path: Path) -> None:
    for rel in (
        "a.md",
        "sub/b.md",
        "sub/logs/c.md",
        "team/d.md",
        "node_modules/e.md",
        "记忆.md",
        "memory.md",
    ):
        write(tmp_path, rel, text())
    for rel in (
        "MEMORY.md",
        "team/MEMORY.md",
        ".hidden.md",
        ".git/x.md",
        "sub/.x/y.md",
        "logs/2026/l.md",
        "n.txt",
        "u.MD",
        ".memtui/trash/t.md",
        ".memtui/inbox/i.md",
    ):
        write(tmp_path, rel, text())
    assert sorted(slugs(opened(tmp_path))) == sorted(
        ["a", "sub/b", "sub/logs/c", "team/d", "node_modules/e", "记忆", "memory"]
    )


@pytest.mark.parametrize(
    ("rel", "kind"),
    [
        ("a.md", "memory"),
        ("sub/a.md", "memory"),
        ("sub/logs/a.md", "memory"),
        (".memtui/history/a_v1.md", "memory"),
        (".memtui/history/sub/a_v1.md", "memory"),
        ("MEMORY.md", "index"),
        ("team/MEMORY.md", "none"),
        ("logs", "none"),
        ("logs/2026/01/x.md", "none"),
        ("logs.md", "memory"),
        (".a.md", "none"),
        ("sub/.a.md", "none"),
        (".memtui/lock", "none"),
        (".memtui/inbox/p.md", "none"),
        (".memtui/history/.a_v1.md", "none"),
        (".memtui", "other"),
        (".memtui/history", "other"),
        ("sub", "other"),
        ("notes.txt", "other"),
        ("", "other"),
        ("../x.md", "none"),
        ("/x.md", "none"),
        ("sub/../x.md", "none"),
        ("a//b.md", "none"),
        ("a\0.md", "none"),
    ],
)
def test_spec_5_a_path_tells_what_it_stands_for(rel: str, kind: str) -> None:
    assert kind_of(rel) == kind


def test_every_path_a_full_look_lists_is_one_that_a_hint_accepts(tmp_path: Path) -> None:
    for rel in (
        "a.md",
        "sub/b.md",
        "logs/no.md",
        "sub/logs/c.md",
        ".d/no.md",
        ".memtui/history/logs/e_v1.md",
    ):
        write(tmp_path, rel, text())
    folder = Folder(tmp_path)
    listed = {rel for rel, _ in folder.walk()} | {rel for rel, _ in folder.walk_history()}
    assert {rel for rel in listed if kind_of(rel) == "memory"} == listed
    hinted = opened(tmp_path)
    for rel in listed:
        (tmp_path / rel).unlink()
    hinted.refresh(listed)
    assert hinted.entries == ()


def test_spec_3_an_entry_has_every_field_of_the_file(tmp_path: Path) -> None:
    data = (
        "---\nname: Real database\ndescription: no mocks\nmetadata:\n  node_type: memory\n  type: feedback\n"
        "  originSessionId: 0f-1\n  modified: 2026-09-01T00:00:00Z\n---\n\nUse it.\n"
    )
    path = write(tmp_path, "sub/db.md", data, days=3)
    entry = opened(tmp_path).get("sub/db")
    assert entry is not None
    assert (entry.slug, entry.rel, entry.path) == ("sub/db", "sub/db.md", path)
    assert (entry.name, entry.description, entry.content) == ("Real database", "no mocks", "Use it.\n")
    assert (entry.memory_type, entry.type_text, entry.origin) == (MemoryType.FEEDBACK, "feedback", "0f-1")
    assert (entry.mtime, entry.modified) == (NOW - 3 * DAY, 1_788_220_800.0)
    assert (entry.status, entry.scope, entry.body_line, entry.size) == (ACTIVE, "private", 11, len(data))
    assert entry.digest == Folder(tmp_path).read("sub/db.md").digest


def test_spec_3_effective_time_is_frontmatter_then_mtime_and_the_future_counts_as_now(tmp_path: Path) -> None:
    write(tmp_path, "mtime.md", text(), days=5)
    write(tmp_path, "front.md", text(extra="modified: 2026-09-01T00:00:00Z\n"), days=5)
    write(tmp_path, "odd.md", text(extra="modified: soon\n"), days=6)
    write(tmp_path, "future.md", text(extra="modified: 2099-01-01T00:00:00Z\n"), days=7)
    write(tmp_path, "touched-in-future.md", text(), days=-9)
    found = {entry.slug: entry.modified for entry in opened(tmp_path).entries}
    assert found == {
        "mtime": NOW - 5 * DAY,
        "front": 1_788_220_800.0,
        "odd": NOW - 6 * DAY,
        "future": NOW,
        "touched-in-future": NOW,
    }


def test_spec_5_historical_by_status_or_by_place_never_by_name(tmp_path: Path) -> None:
    write(tmp_path, "plan_v3.md", text())
    write(tmp_path, "plan_v1.md", text(extra="status: historical\nsuperseded_by: plan\n"))
    write(tmp_path, "odd.md", text(extra="status: superseded\n"))
    write(tmp_path, ".memtui/history/plan_v2.md", text())
    write(tmp_path, ".memtui/history/sub/x_v1.md", text(extra="superseded_by: sub/x\n"))
    found = {entry.slug: entry.status for entry in opened(tmp_path).entries}
    assert found == {
        "plan_v3": ACTIVE,
        "odd": ACTIVE,
        "plan_v1": Historical("plan"),
        "plan_v2": Historical(None),
        "sub/x_v1": Historical("sub/x"),
    }


def test_an_archive_and_a_live_memory_of_one_slug_are_both_listed_and_the_live_one_is_found(
    tmp_path: Path,
) -> None:
    live = write(tmp_path, "a_v1.md", text("live"))
    aside = write(tmp_path, ".memtui/history/a_v1.md", text("archive"))
    directory = opened(tmp_path)
    assert [(e.slug, e.path, e.aside) for e in directory.entries] == [
        ("a_v1", live, False),
        ("a_v1", aside, True),
    ]
    found, by_path = directory.get("a_v1"), directory.get_rel(".memtui/history/a_v1.md")
    assert (found and found.name, by_path and by_path.name) == ("live", "archive")
    live.unlink()
    directory.refresh(["a_v1.md"])
    left = directory.get("a_v1")
    assert left is not None
    assert left.name == "archive"


def test_scope_is_team_below_team_only(tmp_path: Path) -> None:
    for rel in ("a.md", "team/b.md", "teams/c.md", "sub/team/d.md", ".memtui/history/team/b_v1.md"):
        write(tmp_path, rel, text())
    scopes = {entry.rel: entry.scope for entry in opened(tmp_path).entries}
    assert scopes == {
        "a.md": "private",
        "team/b.md": "team",
        "teams/c.md": "private",
        "sub/team/d.md": "private",
        ".memtui/history/team/b_v1.md": "team",
    }


def test_spec_3_unknown_and_missing_types_are_kept_as_written(tmp_path: Path) -> None:
    write(tmp_path, "odd.md", text(type_="Decision"))
    write(tmp_path, "none.md", "just text\n")
    directory = opened(tmp_path)
    odd, none = directory.get("odd"), directory.get("none")
    assert odd is not None
    assert none is not None
    assert (odd.memory_type, odd.type_text) == (None, "Decision")
    assert (none.memory_type, none.type_text, none.name, none.description) == (None, None, "none", "")


# -- files that cannot be read -----------------------------------------------------------------------------------------


def test_spec_4_a_file_that_cannot_be_read_is_an_entry_with_its_problem(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    root = tmp_path / "memory"
    root.mkdir()
    write(root, "good.md", text())
    os.mkfifo(root / "pipe.md")
    (root / "folder.md").mkdir()
    write(root, "folder.md/inner.md", text("inner"))
    (root / "huge.md").touch()
    os.truncate(root / "huge.md", 1 << 40)
    (root / "passwd.md").symlink_to("/etc/passwd")
    (root / "dangling.md").symlink_to("nowhere.md")
    (root / "loop.md").symlink_to("loop.md")
    write(root, "latin.md", text("caf").encode() + b"\xe9\n")
    os.close(os.open(os.fsencode(root) + b"/odd\xff.md", os.O_CREAT | os.O_WRONLY))
    directory = opened(root)
    problems = {
        e.slug: {p.code for p in e.problems if p.severity is Severity.ERROR} for e in directory.entries
    }
    assert problems["pipe"] == problems["folder"] == {"not-regular"}
    assert problems["huge"] == {"too-large"}
    assert problems["passwd"] == {"outside"}
    assert "odd\udcff" in problems
    assert problems["good"] == problems["folder.md/inner"] == set()
    assert "latin" in problems
    passwd = directory.get("passwd")
    assert passwd is not None
    assert (passwd.name, passwd.content, passwd.digest) == ("passwd", "", "")
    assert all(problem.message for entry in directory.entries for problem in entry.problems)


def test_a_link_inside_the_folder_reads_as_its_target(tmp_path: Path) -> None:
    write(tmp_path, "sub/real.md", text("Real"))
    (tmp_path / "link.md").symlink_to("sub/real.md")
    names = {entry.slug: entry.name for entry in opened(tmp_path).entries}
    assert names == {"sub/real": "Real", "link": "Real"}


def test_one_file_is_read_as_all_are_and_none_where_there_is_none(tmp_path: Path) -> None:
    write(tmp_path, "sub/a.md", text("One"))
    known = look(Folder(tmp_path), "sub/a.md", lambda: NOW)
    assert known is not None
    assert known.entry == opened(tmp_path).get("sub/a")
    assert look(Folder(tmp_path), "b.md", lambda: NOW) is None


# -- what an entry is made of ------------------------------------------------------------------------------------------


def test_an_entry_gives_text_digest_and_path_of_its_file(tmp_path: Path) -> None:
    data = "---\nname: A\ndescription: d\ntype: user\n---\n\n正文 — text.\n".encode()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_bytes(data)
    entry = opened(tmp_path).entries[0]
    assert entry.content == "正文 — text.\n"
    assert entry.digest == sha256(data).hexdigest()
    assert entry.path == tmp_path / "sub" / "a.md"
    assert (entry.size, entry.body_line, entry.rel) == (len(data), 7, "sub/a.md")
    assert entry == opened(tmp_path).entries[0]
    assert entry._replace(name="B").content == entry.content
    assert repr(entry) == "MemoryEntry('sub/a.md')"


def test_an_entry_made_from_a_text_gives_that_text(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    entry = MemoryEntry(
        "a", "A", "d", MemoryType.USER, 1.0, "half \ud800 a character", path, ACTIVE, 1.0, digest="0f"
    )
    assert (entry.content, entry.digest, entry.path) == ("half \ud800 a character", "0f", path)


def test_a_listing_leaves_out_only_the_state_of_plain_files_that_are_not_known(tmp_path: Path) -> None:
    for rel in ("a.md", "b.md", "MEMORY.md"):
        write(tmp_path, rel, text())
    (tmp_path / "link.md").symlink_to("a.md")
    (tmp_path / "folder.md").mkdir()
    folder = Folder(tmp_path)
    all_of_it = dict(folder.walk())
    assert dict(folder.walk_again({"a.md"})) == {**all_of_it, "b.md": None}
    assert dict(folder.walk_again(all_of_it)) == all_of_it
