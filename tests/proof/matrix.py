"""Every operation with every fault at every call to the disk, once and from then on (part 6, point 1).

What power cuts and kills are tried on is tried here on every errno too, and beside it what stands on more than the
manager: a dream that is applied, and what others share, accepted. A writer that minds nothing must fail the same.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from memtui.memory.disk.calls import Disk
from memtui.memory.errors import MemtuiError, Refused, UsageError
from memtui.team.failures import TeamError
from memtui.team.state import StateFolder
from tests.crash import test_dream_faults as dreamed
from tests.crash.faults import (
    ALL_LANES,
    DEATH,
    ONCE,
    Lane,
    NoExchange,
    NoLinks,
    QuietDisk,
    Run,
    Tree,
    is_leftover,
    sweep,
    tree,
    violations,
    visible,
)
from tests.proof.power_cases import CASES, Case
from tests.team.making import DEPLOY, memory, share
from tests.team.world import Machine, World, machine

LIMITED: tuple[Lane, ...] = ((DEATH,), ONCE)
"""What is tried on file systems that can do less."""


def struck(case: Case, place: Path, lanes: tuple[Lane, ...], real: Callable[[], Disk]) -> Iterator[list[str]]:
    """What is wrong after each run of a case."""
    template, clean = place / "template", place / "clean"
    case.prepare(template)
    shutil.copytree(template, clean, symlinks=True)
    case.act(clean, real())
    done = tree(clean)
    for run in sweep(template, place, case.act, case.reopen, lanes, real):
        yield case.judge(run, done)


def proof(place: Path, long: bool) -> Iterator[str]:
    """Faults in turns at every call; if long, each at every call."""
    lanes: tuple[Lane, ...] = ALL_LANES if long else ((DEATH,), *_turns())
    numbers = itertools.count()
    for name, case in CASES.items():
        for real, some in ((QuietDisk, lanes), (NoExchange, LIMITED), (NoLinks, LIMITED)):
            here = place / str(next(numbers))
            here.mkdir()
            count = 0
            for wrong in struck(case, here, some, real):
                count += 1
                yield from (f"{name}, {real.__name__}: {line}" for line in wrong)
            shutil.rmtree(here)
            print(f"{name}, {real.__name__}: {count} runs", flush=True)
    yield from _dreams(place, lanes)
    yield from _arrivals(place / "arrivals", lanes)
    yield from _naive(place / "naive", lanes)


def _turns() -> tuple[Lane, ...]:
    """All the faults but death, taking turns."""
    return (tuple(fault for lane in ALL_LANES for fault in lane if fault.code is not None),)


def _dreams(place: Path, lanes: tuple[Lane, ...]) -> Iterator[str]:
    for apply in (False, True):
        here = place / f"dream-{apply}"
        here.mkdir()
        runs, wrong = dreamed.swept(here, apply, lanes)
        yield from (f"dream: {line}" for line in wrong)
        print(f"dream, {'applied' if apply else 'proposed'}: {runs} runs", flush=True)


# ---------------------------------------------------------------------- what others share


def _arrivals(place: Path, lanes: tuple[Lane, ...]) -> Iterator[str]:
    """Accept what another machine shares: a new memory, one that changed, one that is gone."""
    world = World.__new__(World)
    ada, bob = machine(place / "ada"), machine(place / "bob")
    world.now = ada.world.now
    remote = place / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(remote)], check=True)
    for one in (ada, bob):
        one.sync().init(str(remote), cwd=place)
    for name in ("deploy", "gone"):
        ada.write(f"{name}.md", DEPLOY)
    share(ada, bob)
    ada.write("deploy.md", DEPLOY.replace("wait", "look"))
    ada.write("alarms.md", memory("alarms", "ring twice"))
    ada.manager().forget("team/gone")
    share(ada)
    bob.sync().sync()

    def accept(root: Path, disk: Disk) -> object:
        one = Machine("bob", root, "claude", 0.0, world)
        key = StateFolder(root / "state", one.memory).path
        for kept in list(key.parent.iterdir()):
            if kept != key:
                kept.rename(key)  # the state of a directory goes by where that stands
        sync = one.sharing(one.manager(disk))
        return sync.accept(sync.status().arrivals)

    def reopen(root: Path) -> tuple[str, ...]:
        return Machine("bob", root, "claude", 0.0, world).manager().journal.recover()

    clean = place / "clean"
    shutil.copytree(bob.root, clean, symlinks=True)
    accept(clean, QuietDisk())
    done = visible(_memories(tree(clean)))
    count = 0
    for run in sweep(bob.root, place, accept, reopen, lanes):
        count += 1
        yield from (f"accept arrivals: {line}" for line in _accepting(run, done))
        accept(place / "run", QuietDisk())
        now, wanted = _but_for_numbers(visible(_memories(tree(place / "run")))), _but_for_numbers(done)
        # What could not be looked at when it gave way is kept once more, in the trash.
        kept = {(rel, data) for rel, data in now - wanted if data in run.before.values()}
        if now - kept != wanted:
            yield f"accept arrivals: {run}: accepted again, it is not as it would have been"
    print(f"accept arrivals: {count} runs", flush=True)


def _accepting(run: Run, done: Tree) -> list[str]:
    inside = Run(run.at, run.fault, run.where, run.result, run.error, said=run.said)
    for moment in ("before", "at_once", "after", "later"):
        setattr(inside, moment, _memories(getattr(run, moment)))
    left = getattr(run.result, "left", ())
    if run.error is None and left:
        return _in_part(inside, done)
    if run.error is None and visible(inside.after) == visible(inside.before):
        inside.error = Refused("it told that nothing was applied")
    return violations(inside, done, (MemtuiError, TeamError, UsageError))


def _in_part(run: Run, done: Tree) -> list[str]:
    """What is wrong where some were left, as told: each file must be as it was or as it shall be, and nothing lost."""
    old = visible(run.before)
    lines = {*old["MEMORY.md"].splitlines(), *done["MEMORY.md"].splitlines()}
    wrong = [
        f"{run}: {rel} is lost" for rel in old if old[rel] not in run.after.values() and rel != "MEMORY.md"
    ]
    for rel, data in visible(run.after).items():
        if rel == "MEMORY.md":
            wrong += [f"{run}: {line!r} came from nowhere" for line in data.splitlines() if line not in lines]
        elif "/trash/" in rel:
            wrong += [f"{run}: {rel} came from nowhere"] * (data not in run.before.values())
        elif data not in (old.get(rel), done.get(rel)):
            wrong.append(f"{run}: {rel} is neither as it was nor as it shall be")
    if run.said or any(map(is_leftover, run.after)):
        wrong.append(f"{run}: something was left for the recovery: {run.said}")
    return wrong


def _memories(files: Tree) -> Tree:
    return {rel.removeprefix("memory/"): data for rel, data in files.items() if rel.startswith("memory/")}


def _but_for_numbers(files: Tree) -> set[tuple[str, bytes]]:
    """Names in the trash begin with the number of the change, and one that failed has had its number."""
    return {(rel.partition("/trash/")[2].partition("-")[2] or rel, data) for rel, data in files.items()}


# ---------------------------------------------------------------------- the control


def _naive(place: Path, lanes: tuple[Lane, ...]) -> Iterator[str]:
    """Say so if a writer that truncates and writes passes."""

    def overwrite(root: Path, disk: Disk) -> None:
        for rel, data in (("a.md", b"a text that is quite new"), ("MEMORY.md", b"- [A](a.md) - changed\n")):
            fd = disk.open(str(root / rel), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            try:
                disk.write(fd, data)
                disk.fsync(fd)
            finally:
                disk.close(fd)

    update = CASES["update"]
    naive = Case(update.prepare, overwrite, update.recover, update.judge, update.go_on)
    place.mkdir()
    bad = sum(bool(wrong) for wrong in struck(naive, place, lanes, QuietDisk))
    print(f"a naive writer: wrong in {bad} runs", flush=True)
    if not bad:
        yield "a naive writer passes, so these checks prove nothing"
