"""Spec §4, for any bytes at all: reading never fails, nothing is lost, a new value reads back as typed."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

import frontmatter as python_frontmatter
import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memtui.memory.document import yamlsafe
from memtui.memory.document.frontmatter import (
    Document,
    FrontmatterError,
    compose,
    edit,
    parse_frontmatter,
    read,
)
from memtui.memory.document.oddities import read_odd
from memtui.memory.document.parse import read_head, usual_fields, written_fields
from memtui.memory.document.timestamps import format_moment, parse_moment
from memtui.memory.document.yamltext import quote, unquote

# Pieces that headers are made of, so that random files come close to real and to hostile ones.
PIECES = st.sampled_from(
    [
        "name",
        "description",
        "type",
        "memory_type",
        "status",
        "superseded_by",
        "metadata",
        "modified",
        "originSessionId",
        "node_type",
        "tags",
        ":",
        "::",
        ":\t",
        "#",
        '"',
        "'",
        "\\",
        "\\x41",
        '\\"',
        "|",
        ">",
        "|-",
        ">+",
        "-",
        "--",
        "---",
        "----",
        "...",
        "?",
        ",",
        "[",
        "]",
        "{",
        "}",
        "&",
        "*",
        "&a",
        "*a",
        "!",
        "!!str",
        "%",
        "@",
        "`",
        "~",
        "null",
        "yes",
        "1.0",
        "2026-01-01",
        "user",
        "feedback",
        "historical",
        "{type:\xa0user}",
        "天体",
        "🚀",
        "\u200d",
        "\u3000",
        "\ufeff",
        "\u2028",
        "\x85",
        "\x00",
        "\x1b",
    ]
) | st.sampled_from(
    [
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "\n  ",
        "\n    ",
        "\t",
        ": ",
        ": ",
        "---\n",
        "\n---\n",
        "metadata:\n  ",
    ]
)
PIECED = st.lists(PIECES, max_size=40).map("".join)
LINES = st.lists(
    st.tuples(
        st.sampled_from(["", "", "  ", "\t", "- "]),
        st.sampled_from(
            [
                "name",
                "description",
                "type",
                "status",
                "metadata",
                "modified",
                '"name"',
                "tags",
                "superseded_by",
            ]
        ),
        st.sampled_from([": ", ":", " : ", ": \t"]),
        st.sampled_from(
            [
                "a",
                "",
                "|",
                ">-",
                '"q"',
                "'q'",
                '"a',
                "'a",
                "b: c",
                "d #e",
                "# f",
                "[1, 2]",
                "{a: b}",
                "&x y",
                "*x",
                "!t z",
                "null",
                "2026-01-01",
            ]
        ),
        st.sampled_from(
            [
                "\n",
                "\n",
                "\n\n",
                "\r\n",
                " \n",
                " # c\n",
                "\n  more\n",
                '\n  more"\n',
                "\n# c\n",
                "\n  # c\n",
                "\n- x\n",
            ]
        ),
    ).map("".join),
    max_size=8,
).map("".join)
TEXTS = st.one_of(
    PIECED,
    PIECED.map(lambda text: f"---\n{text}\n---\n{text}"),
    LINES.map(lambda text: f"---\n{text}---\n\nbody\n"),
    LINES.map(lambda text: f"\ufeff---\r\n{text}--- \r\nbody"),
)
FILES = st.one_of(st.binary(max_size=200), TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
TYPED = st.one_of(
    st.text(max_size=60),
    PIECED,
    st.sampled_from(["yes", "null", "1.0", "1e3", "0o7", "1:30", ".inf", "<<", "=", "a --- b"]),
)
KEYS = ("name", "description", "memory_type", "status", "superseded_by")


def field(document: Document, key: str) -> str | None:
    value = getattr(document, {"memory_type": "type_text", "status": "status_text"}.get(key, key))
    assert value is None or isinstance(value, str)
    return value


def change(data: bytes, key: str, value: str | None) -> bytes:
    asked: dict[str, Any] = {key: value}
    return edit(data, **asked)


@given(FILES)
def test_spec_4_reading_never_fails_and_the_body_is_a_true_tail_of_the_file(data: bytes) -> None:
    document = read(data)
    body = document.body.encode("utf-8", "surrogateescape")
    assert data.endswith(body)
    assert document.body_line == data[: len(data) - len(body)].count(b"\n") + 1
    assert document == parse_frontmatter(data)


@given(FILES)
def test_the_short_way_and_the_long_way_read_the_same(data: bytes) -> None:
    assert read(data) == read_odd(data)


@given(LINES)
def test_the_short_way_is_taken_only_where_strict_yaml_agrees(header: str) -> None:
    document = read(f"---\n{header}---\n\nbody\n".encode())
    if document.problems:
        return
    tree = yamlsafe.HeaderHandler().load(header)
    for key in ("name", "description", "status", "superseded_by"):
        value = tree.get(key)
        if (
            isinstance(value, str)
            and value not in {"", "null"}
            and "\n" not in value
            and field(document, key)
        ):
            assert field(document, key) in {value, value.rstrip("\n")} or "[" in header or "{" in header


@given(FILES)
def test_spec_4_saving_without_a_change_leaves_the_file_byte_identical(data: bytes) -> None:
    document = read(data)
    assert edit(data) == data
    same = edit(
        data,
        name=document.name,
        description=document.description,
        memory_type=document.type_text,
        status=document.status_text,
        superseded_by=document.superseded_by,
        modified=document.modified,
        body=document.body,
    )
    assert same == data


@given(FILES, st.sampled_from(KEYS), TYPED)
def test_spec_4_an_edit_does_what_was_asked_and_nothing_else_or_is_refused(
    data: bytes, key: str, value: str
) -> None:
    before = read(data)
    try:
        changed = change(data, key, value)
    except FrontmatterError:
        return
    after = read(changed)
    assert field(after, key) == value
    assert [field(after, other) for other in KEYS if other != key] == [
        field(before, o) for o in KEYS if o != key
    ]
    assert (after.body, after.modified, after.origin) == (before.body, before.modified, before.origin)
    if not before.has_header:
        assert changed.endswith(data.removeprefix(b"\xef\xbb\xbf"))
        return
    gone = Counter(data.split(b"\n")) - Counter(changed.split(b"\n"))
    names = {"memory_type": [b"type", b"metadata"]}.get(key, [key.encode()])
    assert not gone or any(name in data for name in names)


@given(LINES, st.sampled_from(KEYS), TYPED)
def test_spec_4_editing_there_and_back_restores_the_bytes(header: str, key: str, value: str) -> None:
    data = f"---\n{header}---\n\nbody\n".encode()
    old = field(read(data), key)
    try:
        there = change(data, key, value)
        back = change(there, key, old)
    except FrontmatterError:
        return
    assert field(read(back), key) == old
    if old is not None:
        assert change(back, key, value) == there
    elif key not in header and not (key == "memory_type" and "type" in header):
        assert back == data


@given(FILES, st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_spec_4_a_new_body_is_taken_exactly_and_the_header_stays(data: bytes, body: str) -> None:
    old = read(data)
    try:
        changed = edit(data, body=body)
    except FrontmatterError:
        return
    new = read(changed)
    assert new.body.replace("\r\n", "\n") == body.replace("\r\n", "\n")
    head = data[: len(data) - len(old.body.encode("utf-8", "surrogateescape"))]
    assert changed.startswith(head)


@given(TYPED)
@example("-")
@example("? a")
@example("2026-01-01 10:00:00")
@example("\u00a0a\u00a0")
@example("C:\\new\\table")
@example('it\'s "both"')
def test_spec_4_a_new_value_is_quoted_so_that_strict_yaml_and_we_read_back_what_was_typed(value: str) -> None:
    written = quote(value)
    assert "\n" not in written
    assert "---" not in written
    assert yaml.safe_load(f"k: {written}\n") == {"k": value}
    assert yaml.safe_load(f"m:\n  k: {written}\n") == {"m": {"k": value}}
    if written != value:
        assert unquote(written) == value


@given(TYPED)
def test_spec_4_a_new_value_is_quoted_only_when_yaml_needs_it(value: str) -> None:
    assume(quote(value) != value and "---" not in value and "\ufeff" not in value)
    ours_only = (
        value.lower() in {"y", "n"} or value.translate(dict.fromkeys(b"0123456789abcdefABCDEFox+-.eE")) == ""
    )
    try:
        naive = yaml.safe_load(f"k: {value}\n")
    except (yaml.YAMLError, ValueError):
        return
    assert naive != {"k": value} or ours_only


@given(TYPED, TYPED, TYPED, TYPED, st.booleans())
def test_spec_2_a_new_file_reads_back_tolerantly_and_strictly(
    name: str, description: str, kind: str, body: str, nested: bool
) -> None:
    assume(kind)
    data = compose(
        name=name,
        description=description,
        memory_type=kind,
        body=body,
        nested=nested,
        modified=1.5,
        origin="s-1",
    )
    document = read(data)
    assert (document.name, document.description, document.type_text) == (name, description, kind)
    assert (document.body, document.nested, document.modified, document.origin) == (body, nested, 1.5, "s-1")
    assert not [
        p
        for p in document.problems
        if p.severity.name != "NOTE" and p.code not in {"nul-byte", "second-header"}
    ]
    header = data.decode().split("\n---\n", 1)[0].removeprefix("---\n")
    strict = yaml.safe_load(header)
    assert (strict["name"], strict["description"]) == (name, description)
    assert (strict["metadata"] if nested else strict)["type"] == kind


@given(st.one_of(PIECED, LINES, st.text(max_size=100)))
def test_reliability_3_strict_reading_raises_one_kind_of_error_and_gives_strings_only(header: str) -> None:
    with suppress(FrontmatterError):
        tree = yamlsafe.HeaderHandler().load(header)
        assert isinstance(tree, dict)
        nodes: list[object] = [tree]
        while nodes:
            node = nodes.pop()
            assert isinstance(node, (str, list, dict))
            if isinstance(node, dict):
                assert all(isinstance(key, str) for key in node)
                nodes += node.values()
            elif isinstance(node, list):
                nodes += node


@given(LINES)
def test_the_handler_serves_python_frontmatter(header: str) -> None:
    text = f"---\n{header}---\n\nbody\n"
    try:
        want = yamlsafe.HeaderHandler().load(header)
    except FrontmatterError:
        with pytest.raises(FrontmatterError):
            python_frontmatter.parse(text, handler=yamlsafe.HeaderHandler())
        return
    assert python_frontmatter.parse(text, handler=yamlsafe.HeaderHandler()) == (want, "body")


@given(st.floats(min_value=-62_135_596_800, max_value=253_402_300_799))
def test_spec_3_a_moment_reads_back_to_the_millisecond(moment: float) -> None:
    read_back = parse_moment(format_moment(moment))
    assert read_back is not None
    assert abs(read_back - moment) <= 0.0006


@given(st.text(max_size=40) | st.text(alphabet="0123456789-:T/ Z+.,", max_size=30))
def test_spec_3_no_text_makes_the_moment_parser_fail(text: str) -> None:
    assert parse_moment(text) is None or isinstance(parse_moment(text), float)


VALUES = st.one_of(
    st.sampled_from(
        [
            "x",
            "null",
            "~",
            '""',
            '"a b"',
            '"a: b"',
            '"a # b"',
            "'a'",
            "a: b",
            "a #b",
            "a#b",
            "a:",
            "a ",
            " a",
            "-a",
            "--- a",
        ]
    ),
    st.text(st.sampled_from("ab 1:#-'\"\\~天\u3000\u00a0\u2028\x1b."), max_size=8),
)


@st.composite
def written_headers(draw: st.DrawFn) -> str:
    """Headers as the client and memtui write them, and such as are nearly so."""
    lines = [f"name: {draw(VALUES)}", f"description: {draw(VALUES)}"]
    kind = draw(st.sampled_from(["user", "project", "null", "belief", "User", "", "a b"]))
    if draw(st.booleans()):
        lines.append(f"type: {kind}")
    else:
        lines += ["metadata:", "  node_type: memory", f"  type: {kind}"]
        if draw(st.booleans()):
            lines.append(f"  originSessionId: {draw(st.sampled_from(['0a-b', '-a', 'a', '', '9---9', 'x']))}")
        if draw(st.booleans()):
            times = [
                "2026-01-02T03:04:05.678Z",
                "2026-01-02",
                "1:",
                "now",
                "'2026-01-02'",
                "2026-01-02 #x",
                "1: 2",
            ]
            lines.append(f"  modified: {draw(st.sampled_from(times))}")
    if draw(st.integers(0, 9)) == 0:
        lines.insert(
            draw(st.integers(0, len(lines))), draw(st.sampled_from(["status: active", "# x", "", "name: y"]))
        )
    return "\n".join(lines)


@given(written_headers())
@example("name: A\ndescription: b\ntype: user")
@example("name: x\ndescription: x\nmetadata:\n  node_type: memory\n  type: user\n  modified: 1:")
@example(
    "name: A\ndescription: b\nmetadata:\n  node_type: memory\n  type: user\n  originSessionId: a\n  modified: 1"
)
def test_the_short_way_through_a_header_says_what_the_long_one_says(header: str) -> None:
    short = written_fields(header)
    if short is None:
        return
    top, meta = usual_fields(header) or ({}, {})
    meta.pop("node_type", None)
    assert short == (top, meta)


@pytest.mark.parametrize(
    ("header", "short"),
    [
        ("name: A\ndescription: b c\ntype: user", ({"name": "A", "description": "b c", "type": "user"}, {})),
        (
            'name: "A"\ndescription: ""\nmetadata:\n  node_type: memory\n  type: user\n  modified: 2026-01-02',
            ({"name": "A", "description": ""}, {"type": "user", "modified": "2026-01-02"}),
        ),
    ],
)
def test_the_short_way_is_taken_for_headers_as_they_are_written(header: str, short: object) -> None:
    assert written_fields(header) == short


@given(
    st.one_of(
        PIECED.map(str.encode),
        written_headers().map(lambda text: f"---\n{text}\n---\n\nBody.\n".encode()),
        st.binary(),
    )
)
@example(b"\xef\xbb\xbf---\nname: A\n---\n\nB\xff\r\n")
@example(b"---\nname: \xff\n---\n\n\xfe\n")
def test_a_head_and_the_bytes_behind_it_are_the_document(data: bytes) -> None:
    head, document = read_head(data), read(data)
    assert data[head.start :].decode("utf-8", "surrogateescape") == document.body
    assert (*head[:8], document.body, *head[9:]) == document
