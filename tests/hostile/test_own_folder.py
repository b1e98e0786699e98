"""Reliability §3: a ``.memtui/`` with links and other oddities is looked past; what cannot be done is refused before it begins."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder
from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.saving.records import Edit
from tests.hostile.forging import MEMORY, PAYLOAD, change, tree, write_journal
from tests.unit.cli_support import Cli
from tests.unit.test_journal import open_journal


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    cli = Cli(tmp_path)
    cli.memory_file("alpha")
    cli.write("MEMORY.md", "- [Alpha](alpha.md) — about alpha\n")
    return cli


PARTS = (
    "objects",
    "history",
    "trash",
    "drafts",
    "inbox",
    "lock",
    ".gitignore",
    "config.toml",
    "journal.jsonl",
    "audit.db",
)
READING = (
    ["list"],
    ["show", "alpha"],
    ["history", "alpha"],
    ["check"],
    ["index"],
    ["reminder"],
)


@pytest.mark.parametrize("part", ["", *PARTS])
@pytest.mark.parametrize("kind", ["link", "inside", "dangling", "loop", "file", "fifo", "folder"])
def test_looking_goes_on_and_nothing_outside_is_touched(kind: str, part: str, cli: Cli) -> None:
    own = cli.memory / ".memtui"
    path = own / part if part else own
    path.parent.mkdir(exist_ok=True)
    outside = cli.tmp / "outside"
    outside.mkdir()
    (outside / "precious").write_text("precious")
    inside = cli.memory / "inside"
    inside.mkdir()
    match kind:
        case "link":
            path.symlink_to(outside)
        case "inside":
            path.symlink_to(inside)
        case "dangling":
            path.symlink_to(outside / "nowhere")
        case "loop":
            path.symlink_to(path.name)
        case "file":
            path.write_text("something else = \n")
        case "fifo":
            os.mkfifo(path)
        case _:
            path.mkdir()
    was = tree(cli.tmp)
    for command in READING:
        done = cli(*command)
        assert done.code in {0, 1}, (command, done.err)
    assert "alpha" in cli("list").out
    shutil.rmtree(cli.home / "state")  # what is kept of transcripts, which is no part of any directory
    assert tree(cli.tmp) == was
    # Changes are made, or refused with the memory as it was; either way they reach nothing through a link.
    alpha = (cli.memory / "alpha.md").read_bytes()
    for command in (
        ["save", "alpha", "--content", "Another text of some length."],
        ["forget", "alpha"],
        ["undo"],
        ["redo"],
    ):
        code = cli(*command).code
        assert code in {0, 2, 4}
        if command[0] in {"save", "forget"} and code:
            assert (cli.memory / "alpha.md").read_bytes() == alpha
            assert not list(cli.memory.rglob("*.swap"))
            assert not list(cli.memory.rglob("*.part"))
        if (cli.memory / "alpha.md").exists():
            alpha = (cli.memory / "alpha.md").read_bytes()
    assert sorted(item.name for item in outside.iterdir()) == ["precious"]
    assert list(inside.iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "file", "readonly"])
def test_a_trash_that_cannot_be_used_refuses_to_forget_before_anything_happens(kind: str, cli: Cli) -> None:
    cli("save", "alpha", "--content", "Another text of some length.")
    trash = cli.memory / ".memtui" / "trash"
    elsewhere = cli.tmp / "elsewhere"
    elsewhere.mkdir()
    if kind == "link":
        trash.symlink_to(elsewhere)
    elif kind == "file":
        trash.write_text("x")
    was = tree(cli.tmp)
    folder = Folder(cli.memory, NoTrash() if kind == "readonly" else Disk())
    manager = MemoryManager.open(cli.memory, directory=Directory(cli.memory, folder=folder))
    manager.reload()
    with pytest.raises(Refused):
        manager.forget("alpha")
    now = tree(cli.tmp)
    assert {rel: now[rel] for rel in was} == was
    assert not [rel for rel in now if rel.endswith((".swap", ".part"))]
    assert [record.label for record in manager.activity()] == ["update alpha"]
    if kind == "link":
        done = cli("forget", "alpha")
        assert done.code == 4
        assert "index" not in done.err
        assert list(elsewhere.iterdir()) == []


def _is_trash(fd: int) -> bool:
    return Path(f"/proc/self/fd/{fd}").readlink().name == "trash"


class NoTrash(Disk):
    """A file system that lets nobody write to the trash."""

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        if flags & os.O_CREAT and dir_fd is not None and _is_trash(dir_fd):
            raise PermissionError(13, "Permission denied", path)
        return super().open(path, flags, mode, dir_fd=dir_fd)


class LateTrash(Disk):
    """A trash that goes bad after the look at it."""

    def rename_noreplace(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        if _is_trash(to_fd):
            raise PermissionError(13, "Permission denied", new)
        super().rename_noreplace(old, new, from_fd=from_fd, to_fd=to_fd)


def test_what_is_still_to_follow_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(MEMORY)
    outcome = open_journal(tmp_path, LateTrash()).commit(
        "x", [Edit("a.md", MEMORY, None, trash=True)], slugs=[]
    )
    assert outcome.pending == ("trash",)
    assert not (tmp_path / "a.md").exists()
    assert open_journal(tmp_path).recover() == ("Finished an interrupted change: x.",)
    (thrown,) = (tmp_path / ".memtui" / "trash").iterdir()
    assert thrown.read_bytes() == MEMORY


@pytest.mark.parametrize("text", ["lang = ", "lnag = 'zh'", "\udcff", "convention = 'x'"])
def test_settings_that_cannot_be_used_are_told_and_hold_up_changes_only(text: str, cli: Cli) -> None:
    path = cli.write(".memtui/config.toml", text)
    for command in READING:
        done = cli(*command)
        assert done.code in {0, 1}
        assert done.err.count(str(path)) == 1
    cli.memory_file("beta")
    was = cli.files()
    for command in (
        ["save", "alpha", "--content", "x y z"],
        ["forget", "alpha"],
        ["undo"],
        ["index", "--rebuild", "-y"],
    ):
        done = cli(*command)
        assert done.code != 0
        assert str(path) in done.err
    assert cli.files() == was
    cli("open")
    assert cli.launched[0]["config"].problem is not None
    path.unlink()
    assert cli("forget", "alpha").code == 0


def test_a_forged_journal_is_told_where_it_matters(cli: Cli) -> None:
    write_journal(cli.memory, [change(cli.memory, "run.sh", "primary", PAYLOAD, None, 1)], "done")
    assert "not memories" not in cli("list").err
    done = cli("undo")
    assert done.code == 2
    assert "names files that are not memories" in done.err
    assert "run.sh" in done.err
    for command in (["save", "alpha", "--content", "Another text of some length."], ["undo"]):
        done = cli(*command)
        assert done.code == 0
        assert done.err.count("names files that are not memories") == 1
    assert not (cli.memory / "run.sh").exists()


def test_a_label_that_a_terminal_would_obey_is_shown(cli: Cli) -> None:
    old = (cli.memory / "alpha.md").read_bytes()
    forged = change(cli.memory, "alpha.md", "primary", b"old\n", old, 1)
    write_journal(cli.memory, [forged], "done", more={"label": "\x1b]52;c;aGk=\x07\u202e"})
    done = cli("undo", "--dry-run")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


# --- a folder that is shared with others ------------------------------------------------------------------------------


class NoChown(Disk):
    """A user who may not give files away."""

    def __init__(self, groups: tuple[int, ...] = ()) -> None:
        self.groups = groups

    def fchown(self, fd: int, uid: int, gid: int) -> None:
        if uid != -1 or gid not in self.groups:
            raise PermissionError(1, "Operation not permitted")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file somebody else's")
@pytest.mark.parametrize(
    ("mode", "groups", "becomes"), [(0o644, (), 0o644), (0o660, (), 0o600), (0o660, (65534,), 0o660)]
)
def test_a_file_of_somebody_else_is_changed_where_its_folder_allows(
    mode: int, groups: tuple[int, ...], becomes: int, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"one")
    path.chmod(mode)
    os.chown(path, 65534, 65534)
    open_journal(tmp_path, NoChown(groups)).commit("x", [Edit("a.md", b"one", b"two")], slugs=[])
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == becomes


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("who", ["nobody", "bare root"])
def test_the_same_by_a_real_process_without_privileges(who: str, tmp_path: Path) -> None:
    memory = Path("/tmp") / f"memtui-shared-{os.getpid()}-{who[0]}"  # noqa: S108  -- pytest's folders are closed to others
    memory.mkdir(mode=0o777)
    try:
        memory.chmod(0o777)
        path = memory / "a.md"
        path.write_bytes(MEMORY)
        os.chown(path, 12345, 12345)
        code = (
            "import ctypes, os, sys, json\n"
            "sys.path[:0] = json.loads(sys.argv[2])\n"
            "from memtui.memory.managing.manager import MemoryManager\n"
            # What a change loads is loaded before: who has no privileges may not be able to read it.
            "first = MemoryManager.open(sys.argv[4])\n"
            "first.save_memory('a', 'A', 'about a', 'user', 'Another text of some length.')\n"
            "first.undo(); first.redo(); first.forget('a'); first.undo()\n"
            "if sys.argv[3] == 'nobody':\n"
            "    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
            "else:\n"
            "    header = (ctypes.c_uint32 * 2)(0x20080522, 0)\n"
            "    assert ctypes.CDLL(None).capset(header, (ctypes.c_uint32 * 6)()) == 0\n"
            "manager = MemoryManager.open(sys.argv[1])\n"
            "manager.save_memory('a', 'A', 'about a', 'user', 'Another text of some length.')\n"
            "manager.undo(); manager.redo(); manager.forget('a'); manager.undo()\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(memory), json.dumps(sys.path), who, str(tmp_path)],
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert b"Another text" in path.read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
    finally:
        subprocess.run(["rm", "-rf", str(memory)], check=True)


def test_no_memory_is_written_with_more_than_permissions(tmp_path: Path) -> None:
    open_journal(tmp_path).commit("x", [Edit("a.md", None, b"a", mode=0o104644)], slugs=[])
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == 0o644


def test_a_hindrance_refuses_every_change_and_no_look(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(MEMORY)
    manager = MemoryManager.open(tmp_path)
    manager.hindrance = Refused("not now")
    for change_it in (manager.undo, manager.recover, lambda: manager.forget("a"), manager.rebuild_index):
        with pytest.raises(MemtuiError):
            change_it()
    assert [entry.slug for entry in manager.entries()] == ["a"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md"]
