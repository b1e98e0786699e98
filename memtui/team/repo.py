"""The bare repository that one memory directory shares through: its history, and its talk with the remote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.guard import redact
from memtui.memory.wording.saying import Say
from memtui.team.address import Address
from memtui.team.failures import TeamError, cleaned, code_of, failure
from memtui.team.git import NETWORK_SECONDS, Call, Cancelled, lines
from memtui.team.objectreader import MAX_DEPTH, MAX_ENTRIES
from memtui.team.objectstore import ANONYMOUS, FETCHED, KEPT, TIP, ObjectStore

__all__ = ["ANONYMOUS", "FETCHED", "KEPT", "MAX_DEPTH", "MAX_ENTRIES", "TIP", "LogEntry", "Repo"]

_LOG_SECONDS = 5.0
_LOG_PATHS = 500
_LOG_BYTES = 8 << 20
_SUBJECT = 1_000
_COMMIT_BYTES = 1 << 20
_OID = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")


@dataclass(frozen=True, slots=True)
class Talk:
    """Whom to talk with, and for how long.

    Attributes:
        address: the remote.
        branch: its branch.
        seconds: how long one call may take.
        cancelled: asked ten times a second whether to give up; None for never.
    """

    address: Address
    branch: str
    seconds: float = NETWORK_SECONDS
    cancelled: Cancelled | None = None

    @property
    def call(self) -> Call:
        """How git is called for it."""
        http = self.address.kind == "http"
        return Call(self.seconds, cancelled=self.cancelled, http=http, where=self.address.shown)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One commit, and what it did.

    Attributes:
        commit: its name, hex.
        author: as the commit says; anybody may write anything there.
        when: Unix seconds, by the clock of whoever made it.
        subject: first line of its message.
        changes: path to the blob it left there, None for a deletion; empty for a merge.
    """

    commit: str
    author: str
    when: float
    subject: str
    changes: dict[str, str | None]


class Repo(ObjectStore):
    """One bare repository, with what came before and what others have. Making one runs and reads nothing."""

    # -- history ---------------------------------------------------------------------------------------------------

    def log(self, head: str | None, most: int, paths: Sequence[str] = ()) -> list[LogEntry]:
        """The last commits, newest first.

        Args:
            head: where to begin.
            most: so many of them.
            paths: what is asked about; of other files their changes may be left out. Empty for all.
        """
        if head is None:
            return []
        oids = [oid for oid in lines(self._run("rev-list", f"--max-count={most}", head, "--").out) if oid]
        commits = dict(self._read(oids, _COMMIT_BYTES))
        changes = self._changes(oids, paths if len(paths) <= _LOG_PATHS else ())
        return [
            LogEntry(oid, *_said_by(commits[oid]), changes.get(oid, {})) for oid in oids if oid in commits
        ]

    def _changes(self, commits: Sequence[str], paths: Sequence[str]) -> dict[str, dict[str, str | None]]:
        """What commits did to which path; nothing for merges, nor where that would be endless to tell."""
        words = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--root", "--no-renames", "--no-abbrev")
        call = Call(
            _LOG_SECONDS,
            "".join(f"{oid}\n" for oid in commits).encode(),
            most=_LOG_BYTES,
            inherit=self.inherit,
        )
        try:
            said = self._git.run(self.path, *words, "--", *paths, call=call).out.decode(
                "utf-8", "surrogateescape"
            )
        except TeamError:
            return {}
        found: dict[str, dict[str, str | None]] = {}
        now: dict[str, str | None] = {}
        parts = iter(said.split("\0"))
        for part in parts:
            if part.startswith(":"):
                oid = part.split(" ")[3]
                now[next(parts)] = oid if oid.strip("0") else None
            elif _OID.match(part.strip()):
                now = found.setdefault(part.strip(), {})
        return found

    def ahead_behind(self, ours: str | None, theirs: str | None) -> tuple[int, int]:
        """How many commits one has that the other has not, and the other way round."""
        if ours == theirs:
            return 0, 0
        if ours is None or theirs is None:
            only = ours or theirs
            count = 0 if only is None else int(self._run("rev-list", "--count", only, "--").out)
            return (count, 0) if theirs is None else (0, count)
        said = self._run("rev-list", "--left-right", "--count", f"{ours}...{theirs}", "--").out.split()
        return int(said[0]), int(said[1])

    def merge_base(self, one: str, other: str) -> str | None:
        """A commit that both go back to; None if there is none."""
        said = self._run("merge-base", one, other, fine=(0, 1))
        return said.out.decode("ascii").split()[0] if said.code == 0 else None

    def outgoing(self, head: str, tip: str | None) -> list[str]:
        """Every object that a push would send: commits, trees and blobs."""
        words = [head, *((f"^{tip}",) if tip is not None else ())]
        said = self._run("rev-list", "--objects", "--no-object-names", *words, "--")
        return [line for line in lines(said.out) if _OID.match(line)]

    # -- the remote ------------------------------------------------------------------------------------------------

    def look(self, talk: Talk) -> str | None:
        """The commit that a branch of the remote is at; None if there is no such branch. Needs no repository.

        Raises:
            TeamError: the remote cannot be asked.
        """
        wanted = f"refs/heads/{talk.branch}"
        said = self._git.run(None, "ls-remote", "--quiet", "--", talk.address.url, wanted, call=talk.call)
        for line in lines(said.out):
            oid, _, name = line.partition("\t")
            if name == wanted and _OID.match(oid):
                return oid
        return None

    def fetch(self, talk: Talk) -> str | None:
        """Bring what others have shared; returns the commit the branch is at, None if there is no such branch.

        No reference of ours moves but `FETCHED`, which has to follow wherever the branch went.

        Raises:
            TeamError: see `Code`.
        """
        try:
            self._git.run(
                self.path,
                *(
                    "fetch",
                    "--quiet",
                    "--no-tags",
                    "--no-write-fetch-head",
                    "--no-auto-maintenance",
                    "--force",
                ),
                *("--recurse-submodules=no", "--no-show-forced-updates", "--", talk.address.url),
                f"refs/heads/{talk.branch}:{FETCHED}",
                call=talk.call,
            )
        except TeamError as error:
            if error.code == "gone" and "couldn't find remote ref" in error.detail:
                return None
            if error.code == "disk-full":  # ours: nothing is written over there
                raise TeamError("disk-full", detail=error.detail, where=str(self.path)) from error
            raise
        tip = self.ref(FETCHED)
        if tip is None or self.kinds([tip]).get(tip) != "commit":  # a remote may call anything a branch
            raise TeamError("failed", detail=Say("a commit is not there"), where=talk.address.shown)
        return tip

    def push(self, talk: Talk, commit: str) -> None:
        """Share a commit, never by force.

        Raises:
            TeamError: ``rejected`` if others were faster; else see `Code`.
        """
        said = self._git.run(
            self.path,
            *("push", "--quiet", "--porcelain", "--no-verify", "--recurse-submodules=no", "--"),
            *(talk.address.url, f"{commit}:refs/heads/{talk.branch}"),
            call=talk.call,
            fine=(0, 1),
        )
        if said.code:
            told = next((line for line in lines(said.out) if line.startswith("!")), "")
            raise _push_failure(told, said.err, talk.address.shown)


def _said_by(data: bytes) -> tuple[str, float, str]:
    """Author, time and subject of a commit, as it says but for secrets; anybody may have written anything there."""
    head, _, message = data.partition(b"\n\n")
    author = next((line[7:] for line in head.split(b"\n") if line.startswith(b"author ")), b"")
    name, _, rest = author.partition(b" <")
    stamp = rest.rpartition(b"> ")[2].split(b" ")[0]
    when = float(stamp) if stamp.isdigit() and len(stamp) < 12 else 0.0
    subject = message.lstrip(b"\n").split(b"\n", 1)[0]
    shown = (redact(each[:_SUBJECT].decode("utf-8", "replace")) for each in (name, subject))
    return next(shown), when, next(shown)


def _push_failure(told: str, words: str, where: str) -> TeamError:
    """Why a push was turned down.

    Args:
        told: the line about the branch, from ``--porcelain``.
        words: what git wrote to stderr.
        where: the remote.
    """
    code = code_of(f"{told}\n{words}" if "[rejected]" in told or "[remote rejected]" in told else words)
    if "[rejected]" in told:
        code = "rejected"
    if code == "failed" and not told:
        return failure(words, where)
    return TeamError(code, detail=cleaned(words) if code != "rejected" else "", where=where)
