"""Names that tell secrets: what a password, a key or a token is called, and who gives them out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.formats import FORMATS

PASSWORDS = (
    "pass",
    "pwd",
    "pw",
    "psk",
    "masterauth",
    "密码",
    "密碼",
    "口令",
    "授权码",
    "通行碼",
    "パスワード",
    "비밀번호",
    "пароль",
    "contraseña",
    "mot de passe",
)
# What a name is of that is about a password and holds none.
_ABOUT = r"(?!长度|策略|规则|强度|哈希|散列|加密|文件|路径|管理|重置|过期|有效|算法|字段|类型|位数|字符|校验|验证|输入|错误|不能|必须|名称|長度|規則|強度)"
_OWNERS = (
    "db",
    "user",
    "root",
    "admin",
    "smtp",
    "mail",
    "ftp",
    "sql",
    "store",
    "key",
    "trust",
    "bind",
    "auth",
    "ssh",
    "redis",
    "mongo",
    "http",
    "proxy",
    "require",
    "login",
    "api",
    "my",
    "svc",
)


def _behind(words: Iterable[str], joint: str = "") -> str:
    """Alternatives that hold behind any of some words and a joint: one look-behind for all words of a length.

    One for each word took twice as long to be made ready, which a hook waits for.
    """
    by_length: dict[int, list[str]] = {}
    for word in dict.fromkeys(words):
        by_length.setdefault(len(word), []).append(word)
    return "|".join(f"(?<=(?:{'|'.join(alike)}){joint})" for alike in by_length.values())


_OWNED = _behind(_OWNERS)
SAYS_PASSWORD = (
    r"pass(?:words?|wd|wort|phrase|code)|(?<=[_\-\"'])pass|(?<![A-Za-z_\-\"'])pass(?=\s?[:：])|(?-i:(?<=[a-z0-9])Pass(?![a-z]))"
    rf"|(?:{_OWNED})pass(?![A-Za-z])|(?<![A-Za-z_\-\"'])pass(?=\s[^\s:=])|pwd|(?<![A-Za-z])pw(?![A-Za-z])|(?<=bind)pw|(?<![A-Za-z])psk(?![A-Za-z])|masterauth"
    rf"|(?:密[码碼]|口令|授权码|通行碼){_ABOUT}|パスワード|비밀번호|пароль|contraseña|mot\sde\spasse"
)
BARE_PASS = lazy_pattern(r"(?<![A-Za-z])pass\s?[:：]", re.IGNORECASE)
NAMES = ("secret", "token", "credential", "令牌", "密钥", "密鑰", "秘钥", "金鑰", "權杖", "私钥")
_KINDS = (
    *("api", "access", "private", "encryption", "signing", "auth"),
    *("account", "master", "shared", "app", "license", "webhook"),
    *("secret", "admin", "storage", "service", "server", "application"),
    *("subscription", "deploy", "function", "role", "global", "wallet"),
    *(
        "write",
        "read",
        "ingest",
        "ingestion",
        "consumer",
        "customer",
        "merchant",
        "partner",
        "sandbox",
        "production",
        "live",
    ),
    *(
        "integration",
        "session",
        "cookie",
        "cipher",
        "crypto",
        "crypt",
        "hmac",
        "jwt",
        "aes",
        "symmetric",
        "security",
    ),
    *("client", "bot", "tenant", "workspace", "organization", "personal", "instance", "bearer", "insert"),
    *("management", "root", "vault", "recovery", "shared access"),
)
# Keywords, keyboards and keynotes are passed by before the long list of kinds is gone through.
_ENDS = r"(?=key(?:s?(?![A-Za-z])|s?(?-i:[A-Z])|(?:value|access|secret|token|string|private|prod|staging|dev|live|base|raw|plain|old|new|current|b64|root|admin|key)))"
_KEY = _ENDS + "(?:" + "|".join((_behind(_KINDS), _behind(_KINDS, "[ _-]"))) + ")key"
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
KIND_ENDS = (*_KINDS, *(name for name in sorted(_GIVERS) if len(name) > 4))
_ENV_KEY = r"(?<=[A-Z0-9]_)(?<!CACHE_)(?<!PUBLIC_)(?<!PRIMARY_)(?<!SORT_)(?<!PARTITION_)(?<!PUBLISHABLE_)key"
TAIL = r"(?:s|[_-]?(?:key|value|access|secret|token|string|private|prod|production|staging|dev|live|base|raw|plain|old|new|current|b64|base64|root|admin|[0-9]))"

_PAT = r"(?<=[A-Za-z0-9])[_ ]pat(?![A-Za-z])|(?<=[a-z0-9])pat(?=\s?[:=])"
MIN_PAT = 20
"""So long is an access token at least that stands in a field called ``…_pat``, in characters (ours)."""
IS_PAT = lazy_pattern("[_ ]PAT|Pat")
_BARE_KEY = r"(?<![A-Za-z0-9_-])key(?![A-Za-z])|(?-i:(?<=[a-z0-9])Key(?![a-z]))|(?<=[a-z]-)key(?=[\"']?\s?:)|(?-i:(?<=[A-Z]{2})KEY(?![A-Z]))"
# The two halves of a key of Huawei Cloud, Volcengine and their like are called AK and SK.
_SK = r"_sk(?=[\"']?\]?\s?[=:：])|(?<![A-Za-z0-9_])sk(?=\s?[=:])"
SAYS_KEY = "|".join((*NAMES, _KEY, _ENV_KEY, _PAT, _BARE_KEY, _SK))


# With none of these does a word go on that begins with "pass" and is a name here: passed, passing and passive are none.
_NO_TAIL = frozenset("efghijmquxyzEFGHIJMQUXYZ")
_LONGEST_KIND = max(map(len, _KINDS))


def may_say_password(text: str, at: int) -> bool:
    """Whether `SAYS_PASSWORD` and what follows a name may match at a hint; much sooner known than whether it does.

    Args:
        text: any.
        at: where one of `PASSWORDS` stands.
    """
    return text[at : at + 4].lower() != "pass" or text[at + 4 : at + 5] not in _NO_TAIL


def may_say_key(text: str, at: int) -> bool:
    """The same for `SAYS_KEY`, at one of `KEYS`: "the keys of", "keyboard" and "file path" name no secret."""
    head = text[at : at + 4].lower()
    if head in {"_pat", " pat"}:
        return not _is_letter(text[at + 4 : at + 5])
    if not head.startswith("key") or not _is_letter(head[3:]):
        return True
    before = text[at - 1 : at]
    if before not in {"", " ", "-"}:
        return before.isalnum() or before == "_"
    kind = text[max(0, at - 1 - _LONGEST_KIND) : max(0, at - 1)]
    return kind.lower().endswith(_KINDS) or not kind.isascii()


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha()


KEYS = (*NAMES, "key", "_pat", " pat", "pat =", "pat=", "pat:", "_sk", "sk=", "sk:")
"""Hints of names of keys, tokens and secrets."""
