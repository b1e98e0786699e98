"""Spec §14: a kill at any system call loses no proposal and applies none twice."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.disk.calls import Disk
from memtui.memory.errors import Refused, UsageError
from memtui.memory.review.proposals import Inbox, Origin
from tests.crash.faults import DEATH, ONCE, Lane, QuietDisk, sweep, tree, violations, visible
from tests.crash.test_manager_faults import NOW, opened

WHY = Origin("extraction", reason="said so")


def prepared(root: Path) -> None:
    """Two memories, and proposals for them of three kinds."""
    manager = opened(root, QuietDisk(), "claude", NOW)
    manager.save_memory("a", "A", "about a", "project", "the text of a, see [[b]]")
    manager.save_memory("b", "B", "about b", "project", "the text of b")
    box = Inbox(manager)
    box.add(box.propose_save("new", "New", "about it", "user", "a new text that is long enough", WHY))
    box.add(box.propose_save("a", "A", "about a", "project", "another text of a, quite different", WHY))
    box.add(box.propose_forget(["b"], WHY))


ACTS: dict[str, Callable[[Inbox], object]] = {
    "add": lambda box: box.add(box.propose_save("more", "More", "d", "user", "one more text", WHY)),
    "accept all": lambda box: box.accept_all(["new", "a"]),
    "reject": lambda box: box.reject("new", "a"),
}


@pytest.mark.parametrize(
    ("act", "lane"), [("add", (DEATH,)), ("add", ONCE), ("accept all", (DEATH,)), ("reject", (DEATH,))]
)
def test_spec_14_no_fault_loses_a_proposal_or_applies_one_twice(tmp_path: Path, act: str, lane: Lane) -> None:
    template = tmp_path / "template"
    template.mkdir()
    prepared(template)

    def run_it(root: Path, disk: Disk) -> object:
        return ACTS[act](Inbox(opened(root, disk, "claude")))

    def reopen(root: Path) -> tuple[str, ...]:
        return opened(root, QuietDisk(), "claude").journal.recover()

    clean = tmp_path / "clean"
    shutil.copytree(template, clean, symlinks=True)
    run_it(clean, QuietDisk())
    done = visible(tree(clean))
    assert done != visible(tree(template))
    runs = list(sweep(template, tmp_path, run_it, reopen, (lane,)))
    assert len(runs) > 8, len(runs)
    wrong = [line for run in runs for line in violations(run, done, (Refused, UsageError))]
    assert not wrong, "\n".join([f"{len(wrong)} in {len(runs)} runs", *wrong[:10]])
