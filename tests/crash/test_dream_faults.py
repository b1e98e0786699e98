"""Spec §15: a dream that is killed at any system call loses no proposal and applies none twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.agent.dream import dream
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.proposals import Inbox
from tests.crash.faults import CHANGING, DEATH, ONCE, Died, Lane, QuietDisk, Run, sweep, tree, visible

NOW = 1_780_000_000.0
LANES: tuple[Lane, ...] = ((DEATH,), ONCE)


def prepare(root: Path) -> None:
    root.mkdir()
    for slug, body, age in (
        ("freeze", "The freeze starts next Thursday.", 1),
        ("visit", "Ada comes tomorrow and stays for the review.", 2),
    ):
        path = root / f"{slug}.md"
        path.write_text(f"---\nname: {slug}\ndescription: about {slug}\ntype: project\n---\n\n{body}\n")
        os.utime(path, (NOW - age * 86_400, NOW - age * 86_400))


def opened(root: Path, disk: Disk) -> MemoryManager:
    directory = Directory(root, folder=Folder(root, disk), clock=lambda: NOW)
    directory.refresh()
    return MemoryManager.open(root, clock=lambda: NOW, directory=directory)


@pytest.mark.parametrize("apply", [False, True])
def test_no_fault_loses_a_proposal_or_applies_one_twice(tmp_path: Path, apply: bool) -> None:
    runs, bad = swept(tmp_path, apply, LANES)
    assert runs > 20
    assert not bad, "\n".join([f"{len(bad)} in {runs} runs", *bad[:10]])


def swept(place: Path, apply: bool, lanes: tuple[Lane, ...]) -> tuple[int, list[str]]:
    """Dream with faults; how often, and what is wrong with what is there after the next dream."""
    template, clean = place / "template", place / "clean"
    prepare(template)
    prepare(clean)
    dream(opened(clean, QuietDisk()), apply=apply)
    done = visible(tree(clean))
    keys = {proposal.key for proposal in Inbox(opened(clean, QuietDisk())).pending()}
    records = len(opened(clean, QuietDisk()).activity())
    assert (len(keys), records) == ((0, 1) if apply else (2, 0))

    def again(root: Path) -> tuple[str, ...]:
        manager = opened(root, QuietDisk())
        manager.recover()
        dream(manager, apply=apply)
        return ()

    def wrong(run: Run, root: Path) -> list[str]:
        manager = opened(root, QuietDisk())
        pending = [proposal.key for proposal in Inbox(manager).pending()]
        found = []
        if sorted(pending) != sorted(keys):
            found.append(f"{run}: {len(pending)} proposals wait")
        if len(manager.activity()) != records:
            found.append(f"{run}: {len(manager.activity())} changes")
        if visible(run.later) != done:
            found.append(f"{run}: the memories differ")
        if any(rel.endswith(".part") for rel in run.later) and not isinstance(run.error, Died):
            found.append(f"{run}: left a temporary file")
        return found

    runs = 0
    bad: list[str] = []
    for run in sweep(
        template,
        place,
        lambda root, disk: dream(opened(root, disk), apply=apply),
        again,
        lanes,
        counted=CHANGING,
    ):
        runs += 1
        bad += wrong(run, place / "run")
    return runs, bad
