"""Design §7 for a move between two directories: no fault at any system call, in either of them, loses anything.

Both directories stand in one, so that the sweep strikes at every call of the whole move.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.conventions import CLAUDE
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder
from memtui.memory.errors import Conflict, Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.transfer import carry_out_transfer, plan_move
from tests.crash.faults import (
    CHANGING,
    DEATH,
    ONCE,
    Died,
    Lane,
    QuietDisk,
    Run,
    Tree,
    is_leftover,
    sweep,
    tree,
)

NOW = 1_780_000_000.0
MOVED = ("m.md", ".memtui/history/m_v1.md")


def opened(root: Path, disk: Disk) -> MemoryManager:
    directory = Directory(root, convention=CLAUDE, folder=Folder(root, disk), clock=lambda: NOW)
    directory.refresh()
    return MemoryManager.open(root, clock=lambda: NOW, directory=directory)


def prepared(root: Path) -> None:
    """A memory with an old version in ``a``, and another in each."""
    for name in ("a", "b"):
        (root / name).mkdir(parents=True)
        opened(root / name, QuietDisk()).save_memory(
            "k", "K", "stays", "project", f"what stays in {name} for good"
        )
    for text in ("first text of what moves", "second text of what moves, and a little more"):
        opened(root / "a", QuietDisk()).save_memory("m", "M", "moves", "project", text)


def move(root: Path, disk: Disk) -> object:
    source, target = opened(root / "a", disk), opened(root / "b", disk)
    return carry_out_transfer(plan_move(source, target, ["m"]), source, target)


def recover(root: Path, disk: Disk) -> tuple[str, ...]:
    return tuple(said for name in ("a", "b") for said in opened(root / name, disk).journal.recover())


def reopen(root: Path) -> tuple[str, ...]:
    return recover(root, QuietDisk())


def _in_force(files: Tree, rel: str) -> dict[str, bytes]:
    return {name: files[f"{name}/{rel}"] for name in ("a", "b") if f"{name}/{rel}" in files}


def undone(root: Path, disk: Disk) -> object:
    """A move, and its undo, which opens the other directory by itself, through the same disk."""
    move(root, QuietDisk())
    return opened(root / "b", disk).undo()


@pytest.mark.parametrize(("change", "lanes"), [(move, ((DEATH,), ONCE)), (undone, ((DEATH,), ONCE))])
def test_design_7_no_fault_in_a_move_between_directories_loses_a_memory_or_a_version(
    tmp_path: Path, change: Callable[[Path, Disk], object], lanes: tuple[Lane, ...]
) -> None:
    template, moved = tmp_path / "template", tmp_path / "moved"
    prepared(template)
    prepared(moved)
    if change is undone:
        move(moved, QuietDisk())
    runs = list(sweep(template, tmp_path, change, reopen, lanes, counted=CHANGING))
    assert len(runs) > 40
    wrong = [line for run in runs for line in violations_of_move(run, tree(moved))]
    assert not wrong, "\n".join([f"{len(wrong)} in {len(runs)} runs", *wrong[:10]])


def memories(files: Tree) -> Tree:
    return {rel: data for rel, data in files.items() if rel.endswith(".md") and "/trash/" not in rel}


def violations_of_move(run: Run, start: Tree) -> list[str]:
    text = next(iter(_in_force(run.before, "m.md").values()))
    old = next(iter(_in_force(run.before, MOVED[1]).values()))
    wrong: list[str] = []

    def must(holds: object, what: str) -> None:
        if not holds:
            wrong.append(f"{run}: {what}")

    for moment, files in (("at once", run.at_once), ("after", run.after)):
        must(text in _in_force(files, "m.md").values(), f"the memory is in neither directory {moment}")
        must(old in files.values(), f"the old version is lost {moment}")
        for name in ("a", "b"):
            must(files.get(f"{name}/k.md") == run.before[f"{name}/k.md"], f"{name}/k.md was touched {moment}")
    for name in ("a", "b"):
        there = f"{name}/m.md" in run.after
        listed = b"](m.md)" in run.after[f"{name}/MEMORY.md"]
        must(there == listed, f"the index of {name} does not tell what is there")
    must(not any(map(is_leftover, run.after)), "temporary files are left")
    must(run.said == (), f"the second recovery did something: {run.said}")
    if run.error is not None and not isinstance(run.error, Died):
        must(isinstance(run.error, Refused | UsageError | Conflict), f"raised {run.error!r}")
        both = run.fault.for_ever and "so it is in both" in str(run.error)
        must(both or memories(run.after) == memories(start), "was refused, but changed")
    return wrong
