"""However it is told to look, a `Directory` ends equal to one that looks for the first time (reliability §2)."""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.conventions import LIBRARY
from memtui.memory.document.entries import slug_of
from memtui.memory.types import MemoryEntry
from tests.unit.scan_support import opened, text, write


def order(entry: MemoryEntry) -> tuple[bool, float, str, bool]:
    return not entry.is_active, -entry.modified, entry.slug, entry.aside


def test_many_threads_may_look_and_read_at_once(tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path, f"m{number}.md", text())
    directory = opened(tmp_path)
    errors: list[BaseException] = []

    def work(seed: int) -> None:
        pick = random.Random(seed)
        try:
            for _ in range(40):
                rel = f"m{pick.randrange(40)}.md"
                write(tmp_path, rel, text(f"n{pick.randrange(9)}"), days=pick.random())
                directory.refresh([rel] if pick.random() < 0.8 else None)
                assert len(directory.entries) >= 30
                directory.take_changes()
        except BaseException as error:  # noqa: BLE001  -- carried to the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    directory.refresh()
    assert directory.entries == opened(tmp_path).entries


RELS = [
    "a.md",
    "b.md",
    "MEMORY.md",
    "sub/a.md",
    "sub/deep/c.md",
    ".memtui/history/a_v1.md",
    "a_v1.md",
    "x.md/y.md",
]
TEXTS = [
    text("one"),
    text("two", extra="modified: 2099-01-01T00:00:00Z\n"),
    text("old", extra="status: historical\n"),
    "",
    "no header",
    "---\nname: torn",
    text("n", extra="metadata:\n  type: user\n"),
]
WRITES = st.tuples(st.just("write"), st.sampled_from(RELS), st.sampled_from(TEXTS), st.integers(-3, 99))
REMOVES = st.tuples(
    st.just("remove"), st.sampled_from([*RELS, "sub", "sub/deep", "x.md", ".memtui"]), st.just(""), st.just(0)
)
MOVES = st.tuples(st.just("move"), st.sampled_from(RELS), st.sampled_from(RELS), st.just(0))
LOOKS = st.tuples(st.sampled_from(["hints", "full"]), st.just(""), st.just(""), st.just(0))


def _act(root: Path, what: str, rel: str, value: str, days: int) -> set[str]:
    """Do one thing as somebody would, and name the paths a watcher would."""
    path = root / rel
    try:
        if what == "write":
            made = {
                str(p.relative_to(root))
                for p in path.parents
                if p != root and root in p.parents and not p.exists()
            }
            write(root, rel, value, days=days)
            return {rel, *made}
        if what == "remove" and path.is_dir():
            shutil.rmtree(path)
        elif what == "remove":
            path.unlink()
        else:
            path.rename(root / value)
            return {rel, value}
    except OSError:
        return set()
    return {rel}


@given(st.lists(WRITES | REMOVES | MOVES | LOOKS, max_size=14))
def test_hints_and_full_looks_end_equal_to_a_fresh_look(steps: list[tuple[str, str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        directory = opened(root, convention=LIBRARY)
        seen: dict[str, MemoryEntry] = {}
        hints: set[str] = set()

        def compare(look_at: set[str] | None) -> None:
            directory.refresh(look_at)
            fresh = opened(root, convention=LIBRARY)
            assert directory.entries == fresh.entries
            assert list(directory.entries) == sorted(directory.entries, key=order)
            assert directory.index_data == fresh.index_data
            assert directory.shapes == fresh.shapes
            assert directory._order._below == fresh._order._below
            assert directory._order._future == fresh._order._future
            after = {entry.rel: entry for entry in directory.entries}
            changes = directory.take_changes()
            was, now = {slug_of(rel) for rel in seen}, {slug_of(rel) for rel in after}
            assert changes.added == now - was
            assert changes.removed == was - now
            different = {rel for rel in seen.keys() | after.keys() if seen.get(rel) != after.get(rel)}
            assert changes.changed == {slug_of(rel) for rel in different} & was & now
            seen.clear()
            seen.update(after)
            hints.clear()

        for what, rel, value, days in steps:
            if what == "hints":
                compare(set(hints))
            elif what == "full":
                compare(None)
            else:
                hints |= _act(root, what, rel, value, days)
        compare(set(hints))
        compare(None)


def test_a_bulk_is_placed_like_single_files(tmp_path: Path) -> None:
    pick = random.Random(7)
    directory = opened(tmp_path)
    for _ in range(4):
        touched = []
        for number in pick.sample(range(300), 150):
            rel = f"m{number}.md"
            if (tmp_path / rel).exists() and pick.random() < 0.3:
                (tmp_path / rel).unlink()
            else:
                write(tmp_path, rel, text(f"n{pick.random()}"), days=pick.random() * 50)
            touched.append(rel)
        directory.refresh(touched)
        assert directory.entries == opened(tmp_path).entries
        assert list(directory.entries) == sorted(directory.entries, key=order)
