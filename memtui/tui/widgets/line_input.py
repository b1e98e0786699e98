"""A line to type into, with the keys that people know from shells and browsers beside Textual's own."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Input


class LineInput(Input):
    """An input that knows word and end keys; Textual's own deletes to the right for ``alt+backspace``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+home", "home", show=False),
        Binding("ctrl+end", "end", show=False),
        Binding("ctrl+shift+home", "home(True)", show=False),
        Binding("ctrl+shift+end", "end(True)", show=False),
        Binding("alt+left,alt+b", "cursor_left_word", show=False),
        Binding("alt+right,alt+f", "cursor_right_word", show=False),
        Binding("ctrl+backspace,alt+backspace", "delete_left_word", show=False),
        Binding("ctrl+delete,alt+delete,alt+d", "delete_right_word", show=False),
    ]

    def __init__(
        self,
        value: str | None = None,
        *,
        placeholder: str = "",
        select_on_focus: bool = True,
        id: str | None = None,  # noqa: A002 – Textual's own name
    ) -> None:
        super().__init__(value, placeholder=placeholder, compact=True, select_on_focus=select_on_focus, id=id)
        self.cursor_blink = False  # nothing is painted while nobody types
