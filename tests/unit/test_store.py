"""Snapshots: immutable, complete, numbered, and made only when something is different (design §2)."""

from __future__ import annotations

import os
import threading
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from memtui.memory.checks.findings import Checker, Finding
from memtui.memory.conventions import CLAUDE, LIBRARY
from memtui.memory.directory.changes import Changes
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder, Unreadable
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.review.unreviewed import Unreviewed
from memtui.memory.review.visits import Visits
from memtui.memory.types import Severity
from memtui.store import MemoryStore, Snapshot, WatchState

NOW = 1_790_000_000.0


def text(name: str = "A") -> str:
    return f"---\nname: {name}\ndescription: about {name}\ntype: user\n---\n\nSomething worth remembering.\n"


def write(root: Path, rel: str, data: str) -> Path:
    path = root / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data)
    os.utime(path, (NOW - 86_400, NOW - 86_400))
    return path


def finding(slug: str) -> Finding:
    return Finding("made-up", Severity.WARNING, slug, f"{slug}.md", None, None, "m", "w", None)


class Listing:
    """A checker that finds something in every memory, and keeps what it was asked."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory
        self.asked: list[Changes | None] = []
        self.meanwhile = threading.Event()
        self.meanwhile.set()
        self.begun = threading.Event()

    def update(self, changes: Changes | None) -> tuple[Finding, ...]:
        self.asked.append(changes)
        found = tuple(finding(entry.slug) for entry in self.directory.entries)
        self.begun.set()
        assert self.meanwhile.wait(20)
        return found


def opened(root: Path, *, checked: bool = False, folder: Folder | None = None) -> tuple[MemoryStore, Listing]:
    directory = Directory(root, clock=lambda: NOW, folder=folder)
    listing = Listing(directory)
    return MemoryStore(directory, checker=listing if checked else None, clock=lambda: NOW), listing


def test_before_the_first_look_there_is_an_empty_snapshot_and_nothing_was_read(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    store, _ = opened(tmp_path)
    snapshot = store.snapshot
    assert (snapshot.generation, snapshot.entries, snapshot.findings_pending) == (0, (), False)
    assert (snapshot.watch, snapshot.index.exists, snapshot.directory) == (WatchState("off"), False, tmp_path)
    assert opened(tmp_path, checked=True)[0].snapshot.findings_pending


def test_a_snapshot_holds_everything_and_cannot_be_changed(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    write(tmp_path, "MEMORY.md", "# Index\n- [A](a.md) — x\n- [B](b.md) — y\n")
    for name in ("1.json", "2.json", ".part"):
        write(tmp_path, f".memtui/inbox/{name}", "{}")
    (tmp_path / ".memtui/inbox/folder").mkdir()
    store, _ = opened(tmp_path)
    snapshot = store.refresh()
    assert snapshot is store.snapshot
    assert [entry.slug for entry in snapshot.entries] == ["a"]
    assert (snapshot.index.exists, snapshot.index.lines, snapshot.index.entries) == (True, 3, 2)
    assert snapshot.index_text.startswith("# Index")
    assert (snapshot.inbox_count, snapshot.generation, snapshot.missing) == (2, 1, False)
    assert snapshot.changes == Changes(added=frozenset({"a"}), index=True)
    assert (snapshot.convention, snapshot.loaded_at) == (LIBRARY, NOW)
    with pytest.raises(FrozenInstanceError):
        snapshot.generation = 7  # type: ignore[misc]


def test_nothing_different_gives_the_same_snapshot_and_a_change_gives_the_next(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    store, _ = opened(tmp_path)
    first = store.refresh()
    assert store.refresh() is first
    assert store.refresh(["a.md", "no.md"]) is first
    write(tmp_path, "a.md", text("B"))
    second = store.refresh(["a.md"])
    assert (second.generation, second.changes) == (2, Changes(changed=frozenset({"a"})))
    assert [entry.name for entry in first.entries] == ["A"], "an old snapshot stays what it was"
    assert second.index is first.index, "an index that did not change is not measured again"
    write(tmp_path, ".memtui/inbox/1.json", "{}")
    third = store.refresh([".memtui/inbox/1.json"])
    assert (third.inbox_count, third.changes) == (1, Changes())
    write(tmp_path, "MEMORY.md", "- [A](a.md)\n")
    fourth = store.refresh(["MEMORY.md"])
    assert (fourth.changes, fourth.index.lines) == (Changes(index=True), 1)


def test_a_missing_folder_and_an_index_that_cannot_be_read_are_states_not_errors(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    store, _ = opened(root)
    assert store.refresh().missing
    (root / "MEMORY.md").mkdir(parents=True)
    there = store.refresh()
    assert (there.missing, there.index.exists, there.index_text) == (False, True, "")
    assert not root.joinpath(".memtui").exists()


def test_spec_2_the_convention_found_later_changes_index_and_snapshot(tmp_path: Path) -> None:
    store, _ = opened(tmp_path)
    assert store.refresh().index.unit == "bytes"
    write(tmp_path, "n.md", "---\nname: N\nmetadata:\n  type: user\n---\n\nx\n")
    later = store.refresh()
    assert (later.convention, later.index.unit) == (CLAUDE, "utf16")


def test_findings_come_in_a_second_snapshot_and_cover_all_changes_since_the_last_check(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a.md", text())
    store, listing = opened(tmp_path, checked=True)
    first = store.refresh()
    assert (first.findings, first.findings_pending) == ((), True)
    second = store.check()
    assert (second.findings, second.findings_pending) == ((finding("a"),), False)
    assert (second.generation, second.changes, second.entries) == (2, Changes(), first.entries)
    assert store.check() is second
    write(tmp_path, "b.md", text())
    store.refresh()
    write(tmp_path, "MEMORY.md", "- [A](a.md)\n")
    pending = store.refresh()
    assert (pending.findings, pending.findings_pending) == ((finding("a"),), True)
    assert set(store.check().findings) == {finding("a"), finding("b")}
    assert listing.asked == [None, Changes(added=frozenset({"b"}), index=True)]


def test_what_changes_during_the_checks_is_pending_again(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    store, listing = opened(tmp_path, checked=True)
    store.refresh()
    listing.meanwhile.clear()
    checking = threading.Thread(target=store.check)
    checking.start()
    assert listing.begun.wait(20)
    write(tmp_path, "b.md", text())
    assert [entry.slug for entry in store.refresh().entries] == ["a", "b"], "a check holds nobody up"
    listing.meanwhile.set()
    checking.join()
    between = store.snapshot
    assert (between.findings, between.findings_pending, len(between.entries)) == ((finding("a"),), True, 2)
    assert len(store.check().findings) == 2
    assert listing.asked == [None, Changes(added=frozenset({"b"}))]


def test_a_folder_that_cannot_be_listed_raises_and_the_snapshot_stays(tmp_path: Path) -> None:
    class Closing(Disk):
        closed = False

        def scandir(self, fd: int) -> list[os.DirEntry[str]]:
            if self.closed:
                raise PermissionError(13, "Permission denied")
            return super().scandir(fd)

    write(tmp_path, "a.md", text())
    disk = Closing()
    store, _ = opened(tmp_path, folder=Folder(tmp_path, disk))
    before = store.refresh()
    disk.closed = True
    with pytest.raises(Unreadable) as caught:
        store.refresh()
    assert "permission" in str(caught.value)
    assert store.snapshot is before
    stop = threading.Event()
    seen: list[Snapshot] = []

    def publish(snapshot: Snapshot) -> None:
        seen.append(snapshot)
        if "permission" in snapshot.watch.message:
            disk.closed = False
        else:
            stop.set()

    store.watch(stop, publish)
    assert [entry.slug for entry in seen[0].entries] == ["a"], "the last view stays"
    assert seen[-1].watch.message == ""


def test_one_s_own_changes_come_like_anybody_s_and_at_once(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    directory = Directory(tmp_path, clock=lambda: NOW)
    store = MemoryStore(directory, clock=lambda: NOW)
    manager = MemoryManager.open(tmp_path, directory=directory, clock=lambda: NOW)
    store.refresh()
    manager.save_memory("b", "B", "about b", "user", "Something else that is worth it.")
    saved = store.refresh([])
    assert saved.changes == Changes(added=frozenset({"b"}), index=True)
    manager.forget("a")
    forgotten = store.refresh([])
    assert forgotten.changes.removed == {"a"}
    assert [entry.slug for entry in forgotten.entries] == ["b"]
    manager.undo()
    assert store.refresh([]).changes.added == {"a"}
    assert store.refresh() is store.snapshot


def test_a_checker_that_breaks_ends_the_watch_with_its_own_error(tmp_path: Path) -> None:
    class Broken:
        def update(self, changes: Changes | None) -> tuple[Finding, ...]:
            raise ZeroDivisionError(str(changes))

    write(tmp_path, "a.md", text())
    store = MemoryStore(Directory(tmp_path), checker=Broken())
    with pytest.raises(ZeroDivisionError):
        store.watch(threading.Event(), lambda snapshot: None)


def test_a_screen_that_breaks_ends_the_watch_and_the_checks(tmp_path: Path) -> None:
    def publish(snapshot: Snapshot) -> None:
        raise ZeroDivisionError(snapshot.generation)

    write(tmp_path, "a.md", text())
    store, _ = opened(tmp_path, checked=True)
    with pytest.raises(ZeroDivisionError):
        store.watch(threading.Event(), publish)
    for thread in threading.enumerate():
        if thread.name == "memtui-checks":
            thread.join(20)
            assert not thread.is_alive()


def test_watching_publishes_pending_then_findings_and_never_twice_the_same(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    store, _ = opened(tmp_path, checked=True)
    stop, seen = threading.Event(), list[Snapshot]()

    def publish(snapshot: Snapshot) -> None:
        seen.append(snapshot)
        if len(snapshot.findings) == 1 and len(snapshot.entries) == 1:
            write(tmp_path, "b.md", text())
        if len(snapshot.findings) == 2:
            stop.set()

    timer = threading.Timer(30, stop.set)
    timer.start()
    store.watch(stop, publish)
    timer.cancel()
    assert len({snapshot.generation for snapshot in seen}) == len(seen)
    assert [snapshot.generation for snapshot in seen] == sorted(snapshot.generation for snapshot in seen)
    assert (seen[0].findings_pending, seen[-1].findings_pending) == (True, False)
    assert {finding.slug for finding in seen[-1].findings} == {"a", "b"}
    assert replace(seen[-1], watch=WatchState()).entries == store.snapshot.entries


def test_with_the_real_checks_a_finding_comes_and_goes_with_its_cause(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    write(tmp_path, "MEMORY.md", "- [A](a.md) — about A\n- [Gone](gone.md) — nothing\n")
    directory = Directory(tmp_path, clock=lambda: NOW)
    checker = Checker(directory, project_root=None, clock=lambda: NOW, lang="en")
    store = MemoryStore(directory, checker=checker, clock=lambda: NOW)
    store.refresh()
    assert any("gone.md" in found.message for found in store.check().findings)
    write(tmp_path, "MEMORY.md", "- [A](a.md) — about A\n")
    assert store.refresh(["MEMORY.md"]).findings_pending
    assert not any("gone.md" in found.message for found in store.check().findings)


def test_the_repr_of_a_snapshot_tells_nothing_of_what_the_files_say(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text("A secret of the house"))
    (tmp_path / "MEMORY.md").write_text("- [a](a.md) — said in the index\n", "utf-8")
    said = repr(MemoryStore(Directory(tmp_path)).refresh())
    assert "secret of the house" not in said
    assert "said in the index" not in said
    assert len(said) < 1_000


def test_what_others_changed_comes_in_a_snapshot_of_its_own(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    write(root, "a.md", text())
    directory = Directory(root, clock=lambda: NOW)
    manager = MemoryManager.open(root, clock=lambda: NOW, directory=directory)
    store = MemoryStore(
        directory, reviewer=Unreviewed(manager, Visits(tmp_path / "state", root)), clock=lambda: NOW
    )
    first = store.refresh()
    assert store.review() is first
    write(root, "b.md", text("B"))
    write(root, ".memtui/inbox/1.json", "{}")
    second = store.refresh(["b.md", ".memtui/inbox/1.json"])
    assert (second.others, second.to_review) == ((), 1)
    third = store.review()
    assert [(each.kind, each.slug) for each in third.others] == [("new", "b")]
    assert (third.to_review, third.generation) == (2, second.generation + 1)
    manager.forget("b")
    store.refresh()
    assert store.review().others == ()


def test_a_file_of_the_inbox_that_became_another_one_is_a_new_snapshot(tmp_path: Path) -> None:
    write(tmp_path, ".memtui/inbox/1.json", "{}")
    store, _ = opened(tmp_path)
    first = store.refresh()
    write(tmp_path, ".memtui/inbox/1.json", "{} ")
    second = store.refresh([".memtui/inbox/1.json"])
    assert (second.generation, second.inbox_count) == (first.generation + 1, 1)
