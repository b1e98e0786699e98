from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.document.frontmatter import read
from memtui.memory.document.oddities import read_odd
from memtui.team.line_merge import merge_lines, split_lines
from memtui.team.merge import merge_file

LINES = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "", "- x", "# T", "---"]), max_size=7)
VALUES = st.sampled_from(["one", '"two: 2"', "'three'", "four # note", ""])
STAMPS = st.sampled_from(["2026-01-02T03:04:05.000Z", "2026-02-02T03:04:05.000Z", "soon"])


@st.composite
def memories(draw: st.DrawFn) -> bytes:
    """A file with a header of the usual kind or a slightly odd one, and a body of a few lines."""
    order = draw(st.permutations(["name", "description", "status", "owner", "metadata"]))
    lines: list[str] = []
    for key in order[: draw(st.integers(0, 5))]:
        if draw(st.booleans()) and not lines:
            lines.append("# above")
        if key == "metadata":
            lines += [
                "metadata:",
                f"  type: {draw(st.sampled_from(['user', 'project']))}",
                f"  modified: {draw(STAMPS)}",
            ]
        else:
            lines.append(f"{key}: {draw(VALUES)}".rstrip())
    body = "\n".join(draw(LINES)) + draw(st.sampled_from(["", "\n"]))
    header = "".join(f"{line}\n" for line in lines)
    gap = draw(st.sampled_from(["", "\n"]))
    return f"---\n{header}---\n{gap}{body}".encode()


def odd(data: bytes, how: int) -> bytes:
    """The file in one of the forms that are not taken apart, or as it is."""
    return [
        data,
        data,
        data.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + data,
        data + b"\xff",
        data.replace(b"---\n", b"", 1),
        data.replace(b"name: ", b"name: [", 1),
        b"",
    ][how]


MAYBE_ODD = st.builds(odd, memories(), st.integers(0, 7))
SIDES = st.one_of(st.none(), MAYBE_ODD)


def memory(body: str = "one\n\ntwo\n\nthree\n", **fields: str) -> bytes:
    header = {"name": "Deploys", "description": "how we deploy", "type": "project"} | fields
    lines = "".join(f"{key}: {value}\n" for key, value in header.items() if value)
    return f"---\n{lines}---\n\n{body}".encode()


# Laws


@given(SIDES, SIDES)
def test_what_one_side_left_alone_is_as_the_other_has_it(base: bytes | None, side: bytes | None) -> None:
    for ours, theirs in ((base, side), (side, base), (side, side)):
        merged = merge_file(base, ours, theirs)
        assert (merged.data, merged.clash) == (side, None)


@given(SIDES, SIDES, SIDES)
def test_it_does_not_matter_who_merges_what_does_not_clash(
    base: bytes | None, ours: bytes | None, theirs: bytes | None
) -> None:
    one, other = merge_file(base, ours, theirs), merge_file(base, theirs, ours)
    if one.clash is None or other.clash is None:
        assert one == other
    else:
        assert one.clash.kind == other.clash.kind
        assert one.clash.parts == other.clash.parts or {*one.clash.parts} == {*other.clash.parts}
        assert (one.clash.ours, one.clash.theirs) == (other.clash.theirs, other.clash.ours)


def lines_of(data: bytes | None) -> set[bytes]:
    return set(re.split(rb"\r?\n", data)) - {b""} if data is not None else set()


def values_of(data: bytes | None) -> dict[str, object]:
    if data is None:
        return {}
    found = read(data)
    return {key: getattr(found, key) for key in ("name", "description", "type_text", "status_text")}


@given(st.one_of(st.none(), memories()), memories(), memories())
def test_no_line_and_no_value_of_a_side_is_in_neither_the_result_nor_a_clash(
    base: bytes | None, ours: bytes, theirs: bytes
) -> None:
    merged = merge_file(base, ours, theirs)
    assert merged.data is not None
    if merged.clash is None:
        new = lines_of(ours) - lines_of(base)
        # Of two times the later stands, and of two ways to write a value one.
        lost = {line for line in new - lines_of(merged.data) if b"modified" not in line}
        said = values_of(merged.data)
        for key, value in values_of(ours).items():
            if value != values_of(base).get(key):
                assert said[key] == value
        assert not lost
    else:
        assert (merged.clash.base, merged.clash.ours, merged.clash.theirs) == (base, ours, theirs)
        new = lines_of(theirs) - lines_of(base)
        assert not {line for line in new - lines_of(merged.data) if b"modified" not in line}


@given(SIDES, MAYBE_ODD, MAYBE_ODD)
def test_what_comes_out_reads_as_well_as_what_went_in(base: bytes | None, ours: bytes, theirs: bytes) -> None:
    merged = merge_file(base, ours, theirs)
    assert merged.data is not None
    bad = {"unclosed-header", "no-header", "invalid-yaml", "duplicate-key", "mixed-line-ends", "invalid-utf8"}
    before = {problem.code for side in (ours, theirs) for problem in read_odd(side).problems}
    assert bad & {problem.code for problem in read_odd(merged.data).problems} <= before


@given(LINES, LINES, LINES)
def test_lines_are_merged_one_change_at_a_time(old: list[str], ours: list[str], theirs: list[str]) -> None:
    merged = merge_lines(old, ours, theirs)
    assert merged.lines == merge_lines(old, ours, theirs).lines
    if merged.clean:
        assert {line.rstrip("\n") for line in merged.lines} >= ({*ours} | {*theirs}) - {*old}
        assert merged == merge_lines(old, theirs, ours)


@given(st.text(alphabet="a\n\r\x0c\u2028", max_size=12))
def test_lines_joined_are_the_text_again(text: str) -> None:
    assert "".join(split_lines(text)) == text


# Cases


def test_two_fields_and_two_lines_that_stand_next_to_each_other_are_both_changed() -> None:
    base = memory("one\ntwo\nthree\n")
    ours = memory("ONE\ntwo\nthree\nfour\n", name="Ours")
    theirs = memory("one\nTWO\nthree\n", description="theirs", status="active")
    merged = merge_file(base, ours, theirs)
    assert merged.clash is None
    assert merged.data == memory(
        "ONE\nTWO\nthree\nfour\n", name="Ours", description="theirs", status="active"
    )


def test_of_the_same_field_and_the_same_line_theirs_stands_and_the_rest_of_ours_too() -> None:
    base = memory()
    ours = memory("one\n\ntwo of ours\n\nthree of ours\n", name="Ours", description="ours")
    theirs = memory("one\n\ntwo of theirs\n\nthree\n", name="Theirs")
    merged = merge_file(base, ours, theirs, rel="deploys.md")
    assert merged.data == memory("one\n\ntwo of theirs\n\nthree of ours\n", name="Theirs", description="ours")
    assert merged.clash is not None
    assert (merged.clash.rel, merged.clash.kind) == ("deploys.md", "both-changed")
    assert merged.clash.parts == ("name", "body")
    assert (merged.clash.base, merged.clash.ours, merged.clash.theirs) == (base, ours, theirs)


def test_a_key_that_memtui_does_not_know_and_its_comment_are_merged_like_any_other() -> None:
    base = b"---\nname: A\n# who asks\nowner: ada\ntags:\n  - x\n---\n\nbody\n"
    ours = base.replace(b"ada", b"bob")
    theirs = base.replace(b"  - x", b"  - x\n  - y").replace(b"who asks", b"whom to ask")
    merged = merge_file(base, ours, theirs)
    assert merged.clash is None
    assert merged.data == b"---\nname: A\n# whom to ask\nowner: bob\ntags:\n  - x\n  - y\n---\n\nbody\n"


def test_the_later_time_counts_and_keys_below_metadata_are_fields_of_their_own() -> None:
    def at(moment: str, **more: str) -> bytes:
        keys = {"node_type": "memory", "type": "user"} | more | {"modified": moment}
        inner = "".join(f"  {key}: {value}\n" for key, value in keys.items())
        return f"---\nname: A\ndescription: B\nmetadata:\n{inner}---\n\nbody\n".encode()

    base = at("2026-01-01T00:00:00.000Z")
    ours = at("2026-03-01T00:00:00.000Z", type="feedback")
    theirs = at("2026-02-01T00:00:00.000Z", originSessionId="0a")
    merged = merge_file(base, ours, theirs)
    assert merged == merge_file(base, theirs, ours)
    assert merged.clash is None
    assert merged.data == at("2026-03-01T00:00:00.000Z", type="feedback", originSessionId="0a")


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        (b"---\nname: A\n---\n\na\n", b"---\r\nname: B\r\n---\r\n\r\na\r\n", b"---\nname: A\n---\n\nb\n"),
        (b"---\nname: A\n---\n\na\n", b"\xef\xbb\xbf---\nname: A\n---\n\nc\n", b"---\nname: B\n---\n\na\n"),
        (b"---\nname: [A\n---\n\na\n", b"---\nname: [C\n---\n\nb\n", b"---\nname: B\n---\n\na\n"),
        (b"---\nname: A\nname: B\n---\na\n", b"---\nname: A\nname: C\n---\nb\n", b"---\nname: A\n---\na\n"),
        (b"---\nname: A\n---\na\n", b"---\nname: A\n---\na\xff\n", b"---\nname: B\n---\na\n"),
        (b"a\nb\n", b"a\nc\n", b"---\nname: A\n---\na\nb\n"),
        (
            b"---\nname: &x A\nof: *x\n---\na\n",
            b"---\nname: &x C\nof: *x\n---\nb\n",
            b"---\nname: B\n---\na\n",
        ),
    ],
    ids=["crlf", "bom", "yaml", "key twice", "bytes", "header", "alias"],
)
def test_what_cannot_be_taken_apart_is_merged_as_a_whole(base: bytes, ours: bytes, theirs: bytes) -> None:
    merged = merge_file(base, ours, theirs)
    assert merged.data == theirs
    assert merged.clash is not None
    assert merged.clash.parts == ("file",)
    assert merged.clash.ours == ours


def test_a_header_that_is_no_yaml_and_that_one_side_left_alone_keeps_no_lines_from_being_merged() -> None:
    odd_header = "---\nname: Deploys: when\ndescription: #1 of all\n---\n\n"
    base, ours = f"{odd_header}one\n\ntwo\n", f"{odd_header}ONE\n\ntwo\n"
    theirs = f"{odd_header.replace('when', 'why')}one\n\nTWO\n"
    merged = merge_file(base.encode(), ours.encode(), theirs.encode())
    assert merged.clash is None
    assert merged.data == f"{odd_header.replace('when', 'why')}ONE\n\nTWO\n".encode()


def test_a_file_that_ends_its_lines_with_crlf_on_all_sides_is_merged_by_lines() -> None:
    base, ours, theirs = (
        data.replace(b"\n", b"\r\n")
        for data in (memory("a\n\nb\n"), memory("A\n\nb\n"), memory("a\n\nb\n\nc", name="N"))
    )
    merged = merge_file(base, ours, theirs)
    assert merged.clash is None
    assert merged.data == memory("A\n\nb\n\nc", name="N").replace(b"\n", b"\r\n")


def test_a_last_line_without_an_end_is_not_glued_to_what_follows() -> None:
    assert merge_lines(["a\n", "b\n"], ["a\n", "b"], ["a\n", "b\n", "c\n"]).lines == ("a\n", "b\n", "c\n")
    merged = merge_file(b"---\nname: A\n---", b"---\nname: B\n---", b"---\nname: A\n---\ntext\n")
    assert merged.data == b"---\nname: B\n---\ntext\n"


def test_two_lines_added_at_one_place_are_for_a_person_to_order() -> None:
    merged = merge_lines(["a\n"], ["a\n", "ours\n"], ["a\n", "theirs\n"])
    assert (merged.lines, merged.clean) == (("a\n", "theirs\n"), False)
    more = merge_lines(["a\n"], ["a\n", "both\n"], ["a\n", "both\n", "theirs\n"])
    assert (more.lines, more.clean) == (("a\n", "both\n", "theirs\n"), True)


def test_an_edit_beats_a_deletion_and_says_so() -> None:
    base, edited = memory(), memory("new\n")
    ours, theirs = merge_file(base, edited, None), merge_file(base, None, edited)
    for merged in (ours, theirs):
        assert merged.data == edited
        assert merged.clash is not None
        assert merged.clash.kind == "deleted-edited"
    assert merge_file(base, None, base).data is None


def test_an_index_of_somebody_else_keeps_the_lines_of_both() -> None:
    merged = merge_file(b"- [A](a.md)\n", b"- [B](b.md)\n", b"- [A](a.md)\n- [C](c.md)\n", rel="MEMORY.md")
    assert merged.clash is None
    assert merged.data == b"- [B](b.md)\n- [C](c.md)\n"


def test_without_a_base_what_only_one_side_has_was_added() -> None:
    ours, theirs = memory("one\n\ntwo\n"), memory("one\n\ntwo\n\nthree\n", status="active")
    merged = merge_file(None, ours, theirs)
    assert (merged.data, merged.clash) == (theirs, None)
    assert merge_file(None, ours, memory("one\n\nTWO\n")).clash is not None
