"""How somebody likes the list: its order, its rows, its columns. Plain values, so that they can be kept in a file."""

from __future__ import annotations

from typing import Literal, NamedTuple

Density = Literal["compact", "comfortable"]

COLUMNS = ("tier", "score", "age", "used", "type", "size", "description", "marks")
"""What a row can show beside the name, in the order it does."""
USUAL_COLUMNS = ("tier", "score", "type", "description", "marks")


class Preferences(NamedTuple):
    """What the list looks like unless told otherwise.

    Attributes:
        sort: id of an order, see ``filtering.SORTS``; an unknown one counts as ``score``.
        reverse: whether the order is turned round.
        density: one line for each memory, or two.
        columns: which of ``COLUMNS`` a row shows; unknown ones are left out.
    """

    sort: str = "score"
    reverse: bool = False
    density: Density = "compact"
    columns: tuple[str, ...] = USUAL_COLUMNS

    @property
    def height(self) -> int:
        """Lines that a row takes."""
        return 2 if self.density == "comfortable" else 1

    def with_column(self, column: str, *, shown: bool) -> tuple[str, ...]:
        """The columns with this one shown or not, in the order of ``COLUMNS``."""
        wanted = {*self.columns, column} if shown else set(self.columns) - {column}
        return tuple(name for name in COLUMNS if name in wanted)


USUAL = Preferences()
