"""Drafts outlive a crash (design §3 "Edit / new"; reliability §1), and merges lose no line of either side."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.disk.files import Folder
from memtui.memory.document.draft import Draft
from memtui.memory.live.drafts import DRAFTS_FOLDER, Base, Drafts
from memtui.memory.managing.merging import merge_drafts, merge_texts

NOW = 1_800_000_000.0
DRAFT = Draft("role", "Role", "who", "user", "Text \udcff \x1b[31m\r\n二\n")
BASE = Base("d" * 64, Draft("role", "Role", "who", "user", "Text\n"))


def drafts(root: Path, at: float = NOW) -> Drafts:
    return Drafts(Folder(root), lambda: at)


def test_a_draft_comes_back_to_the_character_and_goes_when_dropped(tmp_path: Path) -> None:
    kept = drafts(tmp_path)
    kept.put("k1", DRAFT, BASE, serial=1)
    [found] = drafts(tmp_path).all()
    assert (found.draft, found.base, found.at, found.key) == (DRAFT, BASE, NOW, "k1")
    assert (tmp_path / ".memtui" / ".gitignore").read_text() == "*\n"
    kept.drop("k1")
    assert drafts(tmp_path).all() == ()
    kept.put("k1", DRAFT, BASE, serial=9)  # what a slow thread brings late does not come back
    assert drafts(tmp_path).all() == ()


def test_looking_for_drafts_leaves_no_trace(tmp_path: Path) -> None:
    assert drafts(tmp_path).all() == ()
    assert list(tmp_path.iterdir()) == []


def test_an_older_state_never_replaces_a_newer_one(tmp_path: Path) -> None:
    kept = drafts(tmp_path)
    kept.put("k", DRAFT, None, serial=2)
    kept.put("k", Draft("role", "", "", "", "old"), None, serial=1)
    assert kept.all()[0].draft == DRAFT


def test_two_windows_on_one_memory_keep_both_texts_and_the_newest_is_first(tmp_path: Path) -> None:
    drafts(tmp_path, NOW).put("one", DRAFT, BASE, serial=1)
    drafts(tmp_path, NOW + 5).put("two", Draft("role", "x", "", "", "y"), BASE, serial=1)
    assert [found.key for found in drafts(tmp_path).of("role")] == ["two", "one"]


def test_a_draft_of_a_renamed_memory_is_found_among_the_new_ones(tmp_path: Path) -> None:
    kept = drafts(tmp_path)
    kept.put("edit", DRAFT, BASE, serial=1)
    kept.put("new", DRAFT, None, serial=1)
    assert [found.key for found in kept.of_none(["role"])] == ["new"]
    assert {found.key for found in kept.of_none(["duties"])} == {"edit", "new"}


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b'{"at": 1}', b"\xff", b'{"at":"x","base":null,"draft":{}}', b"[" * 9000],
)
def test_a_file_that_is_no_draft_is_left_out_and_left_alone(tmp_path: Path, data: bytes) -> None:
    drafts(tmp_path).put("good", DRAFT, None, serial=1)
    bad = tmp_path / DRAFTS_FOLDER / "bad.json"
    bad.write_bytes(data)
    assert [found.key for found in drafts(tmp_path).all()] == ["good"]
    assert bad.read_bytes() == data


def test_a_draft_survives_kill_9(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from memtui.memory.live.drafts import Drafts\n"
        "from memtui.memory.disk.files import Folder\n"
        "from memtui.memory.live.report import Draft\n"
        "kept = Drafts(Folder(Path(sys.argv[1])), lambda: 1.0)\n"
        "for n in range(1, 40):\n"
        "    kept.put('k', Draft('s', 'n', 'd', 'user', 'x' * n), None, serial=n)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert ended.returncode == -9
    assert drafts(tmp_path).all()[0].draft.content == "x" * 39


# --- merging ---


def test_changes_at_different_places_come_together() -> None:
    base = "one\ntwo\nthree\nfour\n"
    merged = merge_texts(base, base.replace("one", "ONE"), base.replace("four", "FOUR") + "five\n")
    assert merged.text == "ONE\ntwo\nthree\nFOUR\nfive\n"
    assert merged.both == ()


def test_where_both_changed_one_line_both_wordings_stay_and_the_place_is_named() -> None:
    merged = merge_texts("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n")
    assert merged.text == "a\nmine\ntheirs\nc\n"
    assert [merged.text[slice(*span)] for span in merged.both] == ["mine\ntheirs\n"]


def test_a_line_taken_out_by_one_side_goes_and_one_changed_by_the_other_stays() -> None:
    assert merge_texts("a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n").text == "a\nc\nd\n"
    kept = merge_texts("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")
    assert kept.text == "a\nB\nc\n"
    assert kept.both


def test_without_a_base_every_difference_is_kept() -> None:
    merged = merge_texts(None, "a\nmine\nc\n", "a\ntheirs\nc\n")
    assert merged.text == "a\nmine\ntheirs\nc\n"


def test_fields_of_one_line_follow_whoever_changed_them() -> None:
    base = Draft("s", "Name", "what", "user", "x\n")
    mine = Draft("s", "Mine", "what", "user", "x\n")
    theirs = Draft("s", "Theirs", "else", "project", "x\n")
    merged = merge_drafts(base, mine, theirs)
    assert (merged.draft.name, merged.draft.description, merged.draft.type_text) == (
        "Mine",
        "else",
        "project",
    )
    assert merged.fields == ("name",)
    assert not merged.clean
    assert merge_drafts(base, mine, base).clean


LINES = st.lists(st.sampled_from(["a", "b", "c", "d", "", "e"]), max_size=8)


@given(LINES, LINES, LINES)
def test_no_line_that_a_side_added_is_lost(base: list[str], mine: list[str], theirs: list[str]) -> None:
    old, ours, others = ("".join(f"{line}\n" for line in lines) for lines in (base, mine, theirs))
    merged = merge_texts(old, ours, others)
    lines = set(merged.text.splitlines())
    assert set(mine) - set(base) <= lines
    assert set(theirs) - set(base) <= lines
    assert merge_texts(old, ours, old).text == ours
    assert merge_texts(old, old, others).text == others
    for start, end in merged.both:
        assert 0 <= start < end <= len(merged.text)


@given(st.text(), st.text())
def test_equal_or_unchanged_sides_merge_to_the_other(mine: str, base: str) -> None:
    assert merge_texts(base, mine, mine).text == mine
    assert merge_texts(base, mine, base).text == mine
