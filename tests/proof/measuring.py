"""A pytest plugin under ``coverage run``: whatever a test does to the measurement, the next test is measured again.

``-p tests.proof.measuring``. Python takes a trace function off when it fails, as where a test goes as deep as a stack goes;
all that the process ran after that would count as not run. A worker of the suite ends without its exit's handlers, so what
it measured is written down when its tests are over.
"""

from __future__ import annotations

import sys

import coverage


def pytest_runtest_setup() -> None:
    measuring = coverage.Coverage.current()
    if measuring is not None and sys.gettrace() is None:
        measuring.stop()
        measuring.start()


def pytest_sessionfinish() -> None:
    measuring = coverage.Coverage.current()
    if measuring is not None:
        measuring.save()
