"""What a power cut may leave of a directory, worked out from the recorded system calls (reliability §1, §6).

The model is the least that POSIX promises and file systems keep: bytes are durable once their file was synced, names once
the folder they stand in was. A rename or an exchange happens whole or not at all. Whatever is not synced yet may be
there or not, each name for itself and in any order, except that the same name changes in the order it was changed in;
and bytes that were not synced may be all there, cut off, zeros or not there at all.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Literal

from memtui.memory.disk.calls import Disk

Slot = tuple[int, str]
"""A name in a folder: number of the folder, and the name."""
How = Literal["all", "none", "torn", "zeros"]
"""What became of the bytes of a file that were not synced."""

ROOT = 0


@dataclass(frozen=True, slots=True)
class Named:
    """Names that change together, in one step: each to a file or folder, or to nothing."""

    slots: tuple[tuple[Slot, int | None], ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """Bytes written to a file; ``at`` is where, and everything behind it is cut off first if ``cut``."""

    node: int
    at: int
    data: bytes
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Synced:
    """A file or folder is durable as it is now."""

    node: int


Op = Named | Filled | Synced


@dataclass(slots=True)
class Recording:
    """A directory, and what was then done in it.

    Attributes:
        names: of each folder by its number, as it was before; the root is 0, and those made later are empty.
        contents: of each file by its number, as it was before.
        ops: what was done, in order.
    """

    names: dict[int, dict[str, int]] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)
    ops: list[Op] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class State:
    """One thing that a power cut may leave.

    Attributes:
        after: how many operations had been made.
        names: of each folder that can be reached.
        contents: of each file that can be reached.
        what: the choices that led here, for a person.
    """

    after: int
    names: dict[int, dict[str, int]]
    contents: dict[int, bytes]
    what: str

    def build(self, root: Path) -> None:
        """Make it, in a folder that is not there yet; names of one file stay names of one file."""
        made: dict[int, Path] = {}
        pending = [(ROOT, root)]
        while pending:
            folder, path = pending.pop()
            path.mkdir()
            for name, node in self.names[folder].items():
                place = path / name
                if node in self.names:
                    pending.append((node, place))
                elif node in made:
                    os.link(made[node], place)
                else:
                    place.write_bytes(self.contents[node])
                    made[node] = place


class Recorder(Disk):
    """Passes every call on, and writes down those that change something."""

    def __init__(self, root: Path) -> None:
        self.recording = Recording()
        self._numbers: dict[tuple[int, int], int] = {}
        self._next = ROOT
        self._look(root)

    def _look(self, folder: Path) -> int:
        number = self._new(folder.stat())
        here = self.recording.names[number] = {}
        for entry in sorted(folder.iterdir()):
            info = entry.lstat()
            if entry.is_dir() and not entry.is_symlink():
                here[entry.name] = self._look(entry)
            elif entry.is_file() and not (entry.name == "lock" and folder.name == ".memtui"):
                known = self._numbers.get((info.st_dev, info.st_ino))
                here[entry.name] = self._new(info) if known is None else known
                self.recording.contents[here[entry.name]] = entry.read_bytes()
        return number

    def _new(self, info: os.stat_result) -> int:
        number = self._numbers[info.st_dev, info.st_ino] = self._next
        self._next += 1
        return number

    def _number(self, fd: int) -> int:
        info = os.fstat(fd)
        return self._numbers[info.st_dev, info.st_ino]

    def _at(self, name: str, fd: int) -> int | None:
        try:
            info = os.stat(name, dir_fd=fd, follow_symlinks=False)
        except FileNotFoundError:
            return None
        return self._numbers[info.st_dev, info.st_ino]

    def _slot(self, path: str, dir_fd: int | None) -> Slot:
        above, _, name = path.rpartition("/")
        info = os.stat(above or ".", dir_fd=dir_fd)
        return self._numbers[info.st_dev, info.st_ino], name

    def _named(self, path: str, dir_fd: int | None, node: int | None) -> None:
        self.recording.ops.append(Named(((self._slot(path, dir_fd), node),)))

    def _moved(self, old: str, new: str, from_fd: int, to_fd: int) -> None:
        # What stands at the old name now: nothing, or (after an exchange) the other, or (two names of one file) itself.
        self.recording.ops.append(
            Named(
                (
                    (self._slot(old, from_fd), self._at(old, from_fd)),
                    (self._slot(new, to_fd), self._at(new, to_fd)),
                )
            )
        )

    def open(self, path: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        new = bool(flags & os.O_CREAT) and not _is_there(path, dir_fd)
        fd = super().open(path, flags, mode, dir_fd=dir_fd)
        if new:
            self._named(path, dir_fd, self._new(os.fstat(fd)))
        elif flags & os.O_TRUNC:
            self.recording.ops.append(Filled(self._number(fd), 0, b"", cut=True))
        return fd

    def write(self, fd: int, data: bytes) -> int:
        # Every descriptor here is written from its start to its end, or appended to: both begin where the file ends.
        at = os.fstat(fd).st_size
        done = super().write(fd, data)
        self.recording.ops.append(Filled(self._number(fd), at, data[:done]))
        return done

    def fsync(self, fd: int) -> None:
        self.recording.ops.append(Synced(self._number(fd)))

    def start_sync(self, fd: int) -> None:
        pass

    def pause(self, seconds: float) -> None:
        pass

    def mkdir(self, path: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        super().mkdir(path, mode, dir_fd=dir_fd)
        number = self._new(os.stat(path, dir_fd=dir_fd))
        self.recording.names[number] = {}
        self._named(path, dir_fd, number)

    def rmdir(self, path: str, *, dir_fd: int | None = None) -> None:
        super().rmdir(path, dir_fd=dir_fd)
        self._named(path, dir_fd, None)

    def unlink(self, path: str, *, dir_fd: int | None = None) -> None:
        super().unlink(path, dir_fd=dir_fd)
        self._named(path, dir_fd, None)

    def link(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        super().link(old, new, from_fd=from_fd, to_fd=to_fd)
        self._named(new, to_fd, self._at(new, to_fd))

    def rename(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        super().rename(old, new, from_fd=from_fd, to_fd=to_fd)
        self._moved(old, new, from_fd, to_fd)

    def rename_noreplace(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        super().rename_noreplace(old, new, from_fd=from_fd, to_fd=to_fd)
        self._moved(old, new, from_fd, to_fd)

    def exchange(self, one: str, other: str, *, from_fd: int, to_fd: int) -> None:
        super().exchange(one, other, from_fd=from_fd, to_fd=to_fd)
        self._moved(one, other, from_fd, to_fd)


class LimitedRecorder(Recorder):
    """The same on a file system that cannot exchange two names."""

    def exchange(self, one: str, other: str, *, from_fd: int, to_fd: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), one)

    def rename_noreplace(self, old: str, new: str, *, from_fd: int, to_fd: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), old)


def _is_there(path: str, dir_fd: int | None) -> bool:
    try:
        os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


# ---------------------------------------------------------------------- what may be left


def states(recording: Recording, *, most: int, seed: int = 0) -> Iterator[State]:
    """What a power cut at any moment may leave, each state once.

    A cut just before a sync may leave all that a cut earlier since the last one may, so those moments are enough, and
    the end.

    Args:
        recording: what was done.
        most: how many sets of lost names are tried at each moment; all of them where that is enough, and else each
            name lost alone, kept alone, everything up to each, and then some at random.
        seed: of the random ones.
    """
    seen: set[object] = set()
    ends = [n for n, op in enumerate(recording.ops) if isinstance(op, Synced)] + [len(recording.ops)]
    for end in dict.fromkeys(ends):
        for state in _states_at(recording, end, most, random.Random(seed * 100_003 + end)):
            key = (
                end == len(recording.ops),
                frozenset(
                    (folder, name, node)
                    for folder, names in state.names.items()
                    for name, node in names.items()
                ),
                frozenset(state.contents.items()),
            )
            if key not in seen:
                seen.add(key)
                yield state


def _states_at(recording: Recording, end: int, most: int, dice: random.Random) -> Iterator[State]:
    ops = recording.ops[:end]
    needs = _needs(ops)
    durable = _durable(ops, needs)
    pending = [n for n, op in enumerate(ops) if isinstance(op, Named) and n not in durable]
    for kept in _choices(pending, needs, most, dice):
        names = _names(recording, ops, durable | kept)
        lost = [n for n in pending if n not in kept]
        for how, contents, only in _contents(recording, ops, names):
            yield State(end, names, contents, _said(ops, lost, how, only))


def _needs(ops: Sequence[Op]) -> dict[int, set[int]]:
    """For each operation on names, those before it that it cannot be there without: on one of its names."""
    last: dict[Slot, int] = {}
    needs: dict[int, set[int]] = {}
    for n, op in enumerate(ops):
        if isinstance(op, Named):
            before = {last[slot] for slot, _ in op.slots if slot in last}
            needs[n] = before.union(*(needs[m] for m in before)) if before else set()
            last.update((slot, n) for slot, _ in op.slots)
    return needs


def _durable(ops: Sequence[Op], needs: dict[int, set[int]]) -> set[int]:
    """Operations on names that a later sync of one of their folders made sure of, and what those need."""
    synced: set[int] = set()
    durable: set[int] = set()
    for n in reversed(range(len(ops))):
        op = ops[n]
        if isinstance(op, Synced):
            synced.add(op.node)
        elif isinstance(op, Named) and any(folder in synced for (folder, _), _ in op.slots):
            durable |= {n, *needs[n]}
    return durable


def _choices(
    pending: list[int], needs: dict[int, set[int]], most: int, dice: random.Random
) -> Iterator[frozenset[int]]:
    """Sets of operations that may have happened, each with all that it needs."""
    among = set(pending)
    if 2 ** len(pending) <= most:
        for size in range(len(pending) + 1):
            for chosen in combinations(pending, size):
                if all(needs[n] & among <= set(chosen) for n in chosen):
                    yield frozenset(chosen)
        return
    tried: dict[frozenset[int], None] = {}
    for n in range(len(pending) + 1):
        tried[frozenset(pending[:n])] = None
    for n in pending:
        tried[frozenset(m for m in pending if m != n and n not in needs[m])] = None
        tried[frozenset({n, *(needs[n] & among)})] = None
    for _ in range(most - len(tried)):
        lost = set(dice.sample(pending, dice.randint(1, len(pending))))
        tried[frozenset(m for m in pending if m not in lost and not needs[m] & lost)] = None
    yield from list(tried)[: max(most, 1)]


def _names(recording: Recording, ops: Sequence[Op], happened: Iterable[int]) -> dict[int, dict[str, int]]:
    """The names in every folder that can be reached."""
    every = {folder: dict(names) for folder, names in recording.names.items()}
    for n in sorted(happened):
        op = ops[n]
        assert isinstance(op, Named)
        for (folder, name), node in op.slots:
            if node is None:
                every[folder].pop(name, None)
            else:
                every[folder][name] = node
    reached: dict[int, dict[str, int]] = {}
    waiting = [ROOT]
    while waiting:
        folder = waiting.pop()
        reached[folder] = every[folder]
        waiting += [node for node in every[folder].values() if node in every]
    return reached


def _contents(
    recording: Recording, ops: Sequence[Op], names: dict[int, dict[str, int]]
) -> Iterator[tuple[How, dict[int, bytes], int | None]]:
    """The bytes of every file that can be reached: all that was written; and each unsynced file worse, in each way."""
    reached = {node for here in names.values() for node in here.values() if node not in names}
    histories: dict[int, tuple[bytes, list[Filled]]] = {
        node: (recording.contents.get(node, b""), []) for node in reached
    }
    for op in ops:
        if isinstance(op, Filled) and op.node in histories:
            histories[op.node][1].append(op)
        elif isinstance(op, Synced) and op.node in histories:
            kept, unsynced = histories[op.node]
            histories[op.node] = (_filled(kept, unsynced), [])
    whole = {node: _filled(kept, unsynced) for node, (kept, unsynced) in histories.items()}
    yield "all", whole, None
    dirty = [node for node, (_, unsynced) in histories.items() if unsynced]
    hows: tuple[How, ...] = ("none", "torn", "zeros")
    for node in dirty:
        for how in hows:
            yield how, {**whole, node: _worse(how, *histories[node])}, node
    if len(dirty) > 1:
        for how in hows:
            yield how, {**whole, **{node: _worse(how, *histories[node]) for node in dirty}}, None


def _filled(data: bytes, ops: Sequence[Filled]) -> bytes:
    for op in ops:
        data = op.data if op.cut else data[: op.at] + op.data
    return data


def _worse(how: How, kept: bytes, unsynced: Sequence[Filled]) -> bytes:
    if how == "none":
        return kept
    whole = _filled(kept, unsynced)
    same = next(
        (n for n, (old, new) in enumerate(zip(kept, whole, strict=False)) if old != new),
        min(len(kept), len(whole)),
    )
    if how == "torn":
        return whole[: same + (len(whole) - same) // 2]
    return whole[:same] + bytes(len(whole) - same)


def _said(ops: Sequence[Op], lost: Sequence[int], how: How, only: int | None) -> str:
    names = ", ".join(
        "+".join(name for (_, name), _ in op.slots) for n in lost if isinstance(op := ops[n], Named)
    )
    data = (
        "" if how == "all" else f"; unsynced bytes {how}" + (f" of file {only}" if only is not None else "")
    )
    return f"after {len(ops)} operations, lost: {names or 'no name'}{data}"
