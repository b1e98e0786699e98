"""A program in a pseudo-terminal, timed by the bytes it writes. Linux only: it asks ``/proc`` what a process uses."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

COLUMNS, LINES = 120, 40
QUIET = 0.05
"""Seconds without a byte after which a screen counts as settled, if the program has also been idle."""
_IDLE = 0.1
"""Largest share of the time for which an idle program runs."""
_CONTROL = re.compile(
    rb"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])|[\x00-\x1f]"
)
_FRAME_END = b"\x1b[?2026l"
_ASKS_SYNC, _HAS_SYNC = b"\x1b[?2026$p", b"\x1b[?2026;2$y"


def shown(written: bytes) -> str:
    """What of a stream is text, in the order it was written."""
    return _CONTROL.sub(b"", written).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one key took, in seconds.

    Attributes:
        first: until the first whole frame that followed had come.
        wall: until the last byte had come.
        cpu: of processor, all threads.
    """

    first: float
    wall: float
    cpu: float


class Ended(Exception):
    """The program has ended, or did not show in time what was waited for; its text is the screen's."""


class Terminal:
    """One running program, and what it has written."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], cwd: Path) -> None:
        self.written = b""
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environ, cwd=cwd, start_new_session=True
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    # -- reading -------------------------------------------------------------------------------------------------------

    def _read(self, seconds: float) -> float | None:
        """Take what comes; the moment it came, None if nothing did within that time."""
        ready, _, _ = select.select([self._master], [], [], max(0.0, seconds))
        if not ready:
            return None
        came = time.perf_counter()
        try:
            data = os.read(self._master, 1 << 16)
        except OSError as error:  # the other end is closed
            raise Ended(shown(self.written)[-2000:]) from error
        self.written += data
        if (
            _ASKS_SYNC in data
        ):  # a terminal of today paints whole frames; without them a frame's end would be a guess
            os.write(self._master, _HAS_SYNC)
        return came

    def until(self, wanted: Callable[[str], bool], seconds: float = 60) -> float:
        """Read until the text written so far is as wanted; gives the moment.

        Raises:
            Ended: it did not happen in that time.
        """
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            came = self._read(left)
            if came is not None and wanted(shown(self.written)):
                return came
        raise Ended(shown(self.written)[-2000:])

    def forget(self) -> None:
        """Begin anew with the text written."""
        self.written = b""

    def settle(self, quiet: float = QUIET) -> float | None:
        """Read until nothing comes and nothing is worked on; the moment of the last byte, None if there was none."""
        last = None
        while True:
            cpu = self.cpu
            if (came := self._read(quiet)) is not None:
                last = came
            elif self.cpu - cpu < _IDLE * quiet:
                return last

    def drain(self) -> None:
        """Take what is there."""
        while self._read(0) is not None:
            pass

    def type(self, keys: bytes) -> None:
        """Type keys, and do not wait."""
        os.write(self._master, keys)

    def frame(self) -> float:
        """The moment when the first whole frame of those written from now on has come.

        Raises:
            Ended: none came within five seconds.
        """
        return self.until(lambda _: _FRAME_END in self.written, 5)

    def press(self, keys: bytes) -> Cost:
        """Type keys, and tell what it took until the screen had settled.

        Raises:
            Ended: nothing changed within five seconds.
        """
        self.forget()
        cpu, start = self.cpu, time.perf_counter()
        self.type(keys)
        first = self.frame()
        last = self.settle() or first
        return Cost(first - start, last - start, self.cpu - cpu)

    # -- asking the system -----------------------------------------------------------------------------------------

    @property
    def cpu(self) -> float:
        """Seconds of processor that all its threads have used (clock_getcpuclockid(3))."""
        return time.clock_gettime((~self._process.pid << 3) | 2)

    @property
    def resident(self) -> int:
        """Bytes of memory it holds now, shared libraries included."""
        status = Path(f"/proc/{self._process.pid}/status").read_text("ascii", "replace")
        [kilobytes] = re.findall(r"VmRSS:\s+(\d+) kB", status)
        return int(kilobytes) * 1024
