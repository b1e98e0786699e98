"""``memtui team show | accept | decline | resolve | release``: what becomes of what others share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memtui.cli.arguments import NAMED_PATH
from memtui.cli.changing import text_of
from memtui.cli.inspecting import agreed, edits_diff, show_diff, yes_option
from memtui.cli.options import directory_options, json_option, pass_session, unasked_option
from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.cli.team_shared import arrival_json, changing, found, held_json, required, say_of, sync_of
from memtui.cli.wording import counted
from memtui.cli.wording_team import TeamWording
from memtui.memory.age import memory_age_label
from memtui.memory.errors import UsageError
from memtui.memory.saving.records import Edit
from memtui.memory.wording.saying import Say
from memtui.team.resolving import Decision, Side, chosen, decide, decisions
from memtui.team.resolving import undecided as clashing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.memory.managing.manager import MemoryManager
    from memtui.team.results import Applied, Arrival
    from memtui.team.sync import TeamSync

_names = click.argument("named", metavar="[NAME...]", nargs=-1)
_all = click.option("--all", "everything", is_flag=True, help="All that arrived.")


@click.command("show")
@_names
@json_option
@directory_options
@pass_session
def show_command(session: Session, *, named: tuple[str, ...], as_json: bool) -> int:
    """Show what arrivals would change, all of them or those named; 'memtui team accept' does exactly that."""
    manager = session.manager()
    sync = required(session, sync_of(session, manager))
    waiting = sync.status().arrivals
    arrivals = [found(waiting, name) for name in named] if named else waiting
    if as_json:
        session.out.json(
            [{**arrival_json(each), "diff": edits_diff([_edit(sync, manager, each)])} for each in arrivals]
        )
        return 0
    session.out.diff(_diff(sync, manager, arrivals))
    if not arrivals:
        session.out.note(say_of(session).nothing_arrived)
    return 0


@click.command("accept")
@_names
@_all
@yes_option
@json_option
@directory_options
@pass_session
def accept_command(
    session: Session, *, named: tuple[str, ...], everything: bool, yes: bool, as_json: bool
) -> int:
    """Make what others changed your memories, those named or --all; 'memtui undo' takes it back.

    NAME@DIGITS, as 'memtui team status' shows it, is that very text or nothing. --all shows the changes and asks; it leaves what you changed too, for 'memtui team resolve'. The exit code is 1 then.
    """
    manager = changing(session)
    sync = required(session, sync_of(session, manager))
    arrivals = _wanted(sync, named, everything=everything)
    undecided: tuple[Arrival, ...] = ()
    if everything:
        undecided = clashing(arrivals, decisions(sync, manager))
        arrivals = tuple(each for each in arrivals if each not in undecided)
    say = say_of(session)
    if everything and arrivals:
        show_diff(session, _diff(sync, manager, arrivals), as_json=as_json)
        count = len(arrivals)
        if not agreed(session, counted(count, say.ask_take_one, say.ask_take).format(count=count), yes=yes):
            arrivals = ()
    done = sync.accept(arrivals) if arrivals else None
    if as_json:
        session.out.json(_applied_json(done, undecided))
        return _accept_code(done, undecided)
    comma = session.words().list_separator
    if done is not None:
        if done.rels:
            slugs = comma.join(f"team/{rel.removesuffix('.md')}" for rel in done.rels)
            session.out.line(say.taken.format(slugs=slugs))
        for each in done.left:
            session.out.note(say.not_accepted.format(slug=each.slug))
    elif not undecided:
        session.out.note(say.nothing_arrived)
    if undecided:
        session.out.note(say.undecided.format(slugs=comma.join(each.slug for each in undecided)))
    return _accept_code(done, undecided)


def _accept_code(done: Applied | None, undecided: Sequence[Arrival]) -> int:
    """3 if something was another arrival by now, 1 if something waits to be decided, else 0."""
    if done is not None and done.left:
        return 3
    return 1 if undecided else 0


@click.command("decline")
@_names
@_all
@click.option("--undo", "again", is_flag=True, help="What was declined waits again.")
@unasked_option
@json_option
@directory_options
@pass_session
def decline_command(
    session: Session, *, named: tuple[str, ...], everything: bool, again: bool, as_json: bool
) -> int:
    """Leave your memories as they are; what arrived is not shown again before others change it. They keep theirs."""
    sync = required(session, sync_of(session, changing(session)))
    if again:
        return _reconsidered(session, sync, named, everything=everything, as_json=as_json)
    arrivals = _wanted(sync, named, everything=everything)
    sync.decline(arrivals)
    if as_json:
        session.out.json({"declined": [arrival_json(each) for each in arrivals]})
    elif arrivals:
        slugs = session.words().list_separator.join(each.slug for each in arrivals)
        session.out.line(say_of(session).declined.format(slugs=slugs))
    else:
        session.out.note(say_of(session).nothing_arrived)
    return 0


@click.command("resolve")
@click.argument("named", metavar="[NAME | ID]", required=False)
@click.option("--ours", "side", flag_value="ours", help="Yours is the text that everybody gets.")
@click.option("--theirs", "side", flag_value="theirs", help="Theirs stays.")
@click.option(
    "--both", "side", flag_value="both", help="Of two memories that met, each stays under its own name."
)
@click.option(
    "--merged", "file", type=NAMED_PATH, metavar="FILE", help="The text in this file, or '-' for stdin."
)
@unasked_option
@json_option
@directory_options
@pass_session
def resolve_command(
    session: Session, *, named: str | None, side: Side | None, file: Path | None, as_json: bool
) -> int:
    """List what you and others changed at the same time, show one, or choose.

    Until you choose theirs stands, and yours waits here; of two new memories of one name, or one that both renamed, both stand. Without a choice the exit code is 1 if anything waits.
    """
    if side is not None and file is not None:
        raise UsageError("--ours, --theirs, --both and --merged exclude each other")
    choosing = side is not None or file is not None
    if choosing and named is None:
        raise UsageError("name what is to be decided", todo="'memtui team resolve' lists it")
    manager = changing(session) if choosing else session.manager()
    sync = required(session, sync_of(session, manager))
    waiting = decisions(sync, manager)
    if named is None:
        _list(session, waiting, as_json=as_json)
        return 1 if waiting else 0
    decision = chosen(waiting, named)
    if not choosing:
        if as_json:
            session.out.json(_decision_json(decision))
        else:
            session.out.diff(edits_diff([Edit(f"{decision.slug}.md", decision.theirs, decision.ours)]))
            session.out.note(_how_to_choose(decision, say_of(session)))
        return 1
    text = text_of(session, None, None, file) if file is not None else None
    decide(sync, manager, decision, side or "ours", text)
    say = say_of(session)
    if as_json:
        session.out.json({"decided": decision.slug, "side": "merged" if text is not None else side})
    else:
        told = {"ours": say.decided_ours, "theirs": say.decided_theirs, "both": say.decided_both}
        sentence = say.decided_merged if text is not None else told[side or "ours"]
        session.out.line(sentence.format(slug=decision.slug, other=decision.other))
    return 0


@click.command("release")
@click.argument("named", metavar="NAME")
@json_option
@directory_options
@pass_session
def release_command(session: Session, *, named: str, as_json: bool) -> int:
    """Let something arrive that the secret guard holds back; the audit log says so. It then waits like any arrival."""
    sync = required(session, sync_of(session, changing(session)))
    rel = f"{named.removeprefix('team/').removesuffix('.md')}.md"
    held = next((each for each in sync.status().held if each.rel == rel), None)
    if held is None:
        raise UsageError(
            Say("nothing of {name!r} is held back", name=named), todo="'memtui team status' lists what is"
        )
    sync.release(held)
    if as_json:
        session.out.json(held_json(held))
    else:
        session.out.line(say_of(session).released.format(slug=f"team/{rel.removesuffix('.md')}"))
    return 0


def _reconsidered(
    session: Session, sync: TeamSync, named: Sequence[str], *, everything: bool, as_json: bool
) -> int:
    """Have what was declined wait again."""
    if everything == bool(named):
        raise UsageError("name what was declined, or give --all")
    declined = {f"team/{rel.removesuffix('.md')}": rel for rel in sync.status().declined}
    asked = [f"team/{name.removeprefix('team/').removesuffix('.md')}" for name in named] or list(declined)
    unknown = next((slug for slug in asked if slug not in declined), None)
    if unknown is not None:
        raise UsageError("nothing of this name was declined", where=unknown)
    sync.reconsider(declined[slug] for slug in asked)
    if as_json:
        session.out.json({"waits_again": asked})
    elif asked:
        slugs = session.words().list_separator.join(asked)
        session.out.line(say_of(session).waits_again.format(slugs=slugs))
    else:
        session.out.note(say_of(session).nothing_declined)
    return 0


def _wanted(sync: TeamSync, named: Sequence[str], *, everything: bool) -> tuple[Arrival, ...]:
    if everything == bool(named):
        raise UsageError("name what arrived, or give --all", todo="'memtui team status' lists it")
    waiting = sync.status().arrivals
    return waiting if everything else tuple(found(waiting, name) for name in named)


def _edit(sync: TeamSync, manager: MemoryManager, arrival: Arrival) -> Edit:
    rel = f"{arrival.slug}.md"
    image = manager.planner.image(rel)
    after = sync.content(arrival.oid) if arrival.oid else None
    return Edit(rel, image.data if image is not None else None, after)


def _diff(sync: TeamSync, manager: MemoryManager, arrivals: Iterable[Arrival]) -> str:
    return edits_diff(_edit(sync, manager, each) for each in arrivals)


def _applied_json(done: Applied | None, undecided: Iterable[Arrival]) -> Json:
    return {
        "undecided": [each.slug for each in undecided],
        "accepted": [f"team/{rel.removesuffix('.md')}" for rel in done.rels] if done else [],
        "left": [arrival_json(each) for each in done.left] if done else [],
    }


def _list(session: Session, waiting: Sequence[Decision], *, as_json: bool) -> None:
    if as_json:
        session.out.json({"clashes": [_decision_json(each) for each in waiting]})
        return
    say, now, lang = say_of(session), session.world.clock(), session.lang()
    if not waiting:
        session.out.note(say.nothing_clashes)
        return
    session.out.table(
        [
            [
                (each.slug, "bold"),
                (_what(each, say), None),
                (memory_age_label(each.at, now, lang) if each.at else "", "dim"),
                (each.id, "dim"),
            ]
            for each in waiting
        ]
    )
    session.out.note(_how_to_choose(waiting[0], say))


def _how_to_choose(decision: Decision, say: TeamWording) -> str:
    if decision.other is not None:
        return say.how_to_choose_two.format(theirs=decision.slug, ours=decision.other)
    return say.how_to_choose.format(slug=decision.slug)


def _what(decision: Decision, say: TeamWording) -> str:
    if decision.other is not None:
        told = say.clash_renamed if decision.kind == "both-renamed" else say.clash_named
        return told.format(slug=decision.other)
    if decision.ours is None:
        return say.clash_deleted_here
    return say.clash_deleted_there if decision.theirs is None else say.clash_both


def _decision_json(each: Decision) -> Json:
    """A clash; a text is null where that side deleted the memory."""
    return {
        "slug": each.slug,
        "id": each.id or None,
        "kind": each.kind,
        "other": each.other,
        "shared": each.shared,
        "ours": None if each.ours is None else each.ours.decode("utf-8", "replace"),
        "theirs": None if each.theirs is None else each.theirs.decode("utf-8", "replace"),
        "at": each.at,
    }
