"""The audit log: which tool was called, when, how it ended, how long it took (seed, ``agent_audit_log``).

It is the one database memtui keeps, ``.memtui/audit.db``, and no memory is ever stored in it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.errors import Refused

AUDIT_NAME = "audit.db"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS agent_audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    tool_name TEXT NOT NULL,
    status TEXT NOT NULL,
    elapsed_ms REAL NOT NULL,
    slug TEXT,
    actor TEXT NOT NULL,
    session_id TEXT,
    detail TEXT NOT NULL
)
"""
_BUSY_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One call.

    Attributes:
        at: Unix seconds.
        tool_name: e.g. ``save_memory``.
        status: ``saved``, ``updated``, ``unchanged``, ``error``, ``conflict`` …
        elapsed_ms: milliseconds the call took.
        slug: the memory it was about, if any.
        actor: who called: ``user``, ``agent``, ``extraction`` …
        session_id: the agent session, if known.
        detail: one short line; never the text of a memory.
    """

    at: float
    tool_name: str
    status: str
    elapsed_ms: float
    slug: str | None
    actor: str
    session_id: str | None = None
    detail: str = ""


class AuditLog:
    """The audit log of one memory directory. Reading it creates nothing."""

    def __init__(self, root: Path) -> None:
        self.path = root / OWN_FOLDER / AUDIT_NAME

    @contextlib.contextmanager
    def _open(self, mode: str) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_BUSY_SECONDS)
            with contextlib.closing(connection), connection:
                yield connection
        except sqlite3.Error as error:
            raise Refused(
                f"the audit log cannot be used ({error})",
                where=str(self.path),
                todo="Memories are not affected; move the file away and a new log is started",
            ) from error

    def add(self, row: AuditRow) -> None:
        """Append a row. The directory's ``.memtui`` folder must exist.

        Raises:
            Refused: the database is damaged, locked for long, or cannot be written.
        """
        with self._open("rwc") as db:
            db.execute(_SCHEMA)
            db.execute(
                "INSERT INTO agent_audit_log (at, tool_name, status, elapsed_ms, slug, actor, session_id, detail)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                astuple(row),
            )

    def rows(self, limit: int = 200) -> list[AuditRow]:
        """The newest rows first; empty where there is no log yet.

        Raises:
            Refused: the database is damaged or cannot be read.
        """
        if not self.path.exists():
            return []
        with self._open("ro") as db:
            found = db.execute(
                "SELECT at, tool_name, status, elapsed_ms, slug, actor, session_id, detail"
                " FROM agent_audit_log ORDER BY id DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [AuditRow(*row) for row in found]
