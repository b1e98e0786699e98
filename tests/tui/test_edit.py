"""Edit and New (design §3): checks while typing, saving, conflicts, drafts, and that nothing typed is ever lost."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.pilot import Pilot

from memtui.memory.document.draft import Draft
from memtui.memory.live.drafts import DRAFTS_FOLDER
from memtui.memory.types import MemoryEntry
from memtui.tui import external
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.screens.choice import DraftScreen, GoneScreen, LeaveScreen
from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.refused import RefusedScreen
from memtui.tui.typeahead import typed_ahead
from memtui.tui.widgets.editor import Editor
from memtui.tui.widgets.fields import TextField, TypeField
from memtui.tui.widgets.finding_list import FindingList

from .conftest import Write, app_of, browse, cursor, notices, rows, running, screen_text, until
from .making import HOSTILE, NOW

BODY = (
    "Integration tests use a real database and never mocks, because mocks hid a broken migration last spring."
)


@pytest.fixture
def lab(memory: Path, write: Write) -> Path:
    write("tests", name="Integration tests", description="Real database", kind="feedback", content=BODY)
    write("role", name="用户角色", description="天体物理", content="偏好用 Julia 做恒星演化的拟合。", days=3)
    (memory / "MEMORY.md").write_text(
        "- [Integration tests](tests.md) — Real database\n- [用户角色](role.md) — 天体物理\n",
        encoding="utf-8",
    )
    os.utime(memory / "MEMORY.md", (NOW, NOW))
    return memory


def edit_screen(pilot: Pilot[None]) -> EditScreen:
    [screen] = [screen for screen in pilot.app.screen_stack if isinstance(screen, EditScreen)]
    return screen


def text_of(pilot: Pilot[None]) -> str:
    return edit_screen(pilot).query_one(Editor).text


async def reported(pilot: Pilot[None]) -> EditScreen:
    """Wait until the report is about what stands in the fields."""
    screen = edit_screen(pilot)
    await until(pilot, lambda: screen.report is not None and screen.report.draft == screen.draft)
    return screen


async def opened(pilot: Pilot[None], key: str) -> EditScreen:
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
    return await reported(pilot)


async def back_in_browse(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, BrowseScreen))


def drafts(folder: Path) -> list[Path]:
    return sorted((folder / DRAFTS_FOLDER).glob("*.json"))


async def offered(pilot: Pilot[None]) -> DraftScreen:
    """Wait until unsaved text is offered and an answer counts."""
    await until(pilot, lambda: isinstance(pilot.app.screen, DraftScreen))
    screen = pilot.app.screen
    assert isinstance(screen, DraftScreen)
    await until(pilot, lambda: screen.is_asking)
    return screen


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.md"))


def stamps(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def rules(screen: EditScreen) -> set[str]:
    assert screen.report is not None
    return {found.rule for found in screen.report.findings}


async def test_editing_saves_a_new_version_and_the_old_text_stays(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "e")
        assert screen.draft.name == "Integration tests"
        editor = screen.query_one(Editor)
        assert editor.has_focus
        editor.move_cursor(editor.document.end)
        await pilot.press(*"ok ")
        await reported(pilot)
        assert "not saved" in screen_text(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        await until(pilot, lambda: "ok" in (lab / "tests.md").read_text("utf-8"))
        assert "status: historical" in (lab / "tests_v1.md").read_text("utf-8")
        assert any("Saved" in notice for notice in notices(pilot))
        await until(pilot, lambda: "ok" in screen_text(pilot))
        await until(pilot, lambda: not drafts(lab))


async def test_a_new_memory_gets_its_file_name_from_its_title_and_the_cursor_goes_to_it(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "n")
        await pilot.press(*"Tests", "enter", *"when", "enter", "p", "enter")
        await reported(pilot)
        assert screen.query_one("#slug", TextField).value == "tests-2"
        assert screen.query_one(TypeField).value == "project"
        await pilot.press("enter", *"Nothing merges after the tag is cut.")
        await reported(pilot)
        assert screen.report is not None
        assert screen.report.blocking == ()
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        await until(pilot, lambda: cursor(pilot) == "tests-2")
        assert (lab / "tests-2.md").exists()
        assert "tests-2.md" in (lab / "MEMORY.md").read_text("utf-8")


async def test_a_file_name_typed_by_hand_stays_and_a_bad_one_is_refused_with_a_free_one(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "n")
        await pilot.press(*"Freeze", "enter", *"when", "enter", "p", "enter")
        await reported(pilot)
        screen.query_one("#slug", TextField).value = "Role"
        await pilot.pause()
        await reported(pilot)
        assert "slug" in rules(screen)
        assert "role-2" in screen_text(pilot)
        screen.query_one("#name", TextField).value = "Another"
        await pilot.pause()
        await reported(pilot)
        assert screen.draft.slug == "Role"
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert isinstance(pilot.app.screen, EditScreen)
        assert screen.query_one("#slug").has_focus
        assert not (lab / "Role.md").exists()


async def test_what_a_save_would_refuse_is_said_and_gone_to(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "n")
        await pilot.press(*"Freeze")
        await reported(pilot)
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert screen.query_one("#description").has_focus
        assert any("Description is empty" in notice for notice in notices(pilot))


async def test_spec_8_words_are_underlined_where_they_stand_and_jumped_to(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "e")
        editor = screen.query_one(Editor)
        text = "天体 It is maybe so.\n\nCurrently 可能 [[nobody]]."
        editor.replace_all(text)
        await pilot.pause()
        await reported(pilot)
        marked = {
            editor.document.get_line(row)[start:end]
            for row, marks in editor._marks.items()
            for start, end, _ in marks
        }
        assert {"maybe", "Currently", "可能", "nobody"} <= marked
        seen = []
        for _ in range(4):
            await pilot.press("ctrl+n")
            await pilot.pause()
            seen.append(editor.selected_text)
        assert seen == ["maybe", "Currently", "可能", "nobody"]
        await pilot.press("ctrl+b")
        await pilot.pause()
        assert editor.selected_text == "可能"
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert screen.query_one(FindingList).has_focus
        await pilot.press("j", "k", "enter")
        await pilot.pause()
        assert editor.has_focus
        assert editor.selected_text in marked


async def test_marks_follow_the_text_above_them(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "e")
        editor = screen.query_one(Editor)
        editor.replace_all("one\ntwo maybe three\n")
        await pilot.pause()
        await reported(pilot)
        assert list(editor._marks) == [1]
        editor.insert("zero\n", (0, 0))
        assert list(editor._marks) == [2]


async def test_spec_9_a_double_shows_beside_and_a_new_text_merges_into_it(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "n")
        await pilot.press(*"Db tests", "enter", *"which", "enter", "f", "enter", "enter")
        screen.query_one(Editor).replace_all(BODY + "\nAlso in CI.\n")
        await pilot.pause()
        await reported(pilot)
        assert "% like tests" in screen_text(pilot)
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert "Double · Integration tests" in screen_text(pilot)
        await pilot.press("escape")
        await pilot.press("ctrl+o")
        await pilot.pause()
        assert text_of(pilot).count(BODY) == 1
        assert "Also in CI." in text_of(pilot)
        assert screen.draft.slug == "tests"
        await reported(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        saved = (lab / "tests.md").read_text("utf-8")
        assert "Also in CI." in saved
        assert BODY in (lab / "tests_v1.md").read_text("utf-8")
        assert names(lab) == [
            "MEMORY.md",
            "role.md",
            "tests.md",
            "tests_v1.md",
        ]


async def test_spec_5_an_edited_memory_merges_into_its_double_and_becomes_its_old_version(
    lab: Path, write: Write
) -> None:
    write("db", name="Db", description="Same", kind="feedback", content=BODY + " Always.", days=9)
    async with running(lab) as pilot:
        browse(pilot).go_to("db")
        await opened(pilot, "e")
        await pilot.press("ctrl+o")
        await pilot.pause()
        await reported(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        assert not (lab / "db.md").exists()
        assert "superseded_by: tests" in (lab / "db_v1.md").read_text("utf-8")
        assert "Always." in (lab / "tests.md").read_text("utf-8")


# --- somebody else writes, too ---


def write_theirs(folder: Path, text: str) -> None:
    """As an agent does: into the file, without asking."""
    path = folder / "tests.md"
    path.write_text(path.read_text("utf-8").replace("last spring.", f"last spring.\n{text}"), "utf-8")


async def typed_and_changed(pilot: Pilot[None], lab: Path) -> EditScreen:
    """The editor with something typed, while somebody else has written the same memory."""
    screen = await opened(pilot, "e")
    await pilot.press(*"Mine. ")
    await reported(pilot)
    write_theirs(lab, "Theirs.")
    await until(pilot, lambda: screen.has_class("-outdated"))
    return screen


async def conflict_shown(pilot: Pilot[None]) -> None:
    await until(
        pilot, lambda: isinstance(pilot.app.screen, ConflictScreen) and pilot.app.screen._merged is not None
    )
    await pilot.pause()


async def test_a_change_underneath_shows_a_banner_and_saving_shows_all_three_texts(lab: Path) -> None:
    async with running(lab, size=(160, 40)) as pilot:
        await typed_and_changed(pilot, lab)
        assert "changed on disk meanwhile" in screen_text(pilot)
        await pilot.press("ctrl+s")
        await conflict_shown(pilot)
        shown = screen_text(pilot)
        for words in ("Mine", "Theirs", "Merged", "Mine. Integration", "Theirs."):
            assert words in shown
        assert "Mine." not in (lab / "tests.md").read_text("utf-8")


async def test_mine_over_theirs_keeps_theirs_as_an_old_version(lab: Path) -> None:
    async with running(lab) as pilot:
        await typed_and_changed(pilot, lab)
        await pilot.press("ctrl+s")
        await conflict_shown(pilot)
        await pilot.press("m")
        await back_in_browse(pilot)
        now = (lab / "tests.md").read_text("utf-8")
        assert "Mine." in now
        assert "Theirs." not in now
        assert "Theirs." in (lab / "tests_v1.md").read_text("utf-8")


async def test_theirs_can_be_taken_and_mine_comes_back_with_one_key(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await typed_and_changed(pilot, lab)
        await pilot.press("ctrl+r")
        await conflict_shown(pilot)
        await pilot.press("t")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert "Theirs." in text_of(pilot)
        assert not screen.has_class("-outdated")
        assert not screen.unsaved
        await pilot.press("ctrl+z")
        await pilot.pause()
        assert "Mine." in text_of(pilot)
        assert "Theirs." not in text_of(pilot)


def old_texts(lab: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in lab.glob("tests_v*.md"))


async def put_together(pilot: Pilot[None], lab: Path) -> Path:
    """The editor with both texts in one, chosen after a conflict; the memory's file, with a line far below."""
    path = lab / "tests.md"
    path.write_text(path.read_text("utf-8") + "\nBetween.\n\nFar below.\n", "utf-8")
    await until(pilot, lambda: "Far below." in screen_text(pilot))
    screen = await typed_and_changed(pilot, lab)
    await pilot.press("ctrl+s")
    await conflict_shown(pilot)
    assert "Somebody else changed this memory" in screen_text(pilot)
    await pilot.press("b")
    await until(pilot, lambda: pilot.app.screen is screen)
    await reported(pilot)
    return path


async def test_once_put_together_a_save_takes_in_what_they_go_on_writing_on_other_lines(lab: Path) -> None:
    async with running(lab) as pilot:
        path = await put_together(pilot, lab)
        path.write_text(path.read_text("utf-8").replace("Far below.", "Far below, again."), "utf-8")
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        now = path.read_text("utf-8")
        assert [part for part in ("Mine.", "Theirs.", "Far below, again.") if part not in now] == []
        assert any("on other lines, is in it too" in note for note in notices(pilot))


async def test_where_they_go_on_writing_on_the_same_lines_it_asks_again_and_says_what_ends_it(
    lab: Path,
) -> None:
    async with running(lab, size=(80, 24)) as pilot:
        path = await put_together(pilot, lab)
        text = path.read_text("utf-8")
        path.write_text(text.replace("Integration tests use", "Tests of integration use"), "utf-8")
        await pilot.press("ctrl+s")
        await conflict_shown(pilot)
        assert "m saves yours whatever they write" in " ".join(screen_text(pilot).split())
        await pilot.press("m")
        await back_in_browse(pilot)
        assert "Mine." in path.read_text("utf-8")
        assert "Tests of integration" in old_texts(lab)


async def test_both_changes_come_together_and_are_saved_by_hand(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await typed_and_changed(pilot, lab)
        await pilot.press("ctrl+r")
        await conflict_shown(pilot)
        await pilot.press("b")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert "Mine." in text_of(pilot)
        assert "Theirs." in text_of(pilot)
        await reported(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        now = (lab / "tests.md").read_text("utf-8")
        assert "Mine." in now
        assert "Theirs." in now


async def test_nothing_is_decided_by_leaving_the_conflict(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await typed_and_changed(pilot, lab)
        await pilot.press("ctrl+s")
        await conflict_shown(pilot)
        await pilot.press("tab", "shift+tab", "escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        assert "Mine." in text_of(pilot)
        assert screen.unsaved


async def test_where_nothing_was_typed_the_new_text_shows_by_itself(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "e")
        write_theirs(lab, "Theirs.")
        await until(pilot, lambda: "Theirs." in text_of(pilot))
        assert not screen.unsaved
        assert not screen.has_class("-outdated")


async def test_a_file_that_is_gone_is_put_back_or_written_again_and_one_that_came_back_is_compared(
    lab: Path,
) -> None:
    path = lab / "tests.md"
    before = path.read_bytes()
    async with running(lab) as pilot:
        screen = await opened(pilot, "e")
        await pilot.press(*"Mine. ")
        path.unlink()
        await until(pilot, lambda: screen.has_class("-outdated"))
        assert "no longer on disk" in screen_text(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, GoneScreen))
        assert list(notices(pilot)) == []
        await pilot.press("r")
        await until(pilot, lambda: not screen.has_class("-outdated"))
        assert path.read_bytes() == before
        assert "Mine." in text_of(pilot)
        path.unlink()
        await until(pilot, lambda: screen.has_class("-outdated"))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(pilot.app.screen, GoneScreen))
        path.write_bytes(before.replace(b"last spring.", b"last spring.\nTheirs."))
        await pilot.press("s")
        await conflict_shown(pilot)
        assert "Theirs." in screen_text(pilot)
        await pilot.press("m")
        await back_in_browse(pilot)
    assert "Mine." in path.read_text("utf-8")
    assert "Theirs." in (lab / "tests_v1.md").read_text("utf-8")


async def test_keys_of_shells_and_browsers_move_and_delete_in_every_field(lab: Path) -> None:
    async with running(lab) as pilot:
        screen = await opened(pilot, "e")
        name = screen.query_one("#name", TextField)
        name.focus()
        await pilot.press("ctrl+home", *"A ", "ctrl+end", *" Z")
        assert name.value == "A Integration tests Z"
        await pilot.press("alt+backspace", "alt+backspace")
        assert name.value == "A Integration "
        await pilot.press("alt+b", "ctrl+delete")
        assert name.value == "A "
        editor = screen.query_one(Editor)
        editor.focus()
        await pilot.press("ctrl+end", *"Z", "ctrl+home", *"A ")
        assert (text_of(pilot)[:13], text_of(pilot)[-1]) == ("A Integration", "Z")
        await pilot.press("ctrl+shift+end", "backspace")
        assert text_of(pilot) == "A "


# --- leaving, and what outlives it ---


async def test_leaving_asks_where_something_is_unsaved_and_only_there(lab: Path) -> None:
    async with running(lab) as pilot:
        await opened(pilot, "e")
        await pilot.press("escape")
        await back_in_browse(pilot)
        await opened(pilot, "e")
        await pilot.press("x", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LeaveScreen))
        await pilot.press("escape")
        await pilot.pause()
        assert text_of(pilot).count("x") > 0
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LeaveScreen))
        await pilot.press("d")
        await back_in_browse(pilot)
        await until(pilot, lambda: not drafts(lab))
        assert "x" + BODY not in (lab / "tests.md").read_text("utf-8")
        await opened(pilot, "e")
        await pilot.press("y", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LeaveScreen))
        await pilot.press("s")
        await back_in_browse(pilot)
        await until(pilot, (lab / "tests_v1.md").exists)


async def test_unsaved_text_outlives_the_app_and_is_offered_with_its_age(lab: Path) -> None:
    async with running(lab) as pilot:
        await opened(pilot, "e")
        await pilot.press(*"Typed. ")
        await pilot.pause()
    [kept] = drafts(lab)
    assert "Typed." in json.loads(kept.read_text("ascii"))["draft"]["content"]
    async with running(lab) as pilot:
        await pilot.press("e")
        await offered(pilot)
        assert "just now" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        await pilot.pause()
        assert "Typed." in text_of(pilot)
        assert edit_screen(pilot).unsaved
        await reported(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        await until(pilot, lambda: not drafts(lab))
        assert "Typed." in (lab / "tests.md").read_text("utf-8")


async def test_unsaved_text_can_wait_or_be_thrown_away(lab: Path) -> None:
    async with running(lab) as pilot:
        await opened(pilot, "e")
        await pilot.press(*"Typed. ")
    async with running(lab) as pilot:
        await pilot.press("e")
        await offered(pilot)
        await pilot.press("escape", "escape")
        await back_in_browse(pilot)
        assert len(drafts(lab)) == 1
        await pilot.press("e")
        await offered(pilot)
        await pilot.press("d")  # a letter of what somebody types does not throw a draft away
        await pilot.pause()
        assert len(drafts(lab)) == 1
        await pilot.press("delete")
        await until(pilot, lambda: not drafts(lab))


async def leave_unsaved(lab: Path, *keys: str) -> None:
    """Type into the editor, and let the app end over it."""
    async with running(lab) as pilot:
        await opened(pilot, "e")
        await pilot.press(*keys)


async def test_unsaved_text_is_told_at_start_marked_in_the_list_and_a_key_goes_on_with_it(lab: Path) -> None:
    await leave_unsaved(lab, *"Typed. ")
    async with running(lab) as pilot:
        await until(pilot, lambda: bool(notices(pilot)))
        [told] = notices(pilot)
        assert told == "Text of the last time is not saved: Integration tests · just now · U goes on with it"
        await until(pilot, lambda: " * " in screen_text(pilot))
        [line] = [row for row in screen_text(pilot).splitlines() if row.startswith("▸")]
        assert "Integration tests" in line
        await pilot.press("slash", *"is:draft", "enter")
        assert rows(pilot) == ["tests"]
        await pilot.press("escape", "j", "U")  # also from another memory
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        assert "Typed." in text_of(pilot)
        await reported(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        await until(pilot, lambda: app_of(pilot).drafts == () and not drafts(lab))
        assert browse(pilot).situation.drafts == 0
        assert browse(pilot).memories.rows
        assert " * " not in screen_text(pilot)
        await pilot.press("U")
        assert any("no text is unsaved" in note for note in notices(pilot))


async def test_where_nothing_is_unsaved_nothing_is_told_and_a_read_only_look_tells_nothing(lab: Path) -> None:
    async with running(lab) as pilot:
        assert notices(pilot) == []
    await leave_unsaved(lab, *"Typed. ")
    async with running(lab, read_only=True) as pilot:
        await until(pilot, lambda: app_of(pilot).manager is not None)
        assert notices(pilot) == []


async def test_keys_typed_before_somebody_can_have_read_the_offer_answer_nothing(lab: Path) -> None:
    """Also a crash once seen: a burst of keys while the dialog mounts."""
    await leave_unsaved(lab, *"Typed. ")
    async with running(lab) as pilot:
        await until(pilot, lambda: app_of(pilot).drafts != ())
        for key in ("e", "y", "enter", "delete", "escape", "x", "y", "tab", "enter", "space", "y"):
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        screen = await offered(pilot)
        assert pilot.app.screen is screen
        assert len(drafts(lab)) == 1
        assert text_of(pilot).strip() == BODY
        await pilot.press("y")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        assert "Typed." in text_of(pilot)


def worked_off(pilot: Pilot[None], key: Key) -> bool:
    """Whether a key that was posted has reached what it was meant for."""
    ahead = typed_ahead(pilot.app)
    assert ahead is not None
    return ahead.typed_at == key.time and not ahead.holds


async def test_a_key_of_a_burst_answers_nothing_however_late_it_is_worked_off(lab: Path) -> None:
    """A busy app once took up two keys of one burst half a second apart, and the second was an answer."""
    await leave_unsaved(lab, *"Typed. ")
    async with running(lab) as pilot:
        await until(pilot, lambda: app_of(pilot).drafts != ())
        late = [Key(key, key if len(key) == 1 else None) for key in ("y", "enter")]
        await pilot.press("e")  # on a busy machine it takes longer than the question needs before it listens
        screen = await offered(pilot)
        for key in late:
            pilot.app.post_message(key)
            await until(pilot, partial(worked_off, pilot, key))
            assert await offered(pilot) is screen
        assert len(drafts(lab)) == 1
        await pilot.click("#take_draft")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        assert "Typed." in text_of(pilot)


async def test_a_draft_that_cannot_be_written_is_told_in_a_sentence(lab: Path) -> None:
    (lab / ".memtui").write_text("a file where the folder should be", "utf-8")
    async with running(lab) as pilot:
        await opened(pilot, "e")
        await pilot.press("x")
        await until(
            pilot, lambda: any("could not be written beside the memories: " in n for n in notices(pilot))
        )
        told = "".join(notices(pilot))
        assert "Errno" not in told
        assert "[" not in told


async def test_a_header_key_added_in_an_editor_keeps_the_save_back_and_is_named(
    lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry_text = BODY + " More."

    def edited(_: object, __: object, draft: Draft) -> external.Returned:
        sent = external.outgoing(draft)
        got = sent.replace(b"---\n", b"---\nowner: ada\n", 1).replace(BODY.encode(), entry_text.encode())
        return external.incoming(sent, got, draft)

    monkeypatch.setattr(
        external, "edit_outside", edited
    )  # the terminal itself is given away in the test of the pty
    async with running(lab) as pilot:
        browse(pilot)._setting = browse(pilot).setting._replace(editor=("vi",))
        before = (lab / "tests.md").read_bytes()
        await pilot.press("E")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        await reported(pilot)
        assert any("these would be lost: owner" in note for note in notices(pilot))
        assert "More." in text_of(pilot)
        assert (lab / "tests.md").read_bytes() == before
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        await until(pilot, lambda: b"More." in (lab / "tests.md").read_bytes())


async def test_unsaved_text_stays_a_merge_when_it_is_taken_up(lab: Path, write: Write) -> None:
    write(
        "double", name="Tests again", description="Real database", kind="feedback", content=BODY + " Always."
    )
    async with running(lab) as pilot:
        browse(pilot).go_to("double")
        screen = await opened(pilot, "e")
        await until(pilot, lambda: screen.situation.twin)
        await pilot.press("ctrl+o")
        assert "takes in double" in screen_text(pilot)
    [kept] = drafts(lab)
    assert json.loads(kept.read_text("ascii"))["absorbs"] == ["double"]
    async with running(lab) as pilot:
        await until(pilot, lambda: app_of(pilot).drafts != ())
        await pilot.press("U")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        assert "takes in double" in screen_text(pilot)
        await reported(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        await until(pilot, lambda: not drafts(lab))
    assert not (lab / "double.md").exists()
    assert "superseded_by: tests" in (lab / "double_v1.md").read_text("utf-8")


async def test_unsaved_text_of_a_memory_that_was_renamed_is_offered_as_a_new_one(lab: Path) -> None:
    async with running(lab) as pilot:
        await opened(pilot, "e")
        await pilot.press(*"Typed. ")
    (lab / "tests.md").rename(lab / "checks.md")
    async with running(lab) as pilot:
        await pilot.press("n")
        await offered(pilot)
        assert "begun on tests" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        await pilot.pause()
        assert "Typed." in text_of(pilot)
        assert (await reported(pilot)).draft.slug == "integration-tests"


async def test_typing_is_on_disk_about_a_second_later(lab: Path) -> None:
    async with running(lab) as pilot:
        await opened(pilot, "e")
        await pilot.press(*"Typed. ")
        await until(pilot, lambda: drafts(lab) != [], seconds=10)
        assert "Typed." in json.loads(drafts(lab)[0].read_text("ascii"))["draft"]["content"]


async def test_looking_into_the_editor_leaves_no_trace(lab: Path) -> None:
    """Spec §5."""
    before = stamps(lab)
    async with running(lab) as pilot:
        await opened(pilot, "e")
        await pilot.press("down", "ctrl+n", "ctrl+l", "escape", "escape")
        await back_in_browse(pilot)
    assert stamps(lab) == before


# --- odd places and odd texts ---


async def test_a_read_only_view_is_not_edited_and_what_is_typed_all_the_same_is_no_command(lab: Path) -> None:
    async with running(lab, read_only=True) as pilot:
        for key in "en":
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, RefusedScreen))
            assert "read-only" in screen_text(pilot)
            await pilot.press(*"co q", "enter")
            await back_in_browse(pilot)
        await pilot.press("E")
        await pilot.pause()
        assert any("read-only" in notice for notice in notices(pilot))


async def test_without_an_editor_set_it_says_so(lab: Path) -> None:
    async with running(lab) as pilot:
        await pilot.press("E")
        await pilot.pause()
        assert any("$EDITOR" in notice for notice in notices(pilot))


async def test_hostile_text_shows_safely_and_keeps_its_bytes(memory: Path, write: Write) -> None:
    body = f"# {HOSTILE}\n\nx\x0by\x0cz\u2028w\x85v \tindented\n{HOSTILE}"
    path = write("odd", name="Odd", description="What is odd", content=body)
    before = path.read_bytes()
    async with running(memory) as pilot:
        screen = await opened(pilot, "e")
        shown = screen_text(pilot)
        assert not any(char in shown for char in "\x1b\x9b\x07\u202e\u200b\u2066")
        assert "␛" in shown
        editor = screen.query_one(Editor)
        editor.move_cursor(editor.document.end)
        await pilot.press("Z")
        await reported(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
    after = path.read_bytes()
    assert body.encode() in after
    assert after.rstrip().endswith(b"Z")
    assert len(after) >= len(before)


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
async def test_line_ends_stay_and_pasted_ones_become_the_texts_own(lab: Path, ending: str) -> None:
    path = lab / "tests.md"
    path.write_bytes(path.read_bytes().replace(b"\n", ending.encode()))
    async with running(lab) as pilot:
        browse(pilot).go_to("tests")
        screen = await opened(pilot, "e")
        editor = screen.query_one(Editor)
        editor.move_cursor(editor.document.end)
        editor.post_message(Paste("一\r\n二\r三\n"))
        await pilot.pause()
        await reported(pilot)
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        await until(pilot, lambda: "三" in path.read_text("utf-8"))
    data = path.read_bytes().decode()
    assert f"一{ending}二{ending}三" in data
    assert "\r" not in data.replace(ending, "")


@pytest.mark.parametrize(
    "text",
    ["x" * 400_000, "恒" * 130_000, "short\n" * 60_000, "行\n" * 60_000],
    ids=["one line", "one Chinese line", "many lines", "many Chinese lines"],
)
async def test_very_long_texts_can_be_typed_into(memory: Path, write: Write, text: str) -> None:
    write("long", name="Long", description="Very long", content=text)
    async with running(memory) as pilot:
        screen = await opened(pilot, "e")
        editor = screen.query_one(Editor)
        editor.move_cursor(editor.lines_of_text.location_of(len(text) // 2))
        await pilot.press("a", "down", "pagedown", "end", "enter", "b", "up", "backspace")
        await pilot.pause()
        assert len(editor.text) in range(len(text), len(text) + 8)
        await pilot.press("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z")
        await pilot.pause()


async def test_narrow_wide_and_chinese_screens(lab: Path) -> None:
    for size in ((80, 24), (100, 30), (200, 60), (40, 12)):
        async with running(lab, size=size) as pilot:
            await opened(pilot, "e")
            assert "Integration tests" in screen_text(pilot)
            assert edit_screen(pilot).query_one(Editor).size.height >= 3
    async with running(lab, lang="zh") as pilot:
        await opened(pilot, "e")
        assert "编辑" in screen_text(pilot)
        assert "提醒" in screen_text(pilot)


async def test_the_checks_are_those_of_the_screen_and_the_app_stays_quick(lab: Path) -> None:
    """Our own save does not come back as somebody else's change."""
    async with running(lab) as pilot:
        screen = await opened(pilot, "e")
        await pilot.press(*"A. ")
        await pilot.press("ctrl+s")
        await back_in_browse(pilot)
        assert not screen.has_class("-outdated")
        assert not any(isinstance(s, ConflictScreen) for s in app_of(pilot).screen_stack)


async def test_no_worker_of_the_editor_is_described_by_what_it_works_on(
    lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A description is made of every part, at every key: of ten thousand memories it took a quarter of a second."""
    written: list[str] = []

    def told(entry: MemoryEntry) -> str:
        written.append(entry.slug)
        return entry.slug

    monkeypatch.setattr(MemoryEntry, "__repr__", told)
    async with running(lab) as pilot:
        await opened(pilot, "n")
        await pilot.press("x")
        await reported(pilot)
    assert written == []
