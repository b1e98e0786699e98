"""How a pilot waits until the app has done what a key asked for: as Textual does it, but not longer than that takes.

Textual waits for a fiftieth of a second in which next to nothing is worked, looks once in each fiftieth, and does so
twice for every key, the second time for what follows an animation. Looking twice as often finds the end sooner, and where
nothing has been worked since the first time there is nothing to wait for again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from time import monotonic, process_time
from typing import Any

import textual._wait
import textual.app
import textual.pilot

QUIET_SECONDS: float = textual._wait.SLEEP_GRANULARITY
"""Textual's own; longer than a frame, so that what is painted for a key has been painted."""
WORK_SECONDS: float = textual._wait.SLEEP_IDLE
"""Processor time within them that shows work; Textual's own."""

_press = textual.app.App._press_keys


class _Waiting:
    """Waits behind keys; there is one app at a time."""

    def __init__(self) -> None:
        self.key_is_new = True
        self._worked = 0.0

    async def behind_key(self, min_sleep: float = QUIET_SECONDS, max_sleep: float = 1) -> None:
        if self.key_is_new or process_time() - self._worked >= WORK_SECONDS:
            self.key_is_new = False
            await wait_for_idle(min_sleep, max_sleep)
            self._worked = process_time()


async def wait_for_idle(min_sleep: float = QUIET_SECONDS, max_sleep: float = 1) -> None:
    """Wait until the process has not been working for `QUIET_SECONDS`; `max_sleep` seconds at most."""
    start = monotonic()
    before, last = process_time(), process_time()
    await asyncio.sleep(QUIET_SECONDS / 2)
    while True:
        before, last = last, process_time()
        await asyncio.sleep(QUIET_SECONDS / 2)
        passed = monotonic() - start
        if passed >= max_sleep or (passed > min_sleep and process_time() - before < WORK_SECONDS):
            return


def wait_no_longer_than_it_takes() -> None:
    """Have Textual's pilots wait so from now on."""
    waiting = _Waiting()

    async def press_keys(self: textual.app.App[Any], keys: Iterable[str]) -> None:
        for key in keys:
            waiting.key_is_new = True
            await _press(self, [key])

    textual.app.wait_for_idle = waiting.behind_key  # type: ignore[attr-defined]
    textual.pilot.wait_for_idle = wait_for_idle  # type: ignore[attr-defined]
    textual.app.App._press_keys = press_keys  # type: ignore[method-assign]
