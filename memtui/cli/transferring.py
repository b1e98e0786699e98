"""``memtui copy``, ``move`` and ``adopt``: memories from one store to another. Each shows its plan, asks, and can be undone."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import click

from memtui.claude.adoption import AdoptionCandidate, adoption_candidates, left_over
from memtui.claude.paths import main_checkout, project_slug, projects_dir
from memtui.claude.store_summary import StoreSummary, summarise
from memtui.claude.store_words import store_words
from memtui.claude.stores import Store, client_state, find_stores
from memtui.cli.complete import complete_slug
from memtui.cli.inspecting import agreed, yes_option
from memtui.cli.options import directory_options, json_option, pass_session, share_option
from memtui.cli.projects import named_store, refuse_read_only
from memtui.cli.scoping import Crossings, cross
from memtui.cli.session import Session
from memtui.cli.shapes import transfer_json
from memtui.cli.wording import counted
from memtui.cli.wording_stores import transfer_words
from memtui.config import load_config
from memtui.memory.document.scopes import SCOPES
from memtui.memory.errors import UsageError
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.managing.transfer import (
    TransferPlan,
    TransferVerb,
    carry_out_transfer,
    plan_adoption,
    plan_copy,
    plan_move,
)
from memtui.memory.types import Scope

_slugs = click.argument("slugs", nargs=-1, required=True, metavar="SLUG...", shell_complete=complete_slug)
_to = click.option("--to", "to", metavar="DIR|PROJECT", help="The store they go to.")
_scope = click.option(
    "--scope", type=click.Choice(SCOPES), help="To the team, or from it, within this store."
)
_as = click.option("--as", "new_slug", metavar="NEW", help="Give it this slug there.")
_merge = click.option("--merge", is_flag=True, help="Join it with the memory of the same slug there.")
_dry = click.option("--dry-run", is_flag=True, help="Only say what would be done.")


class _Asked(TypedDict):
    """What both commands are asked."""

    slugs: tuple[str, ...]
    to: str | None
    scope: Scope | None
    new_slug: str | None
    merge: bool
    dry_run: bool
    yes: bool
    as_json: bool


def _asking(command: Callable[..., int]) -> Callable[..., int]:
    """The arguments and options of both."""
    options: tuple[Callable[[Callable[..., int]], Callable[..., int]], ...] = (
        *(_slugs, _to, _scope, share_option, _as, _merge, _dry),
        *(yes_option, json_option, directory_options, pass_session),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command("copy")
@_asking
def copy_command(session: Session, **asked: Unpack[_Asked]) -> int:
    """Copy memories to another store, or to the team.

    Their old versions go along. The store is named by its directory, by its project's, or by the name of either, as 'memtui projects' lists them.
    """
    return _transferred(session, "copy", asked)


@click.command("move")
@_asking
def move_command(session: Session, **asked: Unpack[_Asked]) -> int:
    """Move memories to another store, or to the team.

    Their old versions go along. They arrive there before they leave here. 'memtui undo', in either store, takes both sides back.
    """
    return _transferred(session, "move", asked)


def _transferred(session: Session, verb: Literal["copy", "move"], asked: _Asked) -> int:
    slugs, to, new_slug, scope = asked["slugs"], asked["to"], asked["new_slug"], asked["scope"]
    dry_run, yes, as_json = asked["dry_run"], asked["yes"], asked["as_json"]
    if scope is not None:
        wanted = Crossings(verb, scope, slugs, to, new_slug, merge=asked["merge"])
        return cross(session, wanted, dry_run=dry_run, yes=yes, as_json=as_json)
    source, target = session.manager() if verb == "copy" else session.changer(), _target(session, to)
    merge, new_slugs = slugs if asked["merge"] else (), _renamed(slugs, new_slug)
    planned = plan_copy if verb == "copy" else plan_move
    plan = planned(source, target, slugs, new_slugs=new_slugs, merge=merge)
    return _carry_out(session, plan, source, target, dry_run=dry_run, yes=yes, as_json=as_json)


@click.command("adopt")
@click.argument("old", required=False, metavar="[OLD]")
@_merge
@_dry
@yes_option
@json_option
@directory_options
@pass_session
def adopt_command(
    session: Session, *, old: str | None, merge: bool, dry_run: bool, yes: bool, as_json: bool
) -> int:
    """Take over the memories of a renamed project.

    OLD is the store it had before it was renamed or moved. Without OLD, look for the store of a project that is gone and resembles this one, and say why. The old store stays
    as it is.
    """
    target = session.changer(create=True)
    store = named_store(session, old) if old is not None else _found(session)
    source = MemoryManager.open(store.path, clock=session.world.clock, lang=session.lang(), read_only=True)
    taken = [entry.slug for entry in source.entries() if entry.is_active] if merge else []
    plan = plan_adoption(source, target, merge=taken)
    return _carry_out(session, plan, source, target, dry_run=dry_run, yes=yes, as_json=as_json)


# ------------------------------------------------------------------ whence and whither


def _renamed(slugs: tuple[str, ...], new_slug: str | None) -> dict[str, str]:
    if new_slug is None:
        return {}
    if len(slugs) != 1:
        raise UsageError("--as names one memory", todo="Transfer the others without it")
    return {slugs[0]: new_slug}


def _target(session: Session, name: str | None) -> MemoryManager:
    session.out.require()
    if name is None:
        raise UsageError(
            "it is not said where they go", todo="Name a store with --to, or --scope team or private"
        )
    store = named_store(session, name)
    refuse_read_only(session, store)
    config = load_config(session.world.config_file, store.path)
    return session.opened(store.path, config, project_root=store.project)


def _found(session: Session) -> Store:
    """The store that is most likely this project's old one.

    Raises:
        UsageError: none is, or several are.
    """
    found, others = candidates(session)
    say, reasons = transfer_words(session.lang()), store_words(session.lang()).reasons
    for candidate in found:
        session.out.note(say.candidate.format(path=candidate.summary.store.path))
        for reason in candidate.reasons:
            session.out.note(say.because.format(reason=reasons[reason.code].format_map(reason.parts)))
    for summary in others if not found else ():
        gone, path = summary.project, summary.store.path
        one, many = (say.left_over_one, say.left_over) if gone is None else (say.left_gone_one, say.left_gone)
        template = counted(summary.active, one, many)
        old = gone if gone is not None and project_slug(str(gone)) == summary.store.slug else path
        name = shlex.quote(str(old))
        session.out.note(template.format(path=path, count=summary.active, project=gone, name=name))
    if not found:
        raise UsageError(
            "no store of a project that is gone resembles this one",
            todo="Name the old one, by its folder or the old path of the project: memtui adopt OLD; 'memtui projects' lists all",
        )
    if len(found) > 1 and found[0].weight == found[1].weight:
        raise UsageError("several stores may be the old one", todo="Name it: memtui adopt OLD")
    return found[0].summary.store


def candidates(session: Session) -> tuple[tuple[AdoptionCandidate, ...], list[StoreSummary]]:
    """Stores that the current project may have had under another name; and all that belong to no project that is there."""
    world = session.world
    project = session.project_root() or main_checkout(world.cwd)
    now = world.clock()
    stores = find_stores(environ=world.environ, home=world.home, cwd=world.cwd)
    summaries = [summarise(store, now=now) for store in stores if store.kind == "project"]
    likely = adoption_candidates(
        project,
        summaries,
        state=client_state(environ=world.environ, home=world.home),
        transcripts=Path(projects_dir(world.environ, world.home)) / project_slug(str(project)),
        now=now,
        monotonic=time.monotonic,
    )
    return likely, left_over(project, summaries)


# ------------------------------------------------------------------ the change


def _carry_out(
    session: Session,
    plan: TransferPlan,
    source: MemoryManager,
    target: MemoryManager,
    *,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    out, say = session.out, transfer_words(session.lang())
    _show(session, plan)
    result = None
    if plan.is_empty and not plan.clashes:
        out.note(say.nothing_to_do)
    elif dry_run:
        if plan.clashes and not as_json:
            return UsageError.exit_code
    elif plan.clashes or agreed(session, _questions(session)[plan.verb], yes=yes):
        result = carry_out_transfer(plan, source, target)
    if as_json:
        out.json(transfer_json(plan, result))
    elif result is not None:
        slugs = session.words().list_separator.join(dict.fromkeys(p.new_slug for p in plan.passages))
        adopted = counted(len(plan.passages), say.adopted_one, say.adopted)
        done = {"copy": say.copied, "move": say.moved, "adopt": adopted}[plan.verb]
        out.line(done.format(slugs=slugs, count=len(plan.passages), source=plan.source, target=plan.target))
        note = say.undo_move if plan.verb == "move" else say.undo_copy
        out.note(note.format(target=plan.target))
    return 0


def _questions(session: Session) -> dict[TransferVerb, str]:
    say = transfer_words(session.lang())
    return {"copy": say.ask_copy, "move": say.ask_move, "adopt": say.ask_adopt}


def _show(session: Session, plan: TransferPlan) -> None:
    """The plan, on stderr."""
    out, say = session.out, transfer_words(session.lang())
    heads = {
        "copy": (say.plan_copy_one, say.plan_copy),
        "move": (say.plan_move_one, say.plan_move),
        "adopt": (say.plan_adopt_one, say.plan_adopt),
    }
    count, separator = len(plan.passages) + len(plan.clashes), session.words().list_separator
    head = counted(count, *heads[plan.verb])
    out.note(head.format(count=count, source=plan.source, target=plan.target))
    fates = {"new": say.new, "merged": say.merged, "same": say.same}
    for passage in plan.passages:
        name = passage.slug if passage.slug == passage.new_slug else f"{passage.slug} → {passage.new_slug}"
        parts = [fates[passage.fate]]
        if passage.versions:
            parts.append(
                counted(passage.versions, say.versions_one, say.versions).format(count=passage.versions)
            )
        if passage.alike is not None:
            percent = int(passage.alike.bigrams * 100)
            parts.append(say.alike.format(slug=passage.alike.slug, percent=percent))
        if passage.dangling:
            parts.append(say.dangling.format(targets=separator.join(passage.dangling)))
        out.note(f"  {name}: {separator.join(parts)}")
        if passage.secrets:
            rules = separator.join(dict.fromkeys(secret.rule for secret in passage.secrets))
            out.error(f"{passage.slug}: {say.looks_like.format(rules=rules)}")
    for clash in plan.clashes:
        out.note(f"  {say.clash.format(slug=clash.slug, proposed=clash.proposed)}")
    if plan.leaving is not None and plan.leaving.dangling:
        out.note(f"  {say.left_dangling.format(slugs=separator.join(plan.leaving.dangling))}")
