"""Activity (design §3): what was done and whether it stands, the trash, the calls; undo shows what comes back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.memory.audit import AuditRow
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.trash import TrashedFile
from memtui.memory.saving.records import Change, Record
from memtui.tui.present import activity as present_activity
from memtui.tui.present.activity import Done, Loaded
from memtui.tui.present.lines import plain, width
from memtui.tui.screens.activity import ActivityScreen
from memtui.tui.screens.confirm import ConfirmScreen
from memtui.tui.screens.history import HistoryScreen
from memtui.tui.widgets.row_list import RowList
from memtui.tui.wording.activity import EN, ZH

from .conftest import app_of, notices, rows, running, screen_text, until
from .making import DAY, HOSTILE, NOW
from .past import Past, busy


async def opened(pilot: Pilot[None], *keys: str) -> ActivityScreen:
    """Open the activity, wait until everything is read, and press more keys."""
    await pilot.press("a")
    await until(pilot, lambda: isinstance(pilot.app.screen, ActivityScreen))
    await until(pilot, lambda: "Reading" not in screen_text(pilot))
    screen = pilot.app.screen
    assert isinstance(screen, ActivityScreen)
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
    return screen


def line_with(pilot: Pilot[None], text: str) -> str:
    return next(line for line in screen_text(pilot).split("\n") if text in line)


async def test_changes_stand_newest_first_with_what_became_of_them(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(140, 30)) as pilot:
        await opened(pilot)
        text = screen_text(pilot)
        assert text.index("forget freeze, graphs") < text.index("create graphs") < text.index("update tests")
        assert "z undoes it" in line_with(pilot, "forget freeze, graphs")
        confirmed = next(line for line in text.split("\n") if "confirm role" in line and "undo:" not in line)
        assert "undone" in confirmed
        assert "2 h ago" in line_with(pilot, "forget freeze, graphs")
        assert "freeze.md went to the trash" in text
        assert "z takes it back:" in text
        assert "freeze.md comes back" in text


async def test_undo_of_two_memories_shows_what_comes_back_before_it_does_it(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await pilot.press("z")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        text = screen_text(pilot)
        assert "Undo “forget freeze, graphs”?" in text
        assert "freeze.md comes back" in text
        assert "graphs.md comes back" in text
        await pilot.press("n")
        await pilot.pause()
        assert "freeze" not in rows(pilot)
        await pilot.press("z")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: {"freeze", "graphs"} <= set(rows(pilot)))
        await pilot.press("Z")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        assert "graphs.md goes away again" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: "freeze" not in rows(pilot))


async def test_undo_of_one_memory_does_not_ask(memory: Path) -> None:
    past = busy(memory)
    past.save("late", "text", days=0)
    async with running(memory) as pilot:
        assert "late" in rows(pilot)
        await pilot.press("z")
        await until(pilot, lambda: "late" not in rows(pilot))


async def test_undo_does_what_was_shown_or_nothing(memory: Path) -> None:
    past = busy(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await pilot.press("z")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        past.save("late", "written while the question stood", days=0)
        await pilot.press("y")
        await until(
            pilot, lambda: any("another change was made meanwhile" in note for note in notices(pilot))
        )
        assert (memory / "late.md").exists()
        assert not (memory / "freeze.md").exists()


async def test_undo_and_redo_from_the_activity(memory: Path) -> None:
    past = busy(memory)
    past.save("late", "text", days=0)
    async with running(memory, size=(140, 30)) as pilot:
        await opened(pilot, "z")
        await until(pilot, lambda: "undo: create late" in screen_text(pilot))
        assert "Z does it again" in line_with(pilot, "undo: create late")
        await pilot.press("Z")
        await until(pilot, lambda: "redo: create late" in screen_text(pilot))
        assert (memory / "late.md").exists()


async def test_enter_shows_what_a_change_did_to_the_texts(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(80, 24)) as pilot:
        screen = await opened(pilot, "G", "enter")
        await until(pilot, lambda: screen.has_class("-diff"))
        text = screen_text(pilot)
        assert "role.md" in text or "tests.md" in text
        assert "+ name: Integration tests" in text
        await pilot.press("escape")
        await pilot.pause()
        assert not screen.has_class("-diff")
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(pilot.app.screen, ActivityScreen)


async def test_enter_right_after_moving_opens_the_row_moved_to(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(120, 30)) as pilot:
        screen = await opened(pilot)
        screen.query_one("#rows", RowList).move_to(3)
        screen.perform("open_row")
        await until(pilot, lambda: screen.has_class("-diff"))
        assert "graphs.md" in screen_text(pilot)


async def test_a_change_whose_texts_are_gone_says_so(memory: Path) -> None:
    busy(memory)
    for path in (memory / ".memtui" / "objects").iterdir():
        path.unlink()
    async with running(memory, size=(120, 30)) as pilot:
        screen = await opened(pilot, "G", "enter")
        await until(pilot, lambda: screen.has_class("-diff"))
        assert EN.no_texts in screen_text(pilot)


async def test_single_files_come_out_of_the_trash(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "2")
        assert "freeze" in line_with(pilot, "▸")
        await pilot.press("enter")
        await until(pilot, lambda: "Until the tag is cut." in screen_text(pilot))
        await pilot.press("escape", "R")
        await until(pilot, (memory / "freeze.md").exists)
        await until(pilot, lambda: EN.taken.split(";")[0] in screen_text(pilot).replace("\n", " "))
        assert not (memory / "graphs.md").exists()
        assert "(freeze.md)" in (memory / "MEMORY.md").read_text(encoding="utf-8")
        await pilot.press("R")
        await pilot.pause()
        assert any("a memory of that name is there again" in note for note in notices(pilot))


async def test_calls_are_listed_with_how_they_ended(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(140, 30)) as pilot:
        await opened(pilot, "3")
        text = screen_text(pilot)
        assert text.index("Bad Slug") < text.index("updated")
        assert "the slug is not allowed" in text
        await pilot.press("j")
        await pilot.pause()
        assert "7f3c2a10-1111" in screen_text(pilot)
        assert "12.3 ms" in screen_text(pilot)


async def test_the_lists_are_reached_by_key_and_mouse(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "right")
        assert "[2 Trash 2]" in screen_text(pilot)
        await pilot.press("left", "left")
        await pilot.pause()
        assert "[3 Calls 2]" in screen_text(pilot)
        tabs = screen_text(pilot).split("\n")[1]
        await pilot.click("#tabs", offset=(tabs.index("Changes"), 0))
        await pilot.pause()
        assert "[1 Changes" in screen_text(pilot)


async def test_a_row_leads_to_the_history_of_its_memory(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "G", "h")
        await until(pilot, lambda: isinstance(pilot.app.screen, HistoryScreen))
        assert "History · tests" in screen_text(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ActivityScreen))


async def test_where_nothing_was_done_it_says_what_would_be_here(memory: Path) -> None:
    (memory / "a.md").write_text("---\nname: a\ntype: user\n---\n\ntext\n", encoding="utf-8")
    async with running(memory, size=(80, 24)) as pilot:
        await opened(pilot)
        assert EN.no_changes in screen_text(pilot)
        await pilot.press("2")
        await pilot.pause()
        assert EN.no_trash in screen_text(pilot)
        await pilot.press("3")
        await pilot.pause()
        assert EN.no_calls in screen_text(pilot)
        await pilot.press("enter", "R", "h", "z")
        await pilot.pause()
        assert any("nothing to undo" in note for note in notices(pilot))


async def test_a_damaged_log_is_told_and_the_rest_is_shown(memory: Path) -> None:
    busy(memory)
    (memory / ".memtui" / "audit.db").write_bytes(b"no database at all" * 100)
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot, "3")
        assert "the audit log cannot be used" in screen_text(pilot)
        await pilot.press("1")
        await pilot.pause()
        assert "forget freeze, graphs" in screen_text(pilot)


async def test_a_journal_that_is_no_file_is_told(memory: Path) -> None:
    busy(memory)
    journal = memory / ".memtui" / "journal.jsonl"
    journal.unlink()
    journal.mkdir()
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot)
        text = screen_text(pilot)
        assert EN.trouble in text
        await pilot.press("3")
        await pilot.pause()
        assert "Bad Slug" in screen_text(pilot)


async def test_a_read_only_view_shows_everything_and_changes_nothing(memory: Path) -> None:
    busy(memory)
    async with running(memory, read_only=True) as pilot:
        await opened(pilot, "2", "R", "z")
        assert sum("read-only" in note for note in notices(pilot)) == 2
        assert not (memory / "freeze.md").exists()


async def test_what_others_do_shows_by_itself(memory: Path) -> None:
    busy(memory)
    async with running(memory, size=(140, 30)) as pilot:
        await opened(pilot)
        other = MemoryManager.open(memory, clock=lambda: NOW, actor="agent", session_id="s-1")
        other.save_memory("fresh", "Fresh", "d", "user", "text")
        await until(pilot, lambda: "create fresh" in screen_text(pilot))
        assert "agent" in line_with(pilot, "create fresh")


async def test_hostile_labels_and_calls_show_safely(memory: Path) -> None:
    past = Past(memory)
    past.save("a", HOSTILE, days=1)
    past.manager.actor, past.manager.session_id = HOSTILE[:40], HOSTILE
    past.at(0).forget("a")
    past.manager.audit.add(AuditRow(NOW, HOSTILE, HOSTILE, 1.0, HOSTILE, HOSTILE, HOSTILE, HOSTILE))
    async with running(memory, size=(120, 30)) as pilot:
        await opened(pilot)
        for key in ("enter", "escape", "2", "enter", "escape", "3", "enter", "escape", "1"):
            await pilot.press(key)
            await pilot.pause()
            shown = screen_text(pilot)
            assert "\x1b" not in shown
            assert "\u202e" not in shown
        assert app_of(pilot).is_running


# --- pure ------------------------------------------------------------------------------------------------------------


def record(number: int, kind: str = "do", of: int | None = None, *changes: Change) -> Record:
    return Record(
        number,
        NOW - 100 + number,
        f"change {number}",
        (),
        "user",
        None,
        kind,  # type: ignore[arg-type]
        of,
        key=str(number),
        of_key=str(of) if of else None,
        changes=changes,
        state="done",
    )


def test_states_follow_undo_and_redo() -> None:
    first, second, undo, redo = record(1), record(2), record(3, "undo", 2), record(4, "redo", 3)
    done = present_activity.done_rows(Loaded((first, second, undo), undo=first, redo=undo))
    assert [(row.record.id, row.state) for row in done] == [(3, "redo"), (2, "undone"), (1, "undo")]
    done = present_activity.done_rows(Loaded((first, second, undo, redo), undo=redo))
    assert [(row.record.id, row.state) for row in done] == [
        (4, "undo"),
        (3, "undone"),
        (2, "stands"),
        (1, "stands"),
    ]


def test_what_undo_brings_back_is_named_file_by_file() -> None:
    made = record(
        1,
        "do",
        None,
        Change("gone.md", "primary", "d1", None, trash=True, trashed=".memtui/trash/x/gone.md"),
        Change("new.md", "primary", None, "d2"),
        Change("text.md", "primary", "d3", "d4"),
        Change("text_v1.md", "archive", None, "d3"),
        Change("MEMORY.md", "index", "d5", "d6"),
        Change("left.md", "primary", "d7", "d8", skipped=True),
    )
    assert present_activity.memories_of(made) == 3
    assert present_activity.undo_lines(made, "undo", EN) == [
        "gone.md comes back",
        "new.md goes away again",
        "text.md gets its text of before back",
        "old versions that this made go away again: 1",
        "the lines in MEMORY.md follow",
    ]


def test_many_files_are_counted_not_listed() -> None:
    many = record(1, "do", None, *(Change(f"m{n}.md", "primary", "d", None) for n in range(30)))
    lines = present_activity.undo_lines(many, "undo", EN)
    assert len(lines) == 8
    assert lines[-1] == "and 23 more"


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (0, "just now", "刚刚"),
        (-5, "just now", "刚刚"),
        (60, "1 min ago", "1 分钟前"),
        (3599, "59 min ago", "59 分钟前"),
        (3600, "1 h ago", "1 小时前"),
        (86_399, "23 h ago", "23 小时前"),
        (86_400, "yesterday", "昨天"),
        (3 * DAY, "3 days ago", "3 天前"),
        (float("inf"), "just now", "刚刚"),
    ],
)
def test_how_long_ago(seconds: float, english: str, chinese: str) -> None:
    assert present_activity.ago(NOW - seconds, NOW, "en", EN) == english
    assert present_activity.ago(NOW - seconds, NOW, "zh", ZH) == chinese


@pytest.mark.parametrize("cells", [16, 40, 79, 120])
def test_rows_fit_whatever_they_hold(cells: int) -> None:
    done = Done(record(1), "undo")
    file = TrashedFile("x", "数据发布清单.md", NOW, 10**6, 1, "user", taken=False)
    call = AuditRow(NOW, "保存记忆工具" * 5, "updated", 1.0, "清单" * 40, "agent")
    for line in (
        present_activity.done_row(done, cells, cursor=True, now=NOW, lang="zh", words=ZH),
        present_activity.trash_row(file, cells, cursor=False, now=NOW, lang="zh", words=ZH),
        present_activity.call_row(call, cells, cursor=False, now=NOW, lang="en", words=EN),
    ):
        assert width(line) <= cells, plain(line)


def test_who_it_was_leaves_room_for_what_was_done() -> None:
    call = AuditRow(NOW, "save_memory", "updated", 1.0, "deploy", "x" * 300)
    done = replace(record(1), actor="x" * 300)
    for line, what in (
        (
            present_activity.done_row(Done(done, "undo"), 80, cursor=False, now=NOW, lang="en", words=EN),
            present_activity.record_label(done, "en", EN),
        ),
        (present_activity.call_row(call, 80, cursor=False, now=NOW, lang="en", words=EN), "deploy"),
    ):
        assert what in plain(line)
        assert "x" * 19 + "…" in plain(line)


@pytest.mark.parametrize("name", EN.names())
def test_both_languages_have_the_same_places(name: str) -> None:
    def places(text: str) -> list[str]:
        return sorted(part.split("}")[0] for part in text.split("{")[1:])

    assert places(getattr(EN, name)) == places(getattr(ZH, name))
