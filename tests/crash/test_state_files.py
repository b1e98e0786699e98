"""Our own small files in the state folder (reliability §1): no fault at any call to the disk tears one."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from memtui.memory.disk.calls import Disk
from memtui.memory.disk.state_files import put
from tests.crash.faults import DEATH, FOR_EVER, ONCE, Died, QuietDisk, is_leftover, sweep

NEW = b"what is chosen now\n" * 40


def write(root: Path, disk: Disk) -> object:
    put(root / "state/memtui/app.json", NEW, disk)
    return None


def nothing_to_recover(_root: Path) -> tuple[str, ...]:
    return ()


@pytest.mark.parametrize("old", [None, b"what was chosen before"], ids=["a first one", "another one"])
def test_reliability_1_no_fault_tears_a_file_of_the_state_folder(tmp_path: Path, old: bytes | None) -> None:
    template = tmp_path / "template"
    template.mkdir()
    rel = "state/memtui/app.json"
    if old is not None:
        (template / rel).parent.mkdir(parents=True)
        (template / rel).write_bytes(old)
    runs = list(sweep(template, tmp_path, write, nothing_to_recover, ((DEATH,), ONCE, FOR_EVER)))
    assert len(runs) > 20
    for run in runs:
        assert run.after.get(rel) in {old, NEW}, run
        assert run.error is None or isinstance(run.error, OSError | Died), run
        if run.error is None:
            assert run.after == {rel: NEW}, run
        elif isinstance(run.error, OSError) and not run.fault.for_ever:
            assert not any(map(is_leftover, run.after)), run


def test_a_file_of_the_state_folder_and_the_folders_made_for_it_are_the_owners_alone(tmp_path: Path) -> None:
    write(tmp_path, QuietDisk())
    made = [tmp_path / "state", tmp_path / "state/memtui", tmp_path / "state/memtui/app.json"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [0o700, 0o700, 0o600]


def test_a_name_of_the_longest_length_is_written_too(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250)
    for data in (b"one", b"two"):
        put(path, data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]
