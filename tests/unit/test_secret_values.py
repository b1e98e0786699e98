"""Reliability §4: what a value has to be to count as a secret, told on both sides of each bound.

Values are made up here; of those that a scanner could take for real ones the halves are joined when the tests run.
"""

from __future__ import annotations

import pytest

from memtui.memory.secrets.values import (
    Sure,
    _is_call,
    _without_sequences,
    entropy,
    is_chosen,
    is_drawn,
    is_hex_key,
    is_identifier,
    is_key,
    is_password,
    is_placeholder,
    is_strong,
    is_varied,
    is_wordy,
)


@pytest.mark.parametrize(("text", "bits"), [("", 0), ("a", 0), ("abab", 1), ("abcd", 2), ("aaab", 0.811)])
def test_entropy_is_bits_per_character(text: str, bits: float) -> None:
    assert entropy(text) == pytest.approx(bits, abs=0.001)


@pytest.mark.parametrize(
    "value", ["$PASSWORD", "$word", "$HOME1", "${x}", "<token>", "(none)", "xxxx", "your-key"]
)
def test_what_stands_for_a_secret(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize("value", ["$Ab3kQ9z", "$5x", "$", "$x9Qw", "Wq7-tRoub4dor"])
def test_a_dollar_before_what_is_no_name_is_part_of_a_secret(value: str) -> None:
    assert not is_placeholder(value)


@pytest.mark.parametrize(
    ("body", "rest"),
    [
        ("6789abcd", ""),  # digits go on in letters
        ("90ab", ""),  # and begin again behind nine
        ("9012", ""),
        ("1098", ""),
        ("zyxw", ""),
        ("x4321y", "xy"),
        ("1234x5678", "x"),
        ("x432y", "x432y"),  # three are chance
        ("az", "az"),
        ("0z", "0z"),
        ("z01", "z01"),
        ("----", "----"),
        ("éfgh", "éfgh"),
    ],
)
def test_runs_of_four_in_their_order_are_left_out(body: str, rest: str) -> None:
    assert _without_sequences(body) == rest


@pytest.mark.parametrize(
    ("body", "drawn"),
    [
        ("kR7wQ2xV", True),
        ("user-name-here", False),
        ("some-long-name", False),  # three words
        ("some-name", True),  # two may be chance
        ("0b5f1c2a-93d7-4e68-a1b4-7c90d2e3f586", True),  # of hexadecimal groups, some read as names
        ("abcabcabcabc", False),
        ("abdeabdeabde", True),  # four different ones of twelve
        ("abdgabdgabdgabdgabdgabdg", False),  # and eight at least of twenty-four
        ("abdgjmpsabdgjmpsabdgjmps", True),
        ("12345678" + "kR7wQ2xVn8Kp", True),
        ("12345678" + "kR7wQ2xVn8K", False),  # eleven beside a sequence
        ("12345678" + "hello-to-you", False),
    ],
)
def test_the_body_of_a_token_is_drawn_or_typed(body: str, drawn: bool) -> None:
    assert is_drawn(body) is drawn


@pytest.mark.parametrize("letters", ["zqx", "then", "THEN", "thex", "there"])
def test_letters_that_could_be_words(letters: str) -> None:
    assert is_wordy(letters)


@pytest.mark.parametrize("letters", ["zqxj", "thzq", "thqx", "thezq"])
def test_letters_that_no_word_has_in_this_order(letters: str) -> None:
    assert not is_wordy(letters)


@pytest.mark.parametrize(
    "value",
    [
        "hello-world",
        "HelloWorld",
        "helloWorldAgain",
        "v1.2.3",
        "a1-b2",
        "xk7",
        "abcDe",
        "ABCdef",
        "oneTwo1",
        "hello1world2",
        "part12345678",
        "thin" * 16 + "zqxj$",  # so much of it is looked at
    ],
)
def test_a_name_is_words_numbers_and_versions(value: str) -> None:
    assert is_identifier(value)


@pytest.mark.parametrize(
    "value",
    [
        "kQ",
        "abCd",
        "aBcDe",
        "a1b2c3",
        "oneTwoThree1",
        "one1two2three3",
        "part123456789",
        "zqxjzqxj",
        "é",
        "thin" * 15 + "thi$",
    ],
)
def test_no_name_has_so_many_humps_and_numbers(value: str) -> None:
    assert is_identifier(value) is False


@pytest.mark.parametrize(
    ("value", "set_as", "said_as"),
    [
        ("kQ7xZ", False, False),
        ("kQ7xZv", True, False),  # six in a setting
        ("kQ7xZv9", True, False),
        ("kQ7xZv9w", True, True),  # eight in a sentence
        ("819273", True, False),
        ("密码在这里呢吧", False, False),
        ("密码在这里7吧", True, False),
        ("zqxjwkvbpfg", False, False),
        ("zqxjwkvbpfgh", True, True),  # letters alone: twelve
        ("horsebattery", False, False),
        ("aB#aB#aB", False, False),
        ("aB#cD#e", False, False),
        ("aB#cD#eF", True, True),
        ("k#7k#7", False, False),
        ("k#7kZq", True, False),  # five different ones
        ("aa1#aa1#", False, False),
        ("horse7", True, False),
        ("maple-2021", False, False),
        ("zq7zq7zq", False, False),
        ("zqx7z1", True, False),
        ("qwx-7kzj", False, False),
        ("read+write", False, False),
        ("p4ss!w0rd", True, True),
    ],
)
def test_a_password_in_a_setting_and_in_a_sentence(value: str, set_as: bool, said_as: bool) -> None:
    assert is_password(value, plain=False) is set_as
    assert is_password(value, plain=True) is said_as


@pytest.mark.parametrize(
    ("value", "sure"),
    [
        ("Maple20", ""),
        ("Maple20é", ""),
        ("Maple201", "said set given"),
        ("Maple-22", "said set given"),
        ("maple-20", "set given"),
        ("maple2021", "said set given"),
        ("mapletree22", "set given"),
        ("mapletree2222", "said set given"),
        ("mapleleaf2", ""),
        ("Mapletree2", ""),
        ("mapleleaf2!", "said set given"),
        ("mapletree#2", "set given"),
        ("mapletree.", ""),
        ("elmtree7@", "said set given"),
        ("Maple2!x", "given"),
        ("elm12345", "given"),
        ("elm1234-5", "set given"),
        ("elm-2021-77", "set given"),
        ("abc-def-77", "set given"),
        ("abc-de-77x", "given"),
        ("ash-ab-1234", "given"),
        ("oak12#34xyzzy", "given"),
        ("oak77!?", ""),
        ("12345678@", ""),
        ("oak-fir-elm-ash", "said set given"),
        ("oak-oak-elm-ash", "said set given"),
        ("oak-oak-oak-ash", ""),
        ("four-words-in-row", ""),
        ("horse-battery-staple7", ""),
        ("horse-battery-staple77", "said set given"),
        ("server-name-77", ""),
        ("horse-password-77", ""),
        ("password-2021", ""),
    ],
)
def test_words_and_numbers_joined_to_a_password_by_how_sure_its_place_is(value: str, sure: str) -> None:
    places: tuple[Sure, ...] = ("said", "set", "given")
    assert " ".join(place for place in places if is_chosen(value, place)) == sure


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("kQ7xZv9wB", False),
        ("kQ7xZv9wBm", True),  # ten
        ("81927364551", False),
        ("密钥kQ7xZv9wBm", False),
        ("0b5f1c2a-93d7-4e68-a1b4-7c90d2e3f586", True),
        ("zqxjwkvbpfg", False),
        ("zqxjwkvbpfgh", True),  # letters alone: twelve
        ("zqxjzqxjzqxj", False),
        ("zqxjwkvzqxjwkv", True),
        ("kQ7xkQ7xZv", False),
        ("kQ7xkQ7xZvb", True),
        ("read+write+own", False),
        ("maple-2021-tree", False),
    ],
)
def test_a_key_is_longer_than_a_password_and_no_name(value: str, key: bool) -> None:
    assert is_key(value) is key


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("01234567" * 4, True),  # eight different ones
        ("0123456" * 5, False),
        ("0x" + "01234567" * 4, True),
        ("01234567" * 3 + "012345", True),  # thirty
        ("01234567" * 3 + "01234", False),
        ("01234567" * 16, True),
        ("01234567" * 16 + "0", False),
        ("ABCDEF01" * 4, False),
    ],
)
def test_a_hexadecimal_key(value: str, key: bool) -> None:
    assert is_hex_key(value) is key


@pytest.mark.parametrize(
    ("value", "strong"),
    [
        ("kR7wQ2xVn8Kp" + "4Lz6TmB3cD5f", True),  # twenty-four
        ("kR7wQ2xVn8Kp" + "4Lz6TmB3cD5", False),
        ("kr7wq2xvn8kp" + "4lz6tmb3cd5F", False),
        ("kr7wq2xvn8kp" + "4lz6tmb3cD5F", True),  # two capitals
        ("KR7WQ2XVN8KP" + "4LZ6TMB3CD5f", False),
        ("KR7WQ2XVN8KP" + "4LZ6TMB3Cd5f", True),  # two small letters
        ("kRzwQpxVnsKp" + "tLzaTmBqcD5f", False),
        ("kRzwQpxVnsKp" + "tLzaTmB3cD5f", True),  # two digits
        ("kR7wQ2xV" + "qwxzvkjb" + "TmB3cD5f", True),  # eight of a kind in a row
        ("kR7wQ2xV" + "qwxzvkjbq" + "TmB3cD5f", False),
        ("kR7-Q2xVn-Kp" + "4-z6TmB3cD5f", True),  # three dashes
        ("kR7-Q2xV-Kp" + "4-z6Tm-B3cD5f", False),
    ],
)
def test_a_value_is_strong_by_what_it_mixes(value: str, strong: bool) -> None:
    assert is_strong(value) is strong


@pytest.mark.parametrize(
    ("value", "varied"),
    [
        ("kQ7", True),
        ("kQ#", True),
        ("k7#", True),
        ("K7#", True),
        ("kq7", False),
        ("kq#", False),
        ("x9q7z2", False),
        ("aB1", True),
    ],
)
def test_a_value_is_varied_by_three_kinds_of_characters(value: str, varied: bool) -> None:
    assert is_varied(value) is varied


@pytest.mark.parametrize(
    ("value", "call"),
    [
        ("get_secret(x)", True),
        ("hash(x#7)", True),
        ("hash(x#", True),  # it lost its end at a blank
        ("hash(x7", True),
        ("hash(x#7", False),
        ("zqXkJ(a)", False),
        ("x9Qk(abc)", False),
    ],
)
def test_a_call_has_a_name_and_names_and_numbers_in_it(value: str, call: bool) -> None:
    assert _is_call(value) is call
