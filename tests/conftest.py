"""For all tests: hypothesis judges by what an example shows, never by how long the machine took over it."""

from __future__ import annotations

import gc
import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


def pytest_collection_finish() -> None:
    """Let no later collection go through what was loaded: of the tests and all they import nothing is garbage."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup() -> None:
    """Have the program in a terminal of a test ask that for its size.

    The readline library, once something loads it, puts the size of its own terminal into the environment, where an app
    would take it for the test's: a sentence then broke into other lines, but only in runs that had loaded it.
    """
    os.environ.pop("COLUMNS", None)
    os.environ.pop("LINES", None)
