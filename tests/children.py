"""Processes that tests start: none outlives its test, for `Popen` waits for one for ever where a test fails."""

from __future__ import annotations

import os
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


def unmeasured() -> dict[str, str]:
    """The environment of a child whose modules are looked at: a measurement of what the suite runs would load its own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
