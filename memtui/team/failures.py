"""What can go wrong between this machine and the team's remote, as sentences with a way on."""

from __future__ import annotations

import re
from typing import Literal, get_args

from memtui.memory.errors import MemtuiError
from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.guard import redact
from memtui.memory.text import visible
from memtui.memory.wording.saying import Say, plain

Code = Literal[
    "no-git",
    "old-git",
    "offline",
    "auth",
    "gone",
    "rejected",
    "declined",
    "disk-full",
    "denied",
    "timeout",
    "cancelled",
    "refused-url",
    "blocked",
    "too-much",
    "failed",
]
"""``gone``: no such repository or branch there; ``rejected``: somebody was faster; ``declined``: the remote's own rules
say no; ``denied``: the system says no to our own folder; ``blocked``: the secret guard says no; ``too-much``: a remote
with more files than are taken."""
CODES: tuple[Code, ...] = get_args(Code)

MAX_DETAIL = 300
"""Characters of git's own words that are kept (ours)."""

_WAITS = Say("What you change here is kept and shared once it works")
_SAYINGS: dict[Code, tuple[Say, Say]] = {
    "no-git": (
        Say("git is not installed, or not on the PATH"),
        Say("Install it; what you change here is kept until then"),
    ),
    "old-git": (Say("this git is too old to share with"), Say("memtui needs git 2.29 or newer")),
    "offline": (Say("the remote cannot be reached"), _WAITS),
    "timeout": (Say("the remote did not answer in time"), _WAITS),
    "auth": (
        Say("the remote does not let you in"),
        Say("Try 'git ls-remote' with its address until that works, then sync again"),
    ),
    "gone": (
        Say("the repository or the branch is no longer there"),
        Say("Check the address; 'memtui team init REMOTE' sets another one or makes the branch anew"),
    ),
    "rejected": (Say("others keep sharing in the same moment"), Say("Sync again in a minute")),
    "declined": (
        Say("the remote does not take the change"),
        Say("Ask whoever keeps it whether you may write to this branch"),
    ),
    "disk-full": (Say("the disk is full"), Say("Make room on it and try again")),
    "denied": (
        Say("the folder of the shared history cannot be written"),
        Say("Check the owner and mode of the file and its folder"),
    ),
    "cancelled": (Say("stopped before it was done"), Say("Sync again when you like; nothing is half done")),
    "refused-url": (
        Say("this address is not one that memtui shares with"),
        Say("Use https://, ssh://, user@host:path or the path of a folder"),
    ),
    "blocked": (
        Say("the secret guard keeps this from being shared"),
        Say("Take the secret out of the memory, and change it where it is used"),
    ),
    "too-much": (
        Say("the remote's branch holds more files than memtui looks at"),
        Say("Take out what is no memory, or share through another branch; what you change here is kept"),
    ),
    "failed": (Say("git could not do it"), Say("Try again; 'memtui team status' shows where things stand")),
}

_TELLING = lazy_pattern(r"fatal:|error:|remote:|ERROR|!")
_USERINFO = lazy_pattern(r"(?<=://)[^/\s]{1,4096}@")

# Git's and ssh's own words under LC_ALL=C, the surest first (git 2.30–2.47, OpenSSH 9, curl 8).
_SIGNS: tuple[tuple[Code, str], ...] = (
    ("old-git", r"unknown option|unknown switch"),
    (
        "disk-full",
        r"No space left on device|Disk quota exceeded|File too large|[Oo]ut of disk ?space|couldn't write '",
    ),
    (
        "auth",
        (
            r"Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied \(|"
            r"Host key verification failed|returned error: 40[13]|HTTP Basic: Access denied|[Aa]ccess denied|"
            r"requested URL returned error: 407|Permission to .* denied"
        ),
    ),
    (
        "rejected",
        (
            r"\(non-fast-forward\)|\(fetch first\)|\(stale info\)|cannot lock ref|failed to update ref|"
            r"remote rejected.*\((?:failed to lock|incorrect old value|reference already exists)"
        ),
    ),
    ("declined", r"\[remote rejected\]|pre-receive hook declined|protected branch|remote: error: GH"),
    (
        "offline",
        (
            r"Could not resolve|[Ff]ailed to connect|Couldn't connect|Connection (?:refused|timed out|reset|closed)|"
            r"Network is unreachable|No route to host|Operation timed out|transfer closed|early EOF|"
            r"[Tt]emporary failure|The remote end hung up|unexpected disconnect|returned error: 5\d\d|"
            r"SSL_ERROR_SYSCALL|gnutls_handshake|Broken pipe|Empty reply|Operation too slow"
        ),
    ),
    (
        "gone",
        (
            r"does not appear to be a git repository|[Rr]epository .*not found|not found: did you run|does not exist|"
            r"returned error: 404|couldn't find remote ref|unable to update url base from redirection|"
            r"returned error: 30\d|not valid: is this a git repository|No such file or directory"
        ),
    ),
    ("denied", r"Read-only file system|insufficient permission|[Pp]ermission denied|Operation not permitted"),
    ("refused-url", r"transport '.*' not allowed|protocol '.*' is not supported"),
)


class TeamError(MemtuiError):
    """Sharing did not come about. What is on this machine is as it was, and waits.

    Attributes:
        code: which kind, see `Code`.
        detail: git's own words about it, made visible and without secrets; may be empty.
    """

    def __init__(self, code: Code, *, detail: str = "", where: str = "") -> None:
        what, todo = _saying(code)
        said = Say("{what} ({detail})", what=what, detail=plain(detail)) if detail else what
        super().__init__(said, where=where, todo=todo)
        self.code: Code = code
        self.detail = detail


def _saying(code: Code) -> tuple[Say, Say]:
    return _SAYINGS[code]


def code_of(words: str) -> Code:
    """What git meant by what it wrote to stderr."""
    return next((code for code, signs in _SIGNS if re.search(signs, words)), "failed")


def cleaned(words: str) -> str:
    """The telling line of what git wrote, fit for a screen and a log: no control character, no secret, no userinfo."""
    lines = [line.strip() for line in words.replace("\r", "\n").split("\n") if line.strip()]
    known = (line for line in lines if code_of(line) != "failed")
    line = next(known, next(filter(_TELLING.match, lines), lines[0] if lines else ""))
    shown = visible(redact(_USERINFO.sub("", line)))
    return shown if len(shown) <= MAX_DETAIL else f"{shown[:MAX_DETAIL]}…"


def failure(words: str, where: str = "") -> TeamError:
    """The error for what git wrote to stderr.

    Args:
        words: all of it.
        where: the remote or folder it was about.
    """
    return TeamError(code_of(words), detail=cleaned(words), where=where)
