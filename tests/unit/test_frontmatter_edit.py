"""Spec §4: an edit changes the lines that must change and keeps every other byte; what is not safe is refused."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from memtui.memory.document.frontmatter import KEEP, FrontmatterError, compose, edit, read
from memtui.memory.document.headers import items, split, value_span
from memtui.memory.document.yamltext import is_plain

FLAT = "---\n# who\nname: Old name   \ndescription: d # text\ntags: [a, b]\ntype: user\n---\n\nbody\n"
NESTED = (
    "---\nname: n\ndescription: d\nmetadata: \n  node_type: memory\n  # why\n  type: feedback # was user\n"
    "  originSessionId: s-1\n---\n\nbody\n"
)


def after(text: str, **asked: Any) -> str:
    return edit(text.encode(), **asked).decode()


def test_spec_4_only_the_value_of_the_edited_key_changes() -> None:
    assert after(FLAT, name="New") == FLAT.replace("Old name", "New")
    assert after(FLAT, description="e") == FLAT.replace("d # text", "e")
    assert after(FLAT, memory_type="project") == FLAT.replace("user", "project")
    assert after(NESTED, memory_type="user") == NESTED.replace("feedback #", "user #")
    assert after(NESTED, body="new\n") == NESTED.replace("body", "new")
    assert after(NESTED, name="é", body="中文") == NESTED.replace("name: n", "name: é").replace(
        "body\n", "中文"
    )


def test_spec_4_a_missing_key_is_added_in_the_shape_of_the_file() -> None:
    assert after(NESTED, modified=1767323045.678) == NESTED.replace(
        "s-1\n", "s-1\n  modified: 2026-01-02T03:04:05.678Z\n"
    )
    assert after(NESTED, status="historical", superseded_by="b") == NESTED.replace(
        "description: d\n", "description: d\nstatus: historical\nsuperseded_by: b\n"
    )
    assert after(FLAT, superseded_by="b", status="historical", modified=0) == FLAT.replace(
        "type: user\n",
        "type: user\nstatus: historical\nsuperseded_by: b\nmodified: 1970-01-01T00:00:00.000Z\n",
    )
    no_type = NESTED.replace("  # why\n  type: feedback # was user\n", "")
    assert after(no_type, memory_type="user") == no_type.replace(
        "node_type: memory\n", "node_type: memory\n  type: user\n"
    )
    assert (
        after("---\nmetadata:\nname: n\n---\n", memory_type="user")
        == "---\nmetadata:\n  type: user\nname: n\n---\n"
    )
    assert (
        after("---\nmetadata:\n\ttags: x\n---\n", memory_type="user")
        == "---\nmetadata:\n\ttype: user\n\ttags: x\n---\n"
    )
    assert after("---\n  type: user\n---\n", name="n") == "---\n  name: n\n  type: user\n---\n"
    assert after("---\n---\nbody", name="n", memory_type="user") == "---\nname: n\ntype: user\n---\nbody"
    assert after("---\nname:\ntype: user\n---\n", name="n") == "---\nname: n\ntype: user\n---\n"
    assert after("---\nname:n\n---\n", name="m") == "---\nname: m\n---\n"
    on_one_line = "---\nname: n\nmetadata: {origin: x}\n---\n"
    assert after(on_one_line, memory_type="user") == on_one_line.replace("name: n\n", "name: n\ntype: user\n")


def test_spec_4_a_line_is_taken_out_whole() -> None:
    assert after(FLAT, description=None) == FLAT.replace("description: d # text\n", "")
    block = "---\nname: n\ndescription: |\n  a\n\n  b\n\n# c\ntype: user\n---\n"
    assert after(block, description=None) == "---\nname: n\n\n# c\ntype: user\n---\n"
    assert after(NESTED, memory_type=None) == NESTED.replace("  type: feedback # was user\n", "")
    assert after(FLAT, status=None, superseded_by=None, modified=None) == FLAT


@pytest.mark.parametrize(
    "old",
    [
        "|\n  one\n\n  # two",
        ">-\n  one\n  two",
        '"one\n  two"',
        "'one\n\n  two'",
        "one\n  two",
        "\n  one",
        "- a: b",
        "[a,\n  b]",
        "\n  - a\n  - b",
        "\n- a",
    ],
)
def test_spec_4_a_value_over_several_lines_is_replaced_whole(old: str) -> None:
    text = f"---\nname: n\ndescription: {old}\n\n# c\ntype: user\n---\nbody"
    assert after(text, description="new") == "---\nname: n\ndescription: new\n\n# c\ntype: user\n---\nbody"


def test_spec_4_comments_behind_a_value_stay() -> None:
    assert after('---\nname: "a" # c\n---\n', name="b") == '---\nname: "b" # c\n---\n'
    assert after("---\ntype: 'a'  # c\n---\n", memory_type="b") == "---\ntype: b  # c\n---\n"
    assert after("---\nstatus: # c\n---\n", status="b") == "---\nstatus: b # c\n---\n"


def test_spec_4_lines_that_belong_to_no_key_stay() -> None:
    astray = "---\nname: n\njust words\n  more\n  # c\ntype: user\n---\n"
    assert after(astray, name="m") == astray.replace("name: n", "name: m")
    assert after(astray, name=None) == astray.replace("name: n\n", "")
    comment = "---\nname: n\n  # about the name\ntype: user\n---\n"
    assert after(comment, name="m") == comment.replace("name: n", "name: m")


def test_what_stands_beside_a_list_that_has_no_items_yet_belongs_to_no_key() -> None:
    for text, stray in (("tags:\n-\n- a\n", ()), ("tags:\nwords\n", (6,)), ("tags: x\n- a\n", (8,))):
        found = items(text, 0, len(text))
        assert [item.key for item in found.items] == ["tags"]
        assert found.stray == stray


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('type: "a #b', '"a #b'),
        ("type: 'a #b", "'a #b"),
        ('type: "a" #b', '"a"'),
        ("type: a #b", "a"),
        ("name: a #b", "a #b"),
    ],
)
def test_a_value_ends_where_a_comment_begins_unless_it_is_prose_or_a_quote_is_left_open(
    line: str, value: str
) -> None:
    (item,) = items(line, 0, len(line)).items
    start, end = value_span(line, item)
    assert line[start:end] == value


@pytest.mark.parametrize("text", ["", "body", "\n\nbody", "---\nname: n\n\nbody"])
def test_what_has_no_header_has_nothing_between_that_and_its_body(text: str) -> None:
    parts = split(text)
    assert (parts.has_header, parts.separated, parts.body) == (False, False, 0)


def test_a_value_that_a_reader_would_take_for_less_is_not_plain() -> None:
    for value in ("", " a", "a ", "a:", "a: b", "a #b", "a\tb", "yes", "12"):
        assert is_plain(value) is False
    assert is_plain("a:b")


def test_spec_4_a_file_that_states_its_type_or_time_twice_states_the_new_one_twice() -> None:
    text = "---\ntype: user\nmemory_type: user\nmodified: 2020-01-01\nmetadata:\n  type: user\n  modified: 2020-01-01\n---\n"
    assert after(text, memory_type="project") == text.replace("user", "project")
    assert after(text, modified=0) == text.replace("2020-01-01", "1970-01-01T00:00:00.000Z")


def test_spec_4_line_ends_byte_order_mark_and_odd_bytes_stay() -> None:
    crlf = FLAT.replace("\n", "\r\n").encode()
    assert edit(crlf, name="New", status="active") == crlf.replace(b"Old name", b"New").replace(
        b"user\r\n", b"user\r\nstatus: active\r\n"
    )
    assert edit(b"\xef\xbb\xbf" + crlf, name="New") == b"\xef\xbb\xbf" + crlf.replace(b"Old name", b"New")
    bad = b"---\nname: a\xff\ntype: user\n---\nb\xfe\0\r"
    assert edit(bad, memory_type="project") == bad.replace(b"user", b"project")
    assert edit(bad, name="n") == bad.replace(b"a\xff", b"n")
    assert edit(bad, body="x") == b"---\nname: a\xff\ntype: user\n---\nx"


def test_spec_4_a_body_takes_over_the_line_ends_of_the_file() -> None:
    crlf = b"---\r\nname: n\r\n---\r\n\r\na\r\nb\r\n"
    assert edit(crlf, body="a\nb\n") == crlf
    assert edit(crlf, body="a\nnew\nb\n") == crlf.replace(b"b", b"new\r\nb")
    assert edit(crlf, body="a\nb\nc") == crlf + b"c"
    assert edit(b"---\r\nname: n\r\n---\r\n", body="a\n") == b"---\r\nname: n\r\n---\r\n\r\na\r\n"
    mixed = b"---\nname: n\n---\na\r\nb\nc\r\n"
    assert edit(mixed, body="a\nb\nc\n") == mixed
    assert edit(mixed, body="a\nB\nc\n") == b"---\nname: n\n---\na\r\nB\r\nc\r\n"
    assert edit(mixed, body="a\r\n") == b"---\nname: n\n---\na\r\n"


def test_spec_4_a_body_is_taken_exactly() -> None:
    for body in ("", "x", "\nx", "\n\n", "---\n", "---\nname: m\n---\n", "a\r\n", "\r\n", " "):
        for data in (
            b"---\nname: n\n---\n\nold\n",
            b"---\nname: n\n---\nold",
            b"---\nname: n\n---",
            b"---\nname: n\n---\n",
            b"old",
        ):
            if data == b"old" and body.startswith("---\nname"):
                continue
            assert read(edit(data, body=body)).body == body


def test_spec_4_a_file_without_a_header_gets_one_above_its_bytes() -> None:
    for data in (b"", b"# Title\n", b"\ntext\xff", b"a\r\nb", b"----\n"):
        changed = edit(data, name="n", memory_type="user")
        assert changed.endswith(data)
        document = read(changed)
        assert (document.name, document.type_text, document.body) == ("n", "user", read(data).body)
        assert edit(data, name=None, status=None) == data
    assert edit(b"\xef\xbb\xbfa\r\n", name="n") == b"\xef\xbb\xbf---\r\nname: n\r\n---\r\n\r\na\r\n"


REFUSED: list[tuple[bytes, dict[str, Any], str]] = [
    (b"---\nname: n\n", {"name": "m"}, "unclosed-header"),
    (b"---\nname: a\nname: b\n---\n", {"name": "m"}, "duplicate-key"),
    (b"---\nmetadata:\n  type: a\n  type: b\n---\n", {"memory_type": "c"}, "duplicate-key"),
    (b"---\nmetadata:\n  type: a\nmetadata:\n  type: b\n---\n", {"memory_type": "c"}, "duplicate-key"),
    (b"---\nname: &a n\ndescription: *a\n---\n", {"name": "m"}, "yaml-alias"),
    (b"---\nmetadata: {type: user}\n---\n", {"memory_type": "project"}, "unsafe-edit"),
    (b"---\n- name: n\n---\n", {"name": "m"}, "header-not-mapping"),
    (b"---\n{name: n, type: user}\n---\n", {"name": "m"}, "header-not-mapping"),
    (b"---\njust text\n---\n", {"name": "m"}, "header-not-mapping"),
    (b'---\nname: "a\nb"\n---\n', {"name": "m"}, "unsafe-edit"),
    (b"---\nname: n\n" + b"k: v\n" * 20_000 + b"---\n", {"name": "m"}, "header-too-large"),
    ("---\nname: n\n---\n".encode("utf-16"), {"name": "m"}, "not-utf8"),
    ("---\nname: n\n---\n".encode("utf-16"), {"body": "m"}, "not-utf8"),
    (b"---\nname: n\n---\n", {"name": "a\ud800"}, "invalid-text"),
    (b"---\nname: n\n---\n", {"name": "a\udc80"}, "invalid-text"),
    (b"---\nname: n\n---\n", {"body": "a\ud800"}, "invalid-text"),
    (b"---\nname: n\n---\n", {"modified": float("inf")}, "invalid-modified"),
    (b"---\nname: n\n---\n", {"modified": float("nan")}, "invalid-modified"),
    (b"---\nname: n\n---\n", {"modified": 1e18}, "invalid-modified"),
    (b"text\n", {"body": "---\nname: m\n---\n"}, "unsafe-edit"),
    (b"---\nname: n\n---\n", {"name": "x" * 70_000}, "header-too-large"),
    (
        FLAT.replace("tags: [a, b]", "tags: " + "t" * 40_000).encode(),
        {"name": "x" * 30_000},
        "header-too-large",
    ),
]


@pytest.mark.parametrize(("data", "asked", "code"), REFUSED)
def test_spec_4_what_cannot_be_edited_safely_is_refused_with_the_reason(
    data: bytes, asked: dict[str, Any], code: str
) -> None:
    with pytest.raises(FrontmatterError) as refusal:
        edit(data, **asked)
    assert refusal.value.code == code
    assert len(str(refusal.value)) > 20
    assert refusal.value.exit_code == 4


def test_spec_4_an_invalid_header_can_be_mended_field_by_field() -> None:
    broken = "---\nname: a: b\ndescription: `flush()` #1\ntype: user\n---\n\nbody\n"
    mended = after(broken, name="a, b", description="flush")
    assert mended == "---\nname: a, b\ndescription: flush\ntype: user\n---\n\nbody\n"
    # A text that stays is not touched, however odd; one that goes back in is quoted.
    assert after(broken, memory_type="project") == broken.replace("user", "project")
    again = after(mended, name="a: b", description="`flush()` #1")
    assert again == '---\nname: "a: b"\ndescription: "`flush()` #1"\ntype: user\n---\n\nbody\n'
    assert yaml.safe_load(again.split("---\n")[1])["description"] == "`flush()` #1"
    assert after("---\nname: *a*\n---\n", name="b") == "---\nname: b\n---\n"
    assert after("---\nname: !t a\n---\n", name="b") == "---\nname: b\n---\n"


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("plain words", "plain words"), ("天体物理学", "天体物理学"), ("🚀 go", "🚀 go"), ("C# and F#", "C# and F#"),
        ("http://a:80/b", "http://a:80/b"), ("-x", "-x"), ("it's", "it's"), ('say "hi"', 'say "hi"'), ("10 rules", "10 rules"),
        ("", '""'), ("yes", '"yes"'), ("No", '"No"'), ("null", '"null"'), ("~", '"~"'), ("1.0", '"1.0"'), ("1e3", '"1e3"'),
        ("0x1F", '"0x1F"'), ("1:30", '"1:30"'), ("2026-01-01", '"2026-01-01"'), ("a: b", '"a: b"'), ("a:", '"a:"'),
        ("a #b", '"a #b"'), ("# a", '"# a"'), (" a", '" a"'), ("a ", '"a "'), ("`a`", '"`a`"'), ("*a*", '"*a*"'),
        ("- a", '"- a"'), ("[a", '"[a"'), ("@a", '"@a"'), ("%a", '"%a"'), ('"Blue" means go', "'\"Blue\" means go'"),
        ("'a' b", "\"'a' b\""), ("a: C:\\new", "'a: C:\\new'"), ("'a' is \"b\": 'c'", '"\'a\' is \\"b\\": \'c\'"'), ("a\nb", r'"a\nb"'), ("a\tb", r'"a\tb"'),
        ("\x1b[31m", r'"\e[31m"'), ("\x07\x9b", r'"\x07\x9B"'), ("a\u2028b", r'"a\u2028b"'), ("a --- b", r'"a -\x2D- b"'),
    ],
)  # fmt: skip
def test_spec_4_a_new_value_is_quoted_exactly_when_yaml_needs_it(typed: str, written: str) -> None:
    data = compose(name=typed, description="d", memory_type="user", body="", nested=True)
    assert data.decode().split("\n")[1] == f"name: {written}"
    assert yaml.safe_load(data.decode().split("---\n")[1])["name"] == typed
    assert read(data).name == typed


def test_spec_2_the_shapes_of_a_new_file() -> None:
    nested = compose(
        name="n", description="d", memory_type="feedback", body="b\n", nested=True, modified=1.0, origin="s-1", status="historical", superseded_by="m"
    )  # fmt: skip
    assert nested.decode() == (
        "---\nname: n\ndescription: d\nstatus: historical\nsuperseded_by: m\nmetadata:\n  node_type: memory\n"
        "  type: feedback\n  originSessionId: s-1\n  modified: 1970-01-01T00:00:01.000Z\n---\n\nb\n"
    )
    flat = compose(name="n", description="d", memory_type="user", body="b\n", nested=False)
    assert flat.decode() == "---\nname: n\ndescription: d\ntype: user\nstatus: active\n---\n\nb\n"
    gone = compose(name="n", description="d", memory_type="user", body="", nested=False, status="historical", superseded_by="m")  # fmt: skip
    assert gone.decode() == (
        "---\nname: n\ndescription: d\ntype: user\nstatus: historical\nsuperseded_by: m\n---\n\n"
    )
    assert read(flat).problems == read(nested).problems == read(gone).problems == ()
    with pytest.raises(FrontmatterError):
        compose(name="x" * 70_000, description="d", memory_type="user", body="b", nested=False)
    with pytest.raises(FrontmatterError):
        compose(name="n", description="d", memory_type="user", body="\ud800", nested=False)


def test_keep_is_the_default_for_everything() -> None:
    assert edit(FLAT.encode(), name=KEEP, body=KEEP) == FLAT.encode()
