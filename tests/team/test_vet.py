"""What of a stranger's tree may become a memory: plain files with sane names and texts, and nothing is dropped silently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.memory.secrets.guard import secret_hash
from memtui.team.objects import Entry, blob_oid
from memtui.team.vet import MAX_FILES, MAX_TOTAL_BYTES, Held, is_memory, sane, sort_tree, vet

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF2hJ4"
FILE = Entry("100644", "1" * 40)


def looked_into(
    files: Mapping[str, bytes],
    allowed: frozenset[str] = frozenset(),
    released: frozenset[str] = frozenset(),
) -> tuple[dict[str, bytes], tuple[Held, ...]]:
    contents = {blob_oid(data): data for data in files.values()}

    def read(oids: Iterable[str]) -> Mapping[str, bytes]:
        return {oid: contents[oid] for oid in oids}

    memories = {rel: Entry("100644", blob_oid(data)) for rel, data in files.items()}
    found, held = vet(
        memories, {oid: len(data) for oid, data in contents.items()}, read, allowed=allowed, released=released
    )
    return {rel: files[rel] for rel in found}, held


@pytest.mark.parametrize(
    "rel",
    [
        "a.md",
        "Release notes.md",
        "发布-流程.md",
        "sub/limits.md",
        "README.md",
        "a/b/c/d/e.md",
        "ünï.md",
        "👩‍👩‍👧.md",
    ],
)
def test_a_good_name_passes(rel: str) -> None:
    assert sort_tree({rel: FILE}).memories == {rel: FILE}


@pytest.mark.parametrize(
    "rel",
    [
        *("../a.md", "a/../b.md", "./a.md", "/etc/a.md", "a//b.md", ".git/a.md", ".a.md", "a/.b/c.md", ".md"),
        *(
            "a\\b.md",
            "c:\\a.md",
            "a:b.md",
            "a|b.md",
            "a*.md",
            "a?.md",
            'a".md',
            "<a>.md",
            "-rf.md",
            " a.md",
            "a/ b.md",
        ),
        *("con.md", "NUL.md", "com1.x.md", "aux/a.md", "a.md/b.md", "a./b.md", "a /b.md", "a/b/c/d/e/f.md"),
        *(
            "a\x1b[31m.md",
            "a\nb.md",
            "a\u202eb.md",
            "a\u200bb.md",
            "a\ufeff.md",
            "a\u0085.md",
            "a\U000e0041.md",
        ),
        *(
            "a\udcff.md",
            "u\u0308.md",
            "\u0301a.md",
            "A.MD",
            "a.Md",
            "x" * 210 + ".md",
            "/".join(["y" * 190] * 4) + ".md",
        ),
    ],
)
def test_an_odd_name_is_held_and_named(rel: str) -> None:
    found = sort_tree({rel: FILE, "good.md": FILE})
    assert [(each.rel, each.code) for each in found.held] == [(rel, "name")]
    assert found.memories == {"good.md": FILE}


@pytest.mark.parametrize(
    ("mode", "code"),
    [("120000", "link"), ("160000", "submodule"), ("40000", "folder"), ("040000", "folder"), ("100", "mode")],
)
@pytest.mark.parametrize("rel", ["a.md", "picture.png", ".x"])
def test_what_is_no_plain_file_is_held_whatever_it_is_called(rel: str, mode: str, code: str) -> None:
    assert [each.code for each in sort_tree({rel: Entry(mode, "1" * 40)}).held] == [code]


def test_what_is_none_of_our_business_is_neither_held_nor_a_memory() -> None:
    others = dict.fromkeys(
        ("a.png", ".gitattributes", ".gitmodules", "MEMORY.md", "sub/MEMORY.md", ".github/x.yml"), FILE
    )
    found = sort_tree(others)
    assert (found.memories, found.held, found.others) == ({}, (), others)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("a.md", "A.md"),
        ("straße.md", "STRASSE.md"),
        ("sub/a.md", "Sub/b.md"),
        ("a/x.md", "A/y.md"),
        ("b/a/x.md", "b/A/y.md"),
        ("ﬁ.md", "fi.md"),
        ("Å.md", "å.md"),
    ],
)
def test_of_names_that_collide_the_one_that_is_here_has_the_right_of_way(one: str, two: str) -> None:
    for live in (one, two):
        found = sort_tree({one: FILE, two: FILE}, live={live})
        assert list(found.memories) == [live]
        assert [each.code for each in found.held] == ["collision"]
    assert len(sort_tree({one: FILE, two: FILE}).memories) == 1


def test_twenty_thousand_files_are_cut_and_each_that_is_left_is_named() -> None:
    leaves = {f"m{number:05}.md": FILE for number in range(20_000)}
    found = sort_tree(leaves, live={"m19999.md"})
    assert len(found.memories) == MAX_FILES
    assert "m19999.md" in found.memories
    assert {each.rel for each in found.held} | found.memories.keys() == leaves.keys()
    assert {each.code for each in found.held} == {"too-many"}


@pytest.mark.parametrize("before", [0, 999, 1_000])
def test_no_name_that_is_held_shows_its_secret_however_many_there_are(before: int) -> None:
    odd = [f"m{number:05}?.md" for number in range(before)]
    found = sort_tree(dict.fromkeys([*odd, f"{TOKEN} ?.md", "z?.md"], FILE))
    assert found.names == {*odd, f"{TOKEN} ?.md", "z?.md"}
    assert not [each.rel for each in found.held if TOKEN in each.rel]
    assert {each.rel for each in found.held} > {*odd, "z?.md"}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe", "not-text"),
        (b"a\0b", "not-text"),
        (b"---\nname: a\nstatus: historical\n---\n\nold\n", "old-version"),
        (b"x" * (MAX_FILE_BYTES + 1), "too-large"),
        (b"---\nname: a\n---\n\nline\n" + TOKEN.encode() + b"\n", "secret"),
    ],
)
def test_an_odd_content_is_held_and_all_else_passes(data: bytes, code: str) -> None:
    found, held = looked_into({"bad.md": data, "good.md": b"- fine\n"})
    assert found == {"good.md": b"- fine\n"}
    assert [(each.rel, each.code, each.oid) for each in held] == [("bad.md", code, blob_oid(data))]


def test_a_secret_is_told_by_rule_line_and_fingerprint_and_never_by_its_value() -> None:
    body, header = f"---\nname: a\n---\n\nx\n{TOKEN}\n", f"---\nname: a\ntoken: {TOKEN}\n---\n\nx\n"
    _, held = looked_into({"a.md": body.encode(), "b.md": header.encode(), f"c-{TOKEN}.md": b"- x\n"})
    assert [(each.code, each.rule, each.line, each.fingerprint) for each in held] == [
        ("secret", "github-token", 6, secret_hash(TOKEN)[:12]),
        ("secret", "github-token", 3, secret_hash(TOKEN)[:12]),
        ("secret", "github-token", 0, secret_hash(TOKEN)[:12]),
    ]
    assert TOKEN not in repr(held)


def test_what_a_person_let_through_passes() -> None:
    data = f"{TOKEN}\n".encode()
    assert looked_into({"a.md": data}, allowed=frozenset({secret_hash(TOKEN)})) == ({"a.md": data}, ())
    assert looked_into({"a.md": data}, released=frozenset({blob_oid(data)})) == ({"a.md": data}, ())
    broken = b"\xff"
    assert looked_into({"a.md": broken}, released=frozenset({blob_oid(broken)}))[1][0].code == "not-text"


def test_what_was_looked_into_is_not_looked_into_again_but_what_is_allowed_may_change() -> None:
    files = {"good.md": b"- fine\n", "leak.md": f"{TOKEN}\n".encode()}
    fine: set[tuple[str, str]] = set()
    contents = {blob_oid(data): data for data in files.values()}
    memories = {rel: Entry("100644", blob_oid(data)) for rel, data in files.items()}
    sizes = {oid: len(data) for oid, data in contents.items()}
    for allowed, passes in (
        (frozenset[str](), 1),
        (frozenset({secret_hash(TOKEN)}), 2),
        (frozenset[str](), 1),
    ):
        assert len(vet(memories, sizes, lambda _: contents, allowed=allowed, fine=fine)[0]) == passes
        assert fine == {("good.md", blob_oid(b"- fine\n"))}
    asked: list[str] = []

    def read(oids: Iterable[str]) -> Mapping[str, bytes]:
        asked.extend(oids)
        return contents

    assert "good.md" in vet(memories, sizes, read, fine=fine)[0]
    assert asked == [blob_oid(files["leak.md"])], "what was fine is not even read again"


def test_all_together_may_not_be_too_large() -> None:
    size = MAX_FILE_BYTES
    memories = {
        f"m{number}.md": Entry("100644", f"{number:040x}") for number in range(MAX_TOTAL_BYTES // size + 3)
    }
    found, held = vet(
        memories, {entry.oid: size for entry in memories.values()}, lambda oids: dict.fromkeys(oids, b"x")
    )
    assert len(found) == MAX_TOTAL_BYTES // size
    assert [each.code for each in held] == ["too-many"] * 3


def test_an_object_that_is_not_there_is_named() -> None:
    assert [each.code for each in vet({"a.md": FILE}, {}, lambda _: {})[1]] == ["missing"]
    assert [each.code for each in vet({"a.md": FILE}, {FILE.oid: 1}, lambda _: {})[1]] == ["missing"]


def test_what_a_name_may_be_is_said_in_one_place() -> None:
    assert is_memory("a.md")
    assert not is_memory("a.txt")
    assert sane("a.md")
    assert not sane("a\udcff.md")
