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


@contextmanager
def leaving_in_order(leave: Callable[[int], object]) -> Iterator[None]:
    """Have ``leave`` called with the exit code, 128 and the signal's number, by the loop that runs.

    Where none runs, and at the second signal, ``SystemExit`` is raised with that code on the spot. In a thread other than
    the main one nothing is done, since signals are not received there.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = False

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal told
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        if told or loop is None:
            raise SystemExit(128 + number)
        told = True
        loop.call_soon_threadsafe(leave, 128 + number)

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
