"""Browse on real files, with the real store and manager (design §3, issue part 1 point 5)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from memtui.memory.types import Severity
from memtui.tui.present.lines import plain
from memtui.tui.screens.edit import EditScreen
from memtui.tui.widgets.detail import DetailPane
from memtui.tui.widgets.filter_line import FilterLine
from memtui.tui.widgets.reminder import ReminderPane
from memtui.tui.widgets.text_view import TextView

from .conftest import Write, app_of, browse, cursor, notices, rows, running, screen_text, until
from .making import DAY, NOW


@pytest.fixture
def three(memory: Path, write: Write) -> Path:
    write(
        "tests",
        name="Integration tests",
        description="Real database",
        kind="feedback",
        content="No mocks, see [[role]].",
    )
    write("role", name="用户角色", description="天体物理学博士后", content="研究恒星演化", days=3)
    write("freeze", name="Release freeze", kind="project", content="Until Thursday.", days=40)
    (memory / "MEMORY.md").write_text(
        "# Memories\n\n- [Integration tests](tests.md) — Real database (type: feedback)\n- [用户角色](role.md) — x (type: user)\n"
        "- [Release freeze](freeze.md) — y (type: project)\n",
        encoding="utf-8",
    )
    return memory


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def stamps(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


async def test_the_list_is_by_score_and_the_detail_shows_the_memory_under_the_cursor(three: Path) -> None:
    async with running(three) as pilot:
        assert rows(pilot) == ["tests", "role", "freeze"]
        text = screen_text(pilot)
        assert "HOT  1.0 fb Integration tests" in text
        assert "score 1.00 = decay 1.00 × Hot 1.0" in text
        assert "No mocks, see role." in text
        assert "astro-lab · library" in text
        assert "3 memories" in text
        await pilot.press("j")
        await pilot.pause()
        assert "研究恒星演化" in screen_text(pilot)


async def test_looking_leaves_no_trace(three: Path) -> None:
    """Spec §5: opening, listing and previewing create and change nothing."""
    before = files(three)
    then = stamps(three)
    async with running(three) as pilot:
        await pilot.press(
            "j", "enter", "escape", "s", "S", "H", "p", "slash", "x", "escape", "question_mark", "escape"
        )
    assert files(three) == before
    assert stamps(three) == then


async def test_the_reminder_is_the_exact_text(three: Path) -> None:
    async with running(three, size=(130, 60)) as pilot:
        text = screen_text(pilot)
        assert "<project-memory-context>" in text
        assert "[Feedback] Integration tests: Real database" in text
        assert "Reminder · 3 of 3" in text
        shown = browse(pilot).query_one(ReminderPane)
        assert shown.size.height > 0
        await pilot.press("p")
        await pilot.pause()
        assert shown.size.height == 0
        await pilot.press("p")
        await pilot.pause()
        assert shown.size.height > 0


async def test_filter_narrows_as_typed_and_escape_clears(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("slash", *"恒星")
        await pilot.pause()
        assert rows(pilot) == ["role"]
        await pilot.press("escape")
        await pilot.pause()
        assert len(rows(pilot)) == 3
        await pilot.press("slash", *"type:p", "enter")
        await pilot.pause()
        assert rows(pilot) == ["freeze"]
        assert "1 of 3" in screen_text(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert len(rows(pilot)) == 3
        await pilot.press("slash", *"zzz")
        await pilot.pause()
        assert "No memory matches the filter." in screen_text(pilot)


async def test_a_filter_longer_than_its_line_shows_its_end(three: Path) -> None:
    async with running(three, size=(100, 24)) as pilot:
        await pilot.press("slash", *("abcdefghij" * 6 + "END"))
        await pilot.pause()
        assert "END" in screen_text(pilot)
        await pilot.press("home")
        await pilot.pause()
        assert "END" not in screen_text(pilot)


async def test_sort_cycles_and_turns_round(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("s")
        assert "by age" in screen_text(pilot)
        assert "40d" in screen_text(pilot)
        await pilot.press("s")
        await pilot.pause()
        assert rows(pilot) == ["tests", "freeze", "role"]
        await pilot.press("S")
        await pilot.pause()
        assert rows(pilot) == ["role", "freeze", "tests"]


async def test_a_change_on_disk_shows_and_cursor_filter_and_sort_stay(three: Path, write: Write) -> None:
    async with running(three) as pilot:
        await pilot.press("G")
        assert cursor(pilot) == "freeze"
        write("another", name="Another", content="New one.")
        await until(pilot, lambda: "another" in rows(pilot))
        assert cursor(pilot) == "freeze"
        await pilot.press("slash", *"un", "enter")
        await pilot.pause()
        assert rows(pilot) == ["freeze"]
        write("sun", name="Under the sun")
        await until(pilot, lambda: "sun" in rows(pilot))
        assert cursor(pilot) == "freeze"
        write("freeze", name="Release freeze", kind="project", content="Until Friday.", days=40)
        await until(pilot, lambda: "Until Friday." in screen_text(pilot))
        (three / "freeze.md").unlink()
        await until(pilot, lambda: rows(pilot) == ["sun"])
        assert cursor(pilot) == "sun"


async def test_the_place_in_a_text_is_kept_when_another_memory_changes(three: Path, write: Write) -> None:
    write("long", content="\n\n".join(f"Paragraph {n}." for n in range(100)))
    async with running(three) as pilot:
        await pilot.press("slash", *"paragraph", "enter", "escape", "enter")
        await until(pilot, lambda: browse(pilot).query_one(DetailPane).has_focus_within)
        await pilot.press("ctrl+d", "ctrl+d")
        await pilot.pause()
        before = screen_text(pilot).count("Paragraph")
        top = browse(pilot).query_one("#detail-text").scroll_offset.y
        assert top > 0
        assert before
        write("other")
        await until(pilot, lambda: "other" in rows(pilot))
        assert browse(pilot).query_one("#detail-text").scroll_offset.y == top


async def test_forget_asks_names_what_happens_and_undo_brings_it_back_to_the_byte(three: Path) -> None:
    before = files(three)
    async with running(three) as pilot:
        await pilot.press("j")
        assert cursor(pilot) == "role"
        await pilot.press("d")
        await pilot.pause()
        text = screen_text(pilot)
        assert "Forget “用户角色”?" in text
        assert "role.md goes to .memtui/trash" in text
        assert "its line leaves MEMORY.md" in text
        assert "links in tests stay and will point to nothing" in text
        await pilot.press("enter")  # the focus is on Cancel
        await pilot.pause()
        assert files(three) == before
        await pilot.press("d", "y")
        await until(pilot, lambda: rows(pilot) == ["tests", "freeze"])
        assert not (three / "role.md").exists()
        assert "role.md" not in (three / "MEMORY.md").read_text(encoding="utf-8")
        assert any("Forgotten" in note for note in notices(pilot))
        assert cursor(pilot) == "freeze"
        await until(pilot, lambda: browse(pilot).situation.undo is not None)
        await pilot.press("z")
        await until(pilot, lambda: "role" in rows(pilot))
        assert cursor(pilot) == "role"
        now = files(three)
        assert {rel: now[rel] for rel in before} == before
        await until(pilot, lambda: browse(pilot).situation.redo is not None)
        await pilot.press("Z")
        await until(pilot, lambda: "role" not in rows(pilot))


async def test_marked_memories_are_forgotten_together(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("space", "space")
        await pilot.pause()
        assert "●" in screen_text(pilot)
        await pilot.press("d")
        await until(pilot, lambda: "To the trash" in screen_text(pilot))
        assert "Forget 2 memories?" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: rows(pilot) == ["freeze"])
        assert "●" not in screen_text(pilot)
        await until(pilot, lambda: browse(pilot).situation.undo is not None)
        await pilot.press("z")
        await until(pilot, lambda: pilot.app.screen is not browse(pilot))
        await pilot.press("y")
        await until(pilot, lambda: len(rows(pilot)) == 3)


async def test_a_click_on_a_column_orders_by_it_and_again_turns_round(three: Path) -> None:
    async with running(three) as pilot:
        header = screen_text(pilot).split("\n")[3]
        at = (header.index("name"), 0)
        await pilot.click("#list-header", offset=at)
        await pilot.pause()
        assert rows(pilot) == ["tests", "freeze", "role"]
        await pilot.click("#list-header", offset=at)
        await pilot.pause()
        assert rows(pilot) == ["role", "freeze", "tests"]
        assert "by name, reversed" in screen_text(pilot)


async def test_rows_and_columns_are_chosen_and_told_to_who_remembers(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("full_stop")
        await pilot.pause()
        assert "Real database" in screen_text(pilot).split("\n")[5]
        await pilot.press("j", "j")
        assert cursor(pilot) == "freeze"
        await pilot.press("C", "j", "j", "space", "escape")  # the age, too
        await pilot.pause()
        assert "40d" in screen_text(pilot)
        assert cursor(pilot) == "freeze"


async def test_a_filter_is_helped_with_and_completed(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("slash")
        await pilot.pause()
        assert "type: tier: is: scope:" in screen_text(pilot)
        await pilot.press("t", "y", "tab", "f", "tab")
        await pilot.pause()
        assert browse(pilot).query_one(FilterLine).value == "type:feedback"
        assert rows(pilot) == ["tests"]
        await pilot.press("enter")
        await pilot.pause()
        assert "tier: is: scope:" not in screen_text(pilot)
        await pilot.press("slash", "escape", "slash", *"kind:x", "enter")
        await pilot.pause()
        assert "“kind:” is no condition" in screen_text(pilot)


async def test_a_file_in_place_of_the_directory_says_so_and_what_to_do(memory: Path) -> None:
    path = memory / "notes.md"
    path.write_text("x")
    async with running(path) as pilot:
        assert "This is a file, not a directory of memories:" in screen_text(pilot)
        assert "Open the folder it lies in" in screen_text(pilot)
        path.unlink()
        path.mkdir()
        await until(pilot, lambda: "No memories here yet." in screen_text(pilot))
        assert "n writes the first one." in screen_text(pilot)


async def test_files_that_cannot_be_read_say_what_to_do(memory: Path) -> None:
    (memory / "a.md").write_bytes(b"---\nname: never ends\n\xff\xfe\n")
    (memory / "b.md").symlink_to("/etc/passwd")
    async with running(memory) as pilot:
        unread = "None of these could be read" in screen_text(pilot)
        assert unread == all(
            any(p.severity is Severity.ERROR for p in entry.problems) for entry in browse(pilot).memories.rows
        )


async def test_still_true_brings_the_date_up_to_today(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("G", "v")
        await until(pilot, lambda: rows(pilot)[-1] != "freeze")
        assert any("Still true" in note for note in notices(pilot))
        assert cursor(pilot) == "freeze"


async def test_a_disabled_action_says_why(three: Path) -> None:
    async with running(three, read_only=True) as pilot:
        await pilot.press("d")
        await pilot.pause()
        assert "Forget: this is a read-only view" in notices(pilot)[-1]
        assert "read-only" in screen_text(pilot)
        assert len(pilot.app.screen_stack) == 1
    async with running(three) as pilot:
        await pilot.press("z")
        await pilot.pause()
        assert "Undo: nothing to undo" in notices(pilot)[-1]


async def test_a_refused_change_is_a_notice_and_the_app_goes_on(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("d")
        await pilot.pause()
        (three / "tests.md").unlink()
        (three / "tests.md").mkdir()
        await pilot.press("y")
        await until(pilot, lambda: bool(notices(pilot)))
        assert "tests.md" in notices(pilot)[-1]
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Help" in screen_text(pilot)


async def test_a_damaged_journal_does_not_stop_the_app(three: Path, write: Write) -> None:
    async with running(three) as pilot:
        await pilot.press("d", "y")
        await until(pilot, lambda: browse(pilot).situation.undo is not None)
    for path in (three / ".memtui").rglob("*"):
        if path.is_file() and "journal" in path.as_posix():
            path.write_bytes(b"\xff\x00 not a journal")
    async with running(three) as pilot:
        write("later", name="Later")
        await until(pilot, lambda: "later" in rows(pilot))
        await pilot.press("z")
        await pilot.pause()
        assert notices(pilot)


async def test_what_a_memory_names_is_marked_as_there_or_not(memory: Path, write: Write) -> None:
    project = memory.parent
    (project / "src").mkdir()
    (project / "src" / "fit.py").write_text("def fit_orbit() -> None: ...\n", encoding="utf-8")
    write(
        "paths",
        content="The fit is in `src/fit.py`, the plots in `src/gone.py`. Call `fit_orbit()`.",
        kind="project",
    )
    async with running(memory, project_root=project) as pilot:
        await until(pilot, lambda: "src/fit.py ✓" in screen_text(pilot))
        text = screen_text(pilot)
        assert "src/gone.py ✗" in text
        assert "✗1" in text, "and the list says so"
        manager = app_of(pilot).manager
        assert manager
        injected = manager.build_system_reminder()
        assert "src/gone.py" in injected.split("Named in this memory")[1]
        view = browse(pilot).query_one("#reminder-text", TextView)
        shown = "".join(plain(line) for line in view.lines)
        assert shown.replace(" ", "") == injected.replace("\n", "").replace(" ", ""), (
            "the preview is the exact text"
        )


async def test_links_are_followed_by_keys(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("right_square_bracket", "enter")
        await until(pilot, lambda: cursor(pilot) == "role")
        await pilot.press("escape", "slash", *"zzz", "escape")
        await pilot.pause()
        assert cursor(pilot) == "role"


async def test_following_a_link_out_of_the_filter_clears_it(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("slash", *"mocks", "enter", "right_square_bracket", "enter")
        await until(pilot, lambda: cursor(pilot) == "role")
        assert browse(pilot).query_one(FilterLine).value == ""


async def test_old_versions_are_listed_on_demand(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("j")
        manager = app_of(pilot).manager
        assert manager
        manager.save_memory("role", "用户角色", "d", "user", "研究双星系统的演化过程")
        await until(pilot, lambda: "双星" in screen_text(pilot))
        assert "role_v1" not in rows(pilot)
        assert "2 versions" in screen_text(pilot)
        await pilot.press("H")
        await pilot.pause()
        assert rows(pilot)[-1] == "role_v1"
        assert "OLD" in screen_text(pilot)
        await pilot.press("G", "d")
        await pilot.pause()
        assert "this is an old version" in notices(pilot)[-1]


async def test_an_empty_directory_says_what_to_do_next(memory: Path, write: Write) -> None:
    async with running(memory) as pilot:
        assert "No memories here yet." in screen_text(pilot)
        await pilot.press("d", "enter", "j", "space")
        write("first", name="The first")
        await until(pilot, lambda: rows(pilot) == ["first"])
        assert "The first" in screen_text(pilot)


async def test_a_missing_directory_says_so_and_appears(tmp_path: Path) -> None:
    folder = tmp_path / "not-yet" / "memory"
    async with running(folder) as pilot:
        assert "This directory does not exist yet:" in screen_text(pilot)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, EditScreen))
        assert not folder.parent.exists(), "whoever only looks makes nothing"
        folder.mkdir(parents=True)
        (folder / "a.md").write_text("---\nname: A\n---\nText\n", encoding="utf-8")
        await until(pilot, lambda: rows(pilot) == ["a"])
        shutil.rmtree(folder)
        await until(pilot, lambda: "does not exist" in screen_text(pilot))


async def test_broken_files_are_listed_with_what_is_wrong(memory: Path) -> None:
    (memory / "bytes.md").write_bytes(b"---\nname: x\n\xff\xfe\x00")
    (memory / "empty.md").write_bytes(b"")
    os.mkfifo(memory / "fifo.md")
    (memory / "link.md").symlink_to("/etc/passwd")
    async with running(memory) as pilot:
        assert sorted(rows(pilot)) == ["bytes", "empty", "fifo", "link"]
        for _ in range(4):
            await pilot.press("j")
        text = screen_text(pilot)
        assert "root:" not in text
        assert "!" in text


async def test_help_is_made_from_the_registry_and_closes(three: Path) -> None:
    async with running(three, size=(100, 90)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        text = screen_text(pilot)
        assert "Forget" in text
        assert "Undo – not now: nothing to undo" in text
        await pilot.press("G", "escape")
        await pilot.pause()
        assert len(pilot.app.screen_stack) == 1


async def test_the_palette_offers_the_actions_and_does_them(three: Path) -> None:
    async with running(three) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "Sort by the next order" in screen_text(pilot))
        await pilot.press(*"sort by")
        await until(pilot, lambda: "Reminder preview" not in screen_text(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: "by age" in screen_text(pilot))


async def test_clicking_a_key_does_its_action(three: Path) -> None:
    async with running(three) as pilot:
        bar = browse(pilot).query_one("#keys")
        text = bar.render_line(0).text
        await pilot.click("#keys", offset=(text.index("help"), 0))
        await until(pilot, lambda: "esc closes" in screen_text(pilot))


async def test_a_narrow_screen_shows_list_and_memory_and_opens_the_memory_whole(three: Path) -> None:
    async with running(three, size=(80, 24)) as pilot:
        text = screen_text(pilot)
        assert "Real database" in text
        assert "No mocks" in text
        await pilot.press("enter")
        await pilot.pause()
        assert "by score" not in screen_text(pilot)
        assert "No mocks" in screen_text(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert "by score" in screen_text(pilot)
        await pilot.press("p")
        await pilot.pause()
        assert "<project-memory-context>" in screen_text(pilot)


@pytest.mark.parametrize("size", [(40, 10), (60, 12), (99, 17), (100, 24), (119, 40), (120, 24), (220, 70)])
async def test_every_size_works(three: Path, size: tuple[int, int]) -> None:
    async with running(three, size=size) as pilot:
        for key in (
            "j",
            "enter",
            "escape",
            "p",
            "slash",
            "x",
            "escape",
            "question_mark",
            "escape",
            "d",
            "n",
            "q",
        ):
            await pilot.press(key)
            await pilot.pause()


async def test_scores_come_from_the_clock_given(memory: Path, write: Write) -> None:
    write("a", days=60)
    assert (memory / "a.md").stat().st_mtime == NOW - 60 * DAY
    async with running(memory) as pilot:
        assert "score 0.07 = decay 0.25 × Cool 0.3" in screen_text(pilot)
