"""What was learned from transcripts, kept between runs: one SQLite file in the user's state folder.

It holds names, ids, counts, places and times; no text of a memory and nothing that anybody said. Transcripts are deleted
after some weeks; what they proved stays. The file is a cache: one that is damaged or of another version is made anew,
and where none can be kept, one in memory does for the run.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from memtui.claude.folders import TranscriptFile
from memtui.claude.receipts import Scan, ScanState
from memtui.claude.transcripts import Cursor

INDEX_FILE = "receipts.db"

_VERSION = 1
_BUSY_SECONDS = 2.0
_SCHEMA = """
CREATE TABLE files (
    id INTEGER PRIMARY KEY, store TEXT NOT NULL, path TEXT NOT NULL, session TEXT NOT NULL, agent TEXT NOT NULL,
    size INTEGER NOT NULL, offset INTEGER NOT NULL, number INTEGER NOT NULL, ino TEXT NOT NULL,
    head TEXT NOT NULL, head_size INTEGER NOT NULL, state TEXT NOT NULL, skipped INTEGER NOT NULL,
    started REAL, last REAL, cwd TEXT NOT NULL, version TEXT NOT NULL, tells INTEGER NOT NULL,
    UNIQUE (store, path));
CREATE TABLE indexes (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, rels TEXT NOT NULL);
CREATE TABLE receipts (
    store TEXT NOT NULL, key TEXT NOT NULL, file INTEGER NOT NULL, at REAL, cut INTEGER NOT NULL,
    loaded INTEGER NOT NULL, line INTEGER NOT NULL, PRIMARY KEY (store, key)) WITHOUT ROWID;
CREATE TABLE events (
    store TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, rel TEXT NOT NULL, file INTEGER NOT NULL, at REAL,
    line INTEGER NOT NULL, PRIMARY KEY (store, key, kind, rel)) WITHOUT ROWID;
CREATE TABLE claims (
    file INTEGER NOT NULL, line INTEGER NOT NULL, turn INTEGER NOT NULL, at REAL,
    PRIMARY KEY (file, line)) WITHOUT ROWID;
CREATE TABLE folders (
    store TEXT NOT NULL, path TEXT NOT NULL, belongs INTEGER NOT NULL, newest REAL NOT NULL,
    PRIMARY KEY (store, path)) WITHOUT ROWID;
"""

Trouble = Literal["", "rebuilt", "locked", "unusable"]
"""What is wrong with the file: it was ``rebuilt``; another process holds it (``locked``); it cannot be used at all."""


@dataclass(frozen=True, slots=True)
class Known:
    """How far a transcript was read.

    Attributes:
        cursor: where to go on.
        state: of the scan at that place.
        size: bytes the file had, if all of them were read.
    """

    cursor: Cursor
    state: ScanState
    size: int

    def is_current(self, file: TranscriptFile) -> bool:
        """Whether there is nothing new in it."""
        return self.cursor.ino == file.ino and self.size == file.size


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reading of a transcript brought.

    Attributes:
        file: the transcript.
        scan: what was found.
        before: the cursor that was known; None for a file that was not.
        after: where the reading ended.
        size: bytes the file had, less where it was not read to its end.
        restarted: whether the file is another one than the one known.
        skipped: lines that could not be read.
    """

    file: TranscriptFile
    scan: Scan
    before: Cursor | None
    after: Cursor
    size: int
    restarted: bool
    skipped: int


class UsageIndex:
    """The file, open. Closing it is up to the caller.

    Attributes:
        trouble: what is wrong with the file on disk, empty if nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self.trouble: Trouble = ""
        self._db = self._open(path)

    def _open(self, path: Path | None) -> sqlite3.Connection:
        if path is not None:
            for _ in range(2):
                try:
                    return self._opened(path)
                except (sqlite3.Error, OSError) as error:
                    if _held(error) or not self._discard(path):
                        self.trouble = "locked" if _held(error) else "unusable"
                        break
                    self.trouble = "rebuilt"
            else:
                self.trouble = "unusable"
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        memory.executescript(_SCHEMA)
        return memory

    @staticmethod
    def _opened(path: Path) -> sqlite3.Connection:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise OSError(0, "not a regular file")
        db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("BEGIN IMMEDIATE")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if version == 0 and tables == 0:
                for statement in _SCHEMA.split(";"):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {_VERSION}")
                path.chmod(0o600)
            elif version != _VERSION or db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("another version, or damaged")  # noqa: TRY301  -- one way out for both
            db.execute("COMMIT")
        except BaseException:
            db.close()
            raise
        return db

    @staticmethod
    def _discard(path: Path) -> bool:
        """Remove a file that is no index of ours; whether it went."""
        try:
            for name in (path, path.with_name(path.name + "-journal")):
                if name.is_symlink() or not (name.is_dir() or not name.exists()):
                    name.unlink()
        except OSError:
            return False
        return not path.exists()

    def go_on_without(self, error: sqlite3.Error) -> None:
        """Leave the file, and go on in memory with what it held, as far as that can still be read."""
        self.trouble = "locked" if _held(error) else "unusable"
        memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            self._db.backup(memory)
            memory.execute("SELECT id FROM files LIMIT 1")
        except sqlite3.Error:
            memory.close()
            memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            memory.executescript(_SCHEMA)
        self._db.close()
        self._db = memory

    def close(self) -> None:
        """Let the file go."""
        self._db.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Several changes as one, and nobody else's between them.

        Raises:
            sqlite3.Error: the file cannot be written; nothing was.
        """
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    # ------------------------------------------------------------------ transcripts

    def known(self, store: str) -> dict[str, Known]:
        """How far each transcript of a store was read, by its path."""
        rows = self._db.execute(
            "SELECT path, offset, number, ino, head, head_size, state, size FROM files WHERE store = ?",
            (store,),
        )
        return {
            path: Known(Cursor(offset, number, int(ino), head, head_size), ScanState.load(state), size)
            for path, offset, number, ino, head, head_size, state, size in rows
        }

    def keep(self, store: str, reading: Reading) -> bool:
        """Add what a reading proved; inside `writing`.

        Returns:
            Whether it was added: not where somebody else has read on meanwhile.
        """
        db, file, scan, after = self._db, reading.file, reading.scan, reading.after
        path, before = storable_path(file.path), reading.before
        row = db.execute(
            "SELECT id, offset, session FROM files WHERE store = ? AND path = ?", (store, path)
        ).fetchone()
        if (row[1] if row else None) != (before.offset if before else None):
            return False
        session = scan.session if file.session.startswith("agent-") and scan.session else file.session
        if row is not None and file.session.startswith("agent-") and not scan.session:
            session = row[2]
        db.execute(
            "INSERT INTO files (store, path, session, agent, size, offset, number, ino, head, head_size, state, skipped,"
            " started, last, cwd, version, tells) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (store, path) DO UPDATE SET session = excluded.session, size = excluded.size,"
            " offset = excluded.offset, number = excluded.number, ino = excluded.ino, head = excluded.head,"
            " head_size = excluded.head_size, state = excluded.state, skipped = skipped + excluded.skipped,"
            " started = min(ifnull(started, excluded.started), ifnull(excluded.started, started)),"
            " last = max(ifnull(last, excluded.last), ifnull(excluded.last, last)),"
            " cwd = CASE WHEN cwd = '' THEN excluded.cwd ELSE cwd END,"
            " version = CASE WHEN excluded.version = '' THEN version ELSE excluded.version END,"
            " tells = max(tells, excluded.tells)",
            (
                store, path, session, file.agent, reading.size, after.offset, after.number, str(after.ino), after.head,
                after.head_size, scan.state.dump(), reading.skipped, scan.started, scan.last, scan.cwd, scan.version, scan.tells,
            ),
        )  # fmt: skip
        number = db.execute("SELECT id FROM files WHERE store = ? AND path = ?", (store, path)).fetchone()[0]
        if reading.restarted:  # its lines are others
            db.execute("DELETE FROM claims WHERE file = ?", (number,))
        self._found(store, number, scan, prefix=f"{session}/")
        return True

    def _found(self, store: str, number: int, scan: Scan, *, prefix: str) -> None:
        db = self._db

        def key(text: str) -> str:
            return prefix + text if text.startswith("line ") else text

        for receipt in scan.receipts:
            db.execute(
                "INSERT OR IGNORE INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    store,
                    key(receipt.key),
                    number,
                    receipt.at,
                    receipt.cut,
                    self._loaded(receipt.rels),
                    receipt.line,
                ),
            )
        db.executemany(
            "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(store, key(e.key), e.kind, e.rel, number, e.at, e.line) for e in scan.events],
        )
        db.executemany(
            "INSERT OR IGNORE INTO claims VALUES (?, ?, ?, ?)",
            [(number, claim.line, turn, claim.at) for turn, claim in scan.claims],
        )
        db.executemany(
            "DELETE FROM claims WHERE file = ? AND turn = ?", [(number, turn) for turn in scan.quieted]
        )

    def _loaded(self, rels: Sequence[str]) -> int:
        text = json.dumps(rels)
        digest = sha256(text.encode()).hexdigest()
        self._db.execute("INSERT OR IGNORE INTO indexes (digest, rels) VALUES (?, ?)", (digest, text))
        number: int = self._db.execute("SELECT id FROM indexes WHERE digest = ?", (digest,)).fetchone()[0]
        return number

    # ------------------------------------------------------------------ folders

    def judged(self, store: str) -> dict[str, tuple[bool, float]]:
        """The folders that were looked at: whether they belong, and the time of the newest transcript then."""
        rows = self._db.execute("SELECT path, belongs, newest FROM folders WHERE store = ?", (store,))
        return {path: (bool(belongs), newest) for path, belongs, newest in rows}

    def judge(self, store: str, folder: Path, *, belongs: bool, newest: float) -> None:
        """Remember whether a folder belongs; inside `writing`."""
        self._db.execute(
            "INSERT OR REPLACE INTO folders VALUES (?, ?, ?, ?)",
            (store, storable_path(folder), belongs, newest),
        )

    # ------------------------------------------------------------------ what is known

    def rows(self, query: str, store: str) -> list[tuple[object, ...]]:
        """Rows of one of `memtui.claude.usage`'s queries about a store."""
        return self._db.execute(query, (store,)).fetchall()


def storable_path(path: Path) -> str:
    """A path as text that a database takes."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def _held(error: Exception) -> bool:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
