"""A disk that fails or stops at its k-th call, the sweep over all k, and what must hold afterwards (reliability §1, §6).

The sweep knows nothing of what is changed: give it a directory, a change to make on it with a given `Disk`, and a way
to open and recover it again. It can drive the journal as well as anything that stands on it.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memtui.memory.disk.calls import Disk

ERRNOS = (
    errno.ENOSPC,
    errno.EIO,
    errno.EACCES,
    errno.EROFS,
    errno.EDQUOT,
    errno.EMFILE,
    errno.EINTR,
)
CALLS = tuple(name for name in vars(Disk) if not name.startswith("_") and name != "pause")
CHANGING = frozenset(
    [
        "write",
        "fsync",
        "mkdir",
        "rmdir",
        "unlink",
        "link",
        "rename",
        "rename_noreplace",
        "exchange",
        "utime",
        "fchmod",
        "fchown",
    ]
)


LASTING = CHANGING - {"fsync"}
"""Those after which a process that dies then leaves something else on the disk than one that dies before."""
CREATES = os.O_CREAT | os.O_TRUNC
"""Flags with which an ``open`` is one of them, too."""


class Died(BaseException):
    """The process is gone: nothing catches this, and no call does anything after it."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong.

    Attributes:
        code: errno that the call gives; None for death.
        for_ever: every call that changes the disk fails from then on, not only the k-th.
        after: the call does its work first, and then fails or dies.
    """

    code: int | None
    for_ever: bool = False
    after: bool = False

    @property
    def counted(self) -> frozenset[str]:
        """Calls at which it proves something of its own.

        A process that dies in a call which changes nothing leaves the same as one that dies in the next that does.
        Where every change fails from a call on, what stays is what a death there leaves, and what is told of it is
        the same from one change to the next. All else may be told otherwise at each call.
        """
        if self.after:
            return frozenset(CALLS)
        return LASTING if self.code is None else CHANGING if self.for_ever else frozenset(CALLS)

    def __str__(self) -> str:
        what = "death" if self.code is None else errno.errorcode[self.code]
        return what + (" from then on" if self.for_ever else "") + (" after the fact" if self.after else "")


DEATH = Fault(None)
ONCE = tuple(Fault(code) for code in ERRNOS)
FOR_EVER = tuple(Fault(code, for_ever=True) for code in ERRNOS)

Lane = tuple[Fault, ...]
"""Faults that take turns: the k-th call gets the k-th of them."""
USUAL_LANES: tuple[Lane, ...] = ((DEATH,), ONCE, FOR_EVER)
ALL_LANES: tuple[Lane, ...] = tuple((fault,) for fault in (DEATH, *ONCE, *FOR_EVER))
QUICK_LANES: tuple[Lane, ...] = (
    (DEATH,),
    tuple(fault for pair in zip(ONCE, FOR_EVER, strict=True) for fault in pair),
)
LANES = ALL_LANES if os.environ.get("MEMTUI_FAULTS") == "all" else USUAL_LANES
""":data:`ALL_LANES` with ``MEMTUI_FAULTS=all`` in the environment: every errno at every call, minutes instead of seconds."""


class QuietDisk(Disk):
    """A disk that is never asked to sync: these tests stop processes, not power."""

    def fsync(self, fd: int) -> None:
        pass

    def pause(self, seconds: float) -> None:
        pass


class NoExchange(QuietDisk):
    """A file system that has neither the exchange nor the rename that never replaces."""

    def exchange(self, one: str, other: str, *, from_fd: int, to_fd: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), one)

    def rename_noreplace(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), old)


class NoLinks(NoExchange):
    """Nor hard links."""

    def link(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), old)


class FaultyDisk(Disk):
    """Passes everything on to a real disk, but for its k-th call."""

    def __init__(
        self, at: int, fault: Fault, real: Disk | None = None, counted: Collection[str] = CALLS
    ) -> None:
        self.counted = counted
        self.at = at
        self.fault = fault
        self.real = real or QuietDisk()
        self.calls = 0
        self.dead = False
        self.struck: str | None = None
        self.log: list[tuple[str, tuple[Any, ...]]] = []

    def pause(self, seconds: float) -> None:
        if self.dead:
            raise Died

    def _call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        real = getattr(self.real, name)
        if self.dead:
            if name == "close":
                return real(*args)  # so that the test itself does not run out of descriptors
            raise Died
        counts = name in self.counted or (name == "open" and args[1] & CREATES != 0)
        self.calls += counts
        self.log.append((name, args))
        struck = (counts and self.calls == self.at) or (
            self.fault.for_ever and self.calls > self.at and name in CHANGING
        )
        if not struck:
            return real(*args, **kwargs)
        self.struck = self.struck or f"{name}{args}"
        if self.fault.after or name == "close":
            real(*args, **kwargs)
        if self.fault.code is None:
            self.dead = True
            if name == "close":
                return None  # a folder may be let go of where nothing can be raised; the next call does
            raise Died
        if name == "writers":
            return None
        raise OSError(self.fault.code, os.strerror(self.fault.code))


def _method(name: str) -> Callable[..., Any]:
    def call(self: FaultyDisk, *args: Any, **kwargs: Any) -> Any:
        return self._call(name, args, kwargs)

    return call


for _name in CALLS:
    setattr(FaultyDisk, _name, _method(_name))


# ---------------------------------------------------------------------- states

Tree = dict[str, bytes]


def tree(root: Path) -> Tree:
    """Every file with its bytes; the lock aside."""
    found: Tree = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            rel = str(path.relative_to(root))
            if rel != ".memtui/lock":
                found[rel] = path.read_bytes()
    return found


def visible(files: Tree) -> Tree:
    """The part of it that a reader sees: memories, indexes, archives, trash, proposals; not the journal's own."""
    return {
        rel: data
        for rel, data in files.items()
        if not rel.startswith(".memtui/")
        or rel.startswith((".memtui/history/", ".memtui/trash/", ".memtui/inbox/"))
    }


def is_leftover(rel: str) -> bool:
    """Whether it is one of our temporary files."""
    return rel.endswith((".part", ".swap"))


@dataclass
class Run:
    """One change with one fault in it.

    Attributes:
        at: which call.
        fault: what went wrong.
        where: the call that it struck; None if the change was through before.
        result: what the change returned.
        error: what it raised.
        before: files before it.
        at_once: files right after it.
        after: files after opening the directory again.
        later: files after opening it once more.
        said: what the second opening said it did.
    """

    at: int
    fault: Fault
    where: str | None
    result: object = None
    error: BaseException | None = None
    before: Tree = field(default_factory=dict)
    at_once: Tree = field(default_factory=dict)
    after: Tree = field(default_factory=dict)
    later: Tree = field(default_factory=dict)
    said: tuple[str, ...] = ()

    def __str__(self) -> str:
        end = repr(self.error) if self.error is not None else "it was made"
        return f"{self.fault} at call {self.at} ({self.where}): {end}"


def copy_of(template: Path, place: Path) -> None:
    """Copy a directory, and let two names of one file be that: recovery tells by it whether a file is ours."""
    copied: dict[int, str] = {}

    def copy(source: str, target: str) -> str:
        info = Path(source).lstat()
        if info.st_nlink > 1 and info.st_ino in copied:
            os.link(copied[info.st_ino], target, follow_symlinks=False)
            return target
        copied[info.st_ino] = target
        return shutil.copy2(source, target, follow_symlinks=False)

    shutil.copytree(template, place, symlinks=True, copy_function=copy)


def sweep(
    template: Path,
    scratch: Path,
    act: Callable[[Path, Disk], object],
    reopen: Callable[[Path], tuple[str, ...]],
    lanes: tuple[Lane, ...] = LANES,
    real: Callable[[], Disk] = QuietDisk,
    counted: Collection[str] = CALLS,
) -> Iterator[Run]:
    """Make the same change again and again, with a fault at every call.

    Args:
        template: the directory as it is before the change.
        scratch: where copies of it may stand.
        act: makes the change; every call to the disk must go through the one it is given.
        reopen: opens the directory with a disk that works, recovers it, and returns what was done.
        lanes: what may go wrong; each is swept over all calls.
        real: the disk underneath.
        counted: calls that may fail, of those at which the faults prove something; see `Fault.counted`.
    """
    before = tree(template)
    place = scratch / "run"
    for lane in lanes:
        at, struck = 0, {name for each in lane for name in each.counted if name in counted}
        while True:
            at += 1
            fault = lane[at % len(lane)]
            if place.exists():
                shutil.rmtree(place)
            copy_of(template, place)
            disk = FaultyDisk(at, fault, real(), struck)
            run = Run(at, fault, None, before=before)
            try:
                run.result = act(place, disk)
            except Exception as error:  # noqa: BLE001  -- whatever it is, the run is judged by it
                run.error = _alone(error)
            except Died as death:
                run.error = _alone(death)
            run.where = disk.struck
            if run.where is None:
                break
            run.at_once = tree(place)
            reopen(place)
            run.after = tree(place)
            run.said = reopen(place)
            run.later = tree(place)
            yield run


def _alone(error: BaseException) -> BaseException:
    """The error without the frames it came through: they would keep folders open."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def violations(run: Run, done: Tree, refusals: type[Exception] | tuple[type[Exception], ...]) -> list[str]:
    """What a run did that it must not; empty is good.

    Args:
        run: the run.
        done: visible files after the same change without a fault.
        refusals: errors that tell a person "nothing was changed".
    """
    old, now = visible(run.before), visible(run.after)
    wrong: list[str] = []

    def must(holds: object, what: str) -> None:
        if not holds:
            wrong.append(f"{run}: {what}")

    # I1: at every instant wholly old or wholly new.
    for rel, data in visible(run.at_once).items():
        if not is_leftover(rel) and not rel.startswith(".memtui/trash/"):
            must(data in (old.get(rel), done.get(rel)), f"I1 {rel} is torn: {data!r}")
    for rel in old.keys() & done.keys():
        must(rel in run.at_once, f"I1 {rel} was gone for a moment")
    # I2: whatever was in force is somewhere.
    everywhere = set(run.after.values())
    for rel, data in old.items():
        must(data in everywhere, f"I2 the bytes of {rel} are lost")
    # I3: archives are not touched.
    for rel in old:
        if "_v" in rel and rel in done:
            must(now.get(rel) == old[rel], f"I3 {rel} was touched")
    # All or nothing, as told.
    core = {rel: data for rel, data in now.items() if rel in old or rel in done}
    extra = {rel: data for rel, data in now.items() if rel not in core}
    for rel, data in extra.items():
        must(
            rel.startswith(".memtui/trash/") and data in set(run.before.values()),
            f"{rel} came from nowhere",
        )
    if run.error is None:
        must(core == done, f"was said to be made, but is not: {_difference(core, done)}")
        must(set(done.values()) <= everywhere, "I5 acknowledged text is lost")
    elif isinstance(run.error, Died):
        must(core in (old, done), f"is neither made nor not: {_difference(core, old)}")
    else:
        must(isinstance(run.error, refusals), f"raised {run.error!r}, which tells nobody anything")
        must(core == old, f"was refused, but changed: {_difference(core, old)}")
        if not run.fault.for_ever:
            must(visible(run.at_once) == old, "an error left something behind until the next start")
    # Recovery leaves nothing, and does nothing twice.
    must(not any(map(is_leftover, run.after)), "temporary files are left")
    must(run.said == (), f"the second recovery did something: {run.said}")
    must(run.later == run.after, "the second recovery changed something")
    return wrong


def _difference(one: Tree, other: Tree) -> str:
    return ", ".join(
        f"{rel} {one.get(rel)!r} for {other.get(rel)!r}"
        for rel in sorted(one.keys() | other.keys())
        if one.get(rel) != other.get(rel)
    )
