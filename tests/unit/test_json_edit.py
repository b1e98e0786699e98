"""A settings file is edited in place: what is put in can be taken out again, and every other byte stays."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.claude.json_edit import NotPlainJson, parse_json, with_item, with_member, with_value, without

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
INDENTS = st.sampled_from([None, 0, 1, 2, 4, "\t"])


def written(value: object, indent: Any, *, ascii_only: bool = False, crlf: bool = False) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    return text.replace("\n", "\r\n") if crlf else text


@given(VALUES, INDENTS, st.booleans())
def test_a_parsed_text_says_what_json_says(value: object, indent: Any, ascii_only: bool) -> None:
    text = f" \n{written(value, indent, ascii_only=ascii_only)}\t"
    root = parse_json(text)
    assert root.value == value
    assert json.loads(text[root.start : root.end]) == value


@given(st.dictionaries(st.text(), VALUES, min_size=1, max_size=5), INDENTS, st.booleans(), VALUES)
def test_a_member_put_in_and_taken_out_leaves_the_text_as_it_was(
    value: dict[str, object], indent: Any, crlf: bool, new: object
) -> None:
    key = "".join(value) + "+"
    text = written(value, indent, crlf=crlf) + "\n"
    longer = with_member(text, parse_json(text), key, new)
    assert json.loads(longer) == {**value, key: new}
    assert list(json.loads(longer)) == [*value, key]
    if indent is not None and crlf:
        assert longer.count("\n") == longer.count("\r\n") + 1
    assert without(longer, parse_json(longer), len(value)) == text


@given(st.lists(VALUES, min_size=1, max_size=5), INDENTS, VALUES)
def test_an_item_put_in_and_taken_out_leaves_the_text_as_it_was(
    value: list[object], indent: Any, new: object
) -> None:
    text = written(value, indent)
    longer = with_item(text, parse_json(text), new)
    assert json.loads(longer) == [*value, new]
    assert without(longer, parse_json(longer), len(value)) == text


@given(st.lists(VALUES, min_size=1, max_size=5), INDENTS, st.integers(0, 4))
def test_taking_one_out_leaves_the_others(value: list[object], indent: Any, number: int) -> None:
    number %= len(value)
    text = written(value, indent)
    assert json.loads(without(text, parse_json(text), number)) == value[:number] + value[number + 1 :]


@given(st.dictionaries(st.text(), VALUES, min_size=1, max_size=5), INDENTS, VALUES)
def test_another_value_takes_the_place_of_one(value: dict[str, object], indent: Any, new: object) -> None:
    key = next(iter(value))
    text = written(value, indent)
    node = parse_json(text).get(key)
    assert node is not None
    assert json.loads(with_value(text, node, new)) == {**value, key: new}


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("{}", '{\n  "k": [\n    1\n  ]\n}'),
        ("{ \n }\n", '{\n  "k": [\n    1\n  ]\n}\n'),
        ('{"a": 1}', '{"a": 1, "k": [1]}'),
        ('{"a":1,"b":2}', '{"a":1,"b":2,"k": [1]}'),
        ('{"a": 1 , "b": 2}', '{"a": 1 , "b": 2, "k": [1]}'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}'),
        ('{\n    "a": 1 }', '{\n    "a": 1,\n    "k": [\n        1\n    ] }'),
    ],
)
def test_a_new_member_is_written_as_the_text_is(text: str, longer: str) -> None:
    assert with_member(text, parse_json(text), "k", [1]) == longer


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{\n  // mine\n  "a": 1\n}', "comment"),
        ('{"a": 1 /* mine */}', "comment"),
        ('{"a": 1,}', "line 1"),
        ("", "not JSON"),
        ("{'a': 1}", "not JSON"),
        ('{"a": 1} x', "not JSON"),
        ('{"b": {"a": 1, "a": 2}}', "twice"),
        ("[" * 100_000, "deeply"),
    ],
)
def test_what_is_no_plain_json_is_refused_with_its_reason(text: str, word: str) -> None:
    with pytest.raises(NotPlainJson, match=word):
        parse_json(text)
