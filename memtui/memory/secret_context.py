r"""Secrets known by what stands around them: PEM armour, URLs, headers, options, and fields with telling names.

The value of a field has no format, so it has to look like one that was chosen or drawn: see ``secret_values``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secret_formats import FORMATS
from memtui.memory.secret_values import (
    is_drawn,
    is_identifier,
    is_key,
    is_password,
    is_strong,
    is_url_password,
    unwrap_base64,
)

Span = tuple[int, int]


class Shape(NamedTuple):
    """One way in which a secret stands in a text; the fields are those of a rule."""

    id: str
    description: str
    hints: tuple[str, ...]
    pattern: str
    check: Callable[[re.Match[str]], Span | None]
    provider: str | None = None


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


def _bearer(match: re.Match[str]) -> Span | None:
    value = match["value"]
    return match.span("value") if is_drawn(value) and not is_identifier(value) and is_key(value) else None


def _option(match: re.Match[str]) -> Span | None:
    user, value = match["user"], match["value"]
    mixed = not value.isdigit() and not is_identifier(value)
    return match.span("value") if mixed and is_url_password(user, value) else None


def _plain_option(match: re.Match[str]) -> Span | None:
    return match.span("value") if is_password(match["value"], plain=True) else None


def _forty(match: re.Match[str]) -> Span | None:
    value = match["value"]
    hexadecimal = re.fullmatch(r"[0-9a-f]{40}", value)
    return (
        match.span("value") if is_drawn(value) and hexadecimal is None and not is_identifier(value) else None
    )


_PASSWORDS = ("pass", "pwd", "pw", "密码", "密碼", "口令")
_SAYS_PASSWORD = r"pass(?:words?|wd|wort|phrase|code)|(?<=[_\-\"'])pass|(?<![A-Za-z_\-\"'])pass(?=\s?[:：])|pwd|(?<![A-Za-z])pw|(?<=bind)pw|密[码碼]|口令"  # noqa: S105 - a pattern
_BARE_PASS = lazy_pattern(r"pass\s?[:：]", re.IGNORECASE)
_NAMES = ("secret", "token", "credential", "令牌", "密钥", "密鑰", "秘钥")
_KINDS = (
    *("api", "access", "private", "encryption", "signing", "auth"),
    *("account", "master", "shared", "app", "license", "webhook"),
    *("secret", "admin", "storage", "service", "server", "application"),
    *("subscription", "deploy", "function", "role", "global", "wallet"),
)
_KEY = "(?:" + "|".join(f"(?<={kind}{joint})" for kind in _KINDS for joint in ("", "[ _-]")) + ")key"
_GIVERS = {
    *(
        "openai",
        "algolia",
        "mistral",
        "cohere",
        "fastly",
        "gemini",
        "claude",
        "deepseek",
        "qwen",
        "kimi",
        "moonshot",
        "maps",
    ),
    *(line.split(" | ")[1].lower() for line in FORMATS.strip().splitlines() if line[0] != "#"),
}
# "The Datadog key is …": who gives it out says what kind of key it is. Short names are words of other things, too.
_KIND = lazy_pattern(
    "(?:" + "|".join([*_KINDS, *(re.escape(name) for name in sorted(_GIVERS) if len(name) > 4)]) + ")[ _-]?$",
    re.IGNORECASE,
)
_ENV_KEY = r"(?<=[A-Z0-9]_)(?<!CACHE_)(?<!PUBLIC_)(?<!PRIMARY_)(?<!SORT_)(?<!PARTITION_)(?<!PUBLISHABLE_)key"
_TAIL = r"(?:s|[_-]?(?:key|value|access|secret|token|string|private|prod|production|staging|dev|live|base|raw|plain|old|new|current|b64|base64|root|admin|[0-9]))"
_AFTER_NAME = r"(?:\s?[(（][^()（）\n]{0,30}[)）])?\\?[\"'`*_\]]{0,4}"
_TYPE = r"(?:\s?(?:&?str|string|String|char\s?\*|bytes|SecretStr)\s{0,3}(?:\|\s?None\s{0,2})?=)"
_ASSIGNED = (
    rf"[^\S\n]{{0,12}}(?:=>|:=|={{1,2}}|[:：＝|]{_TYPE}?)[^\S\n]{{0,12}}(?:[*_]{{1,3}}[^\S\n]?)?"
    r"|>(?=[^<>\s]{1,200}</)"
    r"|,?\s{1,40}[\"']?value[\"']?\s{0,2}[:=]\s{0,4}"
)
_SAID = r"\s(?:for|of|on|in)\s[^\n:=|]{1,40}?[:：]\s|(?:\s(?:for|of|to|on|in)\s[^\n:=|]{1,40}?)?\s(?:is|was|to)(?::|\s{1,8}now)?\s|\s?(?:现在)?(?:是|为|改为|改成|设为|设成|设置为)[:：]?\s?"
_VALUE = (
    r"(?:[bBrRuU]?\\?\"(?P<a>[^\"\n]{1,2000})\"|[bBrRuU]?'(?P<b>[^'\n]{1,2000})'|`(?P<c>[^`\n]{1,2000})`"
    r"|[“「『](?P<d>[^”」』\n]{1,2000})[”」』]"
    r"|(?P<e>(?:(?![;,&]\\?[\"']?[A-Za-z_][\w.-]{0,30}\\?[\"']?\s?[=:]|</|\\[nrt])[!-~]){4,2000}))"
)
# Tokens of grammars, paging and page forgery are names of other things.
_NOT_SECRET = lazy_pattern(
    r"(?<![A-Za-z])(?:next|prev|previous|page|pages|paging|pagination|cursor|continuation|continue|csrf|xsrf|cancel|cancellation|pad|eos|bos|unk|sep|cls"
    r"|mask|special|stop|start|end|public|pub|sync|resume|design|max|min|num|no|n|per|prompt|completion|input|output|total|cached)[-_ ]?$"
    r"|\w:$",
    re.IGNORECASE,
)
_IS_OPTION = lazy_pattern(
    r"(?:(?:^|\s)--?(?:[a-z0-9]{1,12}-)?|login\s\S{1,40}\s{1,8})$", re.IGNORECASE | re.MULTILINE
)
_CODE = lazy_pattern(
    r"[\w.:]{1,60}[(\[]|[fF][\"']|![01](?![A-Za-z0-9])"
)  # a call, a string with calls in it, or true and false as minifiers write them


def _value(match: re.Match[str]) -> tuple[str, Span, bool]:
    """The value of a field, its span, and whether it stood in quotes."""
    group = match.lastgroup or "e"
    start, end = match.span(group)
    text = match.string
    if group != "e":
        return text[start:end].rstrip("\\"), (start, start + len(text[start:end].rstrip("\\"))), True
    while end > start:
        last = text[end - 1]
        opener = {")": "(", "]": "[", "}": "{", ">": "<"}.get(last)
        strip = (
            text.count(opener, start, end) < text.count(last, start, end) if opener else last in ".,;:\"'`|\\"
        )
        if not strip and not text.endswith("**", start, end):
            break
        end -= 1
    return text[start:end], (start, end), False


def _no_name(value: str) -> bool:
    """Whether what stands in backticks after a word such as ``token`` is one, not the name of a field or a function."""
    return len(value) >= (8 if any(c.isdigit() for c in value) else 20) and not is_identifier(value)


def _field(match: re.Match[str], judge: Callable[[str, bool], bool]) -> Span | None:
    text, start = match.string, match.start()
    if _NOT_SECRET.search(text, max(0, start - 16), start):
        return None
    value, span, quoted = _value(match)
    gap = match["gap"] and text[start].isascii() and not _IS_OPTION.search(text, max(0, start - 48), start)
    if gap and not (quoted and (match["c"] is None or _no_name(value))):
        return None
    if not quoted and (_CODE.match(value) or value.startswith(("=", "\\", "`"))):
        return None
    return (
        span
        if judge(
            value, match["said"] is not None or bool(gap) or bool(match["gap"] and not text[start].isascii())
        )
        else None
    )


def _password_field(match: re.Match[str]) -> Span | None:
    text, start = match.string, match.start()
    if _BARE_PASS.match(text, start) and text[start - 1 : start] not in set("_-\"'"):
        # ``pass: …`` beside a user's name; test runners say PASS, and their tests have names.
        return _field(match, lambda value, _: is_password(value, plain=True)) if text[start] == "p" else None
    return _field(match, lambda value, said: is_password(value, plain=said))


def _key_field(match: re.Match[str]) -> Span | None:
    text, start = match.string, match.start()
    bare = match[0][:3] == "key" and not _KIND.search(text, max(0, start - 24), start)
    if bare and not is_strong(_value(match)[0]):
        return None  # STRIPE_KEY is a variable with a secret in it, cache_key is not; "the key is …" may be either
    if match[0][:4].lower().lstrip(" _")[:3] == "pat" and not _IS_PAT.match(match[0]):
        value = _value(match)[0]
        if not (value.isalnum() and len(value) >= MIN_PAT):
            return None  # AZURE_DEVOPS_PAT and devopsPat are access tokens, regex_pat is a pattern
    return _field(
        match, lambda value, said: is_key(value) and not (said and value.isalnum() and len(value) < 16)
    )


def _pattern(names: str) -> str:
    """A name at its hint, the tail of its name, a sign of assignment or a word of saying, and the value."""
    return rf"(?:{names}){_TAIL}{{0,3}}(?:{_AFTER_NAME}(?:{_ASSIGNED})|(?P<said>{_SAID})|(?P<gap>\s)){_VALUE}"


_PAT = r"(?<=[A-Za-z0-9])[_ ]pat(?![A-Za-z])|(?<=[a-z0-9])pat(?=\s?[:=])"
MIN_PAT = 20
"""So long is an access token at least that stands in a field called ``…_pat``, in characters (ours)."""
_IS_PAT = lazy_pattern("[_ ]PAT|Pat")
_BARE_KEY = r"(?<![A-Za-z0-9_-])key(?![A-Za-z])"
_NAME = "|".join((*_NAMES, _KEY, _ENV_KEY, _PAT, _BARE_KEY))

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
            "asia",
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
        (":5432:", ":5433:", ":6432:", ":*:"),
        r":(?:543[23]|6432|\*):[^\s:]{1,64}:(?P<user>[^\s:]{1,64}):(?P<value>[^\s:`\"']{4,128})(?=$|[\s`\"'])",
        _userinfo,
        "PostgreSQL",
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
        r"(?:bearer|authorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?:token|apikey|key|negotiate|[a-z]{2,10}-token)?)"
        r"[:=]?\s{1,4}[\"']?(?P<value>[A-Za-z0-9._~+/-]{16,2000}={0,2})",
        _bearer,
    ),
    Shape(
        "basic-credentials",
        "user and password in a Basic Authorization header or a Docker configuration",
        ("basic", '"auth"'),
        r"(?:basic\s{1,4}|\"auth\"\s{0,2}:\s{0,2}\")(?P<value>[A-Za-z0-9+/]{8,400}={0,2})",
        _packed_userinfo,
    ),
    Shape(
        "option-credentials",
        "user and password in a command's option",
        ("-u",),
        r"-u(?:ser)?[ =]?[\"']?(?P<user>[\w.@+-]{1,64}):(?P<value>[^\s\"']{4,128})",
        _option,
    ),
    Shape(
        "option-password",
        "password in a command's option",
        (
            "sshpass -p",
            "mysql ",
            "redis-cli ",
            "ldap",
            "docker login ",
            "podman login ",
            "helm registry login ",
        ),
        r"(?:sshpass -p|mysql [^\n|;]{0,60}?-p|redis-cli [^\n|;]{0,60}?-a "
        r"|ldap(?:search|add|modify|delete|passwd|whoami) [^\n|;]{0,120}?(?<=\s)-w "
        r"|(?:docker|podman|helm registry) login [^\n|;]{0,60}?(?<=\s)-p )\s?[\"']?(?P<value>[^\s\"']{6,128})",
        _plain_option,
    ),
    Shape(
        "password-field",
        "password in a field, a variable or a sentence",
        _PASSWORDS,
        _pattern(_SAYS_PASSWORD),
        _password_field,
    ),
    Shape(
        "key-field",
        "key, token or secret in a field, a variable or a sentence",
        (*_NAMES, "key", "_pat", " pat", "pat =", "pat=", "pat:"),
        _pattern(_NAME),
        _key_field,
    ),
)
"""The most specific first."""
