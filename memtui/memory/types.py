"""What a memory is: its type, its status, and one entry as read from a file."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, StrEnum
from pathlib import Path
from typing import Literal, NamedTuple, Self

Clock = Callable[[], float]
"""Gives the time in Unix seconds. Always passed in, so that a view "as of" any day is the same code."""

Lang = Literal["zh", "en"]
"""Language of everything that goes into a prompt or a message."""

Scope = Literal["private", "team"]


class MemoryType(StrEnum):
    """The four kinds of memory (seed)."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"

    @classmethod
    def parse(cls, text: str | None) -> MemoryType | None:
        """The type a text names, or None for a missing or unknown one: real files hold both (spec §3)."""
        return _TYPES.get(text or "") or _TYPES.get((text or "").strip().lower())


_TYPES = {str(kind): kind for kind in MemoryType}


class Active:
    """The version in force."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Active)

    def __hash__(self) -> int:
        return hash(Active)

    def __repr__(self) -> str:
        return "Active()"


class Historical(NamedTuple):
    """A superseded version, kept for ever.

    Attributes:
        superseded_by: slug of the memory that took its place; None if the file does not say.
    """

    superseded_by: str | None = None


MemoryStatus = Active | Historical
"""Whether a memory is in force, ``Active()``, or which one took its place, ``Historical(superseded_by)``."""
ACTIVE = Active()


class Severity(Enum):
    """How much a problem or finding matters; the value sorts worst first."""

    ERROR = 0
    WARNING = 1
    NOTE = 2


class Problem(NamedTuple):
    """Something odd about one file, found while reading it. The file is listed all the same.

    Attributes:
        code: stable kebab-case name, e.g. ``unclosed-header``, ``duplicate-key``, ``invalid-yaml``, ``too-large``.
        message: one sentence for a person, in English; screens and commands show it through ``visible``.
        line: 1-based line in the file, or None if it is about the whole file.
        severity: ``NOTE`` for what is read as meant anyway (a BOM, CRLF), ``WARNING`` for what may be misread,
            ``ERROR`` for a file that could not be read as a memory.
    """

    code: str
    message: str
    line: int | None = None
    severity: Severity = Severity.WARNING


class _Stored(NamedTuple):
    """What is kept of an entry; see `MemoryEntry`.

    A file's bytes are kept once, as they are: as text most would take more, and few are looked at. What follows from
    the rest is made when it is asked for.

    Attributes:
        data: the bytes of the file; a text for an entry that was made from one, or could not be read.
        start: where ``content`` starts in it.
        root: the memory directory; None where ``file`` tells the path.
        file: the path; None where it follows from ``root``.
        told: the digest; None where it follows from ``data``.
    """

    slug: str
    name: str
    description: str
    memory_type: MemoryType | None
    mtime: float
    data: bytes | str
    start: int
    root: Path | None
    file: Path | None
    status: MemoryStatus
    modified: float
    type_text: str | None
    told: str | None
    size: int
    body_line: int
    scope: Scope
    problems: tuple[Problem, ...]
    origin: str | None
    aside: bool


class MemoryEntry(_Stored):
    """One memory file as read. Nothing in it ever changes; ``_replace`` gives another one.

    Attributes:
        slug: path below the memory directory without ``.md``, with ``/`` between folders.
        name: title; the slug's last part where the file gives none.
        description: one line used to decide when to load it; may be empty.
        memory_type: one of the four, or None if missing or unknown.
        mtime: the file's modification time, Unix seconds.
        content: the body without frontmatter, newlines as in the file.
        path: the full path.
        status: ``Active`` or ``Historical``.
        modified: effective time in Unix seconds (spec §3): the frontmatter's ``modified`` where it parses, else
            mtime. It may lie in the future; functions of time treat that as now.
        type_text: the type as written in the file, None where there is none.
        digest: SHA-256 of the file's bytes, hex: what an edit is based on.
        size: bytes of the file.
        body_line: 1-based line of the file on which ``content`` starts.
        scope: ``team`` below ``team/``, else ``private``.
        problems: what was odd while reading.
        origin: session id that wrote it, where the file says so (``originSessionId``).
        aside: whether the file stands in ``.memtui/history/``, which makes it an old version whatever it says.
    """

    __slots__ = ()

    def __new__(
        cls,
        slug: str,
        name: str,
        description: str,
        memory_type: MemoryType | None,
        mtime: float,
        content: str,
        path: Path,
        status: MemoryStatus,
        modified: float,
        type_text: str | None = None,
        digest: str = "",
        size: int = 0,
        body_line: int = 1,
        scope: Scope = "private",
        problems: tuple[Problem, ...] = (),
        origin: str | None = None,
        aside: bool = False,
    ) -> Self:
        """An entry from a text instead of a file; see ``memory.document.entries`` for those."""
        return cls._make(
            (
                slug,
                name,
                description,
                memory_type,
                mtime,
                content,
                0,
                None,
                path,
                status,
                modified,
                type_text,
                digest,
                size,
                body_line,
                scope,
                problems,
                origin,
                aside,
            )
        )

    def __repr__(self) -> str:
        return f"MemoryEntry({self.rel!r})"

    @property
    def content(self) -> str:
        """The body, made at each call: whoever needs it twice keeps it."""
        data, start = self.data, self.start
        if isinstance(data, str):
            return data[start:]
        return data[start:].decode("utf-8", "surrogateescape")

    def at_hand(self) -> Self:
        """The same memory with its text made once, for whoever asks for it many times; not for keeping, and without digest."""
        if isinstance(self.data, str) and not self.start:
            return self
        return self._replace(data=self.content, start=0)

    @property
    def digest(self) -> str:
        """SHA-256 of the file's bytes, hex, made at each call; empty where there is no file, or it was not read."""
        if self.told is not None or isinstance(self.data, str):
            return self.told or ""
        from hashlib import sha256  # noqa: PLC0415 – OpenSSL takes long to load, and who only looks needs no digest

        return sha256(self.data).hexdigest()

    @property
    def path(self) -> Path:
        """The full path."""
        return self.file or Path(self.root or "", self.rel)

    @property
    def is_active(self) -> bool:
        """Whether this is a version in force."""
        return isinstance(self.status, Active)

    @property
    def is_readable(self) -> bool:
        """Whether it could be read as a memory; what could not is listed, but has no part in reminders or new index lines."""
        return all(problem.severity is not Severity.ERROR for problem in self.problems)

    @property
    def superseded_by(self) -> str | None:
        """Slug of the memory that took its place, if any."""
        return self.status.superseded_by if isinstance(self.status, Historical) else None

    @property
    def rel(self) -> str:
        """Path below the memory directory, e.g. ``sub/a.md``."""
        return f".memtui/history/{self.slug}.md" if self.aside else f"{self.slug}.md"
