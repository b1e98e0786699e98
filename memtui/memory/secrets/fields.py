r"""Fields with telling names: how a value is given to them, and whether it is a secret.

A value has no format, so it has to look like one that was chosen or drawn: see ``values``. How much it takes
depends on how sure its place is: an option of a command, a setting, or a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.names import BARE_PASS, IS_PAT, KIND_ENDS, MIN_PAT, SAYS_KEY, SAYS_PASSWORD, TAIL
from memtui.memory.secrets.values import (
    Sure,
    is_chosen,
    is_hex_key,
    is_identifier,
    is_key,
    is_password,
    is_strong,
    is_varied,
)

Span = tuple[int, int]

_AFTER_NAME = r"(?:\s?[(（][^()（）\n]{0,30}[)）])?\\?[\"'`*_\]]{0,4}(?:[)）](?=[:：]))?"
_TYPE = r"(?:\s?(?:&?str|string|String|char\s?\*|bytes|SecretStr)\s{0,3}(?:\|\s?None\s{0,2})?=)"
_ASSIGNED = (
    rf"[^\S\n]{{0,12}}(?:=>|(?:\|\||\?\?|[:?+])?=|==|[:：＝|]{_TYPE}?|[\"']\s?[,，](?=\s?[\"']))[^\S\n]{{0,12}}(?:[*_]{{1,3}}[^\S\n]?)?"
    r"|>(?=[^<>\s]{1,200}</)|</key>\s{0,20}<string>|\((?=[\"'][^\"'\n]{6,200}[\"']\s?\))"
    r"|,?\s{1,40}[\"']?(?:parameter)?value[\"']?\s{0,2}[:=]\s{0,4}|[，,]\s?值\s?[:：]\s?|[\"']?\s{1,4}-value\s{1,4}"
)
# Han has no letter case: where it is looked for without regard to it, making a pattern ready goes through all 21,000.
_SAID = (
    r"\s(?:for|of|on|in|you|we|I|that|which|to|from|by)\s[^\n:=|]{1,40}?[:：]\s|['’]s\s"
    r"|(?:\s\([^()\n]{1,40}\))?(?:\s(?:for|of|to|on|in|that|which|we|I|they|he|she|you|from|at|here)\s[^\n:=|]{1,60}?)?"
    r"\s(?:(?:is|was|has|had|have|will|got|been|just|be|now|still|currently|already)\s){0,3}(?:is|was|be|to|became|becomes|reads|equals|turned\sout\sto\sbe|(?:changed|reset|set|rotated|updated|switched|replaced)\s(?:to|with|by|as))(?::|\s{1,8}(?:now|still|currently|set\sto))?\s"
    r"|\s?(?:->|→|⇒|=>)\s?|\s[–—]\s|\s?[【〔〈（](?=[!-~]{6,64}[】〕〉）])|\s\((?=[^\s()]{6,64}\)(?![\w(.]))"
    r"|\s?(?-i:[\u4e00-\u9fff]){0,8}?\s?(?:是|[为為]|改[为為成到]|[换換][成为為]|[变變](?:成|[为為]|更[为為])|更新[为為成]|重[置设設][为為成]?|[设設](?:[为為成]|定[为為]|置[为為成])|配(?:置[为為]|成)"
    r"|定[为為成]|填(?:的是)?|写(?:成|的是)|用(?:的是)?|使用|叫|即|等于|等於|[给給]的是)(?:新的)?了?\s?[:：]?\s?"
    r"|\s?(?-i:[\u4e00-\u9fff]){1,12}\s?[:：]\s?"
)
_VALUE = (
    r"(?:[bBrRuU]?\\?\"(?P<a>[^\"\n]{1,2000})\"|[bBrRuU]?'(?P<b>[^'\n]{1,2000})'|`(?P<c>[^`\n]{1,2000})`"
    r"|[“「『《](?P<d>[^”」』\n]{1,2000})[”」』》]"
    r"|(?P<e>(?:(?![;,&]\\?[\"']?[A-Za-z_][\w.-]{0,30}\\?[\"']?\s?[=:]|</|\\[nrt])[!-~]){4,2000}))"
)
# Tokens of grammars, paging and page forgery are names of other things.
_NOT_SECRET = lazy_pattern(
    r"(?<![A-Za-z])(?:next|prev|previous|page|pages|paging|pagination|cursor|continuation|continue|csrf|xsrf|cancel|cancellation|pad|eos|bos|unk|sep|cls"
    r"|mask|special|stop|start|end|public|pub|sync|resume|design|max|min|num|no|n|per|prompt|completion|input|output|total|cached"
    r"|encrypted|hashed|sealed|cipher)[-_ ]?\Z"
    r"|\w:\Z",
    re.IGNORECASE,
)
_IS_OPTION = lazy_pattern(
    r"(?:(?:^|\s)--?(?:[a-z0-9]{1,20}-?){0,3}|login\s\S{1,40}\s{1,8}|\buser(?:name)?\s\S{1,40}\s{1,8}|require|^\s{0,8}(?:env|arg)\s[\w.-]{0,40}|\bset(?:x|env)?\s(?:[-/]\w{1,4}\s)?[\w.-]{0,40}|enable\s|nmcli\s[^\n]{1,80}?|^\s{0,8}|(?:with|encrypted)\s{1,4})\Z",
    re.IGNORECASE | re.MULTILINE,
)
_PROGRAM = lazy_pattern(r"[=()\"'{}\[\]]")
# "prod uses the Datadog key …": a verb says that what follows is no word of the sentence.
_USES = lazy_pattern(
    r"\b(?:use[sd]?|using|with|has|have|got|gave|takes?|needs?|sends?)\s[^\n.;:]{0,60}\Z", re.IGNORECASE
)
# "user mailer, pass …", "账号 admin，密码 …": after a user's name comes a password.
_PAIRED = lazy_pattern(
    r"(?:^|[\s(（,，:：;；|\"'])(?:user(?:name)?|login|account|as|admin|root|email|账号|帐号|用户名?|登录名|賬號)(?:\s?(?:is|[:：=是为為])\s?|\s{1,4})?[\"'`“「]?[\w.@+\\-]{0,48}"
    r"[\"'`”」]?\s?(?:[,;/，；、|]|and|with|和)?\s{0,4}(?:the |its |and |with |using )?(?:初始|登录|登陆)?\Z",
    re.IGNORECASE,
)
_CODE = lazy_pattern(
    r"[\w.:]{1,60}(?:\((?![^\s()]{1,40}\)\w)|\[)|[fF][\"']|![01](?![A-Za-z0-9])"
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


def _field(match: re.Match[str], judge: Callable[[str, Sure], bool]) -> Span | None:
    text, start = match.string, match.start()
    if _NOT_SECRET.search(text, max(0, start - 16), start):
        return None
    value, span, quoted = _value(match)
    sure: Sure = "said" if match["said"] is not None else "set"
    if match["gap"]:
        if not (judge(value, "given") or judge(value, "said")):
            return None  # most are words of a sentence
        before = max(0, start - 96)
        paired = _PAIRED.search(text, before, start) is not None
        option = _IS_OPTION.search(text, max(before, text.rfind("\n", before, start)), start) is not None
        drawn = quoted and (match["c"] is None or _no_name(value))
        comma = match["gap"][0] in ",，" and not _PROGRAM.search(value)
        used = not comma and is_hex_key(value) and _USES.search(text, before, start) is not None
        if not (paired or option or drawn or used or comma or is_strong(value) or not text[start].isascii()):
            return None
        sure = "given" if paired or option else "said"
    if not quoted and (_CODE.match(value) or value.startswith(("=", "\\", "`"))):
        return None
    if _LISTED.search(text, start, span[0]) and not (
        (is_varied(value) and value[0] != "/") or (len(value) >= 20 and value.isalnum())
    ):
        return None
    return span if judge(value, sure) and not _is_sealed(text, start) else None


_LISTED = lazy_pattern(r"(?:[\"']\s?[,，]\s?|\()[\"']\Z")  # a name and a value, or two of a list of words


_SEALED_IN = lazy_pattern(r"encryptedData\W|kind:\s{0,4}(?:Sealed|Encrypted)Secret")
_ABOVE = 4000
"""So far above a field is looked for what says that all of it is encrypted, in characters (ours)."""


def _is_sealed(text: str, start: int) -> bool:
    """Whether a field stands in a document whose data only a cluster can read."""
    above = max(start - _ABOVE, 0)
    above = max(text.rfind("\n---", above, start), text.rfind("```", above, start), above)
    return _SEALED_IN.search(text, above, start) is not None


def may_be_password(value: str, sure: Sure) -> bool:
    """Whether a value was drawn as a password, or made up as one; see ``is_password`` and ``is_chosen``."""
    return is_password(value, plain=sure == "said") or is_chosen(value, sure)


def password_field(match: re.Match[str]) -> Span | None:
    """The value of a field whose name says password."""
    text, start = match.string, match.start()
    if BARE_PASS.match(text, start) and text[start - 1 : start] not in set("_-\"'"):
        # ``pass: …`` beside a user's name; test runners say PASS, and their tests have names.
        return _field(match, lambda value, _: may_be_password(value, "said")) if text[start] == "p" else None
    if (
        match["gap"]
        and match[0][:5].lower() == "pass "
        and not text[start - 1 : start].isalpha()
        and not _PAIRED.search(text, max(0, start - 96), start)
    ):
        return None  # "pass" alone is a verb
    return _field(match, may_be_password)


_SHARED_SECRET = lazy_pattern(r"(?:shared|radius|ipsec|vpn)[ _-]?secret", re.IGNORECASE)


_GIVER = 24
"""No longer is who gives out a key, with the character behind, in characters (ours)."""
_NAMED_KEY = lazy_pattern(r"(?<![A-Za-z])(?P<giver>[A-Z][A-Za-z0-9.&-]{2,24})\s\Z")
_OTHER_TEXT = (
    "Cache Primary Public Partition Sort Foreign Object Group Routing Host Idempotency Dedupe Hash Commit Build Unique"
    " Composite Lookup Index Row Map Query The This Each Its Our Translation Registry Redis Etag Content Version"
)
_OTHER_KEYS = frozenset(_OTHER_TEXT.split())


def _names_giver(text: str, start: int) -> bool:
    """Whether a name stands before ``key``: of whoever gave it out, not of a thing that has keys."""
    found = _NAMED_KEY.search(text, max(0, start - 27), start)
    return found is not None and found["giver"] not in _OTHER_KEYS


def _follows_kind(text: str, start: int) -> bool:
    before = text[max(0, start - _GIVER) : start].lower()
    return before.endswith(KIND_ENDS) or (before[-1:] in set(" _-") and before[:-1].endswith(KIND_ENDS))


def key_field(match: re.Match[str]) -> Span | None:
    """The value of a field whose name says key, token or secret."""
    text, start = match.string, match.start()
    bare = match[0][:3].lower() == "key" and not _follows_kind(text, start)
    if bare and _names_giver(text, start) and is_hex_key(_value(match)[0]):
        bare = False
    if bare and not is_strong(_value(match)[0]):
        return None  # STRIPE_KEY is a variable with a secret in it, cache_key is not; "the key is …" may be either
    if match[0].lower().lstrip("_")[:2] == "sk" and not is_strong(_value(match)[0]):
        return None
    if match[0][:4].lower().lstrip(" _")[:3] == "pat" and not IS_PAT.match(match[0]):
        value = _value(match)[0]
        if not (value.isalnum() and len(value) >= MIN_PAT):
            return None  # AZURE_DEVOPS_PAT and devopsPat are access tokens, regex_pat is a pattern
    if _SHARED_SECRET.search(text, max(0, start - 12), match.end()):
        return _field(match, lambda value, sure: is_key(value) or may_be_password(value, sure))
    return _field(
        match,
        lambda value, sure: is_key(value) and not (sure == "said" and value.isalnum() and len(value) < 16),
    )


def _pattern(names: str) -> str:
    """A name at its hint, the tail of its name, a sign of assignment or a word of saying, and the value."""
    return rf"(?:{names}){TAIL}{{0,3}}(?:{_AFTER_NAME}(?:{_ASSIGNED})|[\"'`*_]{{0,3}}(?P<said>{_SAID})|(?P<gap>\s(?:[0-9]\s)?|(?<=[d码碼令]),\s|，)){_VALUE}"


PASSWORD_PATTERN = _pattern(SAYS_PASSWORD)
KEY_PATTERN = _pattern(SAYS_KEY)
_PASSWORD_NAME = lazy_pattern(rf"(?:{SAYS_PASSWORD}|pass){TAIL}{{0,3}}\W{{0,3}}$", re.IGNORECASE)
_KEY_NAME = lazy_pattern(rf"(?:{SAYS_KEY}){TAIL}{{0,3}}\W{{0,3}}$", re.IGNORECASE)
_NAMED = 80
"""So much of a name is looked at, in characters (ours)."""


def holds_secret(name: str, value: str) -> bool:
    """Whether what stands under a name elsewhere, in a column or a declaration, is a secret."""
    name = name.strip()[-_NAMED:]
    if found := _PASSWORD_NAME.search(name):
        return not _NOT_SECRET.search(name, 0, found.start()) and may_be_password(value, "given")
    found = _KEY_NAME.search(name)
    return found is not None and not _NOT_SECRET.search(name, 0, found.start()) and is_key(value)
