"""The trash and undo as a person sees them: single files come back, and undo does what was shown or nothing (spec §5)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.memory.errors import Conflict
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.trash import trashed_files


@pytest.fixture
def manager(tmp_path: Path) -> MemoryManager:
    made = MemoryManager(tmp_path, clock=lambda: 1_800_000_000.0)
    for slug in ("a", "b", "c"):
        made.save_memory(slug, slug.upper(), "d", "user", f"text of {slug}")
    return made


def files(manager: MemoryManager) -> list[tuple[str, bool]]:
    present = {entry.rel for entry in manager.entries()}
    return [(file.slug, file.taken) for file in trashed_files(manager.trash(), manager.folder, present)]


def test_spec_5_forgotten_files_lie_in_the_trash_until_taken_out(manager: MemoryManager) -> None:
    os.utime(manager.root / "a.md", (1_700_000_000, 1_700_000_000))
    manager.forget("a", "b")
    assert files(manager) == [("a", False), ("b", False)]
    present = {entry.rel for entry in manager.entries()}
    chosen = next(iter(trashed_files(manager.trash(), manager.folder, present)))
    assert (chosen.was, chosen.at, chosen.actor) == ("a.md", 1_800_000_000.0, "user")
    assert chosen.size > 0
    manager.restore_trashed(chosen.rel)
    assert "text of a" in manager.get("a").content
    assert manager.get("a").modified == 1_700_000_000.0


def test_a_file_whose_name_is_taken_again_says_so(manager: MemoryManager) -> None:
    manager.forget("a")
    manager.save_memory("a", "A", "d", "user", "another text")
    assert files(manager) == [("a", True)]


def test_what_undo_brought_back_is_not_in_the_trash(manager: MemoryManager) -> None:
    manager.forget("a")
    manager.undo()
    assert files(manager) == []


def test_undo_acts_on_what_was_shown_only(manager: MemoryManager) -> None:
    manager.forget("a")
    shown = manager.undoable()
    assert shown is not None
    manager.save_memory("d", "D", "d", "user", "text of d")
    with pytest.raises(Conflict, match="another change was made meanwhile"):
        manager.undo(shown.id)
    assert "d" in {entry.slug for entry in manager.entries()}
    latest = manager.undoable()
    assert latest is not None
    manager.undo(latest.id)
    again = manager.redoable()
    assert again is not None
    with pytest.raises(Conflict):
        manager.redo(again.id + 1)
    manager.redo(again.id)
    assert "d" in {entry.slug for entry in manager.entries()}


def test_what_became_an_old_version_in_the_trash_comes_out_without_a_line_in_the_index(
    manager: MemoryManager,
) -> None:
    manager.forget("a")
    index = (manager.root / "MEMORY.md").read_text()
    (file,) = trashed_files(manager.trash(), manager.folder, set())
    old = "---\nname: A\ndescription: d\ntype: user\nstatus: historical\n---\n\ntext\n"
    (manager.root / file.rel).write_text(old)
    manager.restore_trashed(file.rel)
    assert (manager.root / "a.md").read_text() == old
    assert (manager.root / "MEMORY.md").read_text() == index
    assert "a.md" not in index
