"""Help, made from the action registry: every key of a screen, and why one cannot be used now."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from memtui.tui.actions.registry import BY_ID, Action, Situation, actions_for, bindings_for, groups, keys_text
from memtui.tui.present.blocks import BLANK, Block
from memtui.tui.present.lines import fit
from memtui.tui.present.parts import DRAFT, UNREVIEWED
from memtui.tui.screens.base import ActionModal
from memtui.tui.screens.moving import Moving
from memtui.tui.voice import PLAIN, Voice, voice_of
from memtui.tui.widgets.bar import PaneTitle
from memtui.tui.widgets.text_view import TextView
from memtui.tui.wording.whole import words

_KEY_CELLS = 16
_LEGEND = (
    ("HOT", "hot"),
    ("WARM", "warm"),
    ("COOL", "cool"),
    ("us fb pr rf", "type"),
    ("!", "warn"),
    ("≈", "warn"),
    ("✗2", "bad"),
    (UNREVIEWED, "accent"),
    (DRAFT, "warn"),
    ("●", "mark"),
)


def help_blocks(place: str, situation: Situation, voice: Voice = PLAIN) -> list[Block]:
    """The help of a screen as text."""
    blocks: list[Block] = []
    say = words(voice.lang)
    for group, actions in groups(map(voice.action, actions_for(place))).items():
        blocks += [
            Block(((group, "heading"),)),
            *(_row(action, voice.blocked(action, situation), say.not_now) for action in actions),
            BLANK,
        ]
    if place == "browse":
        blocks.append(Block(((say.legend, "heading"),)))
        blocks += [
            _pair(sign, role, text) for (sign, role), text in zip(_LEGEND, say.legend_rows, strict=True)
        ]
        blocks += [BLANK, Block(((say.filter, "heading"),))]
        blocks += [_pair(sign, "accent", text) for sign, text in say.filter_rows]
    return blocks


def _row(action: Action, reason: str | None, not_now: str) -> Block:
    first = ((fit(f"  {keys_text(action)}", _KEY_CELLS), "off" if reason else "key"),)
    rest = ((" " * _KEY_CELLS, ""),)
    if reason:
        return Block(((f"{action.title}", "dim"), (f" – {not_now}{reason}", "warn")), first, rest)
    return Block(((action.title, "strong"), (f"  {action.help}", "dim")), first, rest)


def _pair(sign: str, role: str, text: str) -> Block:
    return Block(((text, "dim"),), ((fit(f"  {sign}", _KEY_CELLS), role),), ((" " * _KEY_CELLS, ""),))


class HelpScreen(Moving, ActionModal[None]):
    """The keys of the screen underneath."""

    PLACE = "help"
    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    HelpScreen > Vertical { width: 78; max-width: 100%; height: 90%; background: $surface; padding: 0 1 1 1; }
    HelpScreen TextView {
        scrollbar-background: $surface; scrollbar-background-hover: $surface; scrollbar-background-active: $surface;
        scrollbar-color: $foreground 20%; scrollbar-color-hover: $foreground 35%; scrollbar-color-active: $primary;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("help")]

    def __init__(self, place: str, situation: Situation) -> None:
        super().__init__()
        self._about = place
        self._then = situation

    def compose(self) -> ComposeResult:
        """A title and the text."""
        with Vertical(id="help-box"):
            yield PaneTitle(id="help-title")
            yield TextView(id="help-text")

    def on_mount(self) -> None:
        """Fill in the text."""
        voice = voice_of(self.app)
        say, close = words(voice.lang), voice.action(BY_ID["close"])
        closes = say.help_closes.format(close=keys_text(close, first_only=True))
        self.query_one(PaneTitle).show(say.help, closes)
        view = self.query_one(TextView)
        view.show(help_blocks(self._about, self._then, voice), key="help")
        view.focus()

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    do_help = do_close

    @property
    def moving_pane(self) -> TextView:
        """The text."""
        return self.query_one(TextView)
