"""The whole manager against a model, by any sequence of changes, outside writers and crashes (reliability §6).

The model is a dict of what each memory says, and the list of every text that was ever in force. What must hold after
every step: what the files say is what the model says, no text was lost, the entries equal those of a fresh look, and the
index names what is there.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from memtui.memory.conventions import CLAUDE
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder, Unreadable
from memtui.memory.document import frontmatter
from memtui.memory.errors import Conflict, MemtuiError, Refused, UsageError
from memtui.memory.index.lines import parse_index
from memtui.memory.managing.manager import MemoryManager
from tests.crash.faults import CHANGING, DEATH, Died, FaultyDisk, QuietDisk, Tree, is_leftover, tree, visible

SLUGS = ("a", "b", "c", "d")
NAMES = st.sampled_from(SLUGS)
TEXTS = st.text(alphabet="ab 好\n[]#-:*", min_size=1, max_size=30).map(lambda text: f"x{text}x see [[a]]")
START = 4_000_000_000.0  # later than any file here, whose times are the real ones


class ManagerMachine(RuleBasedStateMachine):
    """One directory, one person, one rude neighbour, and a process that dies now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.top = Path(tempfile.mkdtemp(prefix="machine"))
        self.root = self.top / "memory"
        self.root.mkdir()
        self.now = START
        self.ever: set[bytes] = set()
        self.undo_to: list[tuple[int, Tree]] = []
        self.manager = self.opened(QuietDisk())

    def teardown(self) -> None:
        shutil.rmtree(self.top)

    def opened(self, disk: Disk) -> MemoryManager:
        directory = Directory(
            self.root, convention=CLAUDE, folder=Folder(self.root, disk), clock=lambda: self.now
        )
        directory.refresh()
        return MemoryManager.open(self.root, clock=lambda: self.now, directory=directory)

    # ------------------------------------------------------------------ what is done

    def live(self) -> list[str]:
        self.manager.reload()
        return [entry.slug for entry in self.manager.entries() if entry.is_active and not entry.aside]

    def note(self) -> None:
        """Remember every memory text in force: none of them may ever be lost."""
        files = tree(self.root)
        self.ever |= {
            data
            for rel, data in files.items()
            if rel.endswith(".md") and rel != "MEMORY.md" and rel[0] != "."
        }

    def change(self, act: Callable[[MemoryManager], object]) -> bool:
        """Make a change, and remember what an undo of it must bring back; whether it was made."""
        self.now += 60
        self.note()
        before = visible(tree(self.root))
        records = len(self.manager.activity())
        try:
            act(self.manager)
        except (UsageError, Conflict, Refused, Unreadable):
            assert visible(tree(self.root)) == before, "a refusal changed something"
            return False
        if len(self.manager.activity()) > records:
            self.undo_to.append((len(self.manager.activity()), before))
        self.note()
        return True

    @initialize(text=TEXTS)
    def first(self, text: str) -> None:
        self.change(lambda m: m.save_memory("a", "A", "about a", "project", text))

    @rule(slug=NAMES, text=TEXTS, team=st.booleans())
    def save(self, slug: str, text: str, team: bool) -> None:
        where = f"team/{slug}" if team else slug
        if self.change(lambda m: m.save_memory(where, slug.upper(), f"about {slug}", "project", text)):
            self.says(where, text)

    @rule(slug=NAMES, text=TEXTS)
    def edit(self, slug: str, text: str) -> None:
        if self.change(lambda m: m.edit_memory(slug, content=text)):
            self.says(slug, text)

    def says(self, slug: str, text: str) -> None:
        """What was acknowledged stands in the file, to the letter."""
        data = (self.root / f"{slug}.md").read_bytes()
        assert frontmatter.read(data).body.strip() == text.strip()

    @rule(slug=NAMES)
    def forget(self, slug: str) -> None:
        self.change(lambda m: m.forget(slug))

    @rule(slug=NAMES, new=NAMES)
    def rename(self, slug: str, new: str) -> None:
        self.change(lambda m: m.rename(slug, new))

    @rule(slug=NAMES, source=NAMES, text=TEXTS)
    def merge(self, slug: str, source: str, text: str) -> None:
        self.change(lambda m: m.merge([source], slug, slug, "merged", "project", text))

    @rule(slug=NAMES, number=st.integers(1, 3))
    def restore(self, slug: str, number: int) -> None:
        self.change(lambda m: m.restore(slug, number))

    @rule(number=st.integers(0, 3))
    def untrash(self, number: int) -> None:
        names = [rel for record in self.manager.trash() for rel in record.trashed]
        if names:
            self.change(lambda m: m.restore_trashed(names[number % len(names)]))

    @rule(slug=NAMES, team=st.booleans())
    def cross(self, slug: str, team: bool) -> None:
        self.change(
            lambda m: m.carry_out(
                m.plan_scope([slug if team else f"team/{slug}"], "team" if team else "private").plan
            )
        )

    @rule()
    def rebuild_index(self) -> None:
        self.change(lambda m: m.rebuild_index())

    @rule()
    def undo(self) -> None:
        """Exact, where nobody else has written since."""
        self.now += 60
        self.note()
        record = self.manager.undoable()
        before = visible(tree(self.root))
        try:
            self.manager.undo()
        except (UsageError, Conflict, Refused):
            assert visible(tree(self.root)) == before
            return
        assert record is not None
        after = visible(tree(self.root))
        self.manager.redo()
        assert visible(tree(self.root)) == before, "a redo did not take the undo back"
        self.manager.undo()
        assert visible(tree(self.root)) == after, "a second undo did something else"
        if self.undo_to and self.undo_to[-1][0] == len(self.manager.activity()) - 3:
            assert after == self.undo_to[-1][1], "undo was not exact"
        self.undo_to.clear()
        self.note()

    # ------------------------------------------------------------------ what others do

    @rule(slug=NAMES, text=TEXTS, torn=st.booleans())
    def written_outside(self, slug: str, text: str, torn: bool) -> None:
        self.undo_to.clear()
        whole = f"---\nname: {slug}\ndescription: by an agent\ntype: user\n---\n\n{text}\n".encode()
        self.put(f"{slug}.md", whole[: len(whole) // 2] if torn else whole)

    @rule(slug=NAMES)
    def deleted_outside(self, slug: str) -> None:
        self.undo_to.clear()
        path = self.root / f"{slug}.md"
        if path.exists():
            # What an agent deletes is gone unless memtui once wrote it or replaced it.
            data = path.read_bytes()
            path.unlink()
            if data not in set(tree(self.root).values()):
                self.ever.discard(data)

    @rule(slug=NAMES, new=NAMES)
    def renamed_outside(self, slug: str, new: str) -> None:
        self.undo_to.clear()
        old, place = self.root / f"{slug}.md", self.root / f"{new}.md"
        if old.exists() and old != place:
            gone = place.read_bytes() if place.exists() else None
            old.rename(place)
            if gone is not None and gone not in set(tree(self.root).values()):
                self.ever.discard(gone)

    @rule(line=st.sampled_from([b"prose\n", b"- [X](x.md) - not there\n", b"\xff\xfe\n", b"- [A](a.md)\n"]))
    def index_written_outside(self, line: bytes) -> None:
        self.undo_to.clear()
        path = self.root / "MEMORY.md"
        path.write_bytes((path.read_bytes() if path.exists() else b"") + line)

    def put(self, rel: str, data: bytes) -> None:
        path = self.root / rel
        gone = path.read_bytes() if path.exists() else None
        path.write_bytes(data)
        os.utime(path, (self.now, self.now))
        if gone is not None and gone not in set(tree(self.root).values()):
            self.ever.discard(gone)

    # ------------------------------------------------------------------ what befalls

    @rule(
        slug=NAMES,
        text=TEXTS,
        at=st.integers(1, 60),
        kind=st.sampled_from(["save", "merge", "forget", "undo"]),
    )
    def crash(self, slug: str, text: str, at: int, kind: str) -> None:
        self.now += 60
        self.note()
        disk = FaultyDisk(at, DEATH, QuietDisk(), CHANGING)
        before = visible(tree(self.root))
        try:
            manager = self.opened(disk)
            if kind == "save":
                manager.save_memory(slug, slug, "about it", "project", text)
            elif kind == "merge":
                manager.merge([slug], "a", "a", "merged", "project", text)
            elif kind == "forget":
                manager.forget(slug)
            else:
                manager.undo()
        except Died:
            pass
        except MemtuiError:
            if not disk.dead:
                assert visible(tree(self.root)) == before
        self.undo_to.clear()
        self.manager = self.opened(QuietDisk())
        self.manager.recover()
        files = tree(self.root)
        assert not any(map(is_leftover, files))
        assert self.opened(QuietDisk()).journal.recover() == self.manager.journal.warnings()
        assert tree(self.root) == files, "the second recovery changed something"
        self.note()

    @rule()
    def reopen(self) -> None:
        self.manager = self.opened(QuietDisk())

    # ------------------------------------------------------------------ what must hold

    @invariant()
    def nothing_is_lost(self) -> None:
        missing = self.ever - set(tree(self.root).values())
        assert not missing, f"lost: {missing}"

    @invariant()
    def entries_equal_a_fresh_look(self) -> None:
        self.manager.reload()
        fresh = self.opened(QuietDisk()).entries()
        assert self.manager.entries() == fresh

    @invariant()
    def every_memory_reads_back(self) -> None:
        for slug in self.live():
            entry = self.manager.get(slug)
            data = (self.root / entry.rel).read_bytes()
            assert entry.content == frontmatter.read(data).body or not entry.is_readable

    @invariant()
    def the_index_can_be_rebuilt(self) -> None:
        _, rebuilt = self.manager.rebuilt_index()
        named = {entry.rel for entry in parse_index(rebuilt).entries}
        assert {f"{slug}.md" for slug in self.live() if self.manager.get(slug).is_readable} <= named


def proof(place: Path, long: bool) -> Iterator[str]:
    """Many runs of many steps; the first that fails is shrunk and told."""
    del place
    count = 20_000 if long else 300
    try:
        run_state_machine_as_test(
            ManagerMachine,
            settings=settings(
                max_examples=count,
                stateful_step_count=40,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    except Exception as error:  # noqa: BLE001  -- whatever it is, it is what was looked for
        yield f"{error!r}\n{''.join(traceback.format_exception(error))}"
    print(f"{count} runs of up to 40 steps", flush=True)
