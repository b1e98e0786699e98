"""What a person chose in the app and wants to find again: one small file in their state folder, read and written here only.

What they have set in the configuration wins over it. A file that cannot be understood counts as none, and is written
anew with the next choice.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import NamedTuple

from memtui.preferences import COLUMNS, USUAL, Preferences

CHOICES_NAME = "app.json"
_FORMAT = 1
_MOST_BYTES = 64 << 10
_MOST_CHARACTERS = 100


class Choices(NamedTuple):
    """What is kept from one run to the next.

    Attributes:
        liked: order, rows and columns of the list.
        theme: name of the theme; None for the usual one.
    """

    liked: Preferences = USUAL
    theme: str | None = None


class ChoicesFile:
    """The file. Thread-safe; nothing is made before the first choice.

    Args:
        folder: the person's state folder; it need not exist.
        read_only: whether nothing is written.
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.path = folder / CHOICES_NAME
        self._read_only = read_only
        self._lock = threading.Lock()
        self._newest = 0

    def read(self) -> tuple[Choices, bool]:
        """What was chosen the last time, and whether a file is there that cannot be understood."""
        try:
            with self.path.open("rb") as file:
                import json  # noqa: PLC0415 – most have chosen nothing yet, and wait for the first paint

                data = json.loads(file.read(_MOST_BYTES))
            return _choices(data), False
        except FileNotFoundError:
            return Choices(), False
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return Choices(), True

    def write(self, choices: Choices, serial: int) -> None:
        """Put the choices in place of those before, all of them or none.

        Args:
            choices: what to keep.
            serial: counts up; what comes late, from a slower thread, is not written.

        Raises:
            OSError: the system says no; the file is as it was.
        """
        if self._read_only:
            return
        import json  # noqa: PLC0415 – as above

        from memtui.memory.disk.state_files import put  # noqa: PLC0415 – as above

        liked = choices.liked
        data = {
            "format": _FORMAT,
            "sort": liked.sort,
            "reverse": liked.reverse,
            "density": liked.density,
            "columns": list(liked.columns),
            "theme": choices.theme,
        }
        with self._lock:
            if serial <= self._newest:
                return
            put(self.path, json.dumps(data, indent=1).encode("ascii"))
            self._newest = serial


def _choices(data: dict[str, object]) -> Choices:
    sort, density, columns, theme = data["sort"], data["density"], data["columns"], data["theme"]
    reverse = data["reverse"]
    if not isinstance(sort, str) or not isinstance(reverse, bool) or not isinstance(columns, list):
        raise TypeError
    if density not in {"compact", "comfortable"} or not (theme is None or isinstance(theme, str)):
        raise ValueError
    if len(sort) > _MOST_CHARACTERS or len(theme or "") > _MOST_CHARACTERS:
        raise ValueError
    shown = tuple(name for name in COLUMNS if name in columns)
    liked = USUAL._replace(sort=sort, reverse=reverse, columns=shown)
    return Choices(liked._replace(density="comfortable" if density == "comfortable" else "compact"), theme)
