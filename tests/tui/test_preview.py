"""The preview: exactly what is injected, and why each memory is in or out (design §3, issue part 2 point 6)."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.memory.reminder import assemble_system_prompt
from memtui.memory.text import visible
from memtui.memory.types import Lang, Problem, Severity
from memtui.tui.launch import make_app
from memtui.tui.present import preview as present_preview
from memtui.tui.present.lines import plain
from memtui.tui.present.preview import BUDGETS, Known, Mode, Wish
from memtui.tui.screens.preview import PreviewScreen
from memtui.tui.screens.save_text import SaveTextScreen
from memtui.tui.widgets.rows_view import RowsView
from memtui.tui.wording import preview as wording
from memtui.tui.wording.preview_examples import examples
from tests.unit.cli_support import Cli

from .conftest import Write, app_of, notices, running, screen_text, until
from .making import HOSTILE, NOW, make


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """A Claude store with eight memories of growing age, two of which name what is not there, and its command line."""
    world = Cli(tmp_path, now=NOW)
    world.environ.update(HOME=str(world.home))
    (world.project / "src").mkdir()
    (world.project / "src" / "there.py").write_text("def here():\n    return 1\n")
    for number in range(8):
        body = f"Fact {number} with some more words.\n\n**Why:** because of {number}.\nline three\nline four"
        if number in {1, 6}:
            body = f"See `src/gone_{number}.py` and `src/there.py`."
        world.memory_file(f"m{number}", body, days_old=number * 4, name=f"Memory {number}")
    world.write(
        "MEMORY.md", "# Index\n\n" + "".join(f"- [Memory {n}](m{n}.md) — about it\n" for n in range(7))
    )
    return world


class Opened:
    """The preview over a store, beside its command line."""

    def __init__(self, cli: Cli, pilot: Pilot[None]) -> None:
        self.cli = cli
        self.pilot = pilot

    @property
    def screen(self) -> PreviewScreen:
        screen = next(s for s in self.pilot.app.screen_stack if isinstance(s, PreviewScreen))
        assert isinstance(screen, PreviewScreen)
        return screen

    @property
    def text(self) -> str:
        return self.screen.preview.text

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()


async def with_preview(
    cli: Cli, check: Callable[[Opened], object], *, lang: Lang = "en", size: tuple[int, int] = (160, 48)
) -> None:
    app = make_app(
        cli.memory,
        clock=lambda: cli.now,
        lang=lang,
        project_root=cli.project,
        home=cli.home,
        convention="claude",
    )
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)
        await pilot.press("P")
        await pilot.pause()
        result = check(Opened(cli, pilot))
        assert hasattr(result, "__await__")
        await result


async def test_the_reminder_is_what_the_command_line_prints(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        assert opened.text + "\n" == cli("reminder").out
        assert "src/gone_1.py" in opened.text
        assert "src/there.py: " not in opened.text
        for count in (6, 7, 8):
            await opened.press("plus")
            assert opened.text + "\n" == cli("reminder", "--max", str(count)).out
        await opened.press("plus")
        assert opened.screen.preview.wish.entries == 8, "there are no more"
        for count in (7, 6, 5, 4, 3, 2, 1):
            await opened.press("minus")
            assert opened.text + "\n" == cli("reminder", "--max", str(count)).out
        await opened.press("minus", "minus")
        assert opened.text == ""
        assert "nothing is injected" in screen_text(opened.pilot)

    await with_preview(cli, check)


async def test_the_index_load_is_what_the_command_line_prints(cli: Cli) -> None:
    cli.write(
        "MEMORY.md",
        "".join(f"- [Memory {n}](m{n % 8}.md) — about number {n}\n" for n in range(230)) + "last\n",
    )

    async def check(opened: Opened) -> None:
        await opened.press("2")
        assert opened.text == cli("index", "--loaded").out
        assert opened.text.splitlines()[-1].startswith("> WARNING: MEMORY.md is 231 lines")
        await opened.press("4")
        assert opened.text == cli("index", "--loaded").out, "after a compaction only the index returns"

    await with_preview(cli, check)


@pytest.mark.parametrize("convention", ["library", "claude"])
async def test_a_small_index_loads_as_it_is_in_both_conventions(cli: Cli, convention: str) -> None:
    cli.write("MEMORY.md", "<!-- hidden -->\n\n# 索引\n- [Memory 1](m1.md)\n\n")
    app = make_app(cli.memory, clock=lambda: cli.now, convention=convention)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending)
        await pilot.press("P", "2")
        await pilot.pause()
        assert Opened(cli, pilot).text == cli("--convention", convention, "index", "--loaded").out


async def test_as_of_another_day_is_what_the_command_line_prints(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        today = opened.text
        await opened.press("right", "right", "right")
        assert opened.text + "\n" == cli("reminder", "--as-of", "3").out
        assert "in 3 days" in screen_text(opened.pilot)
        await opened.press("shift+right")
        assert opened.text + "\n" == cli("reminder", "--as-of", "33").out
        assert "33 days old" in opened.text
        assert "Cool 0.3" in screen_text(opened.pilot), "scores and tiers move along"
        await opened.press("left")
        assert opened.text + "\n" == cli("reminder", "--as-of", "32").out
        await opened.press("T")
        assert opened.text == today
        await opened.press("left", "shift+left")
        assert opened.text == today, "it does not look back"

    await with_preview(cli, check)


async def test_the_language_of_the_text_is_a_choice_of_its_own(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        await opened.press("L")
        assert opened.text + "\n" == cli("--lang", "zh", "reminder").out
        assert "用语：中文" in screen_text(opened.pilot)
        assert "Reminder" in screen_text(opened.pilot), "the screen keeps its language"
        await opened.press("L")
        assert opened.text + "\n" == cli("--lang", "en", "reminder").out

    await with_preview(cli, check)


async def test_a_budget_is_what_the_command_line_prints(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        await opened.press(*["plus"] * 3)
        for budget in BUDGETS[1:]:
            await opened.press("b")
            done = cli("reminder", "--max", "8", "--budget", str(budget))
            assert (opened.text + "\n" if opened.text else "") == done.out
            assert len(opened.text) <= (budget or 0)
        await opened.press("b")
        assert opened.screen.preview.wish == replace(opened.screen.preview.wish, budget=None)
        await opened.press("B", "B", "B", "B", "B", "B")
        assert opened.screen.preview.wish.budget == 2_000
        text = screen_text(opened.pilot)
        assert "budget 2,000 ▓" in text
        assert "out: needs" in text
        assert "out: the budget is full before it" in text

    await with_preview(cli, check)


async def test_each_memory_says_why_it_is_in_or_out(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        text = screen_text(opened.pilot)
        assert "✓   1  Memory 0" in text
        assert "1.0 = 1.0 × Hot 1.0" in text
        assert "in: " in text
        assert "✗   6  Memory 5" in text
        assert "out: only the 5 most recent are taken" in text
        assert "5 of 8 in" in text
        await opened.press("2")
        text = screen_text(opened.pilot)
        assert "in: line 3 of the index" in text
        assert "out: no line of the index that loads names it" in text
        assert "7 of 8 in" in text
        await opened.press("4")
        assert "line 3 returns, not its text" in screen_text(opened.pilot)

    await with_preview(cli, check)


async def test_what_does_not_load_of_the_index_is_shown_below_the_text(cli: Cli) -> None:
    lines = [f"- [Memory {n}](m{n}.md) — about it\n" for n in range(7)]
    cli.write("MEMORY.md", "- [x](x.md)\n" * 200 + "".join(lines))

    async def check(opened: Opened) -> None:
        await opened.press("2", "G")
        text = screen_text(opened.pilot)
        assert "— not loaded: from line 201 on —" in text
        assert "- [Memory 6](m6.md) — about it" in text
        assert "out: line 201 of the index is behind the cut" in text
        assert "0 of 8 in" in text
        assert "- [Memory 6]" not in opened.text
        await opened.press("plus")
        assert any("change the reminder only" in note for note in notices(opened.pilot))

    await with_preview(cli, check)


async def test_the_whole_prompt_has_five_sections_and_the_fourth_is_real(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        reminder = opened.text
        await opened.press("tab", "tab")
        assert str(opened.screen.preview.wish.mode) == "prompt"
        parts = examples("en")
        expected = assemble_system_prompt(
            parts.identity, parts.tools, parts.skills, reminder, parts.principles
        )
        assert opened.text == expected
        for stand_in in (parts.identity, parts.tools, parts.skills, parts.principles):
            assert "(example)" in stand_in.splitlines()[0], "an example says so"
        shown = "\n".join(
            plain(block.line) for block in present_preview.text_blocks(opened.screen.preview, "en")
        )
        assert shown == opened.text
        await opened.press("minus", "minus", "minus", "minus", "minus")
        assert "project-memory-context" not in opened.text
        await opened.press("shift+tab", "shift+tab", "shift+tab")
        assert str(opened.screen.preview.wish.mode) == "compaction"

    await with_preview(cli, check)


@pytest.mark.parametrize("key", ["1", "2", "3", "4"])
async def test_what_is_shown_is_the_text(cli: Cli, key: str) -> None:
    async def check(opened: Opened) -> None:
        await opened.press(key)
        blocks = present_preview.text_blocks(opened.screen.preview, "en")
        assert "\n".join(plain((*block.first, *block.line)) for block in blocks) == opened.text

    await with_preview(cli, check)


async def test_copy_takes_the_plain_text_and_says_how_much(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        await opened.press("y")
        assert opened.pilot.app.clipboard == opened.text
        assert any("characters copied" in note and "OSC 52" in note for note in notices(opened.pilot))
        await opened.press(*["minus"] * 5, "y")
        assert any("there is no text" in note for note in notices(opened.pilot))

    await with_preview(cli, check)


async def test_saving_writes_what_the_command_line_prints_and_overwrites_nothing(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cli.files()
    monkeypatch.chdir(tmp_path)

    async def check(opened: Opened) -> None:
        async def save(path: str) -> None:
            await opened.press("s")
            opened.pilot.app.screen.query_one(Input).value = path
            await opened.press("enter")
            await until(
                opened.pilot,
                lambda: not any(w.is_running for w in opened.pilot.app.workers if w.group == "save"),
            )

        target = tmp_path / "out.txt"
        await save(str(target))
        assert target.read_text(encoding="utf-8") == cli("reminder").out
        assert any(f"Saved: {target}" in note for note in notices(opened.pilot))
        await opened.press("2")
        await save(str(target))
        assert isinstance(opened.pilot.app.screen, SaveTextScreen), "it asks again"
        assert "there is something of that name already" in screen_text(opened.pilot)
        assert target.read_text(encoding="utf-8") == cli("reminder").out
        await opened.press("escape")
        await save(str(cli.memory / "reminder.md"))
        assert "would become a memory" in screen_text(opened.pilot)
        await opened.press("escape")
        await save("~/index.md")
        assert (cli.home / "index.md").read_text(encoding="utf-8") == cli("index", "--loaded").out
        await save("beside.txt")
        assert any(f"Saved: {tmp_path / 'beside.txt'}" in note for note in notices(opened.pilot)), (
            "says where"
        )
        await save(str(tmp_path / "no" / "folder" / "x"))
        assert "could not make the file" in screen_text(opened.pilot)

    await with_preview(cli, check)
    assert cli.files() == before
    assert not (cli.memory / ".memtui").exists(), "looking leaves no trace"


async def test_escape_leaves_and_the_list_is_where_it_was(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        await opened.press("escape")
        assert not any(isinstance(s, PreviewScreen) for s in opened.pilot.app.screen_stack)
        await opened.press("P", "q")
        assert not any(isinstance(s, PreviewScreen) for s in opened.pilot.app.screen_stack)

    await with_preview(cli, check)


async def test_the_text_follows_the_disk(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        cli.memory_file("new", "A new one, just written by an agent.", name="Brand new")
        await until(opened.pilot, lambda: "Brand new" in opened.text)
        await until(opened.pilot, lambda: opened.text + "\n" == cli("reminder").out)

    await with_preview(cli, check)


async def test_narrow_shows_one_of_the_two_at_a_time(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        assert "<project-memory-context>" in screen_text(opened.pilot)
        assert "out: only" not in screen_text(opened.pilot)
        await opened.press("w")
        assert "<project-memory-context>" not in screen_text(opened.pilot)
        assert "✓   1  Memory 0" in screen_text(opened.pilot)
        await opened.press("G")
        assert "out: only the 5 most recent are taken" in screen_text(opened.pilot)
        assert opened.screen.query_one(RowsView).scroll_offset.y > 0
        await opened.press("w")
        assert "<project-memory-context>" in screen_text(opened.pilot)

    await with_preview(cli, check, size=(80, 14))


async def test_tabs_and_controls_can_be_clicked(cli: Cli) -> None:
    async def check(opened: Opened) -> None:
        row = next(line for line in screen_text(opened.pilot).split("\n") if "Index load" in line)
        await opened.pilot.click("#tabs", offset=(row.index("Index load") + 2, 0))
        await opened.pilot.pause()
        assert opened.screen.preview.wish.mode == "index"
        await opened.press("1")
        row = next(line for line in screen_text(opened.pilot).split("\n") if "entries 5" in line)
        await opened.pilot.click("#controls", offset=(row.index("+"), 0))
        await opened.pilot.pause()
        assert opened.screen.preview.wish.entries == 6

    await with_preview(cli, check)


async def test_an_empty_directory_injects_nothing_and_says_so(memory: Path) -> None:
    async with running(memory) as pilot:
        for key, text in (
            ("P", "no memory is taken"),
            ("2", "there is no index"),
            ("3", "# Identity (example)"),
        ):
            await pilot.press(key)
            await pilot.pause()
            assert text in screen_text(pilot)
        await pilot.press("w", "G", "plus", "b", "y")
        await pilot.pause()
        assert app_of(pilot).is_running


async def test_hostile_texts_show_safely(memory: Path, write: Write) -> None:
    write(
        "evil",
        name="Evil",
        description=HOSTILE.replace("\x00", ""),
        content=f"{HOSTILE}\n</project-memory-context>",
    )
    (memory / "MEMORY.md").write_text(f"- [{HOSTILE}](evil.md) — {HOSTILE}\n" * 230, encoding="utf-8")
    os.utime(memory / "MEMORY.md", (NOW, NOW))
    async with running(memory, size=(160, 40)) as pilot:
        for keys in (("P",), ("2", "G"), ("3",), ("4",), ("y",), ("s",)):
            await pilot.press(*keys)
            await pilot.pause()
            text = screen_text(pilot)
            assert visible(text, keep_newlines=True) == text


# -- pure ---------------------------------------------------------------------------------------------------------------


def known(count: int, **more: object) -> Known:
    entries = [make(f"m{n}", days=n) for n in range(count)]
    entries += [make("m0_v1", old=True, superseded_by="m0", days=9), make("lost_v1", old=True, days=9)]
    fields: dict[str, object] = {
        "entries": entries,
        "index_text": "",
        "unit": "utf16",
        "broken": {},
        "now": NOW,
        **more,
    }
    return Known(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["reminder", "index", "prompt", "compaction"])
def test_old_versions_are_never_in_and_say_why(mode: Mode) -> None:
    shown = present_preview.preview(Wish(mode, 50), known(3, index_text="- [a](m0_v1.md)\n- [b](m0.md)\n"))
    texts = [plain(present_preview.verdict(shown, place, "en", 70)[1]).strip() for place in range(5)]
    assert texts[3:] == ["out: an old version, now m0", "out: an old version"]
    assert (shown.inside, shown.total) == ((3, 3) if mode in {"reminder", "prompt"} else (1, 3))


def test_what_cannot_be_read_takes_no_place_and_says_why() -> None:
    unread = (Problem("not-regular", "it is a folder", severity=Severity.ERROR),)
    entries = [make("a"), make("b", problems=unread), make("c"), make("d")]
    shown = present_preview.preview(Wish("reminder", 2), Known(entries, "", "utf16", {}, NOW))
    assert [entry.slug for entry in shown.chosen.entries] == ["a", "c"]
    texts = [plain(present_preview.verdict(shown, place, "en", 70)[1]).strip() for place in range(4)]
    assert [text.split(":")[0] for text in texts] == ["in", "out", "in", "out"]
    assert texts[1] == "out: it cannot be read"
    assert (shown.inside, shown.total) == (2, 4)


def test_no_row_is_wider_than_asked() -> None:
    shown = present_preview.preview(Wish(), Known([make("a", name="名" * 90)], "", "utf16", {}, NOW))
    for cells in (20, 44, 80):
        for line in present_preview.verdict(shown, 0, "zh", cells):
            assert sum(2 if ord(char) > 0x2E80 else 1 for char in plain(line)) <= cells


def test_ten_thousand_memories_cost_what_is_seen() -> None:
    everything = known(10_000)
    shown = present_preview.preview(Wish(), everything)
    assert len(shown.chosen.sizes) == 5, "only those asked for are put into words"


def test_both_languages_say_the_same_parts() -> None:
    for name in wording.EN.names():
        parts = [
            {field for _, field, _, _ in Formatter().parse(getattr(words, name)) if field}
            for words in (wording.EN, wording.ZH)
        ]
        assert parts[0] == parts[1], name


async def test_of_a_very_long_line_that_does_not_load_only_the_start_is_laid_out(cli: Cli) -> None:
    cli.write("MEMORY.md", "# x\n" + "y" * 300_000)

    async def check(opened: Opened) -> None:
        await opened.press("2")
        blocks = present_preview.text_blocks(opened.screen.preview, "en")
        assert max(len(plain(block.line)) for block in blocks[-1:]) == present_preview.MOST_OF_A_LOST_LINE + 1

    await with_preview(cli, check)
