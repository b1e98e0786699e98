"""``memtui log``: append a line to the daily log, and read it back by day."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import click

from memtui.cli.changing import text_of
from memtui.cli.log_words import log_words
from memtui.cli.options import directory_options, json_option, pass_session
from memtui.cli.session import Session
from memtui.memory.errors import Refused, UsageError
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.agent.daily_log import DailyLog, LogDay

_TODAY = "today"


@click.command("log")
@click.argument("words", nargs=-1, metavar="[TEXT | -]")
@click.option(
    "--show",
    "show",
    is_flag=False,
    flag_value=_TODAY,
    metavar="[DATE]",
    help="Print the log of a day, like 2026-03-05; today's where no day is named.",
)
@click.option(
    "--days", type=click.IntRange(1, 4_000), metavar="N", help="Print the last N days that have a log."
)
@json_option
@directory_options
@pass_session
def log_command(
    session: Session, *, words: tuple[str, ...], show: str | None, days: int | None, as_json: bool
) -> int:
    """Append a line to the daily log, or print it.

    A line goes to logs/YYYY/MM/YYYY-MM-DD.md of the memory directory, by the local date; '-' takes it from stdin. Nothing in a log is ever rewritten, and none of it
    is a memory. Writing must be switched on, with KAIROS=1 or 'daily_log = true' in the settings. Without TEXT, today's log is printed.
    """
    if words and (show is not None or days is not None):
        raise UsageError("a line is logged or the log is shown, not both", todo="See 'memtui log --help'")
    if show is not None and days is not None:
        raise UsageError("--show and --days exclude each other", todo="Name a day, or a number of days")
    if words:
        return _append(session, words, as_json=as_json)
    return _show(session, show, days, as_json=as_json)


def _log_of(session: Session) -> DailyLog:
    from memtui.agent.daily_log import DailyLog  # noqa: PLC0415  -- the other commands need none of it
    from memtui.memory.disk.files import Folder  # noqa: PLC0415

    world = session.world
    return DailyLog(Folder(session.memory_dir()), clock=world.clock, zone=world.zone)


def _append(session: Session, words: tuple[str, ...], *, as_json: bool) -> int:
    from memtui.agent.daily_log import DailyLog, logging_on  # noqa: PLC0415
    from memtui.memory.secrets.guard import find_secrets  # noqa: PLC0415

    text = text_of(session, "-", None, None) if words == ("-",) else " ".join(words)
    manager = session.changer(create=True)
    if not logging_on(session.world.environ, session.config().daily_log):
        raise Refused(
            "the daily log is switched off",
            todo=Say("Set KAIROS=1, or write 'daily_log = true' into {path}", path=session.world.config_file),
        )
    log = DailyLog(manager.folder, clock=session.world.clock, zone=session.world.zone)
    done = log.append(manager, text or "")
    say = log_words(session.lang())
    rules = sorted({found.rule for found in find_secrets(text or "", allowed=manager.allowed_secrets)})
    if rules:
        session.out.error(say.secret.format(rules=session.words().list_separator.join(rules), path=done.rel))
    if as_json:
        session.out.json(
            {"date": done.day.isoformat(), "path": done.rel, "time": done.time, "secrets": rules}
        )
    else:
        session.out.note(say.logged.format(time=done.time, path=manager.root / done.rel))
    return 0


def _show(session: Session, show: str | None, days: int | None, *, as_json: bool) -> int:
    log = _log_of(session)
    say = log_words(session.lang())
    out = session.out
    day = log.today() if show in (None, _TODAY) else _day(show or "")
    wanted = (day,) if days is None else tuple(reversed(log.days()[:days]))
    read = [log.read(one) for one in wanted]
    there = [one for one in read if one.text or one.problem]
    failed = [one.problem for one in there if one.problem is not None]
    if as_json:
        out.json([_day_json(one) for one in there])
    else:
        for one in there:
            if days is not None:
                out.line(one.day.isoformat(), "bold")
            out.lines(one.text)
    for problem in failed:
        out.error(problem.said(session.lang()))
    if not there:
        sentence = say.nothing_at_all if days is not None else say.nothing_that_day
        sentence = say.nothing_today if day == log.today() and days is None else sentence
        out.note(sentence.format(day=day.isoformat()))
    return failed[0].exit_code if failed else 0


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise UsageError(
            Say("there is no day {text!r}", text=text), where="--show", todo="Write it like 2026-03-05"
        ) from None


def _day_json(one: LogDay) -> dict[str, object]:
    return {
        "date": one.day.isoformat(),
        "path": one.rel,
        "lines": [{"line": line.line, "time": line.time, "text": line.text} for line in one.lines],
        "problem": str(one.problem) if one.problem is not None else None,
    }
