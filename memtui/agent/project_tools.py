"""``read_file``, ``grep`` and ``glob`` for a sub-agent: of one project, reading only, bounded, and without its secrets.

A path is looked up among the files that were listed below the root without following a link, so nothing outside can be
named. What leaves has been through ``redact``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from memtui.agent.extraction_words import extraction_words
from memtui.agent.llm import Tool
from memtui.agent.tool_schema import object_schema
from memtui.memory.checks.project_index import Budget, ProjectIndex
from memtui.memory.secrets.guard import redact
from memtui.memory.text import for_prompt, one_line, visible
from memtui.memory.types import Lang

MAX_FILE_BYTES = 256 << 10
"""Largest file that is read, bytes (ours)."""
MAX_SHOWN = 20_000
"""Most characters of one answer (ours)."""
MAX_LINES = 400
"""Most lines of a file in one answer (ours)."""
MAX_HITS = 100
"""Most lines that ``grep`` finds, and paths that ``glob`` lists (ours)."""
MAX_LINE = 300
"""Most characters of a line that ``grep`` found (ours)."""
SECONDS = 3.0
"""How long a search may take (ours)."""
TOTAL_BYTES = 32 << 20
"""Most bytes that a search reads (ours)."""

_MAX_PATTERN = 200
_GUARDED = (
    ".env*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
    ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", "credentials", "credentials.*", "secrets.*", "*.tfstate*",
)  # fmt: skip


class ToolText(NamedTuple):
    """What a tool answers.

    Attributes:
        text: for the model.
        failed: whether it did nothing.
        refused: whether it was asked for something it must not do.
    """

    text: str
    failed: bool = False
    refused: bool = False


class ProjectTools:
    """The three tools over one project; they change nothing and never raise for a call gone wrong."""

    def __init__(
        self,
        root: Path | None,
        lang: Lang,
        *,
        timer: Callable[[], float] = time.monotonic,
        allowed: Container[str] = frozenset(),
    ) -> None:
        """Name the project; nothing is read yet.

        Args:
            root: its root; None if nobody knows it.
            lang: language of the answers.
            timer: monotonic seconds.
            allowed: hashes of secrets that are let through.
        """
        self._allowed = allowed
        self._say = extraction_words(lang)
        self._timer = timer
        budget = Budget(total_bytes=TOTAL_BYTES, file_bytes=MAX_FILE_BYTES, seconds=SECONDS)
        self._index = None if root is None else ProjectIndex(root, clock=timer, budget=budget)
        self._calls: dict[str, Callable[[Mapping[str, Any]], ToolText]] = {
            "read_file": self._read_file,
            "grep": self._grep,
            "glob": self._glob,
        }

    def tools(self) -> tuple[Tool, ...]:
        """Their definitions."""
        say, text = self._say, {"type": "string"}
        return (
            Tool(
                "read_file",
                say.read_description,
                object_schema(
                    {
                        "path": {**text, "description": say.read_path},
                        "offset": {"type": "integer", "description": say.read_offset},
                    },
                    "path",
                ),
            ),
            Tool(
                "grep",
                say.grep_description,
                object_schema(
                    {
                        "pattern": {**text, "description": say.grep_pattern},
                        "glob": {**text, "description": say.grep_glob},
                    },
                    "pattern",
                ),
            ),
            Tool(
                "glob",
                say.glob_description,
                object_schema({"pattern": {**text, "description": say.glob_pattern}}, "pattern"),
            ),
        )

    def call(self, name: str, given: Mapping[str, Any]) -> ToolText | None:
        """Run one; None if it is none of the three.

        Args:
            name: which.
            given: its input, of any shape.
        """
        run = self._calls.get(name)
        if run is None:
            return None
        return ToolText(self._say.no_project, failed=True) if self._index is None else run(given)

    # -- the tools -------------------------------------------------------------------------------------------------

    def _read_file(self, given: Mapping[str, Any]) -> ToolText:
        say, path, offset = self._say, given.get("path"), given.get("offset", 1)
        if not isinstance(path, str) or not path.strip():
            return _bad(say.bad_input.format(parameter="path"))
        if isinstance(offset, bool) or not isinstance(offset, int) or offset < 1:
            return _bad(say.bad_input.format(parameter="offset"))
        rel = self._inside(path)
        if rel is None:
            return ToolText(say.outside.format(path=_shown(path)), failed=True, refused=True)
        size = self._files().get(rel)
        if size is None:
            return _bad(say.no_file.format(path=_shown(path)))
        if _is_guarded(rel):
            return ToolText(say.guarded.format(path=_shown(path)), failed=True, refused=True)
        if size < 0:
            return ToolText(say.link.format(path=_shown(path)), failed=True, refused=True)
        if size > MAX_FILE_BYTES:
            return _bad(say.too_large.format(path=_shown(path)))
        text = self._text(rel)
        if text is None:
            return _bad(say.no_text.format(path=_shown(path)))
        lines = text.splitlines()
        shown = "\n".join(lines[offset - 1 : offset - 1 + MAX_LINES])
        more = len(lines) > offset - 1 + MAX_LINES or len(shown) > MAX_SHOWN
        return ToolText(f"{shown[:MAX_SHOWN]}\n{say.more}" if more else shown or say.nothing_found)

    def _grep(self, given: Mapping[str, Any]) -> ToolText:
        say, pattern, glob = self._say, given.get("pattern"), given.get("glob", "")
        if not isinstance(pattern, str) or not pattern.strip() or len(pattern) > _MAX_PATTERN:
            return _bad(say.bad_input.format(parameter="pattern"))
        if not isinstance(glob, str) or len(glob) > _MAX_PATTERN:
            return _bad(say.bad_input.format(parameter="glob"))
        if glob and self._inside(glob) is None:
            return ToolText(say.outside.format(path=_shown(glob)), failed=True, refused=True)
        wanted, hits, left, late = pattern.casefold(), [], TOTAL_BYTES, self._timer() + SECONDS
        for rel, size in sorted(self._files().items()):
            if not 0 < size <= MAX_FILE_BYTES or _is_guarded(rel) or (glob and not _fits(rel, glob)):
                continue
            left -= size
            if left < 0 or self._timer() > late:
                hits.append(say.more)
                break
            hits += self._hits(rel, wanted)
            if len(hits) > MAX_HITS:
                hits[MAX_HITS:] = [say.more]
                break
        return ToolText("\n".join(hits)[:MAX_SHOWN] or say.nothing_found)

    def _hits(self, rel: str, wanted: str) -> list[str]:
        data = self._index.data(rel) if self._index else None
        if data is None or wanted not in data.decode("utf-8", "replace").casefold():
            return []
        lines = (self._text(rel) or "").splitlines()
        return [
            f"{_shown(rel)}:{number}: {line.strip()[:MAX_LINE]}"
            for number, line in enumerate(lines, start=1)
            if wanted in line.casefold()
        ]

    def _glob(self, given: Mapping[str, Any]) -> ToolText:
        say, pattern = self._say, given.get("pattern")
        if not isinstance(pattern, str) or not pattern.strip() or len(pattern) > _MAX_PATTERN:
            return _bad(say.bad_input.format(parameter="pattern"))
        if self._inside(pattern) is None:
            return ToolText(say.outside.format(path=_shown(pattern)), failed=True, refused=True)
        found = sorted(rel for rel in self._files() if _fits(rel, pattern))
        lines = [_shown(rel) for rel in found[:MAX_HITS]] + [say.more] * (len(found) > MAX_HITS)
        return ToolText("\n".join(lines) or say.nothing_found)

    # -- within ----------------------------------------------------------------------------------------------------

    def _files(self) -> Mapping[str, int]:
        return self._index.files() if self._index else {}

    def _inside(self, path: str) -> str | None:
        """A path as one below the root; None where it leads out."""
        root = str(self._index.root) if self._index else ""
        if "\0" in path or path.startswith("~"):
            return None
        full = os.path.normpath(os.path.join(root, path))  # noqa: PTH118  -- names only, nothing is looked up
        if full == root:
            return "."
        return full.removeprefix(f"{root}/") if full.startswith(f"{root}/") else None

    def _text(self, rel: str) -> str | None:
        """A file's text, its secrets taken out before anything is cut; None if it is no text."""
        data = self._index.data(rel) if self._index else None
        if data is None or b"\0" in data[:8192]:
            return None
        return for_prompt(redact(data.decode("utf-8", "replace"), allowed=self._allowed))


def _fits(rel: str, pattern: str) -> bool:
    """Whether a path fits, generously: ``*`` goes over folders too, and a pattern without one fits names anywhere."""
    pattern = pattern.removeprefix("./")
    shorter = pattern.replace("**/", "")
    return (
        fnmatchcase(rel, pattern)
        or fnmatchcase(rel, shorter)
        or ("/" not in shorter and fnmatchcase(rel.rpartition("/")[2], shorter))
    )


def _is_guarded(rel: str) -> bool:
    name = rel.rpartition("/")[2].lower()
    return any(fnmatchcase(name, pattern) for pattern in _GUARDED)


def _bad(text: str) -> ToolText:
    return ToolText(text, failed=True)


def _shown(name: str) -> str:
    return for_prompt(visible(redact(one_line(name))))[:200]
