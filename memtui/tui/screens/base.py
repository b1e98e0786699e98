"""What every screen shares: its actions come from the registry, and an action that cannot be done says why."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any, ClassVar, TypeVar

from textual.events import ScreenResume
from textual.geometry import Size
from textual.messages import Update
from textual.notifications import SeverityLevel
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from memtui.memory.errors import MemtuiError
from memtui.tui.actions.registry import BY_ID, Situation
from memtui.tui.compositor import ExactCompositor
from memtui.tui.messages import ActionWanted
from memtui.tui.voice import voice_of
from memtui.tui.wording.whole import words

Result = TypeVar("Result")

REFUSAL_SECONDS = 15
"""How long a notice stays that says what was refused, where, and what to do (ours); others stay as long as Textual's."""


class ActionScreen(Screen[Result]):
    """A screen that runs ``do_<id>`` for an action, or tells why not."""

    PLACE: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__()
        self._compositor = ExactCompositor()
        self._was_in_front = False

    def on_compose(self) -> None:
        """Know how wide the terminal is before anything is laid out; Textual itself tells after the first paint."""
        for name, holds in _breakpoints(self, self.app.size).items():
            self.set_class(holds, name, update=False)  # they are for what is inside, which is yet to come

    def _on_timer_update(self) -> None:
        """Paint, and in the same frame what has changed but has not been heard of yet: one key, one paint.

        A widget tells of a change when it comes to rest; a screen that was told of something, and changed it, would
        paint before it hears that. What still waits for the screen may change more, so it comes first.
        """
        if self.message_queue_size:
            self._update_timer.pause()  # the screen at rest resumes it
            return
        if self.is_current:
            self._dirty_widgets.update(filter(_is_changed, self._compositor.visible_widgets))
        super()._on_timer_update()

    def paint_soon(self, widget: Widget) -> bool:
        """Paint what a widget has changed, when what waits for this screen is done; no where it does not stand here."""
        if widget not in (self._compositor._visible_widgets or ()):  # noqa: SLF001  -- asked for, it would be laid out
            return False
        self._dirty_widgets.add(widget)
        self.check_idle()
        return True

    async def _on_update(self, message: Update) -> None:
        """A widget tells of a change; most are on the screen already."""
        if message.widget in self._compositor.visible_widgets and not _is_changed(message.widget):
            message.stop()
            message.prevent_default()
            self.check_idle()
        else:
            await super()._on_update(message)

    def on_screen_suspend(self) -> None:
        """Behind a dialog a notice would stand twice: the screen in front shows it."""
        self._show_notices(False)

    def on_screen_resume(self, event: ScreenResume) -> None:
        """In front, for the first time or again. What was mounted this moment has its styles, and is not given them twice."""
        event.refresh_styles = event.refresh_styles and self._was_in_front
        self._was_in_front = True
        self._show_notices(True)

    def _show_notices(self, shown: bool) -> None:
        for rack in self.query("ToastRack"):
            rack.display = shown

    @property
    def allowed(self) -> Container[str]:
        """Hashes of the values that the person lets through as no secrets: what is injected has them, and no others."""
        manager = getattr(self.app, "manager", None)  # of the apps of this package only
        found: Container[str] = manager.allowed_secrets if manager is not None else frozenset()
        return found

    @property
    def situation(self) -> Situation:
        """What decides which actions make sense now."""
        return Situation()

    def perform(self, action_id: str) -> None:
        """Do an action of the registry, or say why it cannot be done."""
        voice = voice_of(self.app)
        action = voice.action(BY_ID[action_id])
        reason = voice.blocked(action, self.situation)
        if reason is not None and action_id == "back":
            return  # whoever is at the beginning sees it
        if reason is not None and action.typed:
            from memtui.tui.screens.refused import RefusedScreen  # noqa: PLC0415 – loaded when asked for, not at start

            self.app.push_screen(RefusedScreen(action.title, reason))
            return
        if reason is not None:
            self.say(words(voice.lang).why_not.format(title=action.title, reason=reason))
            return
        do: Callable[[], None] = getattr(self, f"do_{action_id}")
        do()

    def answers(self, error: MemtuiError) -> bool:
        """Whether this screen asks a person about an error, so that no notice need say it over the question."""
        del error
        return False

    def say(self, text: str, *, title: str = "", severity: SeverityLevel = "warning") -> None:
        """Tell something in passing; texts from files must have gone through ``visible``."""
        self.notify(
            text,
            title=title,
            severity=severity,
            timeout=REFUSAL_SECONDS if severity == "error" else None,
            markup=False,
        )

    def action_do(self, action_id: str) -> None:
        """What every binding calls."""
        self.perform(action_id)

    def on_action_wanted(self, message: ActionWanted) -> None:
        """An action was clicked, or a widget has its key."""
        self.action_do(message.action_id)

    def do_help(self) -> None:
        """Show every key."""
        from memtui.tui.screens.help import HelpScreen  # noqa: PLC0415 – loaded when asked for, not at start

        self.app.push_screen(HelpScreen(self.PLACE, self.situation))

    def do_theme(self) -> None:
        """Choose a theme, and see it at once."""
        from memtui.tui.screens.theme import ThemeScreen  # noqa: PLC0415 – as above

        self.app.push_screen(ThemeScreen(self.app.theme))

    def do_palette(self) -> None:
        """Open the command palette."""
        self.app.action_command_palette()


def _is_changed(widget: Widget) -> bool:
    """Whether a part of it is to be painted again."""
    return bool(widget._repaint_regions)  # noqa: SLF001  -- Textual's own list of them


class ActionModal(ActionScreen[Result], ModalScreen[Result]):
    """A dialog with actions. A notice takes a place of its own above it, so that it hides nothing one must answer."""

    DEFAULT_CSS = """
    ActionModal > ToastRack {
        layer: default; dock: top; align: right top; margin: 0; max-height: 7; scrollbar-size-vertical: 0;
    }
    ActionModal.-short > ToastRack { max-height: 2; }
    ActionModal ToastRack Toast { margin: 0; padding: 0 1; max-width: 100%; }
    ActionModal.-short Dialog { padding: 0 1; }
    ActionModal.-short DialogButtons { padding-top: 0; }
    ActionModal.-narrow DialogButtons { layout: vertical; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]  # noqa: RUF012 – Textual's own type
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012 – Textual's own type


def _breakpoints(screen: Screen[Any], size: Size) -> dict[str, bool]:
    """By the classes of a screen's breakpoints, whether they hold at a size."""
    found: dict[str, bool] = {}
    for cells, points in (
        (size.width, screen.HORIZONTAL_BREAKPOINTS),
        (size.height, screen.VERTICAL_BREAKPOINTS),
    ):
        reached = [(least, name) for least, name in points or () if cells >= least]
        found |= {name: (least, name) == max(reached, default=None) for least, name in points or ()}
    return found
