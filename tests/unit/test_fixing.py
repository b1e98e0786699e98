"""Fixes of findings, one or several at once: planned together, committed as one change, undone as one (issue part 2, point 4)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.checks.findings import Checker
from memtui.memory.checks.fix_files import Fix
from memtui.memory.errors import Conflict, Refused
from memtui.memory.managing.manager import MemoryManager
from tests.unit.conftest import Clock
from tests.unit.test_manager import tree

Open = Callable[..., MemoryManager]


def memory(root: Path, slug: str, text: str = "Something worth knowing later.") -> None:
    (root / f"{slug}.md").write_text(
        f"---\nname: {slug}\ndescription: about {slug}\ntype: user\n---\n\n{text}\n"
    )


def fixes(manager: MemoryManager, rule: str, clock: Clock) -> list[Fix]:
    manager.reload()
    found = Checker(manager.directory, clock=clock).update(None)
    return [finding.fix for finding in found if finding.rule == rule and finding.fix is not None]


def test_all_of_a_rule_are_one_change_that_one_undo_takes_back(open_manager: Open, clock: Clock) -> None:
    manager = open_manager("claude")
    for slug in ("a", "b", "c"):
        memory(manager.root, slug)
    (manager.root / "MEMORY.md").write_text("# Mine\n")
    before = tree(manager.root)
    orphans = fixes(manager, "orphan", clock)
    assert len(orphans) == 3
    result = manager.apply_all(orphans, shown=manager.planned(orphans))
    text = (manager.root / "MEMORY.md").read_text()
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        f"- [{slug}]({slug}.md) — about {slug}" for slug in ("a", "b", "c")
    ]
    assert text.startswith("# Mine\n")
    assert result.label == "Add its line to the index (× 3)"
    assert len(manager.activity()) == 1
    manager.undo()
    assert tree(manager.root) == before


def test_each_fix_is_planned_on_what_the_one_before_leaves(open_manager: Open, clock: Clock) -> None:
    """A copy of a copy: once the first copy is gone, nothing proves the second one needless, and it stays."""
    manager = open_manager("library")
    memory(manager.root, "a")
    for name in ("a (1).md", "a (1) (1).md"):
        (manager.root / name).write_bytes((manager.root / "a.md").read_bytes())
    copies = fixes(manager, "sync-copy", clock)
    assert len(copies) >= 2
    planned = manager.planned(copies)
    assert len({edit.rel for edit in planned}) == len(planned), "a file is edited once"
    manager.apply_all(copies)
    assert (manager.root / "a.md").exists()
    assert not (manager.root / "a (1).md").exists()


def test_lines_that_lead_nowhere_leave_together(open_manager: Open, clock: Clock) -> None:
    manager = open_manager("claude")
    memory(manager.root, "a")
    (manager.root / "MEMORY.md").write_text("- [A](a.md)\n- [X](x.md)\n- [Y](y.md)\n- [X](x.md)\n")
    dangling = fixes(manager, "dangling-line", clock)
    planned = manager.planned(dangling)
    assert [(edit.rel, edit.after) for edit in planned] == [("MEMORY.md", b"- [A](a.md)\n")]
    assert (manager.root / "MEMORY.md").read_text().count("\n") == 4, "planning writes nothing"
    manager.apply_all(dangling, shown=planned)
    assert (manager.root / "MEMORY.md").read_text() == "- [A](a.md)\n"


def test_what_is_written_is_what_was_shown_or_nothing(open_manager: Open, clock: Clock) -> None:
    manager = open_manager("claude")
    memory(manager.root, "a")
    index = manager.root / "MEMORY.md"
    index.write_text("- [A](a.md)\n- [X](x.md)\n")
    dangling = fixes(manager, "dangling-line", clock)
    shown = manager.planned(dangling)
    index.write_text("- [A](a.md)\n- [X](x.md)\nWritten meanwhile.\n")
    with pytest.raises(Conflict) as caught:
        manager.apply_all(dangling, shown=shown)
    assert caught.value.theirs == index.read_bytes()
    assert caught.value.mine == b"- [A](a.md)\n"
    assert index.read_text() == "- [A](a.md)\n- [X](x.md)\nWritten meanwhile.\n"
    assert manager.activity() == []
    memory(manager.root, "x")
    with pytest.raises(Conflict) as caught:
        manager.apply_all(dangling, shown=shown)
    assert caught.value.theirs == index.read_bytes(), "nothing is left to do, and that is not what was shown"


def test_nothing_left_to_do_writes_nothing(open_manager: Open, clock: Clock) -> None:
    manager = open_manager("claude")
    memory(manager.root, "a")
    (manager.root / "MEMORY.md").write_text("- [A](a.md)\n- [X](x.md)\n")
    (fix,) = fixes(manager, "dangling-line", clock)
    memory(manager.root, "x")
    before = tree(manager.root)
    assert manager.apply(fix).record_id == 0
    assert manager.apply_all([]).record_id == 0
    assert tree(manager.root) == before


def test_a_read_only_manager_plans_and_does_not_write(open_manager: Open, clock: Clock) -> None:
    manager = open_manager("claude", read_only=True)
    memory(manager.root, "a")
    (manager.root / "MEMORY.md").write_text("- [X](x.md)\n- [A](a.md)\n")
    (fix,) = fixes(manager, "dangling-line", clock)
    assert manager.planned([fix])[0].after == b"- [A](a.md)\n"
    with pytest.raises(Refused):
        manager.apply_all([fix])


def test_spec_10_a_memory_inside_the_project_does_not_prove_itself(tmp_path: Path, clock: Clock) -> None:
    """A library keeps its memories below its root: what only a memory names is not in the project."""
    manager = MemoryManager(tmp_path, clock=clock)
    (tmp_path / "main.py").write_text("def there():\n    return 1\n")
    (tmp_path / "other.json").write_text(json.dumps({"x": 1}))
    memory(manager.root, "a", "Call `there()` first, then `never_written_anywhere()`.")
    manager.reload()
    found = Checker(manager.directory, project_root=tmp_path, clock=clock).update(None)
    entry = manager.get("a")
    named = [entry.content[slice(*f.span)] for f in found if f.rule == "broken-claim" and f.span]
    assert tuple(named) == manager.broken_claims([entry])["a"] != ()
