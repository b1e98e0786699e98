"""Reliability §4: the secret guard where two rules, two values or two machines meet, and where its list cannot be written."""

from __future__ import annotations

import base64
import errno
import json
import os
import random
from pathlib import Path

import pytest

from memtui.memory.disk.calls import Disk
from memtui.memory.errors import Refused
from memtui.memory.secrets.allowed import ALLOWED_NAME, AllowedSecrets
from memtui.memory.secrets.guard import DEPTH, _without, find_secrets, secret_hash
from memtui.memory.secrets.places import _cells
from memtui.memory.secrets.team_guard import Leak, SecretBlocked
from memtui.memory.secrets.values import is_password, is_url_password, unwrap_base64
from tests.unit.secret_makers import drawn, packed

NOW = 1_790_000_000.0
SIGNATURE = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"


def token(header: object, payload: object) -> str:
    """A token of three parts, as RFC 7519 makes them."""

    def part(said: object) -> str:
        text = said if isinstance(said, str) else json.dumps(said)
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    return f"{part(header)}.{part(payload)}.{SIGNATURE}"


@pytest.mark.parametrize(
    ("header", "payload", "found"),
    [
        ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890"}, True),
        ({"kid": "k1", "use": "sig"}, {"sub": "1234567890"}, True),
        ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890", "name": "John Doe"}, False),
        ({"colour": "green", "size": "large"}, {"sub": "1234567890"}, False),
        ('{"alg": "HS256", ', {"sub": "1234567890"}, False),
        ('{"alg":' + "[" * 3_000, {"sub": "1234567890"}, False),
    ],
)
def test_a_token_is_one_whose_header_says_so_and_that_no_manual_shows(
    header: object, payload: object, found: bool
) -> None:
    assert [each.rule for each in find_secrets(token(header, payload))] == ["json-web-token"] * found


def test_of_two_values_that_begin_alike_each_is_taken_out_as_itself() -> None:
    marks = {"hunter": "[1]", "hunter-two": "[2]"}
    assert _without("hunter-two hunter-three [1] hunter", marks) == "[2] [1]-three [1] [1]"
    assert _without("nothing of it", marks) == "nothing of it"


def test_digits_are_a_password_in_a_field_and_none_in_a_sentence() -> None:
    assert is_password("81927364", plain=False)
    assert not is_password("81927364", plain=True)


@pytest.mark.parametrize(
    ("password", "is_one"),
    [
        ("Zk3pQ", True),
        ("horse", True),
        ("DB_PASSWORD", False),
        ("QWERTY", False),
        ("HORSE_BATTERY", False),
        ("$1", False),
        ("5432", False),
        ("localtest", False),
        ("ada", False),
    ],
)
def test_what_stands_behind_a_user_in_an_address(password: str, is_one: bool) -> None:
    assert is_url_password("ada", password) is is_one


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        ("Zm9vYmFy", "foobar"),
        ("Zm9v==", "foo"),
        ("Zm9vYg", "foob"),
        ("Zm9vY", "foo"),
        ("Zm9v" * 20 + "éé", None),
        ("Zm9v" * 20 + "////", None),
        ("é", None),
        ("AAAA", None),
    ],
)
def test_base64_says_what_it_says_if_all_of_it_can_be_printed(packed: str, said: str | None) -> None:
    assert unwrap_base64(packed) == said


def test_so_many_packings_around_each_other_are_undone_and_no_more() -> None:
    text = drawn(random.Random(1), "ghp_{A36}")
    for _ in range(DEPTH):
        text = packed(text)
        assert [each.rule for each in find_secrets(text)] == ["github-token"]
    assert not find_secrets(packed(text))


def test_so_many_cells_of_a_row_are_looked_at_and_no_more() -> None:
    row = "|".join(["a"] * 40)
    assert len(_cells(row, 0, len(row), "|")) == 32


def test_a_comma_before_a_value_says_more_than_a_blank() -> None:
    value = "kQ7xZv" + "9w!p"
    assert not find_secrets(f"the password {value} there")
    assert not find_secrets(f"the password, f({value}) there")
    for text in (f"the password, {value} there", f"密码，{value}"):
        assert [text[each.start : each.end] for each in find_secrets(text)] == [value]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("kr7wq2xvn8" + "kp4lz6tmb3", True),  # twenty letters and digits
        ("kr7wq2xvn8" + "kp4lz6tmb", False),
        ("kR7wq2xvn8" + "kp4lz6tm", True),  # or of three kinds
        ("/kR7wq2xvn8" + "kp4lz6tm", False),
    ],
)
def test_of_words_in_a_list_the_second_may_be_the_value_of_the_first(value: str, found: bool) -> None:
    assert bool(find_secrets(f'call("password", "{value}")')) is found


def test_the_list_and_its_folder_are_for_nobody_else(tmp_path: Path) -> None:
    AllowedSecrets(tmp_path / "state").allow(secret_hash("x"), "key-field", NOW)
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "state" / ALLOWED_NAME).stat().st_mode & 0o777 == 0o600


def test_pass_is_a_verb_and_the_end_of_a_name() -> None:
    value = "Wq7-tRoub4dor-" + "x9Lm2"
    assert not find_secrets(f'the pass "{value}" there')
    (found,) = find_secrets(f'the dbpass "{value}" there')
    assert found.rule == "password-field"


# -- the list of what is let through -------------------------------------------------------------------------------


def test_a_list_that_cannot_be_written_is_refused_and_nothing_is_let_through(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    below = AllowedSecrets(tmp_path / "file")
    with pytest.raises(Refused, match="cannot be written"):
        below.allow(secret_hash("x"), "key-field", NOW)
    assert below.rows() == ()
    with pytest.raises(Refused, match="no folder to keep"):
        AllowedSecrets(None).allow(secret_hash("x"), "key-field", NOW)


def test_a_list_that_cannot_be_replaced_keeps_what_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed, key = AllowedSecrets(tmp_path), secret_hash("x")
    allowed.allow(key, "key-field", NOW)

    def full(_disk: Disk, _fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Disk, "fsync", full)
    with pytest.raises(Refused, match="cannot be written"):
        allowed.disallow(key[:12])
    assert key in allowed
    assert [path.name for path in tmp_path.iterdir()] == [ALLOWED_NAME]


def test_what_is_wrong_with_a_list_is_told_before_anything_else_is_asked(tmp_path: Path) -> None:
    (tmp_path / ALLOWED_NAME).write_text("# mine\nhunter2\n")
    told = AllowedSecrets(tmp_path).problem
    assert told is not None
    assert "line 2" in told


def test_a_list_longer_than_any_person_writes_is_not_read(tmp_path: Path) -> None:
    key = secret_hash("x")
    (tmp_path / ALLOWED_NAME).write_text(f"{key} key-field {int(NOW)}\n" + "# \n" * (1024 * 1024 // 3))
    allowed = AllowedSecrets(tmp_path)
    assert key not in allowed
    assert allowed.problem is not None
    assert "longer than" in allowed.problem


def test_more_finds_than_a_sentence_holds_are_counted_and_one_in_a_name_has_no_line() -> None:
    leaks = [Leak(f"team/m{n}.md", "key-field", n, "0123456789ab") for n in range(9)]
    told = SecretBlocked.of(leaks)
    assert told.leaks == tuple(leaks)
    assert "key-field in the name of team/m0.md [0123456789ab]" in told.said("en")
    shown = told.said("en").count("key-field")
    assert 1 < shown < 9
    assert f"and {9 - shown} more" in told.said("en")
    assert " more" not in SecretBlocked.of(leaks[:shown]).said("en")


def test_each_value_that_is_let_through_has_a_line_and_nothing_between_them(tmp_path: Path) -> None:
    allowed, keys = AllowedSecrets(tmp_path), [secret_hash("x"), secret_hash("y")]
    for key in keys:
        assert allowed.allow(key, "key-field", NOW)
    text = (tmp_path / ALLOWED_NAME).read_text()
    assert text == "".join(f"{key} key-field {int(NOW)}\n" for key in keys)


def test_behind_a_user_words_and_a_number_are_a_password() -> None:
    value = "elm" + "12345"
    assert not find_secrets(f"the password {value} there")
    text = f"user mailer, password {value}"
    assert [text[each.start : each.end] for each in find_secrets(text)] == [value]
