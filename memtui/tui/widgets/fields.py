"""The one-line fields of the editor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive, reactive
from textual.widgets import Input

from memtui.memory.text import visible
from memtui.memory.types import MemoryType
from memtui.tui.present.lines import Line
from memtui.tui.present.parts import label
from memtui.tui.widgets.bar import Bar
from memtui.tui.widgets.line_input import LineInput
from memtui.tui.widgets.painted import ACTION_META


class TextField(LineInput):
    """A line to type into; what it holds stays as it is, what it shows is safe."""

    # A longer text changes nothing but where the line is scrolled to: no layout at every key.
    virtual_size = Reactive(Size(0, 0))

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        super().__init__(placeholder=placeholder, select_on_focus=False, id=id)

    @property
    def _value(self) -> Text:
        return Text(visible(self.value), no_wrap=True, overflow="ignore", end="")

    def _position_to_cell(self, position: int) -> int:
        return cell_len(visible(self.value[:position]))

    def on_key(self, event: events.Key) -> None:
        """Up and down go to the fields around."""
        if event.key in {"up", "down"}:
            event.stop()
            event.prevent_default()
            self.screen.focus_previous() if event.key == "up" else self.screen.focus_next()

    def put(self, text: str) -> None:
        """Put a text in, without telling anybody."""
        with self.prevent(Input.Changed):
            self.value = text


class ChoiceField(Bar, can_focus=True):
    """A few values side by side; left and right, their first letters or a click choose."""

    DEFAULT_CSS = "ChoiceField { height: 1; }"
    value: reactive[str] = reactive("")

    @dataclass
    class Changed(Message):
        """Another value was chosen."""

        field: ChoiceField
        value: str

        @property
        def control(self) -> ChoiceField:
            """The field."""
            return self.field

    def __init__(self, values: Mapping[str, str], *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        """Prepare the field.

        Args:
            values: what can be chosen, each with what it is called.
            id: Textual's.
        """
        super().__init__(id=id)
        self._values = values

    def parse(self, text: str) -> str | None:
        """The value that a text stands for; None for none of them."""
        return text if text in self._values else None

    def put(self, text: str) -> None:
        """Show a value as written, whatever it is, without telling anybody."""
        self.value = text

    def line(self, cells: int) -> Line:
        """``user  feedback  project  reference``, the chosen one marked; another one as it is written."""
        del cells
        chosen = self.parse(self.value)
        parts: list[tuple[str, str]] = []
        for value, called in self._values.items():
            mark, role = (
                ("●", "title-active" if self.has_focus else "title") if value == chosen else ("○", "dim")
            )
            parts += [(f"{mark} ", f"{role}={value}"), (f"{called}  ", f"{role}={value}")]
        if chosen is None and self.value:
            parts.append((f"? {label(self.value)}", "warn"))
        return tuple(parts)

    def _choose(self, value: str) -> None:
        if self.value != value:
            self.value = value
            self.post_message(self.Changed(self, value))

    def on_key(self, event: events.Key) -> None:
        """Choose by key."""
        values = list(self._values)
        chosen = self.parse(self.value)
        if event.key in {"left", "right"}:
            step = 1 if event.key == "right" else -1
            place = (values.index(chosen) + step) % len(values) if chosen is not None else 0
            self._choose(values[place])
        elif event.key in {"up", "down", "enter"}:
            self.screen.focus_previous() if event.key == "up" else self.screen.focus_next()
        else:
            named = [
                value for value in values if event.character and value.startswith(event.character.lower())
            ]
            if not named:
                return
            self._choose(named[0])
        event.stop()
        event.prevent_default()

    def on_click(self, event: events.Click) -> None:
        """Choose by click."""
        value = self.parse(str(event.style.meta.get(ACTION_META, "")))
        self.focus()
        if value is not None:
            event.stop()
            self._choose(value)

    def on_focus(self) -> None:
        """Show where one is."""
        self.refresh()

    def on_blur(self) -> None:
        """Show that one is elsewhere."""
        self.refresh()


class TypeField(ChoiceField):
    """The four types."""

    def __init__(self, names: Sequence[str] = (), *, id: str | None = None) -> None:  # noqa: A002 – Textual's own name
        """Prepare the field.

        Args:
            names: what the four are called; as they are written where empty.
            id: Textual's.
        """
        kinds = [str(kind) for kind in MemoryType]
        super().__init__(dict(zip(kinds, names or kinds, strict=True)), id=id)

    def parse(self, text: str) -> str | None:
        """The type that a text stands for, however it is written."""
        kind = MemoryType.parse(text)
        return None if kind is None else str(kind)
