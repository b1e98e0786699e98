"""``memtui review accept | edit | reject | accept-all``: what becomes of a proposal."""

from __future__ import annotations

from pathlib import Path

import click

from memtui.cli.arguments import NAMED_PATH
from memtui.cli.changing import tell_change, text_of
from memtui.cli.inspecting import agreed, show_diff, yes_option
from memtui.cli.options import directory_options, json_option, pass_session, share_option, unasked_option
from memtui.cli.review_shared import accept_diff, matching, say_of
from memtui.cli.session import Session
from memtui.cli.shapes import Json, change_json
from memtui.cli.wording import counted
from memtui.memory.errors import UsageError
from memtui.memory.index.tally import accept_sentence
from memtui.memory.review.proposals import Accepted, AcceptPlan, Inbox


def accepted_json(done: Accepted) -> Json:
    """What accepting did: ``accepted`` ids, ``left`` with the reason each, and the change."""
    return {
        "accepted": list(done.ids),
        "left": [{"id": left.id, "reason": str(left.error)} for left in done.left],
        "change": change_json(done.change),
    }


@click.command("accept")
@click.argument("named", metavar="ID...", nargs=-1, required=True)
@share_option
@unasked_option
@json_option
@directory_options
@pass_session
def accept_command(session: Session, *, named: tuple[str, ...], as_json: bool) -> None:
    """Make proposals memories, as 'memtui review show' shows them; several in one change.

    An id stands for what it was shown with: a proposal that was altered since has another one. 'memtui undo' takes it back.
    """
    inbox = Inbox(session.changer())
    ids = [inbox.get(name).id for name in named]
    shown = inbox.plan(ids)
    done = inbox.accept_all(ids, shown=shown)
    _accepted(session, done, as_json=as_json)
    _say_unheard(session, shown)


@click.command("edit")
@click.argument("named", metavar="ID")
@click.option("--file", "file", type=NAMED_PATH, help="Take the text from this file, or from stdin with '-'.")
@click.option("--into", metavar="SLUG", help="Put it into this memory instead, whose text you edit with it.")
@share_option
@unasked_option
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
        session.out.note(say_of(session).not_edited)
        if as_json:
            session.out.json({"accepted": [], "left": [], "change": None})
        return 0
    _accepted(session, inbox.accept(proposal.id, text=text, into=into, based_on=base), as_json=as_json)
    return 0


@click.command("reject")
@click.argument("named", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", default="", help="Why, for the list of what was done.")
@unasked_option
@json_option
@directory_options
@pass_session
def reject_command(session: Session, *, named: tuple[str, ...], reason: str, as_json: bool) -> None:
    """Take proposals out of the inbox; they are not proposed again. Also takes the name of a file that is none."""
    change = Inbox(session.changer()).reject(*named, reason=reason)
    say, count = say_of(session), len(set(named))
    tell_change(session, change, counted(count, say.rejected_one, say.rejected).format(count=count), as_json)


@click.command("accept-all")
@click.argument("words", metavar="FILTER", nargs=-1)
@yes_option
@share_option
@json_option
@directory_options
@pass_session
def accept_all_command(session: Session, *, words: tuple[str, ...], yes: bool, as_json: bool) -> int:
    """Show what accepting every proposal would change, or those that FILTER fits, ask, and make it one change.

    FILTER is words such as 'kind:create', 'source:dream', or any that stand in the slug or the reason.
    """
    inbox = Inbox(session.changer())
    say = say_of(session)
    ids = [each.id for each in matching(inbox.pending(), words)]
    shown = inbox.plan(ids) if ids else None
    done = None
    if shown is None:
        session.out.note(say.no_fit if words else say.nothing_waits)
    else:
        for left in shown.left:
            session.out.note(say.left_line.format(id=left.id, reason=left.error.said(session.lang())))
        if shown.ids:
            show_diff(session, accept_diff(shown), as_json=as_json)
            _say_unheard(session, shown)
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


def _say_unheard(session: Session, shown: AcceptPlan) -> None:
    """That some of the new lines will not load; nothing where all do."""
    unit = session.manager().directory.convention.unit
    sentence = accept_sentence(shown.plan.edits, unit, session.lang())
    if sentence:
        session.out.note(sentence)


def _accepted(session: Session, done: Accepted, *, as_json: bool, told: bool = False) -> None:
    say = say_of(session)
    if as_json:
        session.out.json(accepted_json(done))
    if not told:
        for left in done.left:
            session.out.note(say.left_line.format(id=left.id, reason=left.error.said(session.lang())))
    slugs = session.words().list_separator.join(done.change.slugs)
    text = counted(len(done.ids), say.accepted_one, say.accepted).format(count=len(done.ids), slugs=slugs)
    if not as_json and done.ids:
        tell_change(session, done.change, text, as_json=False)
