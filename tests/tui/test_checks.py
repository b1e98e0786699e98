"""The checks: worst first, each with its place, its reason and the change its fix would make (design §3, issue part 2 point 4)."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest
from textual.pilot import Pilot

from memtui.memory.checks.findings import RULES, Finding
from memtui.memory.text import visible
from memtui.memory.types import Severity
from memtui.memory.versions.diffrows import Row
from memtui.tui.present import checks as present_checks
from memtui.tui.present.checks import Heading, parse, rows
from memtui.tui.screens.checks import ChecksScreen
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.fix import FixScreen
from memtui.tui.screens.preview import PreviewScreen
from memtui.tui.widgets.checks_list import ChecksList
from memtui.tui.widgets.diff_view import DiffView
from memtui.tui.widgets.editor import Editor
from memtui.tui.wording import checks as wording

from .conftest import Write, app_of, cursor, notices, running, screen_text, until
from .making import HOSTILE, NOW, make


@pytest.fixture
def untidy(memory: Path, write: Write) -> Path:
    """Two memories that no line names, two lines that name none, a guess, a stale one."""
    write(
        "alpha", name="Alpha", description="first", content="The converter is maybe broken; ask before use."
    )
    write(
        "beta", name="Beta", description="second", content="Beta is measured in parsec, never in light years."
    )
    write(
        "old", name="Old", description="third", content="Nobody has looked at this for a long time.", days=400
    )
    (memory / "MEMORY.md").write_text(
        "# Memories\n\n- [Old](old.md) — third\n- [Gone](gone.md) — away\n- [Lost](lost.md) — away too\n",
        encoding="utf-8",
    )
    os.utime(memory / "MEMORY.md", (NOW, NOW))
    return memory


def checks(pilot: Pilot[None]) -> ChecksScreen:
    screen = next(s for s in pilot.app.screen_stack if isinstance(s, ChecksScreen))
    assert isinstance(screen, ChecksScreen)
    return screen


def listed(pilot: Pilot[None]) -> list[str]:
    """Rules as ``# rule``, findings as their path."""
    found = checks(pilot).query_one(ChecksList).rows
    return [f"# {row.rule}" if isinstance(row, Heading) else row.path for row in found]


def at(pilot: Pilot[None]) -> tuple[str, str] | None:
    finding = checks(pilot).query_one(ChecksList).cursor
    return (finding.rule, finding.path) if finding else None


async def planned(pilot: Pilot[None]) -> None:
    """Wait for the change to be worked out."""
    await until(
        pilot,
        lambda: not any(w.is_running for w in pilot.app.workers if w.group in {"plan", "ask", "change"}),
    )


def index_of(memory: Path) -> str:
    return (memory / "MEMORY.md").read_text(encoding="utf-8")


async def test_rules_stand_worst_first_with_their_counts(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c")
        await pilot.pause()
        assert listed(pilot) == [
            "# orphan", "alpha.md", "beta.md", "# dangling-line", "MEMORY.md", "MEMORY.md",
            "# stale", "old.md", "# vague-language", "alpha.md",
        ]  # fmt: skip
        text = screen_text(pilot)
        assert "! Not in the index  warning" in text
        assert "6 found" in text
        assert at(pilot) == ("orphan", "alpha.md")


async def test_a_finding_tells_what_where_why_and_what_its_fix_would_change(untidy: Path) -> None:
    async with running(untidy, size=(160, 48)) as pilot:
        await pilot.press("c", "j", "j")
        await planned(pilot)
        text = screen_text(pilot)
        assert "It names gone.md, which is not there" in text
        assert "warning · Lines that lead nowhere · dangling-line" in text
        assert "A reader is promised a file that is not there." in text
        assert "MEMORY.md:4" in text
        assert "x fixes it: Take the line out" in text
        assert "4 - - [Gone](gone.md) — away" in text
        assert "[Lost](lost.md)" in text
        await pilot.press("G")
        await planned(pilot)
        text = screen_text(pilot)
        assert "It guesses: maybe" in text
        assert "The converter is maybe broken; ask before use." in text
        assert "By hand" in text
        assert "e edits the memory, enter goes to it." in text


async def test_the_place_itself_stands_out(untidy: Path) -> None:
    async with running(untidy) as pilot:
        snapshot = app_of(pilot).snapshot
        assert snapshot is not None
        (guess,) = [f for f in snapshot.findings if f.rule == "vague-language"]
        entry = next(e for e in snapshot.entries if e.slug == "alpha")
        blocks = present_checks.detail_blocks(guess, entry, snapshot.index_text, None, "en", signs=False)
        assert [text for block in blocks for text, role in block.line if role == "found"] == ["maybe"]


async def test_a_fix_is_shown_and_written_only_when_agreed_to(untidy: Path) -> None:
    before = index_of(untidy)
    async with running(untidy) as pilot:
        await pilot.press("c", "x")
        await planned(pilot)
        assert isinstance(pilot.app.screen, FixScreen)
        assert "Add its line to the index?" in screen_text(pilot)
        assert "+ - [Alpha](alpha.md) — first" in screen_text(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ChecksScreen), "enter is not yes"
        assert index_of(untidy) == before
        assert not (untidy / ".memtui").exists(), "looking leaves no trace"
        await pilot.press("x")
        await planned(pilot)
        await pilot.press("y")
        await until(pilot, lambda: "alpha.md" not in listed(pilot)[:3])
        assert "](alpha.md)" in index_of(untidy)
        assert at(pilot) == ("orphan", "beta.md"), "the cursor stays near"
        assert any("Fixed" in note for note in notices(pilot))
        await pilot.press("z")
        await until(pilot, lambda: "alpha.md" in listed(pilot)[:3])
        assert index_of(untidy) == before


async def test_a_long_fix_keeps_its_buttons_in_sight_whatever_notices_come_and_go(untidy: Path) -> None:
    rows = [Row("added", f"line {number}", new=number) for number in range(60)]
    async with running(untidy, size=(80, 24)) as pilot:
        app = pilot.app
        app.notify("fixed before", timeout=600)
        await until(pilot, lambda: bool(app.screen.query("Toast")))
        app.push_screen(FixScreen("Write all this?", rows, "en"))
        await until(pilot, lambda: "line 3" in screen_text(pilot))
        await until(pilot, lambda: "Write it" in screen_text(pilot))
        assert "fixed before" in screen_text(pilot)
        app.notify("and another", timeout=600)
        await until(pilot, lambda: "and another" in screen_text(pilot))
        await until(pilot, lambda: "Write it" in screen_text(pilot))
        for number in range(9):
            app.notify(f"more {number}", timeout=600)
        await until(pilot, lambda: len(app.screen.query("Toast")) > 9)
        await until(pilot, lambda: "Write it" in screen_text(pilot))
        short = app.screen.query_one(DiffView).size.height
        app.clear_notifications()
        await until(pilot, lambda: app.screen.query_one(DiffView).size.height > short + 3)
        await until(pilot, lambda: "Write it" in screen_text(pilot))


async def test_all_of_a_rule_are_fixed_in_one_change(untidy: Path) -> None:
    before = index_of(untidy)
    async with running(untidy) as pilot:
        await pilot.press("c", "j", "j", "X")
        await planned(pilot)
        text = screen_text(pilot)
        assert "Take the line out: all 2?" in text
        assert "- - [Gone](gone.md)" in text
        assert "- - [Lost](lost.md)" in text
        await pilot.press("y")
        await until(pilot, lambda: "# dangling-line" not in listed(pilot))
        assert index_of(untidy) == before.replace(
            "- [Gone](gone.md) — away\n- [Lost](lost.md) — away too\n", ""
        )
        manager = app_of(pilot).manager
        assert manager is not None
        assert len(manager.activity()) == 1
        await pilot.press("z")
        await until(pilot, lambda: "# dangling-line" in listed(pilot))
        assert index_of(untidy) == before


async def test_what_was_shown_is_written_or_nothing(untidy: Path) -> None:
    """Somebody writes while the question stands: nothing is written, and it says so."""
    async with running(untidy) as pilot:
        await pilot.press("c", "x")
        await planned(pilot)
        changed = index_of(untidy) + "A line of somebody else.\n"
        (untidy / "MEMORY.md").write_text(changed, encoding="utf-8")
        await pilot.press("y")
        await until(pilot, lambda: any("changed since" in note for note in notices(pilot)))
        assert index_of(untidy) == changed
        await until(pilot, lambda: "Somebody" not in screen_text(pilot))
        assert at(pilot) == ("orphan", "alpha.md")


async def test_what_has_no_fix_says_so_and_leads_to_the_memory(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c", "G", "x")
        await pilot.pause()
        assert any("takes a person" in note for note in notices(pilot))
        await pilot.press("enter")
        await pilot.pause()
        assert not any(isinstance(screen, ChecksScreen) for screen in pilot.app.screen_stack)
        assert cursor(pilot) == "alpha"


async def test_from_a_finding_into_the_editor(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c", "j", "j", "e")
        await pilot.pause()
        assert any("about the index, not about a memory" in note for note in notices(pilot))
        await pilot.press("k", "e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        assert "Beta is measured in parsec" in screen_text(pilot)


async def test_the_editor_opens_where_the_finding_stands(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c", "G")
        await until(pilot, lambda: at(pilot) == ("vague-language", "alpha.md"))
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        editor = pilot.app.screen.query_one(Editor)
        await until(pilot, lambda: editor.selected_text == "maybe")
        assert editor.has_focus


def test_a_finding_of_a_line_stands_in_that_line_of_the_text() -> None:
    entry = make("a", content="one\ntwo\nthree\n")._replace(body_line=6)
    finding = Finding("stale", Severity.NOTE, "a", "a.md", 7, None, "", "", None)
    assert present_checks.place_in_content(finding, entry) == (4, 7)
    assert present_checks.place_in_content(replace(finding, line=2), entry) is None
    assert present_checks.place_in_content(replace(finding, line=99), entry) is None
    assert present_checks.place_in_content(replace(finding, line=None), entry) is None
    assert present_checks.place_in_content(replace(finding, span=(1, 2)), entry) == (1, 2)


async def test_a_finding_of_the_index_leads_to_what_loads(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c", "j", "j", "enter")
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, PreviewScreen)
        assert screen.preview.wish.mode == "index"


async def test_filter_by_rule_severity_fix_and_words(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c")
        for typed, expected in (
            ("severity:note", ["# stale", "old.md", "# vague-language", "alpha.md"]),
            ("rule:orph", ["# orphan", "alpha.md", "beta.md"]),
            ("-is:fixable alpha", ["# vague-language", "alpha.md"]),
            ("lost", ["# dangling-line", "MEMORY.md"]),
            ("rule:zebra", []),
        ):
            await pilot.press("slash", *typed)
            await pilot.pause()
            assert listed(pilot) == expected, typed
            if not expected:
                assert "No finding matches the filter." in screen_text(pilot)
                assert "rule: knows no “zebra”" in screen_text(pilot)
            await pilot.press("escape")
            await pilot.pause()
        await pilot.press("slash", *"alpha", "enter", "escape")
        await pilot.pause()
        assert len(listed(pilot)) == 10, "esc clears the filter first"
        assert isinstance(pilot.app.screen, ChecksScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(pilot.app.screen, ChecksScreen)


async def test_only_what_is_about_one_file(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("j")  # beta
        assert cursor(pilot) == "beta"
        await pilot.press("c", "t")
        await pilot.pause()
        assert listed(pilot) == ["# orphan", "beta.md"], "the memory one came from"
        assert "Checks · beta.md" in screen_text(pilot)
        await pilot.press("t", "g", "t")
        await pilot.pause()
        assert listed(pilot) == ["# orphan", "alpha.md", "# vague-language", "alpha.md"], (
            "that of the finding gone to"
        )
        await pilot.press("escape")
        await pilot.pause()
        assert len(listed(pilot)) == 10


async def test_a_memory_without_findings_is_told_so(untidy: Path, write: Write) -> None:
    write("fine", name="Fine", description="all well", content="The telescope is closed in July.", days=0)
    (untidy / "MEMORY.md").write_text(index_of(untidy) + "- [Fine](fine.md) — all well\n", encoding="utf-8")
    async with running(untidy) as pilot:
        while cursor(pilot) != "fine":
            await pilot.press("j")
        await pilot.press("c", "t")
        await pilot.pause()
        assert "Nothing was found about fine.md." in screen_text(pilot)


async def test_all_clear_says_what_was_checked(memory: Path, write: Write) -> None:
    write("fine", name="Fine", description="all well", content="The telescope is closed in July.")
    (memory / "MEMORY.md").write_text("- [Fine](fine.md) — all well (type: user)\n", encoding="utf-8")
    async with running(memory) as pilot:
        await pilot.press("c")
        await pilot.pause()
        text = screen_text(pilot)
        assert "All clear." in text
        assert (
            f"Memories checked: 1, by {len(RULES)} rules" in text.replace("\n", " ")
            or "Memories checked: 1" in text
        )
        assert "What they name was not looked up" in text
        await pilot.press("x", "X", "enter", "t", "j", "G")
        await pilot.pause()
        assert any("no finding is selected" in note for note in notices(pilot))


async def test_a_missing_directory_has_nothing_to_check(tmp_path: Path) -> None:
    async with running(tmp_path / "none") as pilot:
        await pilot.press("c")
        await pilot.pause()
        assert "The directory does not exist" in screen_text(pilot)


async def test_findings_that_are_still_looked_for_are_told_as_such(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c")
        await pilot.pause()
        snapshot = app_of(pilot).snapshot
        assert snapshot is not None
        waiting = replace(snapshot, findings=(), findings_pending=True, generation=snapshot.generation + 1)
        assert present_checks.empty_lines(waiting, parse(""), None, "en", project=True) == ["checking…"]
        assert present_checks.list_title(0, 0, None, pending=True, lang="en") == ("Checks", "checking…")


async def test_read_only_fixes_nothing_and_says_why(untidy: Path) -> None:
    async with running(untidy, read_only=True) as pilot:
        await pilot.press("c", "x", "X", "z")
        await pilot.pause()
        assert sum("read-only" in note for note in notices(pilot)) == 3
        await planned(pilot)
        assert "+ - [Alpha](alpha.md) — first" in screen_text(pilot), (
            "what a fix would change is shown all the same"
        )


async def test_the_list_follows_the_disk(untidy: Path, write: Write) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c", "j")
        assert at(pilot) == ("orphan", "beta.md")
        write("aaa", name="Aaa", description="new", content="Another orphan has come to us today or so.")
        await until(pilot, lambda: "aaa.md" in listed(pilot))
        assert at(pilot) == ("orphan", "beta.md"), "the cursor stays on its finding"


async def test_a_click_chooses_and_a_second_one_opens(untidy: Path) -> None:
    async with running(untidy) as pilot:
        await pilot.press("c")
        await pilot.pause()
        await pilot.click(ChecksList, offset=(10, 4))
        await pilot.pause()
        assert at(pilot) == ("dangling-line", "MEMORY.md")
        await pilot.click(ChecksList, offset=(10, 6))
        await pilot.pause()
        assert at(pilot) == ("stale", "old.md"), "a click on a rule chooses its first finding"
        await pilot.click(ChecksList, offset=(10, 7))
        await pilot.pause()
        assert cursor(pilot) == "old"


async def test_hostile_names_and_texts_show_safely(memory: Path, write: Write) -> None:
    write("evil", name="Evil", description="x", content=f"maybe {HOSTILE} perhaps\n[[{HOSTILE}]]")
    (memory / "[b] \x1b[31m.md").write_text(
        f"---\nname: '{HOSTILE[:20]}'\n---\nmaybe [@click=app.exit]x[/]\n", encoding="utf-8"
    )
    (memory / "MEMORY.md").write_text(
        f"- [{HOSTILE.replace(']', '')}](gone\x1b[31m.md) — {HOSTILE}\n", encoding="utf-8"
    )
    async with running(memory, size=(160, 48)) as pilot:
        await pilot.press("c")
        await pilot.pause()
        for _ in range(len(listed(pilot))):
            await planned(pilot)
            text = screen_text(pilot)
            assert visible(text, keep_newlines=True) == text
            await pilot.press("j")
        await pilot.press("g", "x")
        await planned(pilot)
        text = screen_text(pilot)
        assert visible(text, keep_newlines=True) == text


async def test_reliability_4_no_secret_is_shown_where_it_is_warned_of(memory: Path, write: Write) -> None:
    token = "ghp_" + "".join("aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"[n % 32] for n in range(7, 43))
    other = f"ghp_{token[:3:-1]}"
    write(
        "keys",
        name="Keys",
        description="where they are",
        content=f"The deploy token is {token} for the mirror, the other {other}.",
    )
    async with running(memory, size=(160, 40)) as pilot:
        snapshot = app_of(pilot).snapshot
        assert snapshot is not None
        if not any(finding.rule == "secret" for finding in snapshot.findings):
            pytest.fail("the token was to be found")
        await pilot.press("c", "slash", *"rule:secret", "enter")
        await pilot.pause()
        text = screen_text(pilot)
        assert "The deploy token is •" in text
        assert token[:12] not in text
        assert "the other •" in text
        assert other[:12] not in text


@pytest.mark.parametrize("size", [(80, 24), (60, 14), (200, 60)])
async def test_every_size_shows_list_and_keys(untidy: Path, size: tuple[int, int]) -> None:
    async with running(untidy, size=size) as pilot:
        await pilot.press("c", "j", "x")
        await planned(pilot)
        text = screen_text(pilot)
        assert "Write it  y" in text
        assert "Add its line to the index?" in text
        await pilot.press("n")
        await pilot.pause()
        assert "esc back" in screen_text(pilot)


# -- pure ---------------------------------------------------------------------------------------------------------------


def finding(rule: str, path: str = "a.md", message: str = "m", severity: Severity | None = None) -> Finding:
    return Finding(rule, severity or RULES[rule].severity, path[:-3], path, None, None, message, "why", None)


def test_groups_are_sorted_by_weight_not_by_name() -> None:
    found = [
        finding("vague-language"),
        finding("too-short"),
        finding("conflict-markers"),
        finding("dangling-line"),
        finding("secret"),
    ]
    rules = [row.rule for row in rows(found, parse(""), None, "en") if isinstance(row, Heading)]
    assert rules == ["conflict-markers", "secret", "dangling-line", "too-short", "vague-language"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 3),
        ("rule:", 3),
        ("-", 3),
        ('"two words"', 1),
        ("-two", 2),
        ("severity:error,note", 2),
        ("SEVERITY", 0),
        ("提示", 0),
    ],
)
def test_filter_texts(text: str, count: int) -> None:
    found = [
        finding("vague-language", message="two words"),
        finding("too-short"),
        finding("conflict-markers"),
    ]
    assert sum(not isinstance(row, Heading) for row in rows(found, parse(text), None, "en")) == count


def test_both_languages_say_the_same_parts() -> None:
    for name in wording.EN.names():
        english, chinese = getattr(wording.EN, name), getattr(wording.ZH, name)
        if name == "hand":
            assert set(english) == set(chinese) <= set(RULES)
            continue
        parts = [
            {field for _, field, _, _ in Formatter().parse(text) if field} for text in (english, chinese)
        ]
        assert parts[0] == parts[1], name
