"""The scrollbar of lists and texts: where it stands, and that it is not painted for nothing (design §7)."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.strip import Strip

from memtui.tui.widgets.line_view import LineView


class Lines(LineView):
    def render_line(self, y: int) -> Strip:
        del y
        return Strip.blank(self.cells)


class Holder(App[None]):
    def compose(self) -> ComposeResult:
        yield Lines()


async def test_it_stands_still_while_it_looks_the_same_and_is_right_when_the_text_gets_shorter() -> None:
    app = Holder()
    async with app.run_test(size=(40, 20)) as pilot:
        view = app.query_one(Lines)
        view.set_line_count(10_000)
        await pilot.pause()
        bar = view.vertical_scrollbar
        view.scroll_to(y=20, animate=False)
        await pilot.pause()
        assert bar.position == 0
        view.scroll_to(y=5_000, animate=False)
        await pilot.pause()
        assert bar.position == 5_000
        view.scroll_to(y=5_020, animate=False)
        await pilot.pause()
        assert bar.position == 5_000
        view.set_line_count(5_060)
        await pilot.pause()
        assert bar.position == view.scroll_offset.y == 5_020
        view.scroll_to(y=5_040, animate=False)
        await pilot.pause()
        assert bar.position == 5_040  # the very end
