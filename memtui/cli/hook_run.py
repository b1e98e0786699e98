"""``memtui hook session-start | session-end | stop``: answers the client, and never stands in its way.

Whatever goes wrong, the exit code is 0, stdout is empty, stderr has one sentence, and it is over within a second or
two. Loaded by itself, without the command line: the client waits for it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from memtui.claude.hooks import (
    EVENTS,
    MAX_INPUT_BYTES,
    HookWorld,
    note_session,
    parse_input,
    session_start_answer,
)
from memtui.claude.settings import managed_places
from memtui.cli.output import Output, standard_streams
from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.saying import system_said
from memtui.memory.types import Clock, Lang

START_SECONDS = 2.0
"""How long a session's start may take once the program is loaded (ours)."""
END_SECONDS = 1.0
"""How long a note may take: all hooks of a session's end share 1.5 seconds (documented)."""


class _LateError(BaseException):
    """The time is up. No ``Exception``, so that nobody on the way takes it for one of theirs."""


def is_hook(argv: list[str]) -> bool:
    """Whether these arguments are one of the client's calls, and nothing else."""
    return len(argv) == 2 and argv[0] == "hook" and argv[1] in EVENTS


def run_hook(
    word: str,
    *,
    environ: Mapping[str, str],
    home: Callable[[], Path],
    clock: Clock,
    config_file: Callable[[], Path],
    state_dir: Callable[[], Path],
    reports: Callable[[], Path],
) -> int:
    """Answer one call of the client; always 0.

    Args:
        word: a key of ``EVENTS``.
        environ: environment variables.
        home: gives the user's home directory.
        clock: gives the time.
        config_file: gives the user's configuration file.
        state_dir: gives the user's state folder for memtui.
        reports: gives the folder for reports of memtui's own errors.
    """
    with standard_streams(environ) as out:
        answer = ""
        wrong: MemtuiError | None = None
        try:
            with _within(START_SECONDS if word == "session-start" else END_SECONDS):
                given = parse_input(_stdin())
                world = HookWorld(environ, home(), clock, config_file(), managed_places(sys.platform))
                if word == "session-start":
                    answer = session_start_answer(given, world)
                else:
                    note_session(given, EVENTS[word], world, state_dir())
                    if environ.get("EXTRACT_MEMORY_ENABLED"):
                        _extract_behind(environ)
        except _LateError:
            answer, wrong = "", Refused("it took too long, so nothing was done")
        except MemtuiError as error:
            wrong = error
        except OSError as error:
            where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
            wrong = Refused(system_said(error), where=where)
        except KeyboardInterrupt:
            pass
        except Exception as error:  # noqa: BLE001  -- a mistake of ours must not cost the person their session
            wrong = _reported(error, clock, reports)
        _tell(out, answer, f"hook {word}: {wrong.said(_lang(environ, config_file))}" if wrong else "")
    return 0


def _extract_behind(environ: Mapping[str, str]) -> None:
    """Start reading the queue in a process of its own, which outlives the hook and the client; waits for nothing of it.

    Raises:
        OSError: it cannot be started; the note waits for another time.
    """
    import subprocess  # noqa: PLC0415  -- most people have it switched off

    from memtui.agent.tracker import ExtractionConfig  # noqa: PLC0415  -- as above
    from memtui.claude.hook_settings import own_program  # noqa: PLC0415  -- as above

    if not ExtractionConfig.from_environ(environ).enabled:
        return
    subprocess.Popen(  # noqa: S603  -- our own program
        [*own_program(sys.argv[0], sys.executable), "extract", "--queue", "--background"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=dict(environ),
        start_new_session=True,
    )


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raise `_LateError` inside when the time is up."""

    def late(_number: int, _frame: FrameType | None) -> NoReturn:
        raise _LateError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _stdin() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        raise Refused(
            "this is for Claude Code to call, with JSON on stdin", todo="'memtui hook install' sets it up"
        )
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if len(data) > MAX_INPUT_BYTES:
        raise Refused("the hook was told too much to read", where="stdin")
    return data


def _reported(error: Exception, clock: Clock, reports: Callable[[], Path]) -> MemtuiError:
    from memtui.crash import Crashed, report_text, write_report  # noqa: PLC0415  -- rarely needed

    try:
        return Crashed(write_report(report_text(error, clock()), reports(), clock()))
    except Exception:  # noqa: BLE001  -- as above
        return Crashed(None)


def _lang(environ: Mapping[str, str], config_file: Callable[[], Path]) -> Lang:
    """The person's language; English where that cannot be told, for an error is being told already."""
    try:
        from memtui.config import choose_lang, load_config  # noqa: PLC0415  -- rarely needed

        return choose_lang(None, environ, load_config(config_file(), None))
    except (MemtuiError, OSError):
        return "en"


def _tell(out: Output, answer: str, wrong: str) -> None:
    try:
        if wrong:
            out.error(wrong.replace("\n", " "))
        if answer:
            out.exact(answer)
        out.flush()
    except (OSError, MemtuiError):
        out.abandon()
