"""``memtui review changes | keep | revert``: what others changed since you last looked."""

from __future__ import annotations

from collections.abc import Sequence

import click

from memtui.cli.changing import tell_change
from memtui.cli.inspecting import agreed, edits_diff, show_diff, yes_option
from memtui.cli.options import directory_options, json_option, pass_session, share_option, unasked_option
from memtui.cli.review_shared import say_of, unreviewed_of
from memtui.cli.session import Session
from memtui.cli.shapes import Json, change_json
from memtui.cli.wording import counted
from memtui.memory.errors import UsageError
from memtui.memory.managing.authors import author_said
from memtui.memory.review.unreviewed import OthersChange, Unreviewed
from memtui.memory.saving.records import Edit


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


@click.command("changes")
@json_option
@directory_options
@pass_session
def changes_command(session: Session, *, as_json: bool) -> int:
    """Show what others changed since you last saw it: new, edited and deleted memories, each with its diff."""
    found = unreviewed_of(session).changes()
    if as_json:
        session.out.json([others_json(each) for each in found])
        return 0
    say, out = say_of(session), session.out
    kinds = {"new": say.change_new, "edited": say.change_edited, "deleted": say.change_deleted}
    for each in found:
        out.line(f"{kinds[each.kind]}  {each.slug}  ({author_said(each.author, session.lang())})", "bold")
        if each.revertible:
            out.diff(edits_diff([Edit(each.rel, each.base, each.now)]))
        else:
            out.note(say.base_unknown.format(slug=each.slug))
    told = counted(len(found), say.changes_seen_one, say.changes_seen).format(count=len(found))
    out.note(told if found else say.nothing_changed_since)
    return 0


@click.command("keep")
@click.argument("slugs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Keep every change.")
@unasked_option
@json_option
@directory_options
@pass_session
def keep_command(session: Session, *, slugs: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Take changes by others as seen; nothing in the directory changes."""
    behind = unreviewed_of(session)
    found = _chosen(behind, slugs, everything=everything)
    behind.keep(found)
    if as_json:
        session.out.json({"kept": [each.slug for each in found]})
    else:
        say = say_of(session)
        session.out.line(counted(len(found), say.kept_seen_one, say.kept_seen).format(count=len(found)))


@click.command("revert")
@click.argument("slugs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Revert every change.")
@yes_option
@share_option
@json_option
@directory_options
@pass_session
def revert_command(
    session: Session, *, slugs: tuple[str, ...], everything: bool, yes: bool, as_json: bool
) -> int:
    """Show the way back to what you last saw, ask, and make it: one change, which one undo takes back."""
    session.out.require()
    behind = unreviewed_of(session)
    found = _chosen(behind, slugs, everything=everything)
    say, change = say_of(session), None
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


def _chosen(behind: Unreviewed, slugs: Sequence[str], *, everything: bool) -> tuple[OthersChange, ...]:
    if everything == bool(slugs):
        raise UsageError("name memories, or --all", todo="'memtui review changes' lists what was changed")
    return behind.changes() if everything else behind.get(slugs)
