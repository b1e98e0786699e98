"""Secrets whose name stands elsewhere: at the head of their column, in the declaration around them, behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.fields import holds_secret
from memtui.memory.secrets.values import is_chosen, is_key, is_password

Span = tuple[int, int]

_BACK = 400
"""So far back is the name of a declaration looked for, in characters (ours)."""
DEFAULT_HINTS = ("default",)
DEFAULT_PATTERN = r"default(?:value)?[\"']?\s{0,8}[:=,]\s{0,4}(?P<q>[\"']?)(?P<value>(?<=[\"'])[^\"'\n]{6,2000}|[^\s\"',]{6,2000})"
_DECLARES = lazy_pattern(
    r"^[ \t]*(?:(?:variable|parameter|param|input|output|local|secret)\s+)?[\"']?(?P<name>[A-Za-z][\w.-]{1,80})[\"']?\s*(?:[:=]\s*\{?|\{)[ \t]*$",
    re.MULTILINE,
)
_SAME_LINE = lazy_pattern(r"[\"'(]-{0,2}(?P<name>[A-Za-z][\w.-]{1,80})[\"']?[,)]")


def declared(match: re.Match[str]) -> Span | None:
    """The default of a variable, a parameter or an argument, by the name of that."""
    text, start = match.string, match.start()
    back = text[max(0, start - _BACK) : start]
    line = back[back.rfind("\n") + 1 :]
    found = [*_SAME_LINE.finditer(line)][-1:] or [*_DECLARES.finditer(back[: len(back) - len(line)])][-1:]
    if not found or "}" in back[found[0].end() :]:
        return None
    return match.span("value") if holds_secret(found[0]["name"], match["value"]) else None


BEHIND_HINTS = (
    "password",
    "passphrase",
    "passcode",
    "token",
    "api key",
    "access key",
    "secret",
    "密码",
    "密碼",
    "口令",
    "密钥",
    "令牌",
)
BEHIND_PATTERN = r"(?:(?<=\s)(?:password|passphrase|passcode|token|api\skey|access\skey|secret)|密[码碼]|口令|密钥|令牌)(?![\w-])(?!\s?[:：=])"
_LAST = lazy_pattern(
    r"[“\"'`「]?(?P<value>[!-~]{6,200}?)[”\"'`」]?(?:\s(?:as|is|was)\s(?:(?:the|our|my|a|its|his|her)\s)?(?:[\w/-]{1,20}\s){0,3}|\s?(?:作[为為]|[当當]作?|就?是)(?-i:[\u4e00-\u9fff]){0,6})\Z",
    re.IGNORECASE,
)
_SAYS_SO = (" as ", " is ", " was ", "作", "当", "當", "是")


def behind(match: re.Match[str]) -> Span | None:
    """What a sentence says to be the password after it has named it."""
    text, start = match.string, match.start()
    near = text[max(0, start - 48) : start]
    if not any(word in near for word in _SAYS_SO):
        return None
    begin = max(0, start - 252)
    begin = max(begin, text.rfind("\n", begin, start) + 1)
    found = _LAST.search(text, begin, start)
    if found is None:
        return None
    value = found["value"]
    if match[0][0] in "pP密口" and "钥" not in match[0]:
        return found.span("value") if is_password(value, plain=True) or is_chosen(value, "said") else None
    return found.span("value") if is_key(value) and len(value) >= 16 else None


LOGIN_HINTS = ("login", "creds", "credentials", "账号", "帐号", "登录", "账户")
LOGIN_PATTERN = (
    r"(?:login|creds|credentials|账号|帐号|登录|账户)(?:\s(?:for|to|on|of)\s[^\n:]{1,40}?)?(?:\s(?:is|are|with|as|was)|\s?[:：=＝是用为])\s{0,2}[\"'`“「]?(?P<user>[\w.@+-]{2,48})"
    r"\s?[/|:、，,\\]\s?(?P<value>[!-~]{6,128})"
)


def login(match: re.Match[str]) -> Span | None:
    """The second half of ``login is user / password``."""
    value = match["value"].rstrip(".,;:)\"'`")
    start = match.start("value")
    if value.startswith("/") or not (is_password(value, plain=True) or is_chosen(value, "given")):
        return None
    return start, start + len(value)


OPENS_HINTS = (
    "admin / ",
    "root / ",
    "administrator / ",
    "(password)",
    "(passphrase)",
    "(passwort)",
    "(pw)",
    "(pwd)",
    "（密码）",
    "(密码)",
)
OPENS_PATTERN = r"(?:admin|root|administrator)\s/\s[\"'`]?(?P<value>[!-~]{7,127}[A-Za-z0-9!?@#$%^&*+~])|[(（](?:password|passphrase|passwort|pwd?|密码)[)）]"
_WORD_BEFORE = lazy_pattern(r"[\s\"'`“「](?P<value>[!-~]{8,128}?)[\"'`”」]?\s\Z")


def opens(match: re.Match[str]) -> Span | None:
    """The second half of ``admin / password``, or what stands before ``(password)``."""
    start = match.start()
    found = match if match["value"] else _WORD_BEFORE.search(match.string, max(start - 140, 0), start)
    if found is None:
        return None
    value = found["value"]
    return found.span("value") if is_password(value, plain=True) or is_chosen(value, "said") else None


TABLE_HINTS = ("|--", "| --", "|:-", "| :-")
TABLE_PATTERN = r"(?:(?<=\n)|(?<=\n )|(?<=\n  )|(?<=\n> ))\|[ \t]{0,9}:?-{2,99}:?[ \t]{0,9}(?:\|[ \t]{0,9}:?-{2,99}:?[ \t]{0,9}){1,30}\|?[ \t]{0,9}(?=\n)"
LIST_HINTS = (
    ",password",
    "password,",
    ",secret",
    "secret,",
    ",token",
    "token,",
    "password;",
    ";password",
    "token;",
    ";token",
    "password\t",
    "\tpassword",
    "\ttoken",
)
LIST_PATTERN = r"[,;\t]?(?:password|secret|token)"
_LIST_HEAD = lazy_pattern(r"[\w .-]{1,40}(?P<sep>[,;\t])[\w .-]{1,40}(?:(?P=sep)[\w .-]{1,40}){0,30}")
_CELLS = 32
"""So many cells of a row are looked at (ours)."""
_ROW = 4000
"""So long is a row at most, in characters (ours)."""
_ROWS = 300
"""So many rows of a table are looked at (ours)."""


def in_columns(match: re.Match[str]) -> list[Span]:
    """The secrets in a table of Markdown, below heads that name them."""
    text = match.string
    end = max(text.rfind("\n", max(0, match.start() - _ROW), match.start()), 0)
    return list(_below(text, (text.rfind("\n", max(0, end - _ROW), end) + 1, end), match.end() + 1, "|"))


def in_list(match: re.Match[str]) -> list[Span]:
    """The secrets in lines of values between commas, semicolons or tabs, below a line of names."""
    text = match.string
    begin = text.rfind("\n", max(0, match.start() - _BACK), match.start()) + 1
    end = text.find("\n", match.end(), match.end() + _BACK)
    head = _LIST_HEAD.fullmatch(text, begin, end) if begin < end <= begin + _BACK else None
    # A list has its names in its first line only.
    before = max(begin - 1, 0)
    if head is not None and _LIST_HEAD.fullmatch(
        text, text.rfind("\n", max(0, before - _BACK), before) + 1, before
    ):
        return []
    return list(_below(text, (begin, end), end + 1, head["sep"])) if head else []


def _below(text: str, head: Span, at: int, sep: str) -> Iterator[Span]:
    names = [text[start:end] for start, end in _cells(text, *head, sep)]
    telling = [number for number, name in enumerate(names) if holds_secret(name, _PROBE)]
    for _ in range(_ROWS if telling else 0):
        stop = text.find("\n", at, at + _ROW)
        stop = min(len(text), at + _ROW) if stop < 0 else stop
        cells = _cells(text, at, stop, sep)
        if len(cells) < 2 or (sep != "|" and len(cells) != len(names)) or "--" in text[at : at + 5]:
            return
        for number in telling:
            if number < len(cells):
                start, end = cells[number]
                if holds_secret(names[number], text[start:end]):
                    yield start, end
        at = stop + 1


_PROBE = "q7Rw2xVn8Kp4Lz6TmB3c"
"""What would be taken for a secret under any name that tells one."""


def _cells(text: str, start: int, end: int, sep: str) -> list[Span]:
    """Where the cells of a row stand, without the blanks, quotes and code marks around them."""
    if sep == "|":
        start += len(text[start:end]) - len(text[start:end].lstrip(" >\t"))
        start += text.startswith("|", start)
    found: list[Span] = []
    for cell in text[start : min(end, start + _ROW)].split(sep)[:_CELLS]:
        bare = cell.strip(" \t`*\"'\r")
        at = start + cell.index(bare)
        found.append((at, at + len(bare)))
        start += len(cell) + 1
    return found
