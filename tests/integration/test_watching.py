"""A real directory, a real watcher, real writers: what is shown ends equal to a fresh look (reliability §2)."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from memtui.memory.directory.scan import Directory
from memtui.store import MemoryStore, Snapshot
from memtui.watching import BIG_BATCH

PATIENCE = 20.0


def text(name: str = "A", body: str = "Something worth remembering.") -> str:
    return f"---\nname: {name}\ndescription: about {name}\ntype: user\n---\n\n{body}\n"


def write(root: Path, rel: str, data: str) -> Path:
    path = root / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data)
    return path


class Follower:
    """Follows a store in a thread and waits for what it publishes."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.seen: list[Snapshot] = []
        self.stop = threading.Event()
        self._news = threading.Condition()
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.store.watch(self.stop, self._publish)
        except BaseException as error:  # noqa: BLE001  -- raised again in the test's own thread
            self._failed = error
        with self._news:
            self._news.notify_all()

    def _publish(self, snapshot: Snapshot) -> None:
        with self._news:
            self.seen.append(snapshot)
            self._news.notify_all()

    def until(self, holds: Callable[[Snapshot], bool], patience: float = PATIENCE) -> Snapshot:
        """The first newest snapshot for which something holds."""
        end = time.monotonic() + patience
        with self._news:
            while not self.seen or not holds(self.seen[-1]):
                assert self._failed is None, self._failed
                left = end - time.monotonic()
                last = self.seen[-1] if self.seen else None
                shown = (last.watch, last.missing, [e.rel for e in last.entries][:30]) if last else None
                assert left > 0, f"never came; last: {shown}"
                self._news.wait(left)
            return self.seen[-1]

    def end(self) -> None:
        self.stop.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        assert self._failed is None, self._failed


@contextmanager
def following(root: Path, *, mode: str = "events", polling: bool = False) -> Iterator[Follower]:
    """A store that follows ``root`` and has had its first full look."""
    store = MemoryStore(Directory(root), polling=polling)
    store.refresh()
    follower = Follower(store)
    try:
        follower.until(lambda snapshot: snapshot.watch.mode == mode)
        yield follower
    finally:
        follower.end()


def names(snapshot: Snapshot) -> dict[str, str]:
    return {entry.rel: entry.name for entry in snapshot.entries}


def equal_to_fresh(root: Path) -> Callable[[Snapshot], bool]:
    def holds(snapshot: Snapshot) -> bool:
        fresh = Directory(root, convention=snapshot.convention)
        fresh.refresh()
        return snapshot.entries == fresh.entries and snapshot.index_text == fresh.index_text

    return holds


def chained(seen: list[Snapshot]) -> bool:
    """Whether each snapshot's changes lead from the one before to it."""
    for before, after in pairwise(seen):
        assert after.generation == before.generation + 1
        was = {entry.slug: entry for entry in before.entries}
        now = {entry.slug: entry for entry in after.entries}
        assert after.changes.added == now.keys() - was.keys()
        assert after.changes.removed == was.keys() - now.keys()
        assert after.changes.changed == {slug for slug in was.keys() & now.keys() if was[slug] != now[slug]}
        assert after.changes.index == (before.index_text != after.index_text)
    return True


def test_new_changed_replaced_truncated_and_removed_files_are_seen(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text("first"))
    with following(tmp_path) as follower:
        write(tmp_path, "b.md", text("new"))
        follower.until(lambda s: names(s) == {"a.md": "first", "b.md": "new"})
        write(tmp_path, ".a.tmp", text("replaced")).rename(tmp_path / "a.md")
        follower.until(lambda s: names(s)["a.md"] == "replaced")
        with (tmp_path / "b.md").open("w") as half:
            half.write(text("rewritten")[:20])
            half.flush()
            half.write(text("rewritten")[20:])
        follower.until(lambda s: names(s)["b.md"] == "rewritten")
        (tmp_path / "b.md").rename(tmp_path / "c.md")
        follower.until(lambda s: names(s) == {"a.md": "replaced", "c.md": "rewritten"})
        (tmp_path / "a.md").unlink()
        follower.until(lambda s: names(s) == {"c.md": "rewritten"})
        write(tmp_path, "MEMORY.md", "- [C](c.md)\n")
        last = follower.until(lambda s: s.index_text == "- [C](c.md)\n")
        assert (last.index.exists, last.index.entries) == (True, 1)
        assert chained(follower.seen)


def test_folders_made_moved_and_removed_bring_their_files(tmp_path: Path) -> None:
    with following(tmp_path) as follower:
        write(tmp_path, "sub/deep/a.md", text())
        follower.until(lambda s: "sub/deep/a.md" in names(s))
        write(tmp_path, "sub/deep/b.md", text("b"))
        follower.until(lambda s: "sub/deep/b.md" in names(s))
        (tmp_path / "sub").rename(tmp_path / "node_modules")
        follower.until(lambda s: names(s).keys() == {"node_modules/deep/a.md", "node_modules/deep/b.md"})
        write(tmp_path, "node_modules/deep/b.md", text("seen"))
        follower.until(lambda s: names(s)["node_modules/deep/b.md"] == "seen")
        shutil.rmtree(tmp_path / "node_modules")
        follower.until(lambda s: names(s) == {})
        write(tmp_path, "node_modules/a.md", text("again"))
        follower.until(lambda s: names(s) == {"node_modules/a.md": "again"})
        write(tmp_path, "node_modules/a.md", text("twice"))
        follower.until(lambda s: names(s) == {"node_modules/a.md": "twice"})


def test_old_versions_and_proposals_in_our_own_folder_are_seen_and_the_rest_of_it_is_not(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a.md", text())
    with following(tmp_path) as follower:
        write(tmp_path, ".memtui/history/a_v1.md", text("old"))
        follower.until(lambda s: ".memtui/history/a_v1.md" in names(s))
        write(tmp_path, ".memtui/inbox/1.json", "{}")
        follower.until(lambda s: s.inbox_count == 1)
        before = len(follower.seen)
        for number in range(20):
            write(tmp_path, f".memtui/objects/{number}", "x")
            write(tmp_path, f"logs/2026/{number}.md", text())
        write(tmp_path, ".memtui/inbox/2.json", "{}")
        follower.until(lambda s: s.inbox_count == 2)
        assert len(follower.seen) == before + 1
        (tmp_path / ".memtui/inbox/1.json").unlink()
        follower.until(lambda s: s.inbox_count == 1)


def test_a_store_below_folders_that_watchers_like_to_skip(tmp_path: Path) -> None:
    root = tmp_path / ".venv" / "node_modules" / ".git" / "memory"
    write(root, "a.md", text())
    with following(root) as follower:
        write(root, "a.md", text("seen"))
        follower.until(lambda s: names(s) == {"a.md": "seen"})


def test_a_burst_of_3000_files_ends_equal_to_a_fresh_look(tmp_path: Path) -> None:
    assert BIG_BATCH < 3_000
    with following(tmp_path) as follower:
        for number in range(3_000):
            write(tmp_path, f"m{number}.md", text(f"n{number}"))
        follower.until(lambda s: len(s.entries) == 3_000, 60)
        follower.until(equal_to_fresh(tmp_path))
        assert chained(follower.seen)


def test_a_storm_of_mixed_writers_ends_equal_to_a_fresh_look(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()

    def storm(seed: int) -> None:
        pick = random.Random(seed)
        for step in range(250):
            rel = pick.choice(["", "sub/", "sub/x/"]) + f"m{pick.randrange(12)}.md"
            try:
                match pick.randrange(6):
                    case 0 | 1:
                        write(root, rel, text(f"{seed}-{step}"))
                    case 2:
                        write(root, f".t{seed}", text(f"r{seed}-{step}")).rename(root / rel)
                    case 3:
                        (root / rel).unlink()
                    case 4:
                        (root / "sub").rename(root / f"moved{seed}")
                    case _:
                        shutil.rmtree(root / pick.choice(["sub/x", f"moved{seed}"]))
            except OSError:
                continue

    with following(root) as follower:
        threads = [threading.Thread(target=storm, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        write(root, "MEMORY.md", "- [M](m1.md)\n")
        follower.until(equal_to_fresh(root))
        assert chained(follower.seen)


def test_the_root_removed_made_again_and_replaced(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    write(root, "a.md", text("first"))
    with following(root) as follower:
        shutil.rmtree(root)
        gone = follower.until(lambda s: s.missing)
        assert (names(gone), gone.watch.mode) == ({}, "polling")
        assert "not there" in gone.watch.message
        write(root, "b.md", text("second"))
        follower.until(lambda s: names(s) == {"b.md": "second"} and s.watch.mode == "events")
        write(root, "b.md", text("watched again"))
        follower.until(lambda s: names(s) == {"b.md": "watched again"})
        write(tmp_path / "other", "c.md", text("third"))
        root.rename(tmp_path / "aside")
        (tmp_path / "other").rename(root)
        follower.until(lambda s: names(s) == {"c.md": "third"})
        write(root, "c.md", text("and again"))
        follower.until(lambda s: names(s) == {"c.md": "and again"})


def test_a_root_that_is_not_there_yet(tmp_path: Path) -> None:
    root = tmp_path / "later" / "memory"
    with following(root, mode="polling") as follower:
        assert follower.seen[-1].missing
        assert not root.parent.exists()
        write(root, "a.md", text())
        follower.until(lambda s: names(s) == {"a.md": "A"} and not s.missing and s.watch.mode == "events")


def test_a_linked_root_is_watched_where_it_really_is_and_a_new_target_is_seen(tmp_path: Path) -> None:
    write(tmp_path / "real", "a.md", text("one"))
    write(tmp_path / "other", "b.md", text("two"))
    root = tmp_path / "link"
    root.symlink_to("real")
    with following(root) as follower:
        write(tmp_path / "real", "a.md", text("seen"))
        changed = follower.until(lambda s: names(s) == {"a.md": "seen"})
        assert changed.entries[0].path == root / "a.md"
        root.unlink()
        root.symlink_to("other")
        follower.until(lambda s: names(s) == {"b.md": "two"})
        write(tmp_path / "other", "b.md", text("seen too"))
        follower.until(lambda s: names(s) == {"b.md": "seen too"})


def watches() -> int:
    """How many folders this process has the system watch."""
    told = [path.read_text() for path in Path("/proc/self/fdinfo").iterdir() if path.exists()]
    return sum(text.count("inotify wd:") for text in told)


def test_the_watches_are_counted(tmp_path: Path) -> None:
    write(tmp_path, "sub/a.md", text())
    before = watches()
    with following(tmp_path):
        assert watches() >= before + 2


def test_a_link_to_a_folder_is_not_followed_by_the_watch(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    write(root, "a.md", text())
    behind = tmp_path / "everything"
    for number in range(300):
        (behind / f"{number}").mkdir(parents=True)
    (root / "everything").symlink_to(behind)
    before = watches()
    with following(root) as follower:
        assert watches() - before < 100
        write(root, "a.md", text("seen"))
        assert names(follower.until(lambda s: names(s)["a.md"] == "seen")) == {"a.md": "seen"}


def test_a_name_that_is_not_utf_8_is_named_and_others_are_followed_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    odd = tmp_path / "odd\udcff\x1b.md"
    with following(tmp_path) as follower:
        odd.touch()
        said = follower.until(lambda s: s.watch.message != "" and len(s.entries) == 2)
        assert "UTF-8" in said.watch.message
        assert "odd" in said.watch.message
        assert said.watch.message.isprintable()
        write(tmp_path, "a.md", text("while polling"))
        follower.until(lambda s: names(s)["a.md"] == "while polling")
        follower.until(lambda s: s.watch.mode == "events")
        write(tmp_path, "a.md", text("by events"))
        still = follower.until(lambda s: names(s)["a.md"] == "by events")
        assert "odd" in still.watch.message
        odd.unlink()
        follower.until(lambda s: s.watch.mode == "events" and s.watch.message == "" and len(s.entries) == 1)
        (tmp_path / "dir\udcfe").mkdir()
        (tmp_path / "dir\udcfe" / "x.md").touch()
        follower.until(lambda s: len(s.entries) == 2 and "dir" in s.watch.message)


def test_polling_sees_the_same_and_says_why(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    write(root, "a.md", text())
    with following(root, mode="polling", polling=True) as follower:
        assert follower.seen[-1].watch.message
        old = (root / "a.md").stat()
        write(root, "a.md", text("B"))
        os.utime(root / "a.md", ns=(old.st_atime_ns, old.st_mtime_ns))
        follower.until(lambda s: names(s) == {"a.md": "B"})
        write(root, "sub/b.md", text("b"))
        follower.until(equal_to_fresh(root))
        shutil.rmtree(root)
        follower.until(lambda s: s.missing)
        write(root, "c.md", text("c"))
        follower.until(lambda s: names(s) == {"c.md": "c"} and not s.missing)


def test_a_half_written_file_keeps_its_last_good_view_and_is_believed_in_the_end(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text("good"))
    with following(tmp_path) as follower:
        before = len(follower.seen)
        write(tmp_path, "a.md", "---\nname: half")
        write(tmp_path, "b.md", text("beside"))
        follower.until(lambda s: "b.md" in names(s))
        assert {names(s)["a.md"] for s in follower.seen[before:]} == {"good"}
        broken = follower.until(lambda s: names(s)["a.md"] != "good")
        assert any(entry.slug == "a" and entry.problems for entry in broken.entries)


def test_limits_of_the_system_lead_to_polling_that_says_so(tmp_path: Path) -> None:
    write(tmp_path, "a.md", text())
    script = f"""
import os, resource, threading
from pathlib import Path
from memtui.memory.directory.scan import Directory
from memtui.store import MemoryStore
root = Path({str(tmp_path)!r})
store, stop, states = MemoryStore(Directory(root)), threading.Event(), []
store.refresh()
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
taken = []
try:
    while True:
        taken.append(os.dup(0))
except OSError:
    for _ in range(2):  # enough to look, too little for a watch
        os.close(taken.pop())
def publish(snapshot):
    states.append(snapshot.watch)
    if len(snapshot.entries) == 2:
        print(snapshot.watch.mode, snapshot.watch.message)
        stop.set()
    else:
        (root / 'b.md').write_text('two')
timer = threading.Timer(15, stop.set)
timer.daemon = True
timer.start()
store.watch(stop, publish)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.startswith("polling The system gives no events"), (done.stdout, done.stderr)


def test_a_system_without_watch_support_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        sys.modules, "watchfiles", None
    )  # as Python remembers a module that cannot be imported
    write(tmp_path, "a.md", text())
    with following(tmp_path, mode="polling") as follower:
        assert "watchfiles" in follower.seen[-1].watch.message
        write(tmp_path, "a.md", text("seen"))
        follower.until(lambda s: names(s) == {"a.md": "seen"})


def test_a_file_and_a_folder_without_permission_do_not_stop_anything() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for path in (root, *(root / part for part in ("closed",))):
            path.mkdir(exist_ok=True)
        write(root, "good.md", text("good"))
        write(root, "secret.md", text("secret"))
        write(root, "closed/x.md", text("x"))
        nobody = 65_534 if os.geteuid() == 0 else os.geteuid()
        for path in (root, *root.rglob("*")):
            os.chown(path, nobody, -1)
        (root / "secret.md").chmod(0)
        (root / "closed").chmod(0)
        script = f"""
import os, threading
from pathlib import Path
import watchfiles
from memtui.memory.directory.scan import Directory
from memtui.store import MemoryStore
if os.geteuid() == 0:
    os.setuid({nobody})
root = Path({name!r})
store, stop, last = MemoryStore(Directory(root)), threading.Event(), []
store.refresh()
def publish(snapshot):
    last.append(snapshot)
    if any(entry.name == 'better' for entry in snapshot.entries):
        stop.set()
    else:
        (root / 'good.md').write_text('---\\nname: better\\n---\\n\\nx\\n')
timer = threading.Timer(15, stop.set)
timer.daemon = True
timer.start()
store.watch(stop, publish)
print(last[-1].watch.mode, sorted((e.rel, e.name, [p.code for p in e.problems if p.severity.value == 0])
    for e in last[-1].entries))
"""
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        (root / "closed").chmod(0o700)
        assert done.stdout == (
            "events [('good.md', 'better', []), ('secret.md', 'secret', ['permission'])]\n"
        ), done.stderr


@pytest.mark.parametrize("polling", [False, True])
def test_stopping_ends_it_and_leaves_no_thread(tmp_path: Path, *, polling: bool) -> None:
    write(tmp_path, "a.md", text())
    before = threading.active_count()
    with following(tmp_path, mode="polling" if polling else "events", polling=polling) as follower:
        store = follower.store
    assert store.snapshot.watch.mode == "off"
    for thread in threading.enumerate():
        if thread.name == "memtui-checks":
            thread.join(PATIENCE)
    assert threading.active_count() <= before
