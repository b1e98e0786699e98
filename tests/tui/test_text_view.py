"""The Line-API text view: a megabyte is laid out at once, links can be gone to, the place is kept."""

from __future__ import annotations

from textual.app import App, ComposeResult

from memtui.tui.messages import LinkFollowed
from memtui.tui.present import parts
from memtui.tui.present.blocks import Block, source_blocks
from memtui.tui.present.markdown import render
from memtui.tui.widgets.text_view import TextView


class ViewApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.followed: list[str] = []

    def compose(self) -> ComposeResult:
        yield TextView()

    def on_link_followed(self, message: LinkFollowed) -> None:
        self.followed.append(message.target)


def lines(count: int) -> list[Block]:
    return [Block(((f"line {number}", ""),)) for number in range(count)]


def top(view: TextView) -> str:
    return view.render_line(0).text.strip()


async def test_place_is_kept_for_the_same_text_and_reset_for_another() -> None:
    app = ViewApp()
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.query_one(TextView)
        view.show(lines(50), key="a")
        await pilot.pause()
        view.move(20)
        await pilot.pause()
        assert top(view) == "line 20"
        view.show(lines(60), key="a")
        await pilot.pause()
        assert top(view) == "line 20"
        view.show(lines(60), key="b")
        await pilot.pause()
        assert top(view) == "line 0"


async def test_a_megabyte_in_one_line_can_be_read_to_its_end() -> None:
    app = ViewApp()
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.query_one(TextView)
        text = "x" * 1_000_000 + "END"
        view.show(source_blocks(parts.source_lines(text)), key="a")
        await pilot.pause()
        view.move_to_end(last=True)
        await pilot.pause()
        assert any("END" in view.render_line(y).text for y in range(10))


async def test_text_is_broken_again_when_the_width_changes() -> None:
    app = ViewApp()
    async with app.run_test(size=(60, 10)) as pilot:
        view = app.query_one(TextView)
        view.show([Block((("word " * 30, ""),))], key="a")
        await pilot.pause()
        before = len(view.lines)
        await pilot.resize_terminal(30, 10)
        await pilot.pause()
        assert len(view.lines) > before


async def test_links_are_gone_to_and_clicked() -> None:
    app = ViewApp()
    async with app.run_test(size=(60, 12)) as pilot:
        view = app.query_one(TextView)
        view.show(render("[[first]]\n\n[[second]]"), key="a")
        await pilot.pause()
        gone_to = [view.link]
        for step in (1, 1, 1, -1):
            assert view.next_link(step)
            gone_to.append(view.link)
        assert gone_to == [None, "first", "second", "first", "second"]
        await pilot.click(TextView, offset=(2, 0))
        await pilot.pause()
        assert app.followed == ["first"]
        view.show(render("no link"), key="b")
        assert not view.next_link(1)
