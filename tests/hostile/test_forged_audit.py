"""Reliability §3: an ``audit.db`` that somebody else put there leads nowhere, runs nothing and keeps nobody waiting."""

from __future__ import annotations

import os
import sqlite3
import struct
from pathlib import Path

import pytest

from memtui.memory.audit import AuditLog, AuditRow
from memtui.memory.errors import Refused
from memtui.memory.managing.manager import MemoryManager

ROW = AuditRow(1.0, "save_memory", "created", 2.5, "a", "agent", "s-1", "x")
MAGIC = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    (root / ".memtui").mkdir(parents=True)
    return root


def refused(root: Path) -> None:
    """Neither adding nor reading is done, and it is said."""
    with pytest.raises(Refused, match="audit log cannot be used"):
        AuditLog(root).add(ROW)
    with pytest.raises(Refused, match="audit log cannot be used"):
        AuditLog(root).rows()


def forge(root: Path, *statements: str) -> None:
    with sqlite3.connect(root / ".memtui" / "audit.db") as db:
        for statement in statements:
            db.execute(statement)
    db.close()


@pytest.mark.parametrize("name", ["audit.db", "audit.db-journal", "audit.db-wal", "audit.db-shm"])
@pytest.mark.parametrize("kind", ["link", "dangling", "fifo", "folder"])
def test_what_is_no_file_is_not_opened(kind: str, name: str, root: Path) -> None:
    outside = root.parent / "outside.db"
    path = root / ".memtui" / name
    if kind == "link":
        AuditLog(root).add(ROW)
        (root / ".memtui" / "audit.db").rename(outside)
        path.symlink_to(outside)
    elif kind == "dangling":
        path.symlink_to(outside)
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    was = outside.read_bytes() if outside.exists() else None
    refused(root)
    assert (outside.read_bytes() if outside.exists() else None) == was


@pytest.mark.parametrize("where", ["outside", "memory/inside"])
def test_an_own_folder_that_is_a_link_is_not_followed(where: str, root: Path) -> None:
    target = root.parent / where
    AuditLog(root).add(ROW)
    (root / ".memtui").rename(target)
    (root / ".memtui").symlink_to(target)
    was = (target / "audit.db").read_bytes()
    refused(root)
    assert (target / "audit.db").read_bytes() == was


def test_a_journal_that_names_another_file_does_not_have_it_removed(root: Path) -> None:
    """SQLite removes the file that a hot journal names as its super-journal, wherever that lies."""
    AuditLog(root).add(ROW)
    victim = root.parent / "precious"
    victim.write_text("precious")
    size = (root / ".memtui" / "audit.db").stat().st_size
    header = MAGIC + struct.pack(">IIIII", 0, 0, size // 4096, 512, 4096)
    named = os.fsencode(victim)
    tail = (
        struct.pack(">I", 0x40000000 // 4096 + 1) + named + struct.pack(">II", len(named), sum(named)) + MAGIC
    )
    (root / ".memtui" / "audit.db-journal").write_bytes(header.ljust(512, b"\0") + tail)
    refused(root)
    assert victim.read_text() == "precious"
    with sqlite3.connect(root / ".memtui" / "audit.db") as db:  # what SQLite itself does with it
        db.execute("SELECT * FROM sqlite_master").fetchall()
    db.close()
    assert not victim.exists()


def test_the_journal_of_an_interrupted_write_is_rolled_back(root: Path) -> None:
    AuditLog(root).add(ROW)
    path = root / ".memtui" / "audit.db"
    whole = path.read_bytes()
    header = MAGIC + struct.pack(">IIIII", 0, 0, len(whole) // 4096, 512, 4096)
    (root / ".memtui" / "audit.db-journal").write_bytes(header.ljust(512, b"\0"))
    path.write_bytes(whole + bytes(4096))
    AuditLog(root).add(ROW)
    assert AuditLog(root).rows() == [ROW, ROW]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON agent_audit_log BEGIN DELETE FROM agent_audit_log; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE other (x)",
        "CREATE INDEX i ON agent_audit_log (slug)",
        "ALTER TABLE agent_audit_log ADD COLUMN x AS (zeroblob(1000000000))",
        "CREATE VIRTUAL TABLE f USING fts5 (x)",
    ],
)
def test_a_database_with_more_than_our_table_is_not_used(statement: str, root: Path) -> None:
    AuditLog(root).add(ROW)
    forge(root, statement)
    refused(root)


def test_a_view_in_place_of_the_table_never_runs(root: Path) -> None:
    forge(
        root,
        "CREATE VIEW agent_audit_log AS"
        " WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, x AS at FROM n",
    )
    refused(root)


def test_values_of_other_kinds_are_left_out(root: Path) -> None:
    log = AuditLog(root)
    log.add(ROW)
    row = "INSERT INTO agent_audit_log (at, tool_name, status, elapsed_ms, actor, detail) VALUES"
    forge(
        root,
        f"{row} ('soon', 'x', 'x', 1, 'x', 'x')",
        f"{row} (9e999, 'x', 'x', 1, 'x', 'x')",
        f"{row} (-1, 'x', 'x', 1, 'x', 'x')",
        f"{row} (1, x'00', 'x', 1, 'x', 'x')",
        f"{row} (1, 'x', 'x', 'long', 'x', 'x')",
        f"{row} (2, 'x', 'x', 1, 'x', CAST(x'ff' AS TEXT))",
        f"{row} (3, 'x', 'x', 1, 'x', replace(hex(zeroblob(5000000)), '00', 'long'))",
    )
    long, odd, first = log.rows()
    assert len(long.detail) == 10_000
    assert odd.detail == "\ufffd"
    assert first == ROW


def test_a_refused_log_costs_no_memory(root: Path) -> None:
    from memtui.agent.save_tool import run_save_memory  # noqa: PLC0415

    (root / ".memtui" / "audit.db").symlink_to(root.parent / "elsewhere.db")
    manager = MemoryManager.open(root, clock=lambda: 1.8e9)
    fields = {
        "slug": "a",
        "name": "A",
        "description": "about a",
        "memory_type": "user",
        "content": "A body of text.",
    }
    answer = run_save_memory(manager, fields)
    assert not answer.is_error
    assert "audit log cannot be used" in answer.text
    assert not (root.parent / "elsewhere.db").exists()
