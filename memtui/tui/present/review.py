"""The list of the review as rows: what waits, in groups, filtered and sorted; ``review_item`` has one of them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memtui.memory.age import memory_age_label
from memtui.memory.errors import MemtuiError
from memtui.memory.relevance.searchable import fold
from memtui.memory.review.proposals import Broken, Proposal
from memtui.memory.review.unreviewed import OthersChange
from memtui.memory.text import visible
from memtui.memory.types import Lang
from memtui.memory.wording.filter_words import named
from memtui.tui import conditions
from memtui.tui.conditions import Conditions
from memtui.tui.present.lines import Line, Part, fit, spread
from memtui.tui.present.parts import CURSOR, DOT, ELLIPSIS, MARKED, label
from memtui.tui.reviewing import Item, Waiting
from memtui.tui.wording.review import ReviewWords

Order = Literal["oldest", "newest", "name"]
ORDERS: tuple[Order, ...] = ("oldest", "newest", "name")
"""Orders that ``s`` goes through, each within its group."""

VALUES: Mapping[str, tuple[str, ...]] = {
    "kind": ("create", "update", "merge", "forget", "fix", "new", "edited", "deleted", "broken"),
    "source": ("extraction", "dream", "sync", "rules", "others"),
}
"""What each condition of the filter may be asked for."""
_GROUPS = ("extraction", "dream", "sync", "rules", "others", "broken")
_KIND_ROLES = {
    "create": "good",
    "new": "good",
    "forget": "bad",
    "deleted": "bad",
    "broken": "bad",
    "merge": "warn",
}
_KIND_CELLS, _AGE_CELLS = 8, 12
_REASON_FROM = 60
"""Cells from which a row has room for the reason (ours)."""


@dataclass(frozen=True, slots=True)
class Group:
    """A heading above the items of one origin.

    Attributes:
        name: of the origin.
        count: items below it.
    """

    name: str
    count: int


def kind_of(item: Item) -> str:
    """What an item is, one of the values of ``kind:``."""
    return "broken" if isinstance(item, Broken) else item.kind


def origin_of(item: Item) -> str:
    """The group it stands in."""
    if isinstance(item, Proposal):
        return item.source
    return "others" if isinstance(item, OthersChange) else "broken"


def slugs_of(item: Item) -> tuple[str, ...]:
    """The memories it is about; of a file that is no proposal, the file."""
    if isinstance(item, Proposal):
        return item.slugs
    return (item.slug,) if isinstance(item, OthersChange) else (item.name,)


def done_text(done: str, slugs: Sequence[str], say: ReviewWords, *, items: int = 1) -> str:
    """What was done, to what, and that it can be taken back; to several at once, to how many: it is one line.

    Args:
        done: the verb.
        slugs: the memories.
        say: the sentences.
        items: how many items of the list were decided in one go.
    """
    names = ", ".join(map(visible, slugs[:2])) + (ELLIPSIS if len(slugs) > 2 else "")
    return DOT.join((f"{done} {items if items > 1 else names}".rstrip(), say.undoes))


def _at(item: Item) -> float:
    return 0.0 if isinstance(item, Broken) else item.at


def parse(text: str) -> Conditions:
    """Understand a filter; never fails."""
    return conditions.parse(text, VALUES)


def passes(item: Item, query: Conditions) -> bool:
    """Whether an item passes a filter."""
    for key, values, negated in query.conditions:
        has = (kind_of(item) if key == "kind" else origin_of(item)) in values
        if has == negated:
            return False
    if not query.words:
        return True
    reason = item.reason if isinstance(item, Proposal) else ""
    by = "" if isinstance(item, Broken) else item.by
    return query.hold(" ".join((*slugs_of(item), reason, by)))


def rows(items: Sequence[Item], query: Conditions, order: Order) -> list[Group | Item]:
    """The rows of the list: proposals by their origin, then what others changed, then what is no proposal."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        if passes(item, query):
            groups.setdefault(origin_of(item), []).append(item)
    keys: dict[Order, Callable[[Item], tuple[object, ...]]] = {
        "oldest": lambda item: (_at(item), slugs_of(item)),
        "newest": lambda item: (-_at(item), slugs_of(item)),
        "name": lambda item: (tuple(map(fold, slugs_of(item))), _at(item)),
    }
    listed: list[Group | Item] = []
    for name in _GROUPS:
        found = groups.get(name, [])
        if found:
            listed += [Group(name, len(found)), *sorted(found, key=keys[order])]
    return listed


def group_row(group: Group, cells: int, say: ReviewWords) -> Line:
    """A heading, with how much stands below it."""
    text: str = getattr(say, f"group_{group.name}")
    return spread(((f" {text}", "strong"),), ((f"{group.count} ", "count"),), cells, ELLIPSIS)


def item_row(
    item: Item, cells: int, *, cursor: bool, marked: bool, now: float, lang: Lang, say: ReviewWords
) -> Line:
    """One item: what it is, which memory, why where there is room, and since when."""
    kind = kind_of(item)
    text: str = getattr(say, f"kind_{kind}")
    head: list[Part] = [
        (CURSOR if cursor else " ", "cursor-sign"),
        (MARKED if marked else " ", "mark"),
        (fit(text, _KIND_CELLS, ELLIPSIS), _KIND_ROLES.get(kind, "accent")),
        (", ".join(map(visible, slugs_of(item))), "name"),
    ]
    if isinstance(item, Proposal) and item.reason and cells >= _REASON_FROM:
        head.append((f"  {label(item.reason)}", "dim"))
    age = memory_age_label(_at(item), now, lang) if _at(item) else ""
    return spread(tuple(head), ((age, "dim"), (" ", "")), cells, ELLIPSIS)


def list_title(shown: int, total: int, marked: int, order: Order, say: ReviewWords) -> tuple[str, str]:
    """Title and count of the list."""
    title = f"{say.title}{DOT}{getattr(say, f'by_{order}')}"
    count = str(shown) if shown == total else say.of.format(shown=shown, total=total)
    return title, f"{say.marked.format(n=marked)}{DOT}{count}" if marked else count


def empty_lines(
    waiting: Waiting | None, total: int, query: Conditions, lang: Lang, say: ReviewWords
) -> list[str]:
    """What the list says where there is nothing in it."""
    if waiting is None:
        return [say.reading]
    if total:
        return [
            say.none_match,
            *(
                say.knows_no.format(
                    key=key,
                    value=visible(value),
                    names=", ".join(named(key, each, lang) for each in VALUES[key]),
                )
                for key, value in query.unknown
            ),
        ]
    if waiting.trouble is not None:
        return [say.trouble, *trouble_lines(waiting.trouble, lang)]
    return [say.empty, "", *say.empty_hint]


def trouble_lines(error: MemtuiError, lang: Lang) -> list[str]:
    """An error as lines."""
    return visible(error.said(lang), keep_newlines=True).split("\n")
