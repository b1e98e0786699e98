"""The audit log of a directory that is named by a relative path."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.audit import AuditLog, AuditRow


def test_a_relative_directory_has_an_audit_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".memtui").mkdir()
    monkeypatch.chdir(tmp_path)
    log = AuditLog(Path())
    row = AuditRow(1.0, "save_memory", "saved", 2.5, "a", "agent")
    log.add(row)
    assert log.rows() == [row]
