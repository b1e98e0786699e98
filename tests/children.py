"""Processes that tests start: none outlives its test, for `Popen` waits for one for ever where a test fails."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def killed_at_the_end(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Kill what has not ended by itself."""
    try:
        yield
    finally:
        process.kill()
