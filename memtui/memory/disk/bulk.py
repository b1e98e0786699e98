"""Reading a great many files at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_COLLECTOR_BULK = 1_000
"""From so many files to read on, the cyclic collector waits until they are read."""


@contextmanager
def collector_waits(count: int) -> Iterator[None]:
    """Keep the cyclic collector away from a bulk of new objects, none of which is garbage.

    It would go through all of them again and again as they grow, so that 100,000 files cost more than ten times
    10,000. Afterwards they count as permanent: a collection that went through all of them once more would hold up
    the screen for some 30 ms per 10,000. Whoever replaces them still frees them, since they are in no cycle.
    """
    if count < _COLLECTOR_BULK or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
