"""Help, made from the action registry: every key of a screen, and why one cannot be used now."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from memtui.tui.actions import Action, Situation, actions_for, bindings_for, groups, keys_text
from memtui.tui.blocks import BLANK, Block
from memtui.tui.lines import fit
from memtui.tui.screens.base import ActionModal
from memtui.tui.screens.moving import Moving
from memtui.tui.widgets.bar import PaneTitle
from memtui.tui.widgets.text_view import TextView

_KEY_CELLS = 16
_LEGEND = (
    (("HOT", "hot"), "up to 7 days old"),
    (("WARM", "warm"), "up to 30 days"),
    (("COOL", "cool"), "older; the score halves every 30 days"),
    (("us fb pr rf", "type"), "user, feedback, project, reference"),
    (("!", "warn"), "something was found about it"),
    (("≈", "warn"), "another memory says nearly the same"),
    (("✗2", "bad"), "two things it names are not there any more"),
    (("●", "mark"), "marked"),
)
_FILTER = (
    ("words", "each has to stand in name, description or text"),
    ('"two words"', "together"),
    ("type:", "user feedback project reference unknown"),
    ("tier:", "hot warm cool"),
    ("is:", "stale duplicate secret orphan unreviewed historical broken problem marked"),
    ("scope:", "private team"),
    ("-word  -type:x", "must not be"),
    ("type:u,p", "either; the start of a word is enough"),
)


def help_blocks(place: str, situation: Situation) -> list[Block]:
    """The help of a screen as text."""
    blocks: list[Block] = []
    for group, actions in groups(actions_for(place)).items():
        blocks += [Block(((group, "heading"),)), *(_row(action, situation) for action in actions), BLANK]
    if place == "browse":
        blocks.append(Block((("What the list shows", "heading"),)))
        blocks += [_pair(sign, role, text) for (sign, role), text in _LEGEND]
        blocks += [BLANK, Block((("Filter", "heading"),))]
        blocks += [_pair(sign, "accent", text) for sign, text in _FILTER]
    return blocks


def _row(action: Action, situation: Situation) -> Block:
    reason = action.blocked(situation)
    first = ((fit(f"  {keys_text(action)}", _KEY_CELLS), "off" if reason else "key"),)
    rest = ((" " * _KEY_CELLS, ""),)
    if reason:
        return Block(((f"{action.title}", "dim"), (f" – not now: {reason}", "warn")), first, rest)
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
        self.query_one(PaneTitle).show("Help", "esc closes")
        view = self.query_one(TextView)
        view.show(help_blocks(self._about, self._then), key="help")
        view.focus()

    def do_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    do_help = do_close

    @property
    def moving_pane(self) -> TextView:
        """The text."""
        return self.query_one(TextView)
