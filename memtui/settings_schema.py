"""The settings there are: what each may be, what it means, and how a file's value is read; the manual's table is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, get_args

from memtui.memory.conventions import CONVENTIONS
from memtui.memory.wording.saying import Say, joined
from memtui.preferences import COLUMNS, Density

MAX_ENTRIES = 1000
"""Most memories that a reminder can be set to take; more would be no reminder."""
LEAST_POLL, MOST_POLL = 5, 86_400
"""Seconds between two looks at a team's remote: none is asked all the time, and once a day is seldom enough (ours)."""
DENSITIES: tuple[str, ...] = get_args(Density)


class WrongValueError(Exception):
    """A value that a setting cannot have; the text says what to write."""


class SettingRow(NamedTuple):
    """One setting of the schema.

    Attributes:
        key: its name.
        values: what may be written, in Markdown.
        meaning: what it does and what holds where it is not set, in Markdown.
        read: makes the value of the file one of ``Config``.
        own: whether it counts in the person's own file only: a directory's may come with somebody else's files.
        secret: whether a message must not show the value.
    """

    key: str
    values: str
    meaning: str
    read: Callable[[object], object]
    own: bool = False
    secret: bool = False


def listed(names: Iterable[str]) -> str:
    """Names in quotes, for a message."""
    *first, last = [repr(name) for name in names]
    return Say("{first} or {last}", first=joined(first, ", "), last=last) if first else last


def _one_of(names: Iterable[str]) -> Callable[[object], object]:
    known = tuple(names)

    def read(value: object) -> object:
        if value not in known:
            raise WrongValueError(Say("Use {names}", names=listed(known)))
        return value

    return read


def _some_of(names: Iterable[str]) -> Callable[[object], object]:
    known = tuple(names)

    def read(value: object) -> object:
        if not isinstance(value, list) or any(name not in known for name in value):
            raise WrongValueError(Say("Use a list of {names}", names=listed(known)))
        return tuple(name for name in known if name in value)

    return read


def _whether(value: object) -> object:
    if not isinstance(value, bool):
        raise WrongValueError("Use true or false")
    return value


def _count(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_ENTRIES:
        raise WrongValueError(Say("Use a whole number from 0 to {most}", most=MAX_ENTRIES))
    return value


def _pause(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int) or not LEAST_POLL <= value <= MOST_POLL:
        raise WrongValueError(
            Say("Use a whole number from {least} to {most}", least=LEAST_POLL, most=MOST_POLL)
        )
    return value


def _name(value: object) -> object:
    if not isinstance(value, str) or not value.strip():
        raise WrongValueError("Use a name in quotes")
    return value.strip()


def _keys(value: object) -> object:
    if not isinstance(value, dict):
        raise WrongValueError("Write a table: [keys], and below it lines like  undo = 'u'")
    found: dict[str, tuple[str, ...]] = {}
    for action, given in value.items():
        keys = [given] if isinstance(given, str) else given
        if not isinstance(keys, list) or not keys or not all(isinstance(key, str) and key for key in keys):
            raise WrongValueError(
                Say(
                    "For {action!r} use one key in quotes, or a list of keys: \"u\" or ['u', 'ctrl+z']",
                    action=action,
                )
            )
        found[action] = tuple(keys)
    return found


def _ticked(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


SETTINGS: tuple[SettingRow, ...] = (
    SettingRow(
        "convention",
        _ticked(CONVENTIONS),
        "habits of a directory; detected where not set",
        _one_of(CONVENTIONS),
    ),
    SettingRow(
        "lang",
        _ticked(("zh", "en")),
        "language of the app, of messages and of prompts; else `MEMTUI_LANG`, else the locale",
        _one_of(("zh", "en")),
    ),
    SettingRow(
        "theme",
        "a name, such as `nord`",
        "theme of the app; `terminal` takes the terminal's own colours; `textual-dark` where not set",
        _name,
    ),
    SettingRow("ascii", "`true`, `false`", "draw the app with ASCII only, as `--ascii` does", _whether),
    SettingRow(
        "density",
        _ticked(DENSITIES),
        "a memory takes one line of the list, or two with its description below; `compact` where not set",
        _one_of(DENSITIES),
    ),
    SettingRow(
        "columns",
        f"a list of {_ticked(COLUMNS)}",
        "what the list shows beside the name; all but `age`, `used` and `size` where not set",
        _some_of(COLUMNS),
    ),
    SettingRow(
        "entries", f"0 to {MAX_ENTRIES}", "most memories that the reminder takes; 5 where not set", _count
    ),
    SettingRow(
        "[keys]",
        "`action = 'key'` or a list of keys",
        "in your own file only: other keys for an action, by its name in the table of keys; a key that two actions of one screen "
        "would share is refused, with a message",
        _keys,
        own=True,
    ),
    SettingRow(
        "daily_log",
        "`true`, `false`",
        "`memtui log` may write the daily log; `KAIROS` goes first; `false` where not set",
        _whether,
    ),
    SettingRow(
        "auto_dream",
        "`true`, `false`",
        "in your own file only: a session's end, an answer (both by the hooks) and the app's start begin `memtui dream --auto` in "
        "the background when it is due; `false` where not set",
        _whether,
        own=True,
    ),
    SettingRow(
        "dream_hours",
        f"0 to {MAX_ENTRIES}",
        "in your own file only: hours after which `memtui dream --auto` dreams again; 24 where not set",
        _count,
        own=True,
    ),
    SettingRow(
        "dream_sessions",
        f"0 to {MAX_ENTRIES}",
        "in your own file only: sessions that must have come since, for `memtui dream --auto`; 5 where not set",
        _count,
        own=True,
    ),
    SettingRow(
        "team",
        "`true`, `false`",
        "new memories may be the team's, below `team/`; `TEAMMEM` goes first; `false` where not set. What lies there already "
        "is always shown, and can always be edited",
        _whether,
    ),
    SettingRow(
        "team_save",
        "`true`, `false`",
        "in your own file only: a model's `save_memory` may write to the team's memories; `false` where not set, so that what a "
        "model learns stays private until a person shares it",
        _whether,
        own=True,
    ),
    SettingRow(
        "team_review",
        "`true`, `false`",
        "in your own file only: what the team shares waits until you accept it; `true` where not set",
        _whether,
        own=True,
    ),
    SettingRow(
        "team_poll_seconds",
        f"{LEAST_POLL} to {MOST_POLL}",
        "in your own file only: seconds between two looks at the team's remote while the app or `memtui team watch` runs; 60 where "
        "not set",
        _pause,
        own=True,
    ),
    SettingRow(
        "model",
        "a name, such as `claude-sonnet-5-5`",
        "in your own file only: the model that is asked; `MEMTUI_MODEL` goes first; `claude-sonnet-5-5` where not set",
        _name,
        own=True,
    ),
    SettingRow(
        "use_model",
        "`true`, `false`",
        "in your own file only: where there is a key, `memtui select`, `memtui extract` and `memtui dream` ask the model without "
        "`--model`, those in the background too; `false` where not set, for it costs tokens",
        _whether,
        own=True,
    ),
    SettingRow(
        "base_url",
        "an address with `https://`",
        "in your own file only: where the model is asked; `ANTHROPIC_BASE_URL` goes first; `http://` for this machine only",
        _name,
        own=True,
    ),
    SettingRow(
        "api_key",
        "a key in quotes",
        "in your own file only: what the model is asked with; `ANTHROPIC_API_KEY` and `ANTHROPIC_AUTH_TOKEN` go first",
        _name,
        own=True,
        secret=True,
    ),
)
"""Every setting, in the order of the table."""

ROWS: Mapping[str, SettingRow] = {row.key.strip("[]"): row for row in SETTINGS}
"""The same by key."""


def settings_table() -> str:
    """The manual's table of settings, in Markdown."""
    rows = "".join(f"| `{row.key}` | {row.values} | {row.meaning} |\n" for row in SETTINGS)
    return f"| key | values | meaning |\n|---|---|---|\n{rows}"
