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
    HookInput,
    HookWorld,
    note_session,
    parse_input,
    session_start_answer,
)
from memtui.claude.settings import managed_places
from memtui.cli.output import Output, standard_streams
from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.types import Clock, Lang
from memtui.memory.wording.saying import system_said

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
                world = HookWorld(
                    environ, home(), clock, config_file(), managed_places(sys.platform), state_dir
                )
                if word == "session-start":
                    answer = session_start_answer(given, world)
                else:
                    note_session(given, EVENTS[word], world, state_dir())
                    if environ.get("EXTRACT_MEMORY_ENABLED"):
                        _extract_behind(environ)
                    _dream_behind(given, world)
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
            from memtui.crash import crashed  # noqa: PLC0415  -- rarely needed

            wrong = crashed(error, clock(), reports)
        _tell(out, answer, f"hook {word}: {wrong.said(_lang(environ, config_file))}" if wrong else "")
    return 0


def _extract_behind(environ: Mapping[str, str]) -> None:
    """Start reading the queue.

    Raises:
        OSError: it cannot be started; the note waits for another time.
    """
    from memtui.agent.tracker import ExtractionConfig  # noqa: PLC0415  -- most people have it switched off
    from memtui.cli.behind import start_behind  # noqa: PLC0415  -- as above

    if ExtractionConfig.from_environ(environ).enabled:
        start_behind(["extract", "--queue", "--background"], environ)


def _dream_behind(given: HookInput, world: HookWorld) -> None:
    """Start a dream if the person has switched that on and the project's memories are due for one.

    Raises:
        MemtuiError: the settings cannot be used.
        OSError: it cannot be started.
    """
    try:
        if b"auto_dream" not in world.config_file.read_bytes():
            return
    except FileNotFoundError:
        return
    from memtui.config import load_config  # noqa: PLC0415  -- most people have it switched off

    config = load_config(world.config_file, None)
    if not config.auto_dream:
        return
    from memtui.agent.dream_gate import Gate  # noqa: PLC0415  -- as above
    from memtui.claude.paths import main_checkout, project_memory_dir  # noqa: PLC0415  -- as above
    from memtui.claude.switch import auto_memory_state  # noqa: PLC0415  -- as above
    from memtui.cli.behind import dream_words, start_behind, wants_dream  # noqa: PLC0415  -- as above
    from memtui.memory.disk.files import Folder  # noqa: PLC0415  -- as above

    settings = world.settings(given.cwd)
    if not auto_memory_state(world.environ, settings).on:
        return
    store = project_memory_dir(given.cwd, environ=world.environ, home=world.home, settings=settings)
    sessions = [Path(given.transcript_path).parent]
    if store.exists and wants_dream(Folder(store.path), Gate.of(config), sessions, world.clock()):
        start_behind(dream_words(store.path, main_checkout(given.cwd)), world.environ)


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
