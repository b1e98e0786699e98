"""Asks for the remote that a directory is to be shared through; what would go out stands there before it is asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Input, Static

from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.wording.saying import system_said
from memtui.team.address import DEFAULT_BRANCH
from memtui.tui import notices
from memtui.tui.actions.registry import bindings_for
from memtui.tui.present import team as present_team
from memtui.tui.screens.base import ActionModal
from memtui.tui.setting import Setting
from memtui.tui.voice import voice_of
from memtui.tui.widgets.dialog import Dialog, DialogButtons
from memtui.tui.widgets.fields import TextField
from memtui.tui.wording import whole
from memtui.tui.wording.team import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.team.results import Preview
    from memtui.tui.teaming import Teaming


@dataclass
class Previewed(Message):
    """It is known what would be shared."""

    preview: Preview


@dataclass
class Joined(Message):
    """The remote has answered, and it is shared now."""


@dataclass
class NotJoined(Message):
    """It is not; the reason is for a person."""

    error: MemtuiError


class JoinScreen(ActionModal[bool]):
    """Gives True once it is shared; None or False if nothing was done."""

    PLACE = "join"
    DEFAULT_CSS = """
    JoinScreen { align: center middle; background: $background 60%; }
    JoinScreen Dialog { width: 76; }
    JoinScreen TextField { background: $boost; }
    JoinScreen .join-label { margin-top: 1; color: $foreground 75%; }
    JoinScreen #join-preview { margin-top: 1; height: auto; }
    JoinScreen #join-problem { color: $text-error; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("join")]
    AUTO_FOCUS = "#join-remote"

    def __init__(self, setting: Setting, team: Teaming) -> None:
        """Prepare the question.

        Args:
            setting: the world.
            team: what shares the directory.
        """
        super().__init__()
        self._setting = setting
        self._team = team
        self._say = setting.voice().with_keys(words(setting.lang), NAMED_KEYS)
        self._stop: threading.Event | None = None

    def compose(self) -> ComposeResult:
        """Title, remote, branch, what would go out, what went wrong, buttons."""
        voice, say = voice_of(self.app), self._say
        with Dialog():
            yield Static(Content(say.join_title), classes="dialog-question", markup=False)
            yield Static(Content(say.join_hint), classes="dialog-line", markup=False)
            yield Static(Content(say.join_remote), classes="join-label", markup=False)
            yield TextField(placeholder="git@host:us/memories.git", id="join-remote")
            yield Static(Content(say.join_branch), classes="join-label", markup=False)
            branch = TextField(id="join-branch")
            branch.put(DEFAULT_BRANCH)
            yield branch
            yield Static(Content(say.reading), id="join-preview", markup=False)
            yield Static(Content(""), id="join-problem", markup=False)
            with DialogButtons():
                yield Button(
                    Content(voice.button(say.join_yes, "join_now")),
                    id="share",
                    variant="primary",
                    compact=True,
                )
                cancel = whole.words(self._setting.lang).cancel
                yield Button(Content(voice.button(cancel, "cancel_join")), id="cancel", compact=True)

    def on_mount(self) -> None:
        """See what would go out."""
        self.run_worker(self._preview, thread=True, group="preview")

    def _preview(self) -> None:
        try:
            self.post_message(Previewed(self._team.preview()))
        except MemtuiError as error:
            self.post_message(NotJoined(error))

    def on_previewed(self, message: Previewed) -> None:
        """Show it."""
        lines = present_team.preview_lines(message.preview, self._setting.lang, self._say)
        self.query_one("#join-preview", Static).update(Content("\n".join(lines)))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.do_join_now()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.do_join_now() if event.button.id == "share" else self.do_cancel_join()

    def do_join_now(self) -> None:
        """Ask the remote, in a thread."""
        remote, branch = (
            self.query_one(f"#{name}", TextField).value.strip() for name in ("join-remote", "join-branch")
        )
        if not remote or self._stop is not None:
            return
        self._stop = threading.Event()
        self._tell(self._say.join_asking)
        self.run_worker(
            partial(self._join, self._path(remote), branch or DEFAULT_BRANCH, self._stop),
            thread=True,
            group="join",
        )

    def _path(self, typed: str) -> str:
        """The address, where it is one below the home folder as the shell would have it."""
        home = self._setting.home
        return str(Path(home, typed[2:])) if home is not None and typed.startswith("~/") else typed

    def _join(self, remote: str, branch: str, stop: threading.Event) -> None:
        try:
            self._team.join(remote, branch, stop.is_set)
        except MemtuiError as error:
            self.post_message(NotJoined(error))
        except OSError as error:
            self.post_message(NotJoined(Refused(system_said(error), where=str(error.filename or ""))))
        else:
            self.post_message(Joined())

    def on_joined(self) -> None:
        """Done."""
        self.dismiss(True)

    def on_not_joined(self, message: NotJoined) -> None:
        """What was typed is still here, and why it is not shared."""
        self._stop = None
        title, rest = notices.error_text(message.error, self._setting.lang)
        self._tell(f"{title}\n{rest}".strip())

    def _tell(self, text: str) -> None:
        told = self.query_one("#join-problem", Static)
        told.update(Content(text))
        self.call_after_refresh(told.scroll_visible, animate=False)

    def do_cancel_join(self) -> None:
        """Give up what is asked; if nothing is, leave."""
        if self._stop is not None:
            self._stop.set()
        else:
            self.dismiss(False)
