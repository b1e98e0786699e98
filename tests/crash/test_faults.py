"""Spec §5, design §7: a fault at any system call of any change loses nothing and leaves nothing half done."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder
from memtui.memory.errors import Refused
from memtui.memory.index.merge import merge_index
from memtui.memory.saving.journal import Journal
from memtui.memory.saving.records import Edit
from tests.crash.faults import (
    DEATH,
    LANES,
    ONCE,
    QUICK_LANES,
    Died,
    Fault,
    FaultyDisk,
    Lane,
    NoExchange,
    NoLinks,
    QuietDisk,
    Tree,
    is_leftover,
    sweep,
    tree,
    violations,
    visible,
)

INDEX = b"# Notes\n\n<!-- hand-written -->\n- [A](a.md) - first\n- [B](b.md) - second\n"
A1, A2 = b"---\nname: A\n---\nfirst text\n", b"---\nname: A\n---\nsecond text, longer\n"
B1 = b"---\nname: B\n---\nb\n"
HISTORY = ".memtui/history"


def keep_as(rel: str, displaced: bytes) -> tuple[str, bytes]:
    return f"{HISTORY}/{rel.removesuffix('.md')}_v1.md", b"status: historical\n" + displaced


def journal(root: Path, disk: Disk) -> Journal:
    return Journal(Folder(root, disk), clock=time.time, merge_index=merge_index, keep_as=keep_as)


def index(after: bytes, before: bytes = INDEX) -> Edit:
    return Edit("MEMORY.md", before, after, "index")


def create(journal: Journal) -> object:
    new = b"---\nname: C\n---\nc\n"
    return journal.commit(
        "new", [Edit("sub/deep/c.md", None, new), index(INDEX + b"- [C](sub/deep/c.md)\n")], slugs=["c"]
    )


def update(journal: Journal) -> object:
    return journal.commit(
        "save a",
        [
            Edit("a.md", A1, A2),
            Edit(f"{HISTORY}/a_v1.md", None, b"status: historical\n" + A1, "archive", mtime_ns=10**18),
            index(INDEX.replace(b"first", b"changed")),
        ],
        slugs=["a"],
    )


def forget(journal: Journal) -> object:
    return journal.commit(
        "forget a",
        [Edit("a.md", A1, None, trash=True), index(INDEX.replace(b"- [A](a.md) - first\n", b""))],
        slugs=["a"],
    )


def merge(journal: Journal) -> object:
    return journal.commit(
        "merge b into a",
        [
            Edit("a.md", A1, A2),
            Edit("b.md", B1, None),
            Edit(f"{HISTORY}/a_v1.md", None, b"old a", "archive"),
            Edit(f"{HISTORY}/b_v1.md", None, b"old b", "archive"),
            index(INDEX.replace(b"- [B](b.md) - second\n", b"")),
        ],
        slugs=["a", "b"],
    )


def rename(journal: Journal) -> object:
    return journal.commit(
        "rename a",
        [Edit("z.md", None, A1), Edit("a.md", A1, None), index(INDEX.replace(b"(a.md)", b"(z.md)"))],
        slugs=["a", "z"],
    )


CHANGES: dict[str, Callable[[Journal], object]] = {
    "create": create,
    "update": update,
    "forget": forget,
    "merge": merge,
    "rename": rename,
}


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A directory with an index, two memories, one earlier change and one archive."""
    root = tmp_path / "template"
    root.mkdir()
    (root / "MEMORY.md").write_bytes(INDEX)
    (root / "a.md").write_bytes(A1)
    first = journal(root, QuietDisk())
    with Folder(root, QuietDisk()).lock():
        first.commit("new b", [Edit("b.md", None, B1)], slugs=["b"])
    (root / HISTORY).mkdir()
    (root / HISTORY / "b_v9.md").write_bytes(b"an old archive")
    return root


def reopen(root: Path) -> tuple[str, ...]:
    return journal(root, QuietDisk()).recover()


def locked(change: Callable[[Journal], object]) -> Callable[[Path, Disk], object]:
    def act(root: Path, disk: Disk) -> object:
        folder = Folder(root, disk)
        with folder.lock():
            return change(Journal(folder, clock=time.time, merge_index=merge_index, keep_as=keep_as))

    return act


def unlocked(change: Callable[[Journal], object]) -> Callable[[Path, Disk], object]:
    return lambda root, disk: change(journal(root, disk))


def without_fault(template: Path, scratch: Path, act: Callable[[Path, Disk], object]) -> Tree:
    for run in sweep(template, scratch, act, reopen, ((Fault(None, after=True),),)):
        last = run
    done = visible(last.after)
    assert last.at > 10
    return done


def judge(
    template: Path,
    scratch: Path,
    act: Callable[[Path, Disk], object],
    lanes: tuple[Lane, ...] = LANES,
    real: Callable[[], Disk] = QuietDisk,
) -> int:
    """Runs made; fails with the first violations."""
    done = without_fault(template, scratch, act)
    runs = 0
    wrong: list[str] = []
    for run in sweep(template, scratch, act, reopen, lanes, real):
        runs += 1
        wrong += violations(run, done, Refused)
    assert not wrong, f"{len(wrong)} violations in {runs} runs:\n" + "\n".join(wrong[:15])
    return runs


@pytest.mark.parametrize("name", CHANGES)
def test_spec_5_a_fault_at_any_call_of_a_change_leaves_it_made_or_not(
    name: str, template: Path, tmp_path: Path
) -> None:
    assert judge(template, tmp_path, locked(CHANGES[name])) > 200


@pytest.mark.parametrize("name", CHANGES)
def test_spec_5_a_fault_at_any_call_of_undo_and_redo_leaves_it_made_or_not(
    name: str, template: Path, tmp_path: Path
) -> None:
    locked(CHANGES[name])(template, QuietDisk())
    judge(template, tmp_path, locked(lambda journal: journal.undo()), QUICK_LANES)
    locked(lambda journal: journal.undo())(template, QuietDisk())
    judge(template, tmp_path, locked(lambda journal: journal.redo()), ((DEATH,),))


@pytest.mark.parametrize("name", ["merge"])
def test_reliability_1_the_same_holds_with_the_lock_disabled(
    name: str, template: Path, tmp_path: Path
) -> None:
    judge(template, tmp_path, unlocked(CHANGES[name]), ((DEATH, *ONCE),))


@pytest.mark.parametrize("real", [NoExchange, NoLinks])
@pytest.mark.parametrize("name", CHANGES)
def test_reliability_1_the_same_holds_without_exchange_and_without_links(
    name: str, real: type[Disk], template: Path, tmp_path: Path
) -> None:
    judge(template, tmp_path, locked(CHANGES[name]), ((DEATH,),), real)


@pytest.mark.parametrize("name", ["merge", "forget", "create"])
def test_spec_5_recovery_itself_can_fail_or_die_at_any_call(
    name: str, template: Path, tmp_path: Path
) -> None:
    act = locked(CHANGES[name])
    old, done = visible(tree(template)), without_fault(template, tmp_path, act)
    scratch = tmp_path / "again"
    scratch.mkdir()
    runs = 0

    def recover(root: Path, disk: Disk) -> object:
        return journal(root, disk).recover()

    for at in range(60, 400, 23):
        crashed = tmp_path / f"crashed{at}"
        shutil.copytree(template, crashed)
        disk = FaultyDisk(at, DEATH)
        with contextlib.suppress(Died):
            act(crashed, disk)
        if not disk.dead:
            break
        for run in sweep(crashed, scratch, recover, reopen, QUICK_LANES):
            runs += 1
            now = {rel: data for rel, data in visible(run.after).items() if rel in old or rel in done}
            assert now in (old, done), str(run)
            assert isinstance(run.error, (Died, Refused, type(None))), str(run)
            assert not any(map(is_leftover, run.after)), str(run)
            assert run.said == (), str(run)
            assert run.later == run.after, str(run)
            assert set(old.values()) <= set(run.after.values()), str(run)
    assert runs > 100, runs


def test_a_failure_reported_for_what_was_done_is_still_told_truly(template: Path, tmp_path: Path) -> None:
    """Network file systems do that: the call works, and then the answer is lost."""
    old = visible(tree(template))
    for name, change in CHANGES.items():
        done = without_fault(template, tmp_path, locked(change))
        lanes = ((Fault(errno.EIO, after=True),),)
        for run in sweep(template, tmp_path, locked(change), reopen, lanes):
            now = {rel: data for rel, data in visible(run.after).items() if rel in old or rel in done}
            assert now == (old if run.error else done), f"{name}: {run}"
            assert set(old.values()) <= set(run.after.values()), f"{name}: {run}"


def test_reliability_6_a_naive_writer_fails_the_same_checks(template: Path, tmp_path: Path) -> None:
    """The control: checks that such a writer passes would prove nothing."""

    def overwrite(root: Path, disk: Disk) -> None:
        def put(rel: str, data: bytes) -> None:
            fd = disk.open(str(root / rel), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            try:
                disk.write(fd, data)
                disk.fsync(fd)
            finally:
                disk.close(fd)

        put("a.md", A2)
        put("MEMORY.md", INDEX.replace(b"first", b"changed"))

    def replace(root: Path, disk: Disk) -> None:
        for rel, data in (("a.md", A2), ("MEMORY.md", INDEX.replace(b"first", b"changed"))):
            temp = str(root / f"{rel}.tmp")
            fd = disk.open(temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            try:
                disk.write(fd, data)
                disk.fsync(fd)
            finally:
                disk.close(fd)
            here = disk.open(str(root), os.O_RDONLY)
            disk.rename(temp, str(root / rel), from_fd=here, to_fd=here)
            disk.close(here)

    for naive in (overwrite, replace):
        expected = visible(tree(template)) | {
            "a.md": A2,
            "MEMORY.md": INDEX.replace(b"first", b"changed"),
        }
        wrong: list[str] = []
        for run in sweep(template, tmp_path, naive, reopen):
            wrong += violations(run, expected, Refused)
        assert any("I2" in line for line in wrong)
        assert any("neither made nor not" in line for line in wrong)
        assert any("I1 a.md is torn" in line for line in wrong) == (naive is overwrite)
