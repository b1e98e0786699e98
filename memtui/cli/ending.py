"""How a command ends: whatever goes wrong becomes a sentence and a code.

Exit codes: 0 fine, 1 findings, 2 usage, 3 conflict, 4 refused, 70 an error of memtui's own; 130 after Ctrl-C, 141 when the reader of stdout left.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from memtui.cli.output import Output
from memtui.cli.session import Session
from memtui.memory.errors import Conflict, MemtuiError, Refused
from memtui.memory.types import Lang
from memtui.memory.wording.saying import Say, system_said

INTERRUPTED = 130
READER_LEFT = 141


def ended(argv: Sequence[str], session: Session, work: Callable[[], int]) -> int:
    """Do what was asked for, and say what went wrong with it.

    Args:
        argv: the command line, which may not be understood yet.
        session: what the command works on.
        work: does it, and gives the exit code.

    Returns:
        The exit code.
    """
    out = session.out
    try:
        code = work()
        session.warn()
        out.flush()
    except MemtuiError as error:
        answer_json(argv, session, error)
        return _failed(out, error, session.spoken(argv))
    except KeyboardInterrupt:
        return _quietly(out, "", INTERRUPTED)
    except BrokenPipeError:
        return _quietly(out, "", READER_LEFT)
    except OSError as error:
        where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
        refused = Refused(system_said(error), where=where)
        answer_json(argv, session, refused)
        return _failed(out, refused, session.spoken(argv))
    except Exception as error:
        if session.world.reports is None:
            raise
        from memtui.crash import crashed  # noqa: PLC0415  -- rarely needed

        fault = crashed(error, session.world.clock(), session.world.reports)
        answer_json(argv, session, fault)
        return _failed(out, fault, session.spoken(argv))
    return code


def answer_json(argv: Sequence[str], session: Session, error: MemtuiError) -> None:
    """Say on stdout too what went wrong, where JSON was asked for."""
    wanted = "--json" in argv if session.as_json is None else session.as_json
    if not wanted or session.out.closed:
        return
    from memtui.cli.shapes import error_json  # noqa: PLC0415  -- on the way to an error only

    try:
        session.out.json(error_json(error))
        session.out.flush()
    except (OSError, MemtuiError):
        session.out.abandon()


def _failed(out: Output, error: MemtuiError, lang: Lang) -> int:
    text = error.said(lang)
    if isinstance(error, Conflict):
        text += _what_they_did(error, lang)
    return _quietly(out, text, error.exit_code)


def _what_they_did(error: Conflict, lang: Lang) -> str:
    """The difference somebody else made, for a person who must now choose."""
    from memtui.memory.versions.history import unified_diff  # noqa: PLC0415  -- only on the way to an error

    old, new = ((data or b"").decode("utf-8", "surrogateescape") for data in (error.base, error.theirs))
    was, is_now = Say("as it was").said(lang), Say("as it is now").said(lang)
    diff = unified_diff(old, new, old_name=was, new_name=is_now)
    return f"\n{diff}".rstrip("\n") if diff else ""


def _quietly(out: Output, text: str, code: int) -> int:
    """Say what happened, if anybody still listens."""
    try:
        if text:
            out.error(text)
        out.flush()
    except (OSError, MemtuiError):
        out.abandon()
    return code
