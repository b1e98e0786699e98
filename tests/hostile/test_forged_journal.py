"""Reliability §3: a ``.memtui/journal.jsonl`` that somebody else wrote changes memories at most, and only as it says."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.disk.files import Folder
from memtui.memory.errors import MemtuiError, Refused, UsageError
from memtui.memory.index.merge import merge_index
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.ledger import MAX_JOURNAL_BYTES, MAX_LINE_BYTES
from memtui.memory.saving.record_lines import may_change
from memtui.memory.saving.records import Edit
from tests.hostile.forging import KEY, MEMORY, PAYLOAD, change, put_object, temp, tree, write_journal
from tests.unit.test_journal import keep_as, open_journal

FOREIGN = (
    ".git/hooks/post-commit",
    ".git/config.md",
    "run.sh",
    "Makefile",
    ".gitattributes",
    ".hidden.md",
    "sub/.hidden.md",
    "sub/.git/a.md",
    "sub/MEMORY.md",
    "logs/a.md",
    ".memtui/config.toml",
    ".memtui/a.md",
    ".memtui/lock",
    ".memtui/journal.jsonl",
    ".memtui/audit.db",
    ".memtui/drafts/a.json",
    ".memtui/objects/a.md",
    ".memtui/history/.a.md",
    ".memtui/history/run.sh",
    ".memtui/history/../../run.md",
    ".memtui/trash/.a",
    ".memtui/trash/sub/a.md",
    ".memtui/trash/../../run.sh",
    "../outside.md",
    "a/../../outside.md",
    "/etc/outside.md",
    "",
)
OURS = (
    "a.md",
    "sub/b.md",
    "用户.md",
    INDEX_NAME,
    ".memtui/history/a_v1.md",
    ".memtui/history/sub/b_v2.md",
    ".memtui/trash/1-a.md",
)


def cloned(tmp_path: Path) -> Path:
    root = tmp_path / "clone"
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / "sub" / ".git").mkdir(parents=True)
    (root / "a.md").write_bytes(MEMORY)
    (tmp_path / "outside.md").write_bytes(b"outside\n")
    return root


def act(root: Path) -> list[str]:
    """Everything that acts on a journal; what was said."""
    said: list[str] = []
    for name in ("recover", "undo", "redo", "undo"):
        try:
            done = getattr(open_journal(root), name)()
        except MemtuiError as error:
            said.append(str(error))
        else:
            said += done if name == "recover" else [name]
    return said


@pytest.mark.parametrize("state", ["open", "part", "back", "done"])
@pytest.mark.parametrize("role", ["primary", "archive", "index"])
@pytest.mark.parametrize("rel", FOREIGN)
def test_nothing_but_memories_is_written_removed_or_brought_back(
    rel: str, role: str, state: str, tmp_path: Path
) -> None:
    for number, (before, after) in enumerate([(None, PAYLOAD), (PAYLOAD, None), (b"outside\n", PAYLOAD)]):
        root = cloned(tmp_path / str(number))
        if before and rel in {"run.sh", ".gitattributes", ".git/hooks/post-commit", ".memtui/config.toml"}:
            (root / rel).parent.mkdir(parents=True, exist_ok=True)
            (root / rel).write_bytes(before)
        changes = [
            change(root, "a.md", "primary", b"old\n", MEMORY, 1),
            change(root, rel, role, before, after, 2),
        ]
        write_journal(root, changes, state)
        was = tree(root.parent)
        said = act(root)
        assert tree(root.parent) == was
        assert any("names files that are not memories" in sentence for sentence in said)


@pytest.mark.parametrize(
    "what",
    [
        {"temp": ".git/.a.md.4194305.58feb004e2f801"},
        {"temp": "sub/.a.md.4194305.58feb004e2f801"},
        {"temp": ".b.md.4194305.58feb004e2f801"},
        {"temp": ".a.md.4194305.aaaaaaaaaaaa01"},
        {"temp": "precious"},
        {"trash": True, "trashed": "run.sh"},
        {"trash": True, "trashed": ".memtui/objects/x"},
    ],
)
@pytest.mark.parametrize("state", ["open", "part", "back", "done"])
def test_no_other_file_stands_in_as_temporary_or_trash(
    state: str, what: dict[str, object], tmp_path: Path
) -> None:
    root = cloned(tmp_path)
    named = [str(value) for value in what.values() if isinstance(value, str)]
    for rel in named:
        for path in (root / rel, root / f"{rel}.swap", root / f"{rel}.part"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"precious\n")
    forged = {**change(root, "a.md", "primary", MEMORY, None, 1), **what}
    write_journal(root, [forged], state)
    act(root)
    for rel in named:
        assert (root / rel).read_bytes() == b"precious\n"
    assert (root / "a.md").read_bytes() == MEMORY


@pytest.mark.parametrize("made", [".git/refs", ".git", ".memtui/inbox", "sub/.git", "../beside", "logs"])
@pytest.mark.parametrize("state", ["back", "done"])
def test_no_folder_but_a_memorys_is_removed(state: str, made: str, tmp_path: Path) -> None:
    root = cloned(tmp_path)
    (root / made).mkdir(parents=True, exist_ok=True)
    write_journal(root, [change(root, "a.md", "primary", None, MEMORY, 1)], state, more={"made": [made]})
    act(root)
    assert (root / made).is_dir()
    assert (root / "a.md").exists()


def test_the_same_forgery_about_memories_is_acted_on(tmp_path: Path) -> None:
    """What shows that the ones above were refused for what they name, and not for being clumsy."""
    root = cloned(tmp_path)
    changes = [
        change(root, "a.md", "primary", b"old\n", MEMORY, 1),
        change(root, ".memtui/history/a_v1.md", "archive", None, b"older\n", 2),
    ]
    write_journal(root, changes, "open")
    assert open_journal(root).recover() == ("Finished an interrupted change: update a.",)
    archived = root / ".memtui" / "history" / "a_v1.md"
    assert archived.read_bytes() == b"older\n"
    assert stat.S_IMODE(archived.stat().st_mode) & 0o111 == 0
    open_journal(root).undo()
    assert (root / "a.md").read_bytes() == b"old\n"
    assert stat.S_IMODE((root / "a.md").stat().st_mode) & 0o111 == 0


def test_a_line_that_ends_a_record_may_name_no_more_than_its_beginning(tmp_path: Path) -> None:
    root = cloned(tmp_path)
    path = write_journal(root, [change(root, "a.md", "primary", b"old\n", MEMORY, 1)], "open")
    forged = change(root, "run.sh", "archive", None, PAYLOAD, 2)
    with path.open("a") as file:
        file.write(json.dumps({"t": "done", "key": KEY, "changes": [forged]}) + "\n")
    was = tree(root)
    act(root)
    assert tree(root) == was
    assert open_journal(root).records() == []


@pytest.mark.parametrize("state", ["open", "part", "back", "done"])
@pytest.mark.parametrize("which", ["before", "after"])
def test_an_object_that_is_not_what_its_name_says_is_never_used(
    which: str, state: str, tmp_path: Path
) -> None:
    root = cloned(tmp_path)
    before, after = b"old\n", MEMORY
    changes = [
        change(root, "a.md", "primary", before, after, 1),
        change(root, "c.md", "archive", None, b"archived\n", 2),
    ]
    write_journal(root, changes, state)
    for digest in (changes[0][which], changes[1]["after"]):
        (root / ".memtui" / "objects" / digest).write_bytes(PAYLOAD)
    was = tree(root)
    act(root)
    assert tree(root) == was


@pytest.mark.parametrize("where", ["inside", "outside", "folder"])
def test_an_object_that_is_a_link_is_believed_by_its_bytes_only(where: str, tmp_path: Path) -> None:
    root = cloned(tmp_path)
    forged = change(root, "a.md", "primary", b"old\n", MEMORY, 1)
    write_journal(root, [forged], "done")
    objects = root / ".memtui" / "objects"
    if where == "folder":
        objects.rename(tmp_path / "objects")
        objects.symlink_to(tmp_path / "objects")
    else:
        secret = (root if where == "inside" else tmp_path) / "secret"
        secret.write_bytes(b"secret\n")
        (objects / forged["before"]).unlink()
        (objects / forged["before"]).symlink_to(secret)
    was = tree(tmp_path)
    act(root)
    with suppress(MemtuiError):
        open_journal(root).commit("x", [Edit("n.md", None, b"n")], slugs=[])
    now = tree(tmp_path)
    assert {rel: now[rel] for rel in was} == was


@pytest.mark.parametrize(
    "values",
    [
        {"id": 2**63 - 1},
        {"id": -1},
        {"id": 1e300},
        {"at": 1e300},
        {"at": float("nan")},
        {"at": float("inf")},
        {"at": -1.0},
        {"pid": 2**62},
        {"label": "x" * 10_000_000},
        {"slugs": [1]},
        {"key": "../../run.sh"},
        {"key": "\u202e" * 12},
        {"kind": "remove"},
        {"made": "abc"},
        {"changes": 5},
        {"changes": [[]]},
    ],
)
def test_no_value_of_a_record_keeps_anybody_from_working(values: dict[str, object], tmp_path: Path) -> None:
    root = cloned(tmp_path)
    write_journal(root, [change(root, "a.md", "primary", b"old\n", MEMORY, 1)], "done", more=values)
    manager = MemoryManager.open(root, clock=lambda: 1.8e9)
    manager.recover()
    manager.save_memory("new", "New", "about new", "user", "A body of some length.")
    manager.activity()
    assert len(manager.journal.records()[-1].label) < 10_000
    assert 0 <= manager.journal.records()[-1].at < 1e11
    again = MemoryManager.open(root, clock=lambda: 1.8e9)
    undoable = again.undoable()
    assert undoable is not None
    assert undoable.label == "create new"
    again.undo()
    assert not (root / "new.md").exists()


def test_our_own_changes_are_undone_beside_a_forged_record(tmp_path: Path) -> None:
    root = cloned(tmp_path)
    write_journal(root, [change(root, "run.sh", "primary", PAYLOAD, None, 1)], "done")
    manager = MemoryManager.open(root, clock=lambda: 1.8e9)
    assert manager.undoable() is None
    with pytest.raises(UsageError, match="names files that are not memories"):
        manager.undo()
    manager.save_memory("new", "New", "about new", "user", "A body of some length.")
    assert [record.label for record in manager.activity()] == ["create new"]
    manager.undo()
    assert not (root / "new.md").exists()
    assert not (root / "run.sh").exists()
    assert any("run.sh" in sentence for sentence in manager.recover())


@pytest.mark.parametrize("kind", ["fifo", "link", "folder", "sparse", "socketless"])
def test_a_journal_that_is_no_journal_is_refused_at_once_and_reading_goes_on(
    kind: str, tmp_path: Path
) -> None:
    root = cloned(tmp_path)
    path = root / ".memtui" / "journal.jsonl"
    path.parent.mkdir()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(tmp_path / "outside.md")
    elif kind == "folder":
        path.mkdir()
    elif kind == "socketless":
        path.symlink_to("nowhere")
    else:
        with path.open("wb") as file:
            file.truncate(MAX_JOURNAL_BYTES + 1)
    was = tree(tmp_path)
    manager = MemoryManager.open(root, clock=lambda: 1.8e9)
    assert [entry.slug for entry in manager.entries()] == ["a"]
    for change_it in (
        manager.undo,
        lambda: manager.save_memory("b", "B", "about b", "user", "A body of text."),
    ):
        with pytest.raises(Refused):
            change_it()
    assert tree(tmp_path) == was


def test_lines_without_end_are_passed_over(tmp_path: Path) -> None:
    root = cloned(tmp_path)
    path = root / ".memtui" / "journal.jsonl"
    path.parent.mkdir()
    with path.open("wb") as file:
        file.truncate(MAX_LINE_BYTES + 5)
    journal = open_journal(root)
    journal.commit("x", [Edit("n.md", None, b"n")], slugs=[])
    assert [record.label for record in open_journal(root).records()] == ["x"]


@pytest.mark.parametrize("target", [".git/config", "run.sh", ".memtui/config.toml", ".hidden.md"])
@pytest.mark.parametrize("rel", ["link.md", INDEX_NAME])
def test_a_link_to_what_is_no_memory_is_not_written_through(rel: str, target: str, tmp_path: Path) -> None:
    root = cloned(tmp_path)
    (root / target).parent.mkdir(exist_ok=True)
    (root / target).write_bytes(MEMORY)
    (root / rel).symlink_to(target)
    role = "index" if rel == INDEX_NAME else "primary"
    with pytest.raises(Refused):
        open_journal(root).commit("x", [Edit(rel, MEMORY, PAYLOAD, role)], slugs=[])  # type: ignore[arg-type]
    assert (root / target).read_bytes() == MEMORY


def test_leftovers_of_a_stranger_become_old_versions_and_nothing_else(tmp_path: Path) -> None:
    root = cloned(tmp_path)
    for folder in ("", "sub/", ".memtui/", ".memtui/drafts/", ".git/", ".git/hooks/"):
        for name in ("post-commit", ".git", "config.toml", "a.md"):
            path = root / f"{folder}{temp(name, 1, 'aaaaaaaaaaaa')}.swap"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(f"{folder}{name}".encode())
            path.chmod(0o755)
    was = {rel for rel in tree(root) if not rel.endswith(".swap")}
    Journal(Folder(root), clock=lambda: 1e9, merge_index=merge_index, keep_as=keep_as).recover()
    new = {
        rel for rel in tree(root) if rel not in was and (root / rel).is_file() and not rel.startswith(".git/")
    }
    assert new
    for rel in new:
        assert rel.startswith((".memtui/history/", ".memtui/objects/"))
        assert (root / rel).stat().st_mode & 0o111 == 0


@pytest.mark.parametrize("rel", OURS)
def test_what_memtui_itself_changes_may_be_named(rel: str) -> None:
    assert may_change(rel)


@pytest.mark.parametrize("rel", FOREIGN)
def test_anything_else_may_not(rel: str) -> None:
    assert not may_change(rel)


@given(st.text(st.sampled_from("a./\\-m d\0é用"), max_size=30))
def test_no_name_leads_out_or_into_a_hidden_place(rel: str) -> None:
    for name in (rel, f".memtui/history/{rel}.md", f".memtui/trash/{rel}", f"{rel}.md"):
        if may_change(name):
            below = name.removeprefix(".memtui/history/").removeprefix(".memtui/trash/")
            assert not any(part.startswith(".") or part == "" for part in below.split("/"))
            assert "\0" not in name
            assert name.endswith(".md") or name.startswith(".memtui/trash/")


def test_put_object_is_what_the_journal_reads(tmp_path: Path) -> None:
    digest = put_object(tmp_path, PAYLOAD)
    assert open_journal(tmp_path).object(digest) == PAYLOAD
