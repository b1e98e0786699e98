"""``list``: the memories of a directory as a table. Apart from the others, for it needs no manager and starts fast."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from memtui.cli.options import directory_options, json_option, pass_session
from memtui.cli.output import Style
from memtui.cli.session import Session
from memtui.cli.shapes import entry_json, path_below, type_text
from memtui.cli.wording import counted
from memtui.memory.age import memory_age_label
from memtui.memory.decay import Tier, explain_score
from memtui.memory.document.scopes import SCOPES
from memtui.memory.types import MemoryEntry, MemoryType, Scope

_TIER_STYLES: dict[Tier, Style] = {Tier.HOT: "red", Tier.WARM: "yellow", Tier.COOL: "cyan"}

_SORTS: dict[str, Callable[[MemoryEntry], tuple[object, ...]]] = {
    "score": lambda entry: (not entry.is_active, -entry.modified),
    "age": lambda entry: (-entry.modified,),
    "name": lambda entry: (entry.name.casefold(),),
    "type": lambda entry: (
        list(MemoryType).index(entry.memory_type) if entry.memory_type else 99,
        -entry.modified,
    ),
    "size": lambda entry: (-entry.size,),
    "slug": lambda entry: (entry.slug,),
}


@click.command("list")
@click.argument("text", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Old versions too.")
@click.option(
    "--type",
    "types",
    multiple=True,
    type=click.Choice([*map(str, MemoryType), "unknown"]),
    help="Only this type; may be given more than once.",
)
@click.option(
    "--tier", "tiers", multiple=True, type=click.Choice(["hot", "warm", "cool"]), help="Only this tier."
)
@click.option("--scope", type=click.Choice(SCOPES), help="Only these: one's own, or the team's.")
@click.option("--sort", type=click.Choice(list(_SORTS)), default="score", show_default=True, help="Order.")
@click.option("--reverse", is_flag=True, help="The other way round.")
@json_option
@directory_options
@pass_session
def list_command(
    session: Session,
    *,
    text: tuple[str, ...],
    everything: bool,
    types: tuple[str, ...],
    tiers: tuple[str, ...],
    scope: Scope | None,
    sort: str,
    reverse: bool,
    as_json: bool,
) -> None:
    """List the memories, those with the highest score first.

    With TEXT, only those that hold every one of the words in their name, description or body.
    """
    directory, now, out = session.read(), session.world.clock(), session.out
    words = [word.casefold() for word in text]
    rows = sorted(
        (
            entry
            for entry in directory.entries
            if (everything or entry.is_active)
            and (not types or (str(entry.memory_type) if entry.memory_type else "unknown") in types)
            and (not tiers or explain_score(entry, now).tier.name.lower() in tiers)
            and scope in (None, entry.scope)
            and _holds(entry, words)
        ),
        key=_SORTS[sort],
        reverse=reverse,
    )
    if as_json:
        used = _last_used(session)
        out.json([{**entry_json(entry, now), "last_used": used(entry)} for entry in rows])
        return
    lang = session.lang()
    out.table([_row(entry, now, memory_age_label(entry.modified, now, lang)) for entry in rows])
    say, total = session.words(), sum(everything or entry.is_active for entry in directory.entries)
    one, many = (say.listed_all_one, say.listed_all) if everything else (say.listed_one, say.listed)
    out.note(
        counted(total, one, many).format(
            shown=len(rows), total=total, convention=directory.convention.name, root=directory.root
        )
    )


def _last_used(session: Session) -> Callable[[MemoryEntry], float | None]:
    """Tells when transcripts say that a memory was last used, Unix seconds, as far as can be read at once."""
    from memtui.cli.receipts import SHOW_SECONDS, read_usage  # noqa: PLC0415  -- for --json alone; a table starts fast

    report, root = read_usage(session, seconds=SHOW_SECONDS), session.memory_dir()

    def used(entry: MemoryEntry) -> float | None:
        return report.of(path_below(root, entry.path), entry.modified).last_used if entry.is_active else None

    return used


def _holds(entry: MemoryEntry, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = f"{entry.slug}\n{entry.name}\n{entry.description}\n{entry.content}".casefold()
    return all(word in text for word in words)


def _row(entry: MemoryEntry, now: float, age: str) -> list[tuple[str, Style | None]]:
    parts = explain_score(entry, now)
    label = "OLD" if parts.historical else parts.tier.name
    style = "dim" if parts.historical else _TIER_STYLES[parts.tier]
    title = f"{entry.name} — {entry.description}" if entry.description else entry.name
    return [
        (label, style),
        (f"{parts.score:.2f}", None),
        (type_text(entry), None),
        (entry.slug, "bold"),
        (age, "dim"),
        (f"! {title}" if entry.problems else title, None),
    ]
