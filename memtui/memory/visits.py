"""What a person had seen of a directory, kept in their own state folder: looking leaves no trace in the directory.

For every memory its digest and, within a bound, its text, so that what others changed or deleted can be shown against
it and taken back even if memtui never wrote that memory.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

MAX_KEPT_BYTES = 16 << 20
"""So many bytes of texts are kept for a directory (ours); of a memory beyond them only the digest is."""

_FORMAT = 1
_MAX_FILE = 64 << 20
_DIGEST_DIGITS = 64


@dataclass(frozen=True, slots=True)
class Seen:
    """A memory as it was last seen.

    Attributes:
        digest: of its file.
        at: when, Unix seconds.
        data: the bytes of its file; None if they were too many to keep.
    """

    digest: str
    at: float
    data: bytes | None = None


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
        self._path = state_dir / "visits" / f"{name}.json.z"

    def load(self) -> Mapping[str, Seen] | None:
        """What was seen, by path below the directory; None before the first visit, or if the file cannot be used."""
        try:
            with self._path.open("rb") as stream:
                packed = stream.read(_MAX_FILE + 1)
            unpacking = zlib.decompressobj()
            text = unpacking.decompress(packed, _MAX_FILE)
            values = json.loads(text)
            if values["format"] != _FORMAT or values["root"] != os.fsencode(self._root).hex():
                return None
            return {_text(rel): _seen(each) for rel, each in values["seen"].items()}
        except (OSError, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def save(self, seen: Mapping[str, Seen]) -> None:
        """Keep what was seen, atomic.

        Raises:
            OSError: as the system says.
        """
        folder = self._path.parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        values = {
            "format": _FORMAT,
            "root": os.fsencode(self._root).hex(),
            "seen": {rel: _plain(each) for rel, each in _within(seen)},
        }
        temp = folder / f".{self._path.name}.{os.getpid()}.{os.urandom(4).hex()}"
        try:
            with os.fdopen(os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                stream.write(zlib.compress(json.dumps(values).encode("ascii"), 3))
                stream.flush()
                os.fsync(stream.fileno())
            temp.replace(self._path)
        except OSError:
            temp.unlink(missing_ok=True)
            raise


def _within(seen: Mapping[str, Seen]) -> Iterable[tuple[str, Seen]]:
    """Everything that was seen, the texts only as far as they fit, those seen last first."""
    room = MAX_KEPT_BYTES
    for rel, each in sorted(seen.items(), key=lambda item: (-item[1].at, item[0])):
        size = len(each.data or b"")
        yield rel, each if size <= room else Seen(each.digest, each.at)
        room -= min(size, room)


def _plain(seen: Seen) -> list[object]:
    return [seen.digest, seen.at, None if seen.data is None else base64.b64encode(seen.data).decode("ascii")]


def _seen(value: Any) -> Seen:  # noqa: ANN401  -- what JSON holds
    digest, at, data = value
    if len(_text(digest)) != _DIGEST_DIGITS or not isinstance(at, int | float):
        raise ValueError
    kept = None if data is None else base64.b64decode(_text(data), validate=True)
    return Seen(digest, float(at), kept if kept is None or sha256(kept).hexdigest() == digest else None)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
