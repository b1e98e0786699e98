"""What a reader gets of ``MEMORY.md``, and how it is made to fit (spec §6 limits, rotation, ``truncate_entrypoint``)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.conventions import CLAUDE, LIBRARY, MAX_ENTRYPOINT_BYTES, MAX_ENTRYPOINT_LINES, SizeUnit
from memtui.memory.index.blocks import comment_blocks, without_frontmatter
from memtui.memory.index.editing import with_entry
from memtui.memory.index.entrypoint import kilobytes, load_entrypoint, measure, report, truncate_entrypoint
from memtui.memory.index.lines import parse_index
from memtui.memory.index.rotation import is_notice, rotate

UNITS: tuple[SizeUnit, ...] = ("bytes", "utf16")


def lines_of(count: int, width: int, fill: str = "x", unit: SizeUnit = "utf16") -> str:
    """So many entry lines, each of exactly ``width`` units (or one less where ``fill`` is two wide)."""
    made = []
    for number in range(count):
        head = f"- [T{number}](t{number}.md) - "
        room = (width - measure(head, unit)) // measure(fill, unit)
        made.append(head + fill * room)
    return "\n".join(made) + "\n"


def ages(count: int) -> dict[str, float]:
    return {f"t{number}.md": float(number) for number in range(count)}


def test_spec_6_constants() -> None:
    assert (MAX_ENTRYPOINT_LINES, MAX_ENTRYPOINT_BYTES) == (200, 25_000)


# -- the figures that the specification gives ---------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
def test_spec_6_201_short_lines_load_200(unit: SizeUnit) -> None:
    loaded = load_entrypoint(lines_of(201, 30), unit)
    assert (loaded.lines_total, loaded.lines_loaded, loaded.bound) == (201, 200, "lines")
    assert loaded.lost == ("t200.md",)


@pytest.mark.parametrize("unit", UNITS)
def test_spec_6_the_cut_is_told_as_a_line_of_the_file(unit: SizeUnit) -> None:
    assert load_entrypoint(lines_of(200, 30), unit).cut_line is None
    assert load_entrypoint(lines_of(201, 30), unit).cut_line == 201
    before = "---\na: b\n---\n<!-- one\ntwo -->\n\n" if unit == "utf16" else ""
    text = before + lines_of(201, 30)
    cut = load_entrypoint(text, unit).cut_line
    assert cut is not None
    assert "t200.md" in text.split("\n")[cut - 1], (
        "what is stripped before counts in the file, not for the reader"
    )
    assert load_entrypoint("x" * 30_000, unit).cut_line == 1


def test_spec_6_146_lines_of_356_load_70() -> None:
    loaded = load_entrypoint(lines_of(146, 356), "utf16")
    assert (loaded.lines_loaded, loaded.bound) == (70, "size")
    assert loaded.lost == tuple(f"t{n}.md" for n in range(70, 146))


@pytest.mark.parametrize(("fill", "loads"), [("x", 198), ("字", 198)])
def test_spec_6_200_lines_of_125_units(fill: str, loads: int) -> None:
    assert load_entrypoint(lines_of(200, 125, fill), "utf16").lines_loaded == loads


def test_spec_6_200_lines_of_125_characters_in_emoji() -> None:
    text = "".join(f"- [T](t{n:03}.md) ".ljust(33, "-") + "😀" * 92 + "\n" for n in range(200))
    assert {len(line) for line in text.splitlines()} == {125}
    assert load_entrypoint(text, "utf16").lines_loaded == 25_000 // (33 + 184 + 1)


def test_spec_6_library_counts_bytes() -> None:
    text = lines_of(199, 100, "字")
    assert load_entrypoint(text, "utf16").bound is None
    assert load_entrypoint(text, "bytes").bound == "size"


# -- edges --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
def test_spec_6_what_fits_is_given_whole(unit: SizeUnit) -> None:
    text = "# T\n\n- [A](a.md) — d"
    assert truncate_entrypoint(text, unit) == text
    assert load_entrypoint(text, unit).warning is None
    assert truncate_entrypoint("", unit) == ""


@pytest.mark.parametrize("unit", UNITS)
def test_spec_6_exactly_the_limit_fits(unit: SizeUnit) -> None:
    fits = "- [A](a.md)\n" + "x" * (25_000 - 12)
    assert load_entrypoint(fits, unit).bound is None
    assert load_entrypoint(fits + "\n", unit).bound is None, "the last line end is not counted"
    over = load_entrypoint(fits + "x", unit)
    assert (over.bound, over.lines_loaded) == ("size", 1)
    kept = load_entrypoint(fits + "\n- [B](b.md)", unit)
    assert (kept.lines_loaded, kept.lost) == (2, ("b.md",))


@pytest.mark.parametrize("unit", UNITS)
def test_spec_6_a_single_line_over_the_limit_is_cut_at_it(unit: SizeUnit) -> None:
    loaded = load_entrypoint("- [A](a.md) " + "x" * 30_000 + " [B](b.md)\n- [C](c.md)\n", unit)
    head = loaded.text.split("\n\n> ")[0]
    assert measure(head, unit) == 25_000
    assert loaded.lines_loaded == 1
    assert loaded.lost == ("b.md", "c.md")


def test_spec_6_no_character_is_cut_in_two() -> None:
    for text, unit in (
        ("x" + "字" * 9_000, "bytes"),
        ("x" + "😀" * 13_000, "utf16"),
        ("😀" * 7_000, "bytes"),
    ):
        chosen: SizeUnit = "bytes" if unit == "bytes" else "utf16"
        head = load_entrypoint(text, chosen).text.split("\n\n> ")[0]
        assert text.startswith(head)
        assert 25_000 - 4 < measure(head, chosen) <= 25_000


def test_spec_6_the_warning_says_which_limit_bound_and_what_is_lost() -> None:
    by_lines = load_entrypoint(lines_of(250, 30)).warning or ""
    assert "250 lines (limit: 200)" in by_lines
    assert "50 of 250 lines were cut off, starting at line 201" in by_lines
    by_size = load_entrypoint(lines_of(100, 400)).warning or ""
    assert "39.2KB (limit: 24.4KB)" in by_size
    both = load_entrypoint(lines_of(250, 400)).warning or ""
    assert "250 lines and 97.9KB" in both
    chinese = load_entrypoint(lines_of(250, 30), lang="zh").warning or ""
    assert "共 250 行（上限 200 行）" in chinese
    assert "从第 201 行开始" in chinese


def test_spec_6_claude_is_measured_after_frontmatter_and_comments() -> None:
    text = "---\nname: x\n---\n\n<!-- " + "y" * 30_000 + " -->\n\n- [A](a.md) — d\r\n\r\n"
    assert load_entrypoint(text, "utf16").text == "- [A](a.md) — d"
    assert load_entrypoint(text, "bytes").bound == "size"


def test_spec_6_crlf_is_read_as_lf_by_the_client_only() -> None:
    assert truncate_entrypoint("a\r\nb\r\n", "utf16") == "a\nb"
    assert truncate_entrypoint("a\r\nb\r\n", "bytes") == "a\r\nb\r\n"


def test_an_entry_named_before_the_cut_too_is_not_lost() -> None:
    text = "- [T200](t200.md)\n" + lines_of(201, 30)
    assert load_entrypoint(text, "utf16").lost == ("t199.md",)


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (25_000, "24.4KB"),
        (25_600, "25KB"),
        (1_048_524, "1023.9KB"),
        (1_048_575, "1024KB"),
        (1_048_576, "1MB"),
        (1_572_864, "1.5MB"),
        (0, "0KB"),
    ],
)
def test_sizes_are_printed_as_the_client_prints_them(size: int, shown: str) -> None:
    assert kilobytes(size) == shown


@given(
    st.text(alphabet=st.sampled_from("a字😀 \n\r<!->"), max_size=60), st.integers(0, 260), st.integers(0, 200)
)
def test_spec_6_what_loads_is_within_both_limits(text: str, count: int, width: int) -> None:
    whole = text + "\n" + lines_of(count, 30 + width)
    for unit in UNITS:
        loaded = load_entrypoint(whole, unit)
        body = loaded.text.removesuffix(f"\n\n{loaded.warning}") if loaded.warning else loaded.text
        assert measure(body.rstrip("\r\n"), unit) <= 25_000
        assert loaded.lines_loaded <= min(200, loaded.lines_total)
        assert (
            (loaded.bound is None) == (loaded.warning is None) == (loaded.lines_loaded == loaded.lines_total)
        )


@given(st.lists(st.integers(0, 260), max_size=260), st.integers(30, 200))
def test_spec_6_exactly_what_is_not_named_in_the_loaded_text_is_lost(numbers: list[int], width: int) -> None:
    text = "".join(f"- [T](t{number}.md) - ".ljust(width, "x") + "\n" for number in numbers)
    for unit in UNITS:
        loaded = load_entrypoint(text, unit)
        body = loaded.text.removesuffix(f"\n\n{loaded.warning}") if loaded.warning else loaded.text
        heard = {entry.rel for entry in parse_index(body).entries}
        assert set(loaded.lost) == {f"t{number}.md" for number in numbers} - heard


# -- blocks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("<!-- a -->\nx", [(0, 1, "")]),
        ("x\n\n<!-- a\n\nb -->\n\n\ny", [(2, 7, "")]),
        ("<!-- a --> tail\n\nx", [(0, 1, " tail")]),
        ("x\n   <!-- text -->", []),
        ("    <!-- code -->", []),
        ("```\n<!-- code -->\n```", []),
        ("- item\n  <!-- of the item -->\n<!-- own -->", [(2, 3, "")]),
        ("> quote <!-- a -->", []),
        ("<div>\n<!-- a -->\n</div>", []),
        ("<!-- open\n\nx", [(0, 3, "<!-- open\n\nx")]),
        ("<!-->\nx -->", [(0, 1, "<!-->")]),
        ("[label]: x\n\n<!-- a -->", [(0, 2, ""), (2, 3, "")]),
    ],
)
def test_spec_6_comments_are_blocks_by_the_rules_of_markdown(
    text: str, blocks: list[tuple[int, int, str]]
) -> None:
    found = [(b.first, b.after, b.rest) for b in comment_blocks(text.split("\n"))]
    assert found == blocks


def test_spec_6_frontmatter_of_an_index() -> None:
    assert without_frontmatter(["---", "name: x", "---", "y"]) == (3, ["y"])
    assert without_frontmatter(["\ufeff--- ", "---\t", ""]) == (2, [""])
    assert without_frontmatter(["---", "open"]) == (0, ["---", "open"])
    assert without_frontmatter(["x", "---", "---"]) == (0, ["x", "---", "---"])
    assert without_frontmatter([]) == (0, [])


def test_spec_6_an_index_that_begins_with_a_rule_loses_what_the_client_takes_for_frontmatter() -> None:
    text = "---\n- [A](a.md)\n| x | y |\n|---|---|\n- [B](b.md)\n"
    assert truncate_entrypoint(text, "utf16") == "|---|\n- [B](b.md)"


# -- rotation -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(("count", "width"), [(201, 40), (260, 40), (150, 300), (300, 300)])
def test_spec_6_the_oldest_rotate_out_until_it_fits(unit: SizeUnit, count: int, width: int) -> None:
    text = "# Index\n\nprose stays\n" + lines_of(count, width) + "| [T0](t0.md) | table |\n"
    made = rotate(text, ages(count), unit)
    assert load_entrypoint(made.text, unit).bound is None
    gone = len(made.dropped)
    assert made.dropped == tuple(f"t{n}.md" for n in range(gone))
    kept = [line for line in made.text.splitlines() if not is_notice(line)]
    assert kept == [
        line for line in text.splitlines() if not any(f"({rel}) -" in line for rel in made.dropped)
    ]
    notices = [line for line in made.text.splitlines() if is_notice(line)]
    assert notices == [f"> Older memories not listed here: {gone - 1}. Their files are in this folder."]
    one_less = rotate(text, {**ages(count), f"t{gone - 1}.md": 1e9}, unit)
    assert f"t{gone - 1}.md" not in one_less.dropped, "no more leave than have to"


def test_spec_6_the_one_just_saved_stays() -> None:
    text = lines_of(200, 40)
    saved = with_entry(text, "new.md", "New", "just now", "user", LIBRARY)
    made = rotate(saved, {**ages(200), "new.md": 1e9})
    assert "new.md" in made.text
    assert made.dropped == ("t0.md", "t1.md"), "the notice takes a line, too"


def test_spec_6_one_notice_kept_up_to_date() -> None:
    first = rotate(lines_of(205, 40), ages(205))
    later = with_entry(first.text, "n.md", "N", "n", "user", LIBRARY)
    later = with_entry(later, "m.md", "M", "m", "user", LIBRARY)
    second = rotate(later, {**ages(205), "n.md": 1e9, "m.md": 1e9})
    notices = [line for line in second.text.splitlines() if is_notice(line)]
    assert notices == ["> Older memories not listed here: 8. Their files are in this folder."]
    back = with_entry(second.text, "t0.md", "T0", "back", "user", LIBRARY)
    small = "\n".join(back.splitlines()[-20:]) + "\n"
    assert "not listed here: 188." in rotate(small, {**ages(205), "n.md": 1e9, "m.md": 1e9}).text
    named = [e.rel for e in parse_index(small).entries]
    gone = rotate(small, dict.fromkeys(named, 1.0))
    assert not any(is_notice(line) for line in gone.text.splitlines()), "all are listed again"


def test_spec_6_chinese_notice_is_known_in_english_too() -> None:
    made = rotate(lines_of(205, 40), ages(205), lang="zh")
    assert made.text.splitlines()[-1] == "> 另有 6 条较旧的记忆未在此列出，文件仍在本目录中。"
    again = rotate(made.text, ages(205), lang="en")
    assert [is_notice(line) for line in again.text.splitlines()].count(True) == 1


def test_spec_6_what_fits_is_left_alone() -> None:
    text = lines_of(100, 40)
    assert rotate(text, {}).text == text
    assert rotate("", {}).text == ""


def test_spec_6_only_entry_lines_leave() -> None:
    prose = "".join(f"line {n}\n" for n in range(300))
    assert rotate(prose, {}).text == prose, "nothing that could leave"
    mixed = prose + lines_of(5, 40)
    made = rotate(mixed, ages(5))
    assert made.text.startswith(prose)


def test_spec_6_lines_without_a_memory_leave_first_and_links_outside_never() -> None:
    text = lines_of(200, 40) + "- [Gone](gone.md)\n- [Out](../out.md)\n"
    made = rotate(text, ages(200))
    assert made.dropped[0] == "gone.md"
    assert "../out.md" in made.text


def test_spec_6_rotation_keeps_crlf_and_a_missing_last_line_end() -> None:
    text = lines_of(201, 40).replace("\n", "\r\n").removesuffix("\r\n")
    made = rotate(text, ages(201)).text
    assert made.count("\n") == made.count("\r\n")
    assert not made.endswith("\n")


# -- report -------------------------------------------------------------------------------------------------------------


def test_spec_6_report() -> None:
    missing = report(None, LIBRARY)
    assert (missing.exists, missing.lines, missing.size, missing.bound, missing.entries) == (
        False,
        0,
        0,
        None,
        0,
    )
    small = report("- [A](a.md)\n- [A again](a.md)\n", CLAUDE)
    assert (small.lines, small.size, small.entries, small.near, small.unit) == (2, 29, 1, False, "utf16")
    assert report(lines_of(160, 40), LIBRARY).near
    over = report(lines_of(201, 40), LIBRARY)
    assert (over.bound, over.near, over.not_loaded) == ("lines", False, ("t200.md",))
    assert over.fill > 1
