"""Every change of the manager under a power cut: what is recorded, and what must hold of every state that may be left."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from memtui.memory.checks.findings import Checker
from memtui.memory.disk.calls import Disk
from memtui.memory.errors import Refused, UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.transfer import carry_out_transfer, plan_adoption, plan_copy
from memtui.memory.review.proposals import Inbox
from tests.crash import test_inbox_faults as proposed
from tests.crash import test_manager_faults as managed
from tests.crash import test_transfer_faults as moved
from tests.crash.faults import Died, Fault, QuietDisk, Run, Tree, tree, violations, visible
from tests.proof.power import LimitedRecorder, Recorder, State, states

Act = Callable[[Path, Disk], object]


@dataclass(frozen=True)
class Case:
    """One change.

    Attributes:
        prepare: makes the directory it is made in, which is not there yet.
        act: makes it; every call to the disk goes through the one it is given.
        recover: recovers the directory through the disk it is given, and says what was done.
        judge: (what happened, files after the change without a fault) -> what must not be.
        go_on: a change on the recovered directory, and its undo.
    """

    prepare: Callable[[Path], None]
    act: Act
    recover: Callable[[Path, Disk], tuple[str, ...]]
    judge: Callable[[Run, Tree], list[str]]
    go_on: Callable[[Path], None]

    def reopen(self, root: Path) -> tuple[str, ...]:
        """Recover it on a disk that works."""
        return self.recover(root, QuietDisk())


def _go_on(root: Path) -> None:
    manager = managed.opened(root, QuietDisk(), "claude")
    before = visible(tree(root))
    manager.save_memory(
        "probe", "Probe", "what comes next", "user", "Something new, said after the power came back."
    )
    manager.undo()
    assert visible(tree(root)) == before, (
        "a change after the recovery and its undo did not leave it as it was"
    )
    manager.rebuilt_index()


def _managed(convention: str, act: Callable[[MemoryManager], object]) -> Case:
    def prepare(root: Path) -> None:
        managed.prepared(root, convention)

    def recover(root: Path, disk: Disk) -> tuple[str, ...]:
        return managed.opened(root, disk, convention).journal.recover()

    return Case(
        prepare,
        lambda root, disk: act(managed.opened(root, disk, convention)),
        recover,
        lambda run, done: violations(run, visible(done), (Refused, UsageError)),
        _go_on,
    )


def _undone(case: Case, change: Callable[[MemoryManager], object]) -> Case:
    """The same case, on a directory where something was done before."""

    def prepare(root: Path) -> None:
        case.prepare(root)
        change(managed.opened(root, QuietDisk(), "claude"))

    return Case(prepare, case.act, case.recover, case.judge, case.go_on)


def _boxed(act: Callable[[Inbox], object]) -> Case:
    """What is done with proposals, in a directory where three wait."""

    def prepare(root: Path) -> None:
        root.mkdir()
        proposed.prepared(root)

    case = _managed("claude", lambda m: act(Inbox(m)))
    return Case(prepare, case.act, case.recover, case.judge, case.go_on)


def _fixed(manager: MemoryManager) -> object:
    found = Checker(manager.directory, clock=manager.clock).update(None)
    fixes = [finding.fix for finding in found if finding.fix is not None]
    return manager.apply_all(fixes, shown=manager.planned(fixes))


def _edited(manager: MemoryManager) -> object:
    shown = manager.get("a")
    if not shown.is_readable:
        raise Refused("nobody is shown a text of it that they could edit")
    return manager.edit_memory("a", name="Another name", based_on=shown.digest)


def _judge_fixed(run: Run, done: Tree) -> list[str]:
    """As usual, but that a stale line may stay: what the disk does not tell to be gone is no finding, so no fix either."""
    index = "MEMORY.md"
    now = run.after.get(index, b"").splitlines()
    stale = set(run.before[index].splitlines()) - set(done[index].splitlines())
    if run.error is None and [line for line in now if line not in stale] == done[index].splitlines():
        done = {**done, index: run.after[index]}
    return violations(run, visible(done), (Refused, UsageError))


def _untrashed(manager: MemoryManager) -> object:
    return manager.restore_trashed(next(iter(manager.trash()[0].trashed)))


def _into_b(make: Callable[[MemoryManager, MemoryManager], object]) -> Case:
    """What is taken from one directory into another: made there or not, and the first stays as it was."""

    def act(root: Path, disk: Disk) -> object:
        return make(moved.opened(root / "a", disk), moved.opened(root / "b", disk))

    def judge(run: Run, done: Tree) -> list[str]:
        inside = Run(run.at, run.fault, run.where, run.result, run.error, said=run.said)
        for moment in ("before", "at_once", "after", "later"):
            files: Tree = getattr(run, moment)
            setattr(inside, moment, _below_b(files))
            if run.before and visible(_below_a(files)) != visible(_below_a(run.before)):
                return [f"{run}: the directory it came from was touched, seen {moment}"]
        return violations(inside, visible(_below_b(done)), (Refused, UsageError))

    return Case(moved.prepared, act, moved.recover, judge, _go_on_moved)


def _below_a(files: Tree) -> Tree:
    return {rel.removeprefix("a/"): data for rel, data in files.items() if rel.startswith("a/")}


def _below_b(files: Tree) -> Tree:
    return {rel.removeprefix("b/"): data for rel, data in files.items() if rel.startswith("b/")}


def _move_violations(run: Run, done: Tree) -> list[str]:
    wrong = moved.violations_of_move(run, run.before)
    if run.error is None and moved.memories(run.after) != moved.memories(done):
        wrong.append(f"{run}: was said to be moved, but is not")
    return wrong


def _go_on_moved(root: Path) -> None:
    for name in ("a", "b"):
        _go_on(root / name)


def _below(case: Case) -> Case:
    """The same case in a directory that is made with it, and the one above it too."""

    def judge(run: Run, done: Tree) -> list[str]:
        # The journal's bytes differ from run to run: it holds random keys.
        own = ("/lock", "/journal.jsonl")
        done = {rel: data for rel, data in done.items() if not rel.endswith(own)}
        here = {rel: data for rel, data in run.after.items() if not rel.endswith(own)}
        if run.error is None:
            return [] if here == done else [f"{run}: was said to be saved, but is {sorted(here)}"]
        seen = [rel for rel in here if "/.memtui/" not in rel]
        return [f"{run}: {rel} is torn" for rel in seen if here[rel] != done.get(rel)]

    return Case(
        lambda root: root.mkdir(),
        lambda root, disk: case.act(root / "new/memory", disk),
        lambda root, disk: case.recover(root / "new/memory", disk),
        judge,
        lambda root: case.go_on(root / "new/memory"),
    )


CASES: dict[str, Case] = {
    **{name: _managed("claude", act) for name, act in managed.CHANGES.items() if name != "still true"},
    "redo": _undone(_managed("claude", lambda m: m.redo()), lambda m: m.undo()),
    "undo of a forgetting": _undone(_managed("claude", lambda m: m.undo()), lambda m: m.forget("b")),
    "undo of a merge": _undone(
        _managed("claude", lambda m: m.undo()),
        lambda m: m.merge(["b", "c"], "a", "A", "all of them", "project", "one text for all of them"),
    ),
    "rebuild the index": _undone(
        _managed("claude", lambda m: m.rebuild_index()),
        lambda m: (m.root / "MEMORY.md").write_text("# Notes\n\nwritten by hand\n- [A](a.md) - stale\n"),
    ),
    "to the team": _managed("claude", lambda m: m.carry_out(m.plan_scope(["a"], "team").plan)),
    "back from the team": _undone(
        _managed("claude", lambda m: m.carry_out(m.plan_scope(["team/a"], "private").plan)),
        lambda m: m.carry_out(m.plan_scope(["a"], "team").plan),
    ),
    "edit": _managed("claude", _edited),
    "types": _managed("claude", lambda m: m.set_types(["a", "b", "c"], "user")),
    "out of the trash": _undone(_managed("claude", _untrashed), lambda m: m.forget("b")),
    "fixes": _undone(
        replace(_managed("claude", _fixed), judge=_judge_fixed),
        lambda m: (m.root / "MEMORY.md").write_text("# Notes\n\nby hand\n- [A](gone.md) - stale\n"),
    ),
    "propose": _boxed(proposed.ACTS["add"]),
    "accept": _boxed(lambda box: box.accept("new")),
    "accept all": _boxed(proposed.ACTS["accept all"]),
    "reject": _boxed(proposed.ACTS["reject"]),
    "update beside": _managed("library", managed.CHANGES["update"]),
    "first": _below(_managed("claude", managed.CHANGES["create"])),
    "copy": _into_b(lambda a, b: carry_out_transfer(plan_copy(a, b, ["m"]), a, b)),
    "adopt": _into_b(lambda a, b: carry_out_transfer(plan_adoption(a, b, new_slugs={"k": "k2"}), a, b)),
    "move": Case(moved.prepared, moved.move, moved.recover, _move_violations, _go_on_moved),
}


def left_behind(
    case: Case, place: Path, *, most: int, recorder: type[Recorder] = Recorder, every: int = 1, go_on: int = 1
) -> Iterator[tuple[State, list[str]]]:
    """Make the change once, recorded, and judge every state a power cut may leave of it.

    Args:
        case: the change.
        place: where directories may be made.
        most: as for `states`.
        recorder: the disk.
        every: judge only each so many-th state, and all of those after the change was acknowledged.
        go_on: make a further change in each so many-th of those.
    """
    start, root = place / "start", place / "run"
    case.prepare(start)
    before = tree(start)
    disk = recorder(start)
    case.act(start, disk)
    recording = disk.recording
    done = tree(start)
    shutil.rmtree(start)
    for number, state in enumerate(states(recording, most=most)):
        acknowledged = state.after == len(recording.ops)
        if number % every and not acknowledged:
            continue
        state.build(root)
        run = Run(state.after, Fault(None), state.what, before=before, at_once=tree(root))
        run.error = None if acknowledged else Died()
        case.reopen(root)
        run.after = tree(root)
        run.said = case.reopen(root)
        run.later = tree(root)
        wrong = case.judge(run, done)
        if not wrong and number % go_on == 0:
            case.go_on(root)
        yield state, wrong
        shutil.rmtree(root)


def proof(place: Path, long: bool) -> Iterator[str]:
    """Every state of every case, on file systems with and without an exchange; and of the recovery from many of them."""
    for recorder in (Recorder, LimitedRecorder):
        for name, case in CASES.items():
            here = place / f"{recorder.__name__}-{name}"
            here.mkdir()
            count = 0
            for _, wrong in left_behind(case, here, most=4096 if long else 128, recorder=recorder):
                count += 1
                yield from (f"{name}: {line}" for line in wrong)
            print(f"{name}, {recorder.__name__}: {count} states", flush=True)
            count = 0
            for wrong in left_behind_twice(case, here, every=1 if long else 23, recorder=recorder):
                count += 1
                yield from (f"{name}: {line}" for line in wrong)
            print(f"{name}, {recorder.__name__}: {count} states of its recovery", flush=True)


def left_behind_twice(
    case: Case, place: Path, *, every: int, recorder: type[Recorder] = Recorder
) -> Iterator[list[str]]:
    """Cut the power again during the recovery from each so many-th state, and judge what that may leave."""
    start, root = place / "start", place / "run"
    case.prepare(start)
    before = tree(start)
    disk = recorder(start)
    case.act(start, disk)
    first = disk.recording
    done = tree(start)
    shutil.rmtree(start)
    for number, state in enumerate(states(first, most=32)):
        if number % every:
            continue
        state.build(start)
        again = recorder(start)
        case.recover(start, again)
        for second in states(again.recording, most=16):
            second.build(root)
            run = Run(second.after, Fault(None), f"{state.what}; then {second.what}", before=before)
            run.error = None if state.after == len(first.ops) else Died()
            run.at_once = tree(root)
            case.reopen(root)
            run.after = tree(root)
            run.said = case.reopen(root)
            run.later = tree(root)
            yield case.judge(run, done)
            shutil.rmtree(root)
        shutil.rmtree(start)
