"""Spec §4: how real and odd files read. The corpus is written here, after the shapes that real files have."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memtui.memory.document.frontmatter import parse_frontmatter, read
from memtui.memory.document.parse import _usual_head
from memtui.memory.document.timestamps import parse_moment
from memtui.memory.types import Severity

T0 = 1_767_323_045.0  # 2026-01-02T03:04:05Z


def codes(data: bytes | str) -> list[str]:
    return [problem.code for problem in parse_frontmatter(data).problems]


def flat(value: str, key: str = "description") -> str:
    return f"---\nname: n\n{key}: {value}\ntype: user\n---\n\nbody\n"


# description as written in the file -> as read, the problem a strict parser has with it
WRITTEN = [
    ("plain words", "plain words", None),
    (
        "用户是天体物理学博士后，研究恒星演化与双星系统",
        "用户是天体物理学博士后，研究恒星演化与双星系统",
        None,
    ),
    ("全角冒号：可以，全角＃也可以", "全角冒号：可以，全角＃也可以", None),
    ("a\u3000b 全角空格", "a\u3000b 全角空格", None),
    ("👩‍🚀 works at night 🌙", "👩‍🚀 works at night 🌙", None),
    ("trailing blanks   ", "trailing blanks", None),
    ("Rule: run twice", "Rule: run twice", "invalid-yaml"),
    ("规则: 跑两遍", "规则: 跑两遍", "invalid-yaml"),
    ("ends with a colon:", "ends with a colon:", "invalid-yaml"),
    ("http://localhost:8080/a is up", "http://localhost:8080/a is up", None),
    ('"Blue" means go', '"Blue" means go', "invalid-yaml"),
    ("'Blue' means go", "'Blue' means go", "invalid-yaml"),
    ("`flush()` is meant", "`flush()` is meant", "invalid-yaml"),
    ("Why #[inline] stays", "Why #[inline] stays", "hash-in-value"),
    ("# issue #42", "# issue #42", "hash-in-value"),
    ("see #42", "see #42", "hash-in-value"),
    ("C# and F#", "C# and F#", None),
    ("@ada reviews", "@ada reviews", "invalid-yaml"),
    ("% of runs fail", "% of runs fail", "invalid-yaml"),
    ("*important* to know", "*important* to know", "invalid-yaml"),
    ("{a b: c", "{a b: c", "invalid-yaml"),
    ("[a, b]", "[a, b]", None),
    ("- not a list", "- not a list", "invalid-yaml"),
    ("-x is the flag", "-x is the flag", None),
    ("--use-real-db is the flag", "--use-real-db is the flag", None),
    ("? why", "? why", "invalid-yaml"),
    ("yes", "yes", None),
    ("null", "null", None),
    ("1.0", "1.0", None),
    ("2026-01-01", "2026-01-01", None),
    ('"quoted: and # safe"', "quoted: and # safe", None),
    ("'it''s quoted'", "it's quoted", None),
    (r'"tab\there \u00e9\x41 \"q\" C:\\dir"', 'tab\there éA "q" C:\\dir', None),
    (r'"no such escape \q"', r'"no such escape \q"', "invalid-yaml"),
    ('"open to the end', '"open to the end', "invalid-yaml"),
    ('"closed" # with a comment', "closed", None),
    ("'closed' # with a comment", "closed", None),
    ('""', "", None),
    ("", None, None),
    ("|\n  one\n  two", "one\ntwo", None),
    (">\n  one\n  two", "one two", None),
    (">-\n  折叠\n  两行", "折叠 两行", None),
    ("|2-\n    deep\n  less", "  deep\nless", None),
    ("one\n  two", "one two", None),
    ("\n  on the next line", "on the next line", None),
    ('"one\n  two"', "one two", None),
    ("one #x\n  two", "one #x two", "invalid-yaml"),
    ("a\n  b: c", "a b: c", "invalid-yaml"),
    ("one\n  two #x", "one two #x", "hash-in-value"),
    ("a\n  # a comment", "a", None),
    ("|\n  a\n  # text", "a\n# text", None),
    (r'"half \ud83d"', r'"half \ud83d"', "invalid-yaml"),
    (r'"half \ud800"', r'"half \ud800"', "invalid-yaml"),
    (r'"half \udfff"', r'"half \udfff"', "invalid-yaml"),
    (r'"whole \ud7ff \ue000"', "whole \ud7ff \ue000", None),
]


@pytest.mark.parametrize(("value", "read_as", "problem"), WRITTEN)
def test_spec_4_a_value_reads_as_written(value: str, read_as: str | None, problem: str | None) -> None:
    for document in (read(flat(value).encode()), read(flat(value).replace("\n", "\r\n").encode())):
        assert document.description == read_as
        assert (document.name, document.type_text, document.nested) == ("n", "user", False)
        assert document.body.strip() == "body"
        wrong = [p for p in document.problems if p.severity is not Severity.NOTE]
        assert [p.code for p in wrong][:1] == ([problem] if problem else [])
    nested = f"---\nname: {value}\nmetadata: \n  node_type: memory\n  type: feedback\n---\n\nbody\n"
    again = parse_frontmatter(nested)
    assert (again.name, again.type_text, again.nested) == (read_as, "feedback", True)


def test_spec_4_both_shapes_read_without_a_problem() -> None:
    nested = (
        "---\nname: n\ndescription: d\nmetadata: \n  node_type: memory\n  type: feedback\n"
        "  originSessionId: 0b1c-5c9e\n  modified: 2026-01-02T03:04:05.678Z\n---\n\nText.\n"
    )
    document = parse_frontmatter(nested)
    assert (document.type_text, document.nested, document.origin) == ("feedback", True, "0b1c-5c9e")
    assert document.modified == pytest.approx(T0 + 0.678)
    assert (document.body, document.body_line, document.has_header) == ("Text.\n", 11, True)
    assert document.problems == ()
    old = parse_frontmatter(
        "---\nname: n\ndescription: d\ntype: user\nstatus: historical\nsuperseded_by: b-c\n---\nText.\n"
    )
    assert (old.type_text, old.nested, old.status_text, old.superseded_by) == (
        "user",
        False,
        "historical",
        "b-c",
    )
    assert (old.body, old.body_line, old.problems) == ("Text.\n", 8, ())


def test_spec_4_a_top_level_type_counts_before_memory_type_before_metadata() -> None:
    assert parse_frontmatter("---\ntype: a\nmemory_type: b\nmetadata:\n  type: c\n---\n").type_text == "a"
    assert parse_frontmatter("---\nmemory_type: b\nmetadata:\n  type: c\n---\n").type_text == "b"
    under = parse_frontmatter("---\ntype:\nmetadata:\n  type: c\n---\n")
    assert (under.type_text, under.nested) == ("c", True)
    assert parse_frontmatter("---\nname: n\nmetadata:\n  node_type: memory\n---\n").nested is None


@pytest.mark.parametrize(
    ("metadata", "kind"),
    [
        ("metadata:\n    type: user\n", "user"),
        ("metadata:\n\ttype: user\n", "user"),
        ("metadata: {type: user, modified: 2026-01-02}\n", "user"),
        ("metadata: # why\n\n  # c\n  type: 'user' # c\n", "user"),
        ("'metadata':\n  \"type\" : user\n", "user"),
        ("metadata:\n  tags:\n    - type: no\n  type: user\n", "user"),
        ("metadata:\n  deep:\n    type: no\n", None),
        ("metadata: text\n", None),
        ("metadata:\n type: user\n", "user"),
        ("metadata:\n- type: user\n", None),
    ],
)
def test_spec_4_metadata_is_read_in_any_style(metadata: str, kind: str | None) -> None:
    assert parse_frontmatter(f"---\nname: n\n{metadata}---\n").type_text == kind
    # One wrong line elsewhere does not hide it.
    assert parse_frontmatter(f"---\nname: a: b\n{metadata}---\n").type_text == kind


@pytest.mark.parametrize("null", ["", "~", "null", "Null", "# later"])
def test_an_empty_token_is_none_and_a_comment_is_no_part_of_one(null: str) -> None:
    document = parse_frontmatter(
        f"---\nname: n\ntype: user # was feedback\nstatus: {null}\nsuperseded_by: {null}\n---\n"
    )
    assert (document.type_text, document.status_text, document.superseded_by) == ("user", None, None)
    for field in ("status", "superseded_by", "type"):
        usual = parse_frontmatter(f"---\nname: n\n{field}: {null}\n---\n")
        assert (usual.status_text, usual.superseded_by, usual.type_text) == (None, None, None)
    assert parse_frontmatter('---\nsuperseded_by: "null"\n---\n').superseded_by == "null"


ODD = [
    (b"", "empty-file", Severity.ERROR),
    (b" \n\n", "empty-file", Severity.ERROR),
    (b"# Title\n\ntext\n", "no-header", Severity.NOTE),
    (b"\n---\nname: n\n---\n", "no-header", Severity.NOTE),
    (b"----\nname: n\n----\n", "no-header", Severity.NOTE),
    (b"---\nname: n\n\ntext\n", "unclosed-header", Severity.ERROR),
    (b"---\nname: n\n...\n", "unclosed-header", Severity.ERROR),
    (b"---\n---\ntext\n", "empty-header", Severity.NOTE),
    (b"---\n- a\n- b\n---\ntext\n", "header-not-mapping", Severity.WARNING),
    (b"---\njust text\n---\ntext\n", "header-not-mapping", Severity.WARNING),
    (b"---\nname: n\n---\n\n---\nname: m\n---\ntext\n", "second-header", Severity.WARNING),
    (b"---\nname: n\n---\n---\ntype: m\n", "second-header", Severity.WARNING),
    (b"---\nname: n\n---\na\n\n---\n\nb\n", "rule-in-body", Severity.NOTE),
    (b"---\nname: a --- b\n---\n", "dashes-in-header", Severity.WARNING),
    (b"---\nname: n\nname: m\n---\n", "duplicate-key", Severity.WARNING),
    (b"---\nname: [a: b\nname: m\n---\n", "duplicate-key", Severity.WARNING),
    (b"---\nmetadata:\n  type: a\n  type: b\n---\n", "duplicate-key", Severity.WARNING),
    (b"---\nname: &a n\ndescription: *a\n---\n", "yaml-alias", Severity.WARNING),
    (b"---\nname: !!python/object:os.system x\n---\n", "yaml-tag", Severity.WARNING),
    (b"---\n%YAML 1.1\nname: n\n---\n", "invalid-yaml", Severity.WARNING),
    (b"---\nname:\n  - a\n---\n", "not-text", Severity.WARNING),
    (b"---\nmodified: soon\n---\n", "invalid-modified", Severity.WARNING),
    (b"\xef\xbb\xbf---\nname: n\n---\n", "bom", Severity.NOTE),
    (b"---\r\nname: n\r\n---\r\n", "crlf", Severity.NOTE),
    (b"---\nname: n\r\n---\n", "mixed-line-ends", Severity.NOTE),
    (b"---\nname: n\n---\na\rb\n", "mixed-line-ends", Severity.NOTE),
    (b"---\nname: n\n---\ntext", "no-final-newline", Severity.NOTE),
    (b"---\nname: n\n---", "no-final-newline", Severity.NOTE),
    (b"---\nname: n\n---\na\0b\n", "nul-byte", Severity.WARNING),
    (b"---\nname: n\n---\na\0b\xff\n", "binary", Severity.ERROR),
    (b"---\nname: n\n---\na\xff\xfeb\n", "invalid-utf8", Severity.WARNING),
    (b"---\nname: a\xffb\n---\n", "invalid-utf8", Severity.WARNING),
    ("---\nname: n\n---\n".encode("utf-16"), "not-utf8", Severity.ERROR),
]


@pytest.mark.parametrize(("data", "code", "severity"), ODD)
def test_spec_4_every_oddity_opens_and_is_reported(data: bytes, code: str, severity: Severity) -> None:
    document = read(data)
    found = {problem.code: problem for problem in document.problems}
    assert code in found
    assert found[code].severity is severity
    assert found[code].message
    assert data.endswith(document.body.encode("utf-8", "surrogateescape"))


def test_spec_4_what_stands_around_an_oddity_is_still_read() -> None:
    assert read(b"\xef\xbb\xbf---\r\nname: n\r\ntype: user\r\n---\r\n\r\na\r\nb\r\n").body == "a\r\nb\r\n"
    assert read(b"---\nname: a\xffb\ntype: user\n---\n").name == "a\udcffb"
    assert read(b"---\nname: n\n---\n\n---\nname: m\n---\nx\n").body == "---\nname: m\n---\nx\n"
    assert read(b"---\nname: n\n--- \t\nx\n").body == "x\n"
    assert read(b"---\nname: n\n----\nx\n").body == "x\n"
    assert read(b"---\nname:n\ntype:user\n---\n").type_text == "user"
    unclosed = read(b"---\nname: n\n")
    assert (unclosed.name, unclosed.body, unclosed.body_line) == (None, "---\nname: n\n", 1)


def test_spec_4_the_last_of_two_keys_counts_as_for_the_client_and_pyyaml() -> None:
    document = read(b"---\ndescription: first\ndescription: second\ntype: user\ntype: project\n---\n")
    assert (document.description, document.type_text) == ("second", "project")
    assert [(p.code, p.line) for p in document.problems] == [("duplicate-key", 3), ("duplicate-key", 5)]


def test_an_empty_value_takes_back_an_earlier_one_of_the_same_key() -> None:
    assert read(b"---\ndescription: first\ndescription:\n---\n").description is None
    assert read(b"---\ndescription: first\ndescription:\n  - a\n---\n").description is None


def test_problems_name_the_line() -> None:
    document = read(b"---\r\nname: n\r\n# c\r\ndescription: a: b\r\n---\r\n\r\nx\r\n\0\r\n---\r\n")
    assert {p.code: p.line for p in document.problems} == {
        "crlf": None, "nul-byte": 8, "invalid-yaml": 4, "rule-in-body": 9,
    }  # fmt: skip


MOMENTS = [
    ("2026-01-02T03:04:05Z", 0), ("2026-01-02T03:04:05.678Z", 0.678), ("2026-01-02T03:04:05.678901234Z", 0.678901),
    ("2026-01-02T11:04:05+08:00", 0), ("2026-01-02T11:04:05+0800", 0), ("2026-01-02 11:04:05 +8", 0), ("2026-01-01 22:04:05 -5", 0), ("2026-1-1 23:34:05 -03:30", 0),
    ("2026-01-02T03:04:05", 0), ("2026-01-02 03:04:05", 0), ("2026-01-02t03:04:05z", 0), ("2026-01-02T03:04Z", -5),
    ("2026-01-02", -11_045), ("2026-1-2", -11_045), ("2026/01/02", -11_045), ("2026-01", -97_445),
    ("Fri, 02 Jan 2026 03:04:05 GMT", 0), ("2026-01-01T24:00:00Z", -11_045),
]  # fmt: skip


@pytest.mark.parametrize(("text", "offset"), MOMENTS)
def test_spec_3_modified_reads_as_by_the_client(text: str, offset: float) -> None:
    for header in (
        f"modified: {text}",
        f"metadata:\n  modified: {text}",
        f'modified: "{text}" # c',
        f"modified: {text}  # c",
    ):
        document = parse_frontmatter(f"---\nname: n\n{header}\n---\n")
        assert document.modified == pytest.approx(T0 + offset, abs=1e-5)
        assert document.problems == ()


@pytest.mark.parametrize(
    "text",
    ["soon", "1767323045", "1767323045678", "-1", "2026", "20260102T030405Z", "2026-W01-1", "2026-13-01", "2026-01-32",
     "2026-01-02T25:00:00Z", "2026-01-02T03:04:60Z", "2026-01-02T24:30:00Z", "0000-01-01", "2026-01-02T03:04:05+24:00", "[2026-01-02]", "今天",
     "Fri, 99 Jan 2026 03:04:05 GMT", "２０２６-01-02"],
)  # fmt: skip
def test_spec_3_what_names_no_moment_gives_none_and_a_problem(text: str) -> None:
    document = parse_frontmatter(f"---\nname: n\nmodified: {text}\n---\n")
    assert (document.modified, document.name) == (None, "n")
    assert codes(f"---\nname: n\nmodified: {text}\n---\n") == ["invalid-modified"]
    assert parse_moment(text) is None


def test_spec_3_modified_under_metadata_counts_first_as_for_the_client() -> None:
    both = "---\nmodified: 2020-01-01\nmetadata:\n  modified: {}\n---\n"
    assert parse_frontmatter(both.format("2026-01-02T03:04:05Z")).modified == T0
    wrong = parse_frontmatter(both.format("soon"))
    assert wrong.modified is None
    assert [(p.code, p.line) for p in wrong.problems] == [("invalid-modified", 4)]
    assert parse_frontmatter("---\nmodified: 2030-02-30\n---\n").modified == parse_moment("2030-03-02")


def test_usual_files_are_read_without_importing_yaml() -> None:
    code = (
        "import sys\n"
        "from memtui.memory.document.frontmatter import read\n"
        "usual = '---\\nname: \"a\"\\ndescription: d\\nmetadata: \\n  type: user\\n  modified: 2026-01-02\\n---\\n\\nbody\\n'\n"
        "for text in (usual, usual.replace('\\n', '\\r\\n'), '\\ufeff' + usual, usual + '\\n---\\n', 'none\\n'):\n"
        "    read(text.encode())\n"
        "print(sorted({'yaml', 'frontmatter', 'email'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_usual_file_is_read_the_short_way_and_any_other_the_long_one() -> None:
    usual = flat("d").encode()
    assert _usual_head(usual) is not None
    assert _usual_head(usual + b"x") is None
    assert _usual_head(usual.replace(b"\n", b"\r\n")) is None
