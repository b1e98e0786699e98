"""Whether a piece of text is a value somebody chose or drew, or stands for one: placeholders, words, entropy.

Scanners that cry wolf get switched off, so doubt ends in silence here, except for what a provider's format proves.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from math import log2
from typing import Literal

from memtui.memory.lazy import lazy_pattern

_STANDS_FOR = lazy_pattern(
    r"^(?:<[^>]*>.*|\{.*\}|\[(?:.*\]|[^\]]*[\"',:(].*|[A-Za-z_. ]*)|\(.*\)|%\w+%|%[sdr]|__\w+__|#\{.*|@\w+@|![A-Za-z]{0,12}|[&*][A-Za-z_]*)$"
    r"|^\$(?:\{|\(|[A-Za-z_][A-Za-z0-9_.]*$|\w+:)|\$\{|\{\{|\$\("
    r"|[*•·]{3}|\.{3}|…|x{4}|X{4}|#{4}|_{4}|(.)\1{6}|^(.)\2{2,}$"
    r"|12345678|23456789|87654321|(?i:abcdefgh|abcdef0123|0123456789|abcdef12|deadbeefdead|foobar)"
    r"|(?i:example|placeholder|change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|with|this)|insert[-_ ]|redacted|dummy|to[-_]?do\b"
    r"|your[-_ ]?\w|[-_ ]here$|goes[-_ ]?here|fill[-_ ]?in|sample|not[-_ ]?a[-_ ]?real|fake[-_]|[-_]fake|^abc123|^xxx|masked|censored)"
    r"|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*(?:Sm9obiBEb2|pvaG4gRG9l|Kb2huIERvZ)"  # John Doe, of whom jwt.io's example tells
)
# The same for the body of a token, where short words turn up by chance.
_TYPED = lazy_pattern(
    r"[*•·]{3}|\.{3}|…|x{5}|X{5}|(.)\1{6}|(?i:deadbeefdead|example|placeholder|change[-_]?me|redacted|your[-_]|dummy|[-_]here\b)"
)
_SEQUENCE = lazy_pattern("12345678|87654321|(?i:abcdefgh|abcdef0123|0123456789)")
_UNTYPED = 12
"""So much beside a sequence of digits and letters is no example any more, in characters (ours)."""
_DEFAULTS = lazy_pattern(
    r"(?:(?:my|the|your|our|some|a|an|test|dev|db|new|old|user|admin|root|default|super|top|strong|secure|local|database|redis"
    r"|postgres|mysql|app|service|prod|client|bot|api|access|auth|github|long|random|shared|same)[-_ ]?){0,3}"
    r"(?:passw(?:or)?d|passwort|passphrase|pass|passwd|pwd|pw|secret|token|api[-_ ]?key|key|credentials?|value|string|test|demo|guest|admin"
    r"|root|user|username|foo|bar|baz|qwerty|letmein|welcome|hello|login|abc|none|null|true|false|undefined|hunter2|empty|required"
    r"|optional|hidden|unset|unknown|postgres|mysql|redis|rabbitmq|minio|minioadmin|default|local|dev)[-_]?[0-9]{0,4}",
    re.IGNORECASE,
)
_REFERENCE = lazy_pattern(
    r"^(?:[~.]{1,2}/|[A-Za-z]:\\|\w[\w+.-]*://|arn:|op:|env[:.]|file[:@]|ssm:|sm:|vault[:/]|kms:|secret[s]?[./:]|@(?:[\w-]*[/.]|[A-Za-z_-]*$)|0x[0-9a-fA-F]{1,8}$)"
    r"|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|\(\?[:=!<P]|\[\^|\\[swdSWD][+*?\]]|\[\^?[A-Za-z0-9]-[A-Za-z0-9]|&(?:amp|lt|gt);"
    r"|^[\w.$]+\[[\"'\w]|^(?:self|this|os|process|settings|config|env|request|args|options|ctx|params)[.\[]"
    r"|^[\w.+-]+@[\w-]+\.[\w.]+$|\.(?:txt|pem|key|json|ya?ml|md|py|js|ts|env|crt|toml|sh|rs|go)$"
    r"|^\$(?:2[abxy]|1|5|6|y|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*)\$|^(?:sha\d{1,3}|md5|pbkdf2\w*|bcrypt|argon2\w*)[-:$]"
)
_ODD_SIGNS = frozenset("?!^#%&~$@")
_CALL = lazy_pattern(r"(?P<name>[\w.$]+)\((?![^\s()]{1,40}\)\w)")
# What can be read by nobody without another key, and what is left of a password when it is checked.
_SEALED = lazy_pattern(
    r"^(?:ENC[\[(]|encrypted:|\{(?:SSHA|SMD5|SHA|MD5|CRYPT|PBKDF2|cipher|AQ)|vault:v[0-9]|AQ[IE]CAH|Ag[A-D][A-Za-z0-9+/]{200}|\*[0-9A-F]{40}$|md5[0-9a-f]{32}$"
    r"|SCRAM-SHA|scrypt[:$]|[\w.-]{1,40}:\$(?:apr1|2[abxy]|[156y]|argon2\w{0,2})\$|\$ANSIBLE_VAULT|age-encryption|-----BEGIN (?:AGE|PGP MESSAGE)|v1:[A-Za-z0-9+/]{12,24}={0,2}:)",
    re.IGNORECASE,
)
# Keys that are made to stand in pages and apps, for all to read.
_PUBLISHABLE = lazy_pattern(r"pk_(?:live|test)_|sb_publishable_|phc_|pk\.eyJ|pk-lf-")
_TECHNICAL = lazy_pattern(
    r"(?:sha|md|aes|rsa|ed|es|rs|hs|ps|p|blake|secp|x|pkcs|ipv|utf|base|oauth|auth|http|argon|pbkdf|scrypt|bcrypt|tls|ssl|v|rfc|iso"
    r"|level|phase|step|python|py|node|java|web|s|k|i|l|h|ec|gp|t|m|c|arm|amd|int|uint|float|str|char|varchar|log|neo|mp|n"
    r"|oidc|saml|totp|pem|der|top|max|min|day|week|sprint|version|team|user|group|role|part|line|page|q|fy|cve|pr)"
    r"-?[0-9]{1,5}[a-z]{0,2}[0-9]{0,2}",
    re.IGNORECASE,
)
_UUID = lazy_pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# A sentence without blanks: what Chinese interfaces say under a name such as "password".
_HAN = lazy_pattern("[\u3400-\u9fff\uf900-\ufaff]")
_DATE = lazy_pattern(
    r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ][\d:.Z+-]*)?|v?\d+(?:\.\d+){1,3}[\w.+-]{0,12}|\d{1,2}:\d{2}(?::\d{2})?"
)
_PAIR_TEXT = (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea"
    " ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie"
    " wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab"
    " gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da yo cr cl du"
    " ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu ui rg ib tl ny ki rk ys"
    " ob mm fu ph og ms ye ud mb ip ub oi rl gu dr hr cc tw ft wn nu af hu nn eo vo rv nf xp gn sm fl iz ok nl my gl aw ju oa"
    " eq sy sl ps jo lf nv je nk kn gs dy hy ze ks xt bs dd"
)
# The letter pairs that make up nearly all English text; of the pairs of random letters they are a third.
_PAIRS = frozenset(_PAIR_TEXT.split())
_WORDY = 0.62
_LOOK = 64
"""So much of a value is enough to judge it by, in characters (ours)."""
_HUMP = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SPLIT = lazy_pattern(r"[-_./:@+=&|,]+")
_PORT = lazy_pattern(r"[0-9]{1,5}(?:[/?#]|$)")
_LETTERS = lazy_pattern(r"[A-Za-z]+")
_NUMBERS = lazy_pattern("[0-9]+")
_PHRASE = lazy_pattern(r"[A-Za-z]{3,10}(?:[-. ][A-Za-z]{3,10}){3,7}(?:[-.]?[0-9]{1,4})?")
_WORDS_AND_NUMBER = lazy_pattern(
    r"(?:[A-Za-z][A-Za-z0-9]{1,15}[-_.@#!$%&+]?){1,4}[0-9]{1,6}[!@#$%^&*.?~+]{0,4}"
)
# Whoever writes about passwords and settings uses these; whoever makes up a password rarely does.
_TALK_TEXT = (
    "password passwords passwd passphrase pass pwd secret secrets token tokens key keys api auth login"
    " username database db app prod production staging stage qa server service svc host client config"
    " vault store credential credentials creds cred name value file path env var policy policies reset"
    " change min max length chars char characters digits digit rule rules field column required optional"
    " hash hashed salt encrypted protected plain text none null see use ask from with the and for not"
    " must should least via our your same above below page wiki doc docs item entry note notes manager"
    " keeper version release ticket issue jira cve rfc nist iso iam kms aws gcp azure cluster node"
    " namespace ref uuid group role team org project repo branch region east west north south central eu"
    " us ap utf sha md aes rsa bcrypt argon scrypt pbkdf oauth saml oidc jwt tls ssl http https sso mfa"
    " otp totp ldap chapter section step example default string int varchar type minimum maximum long"
    " short letters numbers numeric special upper lower case symbol symbols day days hours expires"
    " generated random auto never empty blank unknown later tbd pending rotate rotated ok yes no new old"
)
_TALK = frozenset(_TALK_TEXT.split())
_HEX_KEY = lazy_pattern(r"(?:0x)?[0-9a-f]{30,128}")
PRINTABLE = re.compile(rb"[\t\n\r\x20-\x7e]+")


def entropy(text: str) -> float:
    """Shannon entropy in bits per character."""
    return -sum(n / len(text) * log2(n / len(text)) for n in Counter(text).values()) if text else 0.0


def is_placeholder(value: str) -> bool:
    """Whether a text stands for a secret, or for where it is: ``<token>``, ``$VAR``, ``xxxx``, ``…EXAMPLE``, ``your-key-here``."""
    if value.startswith("$") and value[1:].isalnum() and not is_identifier(value[1:]):
        return False  # a variable would have a name
    return _STANDS_FOR.search(value) is not None


def is_drawn(body: str) -> bool:
    """Whether the body of a token in a provider's format may have been drawn at random; examples in manuals rarely are."""
    typed = len(_SPLIT.split(body)) >= 3 and is_identifier(body) and not _UUID.fullmatch(body)
    if typed or _TYPED.search(body):
        return False
    if _SEQUENCE.search(body):
        rest = _without_sequences(body)
        return len(rest) >= _UNTYPED and not is_identifier(rest) and is_drawn(rest)
    return len(set(body)) >= min(8, len(body) // 3)


def _without_sequences(body: str) -> str:
    """What is left without runs of at least four digits and letters in their order, such as ``6789abcd`` and ``4321``."""
    order = [int(char, 36) if char.isascii() and char.isalnum() else -9 for char in body]
    runs: list[list[int]] = []
    for at, value in enumerate(order):
        step = abs(value - order[at - 1]) == 1 if at else False
        around = {value, order[at - 1]} in ({0, 9}, {1, 35}, {10, 0}) if at else False
        if (step or around) and value >= 0:
            runs[-1].append(at)
        else:
            runs.append([at])
    return "".join(body[at] for run in runs if len(run) < 4 for at in run)


def is_wordy(letters: str) -> bool:
    """Whether letters could be words of a language written in Latin letters, by their pairs."""
    low = letters.lower()
    if len(low) < 4:
        return True
    hits = sum(low[i : i + 2] in _PAIRS for i in range(len(low) - 1))
    return hits / (len(low) - 1) >= _WORDY


def is_identifier(value: str) -> bool:
    """Whether a value reads as a name: words, numbers and versions joined by ``-``, ``_``, ``.`` or humps."""
    for part in _SPLIT.split(value[:_LOOK]):
        humps = _HUMP.findall(part)
        numbers = sum(hump.isdigit() for hump in humps)
        if sum(map(len, humps)) != len(part) or numbers > 2 or len(humps) - numbers > 1 + len(part) // 4:
            return False
        words = len(humps) - numbers
        if numbers and words > 2:
            return False
        if sum(len(hump) for hump in humps if hump.isalpha()) < 2.5 * words and words > 1:
            return False
        if not all(len(hump) <= 8 if hump.isdigit() else is_wordy(hump) for hump in humps):
            return False
    return True


def is_password(value: str, *, plain: bool) -> bool:
    """Whether the value of a field called a password is one.

    Args:
        value: without its quotes.
        plain: whether it stands in a sentence (``the password is …``), where only what is no word counts.
    """
    if len(value) < (8 if plain else 6) or _stands_for_something(value):
        return False
    if _HAN.search(value) and not any(c.isdigit() for c in value):
        return False
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    symbols = any(not c.isalnum() and c not in "-_./:" for c in value)
    if digits and not letters and not symbols:
        return not plain and value.isdigit()
    if not digits and not symbols:
        return len(value) >= 12 and not is_identifier(value)
    if symbols and not is_identifier(value):
        return len(set(value)) >= 5 and (digits or len(value) >= 8) and not _is_prose(value)
    if symbols or is_identifier(value):
        return not plain and value.isalnum() and value[-1].isdigit()
    return len(set(value)) >= 4


Sure = Literal["said", "set", "given"]
"""How sure a place of a password is: a sentence; a setting; an option of a command, or what follows a user's name."""


def is_chosen(value: str, sure: Sure) -> bool:
    """Whether words and numbers are joined as people join them into a password: ``Maple2021@``, ``four-words-in-a-row``.

    Args:
        value: what stands where a password does.
        sure: how sure it is that a password stands there.
    """
    if len(value) < 8 or not value.isascii() or _stands_for_something(value):
        return False
    words = [word.lower() for word in _LETTERS.findall(value)]
    if not words or 2 * sum(word in _TALK for word in words) >= len(words):
        return False
    if _PHRASE.fullmatch(value) and len(words) >= 4:
        return len(set(words)) >= 3
    digits = sum(char.isdigit() for char in value)
    odd = not value[-1].isalnum()
    if sure == "given":
        return digits >= 2 or any(not char.isalnum() and char not in "-_./:" for char in value)
    if sure == "set" and digits >= 5 and len(_NUMBERS.findall(value)) >= 2:
        return True
    if not (_WORDS_AND_NUMBER.fullmatch(value) and (max(map(len, words)) >= 4 or sum(map(len, words)) >= 6)):
        return False
    if len(words) >= 3 and digits >= 2 and not _TALK.intersection(words):
        return True
    if sure == "set":
        return digits >= 2 or odd or any(not char.isalnum() and char not in "-_." for char in value)
    return (digits >= 2 or odd) and (digits >= 4 or (digits and odd) or any(char.isupper() for char in value))


def is_key(value: str) -> bool:
    """Whether the value of a field called a key, a token or a secret is one: longer than a password, and no name."""
    if len(value) < 10 or _stands_for_something(value) or value.isdigit() or _HAN.search(value):
        return False
    if _UUID.fullmatch(value):
        return True
    if not any(c.isdigit() for c in value):
        return (
            len(value) >= 12
            and not is_identifier(value)
            and not _is_prose(value)
            and entropy(value[:_LOOK]) >= 2.8
        )
    return entropy(value[:_LOOK]) >= 2.7 and not is_identifier(value) and not _is_prose(value)


def is_hex_key(value: str) -> bool:
    """Whether a value is hexadecimal and as long as keys are."""
    return _HEX_KEY.fullmatch(value) is not None and len(set(value)) >= 8


def is_strong(value: str) -> bool:
    """Whether a value is long and drawn from digits and letters of both cases, in no order that words or names have."""
    kinds = (str.isdigit, str.isupper, str.islower)
    runs = max((len(run) for run in re.findall(r"[a-z]+|[A-Z]+|[0-9]+", value)), default=0)
    return (
        len(value) >= 24
        and all(sum(map(kind, value)) >= 2 for kind in kinds)
        and runs <= max(8, len(value) // 6)
        and len(re.findall("[_-]", value)) <= max(2, len(value) // 8)
        and not is_identifier(value)
    )


def is_varied(value: str) -> bool:
    """Whether a value mixes three of digits, small letters, capitals and other characters, as names rarely do."""
    kinds = (str.isdigit, str.isupper, str.islower, lambda char: not char.isalnum())
    return sum(any(map(kind, value)) for kind in kinds) >= 3 and not is_identifier(value)


def _is_prose(value: str) -> bool:
    """Code and sentences without blanks: ``a||b``, ``name=value``, ``(required)``, ``read+write``."""
    words = re.findall(r"[A-Za-z]+", value)
    rest = sum(not c.isalnum() for c in value)
    return (
        bool(words)
        and not any(c.isdigit() for c in value)
        and rest <= 4
        and all(len(w) > 2 and is_wordy(w) for w in words)
    )


def _is_call(value: str) -> bool:
    found = _CALL.match(value)
    if found is None or not is_identifier(found["name"]):
        return False
    # What a call is given is names and numbers; it may have lost its end at a blank.
    return value.endswith(")") or not (_ODD_SIGNS & set(value) and any(char.isdigit() for char in value))


def _stands_for_something(value: str) -> bool:
    return bool(
        is_placeholder(value)
        or _DEFAULTS.fullmatch(value)
        or _REFERENCE.search(value)
        or _is_call(value)
        or _PUBLISHABLE.match(value)
        or _SEALED.match(value)
        or _TECHNICAL.fullmatch(value)
        or _DATE.fullmatch(value)
        or (value.startswith(("/", "[")) and is_identifier(value[1:]))
        or any(c.isspace() for c in value)
    )


def is_url_password(user: str, password: str) -> bool:
    """Whether the second half of ``user:password@host`` is a password: it stands where one must, so words count too."""
    if _PORT.match(password) or user == password or is_placeholder(password) or _DEFAULTS.fullmatch(password):
        return False
    if password.startswith("$") or (password.isupper() and password.replace("_", "").isalpha()):
        return False
    return not (
        password.isalpha() and re.search(r"(?i)pass|secret|token|pwd|test|dev|local|user|admin", password)
    )


def unwrap_base64(text: str, limit: int = 1 << 16) -> str | None:
    """What base64 text says, if it says something printable; both alphabets, with or without its padding."""
    packed = text.rstrip("=")[:limit].translate({0x2D: "+", 0x5F: "/"})
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]
    head = packed[:64]
    try:
        if PRINTABLE.fullmatch(binascii.a2b_base64(head + "=" * (-len(head) % 4))) is None:
            return None
        data = base64.b64decode(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return None
    return data.decode("ascii") if PRINTABLE.fullmatch(data) else None
