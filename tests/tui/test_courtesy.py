"""The checks keep out of the way of keys, and find the same."""

from __future__ import annotations

from pathlib import Path

from memtui.memory.checks.findings import Checker
from memtui.memory.directory.scan import Directory
from memtui.tui.courtesy import AT_KEYS_SECONDS, BUSY_SECONDS, NAP_SECONDS, Courtesy

from .conftest import Write, running, until
from .making import NOW


class Time:
    """A clock that only sleep moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.naps: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.now += seconds


def test_work_waits_between_its_steps_only_while_somebody_is_at_the_keys() -> None:
    time = Time()
    courtesy = Courtesy(lambda: time.now, time.sleep)
    courtesy.breathe()
    assert time.naps == []
    courtesy.noticed()
    for _ in range(100):
        courtesy.breathe()
    assert set(time.naps) == {NAP_SECONDS}
    assert BUSY_SECONDS / NAP_SECONDS <= len(time.naps) <= BUSY_SECONDS / NAP_SECONDS + 1


def test_somebody_is_at_the_keys_for_a_moment_after_each() -> None:
    time = Time()
    courtesy = Courtesy(lambda: time.now, time.sleep)
    assert not courtesy.is_at_keys()
    courtesy.noticed()
    assert courtesy.is_at_keys()
    time.sleep(AT_KEYS_SECONDS)
    assert not courtesy.is_at_keys()


def test_the_checks_breathe_at_every_memory_and_find_the_same(memory: Path, write: Write) -> None:
    text = "The release freeze begins on Thursday, and nobody merges anything before the tag is cut.\n"
    for number in range(20):
        write(f"note{number}", name=f"Note {number}", description=f"it says {number}", content=text)
    steps: list[None] = []

    def found(checker: Checker) -> list[tuple[str, str, str]]:
        return [(each.rule, each.path, each.message) for each in checker.update()]

    directory = Directory(memory, clock=lambda: NOW)
    directory.refresh()
    breathing = Checker(directory, clock=lambda: NOW, breathe=lambda: steps.append(None))
    assert found(breathing) == found(Checker(directory, clock=lambda: NOW))
    assert any(rule == "duplicate" for rule, _, _ in found(breathing))
    first = len(steps)
    assert first >= 5 * 20  # its own rules, its place, the index, and both halves of its duplicates
    write("note0", name="Note 0", description="it says nothing", content="Something else altogether.\n")
    directory.refresh()
    breathing.update(directory.take_changes())
    assert len(steps) > first


async def test_a_key_tells_the_checks_that_somebody_is_there(write: Write) -> None:
    folder = write("a").parent
    async with running(folder) as pilot:
        told: list[None] = []
        pilot.app._at_keys = lambda: told.append(None)  # type: ignore[attr-defined]
        await pilot.press("j")
        await until(pilot, lambda: bool(told))
