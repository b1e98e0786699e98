"""Design §7: every change of the manager, with a fault at every system call, in both conventions.

The journal's own sweep is in ``test_faults``; this one holds that what stands on it, reading before and looking
again after, neither loses nor misreports anything.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.conventions import CONVENTIONS
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder
from memtui.memory.errors import Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from tests.crash.faults import DEATH, ONCE, Lane, QuietDisk, sweep, tree, violations, visible

NOW = 1_780_000_000.0
LANES: tuple[Lane, ...] = ((DEATH,), ONCE)


def opened(root: Path, disk: Disk, convention: str, now: float = NOW + 3600) -> MemoryManager:
    directory = Directory(
        root, convention=CONVENTIONS[convention], folder=Folder(root, disk), clock=lambda: now
    )
    directory.refresh()
    return MemoryManager.open(root, clock=lambda: now, directory=directory)


def prepared(root: Path, convention: str) -> None:
    """Three memories that link to each other, one of them with an old version, and something to undo."""
    root.mkdir()
    manager = opened(root, QuietDisk(), convention, NOW)
    for slug, text in (
        ("a", "first text of a, see [[b]]"),
        ("b", "the text of b, see [[a]]"),
        ("c", "see [[b]]"),
    ):
        manager.save_memory(slug, slug.upper(), f"about {slug}", "project", text)
    manager.save_memory("a", "A", "about a", "project", "second text of a, see [[b]]")


CHANGES: dict[str, Callable[[MemoryManager], object]] = {
    "create": lambda m: m.save_memory("new", "New", "about it", "user", "a new text that is long enough"),
    "update": lambda m: m.save_memory("a", "A", "about a", "project", "third text of a, quite different"),
    "still true": lambda m: m.still_true("b"),
    "forget": lambda m: m.forget("b", "c"),
    "restore": lambda m: m.restore("a", 1),
    "merge": lambda m: m.merge(["b", "c"], "a", "A", "all of them", "project", "one text for all of them"),
    "rename": lambda m: m.rename("b", "better"),
    "undo": lambda m: m.undo(),
}


# The other convention differs in what is written, not in how an error on the way is told.
CASES = [(change, "claude", LANES) for change in CHANGES] + [
    (change, "library", LANES[:1]) for change in ("update", "restore", "merge")
]


@pytest.mark.parametrize(("change", "convention", "lanes"), CASES)
def test_design_7_no_fault_in_a_change_of_the_manager_loses_or_misreports(
    tmp_path: Path, change: str, convention: str, lanes: tuple[Lane, ...]
) -> None:
    template = tmp_path / "template"
    prepared(template, convention)

    def act(root: Path, disk: Disk) -> object:
        return CHANGES[change](opened(root, disk, convention))

    def reopen(root: Path) -> tuple[str, ...]:
        return opened(root, QuietDisk(), convention).journal.recover()

    clean = tmp_path / "clean"
    runs = list(sweep(template, tmp_path, act, reopen, lanes))
    assert len(runs) > 20

    shutil.copytree(template, clean, symlinks=True)
    act(clean, QuietDisk())
    done = visible(tree(clean))
    assert done != visible(tree(template)) or change == "still true"
    wrong = [line for run in runs for line in violations(run, done, (Refused, UsageError))]
    assert not wrong, "\n".join([f"{len(wrong)} in {len(runs)} runs", *wrong[:10]])
