"""The audit log: which tool was called, when, how it ended, how long it took (seed, ``agent_audit_log``).

It is the one database memtui keeps, ``.memtui/audit.db``, and no memory is ever stored in it.
"""

from __future__ import annotations

import contextlib
import errno
import sqlite3
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from memtui.memory.conventions import OWN_FOLDER
from memtui.memory.disk.calls import NEW_FLAGS, READ_FLAGS, REAL_DISK, Disk
from memtui.memory.disk.files import Folder, Unreadable, shut
from memtui.memory.errors import Refused
from memtui.memory.wording.saying import Say, plain, system_said

AUDIT_NAME = "audit.db"

_TABLE = "agent_audit_log"
_STORED = """CREATE TABLE agent_audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    tool_name TEXT NOT NULL,
    status TEXT NOT NULL,
    elapsed_ms REAL NOT NULL,
    slug TEXT,
    actor TEXT NOT NULL,
    session_id TEXT,
    detail TEXT NOT NULL
)"""
"""The table as SQLite keeps it in its schema."""
_OURS = {
    ("table", _TABLE, _TABLE, _STORED),
    ("table", "sqlite_sequence", "sqlite_sequence", "CREATE TABLE sqlite_sequence(name,seq)"),
}
_SCHEMA = _STORED.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS", 1)
_MAGIC = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
"""How a journal ends that names another file, which decides whether it is rolled back, and is then removed."""
_STEPS = 10_000  # of SQLite's machine between two looks at the clock
_MOST_CHARACTERS = 10_000
_MAX_NUMBER = 253_402_300_800.0  # the year 10000, where dates end
_BUSY_SECONDS = 2.0
_MOVE_AWAY = Say("move the file away and a new log is started")
_TODO = {
    sqlite3.SQLITE_FULL: Say("make room on the disk and the log goes on"),
    sqlite3.SQLITE_BUSY: Say("the log goes on when another program is done with it"),
    sqlite3.SQLITE_READONLY: Say("the log goes on when the file may be written"),
}
"""What helps where a new log would not."""


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
    """The audit log of one memory directory. Reading it creates nothing.

    The file may be a stranger's, so SQLite opens it only after a look: ``.memtui/`` is a real folder, the database and
    what SQLite keeps beside it are regular files, a journal beside it names no other file (which SQLite would remove
    when it rolls back), and the database holds the one table of ours, so that no trigger, view or expression of
    somebody else runs. SQLite's own refusal of links cannot be asked for from Python.
    """

    def __init__(self, root: Path, disk: Disk = REAL_DISK) -> None:
        """Name the log; nothing is read or made.

        Args:
            root: the memory directory.
            disk: the system calls it uses for all that SQLite does not do itself.
        """
        self.path = root / OWN_FOLDER / AUDIT_NAME
        self._folder = Folder(root, disk)

    @contextlib.contextmanager
    def _open(self, mode: str) -> Iterator[sqlite3.Connection]:
        late = time.monotonic() + _BUSY_SECONDS
        try:
            connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_BUSY_SECONDS
            )
            with contextlib.closing(connection), connection:
                connection.text_factory = _decoded
                connection.set_progress_handler(lambda: time.monotonic() > late, _STEPS)
                connection.execute("PRAGMA trusted_schema = OFF")
                yield connection
        except sqlite3.Error as error:
            raise self._unusable(plain(str(error)), _TODO.get(_code(error), _MOVE_AWAY)) from error

    def _unusable(self, why: str, todo: str = _MOVE_AWAY) -> Refused:
        return Refused(
            Say("the audit log cannot be used ({why})", why=why),
            where=str(self.path),
            todo=Say("Memories are not affected; {todo}", todo=todo),
        )

    def _system_said_no(self, error: OSError) -> Refused:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return self._unusable(system_said(error), _TODO[sqlite3.SQLITE_FULL] if full else _MOVE_AWAY)

    def _look(self, *, make: bool) -> bool:
        """Whether there is a log that SQLite may open.

        Args:
            make: start one where there is none.

        Raises:
            Refused: something else stands in its place.
        """
        disk = self._folder.disk
        try:
            own = self._folder.open_folder(OWN_FOLDER)
        except FileNotFoundError:
            if make:
                raise self._unusable(Say("there is no folder for it")) from None
            return False
        except (OSError, Unreadable) as error:
            if isinstance(error, OSError) and error.errno not in (errno.ENOTDIR, errno.ELOOP):
                raise self._system_said_no(error) from error
            raise self._unusable(Say("{name} is not a folder of its own", name=OWN_FOLDER)) from error
        try:
            if make:
                with contextlib.suppress(FileExistsError):
                    shut(disk, disk.open(AUDIT_NAME, NEW_FLAGS, 0o600, dir_fd=own))
            found = self._is_file(own, AUDIT_NAME)
            if self._is_file(own, f"{AUDIT_NAME}-journal"):
                self._check_journal(own)
            if self._is_file(own, f"{AUDIT_NAME}-wal") or self._is_file(own, f"{AUDIT_NAME}-shm"):
                raise self._unusable(Say("it is in a mode that memtui does not use"))
        except OSError as error:
            raise self._system_said_no(error) from error
        finally:
            shut(disk, own)
        return found

    def _is_file(self, own: int, name: str) -> bool:
        try:
            info = self._folder.disk.lstat(name, dir_fd=own)
        except FileNotFoundError:
            return False
        if not stat.S_ISREG(info.st_mode):
            raise self._unusable(Say("{name} is not a regular file", name=name))
        return True

    def _check_journal(self, own: int) -> None:
        """See that the journal of an interrupted write is of this database alone (sqlite.org/fileformat2.html, §3)."""
        disk = self._folder.disk
        try:
            fd = disk.open(f"{AUDIT_NAME}-journal", READ_FLAGS, dir_fd=own)
        except FileNotFoundError:
            return
        try:
            size = disk.fstat(fd).st_size
            if size > len(_MAGIC) and disk.pread(fd, len(_MAGIC), size - len(_MAGIC)) == _MAGIC:
                raise self._unusable(Say("its journal names another file"))
        finally:
            shut(disk, fd)

    def _check_schema(self, db: sqlite3.Connection) -> bool:
        """Whether the database has our table; a new one has none yet."""
        found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
        if not _OURS.issuperset(found):
            raise self._unusable(Say("it is not a log of memtui's"))
        return bool(found)

    def add(self, row: AuditRow) -> None:
        """Append a row. The directory's ``.memtui`` folder must exist.

        Raises:
            Refused: the database is damaged, a stranger's, locked for long, or cannot be written.
        """
        self._look(make=True)
        with self._open("rw") as db:
            if not self._check_schema(db):
                db.execute(_SCHEMA)
            db.execute(
                "INSERT INTO agent_audit_log (at, tool_name, status, elapsed_ms, slug, actor, session_id, detail)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                astuple(row),
            )

    def rows(self, limit: int = 200) -> list[AuditRow]:
        """The newest rows first; empty where there is no log yet. A row with values of other kinds is left out.

        Raises:
            Refused: the database is damaged, a stranger's, or cannot be read.
        """
        if not self._look(make=False):
            return []
        with self._open("ro") as db:
            if not self._check_schema(db):
                return []
            found = db.execute(
                "SELECT at, substr(tool_name, 1, :most), substr(status, 1, :most), elapsed_ms, substr(slug, 1, :most),"
                " substr(actor, 1, :most), substr(session_id, 1, :most), substr(detail, 1, :most)"
                " FROM agent_audit_log ORDER BY id DESC LIMIT :limit",
                {"most": _MOST_CHARACTERS, "limit": limit},
            ).fetchall()
        return [AuditRow(*row) for row in found if _is_row(row)]


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _is_row(values: Sequence[object]) -> bool:
    at, tool, status, elapsed, slug, actor, session, detail = values
    return (
        all(isinstance(number, float) and 0 <= number < _MAX_NUMBER for number in (at, elapsed))
        and all(isinstance(text, str) for text in (tool, status, actor, detail))
        and all(text is None or isinstance(text, str) for text in (slug, session))
    )


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for an error that is Python's own."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
