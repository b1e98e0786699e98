"""What this machine knows of the sharing of one memory directory: one small file in the user's own state folder.

It is never read from the memory directory, which may come with somebody else's files. It is written whole or not at
all, after whatever it speaks of is on disk; so a process that dies anywhere leaves a state that is true, if old.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

from memtui.memory.errors import Busy
from memtui.memory.lazy import lazy_pattern
from memtui.team.failures import CODES, Code, TeamError
from memtui.team.joined import TEAM_STATES
from memtui.team.merge import ClashKind

STATE_FILE = "state.json"
MAX_STATE_BYTES = 32 << 20
LOCK_SECONDS = 10.0
"""How long one step waits for another process, seconds (ours); steps hold the lock for parts of a second."""

_FORMAT = 1
_MAX_TEXT = 4_096
_POLL = 0.02
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_OID = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_END_OF_TIME = 253_402_300_800.0  # the year 10000


@dataclass(frozen=True, slots=True)
class OpenClash:
    """A clash whose other text is still the live one here, so that nothing has to be proposed yet.

    Attributes:
        rel: the file, below ``team/``.
        kind: see `memtui.team.merge.TeamClash`.
        ours: blob with our text; None if we deleted it.
        theirs: blob with theirs; None if they deleted it.
        other: the second file where two are kept, which has our text; else None.
    """

    rel: str
    kind: ClashKind
    ours: str | None
    theirs: str | None
    other: str | None = None


class Taken(NamedTuple):
    """A change by others that was applied to a live file, or was going to be.

    Attributes:
        before: the blob that stood there; empty for none.
        after: the blob that took its place; empty for a deletion.
    """

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TeamState:
    """What is known.

    Attributes:
        url: the remote; empty where nothing is shared.
        branch: the branch there.
        head: our last commit.
        tip: the last commit that was seen on the remote; ``head`` goes back to it.
        seen: by path below ``team/``, the blob of the live file that ``head`` has taken in. A live file that differs
            was changed here; where ``head`` differs, others changed it and it waits to be applied.
        declined: by path, the blob (empty for a deletion) that the person did not want.
        released: blobs that the person let through in spite of the secret guard.
        clashes: those that wait for their text to leave the live file.
        accepted: by path, what was taken of others there, the last one last: undone, it waits again and is no change
            of ours that others should get.
        told: what was written to the audit log, so that it is not written at every sync.
        unclean: whether git has yet to forget objects that held a secret.
        last_sync: when a sync last reached the remote, Unix seconds.
        error: code and detail of what went wrong last; None if nothing did since.
        rebuilt: whether the file was there and could not be used, so that what follows is a new beginning.
    """

    url: str = ""
    branch: str = ""
    head: str | None = None
    tip: str | None = None
    seen: Mapping[str, str] = field(default_factory=dict)
    declined: Mapping[str, str] = field(default_factory=dict)
    released: frozenset[str] = frozenset()
    clashes: tuple[OpenClash, ...] = ()
    accepted: Mapping[str, tuple[Taken, ...]] = field(default_factory=dict)
    told: frozenset[str] = frozenset()
    unclean: bool = False
    last_sync: float | None = None
    error: tuple[Code, str] | None = None
    rebuilt: bool = field(default=False, compare=False)

    @property
    def last_error(self) -> TeamError | None:
        """What went wrong last, as an error to show."""
        return TeamError(self.error[0], detail=self.error[1]) if self.error else None

    def failed(self, error: TeamError) -> TeamState:
        """The same with what went wrong."""
        return replace(self, error=(error.code, error.detail))


class StateFolder:
    """Where the state of one memory directory lies, with its lock. Making one creates nothing.

    Attributes:
        path: the folder; the repository of ours lies in it too.
    """

    def __init__(
        self, state_dir: Path, memory_dir: Path, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Name the folder of a memory directory.

        Args:
            state_dir: the user's state folder for memtui.
            memory_dir: the memory directory.
            sleep: waits, seconds.
        """
        real = os.path.realpath(memory_dir)
        self.path = state_dir / TEAM_STATES / hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
        self._file = self.path / STATE_FILE
        self._sleep = sleep

    def load(self) -> TeamState:
        """What is known; one that can't be used is an empty state that says so."""
        try:
            handle = os.open(self._file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(handle, "rb") as stream:
                data = stream.read(MAX_STATE_BYTES + 1)
        except FileNotFoundError:
            return TeamState()
        except OSError as error:
            raise TeamError("denied", detail=error.strerror or "", where=str(self._file)) from error
        try:
            return _state(json.loads(data))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
            return TeamState(rebuilt=True)

    def save(self, state: TeamState) -> None:
        """Write it, durable; what was there is there until then.

        Raises:
            TeamError: the system does not allow it.
        """
        data = json.dumps(_values(state), indent=1).encode("ascii")
        part = self._file.with_name(f".{STATE_FILE}.part")
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                part.unlink()  # of a writer that was killed: the lock is ours
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(part, flags, 0o600), "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            part.rename(self._file)
            folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            raise TeamError(
                "disk-full" if error.errno in _FULL else "denied",
                detail=error.strerror or "",
                where=str(self.path),
            ) from error

    def remove(self) -> None:
        """Forget what is known; the repository stays for who looks for something in it.

        Raises:
            TeamError: the system does not allow it.
        """
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            raise TeamError("denied", detail=error.strerror or "", where=str(self._file)) from error

    @contextlib.contextmanager
    def held(self, name: str = "lock", *, seconds: float = LOCK_SECONDS) -> Iterator[int]:
        """Keep other processes of ours out; the system lets go when the process and all that inherit it have ended.

        Args:
            name: which lock: ``lock`` for one step on the state, ``sync`` for a whole sync, which waits for networks.
            seconds: how long to wait.

        Raises:
            Busy: somebody else holds it.
            TeamError: the folder cannot be written.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            handle = os.open(self.path / f"{name}.lock", flags, 0o600)
        except OSError as error:
            raise TeamError(
                "disk-full" if error.errno in _FULL else "denied",
                detail=error.strerror or "",
                where=str(self.path),
            ) from error
        try:
            self._wait(handle, seconds)
            yield handle
        finally:
            os.close(handle)

    def _wait(self, handle: int, seconds: float) -> None:
        left = seconds
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if left <= 0:
                    raise Busy(
                        "another memtui is sharing this directory's team memories",
                        where=str(self.path),
                        todo="Try again when it is done",
                    ) from None
                self._sleep(_POLL)
                left -= _POLL
            else:
                return


def _values(state: TeamState) -> dict[str, object]:
    return {
        "format": _FORMAT,
        "url": state.url,
        "branch": state.branch,
        "head": state.head,
        "tip": state.tip,
        "seen": dict(sorted(state.seen.items())),
        "declined": dict(sorted(state.declined.items())),
        "released": sorted(state.released),
        "clashes": [[each.rel, each.kind, each.ours, each.theirs, each.other] for each in state.clashes],
        "accepted": {rel: [list(each) for each in taken] for rel, taken in sorted(state.accepted.items())},
        "told": sorted(state.told),
        "unclean": state.unclean,
        "last_sync": state.last_sync,
        "error": state.error,
    }


def _state(values: Mapping[str, Any]) -> TeamState:
    if values["format"] != _FORMAT:
        raise ValueError
    last, error = values["last_sync"], values["error"]
    if last is not None and not (_is_number(last) and 0 <= last < _END_OF_TIME):
        raise ValueError
    if error is not None and error[0] not in CODES:
        raise ValueError
    return TeamState(
        url=_text(values["url"]),
        branch=_text(values["branch"]),
        head=_oid_or_none(values["head"]),
        tip=_oid_or_none(values["tip"]),
        seen={_text(rel): _oid(oid) for rel, oid in values["seen"].items()},
        declined={_text(rel): oid and _oid(oid) for rel, oid in values["declined"].items()},
        released=frozenset(map(_oid, values["released"])),
        clashes=tuple(_clash(*each) for each in values["clashes"]),
        accepted={
            _text(rel): tuple(Taken(*(oid and _oid(oid) for oid in each)) for each in taken)
            for rel, taken in values.get("accepted", {}).items()
        },
        told=frozenset(map(_text, values["told"])),
        unclean=values["unclean"] is True,
        last_sync=None if last is None else float(last),
        error=None if error is None else (error[0], _text(error[1])),
    )


def _clash(rel: object, kind: object, ours: object, theirs: object, other: object = None) -> OpenClash:
    known: ClashKind | None = next((each for each in get_args(ClashKind) if each == kind), None)
    if known is None:
        raise ValueError
    second = None if other is None else _text(other)
    return OpenClash(_text(rel), known, _oid_or_none(ours), _oid_or_none(theirs), second)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise ValueError
    return value


def _oid(value: object) -> str:
    if not _OID.match(_text(value)):
        raise ValueError
    return _text(value)


def _oid_or_none(value: object) -> str | None:
    return None if value is None else _oid(value)
