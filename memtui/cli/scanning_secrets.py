"""``memtui secrets``: a scanner over files and folders, the list of values that are let through, and the table of rules."""

from __future__ import annotations

import datetime as dt
import os
import sys
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memtui.cli.arguments import NAMED_PATH
from memtui.cli.options import directory_options, json_option, lang_option, pass_session
from memtui.cli.session import Session
from memtui.cli.wording import counted
from memtui.cli.wording_secrets import SecretsWording, secrets_words
from memtui.memory.errors import UsageError
from memtui.memory.secrets.table import rule_rows
from memtui.memory.wording.saying import Say, joined, system_said
from memtui.scanning import MAX_SCANNED_BYTES, Found, Looked, Skipped, scan, scan_data

if TYPE_CHECKING:
    from memtui.memory.secrets.allowed import AllowedSecrets
    from memtui.memory.types import Lang
    from memtui.scanning import Opinion, Seen

_STDIN = Path("-")
_LEAST = 6


class _Secrets(click.Group):
    """A first word that names no subcommand is a path, as are those after it; options are the scanner's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = bool(args) and args[0] in self.commands
        return super().parse_args(ctx, args if named or args[:1] in (["-h"], ["--help"]) else ["scan", *args])


@click.group("secrets", cls=_Secrets, subcommand_metavar="[PATH]... | COMMAND [ARGS]...")
def secrets_command() -> None:
    """Look for passwords, keys and tokens in files and folders.

    In any text file, ignored by git or not; without PATH, in the memories of the project. Exit code 1 if there are any, so that it serves as a hook before a commit.
    No value is ever printed: each is called by its fingerprint. 'memtui secrets scan --help' has the options.
    """


_second = click.option(
    "--second-opinion", is_flag=True, help="Ask Betterleaks too; its finds are marked. Needs memtui[secrets]."
)


@secrets_command.command("scan")
@click.argument("paths", nargs=-1, type=NAMED_PATH, metavar="[PATH]...")
@click.option("--quiet", is_flag=True, help="Do not name the files that were skipped.")
@_second
@json_option
@directory_options
@pass_session
def scan_command(
    session: Session, *, paths: tuple[Path, ...], quiet: bool, second_opinion: bool, as_json: bool
) -> int:
    """Look for secrets; '-' reads stdin."""
    out, lang = session.out, _lang(session, paths)
    say = secrets_words(lang)
    out.require()
    allowed = _allowed(session, lang)
    found: list[Found] = []
    skipped: list[Skipped] = []
    looked = 0
    for seen in _seen(session, paths, allowed, second=_opinion(wanted=second_opinion)):
        match seen:
            case Found():
                found.append(seen)
                if not as_json:
                    out.line(_line(seen, say))
            case Skipped():
                skipped.append(seen)
                if not quiet:
                    out.note(say.skipped_file.format(path=seen.path, why=_why(seen, say, lang)))
            case Looked():
                looked += 1
    if as_json:
        out.json(
            {
                "findings": [_json(each) for each in found],
                "skipped": [{"path": each.path, "why": each.code} for each in skipped],
                "files": looked,
            }
        )
    else:
        total = counted(len(found), say.secrets_found_one, say.secrets_found) if found else say.no_secrets
        files = counted(looked, say.scanned_one, say.scanned).format(count=looked)
        out.note(f"{files} · {total.format(count=len(found))}")
        if found:
            out.note(say.how_to_allow)
    return int(bool(found))


@secrets_command.command("allow")
@click.argument("fingerprint", required=False)
@click.argument("paths", nargs=-1, type=NAMED_PATH, metavar="[PATH]...")
@click.option("--file", "file", type=NAMED_PATH, help="Let through what stands in this file, with --line.")
@click.option("--line", type=click.IntRange(0), help="Its line; 0 for the file's name.")
@_second
@directory_options
@pass_session
def allow_command(
    session: Session,
    *,
    fingerprint: str | None,
    paths: tuple[Path, ...],
    file: Path | None,
    line: int | None,
    second_opinion: bool,
) -> int:
    """Let a value through from now on.

    By its FINGERPRINT, as a finding tells it, which is looked for in PATH or in the memories of the project; or by file and line. Only a hash of it is kept, in your own state
    folder. Warnings, checks, the guard of team memory, what models are told and sync all heed it.
    """
    if (fingerprint is None) == (file is None) or (line is None) != (file is None):
        raise UsageError(
            "a value is named by its fingerprint, or by --file and --line", todo="Give one of the two"
        )
    if fingerprint is not None and len(fingerprint) < _LEAST:
        raise UsageError(
            Say("{least} characters of the fingerprint at least are needed", least=_LEAST), where=fingerprint
        )
    where = (file,) if file is not None else paths
    opinion = _opinion(wanted=second_opinion)
    there = [seen for seen in _seen(session, where, frozenset(), second=opinion) if isinstance(seen, Found)]
    meant = [
        each
        for each in there
        if (each.line == line if fingerprint is None else each.key.startswith(fingerprint.lower()))
    ]
    if len({each.key for each in meant}) != 1:
        known = joined(dict.fromkeys(each.fingerprint for each in meant or there), ", ") or Say("none")
        raise UsageError(
            "no one secret is meant by that", todo=Say("Fingerprints there: {known}", known=known)
        )
    say = secrets_words(_lang(session, where))
    new = session.allowed_secrets().allow(meant[0].key, meant[0].rule, session.world.clock())
    template = say.allowed if new else say.allowed_already
    session.out.line(template.format(fingerprint=meant[0].fingerprint, rule=meant[0].rule))
    return 0


@secrets_command.command("allowed")
@json_option
@lang_option
@pass_session
def allowed_command(session: Session, *, as_json: bool) -> int:
    """List the values that are let through, by fingerprint."""
    rows = _allowed(session, session.own_lang()).rows()
    if as_json:
        session.out.json([{"fingerprint": row.fingerprint, "rule": row.rule, "at": row.at} for row in rows])
        return 0
    if not rows:
        session.out.note(secrets_words(session.own_lang()).none_allowed)
    for row in rows:
        day = dt.datetime.fromtimestamp(row.at, dt.UTC).astimezone(session.world.zone).date().isoformat()
        session.out.line(
            "  ".join(part for part in (row.fingerprint, row.rule, day if row.at else "") if part)
        )
    return 0


@secrets_command.command("disallow")
@click.argument("fingerprint")
@lang_option
@pass_session
def disallow_command(session: Session, *, fingerprint: str) -> int:
    """Take a value off the list."""
    gone = session.allowed_secrets().disallow(fingerprint.lower())
    session.out.line(secrets_words(session.own_lang()).disallowed.format(fingerprint=gone.fingerprint))
    return 0


@secrets_command.command("rules")
@json_option
@lang_option
@pass_session
def rules_command(session: Session, *, as_json: bool) -> int:
    """List the rules: provider, id, and what such a secret begins with or stands beside."""
    if as_json:
        session.out.json([row._asdict() for row in rule_rows()])
        return 0
    say = secrets_words(session.own_lang())
    head = (say.head_provider, say.head_rule, say.head_shape, say.head_what)
    rows = [(row.provider, row.id, row.shape, row.description) for row in rule_rows()]
    session.out.table([[(word, None) for word in row] for row in (head, *rows)])
    return 0


def _allowed(session: Session, lang: Lang) -> AllowedSecrets:
    """The list, with what is wrong with it said."""
    allowed = session.allowed_secrets()
    if allowed.problem is not None:
        problem = allowed.problem.said(lang)
        session.out.error(secrets_words(lang).list_problem.format(path=allowed.path, problem=problem))
    return allowed


def _lang(session: Session, paths: Sequence[Path]) -> Lang:
    """The language: where files are named no memory directory has a say, for there need not be one."""
    return session.own_lang() if paths else session.lang()


def _opinion(*, wanted: bool) -> tuple[str, Opinion] | None:
    if not wanted:
        return None
    from memtui.second_opinion import second_opinion  # noqa: PLC0415  -- an extra

    return second_opinion()


def _seen(
    session: Session,
    paths: Sequence[Path],
    allowed: Container[str],
    *,
    second: tuple[str, Opinion] | None,
) -> Iterator[Seen]:
    """What there is in the files, folders and stdin that were named; else in the memories of the project.

    Raises:
        UsageError: something is named that is not there, or stdin is closed.
    """
    if not paths:
        yield from scan([session.memory_dir()], allowed=allowed, second=second)
        return
    for given in paths:
        if given == _STDIN:
            if sys.stdin is None:
                raise UsageError("stdin is closed", todo="Name files or folders")
            yield Looked("-")
            yield from scan_data(sys.stdin.buffer.read(), "-", allowed=allowed, second=second)
            continue
        where = session.path(given)
        if not os.path.lexists(where):
            raise UsageError("there is no such file or folder", where=str(given), todo="Check the path")
        for seen in scan([where], allowed=allowed, second=second):
            yield replace(seen, path=str(given) + seen.path.removeprefix(str(where)))


def _line(found: Found, say: SecretsWording) -> str:
    place = found.line or say.in_name
    whose = found.provider if found.by == "memtui" else found.by
    return f"{found.path}:{place}: {found.rule} ({whose}) {found.fingerprint}"


def _json(found: Found) -> dict[str, Any]:
    return {
        "path": found.path,
        "line": found.line,
        "rule": found.rule,
        "provider": found.provider,
        "fingerprint": found.fingerprint,
        "by": found.by,
    }


def _why(skipped: Skipped, say: SecretsWording, lang: Lang) -> str:
    if skipped.detail is not None:
        return say.why_unreadable.format(reason=system_said(skipped.detail).said(lang))
    reasons = {
        "binary": say.why_binary,
        "large": say.why_large.format(most=MAX_SCANNED_BYTES),
        "link": say.why_link,
        "not-regular": say.why_not_regular,
        "git-data": say.why_git_data,
    }
    return reasons[skipped.code]
