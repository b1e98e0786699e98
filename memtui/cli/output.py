"""The only writer to stdout and stderr: data to the one, narration to the other, nothing raw to a terminal.

Text of a memory passes ``visible`` on its way out. Where stdout is a file or a pipe, ``exact`` hands the text on as it
is: whoever compares or loads it wants the very characters.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Literal, TextIO

from memtui.memory.errors import Refused
from memtui.memory.lazy import lazy_pattern
from memtui.memory.text import visible
from memtui.memory.wording.saying import Say, system_said

Style = Literal["bold", "dim", "red", "yellow", "green", "cyan"]

_CODES: Mapping[Style, str] = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "cyan": "36",
}
_USUAL_COLUMNS = 80
_LEAST_LAST = 20
"""The least that a table's last column gets, in terminal cells."""
_MOST_CELLS = 40
"""The most that any other column is padded to, in terminal cells: one long cell moves its own row only. A terminal gets
such a cell cut."""
_HIDDEN = lazy_pattern("[^\n\\x20-\\x7e]")


class Output:
    """Where a command writes.

    Attributes:
        color: whether text may be styled: stdout is a terminal, ``NO_COLOR`` is not set, ``TERM`` is not ``dumb``.
        width: columns that a row may take; None for as many as it needs (stdout is no terminal).
        closed: whether the caller closed stdout, so that data has nowhere to go.
    """

    def __init__(
        self, environ: Mapping[str, str], stdout: TextIO, stderr: TextIO, *, closed: bool = False
    ) -> None:
        self.closed = closed
        self._stdout = stdout
        self._stderr = stderr
        self.is_tty = stdout.isatty()
        self.color = self.is_tty and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        self.width = _columns(environ, stdout) if self.is_tty else None

    def require(self) -> None:
        """Ask for a stdout, before something is done that it has to tell of.

        Raises:
            Refused: the caller closed it.
        """
        if self.closed:
            raise Refused("it is closed, so there is nowhere to print to", where="stdout")

    def line(self, text: str = "", style: Style | None = None) -> None:
        """One line of data."""
        self._write(self._stdout, self.styled(visible(text), style) + "\n")

    def lines(self, text: str) -> None:
        """A text of several lines, made visible; ends with a newline."""
        shown = visible(text, keep_newlines=True, keep_tabs=True)
        self._write(self._stdout, shown if shown.endswith("\n") or not shown else shown + "\n")

    def exact(self, text: str) -> None:
        """A text as it is, nothing added; made visible where stdout is a terminal."""
        if self.is_tty:
            self.lines(text)
        else:
            self._write(self._stdout, text)

    def json(self, value: object) -> None:
        """A value as JSON. What a terminal would obey or hide is escaped, so that nothing is lost and nothing is run."""
        import json  # noqa: PLC0415 – only where JSON is asked for

        text = json.dumps(value, ensure_ascii=False, indent=2)
        self._write(self._stdout, _HIDDEN.sub(_escaped, text) + "\n")

    def diff(self, text: str) -> None:
        """A unified diff to be read, coloured on a terminal; made visible in a pipe too, for whoever reads there may be an agent.

        No sign but a newline begins a line, so that no text passes for another line of the diff.
        """
        for each in text.removesuffix("\n").split("\n") if text else ():
            line = visible(each.removesuffix("\r"), keep_tabs=True)
            self._write(self._stdout, self.styled(line, _diff_style(line)) + "\n")

    def table(self, rows: Sequence[Sequence[tuple[str, Style | None]]]) -> None:
        """Rows of cells, with their style, in columns; the last column is cut where a terminal is too narrow for it."""
        shown = [[(visible(text), style) for text, style in row] for row in rows]
        if self.width is not None:
            shown = [
                [*((fitted(text, _MOST_CELLS), style) for text, style in row[:-1]), row[-1]] for row in shown
            ]
        widths = [
            min(_MOST_CELLS, max(map(cells, column)))
            for column in zip(*([t for t, _ in row] for row in shown), strict=True)
        ]
        for row in shown:
            parts = [
                self.styled(text, style) + " " * (width - cells(text))
                for (text, style), width in zip(row[:-1], widths, strict=False)
            ]
            text, style = row[-1]
            if self.width is not None:
                text = fitted(text, max(_LEAST_LAST, self.width - sum(widths[:-1]) - 2 * len(parts)))
            self._write(self._stdout, "  ".join([*parts, self.styled(text, style)]).rstrip() + "\n")

    def note(self, text: str) -> None:
        """One line of narration, on stderr."""
        self.flush()
        self._write(self._stderr, visible(text, keep_newlines=True) + "\n")

    def error(self, text: str) -> None:
        """What went wrong, on stderr."""
        self.note(f"memtui: {text}")

    def ask(self, question: str) -> bool:
        """A yes-or-no question on stderr, answered on stdin; anything but yes is no."""
        self._write(self._stderr, f"{visible(question)} [y/N] ")
        self.flush()
        return sys.stdin.readline().strip().lower() in {"y", "yes", "是", "好"}

    def flush(self) -> None:
        """Let everything out; a full disk or a closed pipe behind stdout shows here at the latest."""
        with self._named():
            self._stdout.flush()
        self._stderr.flush()

    def styled(self, text: str, style: Style | None) -> str:
        """Text with a style where styles are allowed."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.color and style and text else text

    def _write(self, stream: TextIO, text: str) -> None:
        encoding = stream.encoding or "utf-8"
        try:
            data = text.encode(encoding, "surrogateescape")
        except UnicodeEncodeError:
            data = text.encode(encoding, "backslashreplace")
        if stream is self._stdout and data:
            self.require()
        with self._named() if stream is self._stdout else nullcontext():
            stream.buffer.write(data)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Turn a full disk behind stdout into a sentence; a reader who left is no error of ours and passes."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            self.abandon()
            raise Refused(
                Say("the output could not be written: {reason}", reason=system_said(error)), where="stdout"
            ) from error

    def abandon(self) -> None:
        """Point stdout at nothing, so that the interpreter does not complain of it a second time when it ends."""
        try:
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, self._stdout.fileno())
            os.close(nothing)
        except (OSError, ValueError):  # no such descriptor: nothing to complain of
            return


@contextmanager
def standard_streams(environ: Mapping[str, str]) -> Iterator[Output]:
    """The process's own streams; one that the caller closed leads to nothing."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123  -- os.devnull is no path of ours
        yield Output(environ, sys.stdout or nowhere, sys.stderr or nowhere, closed=sys.stdout is None)


def _columns(environ: Mapping[str, str], stdout: TextIO) -> int:
    named = environ.get("COLUMNS", "")
    if named.isdecimal() and int(named):
        return int(named)
    try:
        return os.get_terminal_size(stdout.fileno()).columns or _USUAL_COLUMNS
    except OSError:
        return _USUAL_COLUMNS


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if visible(char) == char:
        return char
    code = ord(char)
    if code > 0xFFFF:
        high, low = 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF)
        return f"\\u{high:04x}\\u{low:04x}"
    return f"\\u{code:04x}"


def _diff_style(line: str) -> Style | None:
    if line.startswith(("--- ", "+++ ")):
        return "bold"
    if line.startswith("@@"):
        return "cyan"
    return {"+": "green", "-": "red"}.get(line[:1])  # type: ignore[return-value]


def cells(text: str) -> int:
    """How many terminal columns a visible text takes: wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(char) or char in "\u200d\ufe0e\ufe0f"
        else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def fitted(text: str, width: int) -> str:
    """Text in at most ``width`` columns, cut with ``…``."""
    if cells(text) <= width:
        return text
    used = 0
    for position, char in enumerate(text):
        used += cells(char)
        if used > width - 1:
            return text[:position] + "…"
    return text
