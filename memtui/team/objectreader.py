"""What lies in a bare repository of ours, read: references, trees, objects, each asked of git and remembered."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.memory.lazy import lazy_pattern
from memtui.memory.wording.saying import Say
from memtui.team.failures import TeamError
from memtui.team.git import MAX_OUTPUT, Call, Done, Git, TooMuchError, lines
from memtui.team.objects import FOLDER, CrowdedError, Entry, parse_tree

MAX_DEPTH = 4
"""Folders within folders that are opened (ours)."""
MAX_ENTRIES = 25_000
"""Names of a tree that are looked at (ours)."""
MAX_TREE_BYTES = 16 << 20
"""Largest single folder that is opened, bytes of its tree object (ours)."""
READ_AT_ONCE = 16 << 20
"""Bytes of files that are read in one go (ours)."""

_KEPT_TREES = 16
_KEPT_FOLDERS = 4_000
_KEPT_BYTES = 8 << 20
_HEADS = 200
_OID = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")


class ObjectReader:
    """Reads one bare repository. Making one runs and reads nothing; its methods may be called from any thread.

    Attributes:
        path: where it lies.
    """

    def __init__(self, git: Git, path: Path) -> None:
        self._git = git
        self.path = path
        self._here = threading.local()
        self._mutex = threading.RLock()
        self._trees: dict[str, list[tuple[str, Entry]]] = {}
        self._whole: dict[str, dict[str, Entry]] = {}
        self._blobs: dict[str, bytes] = {}
        self._algorithm: str | None = None
        self._there: set[str] = set()

    @property
    def inherit(self) -> int | None:
        """An open lock that git holds with this thread, see `Call`."""
        return getattr(self._here, "inherit", None)

    @inherit.setter
    def inherit(self, handle: int | None) -> None:
        self._here.inherit = handle

    @property
    def algorithm(self) -> str:
        """What its objects are named by."""
        if self._algorithm is None:
            try:
                said = (self.path / "config").read_text("utf-8", "replace").lower()
            except OSError:
                said = ""
            self._algorithm = "sha256" if re.search(r"objectformat\s*=\s*\"?sha256", said) else "sha1"
        return self._algorithm

    def have(self, oids: Iterable[str]) -> bool:
        """Whether all of these objects are there; what once was is not looked for again."""
        wanted = {oid for oid in oids if oid not in self._there}
        if not all(map(_OID.match, wanted)) or len(self.sizes(wanted)) < len(wanted):
            return False
        self._there |= wanted
        return True

    def ref(self, name: str) -> str | None:
        """The commit a reference stands for."""
        loose = self._loose(name)
        if loose is not None:
            return loose
        said = self._run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", fine=(0, 1, 128))
        return said.out.decode("ascii").strip() or None if said.code == 0 else None

    def _loose(self, name: str) -> str | None:
        """The same where git has written it into a file of its own, as it does; None where it has not."""
        try:
            said = (self.path / name).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return said if _OID.match(said) else None

    def tree(self, commit: str | None, *, most: int | None = None) -> dict[str, Entry]:
        """Everything a commit holds, by path; nothing for None.

        Folders deeper than `MAX_DEPTH`, too large ones, and those after `MAX_ENTRIES` names are not opened: they
        stand in the result themselves, as empty ones do.

        Args:
            commit: which one.
            most: so many names its root may have, and no more are read; None for any number, as one of ours may have.

        Raises:
            TeamError: ``too-much`` if it has more; or the commit is not there.
        """
        if commit is None:
            return {}
        with self._mutex:
            known = self._whole.get(commit)
            if known is None:
                if len(self._whole) >= _KEPT_TREES:
                    self._whole.clear()
                known = self._whole[commit] = self._tree(commit, most)
            return dict(known)

    def _tree(self, commit: str, most: int | None) -> dict[str, Entry]:
        root = self._root(commit, most)
        leaves: dict[str, Entry] = {}
        level = [("", Entry(FOLDER, root))]
        for depth in range(MAX_DEPTH + 1):
            if depth:
                self._open_trees([entry.oid for _, entry in level])
            below: list[tuple[str, Entry]] = []
            for path, entry in level:
                children = self._trees.get(entry.oid)
                if children is None or not children:
                    if path:
                        leaves[path] = entry
                    elif children is None:
                        raise TeamError(
                            "failed", detail=Say("a tree of the commit is damaged"), where=str(self.path)
                        )
                    continue
                if len(leaves) + len(below) + len(children) > MAX_ENTRIES and path:
                    leaves[path] = entry
                    continue
                for name, child in children:
                    full = f"{path}/{name}" if path else name
                    if child.is_folder and depth < MAX_DEPTH:
                        below.append((full, child))
                    else:
                        leaves[full] = child
            level = below
        return leaves

    def _root(self, commit: str, most: int | None) -> str:
        """The name of a commit's root, once it is read."""
        if len(self._trees) > _KEPT_FOLDERS:
            self._trees.clear()
        for oid, data in self._read([f"{commit}^{{tree}}"], MAX_TREE_BYTES):
            if oid not in self._trees:
                try:
                    self._trees[oid] = parse_tree(data, digits=len(oid), most=most)
                except CrowdedError:
                    raise TeamError("too-much") from None
                except ValueError:
                    pass  # told by who needs it
            return oid
        if self.sizes([commit]):
            raise TeamError("too-much")
        raise TeamError("failed", detail=Say("a commit is not there"), where=str(self.path))

    def _open_trees(self, oids: Iterable[str]) -> None:
        """Read folders, as far as they are not known; one that has too many names stays closed."""
        new = [oid for oid in dict.fromkeys(oids) if oid not in self._trees]
        for oid, data in self._read(new, MAX_TREE_BYTES):
            with contextlib.suppress(ValueError):
                self._trees[oid] = parse_tree(data, digits=len(oid), most=MAX_ENTRIES)

    def sizes(self, oids: Iterable[str]) -> dict[str, int]:
        """Bytes of objects; those that are not there are left out."""
        wanted = list(dict.fromkeys(oids))
        sized = self._sized(wanted) if wanted else []
        return {oid: size for oid, size in zip(wanted, sized, strict=True) if size is not None}

    def blobs(self, oids: Iterable[str], *, most: int) -> dict[str, bytes]:
        """Contents of objects; those that are larger than ``most`` bytes, or are not there, are left out."""
        wanted = list(dict.fromkeys(oids))
        with self._mutex:
            found = {oid: self._blobs[oid] for oid in wanted if oid in self._blobs}
            new = dict(self._read([oid for oid in wanted if oid not in found], most))
            if sum(map(len, new.values())) <= _KEPT_BYTES:
                if sum(map(len, self._blobs.values())) > _KEPT_BYTES:
                    self._blobs.clear()
                self._blobs |= new
        return {oid: data for oid, data in (found | new).items() if len(data) <= most}

    def _read(self, names: Sequence[str], most: int) -> Iterable[tuple[str, bytes]]:
        """Objects by name, each with what it is really called; too large ones and those not there are left out.

        Nearly always all fit into one answer, so that is tried first; else git is asked how large each is.
        """
        if not names:
            return
        try:
            answer = self._asked(names)
        except TooMuchError:
            pass
        else:
            yield from ((oid, data) for oid, data in answer if len(data) <= most)
            return
        chunk: list[str] = []
        total = 0
        for name, size in zip(names, self._sized(names), strict=True):
            if size is None or size > most:
                continue
            if total + size > READ_AT_ONCE and chunk:
                yield from self._asked(chunk, max(READ_AT_ONCE, total))
                chunk, total = [], 0
            chunk.append(name)
            total += size
        if chunk:
            yield from self._asked(chunk, max(READ_AT_ONCE, total))

    def _asked(self, names: Sequence[str], most: int = READ_AT_ONCE) -> list[tuple[str, bytes]]:
        asked = "".join(f"{name}\n" for name in names).encode()
        said = self._run("cat-file", "--batch", stdin=asked, most=most + _HEADS * (len(names) + 1)).out
        found: list[tuple[str, bytes]] = []
        at = 0
        for _ in names:
            end = said.index(b"\n", at)
            head = said[at:end].split()
            at = end + 1
            if len(head) != 3 or not head[2].isdigit():
                continue
            size = int(head[2])
            found.append((head[0].decode("ascii"), said[at : at + size]))
            at += size + 1
        return found

    def _sized(self, names: Sequence[str]) -> list[int | None]:
        asked = "".join(f"{name}\n" for name in names).encode()
        said = [line.split() for line in lines(self._run("cat-file", "--batch-check", stdin=asked).out)]
        return [int(line[2]) if len(line) == 3 and line[2].isdigit() else None for line in said]

    def kinds(self, oids: Iterable[str]) -> dict[str, str]:
        """``commit``, ``tree`` or ``blob`` of objects."""
        said = self._run("cat-file", "--batch-check", stdin="".join(f"{oid}\n" for oid in oids).encode())
        return {parts[0]: parts[1] for line in lines(said.out) if len(parts := line.split()) == 3}

    # -- within ----------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        with self._mutex:
            self._trees.clear()
            self._whole.clear()
            self._blobs.clear()
        self._there.clear()

    def _run(
        self, *words: str, stdin: bytes = b"", fine: Sequence[int] = (0,), most: int = MAX_OUTPUT
    ) -> Done:
        call = Call(stdin=stdin, where=str(self.path), inherit=self.inherit, most=most)
        return self._git.run(self.path, *words, call=call, fine=fine)
