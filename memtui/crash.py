"""What is written down when memtui itself is at fault: where it happened, and nothing of what it was about.

A report holds versions, the kinds of the errors, and for each step module, function, line and that line of source.
Messages of errors, values of variables, the environment and paths are left out: any of them can hold a memory's text,
a file's name or a secret.
"""

from __future__ import annotations

import linecache
import os
import platform
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from memtui.memory.errors import MemtuiError
from memtui.memory.wording.saying import Say


class Crashed(MemtuiError):
    """The app or a command ended over an error of its own. The message says where the report is."""

    exit_code = 70

    def __init__(self, report: Path | None) -> None:
        """Make the sentence.

        Args:
            report: where it was written; None if it could not be.
        """
        where = (
            Say("A report without any memory is in {path}", path=report)
            if report
            else "No report could be written"
        )
        super().__init__(
            "memtui stopped over an error of its own; what was saved is on disk, and nothing else was changed",
            todo=where,
        )


MAX_FRAMES = 40
"""Most steps written of one error; endless recursion has a thousand alike."""
MAX_ERRORS = 8
"""Most errors written of those that led to one another or happened together."""
_PACKAGES = ("textual", "rich", "watchfiles", "click")


def report_text(error: BaseException, now: float) -> str:
    """The report of an error.

    Args:
        error: what happened.
        now: Unix seconds.
    """
    lines = [
        f"memtui {_version('memtui')} met an error of its own.",
        "This report holds no memory, no file name, no value and nothing of the environment.",
        "",
        f"time      {datetime.fromtimestamp(now, UTC).isoformat(timespec='seconds')}",
        f"python    {platform.python_version()} on {platform.system()} {platform.machine()}",
        *(f"{name:<9} {_version(name)}" for name in _PACKAGES),
    ]
    for relation, one in list(_chain(error))[:MAX_ERRORS]:
        lines += ["", f"{relation}{type(one).__module__}.{type(one).__qualname__}", *_steps(one)]
    return "\n".join(lines) + "\n"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _chain(
    error: BaseException, relation: str = "", seen: frozenset[int] = frozenset()
) -> Iterator[tuple[str, BaseException]]:
    """An error and those it came from, the outermost first."""
    if id(error) in seen:
        return
    yield relation, error
    seen = seen | {id(error)}
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _chain(inner, "together with ", seen)
    wrapped = getattr(error, "error", None)  # what a Textual worker died of
    for source in (wrapped, error.__cause__, None if error.__suppress_context__ else error.__context__):
        if isinstance(source, BaseException):
            yield from _chain(source, "because of ", seen)
            seen = seen | {id(source)}


def _steps(error: BaseException) -> Iterator[str]:
    steps = list(traceback.walk_tb(error.__traceback__))
    if len(steps) > MAX_FRAMES:
        half = MAX_FRAMES // 2
        left = len(steps) - 2 * half
    else:
        half, left = len(steps), 0
    for number, (frame, line) in enumerate(steps):
        if left and number == half:
            yield f"  … {left} steps …"
        if left and half <= number < half + left:
            continue
        code = frame.f_code
        module = frame.f_globals.get("__name__", "?")
        yield f"  {module}:{line} in {code.co_qualname}"
        source = linecache.getline(code.co_filename, line, frame.f_globals).strip()
        if source:
            yield f"      {source}"


def write_report(text: str, folder: Path, now: float) -> Path | None:
    """Write a report into a folder, which is made where it is missing; None if that cannot be done.

    Only the person can read it.

    Args:
        text: the report.
        folder: the platform's folder for logs.
        now: Unix seconds; names the file.
    """
    stamp = datetime.fromtimestamp(now, UTC).strftime("%Y%m%d-%H%M%S")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(100):
            path = folder / (f"crash-{stamp}.txt" if not number else f"crash-{stamp}-{number}.txt")
            try:
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                continue
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as stream:
                stream.write(text)
            return path
    except OSError:
        pass
    return None


def crashed(error: BaseException, now: float, reports: Callable[[], Path]) -> Crashed:
    """Write a report of an error, and say where it is; whatever goes wrong with that is not told over it.

    Args:
        error: what happened.
        now: Unix seconds.
        reports: gives the platform's folder for logs.
    """
    try:
        return Crashed(write_report(report_text(error, now), reports(), now))
    except Exception:  # noqa: BLE001  -- an error is being told already
        return Crashed(None)
