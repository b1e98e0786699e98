"""What a project holds, as far as claims ask: its paths and the words of its files (spec §10).

Read-only and bounded. Links are never followed, so nothing outside the root is looked at. Files are listed once and read
once, when first needed; one index serves all memories of a directory.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from memtui.memory.checks.claim_words import SOURCE_ENDINGS, ending_of

_SKIPPED = frozenset(
    [
        *(
            ".git",
            ".hg",
            ".svn",
            ".jj",
            ".memtui",
            ".claude",
            ".venv",
            "venv",
            "virtualenv",
            "node_modules",
            "bower_components",
        ),
        *(
            "__pycache__",
            ".tox",
            ".nox",
            ".mypy_cache",
            ".ruff_cache",
            ".pytest_cache",
            ".hypothesis",
            ".cache",
            ".idea",
        ),
        *(
            ".gradle",
            ".terraform",
            ".next",
            ".nuxt",
            ".svelte-kit",
            ".turbo",
            ".parcel-cache",
            "site-packages",
            ".eggs",
        ),
    ],
)
_BINARY_ENDINGS = frozenset(
    [
        *(
            "png",
            "jpg",
            "jpeg",
            "gif",
            "webp",
            "ico",
            "bmp",
            "pdf",
            "zip",
            "gz",
            "tgz",
            "xz",
            "bz2",
            "zst",
            "7z",
            "jar",
            "war",
        ),
        *(
            "so",
            "dylib",
            "dll",
            "exe",
            "o",
            "a",
            "lib",
            "class",
            "pyc",
            "pyd",
            "wasm",
            "woff",
            "woff2",
            "ttf",
            "otf",
            "eot",
        ),
        *(
            "mp3",
            "mp4",
            "mov",
            "avi",
            "wav",
            "ogg",
            "sqlite",
            "sqlite3",
            "db",
            "parquet",
            "npy",
            "npz",
            "pt",
            "onnx",
            "bin",
        ),
    ],
)
_DOCUMENT_ENDINGS = frozenset(
    ["md", "mdx", "rst", "adoc", "txt", "log", "svg", "csv", "tsv", "jsonl", "ipynb"]
)
_WORD = re.compile(rb"[A-Za-z_$][A-Za-z0-9_$]*")
_OPTION = re.compile(rb"--[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")
_QUOTED_OPTION = re.compile(rb"""["']([a-z][a-z0-9]*(?:-[a-z0-9]+)+)["']""")
_DEFINED = re.compile(
    rb"\b(?:class|struct|enum|union|trait|interface|type|impl|object|record|protocol|module|namespace|const|let|var)\s+"
    rb"([A-Za-z_$][A-Za-z0-9_$]*)",
)
_MAX_LINKS = 20
_MAX_DEPTH = 64  # the walk recurses, and holds a descriptor for each level
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class Budget(NamedTuple):
    """How much of a project may be looked at (ours). What lies beyond is unknown, not missing.

    Attributes:
        files: files listed.
        total_bytes: bytes read.
        file_bytes: size above which one file is not read.
        seconds: time for listing, and again for reading.
    """

    files: int = 50_000
    total_bytes: int = 64 << 20
    file_bytes: int = 4 << 20
    seconds: float = 3.0


DEFAULT_BUDGET = Budget()


class ProjectIndex:
    """Paths and words of one project, as they were when first asked for. Make a new one to look again.

    Not safe for several threads at once.

    Args:
        root: the project's root. Links in the way to it are followed, links below it are not.
        clock: monotonic seconds, for the time budget.
        budget: how much may be looked at.
        skip: folders below the root that are no source, such as the memory directory itself.
    """

    def __init__(
        self,
        root: Path,
        *,
        clock: Callable[[], float],
        budget: Budget = DEFAULT_BUDGET,
        skip: Iterable[Path] = (),
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self._clock = clock
        self._budget = budget
        self._skip = {os.path.realpath(path) for path in skip}
        self._files: dict[str, int] | None = None  # rel -> size; links have -1: they exist and are not read
        self._folders: set[str] = set()
        self._by_name: dict[str, list[str]] = {}
        self._folded: set[str] = set()
        self._ignored: tuple[str, ...] = ()
        self._code_words: set[bytes] | None = None
        self._other_words: set[bytes] = set()
        self._defined: set[bytes] = set()
        self._by_stem: dict[str, list[str]] = {}
        self._folder_names: set[str] = set()
        self._endings: set[str] = set()
        self._listed_all = True
        self._read_all = True

    # --- paths

    @property
    def listed_all(self) -> bool:
        """Whether every folder could be listed within the budget."""
        self._list()
        return self._listed_all

    def is_folder_name(self, name: str) -> bool:
        """Whether some folder of the project has this name."""
        self._list()
        return name in self._folder_names

    def has_ending(self, ending: str) -> bool:
        """Whether some file of the project has this ending."""
        self._list()
        return ending in self._endings

    def is_ignored(self, rel: str) -> bool:
        """Whether the root's ``.gitignore`` covers a path, read generously: what may be ignored counts as ignored."""
        self._list()
        parts = rel.strip("/").split("/")
        heads = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        return any(fnmatchcase(text, pattern) for pattern in self._ignored for text in (*parts, *heads))

    def files(self) -> Mapping[str, int]:
        """The files, by relative path, with their bytes; links, pipes and the like have -1: they are not read."""
        self._list()
        return self._files or {}

    def data(self, rel: str) -> bytes | None:
        """A listed file's bytes, up to the budget's size for one file; None where it is not listed or not readable."""
        return self._read(rel) if self.files().get(rel, -1) >= 0 else None

    def has_path(self, rel: str) -> bool | None:
        """Whether a relative path stands below the root, or ends the path of a known file or folder there.

        Returns:
            None if a link on the way leads outside: nobody looks there.
        """
        wanted = rel.strip("/")
        stands = self._stands(wanted)
        if stands is not False:
            return stands
        self._list()
        tail = f"/{wanted}"
        name = wanted.rpartition("/")[2]
        if any(known == wanted or known.endswith(tail) for known in self._by_name.get(name, ())):
            return True
        if "." in name.strip("."):
            return False
        # `src/components/Button` is how `Button.tsx` is named where it is imported.
        stems = (known.rpartition(".")[0] for known in self._by_stem.get(name, ()))
        return any(stem == wanted or stem.endswith(tail) for stem in stems)

    def has_like(self, rel: str) -> bool:
        """Whether a known path is the same but for case."""
        self._list()
        return rel.strip("/").casefold() in self._folded

    def _stands(self, rel: str) -> bool | None:
        """Whether a path stands below the root as named, also in folders that are not listed; None if it leads out."""
        todo = rel.split("/")[::-1]
        path, hops = self.root, 0
        while todo:
            path = Path(os.path.normpath(path / todo.pop()))
            if not path.is_relative_to(self.root):
                return None
            try:
                if stat.S_ISLNK(os.lstat(path).st_mode):
                    hops += 1
                    target = os.path.normpath(path.parent / path.readlink())
                    if hops > _MAX_LINKS or not Path(target).is_relative_to(self.root):
                        return None
                    todo += Path(target).relative_to(self.root).parts[::-1]
                    path = self.root
            except (OSError, ValueError):  # ValueError: a NUL in the name
                return False
        return True

    def _list(self) -> None:
        if self._files is not None:
            return
        self._files = {}
        deadline = self._clock() + self._budget.seconds
        for folder, names, files, descriptor in self._walk():
            prefix = os.path.relpath(folder, self.root)
            prefix = "" if prefix == "." else f"{prefix}/"
            names[:] = sorted(
                n for n in names if n not in _SKIPPED and f"{self.root}/{prefix}{n}" not in self._skip
            )
            if prefix.count("/") >= _MAX_DEPTH:
                self._listed_all = self._listed_all and not names
                names.clear()
            self._folders.update(f"{prefix}{name}" for name in names)
            for name in sorted(files):
                self._files[f"{prefix}{name}"] = self._size(name, descriptor)
            if len(self._files) > self._budget.files or self._clock() > deadline:
                self._listed_all = False
                break
        self._arrange()
        self._ignored = tuple(self._gitignore())

    def _walk(self) -> Iterator[tuple[str, list[str], list[str], int]]:
        """``os.fwalk``, which raises for the root what it reports for every other folder."""

        def failed(_error: OSError) -> None:
            self._listed_all = False

        try:
            yield from os.fwalk(self.root, onerror=failed)
        except OSError as error:
            failed(error)

    def _size(self, name: str, folder: int) -> int:
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return -1
        return found.st_size if stat.S_ISREG(found.st_mode) else -1

    def _arrange(self) -> None:
        for rel in (*(self._files or ()), *self._folders):
            name = rel.rpartition("/")[2]
            self._by_name.setdefault(name, []).append(rel)
            self._by_stem.setdefault(name.rpartition(".")[0], []).append(rel)
            self._folded.add(rel.casefold())
        self._folder_names = {rel.rpartition("/")[2] for rel in self._folders} | {self.root.name}
        self._endings = {ending_of(rel) for rel in self._files or ()}

    def _gitignore(self) -> Iterator[str]:
        data = self._read(".gitignore") if ".gitignore" in (self._files or {}) else None
        for line in (data or b"").decode("utf-8", "replace").splitlines():
            pattern = line.strip().removeprefix("**/").strip("/")
            if pattern and not pattern.startswith(("#", "!")) and pattern.strip("*"):
                yield pattern

    # --- words

    def has_word(self, word: str) -> bool | None:
        """Whether an identifier or an option (``--name``) stands in the project's code.

        Returns:
            None if it stands only in documents, or if not all could be read.
        """
        self._read_words()
        key = word.encode("utf-8", "surrogatepass")
        if self._code_words is not None and key in self._code_words:
            return True
        return None if key in self._other_words or not self._read_all else False

    def defines(self, name: str) -> bool:
        """Whether the project itself defines a class, type or constant of this name, or has a module called so."""
        self._read_words()
        return name.encode("utf-8", "surrogatepass") in self._defined or name in self._by_stem

    def _read_words(self) -> None:
        if self._code_words is not None:
            return
        self._list()
        self._read_all = self._listed_all
        self._code_words = set()
        deadline = self._clock() + self._budget.seconds
        left = self._budget.total_bytes
        by_ending = sorted(
            (self._files or {}).items(), key=lambda item: ending_of(item[0]) not in SOURCE_ENDINGS
        )
        for rel, size in by_ending:
            ending = ending_of(rel)
            if size <= 0 or ending in _BINARY_ENDINGS:
                continue
            too_much = size > self._budget.file_bytes or size > left or self._clock() > deadline
            data = None if too_much else self._read(rel)
            left -= len(data or b"")
            if data is None:
                self._read_all = self._read_all and ending not in SOURCE_ENDINGS
            elif b"\0" not in data[:8192]:
                self._take_words(data, self._other_words if ending in _DOCUMENT_ENDINGS else self._code_words)

    def _take_words(self, data: bytes, words: set[bytes]) -> None:
        words.update(_WORD.findall(data))
        if b"--" in data:
            words.update(_OPTION.findall(data))
        if words is self._code_words:
            words.update(_QUOTED_OPTION.findall(data))
            self._defined.update(_DEFINED.findall(data))

    def _read(self, rel: str) -> bytes | None:
        """A listed file's bytes, up to the size cap; None if it cannot be read or is no file inside the root any more."""
        parts = rel.split("/")
        folder = -1
        try:
            folder = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            for part in parts[:-1]:
                inner = os.open(
                    part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder
                )
                os.close(folder)
                folder = inner
            descriptor = os.open(parts[-1], _READ_FLAGS, dir_fd=folder)
            with open(descriptor, "rb", closefd=True) as file:  # noqa: PTH123 - from a descriptor that followed no link
                return (
                    file.read(self._budget.file_bytes) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
                )
        except OSError:
            return None
        finally:
            if folder >= 0:
                os.close(folder)
