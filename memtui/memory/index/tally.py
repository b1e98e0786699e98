"""What a change does to the index, in numbers: told before anybody has to read the whole difference."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memtui.memory.conventions import INDEX_NAME, SizeUnit
from memtui.memory.index.editing import decode_index
from memtui.memory.index.entrypoint import load_entrypoint
from memtui.memory.index.lines import parse_index
from memtui.memory.saving.records import Edit
from memtui.memory.types import Lang
from memtui.memory.wording.tally import filled, tally_words


@dataclass(frozen=True, slots=True)
class IndexTally:
    """The files that an index names, before and after a change.

    Attributes:
        stay: how many it names before and after.
        left: those it names no more, in their order.
        joined: those it names now, in their order.
        unheard: those of the joined that no session gets to know, since their lines stand behind the cut.
    """

    stay: int
    left: tuple[str, ...]
    joined: tuple[str, ...]
    unheard: tuple[str, ...]


def tally(before: str, after: str, unit: SizeUnit) -> IndexTally:
    """Compare what two texts of an index name."""
    old, new = ({entry.rel: None for entry in parse_index(text).entries} for text in (before, after))
    joined = tuple(rel for rel in new if rel not in old)
    lost = set(load_entrypoint(after, unit).lost) if joined else set[str]()
    return IndexTally(
        stay=len(new) - len(joined),
        left=tuple(rel for rel in old if rel not in new),
        joined=joined,
        unheard=tuple(rel for rel in joined if rel in lost),
    )


def tally_of(edits: Iterable[Edit], unit: SizeUnit) -> IndexTally:
    """What edits do to the index; nothing where none of them is of it."""
    for edit in edits:
        if edit.rel == INDEX_NAME:
            return tally(decode_index(edit.before), decode_index(edit.after), unit)
    return IndexTally(0, (), (), ())


SHORTENING = frozenset({"index-over-limit", "index-near-limit"})
"""Rules whose fix lets lines of memories leave that are still there."""

ADDING = frozenset({"orphan", "only-through-link"})
"""Rules whose fix adds a memory's line, and is offered as far as there is room."""


def fix_sentences(
    rule: str, edits: Iterable[Edit], unit: SizeUnit, lang: Lang, *, rest: int = 0
) -> tuple[str, ...]:
    """What the fix of a rule does to the index, told before its difference; empty where that says it all.

    Args:
        rule: the rule.
        edits: what would be written.
        unit: what the index is measured in.
        lang: language.
        rest: how many findings of that rule have no fix.
    """
    counted, say = tally_of(edits, unit), tally_words(lang)
    said: list[str] = []
    if rule in SHORTENING and counted.left:
        said.append(filled(say.left, stay=counted.stay, left=len(counted.left)))
    if counted.joined:
        template = say.unheard if counted.unheard else say.joined
        said.append(filled(template, joined=len(counted.joined), unheard=len(counted.unheard)))
    if rest and rule in ADDING:
        said.append(filled(say.rest, rest=rest))
    return tuple(said)


def accept_sentence(edits: Iterable[Edit], unit: SizeUnit, lang: Lang) -> str:
    """That some of the lines which a change adds to the index will not load; empty where all do."""
    return unheard_sentence(tally_of(edits, unit), lang)


def unheard_sentence(counted: IndexTally, lang: Lang) -> str:
    """That some of the lines which came will not load; empty where all do."""
    if not counted.unheard:
        return ""
    return filled(tally_words(lang).unheard, joined=len(counted.joined), unheard=len(counted.unheard))
