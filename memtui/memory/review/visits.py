"""What a person had seen of a directory, kept in their own state folder: looking leaves no trace in the directory.

For every memory its digest and, within a bound, its text, so that what others changed or deleted can be shown against
it and taken back even if memtui never wrote that memory. The file is a head that names everything, and behind it the
texts one by one, each packed by itself: they are read as they lie and unpacked only where something is compared.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from memtui.memory.disk.state_files import put
from memtui.memory.index.places import Stood

MAX_KEPT_BYTES = 16 << 20
"""So many bytes of packed texts are kept for a directory (ours); of a memory beyond them only the digest is."""

_MAGIC = b"memtui seen 2\n"
_MAX_FILE = 64 << 20
_MAX_TEXT = 64 << 20
_DIGEST_DIGITS = 64
_LEVEL = 3
_SIZE_BYTES = 8


@dataclass(frozen=True, slots=True)
class Seen:
    """A memory as it was last seen.

    Attributes:
        digest: of its file.
        at: when, Unix seconds.
        packed: the bytes of its file, packed; None if they were too many to keep.
        mtime_ns: modification time of its file, nanoseconds since 1970; None if nobody kept it.
        stood: how it stood in the index; None if nobody kept it, or it had no line of its own there.
    """

    digest: str
    at: float
    packed: bytes | None = None
    mtime_ns: int | None = None
    stood: Stood | None = None

    @classmethod
    def of(
        cls,
        data: bytes,
        at: float,
        digest: str = "",
        *,
        mtime_ns: int | None = None,
        stood: Stood | None = None,
    ) -> Self:
        """A memory seen now; ``digest`` is that of ``data`` where it is known already."""
        return cls(digest or sha256(data).hexdigest(), at, zlib.compress(data, _LEVEL), mtime_ns, stood)

    @property
    def data(self) -> bytes | None:
        """The bytes of its file, unpacked at each call; None where they are not kept, or are not what they were."""
        if self.packed is None:
            return None
        try:
            data = zlib.decompressobj().decompress(self.packed, _MAX_TEXT)
        except zlib.error:
            return None
        return data if sha256(data).hexdigest() == self.digest else None


class Visits:
    """The file in the state folder for one directory."""

    def __init__(self, state_dir: Path, root: Path) -> None:
        """Name the file; nothing is read or made.

        Args:
            state_dir: the user's state folder for memtui.
            root: the memory directory.
        """
        self._root = os.path.realpath(root)
        name = sha256(os.fsencode(self._root)).hexdigest()[:24]
        self._path = state_dir / "visits" / f"{name}.seen"

    @property
    def stamp(self) -> tuple[int, int, int] | None:
        """What tells one state of the file from another; None where there is none."""
        try:
            info = self._path.stat()
        except OSError:
            return None
        return info.st_ino, info.st_mtime_ns, info.st_size

    def load(self, *, texts: bool = True) -> Mapping[str, Seen] | None:
        """What was seen, by path below the directory; None before the first visit, or if the file cannot be used.

        Args:
            texts: whether their texts are wanted, too: of ten thousand memories they are ten megabytes.
        """
        try:
            with self._path.open("rb") as stream:
                data = stream.read(_MAX_FILE + 1)
            if len(data) > _MAX_FILE or not data.startswith(_MAGIC):
                return None
            start = len(_MAGIC) + _SIZE_BYTES
            end = start + int.from_bytes(data[len(_MAGIC) : start])
            values = json.loads(zlib.decompressobj().decompress(data[start:end], _MAX_FILE))
            if values["root"] != os.fsencode(self._root).hex():
                return None
            return dict(_all_seen(values["seen"], memoryview(data)[end:], kept=texts))
        except (OSError, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def save(self, seen: Mapping[str, Seen]) -> None:
        """Keep what was seen, atomic.

        Raises:
            OSError: as the system says.
        """
        listed: dict[str, list[object]] = {}
        texts: list[bytes] = []
        for rel, each in _within(seen):
            size = None if each.packed is None else len(each.packed)
            listed[rel] = [each.digest, each.at, size, each.mtime_ns, each.stood]
            texts.append(each.packed or b"")
        values = {"root": os.fsencode(self._root).hex(), "seen": listed}
        head = zlib.compress(json.dumps(values).encode("ascii"), _LEVEL)
        put(self._path, b"".join((_MAGIC, len(head).to_bytes(_SIZE_BYTES), head, *texts)))


def _within(seen: Mapping[str, Seen]) -> Iterable[tuple[str, Seen]]:
    """Everything that was seen, the texts only as far as they fit, those seen last first."""
    room = MAX_KEPT_BYTES
    for rel, each in sorted(seen.items(), key=lambda item: (-item[1].at, item[0])):
        size = len(each.packed or b"")
        yield rel, each if size <= room else replace(each, packed=None)
        room -= min(size, room)


def _all_seen(values: Mapping[Any, Any], texts: memoryview, *, kept: bool) -> Iterator[tuple[str, Seen]]:
    at = 0
    for rel, value in values.items():
        digest, moment, size, *more = value
        mtime_ns, stood = more or (None, None)  # who saw it before these were kept has three values
        if not isinstance(mtime_ns, int | None) or not isinstance(stood, list | None):
            raise TypeError
        if len(_text(digest)) != _DIGEST_DIGITS or not isinstance(moment, int | float):
            raise ValueError
        packed = None
        if size is not None:
            if not isinstance(size, int) or not 0 <= size <= len(texts) - at:
                raise ValueError
            packed, at = bytes(texts[at : at + size]) if kept else None, at + size
        place = None if stood is None else _stood(*stood)
        yield _text(rel), Seen(digest, float(moment), packed, mtime_ns, place)


def _stood(line: object, above: object, below: object) -> Stood:
    beside = (None if each is None else _text(each) for each in (above, below))
    return Stood(_text(line), *beside)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
