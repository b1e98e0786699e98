"""Secrets known by what stands around them: PEM armour, URLs, headers, options, and fields with telling names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.commands import (
    OPTION_HINTS,
    OPTION_PATTERN,
    PIPED_HINTS,
    PIPED_PATTERN,
    STORED_HINTS,
    STORED_PATTERN,
    USER_HINTS,
    USER_PATTERN,
    option_password,
    option_user,
    piped,
    stored,
)
from memtui.memory.secrets.fields import KEY_PATTERN, PASSWORD_PATTERN, key_field, password_field
from memtui.memory.secrets.names import KEYS, PASSWORDS, may_say_key, may_say_password
from memtui.memory.secrets.places import (
    BEHIND_HINTS,
    BEHIND_PATTERN,
    DEFAULT_HINTS,
    DEFAULT_PATTERN,
    LIST_HINTS,
    LIST_PATTERN,
    LOGIN_HINTS,
    LOGIN_PATTERN,
    OPENS_HINTS,
    OPENS_PATTERN,
    TABLE_HINTS,
    TABLE_PATTERN,
    behind,
    declared,
    in_columns,
    in_list,
    login,
    opens,
)
from memtui.memory.secrets.values import (
    is_drawn,
    is_identifier,
    is_key,
    is_url_password,
    unwrap_base64,
)
from memtui.memory.secrets.words import (
    APP_HINTS,
    APP_PATTERN,
    BOTH_HINTS,
    BOTH_PATTERN,
    SEED_HINTS,
    SEED_PATTERN,
    app_password,
    both,
    seed,
)

Span = tuple[int, int]


class Shape(NamedTuple):
    """One way in which a secret stands in a text; the fields are those of a rule."""

    id: str
    description: str
    hints: tuple[str, ...]
    pattern: str
    check: Callable[[re.Match[str]], Span | list[Span] | None]
    provider: str | None = None
    begins: Callable[[str, int], bool] | None = None


_BASE64_RUN = lazy_pattern(r"[A-Za-z0-9+/]{40}")


def _pem(match: re.Match[str]) -> Span | None:
    run = _BASE64_RUN.search(match["body"])
    return match.span() if run is not None and len(set(run[0])) >= 8 else None


def _userinfo(match: re.Match[str]) -> Span | None:
    user, password = unquote(match["user"]), unquote(match["value"])
    return match.span("value") if is_url_password(user, password) else None


def _packed_userinfo(match: re.Match[str]) -> Span | None:
    said = unwrap_base64(unquote(match["value"])) or ""
    user, colon, password = said.partition(":")
    return match.span("value") if colon and len(password) >= 4 and is_url_password(user, password) else None


def _inside(match: re.Match[str]) -> Span | None:
    return match.span("value") if is_drawn(match["value"]) else None


def _bearer(match: re.Match[str]) -> Span | None:
    value = match["value"]
    return (
        match.span("value")
        if any(c.isdigit() for c in value) and is_drawn(value) and not is_identifier(value) and is_key(value)
        else None
    )


_AROUND = 3000
"""So far from its type are the parts of a key in JSON looked for, in characters (ours)."""
_JWK_PART = lazy_pattern(r"\"[dk]\"\s{0,4}:\s{0,4}\"(?P<value>[A-Za-z0-9_-]{32,1400})\"")


def _jwk(match: re.Match[str]) -> Span | None:
    start, text = match.start(), match.string
    part = _JWK_PART.search(
        text, max(0, start - _AROUND, text.rfind("{", max(0, start - _AROUND), start)), start + _AROUND
    )
    return part.span("value") if part is not None and is_drawn(part["value"]) else None


def _forty(match: re.Match[str]) -> Span | None:
    value = match["value"]
    hexadecimal = re.fullmatch(r"[0-9a-f]{40}", value)
    return (
        match.span("value") if is_drawn(value) and hexadecimal is None and not is_identifier(value) else None
    )


SHAPES: tuple[Shape, ...] = (
    Shape(
        "private-key",
        "private key in PEM armour (PKCS#1, PKCS#8, SEC 1, OpenSSH, PGP), also in JSON as of a GCP service account",
        ("-----begin ",),
        r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?P<body>(?:[^-]{1,4000}+|-(?!----)){1,200}+-----END [A-Z0-9 ]{0,40}-----"
        r"|(?:\s|\\[nr]){0,8}(?:[A-Za-z0-9+/=]{40,100}(?:\s|\\[nr]){0,8}){1,400}+)",
        _pem,
    ),
    Shape(
        "putty-key",
        "private key in a file of PuTTY's",
        ("private-lines:",),
        r"Private-Lines: [0-9]{1,4}\r?\n(?P<body>(?:[A-Za-z0-9+/=]{4,64}(?:\r?\n|\Z)){1,400}+)",
        _pem,
    ),
    Shape(
        "aws-secret-access-key",
        "secret access key, beside its id or in a field of that name",
        (
            "akia",
            "aws_secret",
            "awssecret",
            "aws-secret",
            "secret_access_key",
            "secretaccesskey",
            "secret access key",
        ),
        r"(?:A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9\n]{1,6}|(?:aws[_-]?)?secret[ _-]?(?:access[ _-]?)?key[^A-Za-z0-9\n]{1,10}?)"
        r"(?P<value>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=!#%*_?-])",
        _forty,
        "AWS",
    ),
    Shape(
        "url-credentials",
        "password in a URL",
        ("://",),
        r"://(?P<user>[^\s/?#@:<>\"'`()]{0,64}):(?P<value>[^\s<>\"'`]{4,128})@(?=[A-Za-z0-9\[])",
        _userinfo,
    ),
    Shape(
        "oracle-credentials",
        "password in a connection string of Oracle's",
        ("jdbc:oracle:", "sqlplus "),
        r"(?:jdbc:oracle:[a-z0-9]{2,8}:|sqlplus (?:-[a-z] ){0,3})(?P<user>[\w.$#]{1,64})/(?P<value>[^\s@/\"'`]{4,128})@",
        _userinfo,
        "Oracle",
    ),
    Shape(
        "pgpass-entry",
        "password in a line of `.pgpass`",
        (":5432:", ":6432:", ":*:"),
        r":(?:5432|6432|\*):[^\s:]{1,64}:(?P<user>[^\s:]{1,64}):(?P<value>[^\s:`\"']{4,128})(?=$|[\s`\"'])",
        _userinfo,
        "PostgreSQL",
    ),
    Shape(
        "bundler-credentials",
        "user and password of a server of gems",
        ("bundle_",),
        r"bundle_[a-z0-9_]{2,80}__[a-z]{2,12}[\"']?\s?[:=]\s?[\"']?(?P<user>[^\s:\"'@]{0,64}):(?P<value>[^\s:\"'@/]{6,128})",
        _userinfo,
        "Bundler",
    ),
    Shape(
        "url-credentials-packed",
        "base64 of user and password in a URL",
        ("://",),
        r"://(?P<value>(?:[A-Za-z0-9+/_=-]|%[23][BbDdFf]){8,400})@(?=[A-Za-z0-9\[])",
        _packed_userinfo,
    ),
    Shape(
        "bearer-token",
        "token in an Authorization header",
        ("bearer", "authorization"),
        r"(?:bearer|authorization[\"']?\s{0,2}[:=,]\s{0,2}[\"']?(?!basic|digest)(?:[a-z][a-z0-9_-]{1,24}(?=[\s:=]))?)(?:\s?token=\"?)?"
        r"[:=]?\s{1,4}[\"']?(?P<value>[A-Za-z0-9._~+/-]{16,2000}={0,2})",
        _bearer,
    ),
    Shape(
        "kaggle-key",
        "key beside a user's name, as `kaggle.json` holds it",
        ('"username"',),
        r"\"username\"\s{0,4}:\s{0,4}\"[^\"\n]{1,64}\"\s{0,4},\s{0,8}\"key\"\s{0,4}:\s{0,4}\"(?P<value>[0-9a-f]{32}|KGAT_[0-9a-f]{32})\"",
        _inside,
        "Kaggle",
    ),
    Shape(
        "honeycomb-classic-key",
        "API key in its header",
        ("x-honeycomb-team",),
        r"x-honeycomb-team[\"']?\s?[:=,]\s?[\"']?(?P<value>[A-Za-z0-9]{22,64})(?![A-Za-z0-9])",
        _inside,
        "Honeycomb",
    ),
    Shape(
        "basic-credentials",
        "user and password in a Basic Authorization header or a Docker configuration",
        ("basic", '"auth"', "_auth"),
        r"(?:basic\s{1,4}|\"auth\"\s{0,2}:\s{0,2}\"|_auth\s?=\s?\"?)(?P<value>[A-Za-z0-9+/]{8,400}={0,2})",
        _packed_userinfo,
    ),
    Shape(
        "option-credentials",
        "user and password in a command's option",
        USER_HINTS,
        USER_PATTERN,
        option_user,
    ),
    Shape(
        "option-password",
        "password in a command's option",
        OPTION_HINTS,
        OPTION_PATTERN,
        option_password,
    ),
    Shape(
        "piped-password",
        "password or token that is piped into a command",
        PIPED_HINTS,
        PIPED_PATTERN,
        piped,
    ),
    Shape(
        "stored-secret",
        "what a command stores as a secret, or logs in with",
        STORED_HINTS,
        STORED_PATTERN,
        stored,
    ),
    Shape(
        "password-field",
        "password in a field, a variable or a sentence",
        PASSWORDS,
        PASSWORD_PATTERN,
        password_field,
        begins=may_say_password,
    ),
    Shape(
        "key-field",
        "key, token or secret in a field, a variable or a sentence",
        KEYS,
        KEY_PATTERN,
        key_field,
        begins=may_say_key,
    ),
    Shape(
        "app-password",
        "password for one app, four groups of four letters",
        APP_HINTS,
        APP_PATTERN,
        app_password,
    ),
    Shape("seed-phrase", "words of a wallet (BIP 39)", SEED_HINTS, SEED_PATTERN, seed),
    Shape("login-call", "user and password in a program's call", BOTH_HINTS, BOTH_PATTERN, both),
    Shape(
        "private-jwk",
        "private or symmetric key as JSON (RFC 7517)",
        ('"kty"',),
        r"\"kty\"",
        _jwk,
    ),
    Shape(
        "session-cookie",
        "session of a user in a Cookie header",
        ("cookie:", 'cookie"', "cookie'"),
        r"cookie[\"']?\s?[:,]\s?[\"']?(?:[\w.-]{1,64}=[^;\s\"']{0,200};\s?){0,8}?[\w.-]{0,40}(?:sess|sid|auth|token|jwt|remember)[\w.-]{0,40}=(?P<value>[^;\s\"',]{16,2000})",
        _bearer,
    ),
    Shape(
        "declared-secret",
        "default of a variable, a parameter or an argument whose name tells a secret",
        DEFAULT_HINTS,
        DEFAULT_PATTERN,
        declared,
    ),
    Shape(
        "login-pair",
        "user and password of a login in a sentence",
        LOGIN_HINTS,
        LOGIN_PATTERN,
        login,
    ),
    Shape(
        "login-behind",
        "password of an administrator, or what a sentence calls a password behind it",
        OPENS_HINTS,
        OPENS_PATTERN,
        opens,
    ),
    Shape(
        "said-behind",
        "what a sentence calls a password, a key or a token behind it",
        BEHIND_HINTS,
        BEHIND_PATTERN,
        behind,
    ),
    Shape(
        "column-secret",
        "cell of a table below the name of a secret",
        TABLE_HINTS,
        TABLE_PATTERN,
        in_columns,
    ),
    Shape(
        "list-secret",
        "value in a line of a list (CSV) below the name of a secret",
        LIST_HINTS,
        LIST_PATTERN,
        in_list,
    ),
)
"""The most specific first."""
