"""Reliability §3, row YAML bombs: refused within a budget, reported instead of obeyed, and the rest still read."""

from __future__ import annotations

import pytest
import yaml

from memtui.memory.document import yamlsafe
from memtui.memory.document.frontmatter import FrontmatterError, edit, read
from memtui.memory.document.yamltext import MAX_HEADER_BYTES, MAX_SCALAR_CHARS, quote

LAUGHS = "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [{', '.join(['*a'] * 9)}]\n" for i in range(9))
BOMBS = [
    ("aliases", LAUGHS, "yaml-alias"),
    ("anchor alone", "a: &x 1\n", "yaml-alias"),
    ("merge key", "a: &x {b: c}\nd:\n  <<: *x\n", "yaml-alias"),
    ("python object", "a: !!python/object/apply:os.system ['true']\n", "yaml-tag"),
    ("tag on a list", "a: !mine [b]\n", "yaml-tag"),
    ("tag on a mapping", "a: !!omap\n  b: c\n", "yaml-tag"),
    ("directive", "%YAML 1.1\n---\na: b\n", "yaml-directive"),
    ("tag directive", "%TAG ! tag:x,2000:\n---\na: b\n", "yaml-directive"),
    ("two documents", "a: b\n--- \nc: d\n", "invalid-yaml"),
    ("21 deep", "a: " + "[" * 20 + "]" * 20 + "\n", "header-too-deep"),
    ("900 deep", "a: " + "[" * 900 + "\n", "header-too-deep"),
    ("blocks deep", "".join(" " * i + "a:\n" for i in range(100)), "header-too-deep"),
    ("2,001 events", "a:\n" + "- x\n" * 2_000, "header-too-large"),
    ("64 KiB and a byte", "a: b # " + "c" * MAX_HEADER_BYTES + "\n", "header-too-large"),
    ("64 KiB in Chinese", "a: b # " + "注" * (MAX_HEADER_BYTES // 3) + "\n", "header-too-large"),
    ("long scalar", "a: " + "b" * (MAX_SCALAR_CHARS + 1) + "\n", "header-too-large"),
    ("key twice", "a: b\nc: d\na: e\n", "duplicate-key"),
    ("key twice inside", "a:\n  b: c\n  'b': d\n", "duplicate-key"),
    ("key twice in a list", "a:\n  - {b: c, b: d}\n", "duplicate-key"),
    ("list as a key", "[a, b]: c\n", "invalid-yaml"),
    ("mapping as a key", "? {a: b}\n: c\n", "invalid-yaml"),
    ("list", "- a\n", "header-not-mapping"),
    ("text", "a\n", "header-not-mapping"),
    ("open", "a: [b\n", "invalid-yaml"),
    ("control character", "a: \x01\n", "invalid-yaml"),
    ("tab", "a:\n\tb: c\n", "invalid-yaml"),
]


@pytest.mark.parametrize(("header", "code"), [row[1:] for row in BOMBS], ids=[row[0] for row in BOMBS])
def test_reliability_3_a_bomb_is_refused_and_the_file_reads_all_the_same(header: str, code: str) -> None:
    with pytest.raises(FrontmatterError) as refusal:
        yamlsafe.HeaderHandler().load(header)
    assert refusal.value.code == code
    if header.startswith("%") or "\n--- " in header:  # such a header ends at its own ---
        return
    data = f"---\n{header}name: n\ntype: user\n---\n\nbody\n".encode()
    document = read(data)
    if not header.startswith(("- ", "a\n", "[", "?")):
        assert (document.name, document.type_text) in {("n", "user"), (None, None)}
    assert document.body == "body\n"
    assert [p for p in document.problems if p.code in {code, "invalid-yaml", "duplicate-key"}]


def test_without_the_c_library_the_same_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlsafe, "_Loader", yaml.SafeLoader)
    for what, header, code in (*BOMBS, ("no character", 'a: "\\U00110000"\n', "invalid-yaml")):
        with pytest.raises(FrontmatterError) as refusal:
            yamlsafe.HeaderHandler().load(header)
        assert refusal.value.code == code, what


@pytest.mark.parametrize(
    ("header", "tree"),
    [
        ("", {}),
        ("# only a comment\n", {}),
        (
            "a: 1\nb: 1.0\nc: yes\nd: null\ne: 2026-01-01\nf:\n1: g\n",
            {"a": "1", "b": "1.0", "c": "yes", "d": "null", "e": "2026-01-01", "f": "", "1": "g"},
        ),
        ("a: [b, {c: d}]\ne: |\n  f\n  g\n", {"a": ["b", {"c": "d"}], "e": "f\ng\n"}),
        ("a: " + "[" * 19 + "]" * 19, None),
        ("a:\n" + "- x\n" * 1_900, None),
        ("a: " + "b" * MAX_SCALAR_CHARS, None),
    ],
)
def test_strict_reading_gives_strings_and_leaves_room_for_all_real_headers(header: str, tree: object) -> None:
    got = yamlsafe.HeaderHandler().load(header)
    assert got == tree if tree is not None else list(got) == ["a"]


def test_the_handler_writes_nothing() -> None:
    with pytest.raises(FrontmatterError) as refusal:
        yamlsafe.HeaderHandler().export({"a": "b"})
    assert refusal.value.code == "not-written"


def test_a_header_beside_a_bomb_can_still_be_edited() -> None:
    data = f"---\n{LAUGHS}name: n\n---\nbody\n".encode()
    assert edit(data, name="m") == data.replace(b"name: n", b"name: m")


def test_a_long_run_of_blanks_costs_no_more_than_its_length() -> None:
    # Each of these made a backtracking pattern quadratic: minutes instead of milliseconds.
    for header in (
        "name" + " " * 60_000,
        "name:" + " \t" * 30_000 + "x",
        "name: a" + " " * 60_000 + "#",
        "'" * 60_000,
        '"' + "\\" * 60_000,
    ):
        assert read(f"---\n{header}\n---\n\nbody\n".encode()).body == "body\n"
    # A header with as many keys as fit is looked at once per key.
    many = "".join(f"k{number}: v\n" for number in range(7_000))
    assert [p.code for p in read(f"---\n{many}---\n\nbody\n".encode()).problems] == ["header-too-large"]


def test_odd_places_are_told_up_to_a_limit() -> None:
    problems = read(("---\n" + "name: n\n" * 7_000 + "---\n").encode()).problems
    assert 0 < len(problems) <= 60


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("it's \"so\" isn't", "'it''s \"so\" isn''t'"),
        ("it's \"so\" isn't it's", '"it\'s \\"so\\" isn\'t it\'s"'),
        ("a: b", '"a: b"'),
    ],
)
def test_a_text_takes_the_quotes_that_leave_it_readable(value: str, written: str) -> None:
    assert quote(value, always=True) == written
    assert yaml.safe_load(f"k: {written}") == {"k": value}


def test_what_can_be_read_can_be_edited_to_the_last_byte() -> None:
    taken = []
    for size in range(MAX_HEADER_BYTES - 24, MAX_HEADER_BYTES + 4):
        data = f"---\nname: a\n# {'c' * (size - 12)}\n---\n\nbody\n".encode()
        readable = not [p for p in read(data).problems if p.code == "header-too-large"]
        try:
            edit(data, name="b")
        except FrontmatterError:
            editable = False
        else:
            editable = True
        assert readable is editable, size
        taken.append(readable)
    assert taken[0]
    assert not taken[-1]


@pytest.mark.parametrize("loader", [yaml.SafeLoader, yamlsafe._Loader])
@pytest.mark.parametrize("before", ["a: b\nc: d\n", "\na: b\n"])
def test_a_character_that_may_not_be_is_told_with_its_line(
    loader: type, before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yamlsafe, "_Loader", loader)
    with pytest.raises(FrontmatterError) as refusal:
        yamlsafe.load_tree(f"{before}e: \x01\n")
    assert (refusal.value.code, refusal.value.line) == ("invalid-yaml", 3)


def test_a_header_has_two_thousand_parts_and_no_more() -> None:
    few, many = (f"a: [{', '.join(['b'] * count)}]" for count in (1_991, 1_992))  # and nine around them
    assert yamlsafe.load_tree(few) == {"a": ["b"] * 1_991}
    with pytest.raises(FrontmatterError) as refusal:
        yamlsafe.load_tree(many)
    assert refusal.value.code == "header-too-large"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_header_gets_the_line_ends_of_a_file_that_begins_with_one(end: bytes) -> None:
    edited = edit(end + b"body" + end, name="a")
    assert edited.startswith(b"---" + end)
    assert edited.replace(b"\r\n", b"\n").count(b"\n") == edited.count(end)
