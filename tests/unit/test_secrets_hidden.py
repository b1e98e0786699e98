"""Secrets in disguise (reliability §4): escapes, entities, other letters, packings; and what is sealed, which is none."""

from __future__ import annotations

import base64
import gzip
import random
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memtui.memory.secrets.engine import all_claims, claims, long_words
from memtui.memory.secrets.guard import find_secrets, redact
from memtui.memory.secrets.rules import MIN_TOKEN, RULES
from memtui.memory.secrets.unmask import ROUNDS, unmasked
from memtui.memory.secrets.wrapped import Budget, unpacked
from tests.unit.secret_corpus import CODE_AND_CONFIGURATION, HASHES, PLACEHOLDERS, PROSE, SECRETS
from tests.unit.secret_makers import drawn, made, packed


def wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) for char in text)


def percent(text: str) -> str:
    return "".join(f"%{ord(char):02X}" for char in text)


MASKS: dict[str, Callable[[str], str]] = {
    "base64": packed,
    "base64 twice": lambda text: packed(packed(text)),
    "base64 three times": lambda text: packed(packed(packed(text))),
    "base64 of UTF-16, as PowerShell has it": lambda text: base64.b64encode(
        text.encode("utf-16-le")
    ).decode(),
    "zipped": lambda text: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
    "base64 in lines": lambda text: "\n  ".join(
        packed(f"{text}\n{text}")[at : at + 64] for at in range(0, len(packed(f"{text}\n{text}")), 64)
    ),
    "base64 at the end of a path": lambda text: f"config/keys/{packed(text)}",
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "hexadecimal in pairs": lambda text: text.encode().hex(" "),
    "an array of bytes": lambda text: ", ".join(f"0x{byte:02x}" for byte in text.encode()),
    "percent": percent,
    "percent twice": lambda text: quote(percent(text)),
    "entities": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "hexadecimal entities": lambda text: "".join(f"&#x{ord(char):x};" for char in text),
    "entities of entities": lambda text: "".join(f"&amp;#{ord(char)};" for char in text),
    "escapes": lambda text: "".join(f"\\x{ord(char):02x}" for char in text),
    "unicode escapes": lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
    "braced escapes": lambda text: "".join(f"\\u{{{ord(char):x}}}" for char in text),
    "long escapes": lambda text: "".join(f"\\U{ord(char):08x}" for char in text),
    "octal escapes": lambda text: "".join(f"\\{ord(char):03o}" if char.isalpha() else char for char in text),
    "wide letters": wide,
    "zero width": "\u200b".join,
    "soft hyphens": lambda text: text[:9] + "\u00ad" + text[9:],
    "a continued line": lambda text: f"{text[:12]}\\\n{text[12:]}",
    "joined strings": lambda text: f'"{text[:12]}" + "{text[12:]}"',
    "joined strings on a continued line": lambda text: f'"{text[:12]}" \\\n  "{text[12:]}"',
    "joined lines": lambda text: f"'{text[:12]}'\n    '{text[12:]}'",
}


@pytest.mark.parametrize("mask", MASKS)
def test_reliability_4_a_masked_secret_is_found_where_it_stands(mask: str) -> None:
    for seed in range(8):
        token = drawn(random.Random(seed), "ghp_{A36}")
        masked = MASKS[mask](token)
        text = f"Notes, line one.\n\nuse {masked} there, once\n"
        found = find_secrets(text)
        assert [each.rule for each in found] == ["github-token"], text
        start = text.index(masked)
        assert start <= found[0].start < start + 16, text
        assert start + len(masked) - 3 <= found[0].end <= start + len(masked), text
        assert token not in redact(text)
        assert not find_secrets(redact(text))


def test_reliability_4_json_writes_its_slashes_masked() -> None:
    url = drawn(random.Random(1), "postgres:\\/\\/app:{A12}7k@db.internal:5432\\/app")
    (found,) = find_secrets(f'{{"url": "{url}"}}')
    assert found.rule == "url-credentials"


def test_reliability_4_a_password_in_wide_letters_is_found_by_its_field() -> None:
    text = "密码：" + wide("Juniper2018@")
    (found,) = find_secrets(text)
    assert (found.start, found.end) == (3, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "![x](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{b400})",
        "sha512-{b86}== {h40} {h64}",
        "key fingerprint: aa:bb:cc:dd:ee:ff:00:11:22:33:44:55:66:77:88:99",
        "%7B%22a%22%3A1%7D and 100 % of &lt;your token&gt; &amp; &#8212; more",
        "⚠\ufe0f careful: 1\ufe0f\u20e3 first, 👩\u200d💻 second",
        "ＡＢＣＤＥＦ means the same as ABCDEF",
        "C:\\\\temp\\\\x41 and \\u0041bc",
        'path = "a/b" + "c/d"\n"next"\n"line"',
        base64.b64encode(b"The quick brown fox jumps over the lazy dog.").decode(),
        base64.b32encode(b"The quick brown fox jumps over the lazy dog.").decode(),
        b"The quick brown fox jumps over the lazy dog.".hex(),
        base64.b64encode(gzip.compress(b"The quick brown fox jumps over it.", mtime=0)).decode(),
        base64.b64encode(b"\x1f\x8b" + bytes(range(40))).decode(),
        base64.b64encode(b"\xc3\x28" * 20).decode(),
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGH",
    ],
)
def test_needs_12_what_is_masked_and_no_secret_is_silent(text: str) -> None:
    for seed in range(4):
        assert not find_secrets(drawn(random.Random(seed), text)), text


def test_a_text_that_is_masked_more_often_than_anybody_does_is_left_alone() -> None:
    text = "%41"
    for _ in range(ROUNDS + 2):
        text = text.replace("%", "%25")
    reading = unmasked(text)
    assert reading is not None
    assert len(reading.views) == ROUNDS
    assert unmasked("nothing here") is None


def test_what_is_read_leads_back_to_what_is_written() -> None:
    text = "a%41b\u200bc &#68; e"
    reading = unmasked(text)
    assert reading is not None
    assert reading.text == "aAbc D e"
    assert reading.span(0, 1) == (0, 1)
    assert reading.span(1, 2) == (1, 4)
    assert reading.span(2, 4) == (4, 7)
    assert reading.span(0, len(reading.text)) == (0, len(text))


@given(
    st.lists(
        st.sampled_from(["a", "%41", "%2541", "&#65;", "\u200b", "\\x41", "ＡＢＣＤ", "\\\n", " "]),
        max_size=30,
    )
)
def test_every_part_of_a_reading_lies_in_the_text_in_order(pieces: list[str]) -> None:
    text = "".join(pieces)
    reading = unmasked(text)
    if reading is None:
        return
    end = 0
    for at in range(len(reading.text)):
        start, until = reading.span(at, at + 1)
        assert 0 <= start < until <= len(text)
        assert start >= end or reading.text[at - 1 : at + 1]
        end = max(end, until)


def test_reliability_3_zipped_text_costs_no_more_than_a_text_of_its_own() -> None:
    bomb = base64.b64encode(gzip.compress(b"a" * 10_000_000, mtime=0)).decode()
    (found,) = unpacked(bomb, [bomb])
    assert len(found.text) == 1 << 16
    budget = Budget(3)
    assert budget.take("ab")
    assert not budget.take("ab")
    assert not find_secrets("\n".join([bomb] * 5))


# The prefilter: it saves time and nothing else.


def test_reliability_4_the_prefilter_changes_no_finding() -> None:
    texts = [text for rule in RULES for text in made(random.Random(5), rule)]
    lines = [*HASHES, *PLACEHOLDERS, *PROSE, *CODE_AND_CONFIGURATION, *SECRETS]
    for text in (*texts, *(drawn(random.Random(6), line) for line in lines)):
        for each in (text, f"Notes.\n{text}\n", text.upper(), f"x-{text}.md"):
            assert set(claims(each, long_words(each))) == set(all_claims(each)), each


@example("FROM-LITERAL=0=000001")
@given(
    st.lists(
        st.one_of(
            st.text(max_size=20),
            st.sampled_from([hint for rule in RULES.values() for hint in rule.hints]),
            st.sampled_from([*HASHES, *PROSE, *SECRETS]),
        ),
        max_size=8,
    ).map("".join)
)
def test_the_prefilter_changes_no_finding_in_any_text(text: str) -> None:
    assert set(claims(text, long_words(text))) == set(all_claims(text))


_VALUE = "Zq7-tRoub4dor-x9Lm2Wv8KdTn"
_PARTS = (
    *(
        "pass",
        "Pass",
        "PASS",
        "password",
        "passed",
        "passing",
        "passwd",
        "passphrase",
        "bindpw",
        "pwd",
        "口令",
    ),
    *(
        "key",
        "Key",
        "KEY",
        "keys",
        "keyboard",
        "keyValue",
        "pat",
        "PAT",
        "path",
        "token",
        "secret",
        "sk",
        "密钥",
    ),
    *(
        "api",
        "access",
        "private",
        "shared access",
        "organization",
        "db",
        "CACHE",
        "the",
        "4",
        "é",
        "ſ",
        "\u212a",
    ),
    *(
        " ",
        "  ",
        "_",
        "-",
        ".",
        ",",
        "(",
        '"',
        "'",
        "`",
        "\n",
        "=",
        ": ",
        "：",
        " is ",
        " 是 ",
        " -> ",
        "s",
        "_b64",
    ),
    *(_VALUE, f'"{_VALUE}"', f"`{_VALUE}`"),
)


@settings(max_examples=400)
@example(["the", " ", "key", "s", "=", _VALUE])
@example(["shared access", "-", "key", "s", " is ", _VALUE])
@example(["acceſs", "key", "s", "=", _VALUE])
@example(["é", "-", "key", "s", "=", _VALUE])
@example(["db", "pass", "_b64", "=", _VALUE])
@given(st.lists(st.sampled_from(_PARTS), max_size=9))
def test_no_name_of_a_secret_is_passed_by(parts: list[str]) -> None:
    """Where a rule is not tried since no name may begin there, it would have found nothing."""
    text = "".join(parts)
    for rule in (RULES["password-field"], RULES["key-field"]):
        assert rule.begins is not None
        begun = [at for hint in rule.hints for at in _places(hint, text.lower())]
        matched = [at for at in begun if rule.compiled.match(text, at)]
        assert [at for at in matched if not rule.begins(text, at)] == []
    assert set(claims(text, long_words(text))) == set(all_claims(text))


def test_words_that_only_look_like_names_of_secrets_are_passed_by() -> None:
    password, key = RULES["password-field"].begins, RULES["key-field"].begins
    assert password is not None
    assert key is not None
    assert not any(password(text, 0) for text in ("passed to", "Passing", "passive", "PASSES"))
    assert not any(
        key(text, text.index("key")) for text in ("the keys of", "keyboard", "(keyframes", "hot-keys")
    )
    assert not key("a file path", 6)
    assert key("access keys", 7)
    assert key("api_keys", 4)
    assert key("the key is", 4)


def _places(hint: str, text: str) -> Iterator[int]:
    at = text.find(hint)
    while at >= 0:
        yield at
        at = text.find(hint, at + 1)


def test_what_a_config_map_is_made_of_is_no_secret() -> None:
    made = "kubectl create {} app --from-literal=db={}"
    value = "Wq7-tRoub4dor-" + "x9Lm2"
    assert not find_secrets(made.format("configmap", value))
    (found,) = find_secrets(made.format("secret generic", value))
    assert found.end - found.start == len(value)


def test_hints_are_such_as_the_prefilter_looks_for() -> None:
    for rule in RULES.values():
        for hint in rule.hints:
            if rule.where == "text":
                assert hint == hint.lower()
            elif not rule.floating:
                assert hint[0].isalnum()
                assert len(hint) >= 2
    assert MIN_TOKEN == 16


# What is sealed is for all to see.


@pytest.mark.parametrize(
    "text",
    [
        "kind: SealedSecret\nspec:\n  encryptedData:\n    password: AgBy3i4OJSWK{b400}==\n    API_TOKEN: AgA{b500}",
        "kind: EncryptedSecret\ndata:\n  token: {b20}",
        "password: ENC[AES256_GCM,data:{b20},iv:{b43}=,tag:{b22}==,type:str]",
        "mac: 'ENC[AES256_GCM,data:{b90},iv:{b43}=,tag:{b22}==,type:str]'",
        "password: ENC[PKCS7,MIIB{b300}]",
        "spring.datasource.password=ENC({b44}=)",
        "password: '{cipher}{h96}'",
        "enc: |\n  -----BEGIN AGE ENCRYPTED FILE-----\n  {b64}\n  {b64}\n  -----END AGE ENCRYPTED FILE-----",
        "-----BEGIN PGP MESSAGE-----\n\nhQIMA{b59}\n{b64}\n=abcd\n-----END PGP MESSAGE-----",
        "kms:\n  - arn: arn:aws:kms:eu-west-1:{d12}:key/{h8}-{h4}-{h4}-{h4}-{h12}\n    enc: AQICAHh{b160}",
        "token: vault:v1:{b60}==",
        "secret: AQICAH{b120}==",
        "db_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  {h80}\n  {h80}\n  {h40}",
        'env:\n  global:\n    - secure: "{b170}="',
        'DB_PASSWORD="encrypted:B{b120}"',
        "password: {SSHA}{b32}",
        "password: md5{h32}",
        "password: SCRAM-SHA-256$4096:{b22}==${b43}=:{b43}=",
        "password: scrypt:32768:8:1${A16}${h128}",
        "encrypted_password: {b60}",
        "hashed_token = '{h64}'",
        "client_secret_hash: {h64}",
        "htpasswd: bob:$apr1${A8}${A22}",
        "password: $argon2id$v=19$m=65536,t=3,p=4${A22}${A43}",
    ],
)
def test_needs_12_what_only_its_owner_can_open_is_silent(text: str) -> None:
    for seed in range(3):
        sealed = drawn(random.Random(seed), text)
        assert not find_secrets(sealed), sealed


def test_what_manuals_print_is_no_secret_though_it_has_the_form() -> None:
    # Put together here, so that scanners of this repository stay silent.
    emulator = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq" + "/K1SZFPTOtr/KBHBeksoGMGw=="
    assert not find_secrets(
        f"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={emulator};"
    )
    assert find_secrets(f"AccountKey={emulator[::-1].strip('=')}==;")
