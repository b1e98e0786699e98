"""``memtui review``: the proposals that wait, and what others changed since you last looked; accept, reject, keep, revert."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import get_args

import click

from memtui.cli.changing import tell_change, text_of
from memtui.cli.inspecting import agreed, edits_diff, show_diff, yes_option
from memtui.cli.places import NAMED_PATH
from memtui.cli.session import Session, directory_options, json_option, pass_session
from memtui.cli.shapes import Json, change_json
from memtui.cli.wording import counted
from memtui.cli.wording_review import ReviewWording, review_words
from memtui.memory.age import memory_age_label
from memtui.memory.errors import MemtuiError, UsageError
from memtui.memory.proposal_file import ProposalKind, Source
from memtui.memory.proposals import Accepted, AcceptPlan, Broken, Inbox, Proposal
from memtui.memory.record_lines import in_inbox
from memtui.memory.records import Edit
from memtui.memory.saying import Say, joined
from memtui.memory.types import Lang
from memtui.memory.unreviewed import OthersChange, Unreviewed
from memtui.memory.visits import Visits


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


def others_json(change: OthersChange) -> Json:
    """What others did to one memory; ``diff`` is from what you last saw, ``revertible`` whether that is known."""
    return {
        "slug": change.slug,
        "kind": change.kind,
        "at": change.at,
        "by": change.by,
        "revertible": change.revertible,
        "diff": edits_diff([Edit(change.rel, change.base, change.now)]),
    }


def accepted_json(done: Accepted) -> Json:
    """What accepting did: ``accepted`` ids, ``left`` with the reason each, and the change."""
    return {
        "accepted": list(done.ids),
        "left": [{"id": left.id, "reason": str(left.error)} for left in done.left],
        "change": change_json(done.change),
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
    say, out, lang = _words(session), session.out, session.lang()
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
    behind = len(_unreviewed(session).changes())
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
    from memtui.memory.proposal_checks import check_texts  # noqa: PLC0415  -- every check; no other command needs them

    manager = session.manager()
    inbox = Inbox(manager)
    proposal = inbox.get(named)
    diff, error = "", None
    try:
        diff = _diff(inbox.plan([proposal.id]))
    except MemtuiError as caught:
        error = caught
        diff = edits_diff(
            Edit(f"{e.slug}.md", None, e.text.encode()) for e in proposal.texts if e.text is not None
        )
    checks = [
        {"slug": slug, "severity": each.severity.name.lower(), "rule": each.rule, "field": each.where}
        for slug, report in check_texts(manager, proposal).items()
        for each in report.findings
    ]
    if as_json:
        refusal = str(error) if error else None
        session.out.json({**proposal_json(proposal), "diff": diff, "refusal": refusal, "checks": checks})
        return 0
    _tell_why(session, proposal)
    say, titles = _words(session), _titles(session.lang())
    session.out.diff(diff)
    for check in checks:
        title = titles.get(check["rule"], check["field"])
        session.out.note(say.check_line.format(**check, title=title))
    if error is not None:
        session.out.note(say.cannot_yet.format(reason=error.said(session.lang())))
    return 0


def _tell_why(session: Session, proposal: Proposal) -> None:
    """Why something is proposed, and the passages it rests on, each between what was said around it."""
    out, say, lang = session.out, _words(session), session.lang()
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


@review_command.command("accept")
@click.argument("named", metavar="ID...", nargs=-1, required=True)
@json_option
@directory_options
@pass_session
def accept_command(session: Session, *, named: tuple[str, ...], as_json: bool) -> None:
    """Make proposals memories, as 'memtui review show' shows them; several in one change.

    An id stands for what it was shown with: a proposal that was altered since has another one. 'memtui undo' takes it back.
    """
    inbox = Inbox(session.changer())
    ids = [inbox.get(name).id for name in named]
    _accepted(session, inbox.accept_all(ids), as_json=as_json)


@review_command.command("edit")
@click.argument("named", metavar="ID")
@click.option("--file", "file", type=NAMED_PATH, help="Take the text from this file, or from stdin with '-'.")
@click.option("--into", metavar="SLUG", help="Put it into this memory instead, whose text you edit with it.")
@json_option
@directory_options
@pass_session
def edit_command(session: Session, *, named: str, file: Path | None, into: str | None, as_json: bool) -> int:
    """Edit what a proposal would write, header and all, and accept that; opens your editor without --file."""
    manager = session.changer()
    inbox = Inbox(manager)
    proposal = inbox.get(named)
    if proposal.main.text is None:
        raise UsageError("this proposal writes no text that could be another", where=proposal.id)
    base = None
    start = proposal.main.text
    if into is not None:
        base = manager.get(into).digest
        start = inbox.merged_text(proposal.id, into)
    text = text_of(session, None, None, file)
    if text is None:
        text = click.edit(start, extension=".md", env=session.world.environ)
    if text is None:
        session.out.note(_words(session).not_edited)
        if as_json:
            session.out.json({"accepted": [], "left": [], "change": None})
        return 0
    _accepted(session, inbox.accept(proposal.id, text=text, into=into, based_on=base), as_json=as_json)
    return 0


@review_command.command("reject")
@click.argument("named", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", default="", help="Why, for the list of what was done.")
@json_option
@directory_options
@pass_session
def reject_command(session: Session, *, named: tuple[str, ...], reason: str, as_json: bool) -> None:
    """Take proposals out of the inbox; they are not proposed again. Also takes the name of a file that is none."""
    change = Inbox(session.changer()).reject(*named, reason=reason)
    say, count = _words(session), len(set(named))
    tell_change(session, change, counted(count, say.rejected_one, say.rejected).format(count=count), as_json)


@review_command.command("accept-all")
@click.argument("words", metavar="FILTER", nargs=-1)
@yes_option
@json_option
@directory_options
@pass_session
def accept_all_command(session: Session, *, words: tuple[str, ...], yes: bool, as_json: bool) -> int:
    """Show what accepting every proposal would change, or those that FILTER fits, ask, and make it one change.

    FILTER is words such as 'kind:create', 'source:dream', or any that stand in the slug or the reason.
    """
    inbox = Inbox(session.changer())
    say = _words(session)
    ids = [each.id for each in matching(inbox.pending(), words)]
    shown = inbox.plan(ids) if ids else None
    done = None
    if shown is None:
        session.out.note(say.no_fit if words else say.nothing_waits)
    else:
        for left in shown.left:
            session.out.note(say.left_line.format(id=left.id, reason=left.error.said(session.lang())))
        if shown.ids:
            show_diff(session, _diff(shown), as_json=as_json)
            question = counted(len(shown.ids), say.ask_accept_one, say.ask_accept).format(
                count=len(shown.ids)
            )
            if agreed(session, question, yes=yes):
                done = inbox.accept_all(ids, shown=shown)
    if done is not None:
        _accepted(session, done, as_json=as_json, told=True)
    elif as_json:
        session.out.json({"accepted": [], "left": [], "change": None})
    return 0


@review_command.command("changes")
@json_option
@directory_options
@pass_session
def changes_command(session: Session, *, as_json: bool) -> int:
    """Show what others changed since you last saw it: new, edited and deleted memories, each with its diff."""
    found = _unreviewed(session).changes()
    if as_json:
        session.out.json([others_json(each) for each in found])
        return 0
    say, out = _words(session), session.out
    kinds = {"new": say.change_new, "edited": say.change_edited, "deleted": say.change_deleted}
    for each in found:
        out.line(f"{kinds[each.kind]}  {each.slug}  ({each.by or say.by_somebody})", "bold")
        if each.revertible:
            out.diff(edits_diff([Edit(each.rel, each.base, each.now)]))
        else:
            out.note(say.base_unknown.format(slug=each.slug))
    told = counted(len(found), say.changes_seen_one, say.changes_seen).format(count=len(found))
    out.note(told if found else say.nothing_changed_since)
    return 0


@review_command.command("keep")
@click.argument("slugs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Keep every change.")
@json_option
@directory_options
@pass_session
def keep_command(session: Session, *, slugs: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Take changes by others as seen; nothing in the directory changes."""
    behind = _unreviewed(session)
    found = _chosen(behind, slugs, everything=everything)
    behind.keep(found)
    if as_json:
        session.out.json({"kept": [each.slug for each in found]})
    else:
        say = _words(session)
        session.out.line(counted(len(found), say.kept_seen_one, say.kept_seen).format(count=len(found)))


@review_command.command("revert")
@click.argument("slugs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Revert every change.")
@yes_option
@json_option
@directory_options
@pass_session
def revert_command(
    session: Session, *, slugs: tuple[str, ...], everything: bool, yes: bool, as_json: bool
) -> int:
    """Show the way back to what you last saw, ask, and make it: one change, which one undo takes back."""
    session.out.require()
    behind = _unreviewed(session)
    found = _chosen(behind, slugs, everything=everything)
    say, change = _words(session), None
    plan = behind.plan_revert(found)
    diff = edits_diff(plan.edits)
    if found:
        show_diff(session, diff, as_json=as_json)
        question = counted(len(found), say.ask_revert_one, say.ask_revert).format(count=len(found))
        if agreed(session, question, yes=yes):
            change = behind.revert(plan)
    elif not as_json:
        session.out.note(say.nothing_changed_since)
    if as_json:
        session.out.json({"diff": diff, "change": change_json(change) if change else None})
    elif change is not None:
        named = session.words().list_separator.join(change.slugs)
        told = counted(len(found), say.reverted_one, say.reverted).format(slugs=named)
        tell_change(session, change, told, as_json=False)
    return 0


def matching(proposals: Iterable[Proposal], words: Sequence[str]) -> tuple[Proposal, ...]:
    """The proposals that every word fits: ``kind:…``, ``source:…``, or what stands in slugs or reason.

    Raises:
        UsageError: there is no such kind or source.
    """
    found = tuple(proposals)
    for word in words:
        name, colon, value = word.partition(":")
        known = {"kind": get_args(ProposalKind), "source": get_args(Source)}.get(name, ()) if colon else ()
        if known and value not in known:
            raise UsageError(
                Say("there is no {name} {value!r}", name=name, value=value),
                todo=Say("Use one of: {types}", types=joined(known, ", ")),
            )
        if known:
            found = tuple(each for each in found if getattr(each, name) == value)
        else:
            low = word.casefold()
            found = tuple(e for e in found if low in " ".join((*e.slugs, e.reason)).casefold())
    return found


def _chosen(behind: Unreviewed, slugs: Sequence[str], *, everything: bool) -> tuple[OthersChange, ...]:
    if everything == bool(slugs):
        raise UsageError("name memories, or --all", todo="'memtui review changes' lists what was changed")
    return behind.changes() if everything else behind.get(slugs)


def _accepted(session: Session, done: Accepted, *, as_json: bool, told: bool = False) -> None:
    say = _words(session)
    if as_json:
        session.out.json(accepted_json(done))
    if not told:
        for left in done.left:
            session.out.note(say.left_line.format(id=left.id, reason=left.error.said(session.lang())))
    slugs = session.words().list_separator.join(done.change.slugs)
    text = counted(len(done.ids), say.accepted_one, say.accepted).format(count=len(done.ids), slugs=slugs)
    if not as_json and done.ids:
        tell_change(session, done.change, text, as_json=False)


def _diff(shown: AcceptPlan) -> str:
    """What accepting changes; that the proposals leave the inbox goes without saying."""
    return edits_diff(edit for edit in shown.plan.edits if not in_inbox(edit.rel))


def _unreviewed(session: Session) -> Unreviewed:
    return Unreviewed(session.manager(), Visits(session.world.state_dir, session.memory_dir()))


def _words(session: Session) -> ReviewWording:
    return review_words(session.lang())


def _kind(proposal: Proposal, say: ReviewWording) -> str:
    text: str = getattr(say, f"kind_{proposal.kind}")
    return text


def _source(proposal: Proposal, say: ReviewWording) -> str:
    text: str = getattr(say, f"source_{proposal.source}")
    return text


def _problem(broken: Broken, say: ReviewWording) -> str:
    text: str = getattr(say, f"code_{broken.code.replace('-', '_')}", say.code_other)
    return text


def _titles(lang: Lang) -> Mapping[str, str]:
    """What each rule looks for, in a few words."""
    from memtui.memory.wording.findings_en import RULES_EN  # noqa: PLC0415  -- only where findings are shown
    from memtui.memory.wording.findings_zh import RULES_ZH  # noqa: PLC0415

    return {rule: said.title for rule, said in (RULES_ZH if lang == "zh" else RULES_EN).items()}
