"""A pytest plugin under ``coverage run``: each line is said to be run by the test that ran it, and tests are timed.

``-p tests.proof.traced``. Where ``MEMTUI_TIMES`` names a file, seconds of processor time by test are left there as JSON,
of those that passed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Generator
from pathlib import Path

import coverage
import pytest

_times: dict[str, float] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    measuring = coverage.Coverage.current()
    if measuring is not None:
        measuring.switch_context(item.nodeid)
    began = time.process_time()
    try:
        return (yield)
    finally:
        if _times.get(item.nodeid) != _FAILED:
            _times[item.nodeid] = time.process_time() - began
        if measuring is not None:
            measuring.switch_context("")


_FAILED = -1.0


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _times[report.nodeid] = _FAILED


def pytest_sessionfinish() -> None:
    place = os.environ.get("MEMTUI_TIMES")
    if place:
        passed = {name: seconds for name, seconds in _times.items() if seconds != _FAILED}
        Path(place).write_text(json.dumps(passed))
