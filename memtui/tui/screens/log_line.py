"""Asks for a line, and writes it into today's log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Input, Static

from memtui.agent.daily_log import Appended
from memtui.memory.errors import MemtuiError
from memtui.memory.secrets.guard import find_secrets
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.tui import notices
from memtui.tui.actions.registry import bindings_for
from memtui.tui.screens.base import ActionModal
from memtui.tui.voice import voice_of
from memtui.tui.widgets.dialog import Dialog, DialogButtons
from memtui.tui.widgets.fields import TextField
from memtui.tui.wording import whole
from memtui.tui.wording.log import words


@dataclass
class LineWritten(Message):
    """The line is on disk; ``rules`` name what in it looks like a secret."""

    done: Appended
    rules: tuple[str, ...]


@dataclass
class LineRefused(Message):
    """It is not."""

    error: MemtuiError


class LogLineScreen(ActionModal[Appended]):
    """Gives where the line went; None if nothing was written."""

    PLACE = "log_line"
    DEFAULT_CSS = """
    LogLineScreen { align: center middle; background: $background 60%; }
    LogLineScreen TextField { margin: 1 0; background: $boost; }
    LogLineScreen #line-problem { color: $text-error; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("log_line")]
    AUTO_FOCUS = "TextField"

    def __init__(self, write: Callable[[str], Appended], lang: Lang) -> None:
        """Prepare the question.

        Args:
            write: writes a line; runs in a thread.
            lang: language of the dialog.
        """
        super().__init__()
        self._write = write
        self._lang: Lang = lang
        self._say = words(lang)
        self._writing = False

    def compose(self) -> ComposeResult:
        """Title, line, what happens, what went wrong, buttons."""
        voice = voice_of(self.app)
        cancel = whole.words(self._lang).cancel
        with Dialog():
            yield Static(Content(self._say.append_title), classes="dialog-question", markup=False)
            yield TextField()
            yield Static(Content(self._say.append_hint), classes="dialog-line", markup=False)
            yield Static(Content(""), id="line-problem", markup=False)
            with DialogButtons():
                yield Button(
                    Content(voice.button(self._say.write, "write_line")),
                    id="write",
                    variant="primary",
                    compact=True,
                )
                yield Button(Content(voice.button(cancel, "cancel_line")), id="cancel", compact=True)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.do_write_line()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "write":
            self.do_write_line()
        else:
            self.dismiss(None)

    def do_write_line(self) -> None:
        """Write the line, in a thread."""
        if not self._writing:
            self._writing = True
            text = self.query_one(TextField).value
            self.run_worker(partial(self._in_thread, text), thread=True, group="log")

    def _in_thread(self, text: str) -> None:
        try:
            done = self._write(text)
        except MemtuiError as error:
            self.post_message(LineRefused(error))
        else:
            self.post_message(LineWritten(done, tuple(sorted({each.rule for each in find_secrets(text)}))))

    def on_line_written(self, message: LineWritten) -> None:
        """Done; what looks like a secret is said, for it cannot be taken back."""
        if message.rules:
            say, path = self._say, visible(message.done.rel)
            text = say.looks_hint.format(rules=", ".join(message.rules), path=path)
            self.app.notify(text, title=say.looks, severity="warning", timeout=15, markup=False)
        self.dismiss(message.done)

    def on_line_refused(self, message: LineRefused) -> None:
        """The text is still here, and why it was not written."""
        self._writing = False
        title, rest = notices.error_text(message.error, self._lang)
        self.query_one("#line-problem", Static).update(Content(f"{title}\n{rest}".strip()))

    def do_cancel_line(self) -> None:
        """Write nothing."""
        self.dismiss(None)
