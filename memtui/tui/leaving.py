"""A closed terminal and a plain ``kill`` end the app like its own key: the terminal is given back, threads come to an end.

An exception raised by a signal's handler would come out of whatever line runs at that moment, and be lost in some.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGHUP, signal.SIGTERM)
ENDS_WITHIN = 10
"""Seconds from the first signal until the system ends what has not ended in order (ours); whatever was being written then is
finished or taken back at the next start, like after any ``kill -9``."""


@contextmanager
def leaving_in_order(leave: Callable[[int], object], within: int = ENDS_WITHIN) -> Iterator[None]:
    """Have ``leave`` called with the exit code, 128 and the signal's number, by the loop that runs.

    Where none runs, ``SystemExit`` is raised with that code on the spot. Further signals do nothing, for a terminal that is
    closed often sends two: raised in the midst of leaving, an exception left a lock held that the rest of it waited for.
    In a thread other than the main one nothing is done, since signals are not received there.

    Args:
        leave: ends the app.
        within: seconds after which the system ends the process, whatever it is waiting for.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal told
        if told:
            return
        told = True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise SystemExit(128 + number) from None
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(within)  # by the system: a timer of Python's would need the locks that may be held
        loop.call_soon_threadsafe(leave, 128 + number)

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    before[signal.SIGALRM] = signal.getsignal(signal.SIGALRM)
    try:
        yield
    finally:
        if told:
            signal.alarm(0)
        for number, handler in before.items():
            signal.signal(number, handler)
