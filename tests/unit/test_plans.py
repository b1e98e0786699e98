"""Changes of many memories: one undo step each, shown before they are made, and made as shown (issue part 2 point 1)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.errors import Conflict, UsageError
from memtui.memory.managing.manager import MemoryManager
from tests.unit.conftest import Clock
from tests.unit.test_manager import BOTH, save, tree

Open = Callable[..., MemoryManager]


@pytest.fixture
def filled(open_manager: Open, clock: Clock) -> Callable[[str], MemoryManager]:
    def make(convention: str) -> MemoryManager:
        manager = open_manager(convention)
        for slug, kind in (("a", "project"), ("b", "feedback"), ("c", "user"), ("链接", "reference")):
            save(
                manager, slug, f"Text of {slug}, see [[a]] and [[c]].", name=f"Name {slug}", memory_type=kind
            )
            clock.forward(1)
        return manager

    return make


@BOTH
def test_types_of_many_change_as_one_record_that_one_undo_takes_back(
    filled: Callable[[str], MemoryManager], convention: str
) -> None:
    manager = filled(convention)
    before, records = tree(manager.root), len(manager.activity())
    result = manager.set_types(["a", "b", "链接"], "feedback")
    assert len(manager.activity()) == records + 1
    assert [manager.get(slug).type_text for slug in ("a", "b", "c", "链接")] == [
        "feedback", "feedback", "user", "feedback",
    ]  # fmt: skip
    assert result.slugs == ("a", "链接")  # b was one already, and gets no version
    assert set(result.archived) == {"a_v1", "链接_v1"}
    assert [v.id for v in manager.versions("b")] == ["current"]
    assert manager.get("a").content.strip() == "Text of a, see [[a]] and [[c]]."
    index = (manager.root / "MEMORY.md").read_text()
    assert index.count("](a.md)") == 1
    assert ("(type: project)" in index) is False
    manager.undo()
    assert tree(manager.root) == before
    manager.redo()
    assert manager.get("链接").type_text == "feedback"


def test_a_type_that_all_have_changes_nothing(filled: Callable[[str], MemoryManager]) -> None:
    manager = filled("library")
    before, records = tree(manager.root), len(manager.activity())
    assert manager.set_types(["b"], "feedback").record_id == 0
    assert (tree(manager.root), len(manager.activity())) == (before, records)


def test_a_hand_written_line_stays_where_lines_do_not_tell_the_type(
    filled: Callable[[str], MemoryManager],
) -> None:
    manager = filled("claude")
    (manager.root / "MEMORY.md").write_text("- [My own words](a.md) — mine\n")
    manager.reload()
    manager.set_types(["a"], "user")
    assert "- [My own words](a.md) — mine\n" in (manager.root / "MEMORY.md").read_text()


def test_a_type_change_keeps_what_was_written_since_the_last_look(
    filled: Callable[[str], MemoryManager],
) -> None:
    manager = filled("library")
    path = manager.root / "a.md"
    path.write_text(path.read_text().replace("Text of a", "Newer text of a"))
    manager.set_types(["a"], "user")
    assert "Newer text of a" in manager.get("a").content


@pytest.mark.parametrize(("slugs", "kind"), [(["a"], "opinion"), (["gone"], "user")])
def test_a_wrong_type_or_slug_is_refused_and_changes_nothing(
    filled: Callable[[str], MemoryManager], slugs: list[str], kind: str
) -> None:
    manager = filled("library")
    before = tree(manager.root)
    with pytest.raises(UsageError):
        manager.set_types(slugs, kind)
    assert tree(manager.root) == before


@BOTH
def test_a_plan_writes_nothing_and_is_carried_out_as_it_was_shown(
    filled: Callable[[str], MemoryManager], clock: Clock, convention: str
) -> None:
    manager = filled(convention)
    before = tree(manager.root)
    plan = manager.plan_merge(["a", "b"], "c", "One", "of three", "user", "All of it.")
    assert tree(manager.root) == before
    clock.forward(1)
    manager.carry_out(plan)
    after = tree(manager.root)
    for edit in plan.edits:
        assert after.get(edit.rel) == edit.after
    assert "Text of 链接, see [[c]] and [[c]]." in manager.get("链接").content
    manager.undo()
    assert tree(manager.root) == before


def test_forgetting_many_tells_which_links_dangle(filled: Callable[[str], MemoryManager]) -> None:
    manager = filled("library")
    plan = manager.plan_forget(["a", "c"])
    assert plan.dangling == ("b", "链接")
    assert [edit.rel for edit in plan.edits] == ["a.md", "c.md", "MEMORY.md"]
    assert manager.carry_out(plan).dangling == ("b", "链接")
    manager.undo()
    assert {entry.slug for entry in manager.entries() if entry.is_active} == {"a", "b", "c", "链接"}


def _append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


def test_a_file_that_changed_since_it_was_shown_stops_the_whole_change(
    filled: Callable[[str], MemoryManager],
) -> None:
    manager = filled("library")
    plan = manager.plan_forget(["a", "c"])
    _append(manager.root / "c.md", "more\n")
    before = tree(manager.root)
    with pytest.raises(Conflict):
        manager.carry_out(plan)
    assert tree(manager.root) == before


def test_an_index_line_written_meanwhile_stays(filled: Callable[[str], MemoryManager]) -> None:
    manager = filled("library")
    plan = manager.plan_forget(["a"])
    _append(manager.root / "MEMORY.md", "- [New](new.md) — written meanwhile\n")
    manager.carry_out(plan)
    index = (manager.root / "MEMORY.md").read_text()
    assert "written meanwhile" in index
    assert "](a.md)" not in index
