"""The user's own git, run so that no repository, remote or stray setting can make it run anything else.

Git never sees the memory directory: it works on a bare repository of ours in the user's state folder, with plumbing
that reads and writes objects. Nothing is checked out, so no filter, hook, link or submodule has a place to act.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from memtui.memory.wording.saying import Say
from memtui.team.failures import TeamError, failure

LOCAL_SECONDS = 60.0
"""How long one call that stays on this machine may take, seconds (ours)."""
NETWORK_SECONDS = 60.0
"""How long one call to the remote may take, seconds (ours)."""
MAX_OUTPUT = 96 << 20
"""Bytes that a call may answer with (ours); a remote decides how large its trees are."""
SILENT_SECONDS = 20
"""A transfer over HTTP that stands still for so long is given up, seconds (ours), also when nobody waits any more."""

Cancelled = Callable[[], bool]
"""Whether whoever waits has given up."""

_TICK = 0.1
_GRACE = 1.0
_CHUNK = 1 << 16

_KEPT = frozenset(
    [
        *("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS"),
        *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
        *("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_SSL_NO_VERIFY"),
        *("GIT_HTTP_PROXY_AUTHMETHOD", "GIT_PROXY_SSL_CAINFO", "GIT_PROXY_SSL_CERT", "GIT_PROXY_SSL_KEY"),
    ]
)
"""What of the caller's own ``GIT_*`` stays: how the user signs in. All else says which repository to use, or what to run."""

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.symlinks=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.logAllRefUpdates=false",
    "core.bigFileThreshold=2m",  # what is larger is never read, so it is not unpacked in memory either
    "core.fsync=loose-object,pack,pack-metadata,reference",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "push.followTags=false",
    "push.gpgSign=false",
    "fetch.prune=false",
    "fetch.writeCommitGraph=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "credential.interactive=false",
    "http.followRedirects=false",
    "http.lowSpeedLimit=1",
    f"http.lowSpeedTime={SILENT_SECONDS}",
    "protocol.allow=never",
    "protocol.file.allow=always",
    "protocol.ssh.allow=always",
    "protocol.https.allow=always",
    "transfer.fsckObjects=true",
    "fetch.fsckObjects=true",
    "receive.fsckObjects=true",
)
_NAMES_ARE_OURS = (
    *("hasDot", "hasDotdot", "hasDotgit", "zeroPaddedFilemode", "badFilemode", "nullSha1"),
    *("gitmodulesUrl", "gitmodulesName", "gitmodulesPath", "gitmodulesUpdate", "gitmodulesSymlink"),
    *("gitmodulesMissing", "gitmodulesBlob", "gitmodulesLarge", "gitmodulesParse", "gitattributesMissing"),
    *("gitattributesLarge", "gitattributesLineLength", "gitattributesBlob", "gitattributesSymlink"),
    *("gitignoreSymlink", "mailmapSymlink", "missingSpaceBeforeDate", "zeroPaddedDate", "missingEmail"),
)
"""Checks that guard a checkout, or are about manners. There is no checkout here, and refusing one odd name would refuse
all that others share; ``vet`` names what it holds back."""
_NO_NAMES = ("emptyName", "fullPathname")
"""Names that no git makes: with a slash in it, or none at all. A tree that holds one cannot be written again, and git
itself only warns of them."""
_ARGUMENTS = tuple(
    word
    for setting in (
        *_SETTINGS,
        *(f"fetch.fsck.{name}=ignore" for name in _NAMES_ARE_OURS),
        *(f"fetch.fsck.{name}=error" for name in _NO_NAMES),
    )
    for word in ("-c", setting)
)


class TooMuchError(TeamError):
    """A call had more to say than it may."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a call came to.

    Attributes:
        code: the exit code.
        out: what it wrote to stdout.
        err: what it wrote to stderr.
    """

    code: int
    out: bytes
    err: str


@dataclass(frozen=True, slots=True)
class Call:
    """How a call is made.

    Attributes:
        seconds: when it is given up.
        stdin: what it reads.
        cancelled: asked every tenth of a second; None for never.
        http: whether plain HTTP is allowed: for an address on this machine.
        where: the remote or folder it is about, for messages.
        inherit: an open file that the child holds too, so that a lock outlives us with it; None for none.
        most: bytes that it may answer with.
    """

    seconds: float = LOCAL_SECONDS
    stdin: bytes = b""
    cancelled: Cancelled | None = None
    http: bool = False
    where: str = ""
    inherit: int | None = None
    most: int = MAX_OUTPUT


USUAL = Call()


class Git:
    """Runs git. Making one runs nothing.

    Attributes:
        environ: what git is run with.
    """

    def __init__(self, environ: Mapping[str, str], *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take over of an environment what git needs.

        Args:
            environ: the user's own.
            clock: measures how long a call takes, seconds.
        """
        self.environ = _environment(environ)
        self._search = environ.get("PATH", os.defpath)
        self._clock = clock

    def run(
        self,
        repository: Path | None,
        *words: str,
        call: Call = Call(),
        fine: Sequence[int] = (0,),
    ) -> Done:
        """Run one command.

        Args:
            repository: the bare repository it is about; None for one that needs none.
            words: the command and its arguments.
            call: how.
            fine: exit codes that are no failure.

        Raises:
            TeamError: git is missing, failed, took too long, said too much, or was cancelled. No process is left.
        """
        allowed = ("-c", "protocol.http.allow=always") if call.http else ()
        place = ("--git-dir=.",) if repository is not None else ()
        command = [self._program(), *_ARGUMENTS, *allowed, *place, *words]
        try:
            process = subprocess.Popen(  # noqa: S603  -- the user's own git, found on an absolute path
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=repository if repository is not None else "/",
                env=self.environ,
                start_new_session=True,
                pass_fds=() if call.inherit is None else (call.inherit,),
            )
        except FileNotFoundError as error:
            if repository is not None and not repository.is_dir():
                raise TeamError("failed", where=str(repository)) from error
            raise TeamError("no-git") from error
        except OSError as error:
            raise TeamError("failed", detail=error.strerror or "", where=call.where) from error
        with process:
            try:
                out, err = _exchange(process, call, self._clock)
            except BaseException:
                _end(process)
                raise
        done = Done(process.returncode, out, err)
        if done.code == -signal.SIGXFSZ:
            raise TeamError("disk-full", where=call.where)
        if done.code not in fine:
            raise failure(done.err, call.where)
        return done

    def _program(self) -> str:
        found = shutil.which("git", path=self._search)
        if found is None or not Path(found).is_absolute():
            raise TeamError("no-git")
        return found


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The user's environment without what says which repository is meant; nobody is asked for anything.

    Settings of ssh stay the user's own: it has no terminal to ask at, since the process is in a session of its own.
    """
    made = {name: value for name, value in environ.items() if not name.startswith("GIT_") or name in _KEPT}
    made.pop("LANGUAGE", None)
    made.pop("SSH_ASKPASS", None)
    made |= {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": "false",
        "GCM_INTERACTIVE": "never",
        "SSH_ASKPASS_REQUIRE": "never",
        "GIT_ASKPASS": made.get("GIT_ASKPASS", ""),
    }
    return made


def _exchange(process: subprocess.Popen[bytes], call: Call, clock: Callable[[], float]) -> tuple[bytes, str]:
    """Feed a process and read from it until it ends, for as long as it may take."""
    late = clock() + call.seconds
    found: dict[IO[bytes], bytearray] = {}
    rest = memoryview(call.stdin)
    with selectors.DefaultSelector() as waiting:
        for stream in (process.stdout, process.stderr):
            assert stream is not None  # noqa: S101  -- piped above
            os.set_blocking(stream.fileno(), False)
            waiting.register(stream, selectors.EVENT_READ)
            found[stream] = bytearray()
        feed = process.stdin
        assert feed is not None  # noqa: S101  -- piped above
        os.set_blocking(feed.fileno(), False)
        waiting.register(feed, selectors.EVENT_WRITE)
        while waiting.get_map():
            if call.cancelled is not None and call.cancelled():
                raise TeamError("cancelled", where=call.where)
            if clock() > late:
                raise TeamError("timeout", where=call.where)
            ready = waiting.select(_TICK)
            if not ready and process.poll() is not None:
                break  # what it left running, such as a kept connection of ssh, holds the pipe open
            for key, _ in ready:
                if key.fileobj is feed:
                    rest = _fed(feed, rest)
                    if not rest:
                        waiting.unregister(feed)
                        with contextlib.suppress(BrokenPipeError):
                            feed.close()
                    continue
                stream = next(each for each in found if each is key.fileobj)
                data = os.read(stream.fileno(), _CHUNK)
                found[stream] += data
                if not data:
                    waiting.unregister(stream)
            if sum(map(len, found.values())) > call.most:
                raise TooMuchError("failed", detail=Say("there is too much in it"), where=call.where)
    while process.poll() is None:
        if clock() > late:
            raise TeamError("timeout", where=call.where)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_TICK)
    out, err = found.values()
    return bytes(out), err.decode("utf-8", "replace")


def _fed(feed: IO[bytes], rest: memoryview) -> memoryview:
    """What is still to be written once a pipe has taken what it takes; nothing if nobody reads."""
    if not rest:
        return rest
    try:
        return rest[os.write(feed.fileno(), rest[:_CHUNK]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        return memoryview(b"")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all it started: asked first, so that it removes its locks, then for good."""
    for ending in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, ending)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
            if ending is signal.SIGTERM and not _has_group(process.pid):
                break
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _has_group(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def lines(data: bytes) -> Iterable[str]:
    """The lines of an answer, as text."""
    return data.decode("utf-8", "surrogateescape").splitlines()
