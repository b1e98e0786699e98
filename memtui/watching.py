"""When to look at a memory directory again (reliability §2).

Events are hints and may be lost, doubled or wrong in kind; what is there is known only by looking. So every hint leads
to a look at that file, and a full look comes every few seconds whatever the events say. Where the system gives no
events, full looks are all there is, and the state says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR
from threading import Event
from typing import Literal

from memtui.memory.conventions import INBOX_FOLDER
from memtui.memory.disk.files import Folder, Unreadable
from memtui.memory.document.entries import kind_of
from memtui.memory.lazy import lazy_pattern
from memtui.memory.text import visible
from memtui.memory.wording.saying import Say, plain

STEP_MS = 5
"""Quiet after which a group of events is handed on, milliseconds. Measured: 10 ms from write to event at the 95th
percentile (20 at a step of 10, 69 at the default of 50) for 0.5 % of a core while nothing happens."""
DEBOUNCE_MS = 40
"""Longest time a group of events is held back while more arrive, milliseconds."""
TICK_MS = 100
"""How often the watch looks up without an event, milliseconds: to see another root, or a settled file."""

RESCAN_FRONT, RESCAN_BACK = 3.0, 60.0
"""Seconds between full looks beside events, while somebody looks at the screen and while not."""
PATIENCE = 15.0
"""Seconds that a full look beside events waits at most for somebody at the keys (ours): of ten thousand memories it takes
as long as five keys, and the events tell of nearly all changes meanwhile."""
POLL_FRONT, POLL_BACK = 1.0, 15.0
"""Seconds between full looks where there are no events."""
MAX_SHARE = 0.05
"""Largest share of the time that full looks may take; in huge directories they come less often."""
BIG_BATCH = 300
"""So many hints at once are answered by a full look, and by another one soon: the system's queue may have run over."""
AFTER_BATCH = 1.0
RETRY_FIRST, RETRY_MOST = 2.0, 60.0
"""Seconds until events are tried again after they broke off; twice as long each time they do so again."""
_WAIT = 0.2

_NO_EVENTS = lazy_pattern(
    "9p|afs|autofs|beegfs|ceph|cifs|coda|davfs|drvfs|fakeowner|gfs2|glusterfs|gpfs|lustre|ncpfs|nfs4?|ocfs2"
    "|orangefs|prl_fs|smb3|smbfs|vboxsf|virtiofs|vmhgfs|fuse(?!blk).*"
)

Mode = Literal["off", "events", "polling"]


@dataclass(frozen=True, slots=True)
class WatchState:
    """How changes on disk are noticed.

    Attributes:
        mode: ``off`` (nobody watches), ``events`` (the system tells, beside a full look every few seconds) or
            ``polling`` (full looks only).
        message: why there are no events, or which file they leave out; one sentence, fit for a screen. Empty when
            all is well.
    """

    mode: Mode = "off"
    message: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """One look that is due.

    Attributes:
        hints: paths to look at; None for everything; empty for what was unsettled at the last look.
        state: how changes are noticed now.
    """

    hints: frozenset[str] | None
    state: WatchState


def file_system_of(path: str, mountinfo: str) -> str:
    """The type of the file system a path lies on, as ``/proc/self/mountinfo`` names it; empty if it does not say.

    Args:
        path: absolute, without links.
        mountinfo: the text of that file (proc(5)); of two mounts on one point the later one covers the other.
    """
    best, found = -1, ""
    for line in mountinfo.splitlines():
        before, dash, after = line.partition(" - ")
        fields, kind = before.split(" "), after.split(" ", 1)[0]
        if not dash or len(fields) < 5:
            continue
        point = _unescape(fields[4])
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:
            best, found = len(point), kind
    return found


def _unescape(text: str) -> str:
    for octal, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(octal, char)
    return text


def gives_events(file_system: str) -> bool:
    """Whether a file system tells of what happens to it; those over a network do not see other machines' writes."""
    return _NO_EVENTS.fullmatch(file_system) is None


def _mountinfo() -> str:
    try:
        return Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    except OSError:
        return ""  # not Linux: no such file systems without events are known there


def concerns(rel: str) -> bool:
    """Whether a path below the memory directory can change what a snapshot shows."""
    return kind_of(rel) != "none" or rel == INBOX_FOLDER or rel.startswith(f"{INBOX_FOLDER}/")


class FolderWatch:
    """Tells when to look at one folder, until it is told to stop. For one thread."""

    def __init__(
        self,
        folder: Folder,
        stop: Event,
        *,
        in_front: Callable[[], bool],
        unsettled: Callable[[], bool],
        at_keys: Callable[[], bool] = lambda: False,
        polling: bool = False,
        mountinfo: Callable[[], str] = _mountinfo,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to watch.

        Args:
            folder: the directory; it need not exist.
            stop: set from outside to end it.
            in_front: whether somebody looks at the result now.
            unsettled: whether the last look left something that another look soon will tell.
            at_keys: whether somebody is at the keys, who would feel a full look.
            polling: whether to do without events.
            mountinfo: gives the text of ``/proc/self/mountinfo``.
            tick: a clock in seconds that never goes back.
        """
        self._folder = folder
        self._stop = stop
        self._in_front = in_front
        self._unsettled = unsettled
        self._at_keys = at_keys
        self._polling = polling
        self._mountinfo = mountinfo
        self._tick = tick
        self._cost = 0.0
        self._odd = ""
        self._failed_at = -RETRY_MOST
        self._retry = RETRY_FIRST

    def looks(self) -> Iterator[Look]:
        """Every look that is due; whoever iterates looks before asking for the next one."""
        while not self._stop.is_set():
            if not self._folder.exists():
                yield from self._wait_for_root()
                continue
            why = self._why_no_events()
            if why:
                yield from self._poll(why, float("inf"))
            else:
                yield from self._events()

    def _full(self, state: WatchState) -> Iterator[Look]:
        start = self._tick()
        yield Look(None, state)
        self._cost = self._tick() - start

    def _pause(self, front: float, back: float) -> float:
        return max(front if self._in_front() else back, self._cost / MAX_SHARE)

    # -- no root ---------------------------------------------------------------------------------------------------

    def _wait_for_root(self) -> Iterator[Look]:
        state = WatchState("polling", "The directory is not there; memtui waits for it to appear")
        yield Look(None, state)
        while not self._stop.wait(_WAIT) and not self._folder.exists():
            if self._unsettled():
                yield Look(None, state)

    # -- no events -------------------------------------------------------------------------------------------------

    def _why_no_events(self) -> Say:
        if self._polling:
            return Say("Events are switched off; changes are found by looking every second")
        kind = file_system_of(self._folder.disk.realpath(str(self._folder.root)), self._mountinfo())
        if gives_events(kind):
            return Say("")
        return Say(
            "The file system ({kind}) tells of no changes; they are found by looking every second",
            kind=visible(kind),
        )

    def _poll(self, why: str, seconds: float) -> Iterator[Look]:
        """Full looks for some time, or until the root or the name that stopped the events is gone."""
        state = WatchState("polling", why)
        end = self._tick() + seconds
        yield from self._full(state)
        last = self._tick()
        while not self._stop.wait(_WAIT):
            now = self._tick()
            if not self._folder.exists() or now >= end or (self._odd and not self._odd_is_there()):
                return
            if now - last >= self._pause(POLL_FRONT, POLL_BACK):
                yield from self._full(state)
                last = self._tick()
            elif self._unsettled():
                yield Look(frozenset(), state)

    # -- events ----------------------------------------------------------------------------------------------------

    def _events(self) -> Iterator[Look]:
        try:
            yield from self._follow()
        except FileNotFoundError:
            self._stop.wait(_WAIT)  # a folder went between two calls; look what is left
        except (OSError, RuntimeError, ImportError) as error:
            # A name that is not UTF-8 ends the watch when something happens to that file; limits, or a system that
            # watchfiles was not built for, when it begins.
            now = self._tick()
            again = now - self._failed_at < RETRY_MOST
            self._failed_at, self._retry = now, min(self._retry * 2, RETRY_MOST) if again else RETRY_FIRST
            self._survey()
            why = self._about_odd() or (
                Say(
                    "The system gives no events ({reason}); changes are found by looking every second",
                    reason=plain(visible(str(error))),
                )
            )
            yield from self._poll(why, self._retry)

    def _follow(self) -> Iterator[Look]:
        import watchfiles  # noqa: PLC0415  -- takes longer to import than the first paint may wait

        root = self._folder.disk.realpath(str(self._folder.root))
        # Open as long as it is watched, so that no other folder can get its inode number meanwhile.
        armed = self._folder.fresh_root()
        folders = self._survey()
        batches = watchfiles.watch(
            *(f"{root}/{rel}" if rel else root for rel in sorted(folders)),
            watch_filter=None,  # the default one is blind below .venv, .git and node_modules
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            stop_event=self._stop,
            force_polling=False,  # its own polling misses changes within a second
            recursive=False,  # recursion goes through links, all over the disk if one says so
            ignore_permission_denied=True,
            debug=False,
        )
        due: float | None = None
        with closing(batches):
            for batch in batches:
                hints = frozenset(_hints(root, (path for _, path in batch)))
                state = WatchState("events", self._about_odd())
                if self._folder.fresh_root() is not armed or self._is_about_folders(hints, folders):
                    yield from self._full(state)
                    return
                now = self._tick()
                if due is None or len(hints) > BIG_BATCH:
                    yield from self._full(state)
                    due = self._tick() + (AFTER_BATCH if hints else self._pause(RESCAN_FRONT, RESCAN_BACK))
                elif hints or self._unsettled():
                    yield Look(hints, state)
                pause = self._pause(RESCAN_FRONT, RESCAN_BACK)
                if not due - pause <= now < due and not (now < due + PATIENCE and self._at_keys()):
                    if self._survey() != folders:
                        return
                    yield from self._full(WatchState("events", self._about_odd()))
                    due = self._tick() + pause

    def _is_about_folders(self, hints: frozenset[str], folders: frozenset[str]) -> bool:
        """Whether a folder came, went or changed places: what is watched has to be said anew."""
        return any(rel in folders or (not rel.endswith(".md") and self._is_folder(rel)) for rel in hints)

    def _is_folder(self, rel: str) -> bool:
        try:
            stamp = self._folder.stamp(rel)
        except Unreadable:
            return False
        return stamp is not None and S_ISDIR(stamp.mode)

    def _survey(self) -> frozenset[str]:
        """Every folder that may hold memories, old versions or proposals; notes a name that is not UTF-8."""
        self._odd = ""
        found, pending = set(), [""]
        while pending:
            rel = pending.pop()
            found.add(rel)
            prefix = f"{rel}/" if rel else ""
            for name, is_folder in self._list(rel):
                below = prefix + name
                odd = any("\ud800" <= char <= "\udfff" for char in name)
                if odd:
                    self._odd = min(below, self._odd or below)
                elif is_folder and concerns(below):
                    pending.append(below)
        return frozenset(found)

    def _list(self, rel: str) -> list[tuple[str, bool]]:
        disk = self._folder.disk
        try:
            fd = self._folder.open_folder(rel)
        except (OSError, Unreadable):
            return []
        try:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in disk.scandir(fd)]
        except OSError:
            return []
        finally:
            disk.close(fd)

    def _about_odd(self) -> Say:
        if not self._odd:
            return Say("")
        return Say(
            "The name of {name} is not UTF-8, so its changes are noticed late; rename it",
            name=visible(self._odd),
        )

    def _odd_is_there(self) -> bool:
        try:
            return self._folder.stamp(self._odd) is not None
        except Unreadable:
            return True


def _hints(root: str, paths: Iterable[str]) -> Iterator[str]:
    prefix = root.rstrip("/") + "/"
    for path in paths:
        rel = path[len(prefix) :] if path.startswith(prefix) else ""
        if concerns(rel):
            yield rel
