"""Secrets with a shape of their own: what a program logs in with, passwords for one app, words of a wallet."""

from __future__ import annotations

import re

from memtui.memory.secrets.fields import may_be_password

Span = tuple[int, int]

BOTH_HINTS = (
    "auth=(",
    "auth = (",
    "auth(",
    "credential(",
    "credentials(",
    "login(",
    "authentication(",
    "pdo(",
    "mysqli(",
    "connect(",
    "connection(",
)
BOTH_PATTERN = (
    r"(?:auth\s?=\s?\(|auth\(|credentials?\(|login\(|authentication\(|(?:pdo|mysqli|connect|connection)\(\s{0,4}[\"'][^\"'\n]{1,200}[\"']\s?,)"
    r"\s{0,4}[\"'](?P<user>[^\"'\n]{1,64})[\"']\s?,\s{0,4}[\"'](?P<value>[^\"'\n]{6,128})[\"']"
)


def both(match: re.Match[str]) -> Span | None:
    """The second of two words that a program logs in with."""
    return match.span("value") if may_be_password(match["value"], "given") else None


APP_HINTS = (
    "app password",
    "app-password",
    "application password",
    "app specific password",
    "app-specific password",
    "应用专用密码",
    "应用密码",
)
APP_PATTERN = r"(?:app(?:lication)?[ -](?:specific )?password|应用(?:专用)?密码)s?[^\n:：=]{0,40}?(?:\s?[:：=是]\s?|\sis\s)[\"'`]?(?P<value>[a-z0-9]{4}(?:[ -][a-z0-9]{4}){3}|[a-z]{16})(?![A-Za-z0-9-])"


def app_password(match: re.Match[str]) -> Span | None:
    """Four groups of four letters, as Google, Apple and Bluesky give out."""
    bare = re.sub(r"[ -]", "", match["value"])
    return (
        match.span("value")
        if len(set(bare)) >= 6 and bare not in {"aaaabbbbccccdddd", "abcdefghijklmnop"}
        else None
    )


SEED_HINTS = ("seed phrase", "recovery phrase", "secret phrase", "mnemonic", "助记词")
SEED_PATTERN = r"(?:(?:seed|recovery|secret|mnemonic)\sphrase|mnemonic|助记词)[\"'`*_]{0,4}(?:\s?[:：=]\s?|\sis:?\s|\s?是\s?)[\"'`]?(?P<value>[a-z]{3,8}(?: [a-z]{3,8}){11}(?:(?: [a-z]{3,8}){3}){0,4})(?![a-z]| [a-z])"


def seed(match: re.Match[str]) -> Span | None:
    """Twelve to twenty-four words of a wallet (BIP 39), which hold no function words."""
    words = match["value"].split(" ")
    return (
        match.span("value")
        if len(set(words)) >= 10
        and not {"the", "and", "for", "with", "are", "not", "from", "that"} & set(words)
        else None
    )
