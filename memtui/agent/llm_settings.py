"""Which model is asked, where, and with what key: from the environment or the person's own configuration, only.

A directory of memories may be a stranger's, and so may its ``.memtui/config.toml``. If that could name an address, it
could have the key sent there (CVE-2026-21852), so ``memtui.config`` takes none of these settings from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memtui.agent.llm_failed import ModelFailed
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.config import Config

DEFAULT_MODEL = "claude-sonnet-5-5"
"""The current Sonnet (spec §13)."""
DEFAULT_URL = "https://api.anthropic.com"
MESSAGES_PATH = "/v1/messages"


@dataclass(frozen=True, slots=True)
class Access:
    """How a model is reached.

    Attributes:
        model: its name.
        url: the service's address, without a slash at its end.
        api_key: sent as ``x-api-key``; empty for none.
        auth_token: sent as a bearer token where there is no key; empty for none.
        url_from: what named the address, for a person; empty for the usual one.
    """

    model: str = DEFAULT_MODEL
    url: str = DEFAULT_URL
    api_key: str = field(default="", repr=False)
    auth_token: str = field(default="", repr=False)
    url_from: str = ""

    @property
    def has_key(self) -> bool:
        """Whether there is anything to be let in with."""
        return bool(self.api_key or self.auth_token)

    @property
    def is_loopback(self) -> bool:
        """Whether the address is this machine's own."""
        return _is_loopback(urlsplit(self.url).hostname or "")

    @property
    def foreign_host(self) -> str:
        """The host that is asked instead of the usual one, to be shown; empty for the usual one."""
        host = urlsplit(self.url).netloc
        return "" if host == urlsplit(DEFAULT_URL).netloc else host

    def check(self) -> None:
        """Hold before anything is sent.

        Raises:
            ModelFailed: there is no key, or the address is none that a key may be sent to.
        """
        check_url(self.url, self.url_from)
        if not self.has_key:
            raise ModelFailed(
                "no key",
                "no key for a model is set",
                todo="Set ANTHROPIC_API_KEY, or api_key in your own configuration file",
            )
        for key in (self.api_key, self.auth_token):
            if not key.isascii() or not key.isprintable() or " " in key:
                raise ModelFailed(
                    "refused key",
                    "the key for a model holds characters that no key has",
                    todo="Check the key",
                )


def access_from(environ: Mapping[str, str], config: Config) -> Access:
    """What is set, nothing checked: the environment, else the person's configuration, else the usual.

    Args:
        environ: environment variables: ``MEMTUI_MODEL``, ``ANTHROPIC_API_KEY``, ``ANTHROPIC_AUTH_TOKEN``,
            ``ANTHROPIC_BASE_URL``.
        config: the settings in force; these are never from a directory's file.
    """
    given = {
        name: value.strip() for name, value in environ.items() if name.startswith(("ANTHROPIC_", "MEMTUI_"))
    }
    api_key, token = given.get("ANTHROPIC_API_KEY", ""), given.get("ANTHROPIC_AUTH_TOKEN", "")
    if not api_key and not token:
        api_key = config.api_key or ""
    url, url_from = given.get("ANTHROPIC_BASE_URL", ""), "ANTHROPIC_BASE_URL"
    if not url:
        url, url_from = config.base_url or "", config.sources.get("base_url", "")
    return Access(
        model=given.get("MEMTUI_MODEL", "") or config.model or DEFAULT_MODEL,
        url=(url or DEFAULT_URL).rstrip("/"),
        api_key=api_key,
        auth_token="" if api_key else token,
        url_from=url_from if url else "",
    )


def check_url(url: str, url_from: str = "") -> None:
    """Hold an address against the rules: https, or http to this machine; no user, no query.

    Args:
        url: the address.
        url_from: what named it, for the message.

    Raises:
        ModelFailed: it breaks one.
    """
    where = url_from or "base_url"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    if (
        not host
        or parts.scheme not in {"http", "https"}
        or not url.isascii()
        or not url.isprintable()
        or " " in url
    ):
        raise ModelFailed(
            "address", "this is no address of a model's service", where=where, todo="Use https://host"
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ModelFailed(
            "address",
            "the address of a model's service holds a user, a query or a fragment",
            where=where,
            todo="Use https://host",
        )
    if parts.scheme == "http" and not _is_loopback(host):
        raise ModelFailed(
            "address",
            Say("the key would travel unencrypted to {host}", host=host),
            where=where,
            todo="Use https; http is for this machine only",
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
