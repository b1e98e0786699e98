"""Changes of one or many memories: shown with all they would do, made as shown, one undo (issue part 2 point 1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.memory.managing.plans import Plan
from memtui.memory.text import visible
from memtui.tui.present.blocks import layout
from memtui.tui.present.bulk import cut_off, merged, newest_first
from memtui.tui.present.lines import plain
from memtui.tui.screens.bulk import BulkScreen
from memtui.tui.screens.edit import EditScreen
from memtui.tui.widgets.text_view import TextView

from .conftest import Write, app_of, browse, cursor, notices, rows, running, screen_text, until
from .making import HOSTILE, make


@pytest.fixture
def four(memory: Path, write: Write) -> Path:
    write("a", name="Name A", description="About a", kind="project", content="Text of a.")
    write("b", name="Name B", kind="feedback", content="Text of b, see [[a]].", days=2)
    write("c", name="名称丙", kind="user", content="丙的正文，见 [[a]]。", days=3)
    write("d", name="Name D", kind="user", content="See [[a]] and [[b]].", days=4)
    (memory / "MEMORY.md").write_text(
        "".join(f"- [{slug}]({slug}.md) — x (type: user)\n" for slug in "abcd"), encoding="utf-8"
    )
    return memory


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".memtui" not in path.parts
    }


async def asked(pilot: Pilot[None]) -> BulkScreen:
    """The dialog, with its plan worked out."""
    await until(pilot, lambda: isinstance(pilot.app.screen, BulkScreen))
    screen = pilot.app.screen
    assert isinstance(screen, BulkScreen)
    await until(pilot, lambda: screen.plan is not None)
    return screen


def told(screen: BulkScreen) -> str:
    return "\n".join(plain(line) for line in screen.query_one(TextView).lines)


async def test_marks_all_inverted_and_cleared(four: Path) -> None:
    async with running(four) as pilot:
        await pilot.press("j", "space", "I")
        await pilot.pause()
        assert {entry.slug for entry in browse(pilot).chosen} == {"a", "c", "d"}
        assert "3 marked · 4" in screen_text(pilot)
        await pilot.press("A")
        assert len(browse(pilot).chosen) == 4
        await pilot.press("A")
        assert browse(pilot).situation.marked == 0
        await pilot.press("slash", *"type:user", "enter", "A", "escape")
        await pilot.pause()
        assert {entry.slug for entry in browse(pilot).chosen} == {"c", "d"}
        await pilot.press("slash", *"is:marked", "enter")
        await pilot.pause()
        assert rows(pilot) == ["c", "d"]
        await pilot.press("escape", "escape")
        assert browse(pilot).situation.marked == 0


async def test_bulk_forget_lists_everything_and_one_undo_brings_all_back(four: Path) -> None:
    before = files(four)
    async with running(four, size=(120, 50)) as pilot:
        await pilot.press("space", "space", "d")
        text = told(await asked(pilot))
        assert "To the trash, .memtui/trash  2" in text
        assert "− - [a](a.md) — x (type: user)" in text
        assert "− - [b](b.md) — x (type: user)" in text
        assert "Links that will point to nothing, in  2" in text
        assert files(four) == before
        await pilot.press("n")
        await pilot.pause()
        assert files(four) == before
        await pilot.press("d")
        await asked(pilot)
        await pilot.press("y")
        await until(pilot, lambda: rows(pilot) == ["c", "d"])
        assert sorted(files(four)) == ["MEMORY.md", "c.md", "d.md"]
        await until(pilot, lambda: browse(pilot).situation.undo is not None)
        await pilot.press("z")
        await until(pilot, lambda: pilot.app.screen is not browse(pilot))
        await pilot.press("y")
        await until(pilot, lambda: len(rows(pilot)) == 4)
        assert files(four) == before


async def test_the_type_of_many_changes_as_shown(four: Path) -> None:
    async with running(four, size=(120, 50)) as pilot:
        await pilot.press("A", "T")
        screen = await asked(pilot)  # begins at the first type that none of them has
        await pilot.press("g")
        await until(pilot, lambda: isinstance(screen.plan, Plan) and "type user" in screen.plan.label)
        text = told(screen)
        assert "a.md  project → user" in text
        assert "b.md  feedback → user" in text
        assert "c.md" not in text
        assert "Versions made  2" in text
        await pilot.press("y")
        await until(pilot, lambda: b"type: user" in (four / "b.md").read_bytes())
        manager = app_of(pilot).manager
        assert manager is not None
        await until(pilot, lambda: manager.activity()[-1].label == "type user for a, b")


async def test_a_type_that_it_has_already_cannot_be_taken(four: Path) -> None:
    async with running(four) as pilot:
        await pilot.press("T")
        screen = await asked(pilot)
        await pilot.press("j", "j")
        await until(pilot, lambda: screen.plan is not None and screen.plan.edits == ())
        assert "Nothing would change." in told(screen)
        await pilot.press("y")
        await pilot.pause()
        assert pilot.app.screen is screen


@pytest.mark.parametrize("keys", [("m",), ("c", "m")], ids=["in the list", "in the checks"])
async def test_a_memory_and_its_double_are_merged_with_one_key_and_taken_back(
    memory: Path, write: Write, keys: tuple[str, ...]
) -> None:
    text = "The grid is computed with release 24 of the code on every machine until the paper is accepted."
    write("one", name="One", content=text, days=1)
    write("two", name="Two", content=f"{text} Ask Ada.", days=2)
    write("other", name="Other", content="Something quite different about the weather in May.")
    (memory / "MEMORY.md").write_text("- [One](one.md) — 1\n- [Two](two.md) — 2\n- [Other](other.md) — 3\n")
    before = files(memory)
    async with running(memory, size=(80, 24)) as pilot:
        await until(pilot, lambda: "≈" in screen_text(pilot))
        assert browse(pilot).query_one("#list").cursor.slug == "other"  # type: ignore[attr-defined]
        await pilot.press("m")
        await until(pilot, lambda: any("mark two memories or more first" in note for note in notices(pilot)))
        await pilot.press("j", *keys[:-1])
        if len(keys) > 1:
            await until(pilot, lambda: "says the same" in screen_text(pilot))
        await pilot.press(keys[-1])
        screen = await asked(pilot)
        await until(pilot, lambda: screen.plan is not None)
        assert "Merge 2" in screen_text(pilot)
        await pilot.press("y")
        await until(pilot, lambda: not (memory / "two.md").exists())
        assert "Ask Ada." in (memory / "one.md").read_text()
        await until(pilot, lambda: any("Merged" in note for note in notices(pilot)))
        await pilot.press("z")
        await until(pilot, lambda: "two.md comes back" in screen_text(pilot))
        await pilot.press("y")
        await until(pilot, lambda: files(memory) == before)


async def test_merge_chooses_the_result_and_links_follow(four: Path) -> None:
    before = files(four)
    async with running(four, size=(120, 60)) as pilot:
        assert browse(pilot).situation.marked == 0
        await pilot.press("m")
        await pilot.pause()
        assert any("mark two memories or more first" in note for note in notices(pilot))
        await pilot.press("space", "space", "m")
        screen = await asked(pilot)
        await pilot.press("j")
        await until(pilot, lambda: isinstance(screen.plan, Plan) and screen.plan.slugs[0] == "b")
        text = told(screen)
        assert "Becomes an old version of b  1" in text
        assert "Links that follow, in  2" in text
        assert "a_v1.md" in text
        assert "## Name A" in text
        await pilot.press("y")
        await until(pilot, lambda: "a" not in rows(pilot))
        assert "## Name B" in (four / "b.md").read_text(encoding="utf-8")
        assert "[[b]]" in (four / "c.md").read_text(encoding="utf-8")
        manager = app_of(pilot).manager
        assert manager is not None
        manager.undo()
        assert files(four) == before


async def test_a_filter_that_hides_what_a_merge_made_is_told_and_cleared_goes_there(
    memory: Path, write: Write
) -> None:
    text = "The survey pipeline is rebuilt every night, and its report goes to the whole group by mail."
    write("z-old", name="Old", content=text, days=3)
    write("z-new", name="New", content=text, days=2)
    write("first", name="First", content="Something else entirely stands in this one.")
    async with running(memory) as pilot:
        await pilot.press("slash", *"is:duplicate", "enter")
        await until(pilot, lambda: sorted(rows(pilot)) == ["z-new", "z-old"])
        await pilot.press("A", "m")
        screen = await asked(pilot)
        assert screen.plan is not None
        await pilot.press("y")
        await until(pilot, lambda: "esc shows “New”: the filter hides it" in screen_text(pilot))
        assert rows(pilot) == []
        await pilot.press("escape")
        await until(pilot, lambda: cursor(pilot) == "z-new")
        assert "the filter hides it" not in screen_text(pilot)


async def test_what_an_undo_brings_back_into_the_filter_is_no_longer_said_to_be_hidden(
    memory: Path, write: Write
) -> None:
    text = "The survey pipeline is rebuilt every night, and its report goes to the whole group by mail."
    write("z-old", name="Old", content=text, days=3)
    write("z-new", name="New", content=text, days=2)
    async with running(memory) as pilot:
        await pilot.press("slash", *"is:duplicate", "enter")
        await until(pilot, lambda: sorted(rows(pilot)) == ["z-new", "z-old"])
        await pilot.press("A", "m")
        await asked(pilot)
        await pilot.press("y")
        await until(pilot, lambda: "the filter hides it" in screen_text(pilot))
        await pilot.press("z", "y")
        await until(pilot, lambda: sorted(rows(pilot)) == ["z-new", "z-old"])
        await until(pilot, lambda: "the filter hides it" not in screen_text(pilot))


async def test_a_merge_can_be_edited_first(four: Path) -> None:
    async with running(four, size=(120, 50)) as pilot:
        await pilot.press("space", "space", "m")
        await asked(pilot)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen))
        editor = pilot.app.screen
        assert isinstance(editor, EditScreen)
        assert "## Name A" in editor.draft.content
        assert "## Name B" in editor.draft.content
        assert editor.draft.slug == "a"


async def test_a_file_changed_since_it_was_shown_stops_it(four: Path) -> None:
    async with running(four, size=(120, 50)) as pilot:
        await pilot.press("space", "space", "d")
        await asked(pilot)
        path = four / "b.md"
        path.write_text(path.read_text() + "Somebody adds a line.\n")
        await pilot.press("y")
        await until(pilot, lambda: any("changed" in note for note in notices(pilot)))
        assert (four / "a.md").exists()
        assert "adds a line" in path.read_text()


async def test_chinese_and_hostile_names(memory: Path, write: Write) -> None:
    write("one", name='"[/] [b] x"', content="a")
    write("two", name="名称", content="b")
    async with running(memory, size=(80, 24)) as pilot:
        await pilot.press("A", "m")
        screen = await asked(pilot)
        assert "[/] [b] x" in screen_text(pilot) or "[/] [b] x" in told(screen)


def test_what_is_longer_than_its_line_is_said_whole_below() -> None:
    assert cut_off(("short", "a name"), 10) == []
    assert [plain(line) for line in layout(cut_off(("short", "名称" * 4), 10), 10)] == [
        "名称名称名",
        "称名称",
        "",
    ]


def test_a_merge_begins_with_each_sentence_once() -> None:
    why = "**Why:** a mocked migration broke production. It was found late."
    new = make(
        "new", name="New", content=f"Use a real database.\n\n{why}\n- One.\n\n```\nmake it\n```", days=1
    )
    old = make(
        "old",
        name="Old",
        content=f"use a real database。别用 mock。\n\n{why} Ask Ada.\n\n1. one\n2. Limit < 5.\n\n```\nmake it\n```",
        days=9,
    )
    same = make("same", name="Same", content="Use a real database.\n- Limit < 5.", days=10)
    assert merged([new, old, same], "new").content == (
        f"## New\n\nUse a real database.\n\n{why}\n- One.\n\n```\nmake it\n```\n\n"
        "## Old\n\n别用 mock。\n\nAsk Ada.\n\n2. Limit < 5.\n\n```\nmake it\n```"
    )
    assert (
        merged([make("a", content="Limit < 5."), make("b", content="Limit > 5.")], "a").content.count("5.")
        == 2
    )


def test_a_merge_begins_with_the_newest_fields_and_all_texts() -> None:
    old = make("old", name="Old", description="", content="Old text.\n", days=9)
    new = make("new", name="New", description="", content="\nNew text.\n", days=1)
    described = make("mid", name="Mid", description="Of the middle", content="Middle.", days=5)
    text = merged([old, new, described], "old")
    assert newest_first([old, new, described]) == [new, described, old]
    assert (text.slug, text.name, text.description) == ("old", "New", "Of the middle")
    assert text.content == "## New\n\nNew text.\n\n## Mid\n\nMiddle.\n\n## Old\n\nOld text."
    hostile = merged([make("x", name=HOSTILE), make("y", content="Another text.")], "x")
    assert "\n## " in hostile.content
    assert visible(hostile.slug) == hostile.slug
