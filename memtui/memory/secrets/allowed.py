"""The person's own list of secrets that are none, or that may be known: hashes in their state folder, no values.

One list serves warnings, checks, the block on the team, redaction and sync. It is never read from a memory directory or
a remote, for whoever writes those would let their own finds through.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

from memtui.memory.errors import Refused, UsageError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.wording.saying import Say, joined, system_said

ALLOWED_NAME = "allowed-secrets"
FINGERPRINT = 12
"""Characters of the hash that a message shows."""
MOST_BYTES = 1 << 20
"""A longer list is none of ours (ours)."""
_LINE = lazy_pattern(r"(?P<key>[0-9a-f]{64})(?: (?P<rule>[a-z0-9-]{1,60}))?(?: (?P<at>[0-9]{1,12}))?\s*")
_NOTHING: dict[str, Allowed] = {}


class Allowed(NamedTuple):
    """One value that is let through.

    Attributes:
        key: ``secret_hash`` of the value.
        rule: which rule had found it; empty if the list does not say.
        at: when it was allowed, Unix seconds; 0 if the list does not say.
    """

    key: str
    rule: str = ""
    at: float = 0.0

    @property
    def fingerprint(self) -> str:
        """What messages call it by."""
        return self.key[:FINGERPRINT]


class AllowedSecrets(Container[str]):
    """The list. Thread-safe; what another process adds is seen at the next question, and nothing is made before an `allow`.

    It holds a hash, and the fingerprint of one, for that is all a finding of the checks has.
    """

    def __init__(self, folder: Path | None) -> None:
        """Name the list; nothing is read.

        Args:
            folder: the person's state folder; None for an empty list.
        """
        self.path = None if folder is None else folder / ALLOWED_NAME
        self._lock = threading.Lock()
        self._stamp: tuple[int, int, int] | None = None
        self._rows: dict[str, Allowed] = _NOTHING
        self._short: frozenset[str] = frozenset()
        self._problem: Say | None = None

    def __contains__(self, key: object) -> bool:
        self._look()
        return key in self._rows or key in self._short

    def rows(self) -> tuple[Allowed, ...]:
        """What is allowed, in the order in which it was."""
        self._look()
        return tuple(self._rows.values())

    @property
    def problem(self) -> Say | None:
        """Why the list, or a line of it, does not count; None if all does."""
        self._look()
        return self._problem

    def allow(self, key: str, rule: str, at: float) -> bool:
        """Let a value through from now on; whether that is new.

        Args:
            key: ``secret_hash`` of it.
            rule: which rule found it.
            at: now, Unix seconds.

        Raises:
            Refused: the list cannot be written.
        """
        if key in {row.key for row in self.rows()}:
            return False
        row = f"{key} {rule} {int(at)}\n".encode("ascii")
        try:
            path = self._writable()
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
            with os.fdopen(fd, "ab") as stream:
                size = os.fstat(fd).st_size
                if size and path.read_bytes()[-1:] != b"\n":
                    row = b"\n" + row
                stream.write(row)
                stream.flush()
                os.fsync(fd)
        except OSError as error:
            raise self._refused(error) from error
        return True

    def disallow(self, fingerprint: str) -> Allowed:
        """Take a value off the list.

        Args:
            fingerprint: its first characters, six at least, or all of its hash.

        Raises:
            UsageError: nothing on the list begins so, or several do.
            Refused: the list cannot be written.
        """
        found = [row for row in self.rows() if len(fingerprint) >= 6 and row.key.startswith(fingerprint)]
        if len(found) != 1:
            known = joined([row.fingerprint for row in found or self.rows()], ", ") or Say("none")
            raise UsageError(
                Say("no one allowed value has the fingerprint {fingerprint!r}", fingerprint=fingerprint),
                todo=Say("Allowed are: {known}", known=known),
            )
        try:
            path = self._writable()
            lines = path.read_bytes().splitlines(keepends=True)
            left = b"".join(line for line in lines if not line.startswith(found[0].key.encode("ascii")))
            from memtui.memory.disk.state_files import put  # noqa: PLC0415 – few lists ever lose a line

            put(path, left)
        except OSError as error:
            raise self._refused(error) from error
        return found[0]

    def _writable(self) -> Path:
        if self.path is None:
            raise Refused("there is no folder to keep the list of allowed secrets in")
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self.path

    def _refused(self, error: OSError) -> Refused:
        return Refused(
            Say("the list of allowed secrets cannot be written: {reason}", reason=system_said(error)),
            where=str(self.path),
        )

    def _look(self) -> None:
        """Read the list if it became another one; a list that cannot be read allows nothing."""
        if self.path is None:
            return
        with self._lock:
            try:
                info = self.path.stat()
                stamp = (info.st_ino, info.st_size, info.st_mtime_ns)
                if stamp == self._stamp:
                    return
                with self.path.open("rb") as stream:
                    data = stream.read(MOST_BYTES + 1)
            except FileNotFoundError:
                self._take(None, b"")
            except OSError as error:
                self._take(None, b"")
                self._problem = Say(
                    "the list of allowed secrets cannot be read: {reason}", reason=system_said(error)
                )
            else:
                self._take(stamp, data)

    def _take(self, stamp: tuple[int, int, int] | None, data: bytes) -> None:
        self._stamp, self._problem = stamp, None
        rows: dict[str, Allowed] = {}
        lines = (
            data[: MOST_BYTES + 1].decode("utf-8", "replace").splitlines() if len(data) <= MOST_BYTES else []
        )
        if len(data) > MOST_BYTES:
            self._problem = Say("the list of allowed secrets is longer than {most:,} bytes", most=MOST_BYTES)
        for number, line in enumerate(lines, 1):
            match = _LINE.fullmatch(line)
            if match is not None:
                rows.setdefault(
                    match["key"], Allowed(match["key"], match["rule"] or "", float(match["at"] or 0))
                )
            elif line.strip() and not re.match(r"\s*#", line) and self._problem is None:
                self._problem = Say("line {line} of the list of allowed secrets says nothing", line=number)
        self._rows = rows
        self._short = frozenset(key[:FINGERPRINT] for key in rows)
