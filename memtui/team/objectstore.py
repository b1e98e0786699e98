"""A bare repository of ours: made, written, tidied."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.memory.secrets.guard import find_secrets
from memtui.memory.wording.saying import Say
from memtui.team.failures import TeamError
from memtui.team.git import Call, Git
from memtui.team.objectreader import ObjectReader
from memtui.team.objects import Entry, GitObject, Leaves, Person, format_commit, oid_of, pack, tree_objects

MANY_AT_ONCE = 100
"""More new objects than these are kept as one file, which is synced once (ours, as git does with what it fetches)."""
ANONYMOUS = Person("memtui", "memtui@localhost")
"""Who commits where the user has told git no name (ours)."""

FETCHED = "refs/memtui/fetched"
TIP = "refs/memtui/tip"
KEPT = "refs/memtui/kept"

_MANY_LOOSE = 27  # of 256 folders: some 7,000, from when on git itself would


class ObjectStore(ObjectReader):
    """One bare repository, made and written. Making one of these runs and reads nothing."""

    def __init__(self, git: Git, path: Path) -> None:
        super().__init__(git, path)
        self._person: Person | None = None

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
