"""Moving in whatever pane one is in: six actions that every screen with a list or a text shares."""

from __future__ import annotations

from typing import Protocol


class Movable(Protocol):
    """A pane one can move in."""

    def move(self, lines: int) -> None:
        """Move down by lines, or up."""

    def move_page(self, pages: int) -> None:
        """Move down by screenfuls, or up."""

    def move_to_end(self, *, last: bool) -> None:
        """Move to the first or last line."""


class Moving:
    """Mixed into a screen: the moving actions of the registry, done in ``moving_pane``."""

    @property
    def moving_pane(self) -> Movable:
        """Where one is."""
        raise NotImplementedError

    def do_down(self) -> None:
        """Next row or line."""
        self.moving_pane.move(1)

    def do_up(self) -> None:
        """Previous row or line."""
        self.moving_pane.move(-1)

    def do_page_down(self) -> None:
        """A screenful down."""
        self.moving_pane.move_page(1)

    def do_page_up(self) -> None:
        """A screenful up."""
        self.moving_pane.move_page(-1)

    def do_top(self) -> None:
        """The first row or line."""
        self.moving_pane.move_to_end(last=False)

    def do_bottom(self) -> None:
        """The last row or line."""
        self.moving_pane.move_to_end(last=True)
