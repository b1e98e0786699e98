"""``memtui projects``: every store on the machine, and a search through all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from memtui.claude.paths import project_memory_dir, project_slug
from memtui.claude.store_search import search_stores
from memtui.claude.store_summary import StoreSummary, projects_of_store, summarise
from memtui.claude.store_words import store_words
from memtui.claude.stores import Store, find_stores
from memtui.cli.options import json_option, lang_option, pass_session
from memtui.cli.output import Style
from memtui.cli.session import Session
from memtui.cli.shapes import hit_json, store_json
from memtui.cli.wording import counted
from memtui.cli.wording_stores import transfer_words
from memtui.memory.age import memory_age_label
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.errors import Refused, UsageError
from memtui.memory.wording.saying import Say


@click.group("projects", invoke_without_command=True, subcommand_metavar="[search WORDS...]")
@json_option
@lang_option
@pass_session
@click.pass_context
def projects_command(context: click.Context, session: Session, *, as_json: bool) -> int:
    """List every memory store on this machine.

    The one changed last comes first. Those of Claude Code's projects and subagents, of Qwen Code, and what other agents keep as Markdown (read-only).
    """
    if context.invoked_subcommand is not None:
        return 0
    world, out = session.world, session.out
    stores = find_stores(environ=world.environ, home=world.home, cwd=world.cwd)
    now = world.clock()
    allowed = session.allowed_secrets()
    summaries = [summarise(store, now=now, home=world.home, allowed=allowed) for store in stores]
    summaries.sort(key=lambda s: (-(s.last_change or 0.0), s.store.kind, s.store.slug))
    if as_json:
        out.json([store_json(summary) for summary in summaries])
        return 0
    say = transfer_words(session.own_lang())
    if not summaries:
        out.note(say.no_stores.format(home=world.home))
        return 0
    out.table([_head(session), *(_row(session, summary, now) for summary in summaries)])
    out.note(counted(len(summaries), say.stores_one, say.stores).format(count=len(summaries)))
    return 0


Row = list[tuple[str, Style | None]]


def _head(session: Session) -> Row:
    say = transfer_words(session.own_lang())
    titles = (
        say.head_project,
        say.head_kind,
        say.head_memories,
        say.head_index,
        say.head_stale,
        say.head_secrets,
        say.head_changed,
        say.head_problems,
    )
    return [(title, "dim") for title in titles]


def _row(session: Session, summary: StoreSummary, now: float) -> Row:
    lang = session.own_lang()
    say, index = store_words(lang), summary.index
    changed = memory_age_label(summary.last_change, now, lang) if summary.last_change is not None else "-"
    problems = ", ".join(say.problems[problem] for problem in summary.problems)
    return [
        (store_name(summary.store, summary.project, session.world.home), "bold"),
        (say.kinds[summary.store.kind], None),
        (str(summary.active), None),
        (f"{index.fill:.0%}" if index.exists else "-", "red" if index.bound else None),
        (f"{summary.stale_share:.0%}" if summary.active else "-", None),
        (str(summary.secrets), "red" if summary.secrets else "dim"),
        (changed, "dim"),
        (problems, "yellow" if problems else None),
    ]


def store_name(store: Store, project: Path | None, home: Path) -> str:
    """What a store is called: its project's path, the agent in it, or the path of the store."""
    path = project or store.project
    where = short(path, home) if path is not None else short(store.path, home)
    return f"{where} · {store.slug}" if store.kind.startswith("agent") and path is not None else where


def short(path: Path, home: Path) -> str:
    """A path with ``~`` for the home."""
    return f"~/{path.relative_to(home)}".removesuffix("/.") if path.is_relative_to(home) else str(path)


@projects_command.command("search")
@click.argument("words", nargs=-1, required=True)
@json_option
@lang_option
@pass_session
def search_command(session: Session, *, words: Sequence[str], as_json: bool) -> int:
    """Find the memories, in all stores, that hold every one of the words.

    'type:feedback' asks for a type, 'tier:hot' for a tier, 'is:stale' for those that nobody touched for 200 days.
    """
    world, out = session.world, session.out
    stores = find_stores(environ=world.environ, home=world.home, cwd=world.cwd)
    found = search_stores(stores, " ".join(words), now=world.clock())
    if as_json:
        out.json([hit_json(hit) for hit in found])
        return 0
    say, count = transfer_words(session.own_lang()), 0
    for hit in found:
        count += 1
        at = f"{hit.entry.path}:{hit.line}" if hit.line else str(hit.entry.path)
        out.line(f"{at}: {hit.entry.name}: {hit.excerpt}")
    out.note(counted(count, say.hits_one, say.hits).format(count=count) if count else say.no_hits)
    return 0


def named_store(session: Session, name: str) -> Store:
    """The store that a person means: a memory directory, a project's directory, or the name of either.

    Raises:
        UsageError: there is none, or several.
        Refused: it may not be read.
    """
    world = session.world
    stores = find_stores(environ=world.environ, home=world.home, cwd=world.cwd)
    path = session.path(Path(name))
    if path.is_dir():
        known = next((store for store in stores if store.path.samefile(path)), None)
        if known is not None:
            return known
        store = project_memory_dir(path, environ=world.environ, home=world.home)
        if (path / ".git").exists() or (store.exists and not (path / INDEX_NAME).exists()):
            known = next((s for s in stores if store.exists and s.path.samefile(store.path)), None)
            return known or Store(store.path, "project", store.path.parent.name, path)
        return Store(path, "project", path.name)
    if path.exists():
        raise UsageError(
            "this is not a directory", where=str(path), todo="Name a memory directory or a project"
        )
    called = [store for store in stores if store.slug.endswith(f"-{project_slug(name)}")]
    fitting = (
        [store for store in stores if store.slug in {name, project_slug(str(path))}]
        or [store for store in called if any(project.name == name for project in projects_of_store(store))]
        or [store for store in called if not projects_of_store(store)]  # gone, and no transcript tells of it
    )
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        listed = "".join(f"\n  {store.path}" for store in fitting)
        raise UsageError(
            Say("several stores are called {name!r}", name=name),
            todo=Say("Name one by its path:{listed}", listed=listed),
        )
    raise UsageError(
        Say("there is no store or project {name!r}", name=name),
        todo="'memtui projects' lists those there are",
    )


def refuse_read_only(session: Session, store: Store) -> None:
    """Refuse to change a store that memtui does not change.

    Raises:
        Refused: it is one.
    """
    if store.read_only is not None:
        why = store_words(session.own_lang()).read_only[store.read_only]
        raise Refused(why, where=str(store.path), todo="Name another store")
