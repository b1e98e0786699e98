"""The audit log and the making of a directory: a fault at any call to the disk is told, and leaves nothing half made."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.memory.audit import AuditLog, AuditRow
from memtui.memory.disk.calls import Disk
from memtui.memory.disk.own_folder import make_root
from memtui.memory.errors import Refused
from tests.crash.faults import FOR_EVER, ONCE, sweep

ROW = AuditRow(1_790_000_000.0, "save_memory", "saved", 1.5, "a", "agent")


def nothing_to_recover(_root: Path) -> tuple[str, ...]:
    return ()


def test_a_fault_at_any_call_leaves_the_audit_log_with_the_row_or_without_and_says_so(tmp_path: Path) -> None:
    template = tmp_path / "template"
    (template / ".memtui").mkdir(parents=True)

    def add(root: Path, disk: Disk) -> object:
        AuditLog(root, disk).add(ROW)
        return None

    runs = 0
    for run in sweep(template, tmp_path, add, nothing_to_recover, (ONCE, FOR_EVER)):
        runs += 1
        rows = AuditLog(tmp_path / "run").rows()
        assert run.error is None or isinstance(run.error, Refused), run
        assert rows == ([ROW] if run.error is None else []), run
        if run.error is not None and run.fault.code is not None:  # as the system says it, not as a guess
            assert os.strerror(run.fault.code).lower() in str(run.error).lower(), run
    assert runs > 10


def test_a_fault_at_any_call_while_a_directory_is_made_is_told(tmp_path: Path) -> None:
    template = tmp_path / "template"
    template.mkdir()

    def make(root: Path, disk: Disk) -> object:
        make_root(disk, root / "new/deep/memory")
        return None

    runs = 0
    for run in sweep(template, tmp_path, make, nothing_to_recover, (ONCE, FOR_EVER)):
        runs += 1
        assert run.error is None or isinstance(run.error, OSError), run
        if run.error is None:
            assert (tmp_path / "run/new/deep/memory").is_dir(), run
    assert runs > 10
