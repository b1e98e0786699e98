"""What a save of the editor does to a file that others change, delete and make again meanwhile; without a screen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from memtui.memory.document.draft import Draft
from memtui.memory.errors import Conflict, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.tui.editing import Editing, editing, putting_back, saving

from .making import NOW

OLD = b"---\nname: Role\n# mine\ndescription: who\ntype: user\ntags: [kept]\n---\n\nWorks on stars.\n"
THEIRS = OLD.replace(b"stars", b"galaxies")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "lab"
    made.mkdir()
    (made / "role.md").write_bytes(OLD)
    (made / "MEMORY.md").write_text("- [By hand](role.md) — my own words\n", "utf-8")
    return made


def manager_of(folder: Path) -> MemoryManager:
    return MemoryManager.open(folder, "claude", clock=lambda: NOW)


def typed(manager: MemoryManager, text: str = "Works on stars. Mine.\n") -> tuple[Editing, Draft]:
    work = editing(manager.get("role"))
    return work, replace(work.start, content=text)


def texts_kept(folder: Path) -> str:
    """All that stands in the directory and in the journal."""
    return "\n".join(
        path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()
    )


def test_a_file_that_is_gone_is_a_conflict_and_is_written_again_in_its_own_shape(folder: Path) -> None:
    manager = manager_of(folder)
    work, draft = typed(manager)
    (folder / "role.md").unlink()
    with pytest.raises(Conflict) as caught:
        saving(work, draft)(manager)
    assert caught.value.theirs is None
    assert not (folder / "role.md").exists()
    saving(work.on_what_stands(None), draft)(manager)
    assert (folder / "role.md").read_bytes() == OLD.replace(b"stars.", b"stars. Mine.")
    assert (folder / "MEMORY.md").read_text("utf-8") == "- [By hand](role.md) — my own words\n"
    manager.undo()
    assert not (folder / "role.md").exists()


def test_one_that_is_there_again_is_compared_and_never_ends_as_a_new_memory(folder: Path) -> None:
    manager = manager_of(folder)
    work, draft = typed(manager)
    for others, wanted in ((THEIRS, work.on_what_stands(None)), (THEIRS, work)):
        (folder / "role.md").unlink()
        (folder / "role.md").write_bytes(others)
        with pytest.raises(Conflict) as caught:
            saving(wanted, draft)(manager)
        assert caught.value.theirs == others
        assert (folder / "role.md").read_bytes() == others
    again = work.on_what_stands(None).on_what_stands(manager.get("role"))
    assert (again.slug, again.gone, again.based_on) == ("role", False, manager.get("role").digest)


def test_what_is_put_back_has_its_bytes_its_age_and_its_index_line_and_never_stands_over_another(
    folder: Path,
) -> None:
    manager = manager_of(folder)
    entry = manager.get("role")
    (folder / "role.md").unlink()
    (folder / "MEMORY.md").unlink()
    putting_back(entry)(manager)
    assert (folder / "role.md").read_bytes() == OLD
    assert abs((folder / "role.md").stat().st_mtime - entry.mtime) < 1e-3
    assert "role.md" in (folder / "MEMORY.md").read_text("utf-8")
    (folder / "role.md").write_bytes(THEIRS)
    with pytest.raises(Conflict):
        putting_back(entry)(manager)
    assert (folder / "role.md").read_bytes() == THEIRS


@pytest.mark.parametrize("theirs", [THEIRS, b"no header any more\n", None], ids=["changed", "odd", "gone"])
def test_what_was_decided_stands_over_whatever_is_there_by_then_and_that_is_kept(
    folder: Path, theirs: bytes | None
) -> None:
    manager = manager_of(folder)
    work, draft = typed(manager)
    (folder / "role.md").unlink()
    if theirs is not None:
        (folder / "role.md").write_bytes(theirs)
    saving(work, draft, standing="mine")(manager)
    assert b"Works on stars. Mine." in (folder / "role.md").read_bytes()
    if theirs is not None:
        assert theirs.splitlines()[-1].decode() in texts_kept(folder)


def test_a_merge_of_what_is_gone_meanwhile_saves_the_text(folder: Path) -> None:
    (folder / "star.md").write_bytes(OLD)
    manager = manager_of(folder)
    work, draft = typed(manager, "Both.\n")
    work = replace(work, absorbs=("star",))
    (folder / "star.md").unlink()
    saving(work, draft)(manager)
    assert b"Both." in (folder / "role.md").read_bytes()
    (folder / "star.md").write_bytes(OLD)
    (folder / "role.md").unlink()
    with pytest.raises(Conflict):
        saving(work, draft)(manager)
    assert (folder / "star.md").exists()


def test_a_new_memory_stands_over_none_that_somebody_wrote_meanwhile(folder: Path) -> None:
    manager = manager_of(folder)
    draft = Draft("new", "New", "what", "user", "Mine.\n")
    (folder / "new.md").write_bytes(THEIRS)
    with pytest.raises(UsageError, match="there by now"):
        saving(Editing(), draft)(manager)
    assert (folder / "new.md").read_bytes() == THEIRS


def test_a_file_that_goes_after_it_was_found_is_a_conflict_and_no_new_memory_with_fields_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A storm once ended a decision with 'a new memory needs name, description, type and content'."""
    manager = manager_of(folder)
    work, draft = typed(manager)
    find = manager.planner.rel_to_save
    goes = iter([True, False, False])

    def found(slug: str) -> str:
        if next(goes, False):
            (folder / "role.md").unlink()
        return find(slug)

    monkeypatch.setattr(manager.planner, "rel_to_save", found)
    with pytest.raises(Conflict) as caught:
        saving(work, draft)(manager)
    assert caught.value.theirs is None
    (folder / "role.md").write_bytes(OLD)
    goes = iter([True])
    saving(work, draft, standing="mine")(manager)
    assert b"Works on stars. Mine." in (folder / "role.md").read_bytes()


@contextmanager
def storm(
    path: Path,
    kinds: Callable[[int], int],
    text: Callable[[int], bytes] = lambda number: OLD.replace(b"stars", b"storm %d" % number),
    pause: float = 0.0,
) -> Iterator[None]:
    """Somebody who writes, deletes and makes a file anew, as fast as it goes."""
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            if kinds(number) == 0:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(text(number))
            if pause:
                stop.wait(pause)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("kinds", [lambda _: 1, lambda number: number % 2], ids=["writes", "deletes"])
def test_in_a_storm_a_decision_is_carried_out_and_no_text_of_ones_own_is_lost(
    folder: Path, kinds: Callable[[int], int]
) -> None:
    manager = manager_of(folder)
    work, draft = typed(manager)
    with storm(folder / "role.md", kinds):
        for number in range(5):
            text = f"Decided {number}.\n"
            made = saving(work, replace(draft, content=text), standing="mine")(manager)
            assert made.slugs == ("role",)
            assert text.strip() in texts_kept(folder)


LONG = OLD.replace(b"Works on stars.\n", b"Works on stars.\n\nBetween.\n\nTheirs 0.\n")


def test_in_a_storm_on_other_lines_what_was_put_together_is_saved_with_what_they_write(folder: Path) -> None:
    (folder / "role.md").write_bytes(LONG)
    manager = manager_of(folder)
    work, draft = typed(manager, "Works on stars. Mine.\n\nBetween.\n\nTheirs 0.\n")
    (folder / "role.md").write_bytes(LONG.replace(b"Theirs 0", b"Theirs 1"))
    with pytest.raises(Conflict):
        saving(work, draft)(manager)
    told: list[bool] = []
    with storm(
        folder / "role.md",
        lambda _: 1,
        lambda number: LONG.replace(b"Theirs 0", b"Theirs %d" % number),
        pause=0.02,
    ):
        for _ in range(
            6
        ):  # where half a text is all that is ever seen of it, a person is asked, and saves again
            with suppress(Conflict):
                saving(work, draft, standing="both", joined=lambda: told.append(True))(manager)
                break
    assert "Works on stars. Mine." in texts_kept(folder)
    assert told == [True]


def test_what_was_put_together_is_asked_about_again_only_where_the_same_lines_are_touched(
    folder: Path,
) -> None:
    (folder / "role.md").write_bytes(LONG)
    manager = manager_of(folder)
    work, draft = typed(manager, "Works on stars. Mine.\n\nBetween.\n\nTheirs 0.\n")
    (folder / "role.md").write_bytes(
        LONG.replace(b"Theirs 0", b"Theirs 1").replace(b"tags: [kept]", b"tags: [new]")
    )
    told: list[bool] = []
    saving(work, draft, standing="both", joined=lambda: told.append(True))(manager)
    stands = (folder / "role.md").read_text("utf-8")
    assert "Works on stars. Mine.\n\nBetween.\n\nTheirs 1.\n" in stands
    assert "tags: [new]" in stands
    assert told == [True]
    work, draft = typed(manager, "Mine, again.\n")
    others = b"---\nname: Role\ndescription: who\ntype: user\n---\n\nAnother text altogether.\n"
    (folder / "role.md").write_bytes(others)
    with pytest.raises(Conflict) as caught:
        saving(work, draft, standing="both", joined=lambda: told.append(True))(manager)
    assert caught.value.theirs == others
    assert (folder / "role.md").read_bytes() == others
    assert told == [True]


def test_a_text_that_somebody_left_without_a_name_empties_no_field(folder: Path) -> None:
    manager = manager_of(folder)
    work, draft = typed(manager)
    (folder / "role.md").write_bytes(b"No header any more.\n")
    with pytest.raises(Conflict):
        saving(work, draft, standing="both")(manager)
