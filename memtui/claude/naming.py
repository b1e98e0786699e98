"""How transcripts name the files of a memory directory."""

from __future__ import annotations

import os
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

_NAME_RUN = re.compile(r"[A-Za-z0-9_.-]+")
_MOST_NAME = 500


@dataclass(frozen=True, slots=True)
class Store:
    """A memory directory as transcripts name it.

    Attributes:
        names: its paths, without a final slash: as given, and without links.
        home: for paths that begin with ``~``.
    """

    names: tuple[str, ...]
    home: str

    @classmethod
    def of(cls, memory_dir: Path, home: Path) -> Store:
        """The directory at a path."""
        names = dict.fromkeys((str(memory_dir.absolute()), os.path.realpath(memory_dir)))
        return cls(tuple(name.rstrip("/") for name in names), str(home))

    def rel(self, path: object) -> str | None:
        """The Markdown file that a path in a transcript means, below the directory; None if it is none of it."""
        if not isinstance(path, str) or len(path) > 4 * _MOST_NAME or not path.endswith(".md"):
            return None
        if path.startswith("~/"):
            path = f"{self.home}{path[1:]}"
        path = posixpath.normpath(path)
        for name in self.names:
            if path.startswith(f"{name}/"):
                return storable(path[len(name) + 1 :])
        return None

    def marks(self) -> tuple[bytes, ...] | None:
        """Bytes one of which stands in every line that names a file of the directory; None if there are none such."""
        found = []
        for name in self.names:
            runs = [run for part in name.split("/")[-3:] for run in _NAME_RUN.findall(part)]
            best = max(runs, key=len, default="")
            if len(best) < 3:
                return None
            found.append(best.encode())
        return tuple(dict.fromkeys(found))


def storable(text: str) -> str:
    """Text that every database takes: no lone surrogates, of bounded length."""
    return text[:_MOST_NAME].encode("utf-8", "replace").decode()


def cited_name(text: str) -> str:
    """A name in a citation as a file below the memory directory; empty if it cannot be one."""
    name = text.strip().removeprefix("./").removeprefix("memory/")
    if not name or "\0" in name or "\n" in name or name.startswith(("/", "..")):
        return ""
    return name if name.endswith(".md") else f"{name}.md"
