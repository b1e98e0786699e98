"""A closed terminal and a plain ``kill``: the app ends once and in order, however many signals come, and never not at all."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import memtui
from memtui.tui.leaving import leaving_in_order


def test_further_signals_while_leaving_do_nothing() -> None:
    left: list[int] = []

    async def stay() -> None:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTERM):
            os.kill(os.getpid(), number)
        await asyncio.sleep(0)

    before = signal.getsignal(signal.SIGTERM)
    with leaving_in_order(left.append):
        asyncio.run(stay())
    assert left == [128 + signal.SIGTERM]
    assert signal.getsignal(signal.SIGTERM) == before
    assert signal.alarm(0) == 0  # nothing ends whoever goes on


def test_without_a_loop_the_first_signal_ends_it_on_the_spot() -> None:
    with pytest.raises(SystemExit) as ended, leaving_in_order(lambda _: None):
        os.kill(os.getpid(), signal.SIGHUP)
    assert ended.value.code == 128 + signal.SIGHUP


def test_what_waits_for_ever_while_leaving_is_ended_by_the_system() -> None:
    code = """if True:
        import asyncio, os, signal, threading
        from memtui.tui.leaving import leaving_in_order

        async def stay():
            os.kill(os.getpid(), signal.SIGHUP)
            await asyncio.sleep(60)

        with leaving_in_order(lambda _: threading.Event().wait(), within=1):
            asyncio.run(stay())
    """
    folder = Path(memtui.__file__).parent.parent
    ended = subprocess.run([sys.executable, "-c", code], cwd=folder, timeout=60, check=False)
    assert ended.returncode == -signal.SIGALRM
