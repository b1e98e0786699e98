"""``memtui team``: share the memories below ``team/`` through a git remote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from memtui.cli.options import directory_options, json_option, pass_session
from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.cli.team_deciding import (
    accept_command,
    decline_command,
    release_command,
    resolve_command,
    show_command,
)
from memtui.cli.team_shared import (
    OID_SHOWN,
    blocked_json,
    changing,
    exit_code,
    required,
    say_of,
    status_json,
    sync_of,
)
from memtui.cli.team_watching import watch_command
from memtui.cli.wording import counted
from memtui.cli.wording_team import TeamWording
from memtui.memory.age import memory_age_label
from memtui.memory.errors import MemtuiError
from memtui.team.address import DEFAULT_BRANCH, checked_address, checked_branch
from memtui.team.resolving import Decision, decisions, undecided
from memtui.team.results import Blocked, Preview, SyncReport, TeamStatus
from memtui.team.wording import blocked_said, held_said

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.team.sync import TeamSync


@click.group("team")
def team_command() -> None:
    """Share the memories below team/ through a git remote.

    Everything lies in the folder team/ of the memory directory; one branch of the remote holds the same files. Your own git and the project's are never touched.
    """


@team_command.command("init")
@click.argument("remote")
@click.option("--branch", default=DEFAULT_BRANCH, show_default=True, help="Branch that holds the memories.")
@click.option(
    "--dry-run", is_flag=True, help="Only say what would be shared, and what the secret guard keeps here."
)
@json_option
@directory_options
@pass_session
def init_command(session: Session, *, remote: str, branch: str, dry_run: bool, as_json: bool) -> int:
    """Share this directory's team memories through REMOTE: https://…, ssh://…, user@host:path or a folder.

    The remote is asked once whether it is there; nothing is sent before the first 'memtui team sync'. Sign in as git does, with a key or a credential helper.
    """
    if dry_run:
        checked_address(remote, cwd=session.world.cwd)
        checked_branch(branch)
        _tell_preview(session, sync_of(session, session.manager()).preview(), as_json=as_json)
        return 0
    manager = changing(session, create=True)
    session.require_team(joins=True)
    status = sync_of(session, manager).init(remote, branch, cwd=session.world.cwd)
    if as_json:
        session.out.json(status_json(status))
        return 0
    say = say_of(session)
    session.out.line(say.joined.format(remote=status.remote, branch=status.branch))
    session.out.note(counted(status.unsaved, say.first_sync_one, say.first_sync).format(count=status.unsaved))
    return 0


@team_command.command("status")
@json_option
@directory_options
@pass_session
def status_command(session: Session, *, as_json: bool) -> int:
    """Say how things stand, without asking the remote: what waits here, what is not shared yet, what went wrong last.

    The exit code is 1 if something waits for you, 4 if the last sync did not come to its end.
    """
    manager = session.manager()
    sync = sync_of(session, manager)
    status = sync.status()
    if as_json:
        session.out.json(status_json(status))
    else:
        tell_status(session, status, decisions_of(sync, manager))
    return exit_code(status)


@team_command.command("sync")
@json_option
@directory_options
@pass_session
def sync_command(session: Session, *, as_json: bool) -> int:
    """Share what was changed here and fetch what others changed; what they changed waits for 'memtui team accept'.

    Without a network what is yours is kept in a commit and shared by a later sync. Nothing is ever forced onto the remote. The exit codes are those of 'memtui team status'.
    """
    manager = changing(session)
    sync = required(session, sync_of(session, manager))
    report = sync.sync()
    if as_json:
        session.out.json(report_json(report))
        return exit_code(report.status)
    _tell_report(session, report)
    tell_status(session, report.status, decisions_of(sync, manager), brief=True)
    return exit_code(report.status)


@team_command.command("log")
@click.option(
    "-n",
    "--number",
    "most",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    help="So many at most.",
)
@json_option
@directory_options
@pass_session
def log_command(session: Session, *, most: int, as_json: bool) -> int:
    """Say who changed what, the latest first; names of authors are what their commits say."""
    entries = required(session, sync_of(session, session.manager())).log(most)
    if as_json:
        session.out.json(
            [
                {
                    "commit": each.commit,
                    "author": each.author,
                    "when": each.when,
                    "subject": each.subject,
                    "changes": {f"team/{rel}": oid for rel, oid in each.changes.items()},
                }
                for each in entries
            ]
        )
        return 0
    now, lang = session.world.clock(), session.lang()
    if entries:
        session.out.table(
            [
                [
                    (each.commit[:OID_SHOWN], "dim"),
                    (memory_age_label(each.when, now, lang), "dim"),
                    (each.author, None),
                    (each.subject.removeprefix("memtui: "), None),
                ]
                for each in entries
            ]
        )
    else:
        session.out.note(say_of(session).no_log)
    return 0


@team_command.command("leave")
@json_option
@directory_options
@pass_session
def leave_command(session: Session, *, as_json: bool) -> int:
    """Share no more. The memories stay, here and on the remote; 'memtui team init REMOTE' shares them again."""
    required(session, sync_of(session, changing(session))).leave()
    if as_json:
        session.out.json({"configured": False})
    else:
        session.out.line(say_of(session).left)
    return 0


def report_json(report: SyncReport) -> Json:
    """What a sync did, beside how things stand."""
    return {
        "committed": [_slug(rel) for rel in report.committed],
        "pushed": report.pushed,
        "fetched": report.fetched,
        "applied": [_slug(rel) for rel in report.applied],
        "clashes": [
            {"slug": _slug(each.rel), "kind": each.kind, "parts": list(each.parts)} for each in report.clashes
        ],
        "offline": report.offline,
        "squashed": report.squashed,
        "rewritten": report.rewritten,
        "status": status_json(report.status),
    }


def _slug(rel: str) -> str:
    return f"team/{rel.removesuffix('.md')}"


def _tell_preview(session: Session, preview: Preview, *, as_json: bool) -> None:
    if as_json:
        session.out.json(
            {
                "would_share": [_slug(rel) for rel in preview.rels],
                "blocked": [blocked_json(each) for each in preview.blocked],
                "unreadable": list(preview.left),
            }
        )
        return
    say, count = say_of(session), len(preview.rels)
    slugs = session.words().list_separator.join(map(_slug, preview.rels))
    told = counted(count, say.would_share_one, say.would_share) if count else say.would_share_none
    session.out.line(told.format(count=count, slugs=slugs))
    _tell_kept_here(session, preview.blocked, preview.left)


def _tell_kept_here(session: Session, blocked: Iterable[Blocked], left: Iterable[str]) -> None:
    out, say = session.out, say_of(session)
    for each in blocked:
        out.note(say.blocked.format(path=f"team/{each.rel}", why=blocked_said(each, session.lang())))
    for rel in left:
        out.note(say.unreadable.format(path=f"team/{rel}"))


def _tell_report(session: Session, report: SyncReport) -> None:
    say, out = say_of(session), session.out
    comma = session.words().list_separator

    def names(rels: tuple[str, ...]) -> str:
        return comma.join(_slug(rel) for rel in rels)

    if report.pushed:
        out.line(say.shared.format(slugs=names(report.committed)) if report.committed else say.shared_waiting)
    elif report.committed:
        out.line(say.kept_waiting.format(slugs=names(report.committed)))
    if report.applied:
        out.line(say.applied.format(slugs=names(report.applied)))
    if report.squashed:
        out.note(say.squashed)
    if report.rewritten:
        out.note(say.rewritten)
    nothing = not (report.pushed or report.committed or report.applied or report.fetched)
    if nothing and report.status.last_error is None:
        out.line(say.nothing_new)


def decisions_of(sync: TeamSync, manager: MemoryManager) -> Sequence[Decision]:
    """What waits to be chosen; nothing where that cannot be read, for the rest can still be said."""
    try:
        return decisions(sync, manager)
    except MemtuiError:
        return ()


def tell_status(
    session: Session, status: TeamStatus, waiting: Sequence[Decision], *, brief: bool = False
) -> None:
    """Print how things stand.

    Args:
        session: where.
        status: it.
        waiting: what is to be chosen; an arrival that is part of it is not counted as one more.
        brief: leave out where it is shared and when it was last; that was said before.
    """
    out, say, lang = session.out, say_of(session), session.lang()
    now = session.world.clock()
    if not status.configured:
        out.note(say.not_joined if not status.rebuilt else say.damaged)
        return
    if not brief:
        out.line(say.where.format(remote=status.remote, branch=status.branch), "bold")
        when = say.never if status.last_sync is None else memory_age_label(status.last_sync, now, lang)
        out.line(
            say.counts.format(ahead=status.ahead, behind=status.behind, unsaved=status.unsaved, when=when)
        )
    clashing = undecided(status.arrivals, waiting)
    plain = [each for each in status.arrivals if each not in clashing]
    if plain:
        out.table(
            [
                [
                    (f"{each.slug}@{each.oid[:OID_SHOWN] or '-'}", "bold"),
                    (_kinds(say)[each.kind], None),
                    (memory_age_label(each.when, now, lang) if each.when else "", "dim"),
                    (each.author, None),
                ]
                for each in plain
            ]
        )
        count = len(plain)
        out.note(counted(count, say.arrivals_wait_one, say.arrivals_wait).format(count=count))
    if clashes := len(waiting) or status.clashes:
        out.note(counted(clashes, say.clashes_wait_one, say.clashes_wait).format(count=clashes))
    for held in status.held:
        why = held_said(held, lang)
        out.note(say.held.format(path=f"team/{held.rel}", why=why))
    _tell_kept_here(session, status.blocked, status.left)
    if status.last_error is not None:
        out.error(status.last_error.said(lang))


def _kinds(say: TeamWording) -> Mapping[str, str]:
    return {"new": say.kind_new, "changed": say.kind_changed, "deleted": say.kind_deleted}


for _command in (
    show_command,
    accept_command,
    decline_command,
    resolve_command,
    release_command,
    watch_command,
):
    team_command.add_command(_command)
