"""The commands that look and change nothing: ``show history diff reminder``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from memtui.cli.complete import complete_slug, complete_version
from memtui.cli.options import directory_options, json_option, pass_session, project_option
from memtui.cli.output import Style
from memtui.cli.session import Session
from memtui.cli.shapes import Json, entry_json, path_below, seen_json, type_text, version_json
from memtui.cli.wording import counted
from memtui.cli.wording_stores import transfer_words
from memtui.memory.age import SECONDS_PER_DAY, memory_age_label
from memtui.memory.decay import explain_score
from memtui.memory.errors import MemtuiError, UsageError
from memtui.memory.managing.authors import Author, author_said, authors_of
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.reminder import (
    DEFAULT_REMINDER_ENTRIES,
    build_reminder,
    estimate_tokens,
    fit_reminder,
    remindable,
)
from memtui.memory.types import MemoryEntry
from memtui.memory.versions.history import Version, pick_version, unified_diff
from memtui.memory.wording.problems import problem_message

if TYPE_CHECKING:
    from memtui.claude.seen_words import Seen

SEEN_SECONDS = 1.0
"""How long ``show`` looks into the other stores (ours)."""


@click.command("show")
@click.argument("slug", shell_complete=complete_slug)
@click.option("--version", "version_id", help="An old version instead, as 'memtui history' numbers them.")
@click.option("--content", "only_content", is_flag=True, help="Only the body.")
@click.option("--raw", is_flag=True, help="The file as it is.")
@json_option
@directory_options
@pass_session
def show_command(
    session: Session,
    *,
    slug: str,
    version_id: str | None,
    only_content: bool,
    raw: bool,
    as_json: bool,
) -> None:
    """Show one memory.

    What it says, how old it is, and what was odd about its file.
    """
    if raw and only_content:
        raise UsageError("--raw and --content exclude each other", todo="Give one")
    manager, now, out = session.manager(), session.world.clock(), session.out
    entry = _entry(manager, slug, version_id)
    if as_json:
        seen, whole = _seen(session, entry)
        out.json(
            {
                **entry_json(entry, now),
                "content": entry.content,
                "usage": _usage_json(session, entry),
                "seen": {"complete": whole, "stores": [seen_json(one) for one in seen]},
            }
        )
    elif raw:
        out.exact(_file_text(manager, entry))
    elif only_content:
        out.exact(entry.content)
    else:
        _show(session, entry, now)


def _entry(manager: MemoryManager, slug: str, version_id: str | None) -> MemoryEntry:
    if version_id is None:
        return manager.get(slug)
    return pick_version(slug, version_id, manager.versions(slug)).entry


def _file_text(manager: MemoryManager, entry: MemoryEntry) -> str:
    data = manager.folder.read(path_below(manager.root, entry.path)).data
    return data.decode("utf-8", "surrogateescape")


def _show(session: Session, entry: MemoryEntry, now: float) -> None:
    out, parts, say = session.out, explain_score(entry, now), session.words()
    age = memory_age_label(entry.modified, now, session.lang())
    out.line(entry.name, "bold")
    if entry.description:
        out.line(entry.description)
    if parts.historical:
        after = entry.superseded_by
        facts = (say.show_old_after if after else say.show_old).format(
            type=type_text(entry), age=age, after=after
        )
    else:
        facts = say.show_active.format(
            type=type_text(entry),
            age=age,
            score=f"{parts.score:.2f}",
            decay=f"{parts.decay:.2f}",
            weight=f"{parts.tier.weight:.1f}",
            tier=parts.tier.name,
        )
    out.line(facts, "dim")
    out.line(str(entry.path), "dim")
    _show_usage(session, entry, now)
    _show_seen(session, entry)
    for problem in entry.problems:
        line, message = problem.line, problem_message(problem.code, problem.message, session.lang())
        out.line(f"! {say.problem_line.format(line=line, message=message) if line else message}", "yellow")
    out.line()
    out.lines(entry.content)


def _usage_json(session: Session, entry: MemoryEntry) -> Json | None:
    from memtui.cli.receipts import usage_json, usage_of  # noqa: PLC0415  -- no other command here reads transcripts

    found = usage_of(session, entry) if entry.is_active else None
    return usage_json(*found) if found is not None else None


def _show_usage(session: Session, entry: MemoryEntry, now: float) -> None:
    from memtui.claude.usage_words import notes, usage_line  # noqa: PLC0415  -- as above
    from memtui.cli.receipts import usage_of  # noqa: PLC0415  -- as above

    found = usage_of(session, entry) if entry.is_active else None
    if found is None:
        return
    session.out.line(usage_line(*found, now, session.lang()), "dim")
    for sentence in notes(found[1], session.lang()):
        session.out.note(sentence)


def _seen(session: Session, entry: MemoryEntry) -> tuple[list[Seen], bool]:
    """The other stores that hold a memory, and whether all were looked at in the time for it."""
    from memtui.claude.seen_words import named  # noqa: PLC0415  -- as above
    from memtui.claude.store_search import seen_elsewhere  # noqa: PLC0415  -- as above
    from memtui.claude.stores import find_stores  # noqa: PLC0415  -- as above

    if not entry.is_active:
        return [], True
    world, late = session.world, False
    until = time.monotonic() + SEEN_SECONDS

    def cancel() -> bool:
        nonlocal late
        late = late or time.monotonic() > until
        return late

    stores = find_stores(environ=world.environ, home=world.home, cwd=session.project_root() or world.cwd)
    found = named(seen_elsewhere(entry, stores, now=world.clock(), cancel=cancel), world.home)
    return found, not late


def _show_seen(session: Session, entry: MemoryEntry) -> None:
    from memtui.claude.seen_words import seen_line  # noqa: PLC0415  -- as above

    seen, whole = _seen(session, entry)
    if seen:
        session.out.line(seen_line(seen, session.lang()), "dim")
    say = transfer_words(session.own_lang())
    if seen:
        session.out.note(say.seen_copy.format(slug=entry.slug))
    if not whole:
        session.out.note(say.seen_part)


@click.command("history")
@click.argument("slug", shell_complete=complete_slug)
@json_option
@directory_options
@pass_session
def history_command(session: Session, *, slug: str, as_json: bool) -> None:
    """List the versions of a memory, the newest first."""
    manager, now, out = session.manager(), session.world.clock(), session.out
    versions = manager.versions(slug)
    try:
        authors = authors_of(versions, manager.activity())
    except MemtuiError:  # of a journal that cannot be read, a change tells; the versions are there without it
        authors = dict.fromkeys((version.entry.rel for version in versions), Author("unknown"))
    if as_json:
        out.json([version_json(version, now, authors[version.entry.rel]) for version in versions])
        return
    lang = manager.lang
    out.table(
        [
            _version_row(
                version,
                memory_age_label(version.entry.modified, now, lang),
                author_said(authors[version.entry.rel], lang),
            )
            for version in versions
        ]
    )
    say = session.words()
    one = say.versions_one if versions[0].current else say.versions_one_old
    out.note(counted(len(versions), one, say.versions).format(count=len(versions), slug=slug))


def _version_row(version: Version, age: str, author: str) -> list[tuple[str, Style | None]]:
    entry = version.entry
    title = f"{entry.name} — {entry.description}" if entry.description else entry.name
    return [
        (version.id, "bold" if version.current else None),
        (age, "dim"),
        (author, None),
        (f"{entry.size} B", "dim"),
        (title, None),
    ]


@click.command("diff")
@click.argument("slug", shell_complete=complete_slug)
@click.argument("old", metavar="[A]", required=False, shell_complete=complete_version)
@click.argument("new", metavar="[B]", required=False, shell_complete=complete_version)
@click.option(
    "--raw",
    is_flag=True,
    help="Compare the files as they are, with their headers; exact where stdout is no terminal, as a patch has to be.",
)
@json_option
@directory_options
@pass_session
def diff_command(
    session: Session, *, slug: str, old: str | None, new: str | None, raw: bool, as_json: bool
) -> None:
    """Show what changed from version A to version B.

    Without B, up to the current version; without A, since the one before it.
    """
    manager, out = session.manager(), session.out
    versions = manager.versions(slug)
    after = pick_version(slug, new, versions) if new else versions[0]
    if old:
        before = pick_version(slug, old, versions)
    elif len(versions) > 1:
        before = versions[1]
    else:
        out.note(session.words().only_one_version.format(slug=slug))
        before = after
    text: Callable[[MemoryEntry], str] = (lambda entry: _file_text(manager, entry)) if raw else _said
    name: Callable[[Version], str] = lambda version: f"{slug} {version.id}"  # noqa: E731  -- used twice, on the next lines
    diff = unified_diff(text(before.entry), text(after.entry), old_name=name(before), new_name=name(after))
    if as_json:
        out.json({"slug": slug, "a": before.id, "b": after.id, "diff": diff})
    else:
        out.diff(diff) if not raw else out.exact(diff)


def _said(entry: MemoryEntry) -> str:
    """What a memory says, without the parts of its header that memtui keeps for itself."""
    body = entry.content.replace("\r\n", "\n").strip("\n")
    return f"name: {entry.name}\ndescription: {entry.description}\ntype: {type_text(entry)}\n\n{body}\n"


@click.command("reminder")
@click.option(
    "--max",
    "limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Memories in it.  [default: the setting 'entries', else {DEFAULT_REMINDER_ENTRIES}]",
)
@click.option(
    "--budget",
    type=click.IntRange(min=0),
    metavar="N",
    help="Characters it may have; memories are taken in order until it is full.",
)
@click.option(
    "--as-of",
    "days",
    type=click.IntRange(-36_500, 36_500, clamp=False),
    default=0,
    metavar="DAYS",
    help="As it will read DAYS from now; negative for the past.",
)
@project_option
@directory_options
@pass_session
def reminder_command(session: Session, *, limit: int | None, budget: int | None, days: int) -> None:
    """Print the block of memories that goes into a system prompt.

    A secret in it is replaced by its rule and fingerprint, as in what the hook hands on; 'memtui secrets allow' lets one stand.
    """
    manager, then = session.manager(), session.world.clock() + days * SECONDS_PER_DAY
    if limit is None:
        limit = session.config().entries
    if limit is None:
        limit = DEFAULT_REMINDER_ENTRIES
    newest = [entry for entry in manager.entries() if remindable(entry)][:limit]
    broken = manager.broken_claims(newest)
    allowed = manager.allowed_secrets
    taken = fit_reminder(newest, budget, now=then, lang=manager.lang, broken=broken, allowed=allowed).entries
    text = build_reminder(taken, now=then, lang=manager.lang, broken=broken, allowed=allowed)
    say = session.words()
    if not text:
        session.out.note(say.none_fits if newest else say.nothing_to_remind)
        return
    session.out.exact(text + "\n")
    session.out.note(
        counted(len(taken), say.reminded_one, say.reminded).format(
            count=len(taken), characters=f"{len(text):,}", tokens=f"{estimate_tokens(text):,}"
        )
    )
