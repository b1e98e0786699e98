"""Machines that share team memories through one bare repository on disk, and a seed that says what happens to them.

``python -m tests.team.world 300`` plays three hundred seeds; ``--from N`` begins at another one, ``--kill`` ends real
processes with ``SIGKILL`` in each of them.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from memtui.memory.conventions import CONVENTIONS, INDEX_NAME
from memtui.memory.directory.scan import Directory
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.files import Folder, digest_of
from memtui.memory.document import frontmatter
from memtui.memory.errors import MemtuiError
from memtui.memory.index.editing import decode_index
from memtui.memory.index.lines import parse_index
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.plans import Plan
from memtui.memory.review.proposals import Inbox
from memtui.memory.saving.records import Edit
from memtui.memory.types import MemoryEntry
from memtui.team.git import USUAL, Call, Done, Git
from memtui.team.repo import Repo
from memtui.team.resolving import Side, decide, decisions
from memtui.team.sync import TeamSync
from tests.crash.faults import DEATH, Died, FaultyDisk, QuietDisk

NOW = 1_760_000_000.0
WORDS = [
    "build",
    "deploy",
    "cache",
    "owner",
    "review",
    "staging",
    "token",
    "queue",
    "index",
    "shard",
    "retry",
    "limit",
    "alarm",
    "rotate",
    "owner",
    "test",
]
SLUGS = ["deploy", "alarms", "oncall", "sub/limits", "发布-流程"]
MOST_ROUNDS = 12


class DyingGit(Git):
    """A git whose k-th call is the last thing its process does.

    Attributes:
        left: calls until then.
        after: whether the call does its work first.
        really: whether it is the process that dies, not only the thread.
    """

    def __init__(self, environ: Mapping[str, str], left: int, *, after: bool, really: bool = False) -> None:
        super().__init__(environ)
        self.left, self.after, self.really = left, after, really

    def run(
        self, repository: Path | None, *words: str, call: Call = USUAL, fine: Sequence[int] = (0,)
    ) -> Done:
        self.left -= 1
        if self.left == 0 and not self.after:
            self._die()
        done = super().run(repository, *words, call=call, fine=fine)
        if self.left == 0:
            self._die()
        return done

    def _die(self) -> None:
        if self.really:
            os.kill(os.getpid(), signal.SIGKILL)
        raise Died


def environment(home: Path) -> dict[str, str]:
    """What git is run with: nothing of whoever runs the tests."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass
class Machine:
    """One machine with its memory directory and its own idea of the time."""

    name: str
    root: Path
    convention: str
    skew: float
    world: World

    @property
    def memory(self) -> Path:
        return self.root / "memory"

    def manager(self, disk: Disk | None = None) -> MemoryManager:
        convention = CONVENTIONS[self.convention]
        folder = Folder(self.memory, disk or QuietDisk())
        directory = Directory(self.memory, convention=convention, folder=folder, clock=self.clock)
        directory.refresh()
        return MemoryManager.open(self.memory, directory=directory, clock=self.clock)

    def clock(self) -> float:
        return self.world.now + self.skew

    def sync(self, git: Git | None = None) -> TeamSync:
        return self.sharing(self.manager(), git)

    def write(self, rel: str, text: str | bytes) -> None:
        """Write a team memory as an agent does, without asking anybody."""
        path = self.memory / "team" / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def sharing(self, manager: MemoryManager, git: Git | None = None) -> TeamSync:
        return TeamSync(
            manager,
            self.root / "state",
            git or Git(environment(self.root)),
            sleep=lambda _: None,
            chance=lambda: 0.0,
            wall=lambda: time.time() + 10,  # files that were just written are done
        )

    def team(self) -> dict[str, bytes]:
        folder = self.memory / "team"
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*.md"))
            if not path.name.startswith(".")
        }


def machine(root: Path, *, convention: str = "claude") -> Machine:
    """One machine of a test that tells its own story."""
    world = World.__new__(World)
    world.now = NOW
    (root / "memory" / "team").mkdir(parents=True)
    return Machine(root.name, root, convention, 0.0, world)


@dataclass
class World:
    """Three machines and a remote.

    Attributes:
        saved: every text that a save returned for, with where that was.
        overwritten: those that somebody who asked nobody wrote over; the journal alone has them.
    """

    root: Path
    seed: int
    kill: bool = False
    now: float = NOW
    saved: dict[bytes, str] = field(default_factory=dict)
    overwritten: set[bytes] = field(default_factory=set)
    story: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.remote = self.root / "remote.git"
        self.away = self.root / "remote.away"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(self.remote)], check=True)
        settings = ("receive.denyNonFastForwards", "receive.denyDeletes", "core.logAllRefUpdates")
        for setting in settings:
            value = "always" if setting.startswith("core") else "true"
            subprocess.run(["git", "-C", str(self.remote), "config", setting, value], check=True)
        self.machines = [
            Machine(
                f"m{number}",
                self.root / f"m{number}",
                self.dice.choice(["claude", "library"]),
                self.dice.choice([0.0, -86_400.0 * 3, 3_600.0 * 5, 86_400.0 * 400]),
                self,
            )
            for number in range(3)
        ]
        for machine in self.machines:
            machine.memory.mkdir(parents=True)
            machine.sharing(machine.manager()).init(str(self.remote), cwd=self.root)
        self._begin()

    def _begin(self) -> None:
        """Three memories that all have: only what is shared can be changed by two."""
        first = self.machines[0]
        for slug in self.dice.sample(SLUGS, 3):
            _save(self, first, first.manager(), f"team/{slug}.md", _memory(self, f"team/{slug}"))
        for machine in self.machines:
            sync = machine.sharing(machine.manager())
            sync.accept(sync.sync().status.arrivals)

    # -- what happens ----------------------------------------------------------------------------------------------

    def play(self, steps: int) -> None:
        for _ in range(steps):
            machine = self.dice.choice(self.machines)
            self.now += self.dice.uniform(0, 4_000)
            name, act = self.dice.choice(_ACTS)
            self.story.append(f"{machine.name} {name}")
            self.seen[name] += 1
            try:
                act(self, machine)
            except Died:
                self.seen["died"] += 1
                self.story.append("  died")
            except MemtuiError as error:
                self.seen["refused"] += 1
                self.story.append(f"  {error}")

    def settle(self) -> None:
        """All online, everything accepted, until nothing happens any more."""
        if self.away.exists():
            self.away.rename(self.remote)
        quiet = 0
        for _ in range(MOST_ROUNDS):
            for machine in self.machines:
                manager = machine.manager()
                manager.recover()
                sync = machine.sharing(manager)
                sync.reconsider(sync.status().declined)
                report = sync.sync()
                assert report.status.last_error is None, report.status.last_error
                accepted = sync.accept(report.status.arrivals)
                assert not accepted.left, accepted.left
                busy = report.pushed or report.fetched or report.committed or accepted.rels
                quiet = 0 if busy else quiet + 1
            if quiet >= len(self.machines):
                return
        raise AssertionError(f"no end after {MOST_ROUNDS} rounds")

    # -- what must hold --------------------------------------------------------------------------------------------

    def check(self) -> None:
        first = self.machines[0].team()
        for machine in self.machines[1:]:
            assert machine.team() == first, (
                f"{machine.name} differs from m0: {_differences(first, machine.team())}"
            )
        tip, blobs = self._shared()
        assert {rel: blobs[oid] for rel, oid in tip.items()} == first
        self._check_fast_forward()
        known = {_essence(text) for text in self._texts(blobs.values())}
        objects = {path.name for m in self.machines for path in (m.memory / ".memtui/objects").glob("*")}
        lost = {
            text: where
            for text, where in self.saved.items()
            if _essence(text) not in known and not (text in self.overwritten and digest_of(text) in objects)
        }
        assert not lost, f"{len(lost)} texts lost, first: {next(iter(lost.items()))}"
        for machine in self.machines:
            self._check_index(machine)

    def _shared(self) -> tuple[dict[str, str], dict[str, bytes]]:
        """The files of the remote's branch, and every blob that its history reaches."""
        git = Git(environment(self.root))
        repo = Repo(git, self.remote)
        tip = repo.ref("refs/heads/main")
        if tip is None:
            return {}, {}
        files = {rel: entry.oid for rel, entry in repo.tree(tip).items()}
        oids = repo.outgoing(tip, None)
        kinds = repo.kinds(oids)
        return files, dict(repo.blobs([oid for oid in oids if kinds[oid] == "blob"], most=1 << 24))

    def _check_fast_forward(self) -> None:
        log = self.remote / "logs/refs/heads/main"
        for line in log.read_text().splitlines() if log.exists() else ():
            old, new = line.split()[:2]
            if old.strip("0"):
                done = subprocess.run(
                    ["git", "-C", str(self.remote), "merge-base", "--is-ancestor", old, new], check=False
                )
                assert done.returncode == 0, f"{old} → {new} is no fast forward"

    def _texts(self, shared: Iterable[bytes]) -> Iterator[bytes]:
        yield from shared
        for machine in self.machines:
            manager = machine.manager()
            for entry in manager.entries():
                yield entry.data if isinstance(entry.data, bytes) else b""
            trash = machine.memory / ".memtui/trash"
            if trash.exists():
                yield from (path.read_bytes() for path in trash.iterdir())
            for proposal in Inbox(manager).pending():
                yield from (each.text.encode() for each in proposal.texts if each.text is not None)

    def _check_index(self, machine: Machine) -> None:
        path = machine.memory / INDEX_NAME
        text = decode_index(path.read_bytes() if path.exists() else None)
        assert "\0" not in text
        assert not list(machine.memory.rglob("*.part")), machine.name
        assert not list(machine.memory.rglob("*.swap")), machine.name
        active = {
            e.rel for e in machine.manager().entries() if e.scope == "team" and e.is_active and not e.aside
        }
        named = {
            link.rel for line in parse_index(text).entries for link in [line] if link.rel.startswith("team/")
        }
        assert active == named, f"{machine.name}: {active ^ named}"


def _differences(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    return [rel for rel in sorted({*one, *other}) if one.get(rel) != other.get(rel)]


def _essence(data: bytes) -> tuple[object, ...]:
    """What a text says, in force or archived."""
    doc = frontmatter.read(data)
    return doc.name, doc.description, doc.type_text, doc.body


# -- what can happen -----------------------------------------------------------------------------------------------


def _memory(world: World, slug: str) -> bytes:
    dice = world.dice
    body = "".join(f"- {' '.join(dice.choices(WORDS, k=5))}\n" for _ in range(dice.randint(1, 6)))
    modified = (
        f"modified: {2024 + dice.randint(0, 2)}-0{dice.randint(1, 9)}-1{dice.randint(0, 9)}T08:00:00Z\n"
    )
    name = slug.rpartition("/")[2]
    head = f"name: {name}\ndescription: {' '.join(dice.choices(WORDS, k=4))}\ntype: project\n"
    return f"---\n{head}{modified if dice.random() < 0.5 else ''}---\n\n{body}".encode()


def _save(world: World, machine: Machine, manager: MemoryManager, rel: str, after: bytes) -> None:
    image = manager.planner.image(rel)
    slug = rel.removesuffix(".md")
    edits = manager.planner.save(slug, image, after)
    manager.carry_out(Plan(f"save {slug}", (slug,), tuple(edits)), create=True)
    world.saved.setdefault(after, f"{machine.name} {rel} at {len(world.story)}")


def _live(world: World, manager: MemoryManager, scope: str = "team") -> MemoryEntry | None:
    entries = [e for e in manager.entries() if e.scope == scope and e.is_active and not e.aside]
    return world.dice.choice(sorted(entries, key=lambda e: e.slug)) if entries else None


def _create(world: World, machine: Machine) -> None:
    slug = f"team/{world.dice.choice(SLUGS)}"
    _save(world, machine, machine.manager(), f"{slug}.md", _memory(world, slug))


def _create_private(world: World, machine: Machine) -> None:
    slug = f"own-{world.dice.randint(0, 3)}"
    _save(world, machine, machine.manager(), f"{slug}.md", _memory(world, slug))


def _edit_field(world: World, machine: Machine) -> None:
    manager = machine.manager()
    entry = _live(world, manager)
    if entry is not None and isinstance(entry.data, bytes):
        words = " ".join(world.dice.choices(WORDS, k=3))
        after = world.dice.choice(
            [
                frontmatter.edit(entry.data, description=words),
                frontmatter.edit(entry.data, name=words),
                frontmatter.edit(entry.data, memory_type="feedback"),
            ]
        )
        if entry.modified and frontmatter.read(after).modified is not None:
            after = frontmatter.edit(after, modified=machine.clock())
        _save(world, machine, manager, entry.rel, after)


def _edit_body(world: World, machine: Machine) -> None:
    manager = machine.manager()
    entry = _live(world, manager)
    if entry is not None and isinstance(entry.data, bytes):
        lines = entry.content.splitlines(keepends=True)
        line = f"- {' '.join(world.dice.choices(WORDS, k=5))}\n"
        place = world.dice.randint(1, max(1, len(lines)))
        if world.dice.random() < 0.5 and place < len(lines):
            lines[place] = line
        else:
            lines.insert(place, line)
        _save(world, machine, manager, entry.rel, frontmatter.edit(entry.data, body="".join(lines)))


def _edit_outside(world: World, machine: Machine) -> None:
    """An agent writes a file without asking anybody; it counts as saved once a sync has seen it."""
    entry = _live(world, machine.manager())
    if entry is not None and isinstance(entry.data, bytes):
        after = entry.data + f"- {' '.join(world.dice.choices(WORDS, k=5))}\n".encode()
        (machine.memory / entry.rel).write_bytes(after)
        world.overwritten.add(entry.data)


def _forget(world: World, machine: Machine) -> None:
    manager = machine.manager()
    entry = _live(world, manager)
    if entry is not None:
        manager.forget(entry.slug)


def _rename(world: World, machine: Machine) -> None:
    manager = machine.manager()
    entry = _live(world, manager)
    slug = f"team/{world.dice.choice(SLUGS)}-{world.dice.randint(2, 3)}"
    if entry is not None and manager.planner.image(f"{slug}.md") is None:
        edits = manager.planner.rename(entry, slug)
        manager.carry_out(Plan(f"rename {entry.slug} to {slug}", (entry.slug, slug), tuple(edits)))


def _move(world: World, machine: Machine, scope: str) -> None:
    """Into the team's folder or out of it: a new file there, the old one to the trash, as one change."""
    manager = machine.manager()
    entry = _live(world, manager, scope)
    if entry is None or not isinstance(entry.data, bytes):
        return
    name = entry.slug.rpartition("/")[2]
    slug = f"team/{name}" if scope == "private" else f"own-{name}"
    if manager.planner.image(f"{slug}.md") is not None:
        return
    planner = manager.planner
    edits = [Edit(f"{slug}.md", None, entry.data), Edit(entry.rel, entry.data, None, trash=True)]
    edits += planner.index_edit(
        lambda text: planner.line_after_save(
            planner.lines_after_forget(text, [entry]),
            f"{slug}.md",
            None,
            bytes(entry.data),  # type: ignore[arg-type]
        )
    )
    manager.carry_out(Plan(f"move {entry.slug}", (entry.slug, slug), tuple(edits)))
    world.saved.setdefault(entry.data, f"{machine.name} {slug}.md")


def _move_in(world: World, machine: Machine) -> None:
    _move(world, machine, "private")


def _move_out(world: World, machine: Machine) -> None:
    _move(world, machine, "team")


def _sync(world: World, machine: Machine) -> None:
    report = machine.sharing(machine.manager()).sync()
    for clash in report.clashes:
        world.seen[f"clash {clash.kind}"] += 1
    if report.offline:
        world.seen["offline"] += 1
    if report.status.last_error is not None and not report.offline:
        raise AssertionError(report.status.last_error)
    _note_live(world, machine)


def _note_live(world: World, machine: Machine) -> None:
    for rel, data in machine.team().items():
        world.saved.setdefault(data, f"{machine.name} team/{rel} seen by a sync at {len(world.story)}")


def _accept(world: World, machine: Machine) -> None:
    sync = machine.sharing(machine.manager())
    arrivals = sync.status().arrivals
    some = [each for each in arrivals if world.dice.random() < 0.7]
    sync.accept(some)


def _decline(world: World, machine: Machine) -> None:
    sync = machine.sharing(machine.manager())
    sync.decline([each for each in sync.status().arrivals if world.dice.random() < 0.5])


def _undo(world: World, machine: Machine) -> None:
    """A person takes the last change back; what it had written is in the journal."""
    manager = machine.manager()
    before = [entry.data for entry in manager.entries() if isinstance(entry.data, bytes)]
    if manager.undoable() is not None:
        manager.undo()
        world.overwritten.update(before)


def _decide(world: World, machine: Machine) -> None:
    """A person takes one of the proposals that a clash left."""
    inbox = Inbox(machine.manager())
    waiting = inbox.pending()
    if waiting:
        chosen = world.dice.choice(waiting)
        if world.dice.random() < 0.6:
            inbox.accept(chosen.id)
        else:
            inbox.reject(chosen.id)
            for each in chosen.texts:  # whoever rejects a text does not want it kept
                if each.text is not None:
                    world.saved.pop(each.text.encode(), None)


def _resolve(world: World, machine: Machine) -> None:
    """A person chooses between two texts, or two memories, wherever they wait."""
    for one in (machine, *world.machines):  # whoever has something to choose
        manager = one.manager()
        sync = one.sharing(manager)
        waiting = decisions(sync, manager)
        if waiting:
            break
    else:
        return
    chosen = world.dice.choice(waiting)
    sides: list[Side] = ["ours", "theirs", "both"] if chosen.other is not None else ["ours", "theirs"]
    side = world.dice.choice(sides)
    world.seen[f"resolved {side}"] += 1
    if side == "theirs" and chosen.other is None and chosen.ours is not None:
        world.saved.pop(chosen.ours, None)  # as above
    decide(sync, manager, chosen, side)


def _crash(world: World, machine: Machine) -> None:
    """A sync, or accepting, that ends at some call of git."""
    if world.kill:
        _killed(world, machine)
        return
    git = DyingGit(environment(machine.root), world.dice.randint(1, 14), after=world.dice.random() < 0.5)
    sync = machine.sharing(machine.manager(), git)
    if world.dice.random() < 0.6:
        sync.sync()
    else:
        sync.accept(sync.status().arrivals)


def _crash_disk(world: World, machine: Machine) -> None:
    """Accepting that ends at some call of the disk."""
    disk = FaultyDisk(world.dice.randint(10, 120), DEATH)
    try:
        sync = machine.sharing(machine.manager(disk))
        sync.accept(sync.status().arrivals)
    finally:
        disk.dead = True


def killed(machine: Machine, left: int, *, after: bool, delay: int = 0) -> int:
    """The same in a process of its own, which really is killed.

    Args:
        machine: whose it is.
        left: calls of git until then.
        after: whether the last one does its work first.
        delay: milliseconds after which the end comes in any case; 0 for never.

    Returns:
        What it ended with.
    """
    words = [
        str(machine.root),
        machine.convention,
        str(machine.clock()),
        str(left),
        str(int(after)),
        str(delay),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.team.killed", *words],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode in {0, -signal.SIGKILL}, done.stderr
    return done.returncode


def _killed(world: World, machine: Machine) -> None:
    dice = world.dice
    delay = dice.choice([0, dice.randint(150, 900)])
    if killed(machine, dice.randint(1, 24), after=dice.random() < 0.5, delay=delay):
        world.seen["killed"] += 1


def _toggle(world: World, machine: Machine) -> None:
    """The remote goes away, or comes back."""
    if world.away.exists():
        world.away.rename(world.remote)
    else:
        world.remote.rename(world.away)


Act = Callable[[World, Machine], None]
_WEIGHTS: tuple[tuple[int, str, Act], ...] = (
    (6, "creates", _create),
    (1, "creates a private one", _create_private),
    (5, "edits a field", _edit_field),
    (6, "edits a body", _edit_body),
    (2, "is written to from outside", _edit_outside),
    (2, "forgets", _forget),
    (2, "renames", _rename),
    (1, "moves in", _move_in),
    (1, "moves out", _move_out),
    (9, "syncs", _sync),
    (6, "accepts", _accept),
    (1, "declines", _decline),
    (2, "undoes", _undo),
    (1, "decides", _decide),
    (2, "resolves", _resolve),
    (4, "crashes", _crash),
    (2, "crashes at the disk", _crash_disk),
    (2, "the remote comes or goes", _toggle),
)
_ACTS = [(name, act) for weight, name, act in _WEIGHTS for _ in range(weight)]


def run(root: Path, seed: int, *, steps: int = 40, kill: bool = False) -> World:
    """Play one seed and check what must hold."""
    world = World(root, seed, kill)
    try:
        world.play(steps)
        world.settle()
        world.check()
    except BaseException as error:
        error.add_note(f"seed {seed}:\n" + "\n".join(world.story))
        raise
    return world


def main(argv: Sequence[str] | None = None) -> int:
    """Play many seeds and tell what happened in them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", type=int)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--kill", action="store_true")
    given = parser.parse_args(argv)
    total: Counter[str] = Counter()
    failed: list[int] = []
    for seed in range(given.first, given.first + given.seeds):
        root = Path(tempfile.mkdtemp(prefix=f"team-{seed}-"))
        try:
            total += run(root, seed, steps=given.steps, kill=given.kill).seen
        except (Exception, Died) as error:  # noqa: BLE001  -- every seed is told
            failed.append(seed)
            print(f"seed {seed}: {type(error).__name__}: {str(error)[:600]} ({root})", flush=True)
            continue
        with suppress(OSError):
            shutil.rmtree(root)
    print(f"{given.seeds} seeds, {len(failed)} failed: {failed}")
    for name, count in total.most_common():
        print(f"{count:7} {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
