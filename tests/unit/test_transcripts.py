"""Spec §14, §16: transcripts are read whatever they hold, in bounded memory, and on from where they were left."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.claude import transcripts
from memtui.claude.transcripts import Cursor, Line, TranscriptReader, parse_line
from memtui.memory.disk.images import Unreadable

PIECES = st.one_of(
    st.sampled_from(
        [
            b'{"a":1}',
            b'{ "a" : "\\u00e9" }',
            b"[]",
            b"12",
            b"null",
            b"",
            b"  ",
            b"{torn",
            b'{"a":"\xff\xfe"}',
            b'\0\0{"a":2}\0',
            b'{"a":"\x01\x00"}',
            b'{"a":1}\r',
            b'{"long":"' + b"x" * 300 + b'"}',
            b"[" * 3000,
        ]
    ),
    st.binary(max_size=20).map(lambda data: data.replace(b"\n", b" ")),
)


def numbers(lines: list[Line]) -> list[tuple[int, int, Any]]:
    return [(line.number, line.offset, line.value) for line in lines]


def plainly(data: bytes, most: int) -> list[tuple[int, int, Any]]:
    """The same by splitting the whole file, and parsing every line."""
    found, offset = [], 0
    for number, piece in enumerate(data.split(b"\n"), 1):
        try:
            value = parse_line(piece) if len(piece) <= most else None
        except ValueError:
            value = None
        if value is not None:
            found.append((number, offset, value))
        offset += len(piece) + 1
    return found


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=12), st.booleans(), st.integers(1, 70), st.integers(0, 12))
def test_lines_are_those_of_the_whole_file_wherever_reading_is_broken_off(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], ended: bool, chunk: int, leave: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "t.jsonl"
    path.write_bytes(b"\n".join(pieces) + (b"\n" if ended and pieces else b""))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transcripts, "_CHUNK_BYTES", chunk)
        first = TranscriptReader(path, max_line=200)
        seen = []
        for line in first:
            seen.append(line)
            if len(seen) == leave:
                break
        second = TranscriptReader(path, first.cursor, max_line=200)
        seen += second
        third = TranscriptReader(path, second.cursor, max_line=200)
        assert list(third) == []
    assert numbers(seen) == plainly(path.read_bytes(), 200)
    assert not second.restarted
    assert not third.restarted


@settings(max_examples=100)
@given(st.lists(PIECES, min_size=1, max_size=8), st.data())
def test_what_is_appended_later_is_read_once_and_in_its_line(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "grown.jsonl"
    whole = b"\n".join(pieces) + b"\n"
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    first = TranscriptReader(path, max_line=200)
    seen = list(first)
    with path.open("ab") as stream:
        stream.write(whole[cut:])
    seen += TranscriptReader(path, first.cursor, max_line=200)
    assert numbers(seen) == plainly(whole, 200)


def test_each_kind_of_unreadable_line_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(
        b'{"a":1}\n{"b"\n[1]\n3\n' + b"x" * 300 + b"\n" + b"[" * 100_000 + b'\n{"c":3}\n{"torn":'
    )
    reader = TranscriptReader(path, max_line=200_000)
    assert [line.value for line in reader] == [{"a": 1}, {"c": 3}]
    skipped = reader.skipped
    assert (skipped.not_json, skipped.not_object, skipped.too_long, skipped.torn) == (3, 2, 0, 1)
    assert skipped.total == 6
    reader = TranscriptReader(path, max_line=250)
    assert [line.number for line in reader] == [1, 7]
    assert (reader.skipped.too_long, reader.skipped.not_json) == (2, 1)


def test_a_line_of_many_megabytes_costs_no_more_than_the_cap(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with path.open("wb") as stream:
        stream.truncate(64 << 20)  # one line of NULs, sparse on the disk
        stream.seek(0, os.SEEK_END)
        stream.write(b'\n{"a":1}\n')
    biggest = 0

    def wanted(data: bytes) -> bool:
        nonlocal biggest
        biggest = max(biggest, len(data))
        return True

    reader = TranscriptReader(path, wanted=wanted)
    assert [(line.number, line.offset, line.value) for line in reader] == [(2, (64 << 20) + 1, {"a": 1})]
    assert reader.skipped.too_long == 1
    assert biggest < 100


def test_a_torn_last_line_is_read_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":')
    first = TranscriptReader(path)
    assert [line.value for line in first] == [{"a": 1}]
    assert (first.cursor.offset, first.cursor.number, first.skipped.torn) == (8, 1, 1)
    path.write_bytes(b'{"a":1}\n{"b":2}\n')
    second = TranscriptReader(path, first.cursor)
    assert numbers(list(second)) == [(2, 8, {"b": 2})]


def test_a_file_that_took_the_place_of_another_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":2}\n')
    before = TranscriptReader(path)
    assert len(list(before)) == 2
    (tmp_path / "new").write_bytes(b'{"a":1}\n{"a":2}\n{"a":3}\n')
    (tmp_path / "new").replace(path)
    reader = TranscriptReader(path, before.cursor)
    assert [line.value["a"] for line in reader] == [1, 2, 3]
    assert reader.restarted


@pytest.mark.parametrize("text", [b'{"x":9}\n{"a":2}\n{"a":3}\n', b'{"a":1}\n'])
def test_a_file_written_anew_or_cut_short_is_read_from_its_start(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":2}\n')
    before = TranscriptReader(path)
    assert len(list(before)) == 2
    with path.open("r+b") as stream:
        stream.truncate()
        stream.write(text)
    reader = TranscriptReader(path, before.cursor)
    assert len(list(reader)) == text.count(b"\n")
    assert reader.restarted


def test_a_forged_cursor_reads_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n')
    reader = TranscriptReader(path, Cursor(8, 1, path.stat().st_ino, "", 0))
    assert [line.number for line in reader] == [1]


def test_only_a_regular_file_is_read_and_no_link_is_followed(tmp_path: Path) -> None:
    real = tmp_path / "real.jsonl"
    real.write_bytes(b'{"a":1}\n')
    (tmp_path / "link.jsonl").symlink_to(real)
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    for name in ("link.jsonl", "pipe.jsonl", "folder.jsonl"):
        with pytest.raises(Unreadable) as caught:
            list(TranscriptReader(tmp_path / name))
        assert caught.value.code == "not-regular"
    with pytest.raises(FileNotFoundError):
        list(TranscriptReader(tmp_path / "none.jsonl"))


def test_what_is_not_wanted_is_not_parsed_and_moves_the_cursor_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\nno json\n{"b":2}\n')
    read: list[int] = []
    reader = TranscriptReader(path, wanted=lambda data: b"b" in data, progress=read.append)
    assert [line.value for line in reader] == [{"b": 2}]
    assert reader.skipped.total == 0
    assert (reader.cursor.offset, reader.cursor.number) == (24, 3)
    assert sum(read) == 24


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(json.dumps({"a": 1}).encode() + b"\n")
    path.chmod(0o400)
    before = path.stat()
    assert len(list(TranscriptReader(path))) == 1
    after = path.stat()
    assert (before.st_mtime_ns, before.st_ctime_ns) == (after.st_mtime_ns, after.st_ctime_ns)
