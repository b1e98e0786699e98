"""How transcripts name the files of a memory directory."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memtui.memory.conventions import INDEX_NAME, TEAM_PREFIX

_NAME_RUN = re.compile(r"[A-Za-z0-9_.-]+")
_MOST_NAME = 500
_NAMED = re.compile(
    r"\[\[(?P<link>[^\[\]|#\n]{1,200})(?:[|#][^\[\]\n]{0,200})?\]\]|(?<![\w./-])(?P<file>(?:\./)?(?:[\w.-]{1,200}/)?[\w.-]{1,200}\.md)(?![A-Za-z0-9_])"
)


@dataclass(frozen=True, slots=True)
class Store:
    """A memory directory as transcripts name it.

    Attributes:
        names: its paths, without a final slash: as given, and without links.
        home: for paths that begin with ``~``.
        files: memories that are there, below the directory: what a text that names them may mean.
    """

    names: tuple[str, ...]
    home: str
    files: frozenset[str] = frozenset()

    @classmethod
    def of(cls, memory_dir: Path, home: Path) -> Store:
        """The directory at a path."""
        names = dict.fromkeys((str(memory_dir.absolute()), os.path.realpath(memory_dir)))
        return cls(tuple(name.rstrip("/") for name in names), str(home), frozenset(_memories(memory_dir)))

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


def _memories(memory_dir: Path) -> Iterator[str]:
    """The memories of a directory and of its team; none where it cannot be listed."""
    for folder in ("", f"{TEAM_PREFIX}"):
        with suppress(OSError):
            for name in os.listdir(memory_dir / folder):  # noqa: PTH208  -- names are all that is needed
                if name.endswith(".md") and name != INDEX_NAME:
                    yield f"{folder}{name}"


def named_in(text: str, files: frozenset[str]) -> Iterator[tuple[int, str]]:
    """The memories that a text names, each where it does so first: ``[[slug]]``, or the name of its file.

    Args:
        text: what an assistant said.
        files: the memories there are; names of anything else, such as a project's own ``README.md``, are passed over.
    """
    seen: set[str] = set()
    for match in _NAMED.finditer(text):
        written = match["link"] or match["file"]
        # Chinese runs on before a name: 见orders.md names orders.md.
        starts = [
            at for at in range(len(written)) if at == 0 or (match["file"] and not written[at - 1].isascii())
        ]
        names = (cited_name(written[at:]) for at in starts)
        name = next((each for each in names if each in files), None)
        if name is not None and name not in seen:
            seen.add(name)
            yield match.start(), name


def storable(text: str) -> str:
    """Text that every database takes: no lone surrogates, of bounded length."""
    return text[:_MOST_NAME].encode("utf-8", "replace").decode()


def cited_name(text: str) -> str:
    """A name in a citation as a file below the memory directory; empty if it cannot be one."""
    name = text.strip().removeprefix("./").removeprefix("memory/")
    if not name or "\0" in name or "\n" in name or name.startswith(("/", "..")):
        return ""
    return name if name.endswith(".md") else f"{name}.md"
