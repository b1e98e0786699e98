"""Addresses of remotes: which ones memtui talks to. Git knows ways to run programs by an address; those are refused."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.guard import find_secrets, redact
from memtui.memory.secrets.values import is_identifier
from memtui.memory.text import visible
from memtui.memory.wording.saying import Say
from memtui.team.failures import TeamError

Kind = Literal["file", "ssh", "https", "http"]

MAX_ADDRESS = 2_000
"""Characters of an address (ours)."""
DEFAULT_BRANCH = "main"

_HELPER = lazy_pattern(r"[A-Za-z0-9+.-]+::")
_SCHEME = lazy_pattern(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")
_SCP = lazy_pattern(
    r"(?:(?P<user>[^@/:\s]+)@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^@/:\s]+):(?P<path>.+)", re.DOTALL
)
_USER_PASSWORD = lazy_pattern(r"[^/@:\s]+:[^/]*@[^/]*:")
_NO_PASSWORD = Say("an address is no place for a password or token")
_NAME = lazy_pattern(r"[a-z._+@-]+\d{0,8}")
_TOKEN = 16  # characters; of shorter ones nobody makes tokens (ours)
_LONGEST_NAME = 39  # an account's on the largest host, and room for most addresses of e-mail
_BRANCH = lazy_pattern(r"[A-Za-z0-9_][A-Za-z0-9._/+-]{0,199}")
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_KINDS: dict[str, Kind] = {"file": "file", "ssh": "ssh", "https": "https", "http": "http"}


@dataclass(frozen=True, slots=True)
class Address:
    """A remote that memtui may talk to.

    Attributes:
        url: what git is given.
        kind: how it is reached.
    """

    url: str
    kind: Kind

    @property
    def shown(self) -> str:
        """The address for a person: without who signs in, and fit for a screen."""
        return shown(self.url)


def shown(url: str) -> str:
    """Any text that is meant as an address, for a person: no userinfo, no secret, no control character."""
    bare = re.sub(r"(?<=://)[^/]*@|^[^/\s]+@(?=[^/]*:)", "", url)  # to the last @: a password may hold one
    return visible(redact(bare))[:MAX_ADDRESS]


def checked_address(text: str, *, cwd: Path) -> Address:
    """The remote that a person names.

    Args:
        text: a URL, ``user@host:path``, or the path of a folder.
        cwd: what a relative path is below.

    Raises:
        TeamError: ``refused-url``: it would run a program, is not encrypted, holds a password or a secret, or makes
            no sense.
    """
    text = text.strip()
    odd = any(unicodedata.category(char)[0] == "C" for char in text)
    if not text or len(text) > MAX_ADDRESS or text.startswith("-") or odd or _HELPER.match(text):
        raise TeamError("refused-url", where=shown(text))
    if find_secrets(text):
        raise TeamError("refused-url", detail=_NO_PASSWORD, where=shown(text))
    scheme = _SCHEME.match(text)
    if scheme:
        return _with_scheme(text, scheme["scheme"].lower())
    scp = _SCP.fullmatch(text)
    if scp and not text.startswith((".", "/", "~")):
        parts = (scp["user"] or "", scp["host"], scp["path"])
        if any(part.startswith("-") for part in parts):
            raise TeamError("refused-url", where=shown(text))
        if _USER_PASSWORD.match(text):
            raise TeamError("refused-url", detail=_NO_PASSWORD, where=shown(text))
        return Address(text, "ssh")
    path = Path(text)
    return Address(str(path if path.is_absolute() else cwd / path), "file")


def _with_scheme(text: str, scheme: str) -> Address:
    kind = _KINDS.get(scheme)
    try:
        parts = urlsplit(text)
        host, password, user = parts.hostname or "", parts.password, parts.username
        _ = parts.port
    except ValueError:
        raise TeamError("refused-url", where=shown(text)) from None
    if kind is None or (kind == "http" and host not in _LOOPBACK):
        raise TeamError("refused-url", detail=f"{scheme}://", where=shown(text))
    if password is not None or (kind in {"http", "https"} and _is_token(unquote(user or ""))):
        raise TeamError("refused-url", detail=_NO_PASSWORD, where=shown(text))
    bare = kind == "file"
    if (not bare and not host) or host.startswith("-") or (user or "").startswith("-") or not parts.path:
        raise TeamError("refused-url", where=shown(text))
    if parts.path.startswith("/-") and kind == "ssh":
        raise TeamError("refused-url", where=shown(text))
    return Address(text, kind)


def _is_token(user: str) -> bool:
    """Whether who signs in is a token, as some hosts take one in place of a name: long, and no name that people have.

    Names of people are no words of English; those in small letters pass, with a number behind.
    """
    if len(user) < _TOKEN or len(user) > _LONGEST_NAME:
        return len(user) > _LONGEST_NAME
    return not _NAME.fullmatch(user) and not is_identifier(user.replace("@", "-"))


def checked_branch(text: str) -> str:
    """The branch that a person names, if git takes it for one.

    Raises:
        TeamError: ``refused-url``, it is no name of a branch.
    """
    parts = text.split("/")
    odd = any(not part or part.startswith(".") or part.endswith((".", ".lock")) for part in parts)
    if not _BRANCH.fullmatch(text) or ".." in text or odd or text == "HEAD":
        raise TeamError(
            "refused-url", detail=Say("this is no name of a branch"), where=visible(text)[:MAX_ADDRESS]
        )
    return text
