"""Presentation is pure: rows, titles, gauges, notices; every text from a file comes out harmless (reliability §3)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.memory.checks.findings import Finding
from memtui.memory.errors import Refused
from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry, MemoryType, Problem, Severity
from memtui.preferences import COLUMNS, Preferences
from memtui.tui import notices
from memtui.tui.facts import Facts
from memtui.tui.filtering import SORTS, Sort, View
from memtui.tui.present import checks as present_checks
from memtui.tui.present import history as present_history
from memtui.tui.present import memories as present_memories
from memtui.tui.present import parts
from memtui.tui.present.lines import Line, plain, width
from memtui.tui.wording.history import EN

from .making import HOSTILE, NOW, make


def text(*lines: Line) -> str:
    return "\n".join(plain(line) for line in lines)


def test_design_3_row_has_tier_as_a_word_score_type_name_and_marks() -> None:
    entry = make("tests", name="Integration tests hit a real database", kind=MemoryType.FEEDBACK, days=0.5)
    facts = Facts(Severity.WARNING, 2, frozenset({"duplicate", "marked"}))
    line = present_memories.row(entry, 44, now=NOW, facts=facts, cursor=True)
    assert plain(line) == "▸●HOT  .99 fb Integration tests hit… ≈ ! ✗2 "
    assert ("HOT  ", "hot") in line


@pytest.mark.parametrize(
    ("days", "word"), [(0, "HOT "), (7.9, "HOT "), (8, "WARM"), (30.9, "WARM"), (31, "COOL")]
)
def test_spec_7_tier_is_a_word(days: float, word: str) -> None:
    assert plain(present_memories.row(make("a", days=days), 40, now=NOW))[2:6] == word


def test_an_old_version_says_so_and_has_the_fixed_score() -> None:
    assert plain(present_memories.row(make("a_v1", days=1, old=True), 40, now=NOW)).startswith(
        "  OLD  .01 us a_v1"
    )


def test_an_unknown_type_is_shown_as_such() -> None:
    assert " ?? a" in plain(present_memories.row(make("a", kind=None), 40, now=NOW))


def test_a_wide_row_shows_the_description() -> None:
    entry = make("a", name="Name", description="What it is about")
    assert "What it is about" in plain(present_memories.row(entry, 90, now=NOW))
    assert "What it is about" not in plain(present_memories.row(entry, 60, now=NOW))


def test_the_list_shows_the_figure_it_is_ordered_by() -> None:
    entry = make("a", days=12, size=14_200)
    by_id = {sort.id: sort for sort in SORTS}
    assert "12d" in plain(present_memories.row(entry, 60, now=NOW, sort=by_id["age"]))
    assert "14k" in plain(present_memories.row(entry, 60, now=NOW, sort=by_id["size"]))
    assert "12d" not in plain(present_memories.row(entry, 60, now=NOW))


@pytest.mark.parametrize("cells", [24, 40, 60, 90, 140])
@pytest.mark.parametrize("sort", SORTS, ids=lambda sort: sort.id)
def test_titles_stand_over_their_columns_and_name_an_order_each(cells: int, sort: Sort) -> None:
    liked = Preferences(columns=COLUMNS)
    line = present_memories.header(cells, sort, reverse=False, liked=liked)
    assert width(line) <= cells
    assert {role.partition("=")[2] for _, role in line} - {""} <= {one.id for one in SORTS}
    shown = plain(line)
    row = plain(present_memories.row(make("a", name="Xyz", days=3), cells, now=NOW, sort=sort, liked=liked))
    assert row.index("Xyz") == shown.index("name")
    assert "↓" in shown


@given(st.sets(st.sampled_from(COLUMNS)), st.integers(20, 130), st.booleans())
@example(columns=set(COLUMNS), cells=30, comfortable=False)  # wider than the row before the name begins
def test_any_choice_of_columns_fills_the_row(columns: set[str], cells: int, comfortable: bool) -> None:
    liked = Preferences(columns=tuple(columns), density="comfortable" if comfortable else "compact")
    entry = make("a", name="用户角色 and more", description=HOSTILE, days=3)
    shown = present_memories.row(entry, cells, now=NOW, liked=liked)
    assert width(shown) == cells
    assert "用户" in plain(shown)
    below = present_memories.second_line(entry, cells, liked=liked)
    assert width(below) == cells
    assert visible(plain(below)) == plain(below)


NAMES = st.text(alphabet=st.sampled_from("ab 我们🎉\u0301\x1b\u202e[]"), max_size=50)


@given(NAMES, NAMES, st.integers(20, 130), st.booleans())
def test_a_row_takes_exactly_its_cells(name: str, description: str, cells: int, marked: bool) -> None:
    facts = Facts(Severity.ERROR, 3, frozenset({"duplicate"} | ({"marked"} if marked else set())))
    entry = make("a", name=name, description=description, scope="team")
    line = present_memories.row(entry, cells, now=NOW, facts=facts)
    assert width(line) == cells
    assert visible(plain(line)) == plain(line)


@pytest.mark.parametrize(
    ("value", "shown"), [(1.0, "1.0"), (0.996, "1.0"), (0.98, ".98"), (0.01, ".01"), (0.0, ".00")]
)
def test_score_in_three_cells(value: float, shown: str) -> None:
    assert parts.score(value) == shown


def test_detail_shows_the_score_with_its_formula() -> None:
    shown = text(*parts.detail_facts(make("a", days=3, description="About it"), now=NOW, lang="en"))
    assert shown.splitlines()[0] == "3 days ago · score 0.93 = decay 0.93 × Hot 1.0"
    assert "About it" in shown


def test_detail_of_an_old_version_links_to_its_successor() -> None:
    lines = parts.detail_facts(make("a_v1", old=True, superseded_by="a"), now=NOW, lang="zh")
    assert text(lines[0]) == "今天 · 旧版本，分值固定为 0.01 · 现为 a"
    assert lines[0][-1] == ("a", "link=a")


def test_what_was_odd_while_reading_is_named_with_its_line() -> None:
    problem = Problem("unclosed-header", "the header is not closed", 1, Severity.ERROR)
    assert text(parts.problem_line(problem)) == "! line 1: the header is not closed"


def test_titles() -> None:
    assert present_memories.list_title(View(), 42, 42, 3) == ("Memories · by score", "42")
    assert present_memories.list_title(View("x", 2, reverse=True), 3, 42, 0) == (
        "Memories · by name, reversed",
        "3 of 42",
    )
    assert present_memories.list_title(View(history=True), 45, 42, 3) == (
        "Memories · by score · with 3 old",
        "45",
    )
    assert parts.detail_title(make("a", name="N", kind=None, scope="team"), 3) == (
        "N",
        "unknown type · team · 3 versions",
    )
    assert parts.reminder_title("x" * 1312, 328, 5, 42) == (
        "Reminder · 5 of 42",
        "1,312 chars ≈ 328 tokens",
    )
    assert parts.reminder_title("", 0, 0, 0) == ("Reminder", "nothing is injected")


def test_gauges_say_in_figures_what_the_bars_show() -> None:
    line = parts.index_gauges(100, 200, 12_500, 25_000, 44)
    assert text(line) == " index 100/200 ▓▓▓▓░░░░  12.5/25k ▓▓▓▓░░░░"
    assert text(parts.index_gauges(250, 200, 12_500, 25_000, 28)) == " index 250/200 · 12.5/25k"
    assert "bad" in [role for _, role in parts.index_gauges(250, 200, 10, 25_000, 44)]
    assert "missing" in text(parts.index_gauges(0, 200, 0, 25_000, 44, exists=False))


def test_home_is_a_tilde() -> None:
    home = Path("/home/ada")
    assert parts.short_path(Path("/home/ada/x/memory"), home) == "~/x/memory"
    assert parts.short_path(Path("/srv/memory"), home) == "/srv/memory"
    assert parts.short_path(home, home) == "~"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/home/ada/astro-lab/memory", "astro-lab"),
        ("/home/ada/.claude/projects/-home-ada-astro-lab/memory", "astro-lab"),
        ("/srv/notes", "notes"),
    ],
)
def test_a_directory_is_called_after_its_project(path: str, title: str) -> None:
    assert parts.directory_title(Path(path)) == title


def test_an_error_says_what_where_and_what_to_do() -> None:
    title, shown = notices.error_text(
        Refused("it cannot be done\x1b", where="a\x9b.md", todo="Close the editor"), "en"
    )
    assert title == "it cannot be done␛"
    assert shown == "a␦.md\nClose the editor"


def test_forgetting_names_what_happens() -> None:
    target = make("freeze", name="Release freeze")
    other = make("plan", content="see [[Release freeze]]")
    question, lines = notices.forget_question([target], [target, other])
    assert question == "Forget “Release freeze”?"
    assert lines == [
        "freeze.md goes to .memtui/trash",
        "its line leaves MEMORY.md",
        "links in plan stay and will point to nothing",
        "old versions stay; z brings it all back",
    ]
    question, lines = notices.forget_question([target, other], [target, other])
    assert question == "Forget 2 memories?"
    assert lines[0] == "freeze, plan go to .memtui/trash"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"missing": True}, "does not exist"),
        ({"loading": True}, "Reading"),
        ({}, "No memories here yet"),
        ({"total": 3, "filtering": True}, "esc clears it"),
        ({"total": 3, "filtering": True}, "No memory matches"),
        ({"total": 3, "filtering": True, "checking": True}, "Still checking"),
        ({"total": 3}, "Only old versions"),
    ],
)
def test_an_empty_list_says_why_and_what_to_do(state: dict[str, object], words: str) -> None:
    given_state: dict[str, object] = {
        "missing": False,
        "loading": False,
        "total": 0,
        "filtering": False,
        **state,
    }
    assert words in "\n".join(notices.empty_state(directory="~/x", **given_state))  # type: ignore[arg-type]


def hostile() -> MemoryEntry:
    return make(
        f"sl\x1bug{HOSTILE}",
        name=HOSTILE,
        description=HOSTILE,
        content=HOSTILE,
        problems=(Problem("odd", HOSTILE, 3, Severity.ERROR),),
    )


def test_hostile_texts_come_out_visible_everywhere() -> None:
    entry = hostile()
    other = make("other", content=f"[[{entry.name}]]")
    shown = [
        plain(present_memories.row(entry, 200, now=NOW)),
        *parts.detail_title(entry, 2),
        text(*parts.detail_facts(entry, now=NOW, lang="en")),
        *parts.source_lines(HOSTILE + "\ttab\r\n"),
        text(parts.reminder_line(HOSTILE)),
        text(parts.header_left([HOSTILE, HOSTILE])),
        notices.forget_question([entry], [entry, other])[0],
        *notices.forget_question([entry], [entry, other])[1],
        *notices.error_text(Refused(HOSTILE, where=HOSTILE, todo=HOSTILE), "en"),
        *notices.empty_state(directory=HOSTILE, missing=True, loading=False, total=0, filtering=False),
        *notices.empty_state(
            directory="", missing=False, loading=False, total=1, filtering=True, problems=[HOSTILE]
        ),
    ]
    for line in "\n".join(shown).split("\n"):
        assert visible(line) == line
        assert "\x1b" not in line


def test_a_newline_in_a_file_name_shows_the_same_everywhere() -> None:
    odd = make("a\nb", name="Name")
    shown = "a␊b"
    finding = Finding("orphan", Severity.WARNING, odd.slug, odd.rel, None, None, "", "", None)
    assert present_checks.place_text(finding) == f"{shown}.md"
    question, lines = notices.forget_question([odd], [odd])
    assert lines[0].startswith(f"{shown}.md ")
    assert shown in present_history.title(odd.slug, (), EN)[0]
    row = present_memories.second_line(odd, 40)
    assert f"{shown}.md" in plain(row)
    assert "Name" in question


def test_a_notice_shortens_the_home_folder_and_breaks_a_long_path_where_its_parts_end() -> None:
    home = Path("/home/ada")
    text = notices.notice_text("no such file\n/home/ada/src/blog/content/posts/a.md is gone", home, 20)
    assert text == "no such file\n~/src/blog/content/\nposts/a.md is gone"
    assert (
        notices.notice_text("/home/adam/x and /srv/home/ada/x", home, 40)
        == "/home/adam/x and /srv/home/ada/x"
    )
    assert notices.notice_text("either/or", None, 40) == "either/or"
