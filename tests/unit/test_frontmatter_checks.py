"""Spec §4: what stands behind every edit of a header: it is read again, as we read it and as a strict parser does."""

from __future__ import annotations

import pytest

from memtui.memory.document.frontmatter import FrontmatterError, compose, read
from memtui.memory.document.header_edit import _check, _check_strictly, _Plan
from memtui.memory.document.headers import split

OLD = "---\nname: a\ntags: [x]\nmetadata: m\n---\n\nbody\n"


def strictly(new: str, *values: tuple[tuple[str, ...], str | None]) -> None:
    old = split(OLD)
    _check_strictly(old, split(new), _Plan(old, values=list(values)))


def test_an_edit_that_reads_as_meant_passes() -> None:
    strictly(OLD.replace("name: a", "name: b"), (("name",), "b"))
    strictly(OLD.replace("name: a\n", ""), (("name",), None))
    strictly(OLD.replace("name: a", "name: ''"), (("name",), None))


@pytest.mark.parametrize(
    "new",
    [
        OLD,
        OLD.replace("name: a", "name: c"),
        OLD.replace("name: a", "name: b\nnew: d"),
        OLD.replace("name: a", "name: b").replace("[x]", "[y]"),
        OLD.replace("name: a", "name: b").replace("tags: [x]\n", ""),
        OLD.replace("name: a", "name: b: ["),
    ],
)
def test_an_edit_that_a_strict_parser_reads_as_something_else_is_refused(new: str) -> None:
    with pytest.raises(FrontmatterError) as refused:
        strictly(new, (("name",), "b"))
    assert refused.value.code == "unsafe-edit"


def test_a_value_below_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(FrontmatterError, match="metadata") as refused:
        strictly(OLD, (("metadata", "type"), "user"))
    assert refused.value.code == "unsafe-edit"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: a", "name: b"),
        ("description: a", "description: b"),
        ("type: user", "type: project"),
        ("status: historical", "status: active"),
        ("superseded_by: a", "superseded_by: b"),
        ("modified: 2026-01-01", "modified: 2026-01-02"),
        ("originSessionId: a", "originSessionId: b"),
    ],
)
def test_an_edit_after_which_any_field_reads_otherwise_is_refused(old: str, new: str) -> None:
    before, after = (read(f"---\n{line}\n---\n\nbody\n".encode()) for line in (old, new))
    _check(before, before)
    with pytest.raises(FrontmatterError) as refused:
        _check(before, after)
    assert refused.value.code == "unsafe-edit"


def test_an_edit_after_which_the_text_reads_otherwise_is_refused_but_for_its_line_ends() -> None:
    one, crlf, other = (
        read(f"---\nname: a\n---\n\n{body}".encode()) for body in ("x\ny\n", "x\r\ny\r\n", "x\n")
    )
    _check(one, crlf)
    for before, after in ((one, other), (crlf, one)):
        with pytest.raises(FrontmatterError) as refused:
            _check(before, after)
        assert refused.value.code == "unsafe-edit"


def test_a_file_says_that_it_is_an_old_version_in_any_case_and_with_blanks() -> None:
    assert read(b'---\nname: a\nstatus: " Historical "\n---\n').is_historical
    assert not read(b"---\nname: a\nstatus: active\n---\n").is_historical
    assert not read(b"---\nname: a\n---\n").is_historical


def test_spec_4_a_header_is_written_up_to_64_kib_and_no_further() -> None:
    def header(length: int) -> str:
        data = compose(
            name="n" * 15_000,
            description="d" * length,
            memory_type="user",
            body="x",
            nested=False,
            status="t" * 15_000,
            superseded_by="s" * 15_000,
            origin="o" * 15_000,
        )
        return data.decode().split("---\n")[1]

    most = 65_537 - len(header(1))
    assert len(header(most)) == 65_536
    with pytest.raises(FrontmatterError) as refused:
        header(most + 1)
    assert refused.value.code == "header-too-large"
