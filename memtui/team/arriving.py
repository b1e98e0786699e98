"""What others share that is not live here: what of it may be applied, and the change that applies it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memtui.memory.document import frontmatter
from memtui.memory.errors import MemtuiError
from memtui.memory.index.editing import NewLine, without_entry
from memtui.memory.managing.planner import Planner
from memtui.memory.saving.records import Edit
from memtui.team.objects import Leaves, blob_oid
from memtui.team.results import Arrival, ArrivalKind
from memtui.team.state import Taken, TeamState
from memtui.team.vet import Held, sort_tree, vet


@dataclass(frozen=True, slots=True)
class Waiting:
    """What differs between what others share and what is live here.

    Attributes:
        arrivals: what may be applied, without who made it.
        held: what may not become a memory.
    """

    arrivals: tuple[Arrival, ...]
    held: tuple[Held, ...]


def waiting(
    state: TeamState,
    leaves: Leaves,
    sizes: Callable[[Iterable[str]], Mapping[str, int]],
    read: Callable[[Iterable[str]], Mapping[str, bytes]],
    allowed: Container[str],
    fine: set[tuple[str, str]],
) -> Waiting:
    """What of a tree waits to be applied here.

    Args:
        state: what is known.
        leaves: the tree.
        sizes: gives bytes of objects.
        read: gives contents of objects.
        allowed: hashes of values that the secret guard lets through.
        fine: what was looked into before, see `vet`.
    """
    found = sort_tree(leaves, live=state.seen.keys())
    oids = {rel: entry.oid for rel, entry in found.memories.items()}
    news = {rel: entry for rel, entry in found.memories.items() if entry.oid != state.seen.get(rel)}
    fitting, held = vet(
        news,
        sizes(entry.oid for entry in news.values()),
        read,
        allowed=allowed,
        released=state.released,
        fine=fine,
    )
    held_back = tuple(sorted((*found.held, *held), key=lambda each: each.rel))
    gone = [rel for rel in state.seen if rel not in oids and rel not in found.names]
    arrivals = [
        Arrival(rel, oids.get(rel, ""), _kind(seen=rel in state.seen, there=rel in oids))
        for rel in sorted((*fitting, *gone))
        if state.declined.get(rel) != oids.get(rel, "")
    ]
    return Waiting(tuple(arrivals), held_back)


def _kind(*, seen: bool, there: bool) -> ArrivalKind:
    return "changed" if seen and there else "new" if there else "deleted"


@dataclass(frozen=True, slots=True)
class Planned:
    """The change that applies arrivals.

    Attributes:
        edits: of the files.
        lines: what becomes of the index.
        ready: what it applies.
        left: what it does not, since something else stands there by now.
        taken: by path, the blob that stands there and the one that takes its place.
    """

    edits: tuple[Edit, ...]
    lines: Callable[[str], str]
    ready: tuple[Arrival, ...]
    left: tuple[Arrival, ...]
    taken: Mapping[str, Taken]


def plan(
    planner: Planner,
    state: TeamState,
    arrivals: Sequence[Arrival],
    contents: Mapping[str, bytes],
    algorithm: str,
) -> Planned:
    """Plan to apply arrivals on what stands on disk now.

    Args:
        planner: of the memory directory.
        state: what is known.
        arrivals: what to apply.
        contents: of those that are no deletions, by path below ``team/``.
        algorithm: of the repository.
    """
    edits: list[Edit] = []
    ready: list[Arrival] = []
    left: list[Arrival] = []
    befores: dict[str, bytes | None] = {}
    taken: dict[str, Taken] = {}
    for each in arrivals:
        rel = f"{each.slug}.md"
        if each.oid and each.rel not in contents:
            left.append(each)
            continue
        try:
            planner.refuse_link(rel)
            image = planner.image(rel)
        except MemtuiError:
            left.append(each)
            continue
        before = image.data if image is not None else None
        stands = blob_oid(before, algorithm) if before is not None else None
        if stands != state.seen.get(each.rel) and stands != (each.oid or None):
            left.append(each)
            continue
        befores[rel] = before
        taken[each.rel] = Taken(stands or "", each.oid)
        ready.append(each)
        if each.oid and before != contents[each.rel]:
            edits += planner.replaced(each.slug, image, contents[each.rel])
        elif not each.oid and before is not None:
            edits.append(Edit(rel, before, None, trash=True))

    def lines(text: str) -> str:
        for each in ready:
            rel = f"{each.slug}.md"
            if not each.oid:
                text = without_entry(text, rel)
            elif befores[rel] is not None:
                text = planner.line_after_save(text, rel, befores[rel], contents[each.rel])
        new = [each for each in ready if each.oid and befores[f"{each.slug}.md"] is None]
        modified = {f"{each.slug}.md": planner.clock() for each in new}
        return planner.with_missing_lines(text, [_line(each, contents[each.rel]) for each in new], modified)

    return Planned(tuple(edits), lines, tuple(ready), tuple(left), taken)


def _line(arrival: Arrival, data: bytes) -> NewLine:
    document = frontmatter.read(data)
    title = document.name or arrival.slug.rpartition("/")[2]
    return NewLine(f"{arrival.slug}.md", title, document.description or "", document.type_text or "")
