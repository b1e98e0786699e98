"""For all tests: hypothesis judges by what an example shows, never by how long the machine took over it."""

from __future__ import annotations

import gc

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
