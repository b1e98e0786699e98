"""``memtui review``: the proposals that wait, each with its reason, evidence and change."""

from __future__ import annotations

from collections.abc import Sequence

import click

from memtui.cli.inspecting import edits_diff
from memtui.cli.options import directory_options, json_option, pass_session
from memtui.cli.review_changes import changes_command, keep_command, revert_command
from memtui.cli.review_deciding import accept_all_command, accept_command, edit_command, reject_command
from memtui.cli.review_shared import accept_diff, matching, say_of, unreviewed_of
from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.cli.wording import counted
from memtui.cli.wording_review import ReviewWording
from memtui.memory.age import memory_age_label
from memtui.memory.errors import MemtuiError
from memtui.memory.review.proposals import Broken, Inbox, Proposal
from memtui.memory.saving.records import Edit


def proposal_json(proposal: Proposal) -> Json:
    """One proposal; ``at`` is in Unix seconds, a ``text`` is null where the memory would leave."""
    return {
        "id": proposal.id,
        "kind": proposal.kind,
        "slugs": list(proposal.slugs),
        "source": proposal.source,
        "by": proposal.by,
        "session": proposal.session,
        "at": proposal.at,
        "reason": proposal.reason,
        "evidence": [
            {
                "transcript": each.transcript,
                "line": each.line,
                "before": each.before,
                "quote": each.quote,
                "after": each.after,
            }
            for each in proposal.evidence
        ],
        "memories": [
            {"slug": each.slug, "text": each.text, "based_on": each.based_on} for each in proposal.texts
        ],
    }


@click.group("review", invoke_without_command=True, subcommand_metavar="[COMMAND]")
@json_option
@directory_options
@pass_session
@click.pass_context
def review_command(context: click.Context, session: Session, *, as_json: bool) -> int:
    """Review what models propose and what others changed.

    Without a command, list the proposals that wait. A proposal is named by its id, the beginning of one, or the memory it is about.
    """
    return 0 if context.invoked_subcommand is not None else _list(session, (), as_json=as_json)


@review_command.command("list")
@click.argument("words", nargs=-1)
@json_option
@directory_options
@pass_session
def list_command(session: Session, *, words: tuple[str, ...], as_json: bool) -> int:
    """List the proposals that wait, the oldest first; WORDS narrow it, as in 'kind:create source:dream build'."""
    return _list(session, words, as_json=as_json)


def _list(session: Session, words: Sequence[str], *, as_json: bool) -> int:
    manager = session.manager()
    inbox = Inbox(manager)
    found, broken = matching(inbox.pending(), words), inbox.broken()
    if as_json:
        problems = [{"file": each.name, "problem": each.code} for each in broken]
        session.out.json({"proposals": [proposal_json(each) for each in found], "problems": problems})
        return 0
    say, out, lang = say_of(session), session.out, session.lang()
    now = session.world.clock()
    if found:
        out.table(
            [
                [
                    (each.id, "dim"),
                    (_kind(each, say), "bold"),
                    (", ".join(each.slugs), None),
                    (_source(each, say), "dim"),
                    (memory_age_label(each.at, now, lang), "dim"),
                    (each.reason, None),
                ]
                for each in found
            ]
        )
    for each in broken:
        out.note(say.no_proposal.format(name=each.name, why=_problem(each, say)))
    told = counted(len(found), say.waiting_one, say.waiting).format(count=len(found))
    out.note(told if found else say.nothing_waits)
    behind = len(unreviewed_of(session).changes())
    if behind:
        out.note(counted(behind, say.others_waiting_one, say.others_waiting).format(count=behind))
    return 0


@review_command.command("show")
@click.argument("named", metavar="ID")
@json_option
@directory_options
@pass_session
def show_command(session: Session, *, named: str, as_json: bool) -> int:
    """Show a proposal: why, what was said where, what the checks say, and the change it would make, byte for byte."""
    from memtui.cli.review_checks import check_text  # noqa: PLC0415  -- as below
    from memtui.memory.review.proposal_checks import check_texts  # noqa: PLC0415  -- every check; no other command needs them

    manager = session.manager()
    inbox = Inbox(manager)
    proposal = inbox.get(named)
    diff, error = "", None
    try:
        diff = accept_diff(inbox.plan([proposal.id]))
    except MemtuiError as caught:
        error = caught
        diff = edits_diff(
            Edit(f"{e.slug}.md", None, e.text.encode()) for e in proposal.texts if e.text is not None
        )
    say, lang = say_of(session), session.lang()
    checks = [
        {
            "slug": slug,
            "severity": each.severity.name.lower(),
            "rule": each.rule,
            "field": each.where,
            "message": check_text(each, say, lang),
        }
        for slug, report in check_texts(manager, proposal).items()
        for each in report.findings
    ]
    if as_json:
        refusal = str(error) if error else None
        session.out.json({**proposal_json(proposal), "diff": diff, "refusal": refusal, "checks": checks})
        return 0
    _tell_why(session, proposal)
    session.out.diff(diff)
    for check in checks:
        session.out.note(say.check_line.format(**check))
    if error is not None:
        session.out.note(say.cannot_yet.format(reason=error.said(session.lang())))
    return 0


def _tell_why(session: Session, proposal: Proposal) -> None:
    """Why something is proposed, and the passages it rests on, each between what was said around it."""
    out, say, lang = session.out, say_of(session), session.lang()
    age = memory_age_label(proposal.at, session.world.clock(), lang)
    slugs = session.words().list_separator.join(proposal.slugs)
    head = say.proposed.format(kind=_kind(proposal, say), slugs=slugs, source=_source(proposal, say), age=age)
    out.line(head, "bold")
    if proposal.by:
        out.line(say.by_line.format(by=proposal.by), "dim")
    if proposal.reason:
        out.lines(proposal.reason)
    for each in proposal.evidence:
        line = say.line.format(line=each.line)
        out.line(say.said_at.format(path=each.transcript, line=line), "cyan")
        for mark, passage in (("  ", each.before), ("> ", each.quote), ("  ", each.after)):
            for text in passage.splitlines():
                out.line(mark + text, None if passage is each.quote else "dim")
    out.line()


def _kind(proposal: Proposal, say: ReviewWording) -> str:
    text: str = getattr(say, f"kind_{proposal.kind}")
    return text


def _source(proposal: Proposal, say: ReviewWording) -> str:
    text: str = getattr(say, f"source_{proposal.source}")
    return text


def _problem(broken: Broken, say: ReviewWording) -> str:
    text: str = getattr(say, f"code_{broken.code.replace('-', '_')}", say.code_other)
    return text


for _command in (
    accept_command,
    edit_command,
    reject_command,
    accept_all_command,
    changes_command,
    keep_command,
    revert_command,
):
    review_command.add_command(_command)
