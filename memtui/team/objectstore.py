"""A bare repository of ours: objects in, objects out."""

from __future__ import annotations

import contextlib
import re
import shutil
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.memory.lazy import lazy_pattern
from memtui.memory.saying import Say
from memtui.memory.secrets import find_secrets
from memtui.team.failures import TeamError
from memtui.team.git import MAX_OUTPUT, Call, Done, Git, TooMuchError, lines
from memtui.team.objects import (
    FOLDER,
    Entry,
    GitObject,
    Leaves,
    Person,
    format_commit,
    oid_of,
    pack,
    parse_tree,
    tree_objects,
)

MAX_DEPTH = 4
"""Folders within folders that are opened (ours)."""
MAX_ENTRIES = 25_000
"""Names of a tree that are looked at (ours)."""
MAX_TREE_BYTES = 16 << 20
"""Largest single folder that is opened, bytes of its tree object (ours)."""
READ_AT_ONCE = 16 << 20
"""Bytes of files that are read in one go (ours)."""
MANY_AT_ONCE = 100
"""More new objects than these are kept as one file, which is synced once (ours, as git does with what it fetches)."""
ANONYMOUS = Person("memtui", "memtui@localhost")
"""Who commits where the user has told git no name (ours)."""

FETCHED = "refs/memtui/fetched"
TIP = "refs/memtui/tip"
KEPT = "refs/memtui/kept"

_KEPT_TREES = 16
_KEPT_FOLDERS = 4_000
_KEPT_BYTES = 8 << 20
_HEADS = 200
_MANY_LOOSE = 27  # of 256 folders: some 7,000, from when on git itself would
_OID = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")


class ObjectStore:
    """One bare repository. Making one runs and reads nothing; its methods may be called from any thread.

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
        self._person: Person | None = None
        self._there: set[str] = set()

    @property
    def inherit(self) -> int | None:
        """An open lock that git holds with this thread, see `Call`."""
        return getattr(self._here, "inherit", None)

    @inherit.setter
    def inherit(self, handle: int | None) -> None:
        self._here.inherit = handle

    # -- the repository itself -------------------------------------------------------------------------------------

    def exists(self) -> bool:
        """Whether it has been made."""
        return (self.path / "HEAD").is_file() and (self.path / "objects").is_dir()

    def make(self, algorithm: str = "sha1") -> None:
        """Make it, whole or not at all.

        Args:
            algorithm: that names its objects, ``sha1`` or ``sha256``.

        Raises:
            TeamError: git could not.
        """
        part = self.path.with_name(f"{self.path.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        where = str(self.path)
        self._git.run(
            None,
            *("init", "--quiet", "--bare", "--template=", f"--object-format={algorithm}", "--", str(part)),
            call=Call(where=where),
        )
        if self.path.exists():
            self.put_aside()
        part.rename(self.path)
        self._algorithm = algorithm

    def put_aside(self) -> Path:
        """Give a damaged one another name, so that it can be looked at; returns where it is."""
        for number in range(1, 10_000):
            aside = self.path.with_name(f"{self.path.name}.damaged-{number}")
            if not aside.exists():
                self.path.rename(aside)
                self._forget()
                return aside
        raise TeamError("failed", where=str(self.path))

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

    def clear_leftovers(self) -> None:
        """Remove what a git that was killed left: locks of references, and objects that were not finished.

        Only for who holds the lock of the directory; a git that we started and that lives on holds it with us.
        """
        found = [self.path.glob("*.lock"), (self.path / "refs").rglob("*.lock")]
        found += [(self.path / "objects").glob("*/tmp_*"), (self.path / "objects").glob("tmp_*")]
        for leftovers in found:
            for each in list(leftovers):
                with contextlib.suppress(OSError):
                    if each.is_dir() and not each.is_symlink():
                        shutil.rmtree(each)
                    else:
                        each.unlink()

    # -- reading ---------------------------------------------------------------------------------------------------

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

    def tree(self, commit: str | None) -> dict[str, Entry]:
        """Everything a commit holds, by path; nothing for None.

        Folders deeper than `MAX_DEPTH`, too large ones, and those after `MAX_ENTRIES` names are not opened: they
        stand in the result themselves, as empty ones do.

        Raises:
            TeamError: the commit is not there.
        """
        if commit is None:
            return {}
        with self._mutex:
            known = self._whole.get(commit)
            if known is None:
                if len(self._whole) >= _KEPT_TREES:
                    self._whole.clear()
                known = self._whole[commit] = self._tree(commit)
            return dict(known)

    def _tree(self, commit: str) -> dict[str, Entry]:
        root = next((oid for oid, _ in self._open_trees([f"{commit}^{{tree}}"])), None)
        if root is None:
            what = Say("there is too much in it") if self.sizes([commit]) else Say("a commit is not there")
            raise TeamError("failed", detail=what, where=str(self.path))
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
                        raise TeamError("failed", detail=Say("there is too much in it"), where=str(self.path))
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

    def _open_trees(self, names: Iterable[str]) -> list[tuple[str, bytes]]:
        """Read the trees of these names, as far as they are not known; returns those that were read."""
        if len(self._trees) > _KEPT_FOLDERS:
            self._trees.clear()
        found = list(
            self._read([name for name in dict.fromkeys(names) if name not in self._trees], MAX_TREE_BYTES)
        )
        for oid, data in found:
            with contextlib.suppress(ValueError):
                self._trees[oid] = parse_tree(data, digits=len(oid))
        return found

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

    # -- writing ---------------------------------------------------------------------------------------------------

    def write(self, objects: Iterable[GitObject]) -> None:
        """Write objects, all in one call; those that are there already stay.

        Raises:
            TeamError: the disk is full, or the folder cannot be written. What was written is referred to by nothing.
        """
        distinct = list(dict.fromkeys(objects))
        if len(distinct) > MANY_AT_ONCE:
            self._run("index-pack", "--stdin", stdin=pack(distinct, self.algorithm))
        elif distinct:
            self._run("unpack-objects", "-q", stdin=pack(distinct, self.algorithm))

    def commit(
        self, leaves: Leaves, parents: Sequence[str], when: float, message: str, blobs: Iterable[bytes] = ()
    ) -> str:
        """Write a commit with all that is new in it; no reference moves.

        Args:
            leaves: its tree.
            parents: the commits before it.
            when: Unix seconds.
            message: what was done.
            blobs: contents that its tree names and that may not be there yet.

        Returns:
            Its name.

        Raises:
            TeamError: the tree is none that git could hold, or as `write`.
        """
        try:
            trees = tree_objects(leaves, self.algorithm)
        except ValueError as error:
            raise TeamError(
                "failed", detail=Say("a file or link stands where a folder should be"), where=str(self.path)
            ) from error
        root = oid_of(trees[-1], self.algorithm)
        made = GitObject("commit", format_commit(root, parents, self.person(), when, message))
        self.write([*(GitObject("blob", data) for data in blobs), *trees, made])
        name = oid_of(made, self.algorithm)
        with self._mutex:
            self._whole[name] = dict(leaves)
        return name

    def person(self) -> Person:
        """Who the user is to git; `ANONYMOUS` where that is not set."""
        if self._person is None:
            said = self._run("config", "-z", "--get-regexp", r"^user\.(name|email)$", fine=(0, 1)).out
            found = dict(
                each.split("\n", 1) for each in said.decode("utf-8", "replace").split("\0") if "\n" in each
            )
            name, email = found.get("user.name", ""), found.get("user.email", "")
            fits = name and email and not find_secrets(f"{name} {email}")
            self._person = Person(name, email) if fits else ANONYMOUS
        return self._person

    def point(self, refs: dict[str, str | None]) -> None:
        """Move references, all in one call; None takes one away."""
        commands = [
            f"update {name} {oid}\n" if oid is not None else f"delete {name}\n"
            for name, oid in refs.items()
            if oid is None or oid != self._loose(name)
        ]
        if commands:
            self._run("update-ref", "--no-deref", "--stdin", stdin="".join(commands).encode())

    def prune(self, kept: Iterable[str]) -> None:
        """Remove every object that no reference leads to.

        Args:
            kept: blobs that stay all the same.
        """
        leaves = {oid: Entry("100644", oid) for oid in kept}
        trees = tree_objects(leaves, self.algorithm)
        self.write(trees)
        self.point({KEPT: oid_of(trees[-1], self.algorithm), FETCHED: None})
        self._run("repack", "-a", "-d", "-q")
        self._run("prune", "--expire=now")
        self._forget()

    # -- within ----------------------------------------------------------------------------------------------------

    def tidy(self) -> None:
        """Put loose objects together once there are many, for git's own upkeep is switched off; nothing is removed."""
        try:
            loose = len(list((self.path / "objects/17").iterdir()))
        except OSError:
            return
        if loose >= _MANY_LOOSE:
            self._run("repack", "-A", "-d", "-q")

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
