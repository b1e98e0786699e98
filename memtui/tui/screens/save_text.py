"""Asks where a text shall be saved, and writes it there: a new file, never over another one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from memtui.memory.disk.export import write_new
from memtui.memory.errors import MemtuiError
from memtui.memory.text import visible
from memtui.tui import notices
from memtui.tui.actions.registry import bindings_for
from memtui.tui.present.parts import short_path
from memtui.tui.screens.base import ActionModal
from memtui.tui.setting import Setting
from memtui.tui.widgets.line_input import LineInput
from memtui.tui.wording.preview import words


@dataclass
class Written(Message):
    """The file is on disk."""

    path: Path


@dataclass
class NotWritten(Message):
    """There is no file; the reason is for a person."""

    error: MemtuiError


class SaveTextScreen(ActionModal[str]):
    """Gives the path written to, fit to be shown; None if nothing was written."""

    PLACE = "save_text"
    DEFAULT_CSS = """
    SaveTextScreen { align: center middle; background: $background 60%; }
    #save-box {
        width: 76; max-width: 100%; height: auto; max-height: 100%;
        background: $surface; border-left: thick $primary; padding: 1 2;
    }
    #save-title { text-style: bold; }
    #save-path { margin: 1 0; }
    #save-hint { color: $foreground 75%; }
    #save-problem { color: $text-error; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("save_text")]
    AUTO_FOCUS = "#save-path"

    def __init__(self, setting: Setting, text: str, name: str) -> None:
        """Prepare the question.

        Args:
            setting: the world.
            text: what is written, exactly.
            name: the path proposed.
        """
        super().__init__()
        self._setting = setting
        self._text = text
        self._name = name
        self._writing = False

    def compose(self) -> ComposeResult:
        """Title, path, what happens, and what went wrong."""
        say = words(self._setting.lang)
        with Vertical(id="save-box"):
            yield Static(Content(say.save_title), id="save-title", markup=False)
            yield LineInput(self._name, placeholder=say.save_path, id="save-path")
            yield Static(Content(say.save_hint), id="save-hint", markup=False)
            yield Static(Content(""), id="save-problem", markup=False)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.perform("write_text")

    def do_write_text(self) -> None:
        """Write the file, in a thread."""
        typed = self.query_one(Input).value.strip()
        if not typed or self._writing:
            return
        self._writing = True
        self.run_worker(partial(self._write, self._path(typed)), thread=True, group="save")

    def _path(self, typed: str) -> Path:
        home = self._setting.home
        if home is not None and (typed == "~" or typed.startswith("~/")):
            return home / typed[2:]
        return Path(typed)

    def _write(self, path: Path) -> None:
        try:
            write_new(path, self._text, apart_from=self._setting.directory)
        except MemtuiError as error:
            self.post_message(NotWritten(error))
        else:
            self.post_message(Written(path))

    @on(Written)
    def _written(self, message: Written) -> None:
        # Whole: whoever typed a name only wants to know in which folder it is now.
        self.dismiss(visible(short_path(message.path.absolute(), self._setting.home)))

    @on(NotWritten)
    def _not_written(self, message: NotWritten) -> None:
        self._writing = False
        title, rest = notices.error_text(message.error, self._setting.lang)
        self.query_one("#save-problem", Static).update(Content(f"{title}\n{rest}".strip()))

    def do_cancel_text(self) -> None:
        """Write nothing."""
        self.dismiss(None)
