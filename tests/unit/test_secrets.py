"""Spec §15 secret guard, reliability §4, design §7 row secrets: what it finds, what it leaves alone, what it never shows."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.secrets.guard import SecretFinding, find_secrets, redact, secret_hash
from memtui.memory.secrets.rules import RULES, github_checksum
from tests.unit.benign_memories import samples
from tests.unit.secret_corpus import (
    CODE_AND_CONFIGURATION,
    HASHES,
    HOSTILE_PIECES,
    PLACEHOLDERS,
    PROSE,
    SECRETS,
    document,
)
from tests.unit.secret_makers import NOT_TEMPLATES, SLOT, TEMPLATES, drawn, jwt, made, packed, pem

sre: Any = importlib.import_module("re._constants")
sre_parse: Any = importlib.import_module("re._parser")

DRAWS = 25
GENERIC = (
    "prefixed-token",
    "password-field",
    "key-field",
    "bearer-token",
    "url-credentials",
    "option-credentials",
    "option-password",
    "piped-password",
    "stored-secret",
    "declared-secret",
    "login-pair",
    "said-behind",
    "column-secret",
    "list-secret",
    "app-password",
    "login-call",
    "session-cookie",
)


def rules_of(text: str) -> list[str]:
    return [finding.rule for finding in find_secrets(text)]


def test_reliability_4_every_rule_says_what_it_is_and_has_a_maker() -> None:
    assert set(RULES) == set(TEMPLATES) | NOT_TEMPLATES
    assert len({rule.provider for rule in RULES.values()} - {"generic"}) >= 40
    for rule in RULES.values():
        assert rule.description
        assert rule.hints
        assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", rule.id)


@pytest.mark.parametrize("rule_id", [rule for rule in RULES if rule not in GENERIC])
def test_reliability_4_each_form_is_found_by_its_own_rule(rule_id: str) -> None:
    missed = total = 0
    for seed in range(DRAWS):
        for text in made(random.Random(seed), rule_id):
            total += 1
            missed += rule_id not in rules_of(f"Notes.\n\nuse {text} from now on\n")
    assert missed <= total // 50, f"{missed} of {total}"


@pytest.mark.parametrize("rule_id", GENERIC)
def test_reliability_4_values_without_a_format_are_found_nearly_always(rule_id: str) -> None:
    texts = [text for seed in range(DRAWS) for text in made(random.Random(seed), rule_id)]
    missed = [text for text in texts if not find_secrets(text)]
    assert len(missed) <= len(texts) * 0.04, missed


@pytest.mark.parametrize("rule_id", sorted(set(TEMPLATES) - {"url-credentials"}))
def test_reliability_4_the_same_form_with_a_placeholder_in_it_is_silent(rule_id: str) -> None:
    for template in TEMPLATES[rule_id]:
        for filler in ("x", "X", "*", "."):
            text = filler.join(SLOT.sub(lambda m: "\0" * int(m[2]), template).split("\0"))
            assert not find_secrets(text), text
        assert not find_secrets(SLOT.sub("<your-token>", template)), template
        assert not find_secrets(SLOT.sub("...", template)), template


@pytest.mark.parametrize("line", [*HASHES, *PLACEHOLDERS, *PROSE, *CODE_AND_CONFIGURATION])
def test_reliability_4_ordinary_lines_are_silent(line: str) -> None:
    for seed in range(5):
        text = drawn(random.Random(seed), line)
        assert not find_secrets(text), text


@pytest.mark.parametrize("line", SECRETS)
def test_reliability_4_secrets_in_the_manner_of_notes_shells_and_code(line: str) -> None:
    missed = [text for seed in range(25) if not find_secrets(text := drawn(random.Random(seed), line))]
    assert len(missed) <= 1, missed


def test_reliability_4_docker_and_netrc_files() -> None:
    chance = random.Random(11)
    login = packed(drawn(chance, "bot:{A14}7"))
    assert rules_of(f'{{"auths": {{"registry.test": {{"auth": "{login}"}}}}}}') == ["basic-credentials"]
    netrc = drawn(chance, "machine git.test\n  login me@x.test\n  password {h8}-{h4}-{h4}-{h4}-{h12}\n")
    assert rules_of(netrc) == ["password-field"]


def test_design_7_figures_of_the_labelled_set() -> None:
    chance = random.Random(7)
    hits = wrong = missed = flagged = 0
    documents = 300
    rule_ids = list(RULES)
    for number in range(documents):
        clean = document(chance)
        false_alarms = len(find_secrets(clean))
        flagged += false_alarms > 0
        wrong += false_alarms
        secrets = [*made(chance, rule_ids[number % len(rule_ids)]), drawn(chance, chance.choice(SECRETS))]
        secret = chance.choice(secrets)
        found = find_secrets(f"{clean}\n\n{secret}\n")
        at = len(clean)
        hit = any(finding.end > at for finding in found)
        hits, missed = hits + hit, missed + (not hit)
    precision, recall = hits / (hits + wrong), hits / (hits + missed)
    print(f"precision {precision:.3f} recall {recall:.3f} flagged {flagged / documents:.3f}")
    assert precision >= 0.95
    assert recall >= 0.95
    assert flagged / documents <= 0.02


def test_design_7_benign_memories_are_silent() -> None:
    texts = [f"{sample.name}\n{sample.description}\n{sample.body}" for sample in samples(300)]
    assert sum(bool(find_secrets(text)) for text in texts) <= len(texts) * 0.02


def test_needs_12_hashes_uuids_and_base64_never_trip_it_even_in_numbers() -> None:
    chance = random.Random(3)
    for _ in range(200):
        text = drawn(chance, "{h40} {h64} sha512-{b86}== {h8}-{h4}-4{h3}-a{h3}-{h12} {h7}")
        assert not find_secrets(text), text


# What a finding tells, and what it never does.


def test_spec_15_a_finding_holds_place_and_fingerprint_but_not_the_value() -> None:
    token = drawn(random.Random(1), "ghp_{A36}")
    text = f"one\ntwo {token}\n"
    (finding,) = find_secrets(text)
    assert text[finding.start : finding.end] == token
    assert (finding.rule, finding.provider, finding.line) == ("github-token", "GitHub", 2)
    assert secret_hash(token).startswith(finding.fingerprint)
    assert len(finding.fingerprint) == 12
    assert token not in repr(finding)
    assert not hasattr(finding, "__dict__")
    assert token[4:] not in str([getattr(finding, name) for name in SecretFinding._fields])


def test_spec_15_what_is_allowed_by_its_hash_is_let_through_and_claimed_by_no_lesser_rule() -> None:
    token = drawn(random.Random(2), "ghp_{A36}")
    other = drawn(random.Random(3), "glpat-{w20}")
    text = f"token = {token}\npassword: {other}"
    assert rules_of(text) == ["github-token", "gitlab-token"]
    allowed = frozenset({secret_hash(token)})
    assert [f.rule for f in find_secrets(text, allowed=allowed)] == ["gitlab-token"]
    assert token in redact(text, allowed=allowed)
    assert other not in redact(text, allowed=allowed)


def test_the_most_specific_rule_wins() -> None:
    chance = random.Random(4)
    token = drawn(chance, "glpat-{w20}")
    assert rules_of(f"https://oauth2:{token}@git.example.com/a.git") == ["gitlab-token"]
    assert rules_of(f"Authorization: Bearer {jwt(chance)}") == ["json-web-token"]
    assert rules_of(f'"private_key": "{pem(chance, "")}"'.replace("\n", "\\n")) == ["private-key"]


def test_a_right_checksum_proves_a_github_token_and_a_wrong_one_does_not_clear_it() -> None:
    body = drawn(random.Random(5), "{A30}")
    assert rules_of(f"ghp_{body}{github_checksum(body)}") == ["github-token"]
    typed = "EXAMPLE" * 4 + "AB"
    assert rules_of(f"ghp_{typed}{github_checksum(typed)}") == ["github-token"]
    assert not find_secrets(f"ghp_{typed}abcdef")
    assert len(github_checksum("0" * 30)) == 6


# Where secrets hide.


def test_spec_15_secrets_in_names_frontmatter_and_index_lines() -> None:
    token = drawn(random.Random(6), "sk-ant-api03-{w93}AA")
    for text in (
        f"{token}.md",
        f"notes-{token}",
        f"---\nname: {token}\ndescription: d\n---\n",
        f"- [Key](key.md) — it is {token}",
        f"<!-- {token} -->",
        f"| key | {token} |",
        f"我的密钥是{token}，请勿外传",
        f'{{"k":"{token}"}}',
        f"a\\n{token}\\nb",
    ):
        assert rules_of(text) == ["anthropic-key"], text


def test_spec_15_wrapped_secrets_are_seen_through_base64_and_percent_encoding() -> None:
    chance = random.Random(7)
    token = drawn(chance, "ghp_{A36}")
    url = f"https://bot:{drawn(chance, '{A14}7')}@git.example.com/a.git"
    assert rules_of(f"data: {packed(token)}") == ["github-token"]
    assert rules_of(f"  key: {packed(pem(chance, 'RSA '))}") == ["private-key"]
    assert rules_of(f"remote {packed(url)}") == ["url-credentials"]
    quoted = url.replace(":", "%3A").replace("/", "%2F").replace("@", "%40")
    assert rules_of(f"https://x.test/?next={quoted}") == ["url-credentials"]
    assert rules_of(f"https://{packed(token)}@git.example.com/") == ["github-token"]


def test_private_keys_are_one_finding_and_their_mention_none() -> None:
    key = pem(random.Random(8), "OPENSSH ")
    (finding,) = find_secrets(f"a\n{key}b\n")
    assert (finding.rule, finding.line) == ("private-key", 2)
    cut = key[: len(key) // 2]
    assert rules_of(f"{cut}\n") == ["private-key"]
    assert key.split("\n")[2] not in redact(f"a\n{cut}\n")
    assert not find_secrets("-----BEGIN PRIVATE KEY-----")
    assert not find_secrets("-----BEGIN PUBLIC KEY-----" + key[35:])


def test_letters_that_grow_in_lower_case_do_not_move_a_span() -> None:
    text = "İİİ password: " + drawn(random.Random(9), "{A12}7x")
    (finding,) = find_secrets(text)
    assert finding.end == len(text)


# Redacting.


def test_reliability_4_redaction_names_rule_and_fingerprint_and_takes_every_copy() -> None:
    secret = drawn(random.Random(10), "{A12}7x!")
    clean = redact(f"password: {secret}\nIt was {secret} before, too.")
    assert secret not in clean
    assert clean.count(f"[secret password-field {secret_hash(secret)[:12]}]") == 2
    assert redact(clean) == clean
    assert redact("nothing here") == "nothing here"


PIECES = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [*HASHES, *PLACEHOLDERS, *PROSE, "password: ", "token=", "://a:", "@h ", "[secret ", "Bearer "]
    ),
    st.builds(
        lambda seed, rule: random.Random(seed).choice(made(random.Random(seed), rule)),
        st.integers(0, 999),
        st.sampled_from(list(RULES)),
    ),
)


@given(st.lists(PIECES, max_size=8).map("".join))
def test_spans_are_in_range_in_order_and_apart_and_redaction_leaves_nothing(text: str) -> None:
    found = find_secrets(text)
    for finding in found:
        assert 0 <= finding.start < finding.end <= len(text)
        assert finding.line == text.count("\n", 0, finding.start) + 1
        assert secret_hash(text[finding.start : finding.end]).startswith(finding.fingerprint)
    assert all(one.end <= two.start for one, two in pairwise(found))
    clean = redact(text)
    assert not find_secrets(clean)
    for finding in found:
        assert text[finding.start : finding.end] not in clean


@given(
    st.text(),
    st.sampled_from(
        ["password: ", "密码：", "://u:", "-----BEGIN PRIVATE KEY-----", "eyJ", "Basic ", "%3A%2F"]
    ),
)
def test_any_text_at_all_is_read(text: str, hint: str) -> None:
    assert not find_secrets(redact(hint + text + "\ud800" + hint))


# Time: measured in ``tests.bench``; here a rule that grows faster than its text would not come to an end.


def repeats(parsed: Iterable[tuple[Any, Any]]) -> Iterator[int]:
    """How often each repetition of a parsed pattern may repeat, at most."""
    for kind, what in parsed:
        if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
            yield int(what[1])
            yield from repeats(what[2])
        elif kind is sre.SUBPATTERN:
            yield from repeats(what[3])
        elif kind is sre.ATOMIC_GROUP:
            yield from repeats(what)
        elif kind is sre.BRANCH:
            yield from chain.from_iterable(map(repeats, what[1]))
        elif kind in {sre.ASSERT, sre.ASSERT_NOT}:
            yield from repeats(what[1])
        else:
            assert kind != sre.GROUPREF_EXISTS, "not looked into here"


def test_reliability_3_every_repetition_of_a_rule_is_bounded() -> None:
    most = {rule.id: max(repeats(sre_parse.parse(rule.pattern)), default=0) for rule in RULES.values()}
    assert {rule_id: bound for rule_id, bound in most.items() if bound > 4_000} == {}
    assert most["private-key"] == 4_000  # the longest of them, so that repetitions are seen at all


def test_reliability_3_redacting_thousands_of_different_secrets_takes_seconds_not_hours() -> None:
    chance = random.Random(12)
    tokens = [drawn(chance, "ghp_{A36}") for _ in range(2_000)]
    clean = redact("\n".join(f"password: {token[4:]} or {token}" for token in tokens))
    assert not any(token[4:] in clean for token in tokens[::97])


@pytest.mark.parametrize("piece", HOSTILE_PIECES)
def test_reliability_3_a_hostile_text_is_read_to_its_end(piece: str) -> None:
    text = (piece * (60_000 // len(piece) + 1))[:60_000]
    assert find_secrets(redact(text)) == ()
