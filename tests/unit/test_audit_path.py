"""The audit log: of a directory that is named by a relative path, and what helps when it cannot be written."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.audit import AuditLog, AuditRow
from memtui.memory.errors import Refused


def test_a_relative_directory_has_an_audit_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".memtui").mkdir()
    monkeypatch.chdir(tmp_path)
    log = AuditLog(Path())
    row = AuditRow(1.0, "save_memory", "saved", 2.5, "a", "agent")
    log.add(row)
    assert log.rows() == [row]


def test_a_full_disk_asks_for_room_and_a_held_log_for_patience(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".memtui").mkdir()
    log = AuditLog(tmp_path)
    log.add(AuditRow(1.0, "save_memory", "saved", 2.5, "a", "agent"))

    class Small(sqlite3.Connection):
        """A database that may not grow: SQLite says it is full."""

        def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
            if sql.startswith("INSERT"):
                super().execute("PRAGMA max_page_count = 1")
            return super().execute(sql, parameters)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **more: connect(*args, **more, factory=Small))
    with pytest.raises(Refused, match=r"is full.*make room on the disk") as caught:
        log.add(AuditRow(1.0, "save_memory", "saved", 2.5, "a", "agent", detail="x" * 100_000))
    assert "move the file away" not in str(caught.value)
    monkeypatch.undo()
    monkeypatch.setattr("memtui.memory.audit._BUSY_SECONDS", 0.05)
    with contextlib.closing(connect(log.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Refused, match=r"locked.*when another program is done") as caught:
            log.add(AuditRow(1.0, "save_memory", "saved", 2.5, "a", "agent"))
    assert "move the file away" not in str(caught.value)
