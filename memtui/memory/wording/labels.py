"""What a change is called in the journal, and what that is in the person's language.

A label is written in English and kept as it was written. When it is shown, it is made anew from the memories that the
record is about: where that gives the same text, it is known what the label says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.memory.lazy import lazy_pattern
from memtui.memory.wording.saying import Say

if TYPE_CHECKING:
    from memtui.memory.types import Lang

_NAMES_SHOWN = 3
_COUNT = lazy_pattern(r" \(× (\d+)\)\Z")


def names(slugs: Sequence[str]) -> str:
    """Slugs for a label: the first three, and how many more."""
    shown = ", ".join(slugs[:_NAMES_SHOWN])
    if len(slugs) <= _NAMES_SHOWN:
        return shown
    return Say("{names} and {count} more", names=shown, count=len(slugs) - _NAMES_SHOWN)


def fixes_label(labels: Sequence[str], count: int) -> str:
    """The label of several fixes made as one change.

    Args:
        labels: of the fixes, each once; in the language they were shown in.
        count: how many fixes.
    """
    return ", ".join(labels) + (f" (× {count})" if count > 1 else "")


def label_said(label: str, slugs: Sequence[str], lang: Lang) -> str:
    """A record's label in a language; one that is not known stands as it is.

    Args:
        label: of the record.
        slugs: of the same record.
        lang: the language.
    """
    found = next((made for made in _made(label, slugs) if made == label), None)
    if found is not None:
        return found.said(lang)
    return _fixes_said(label, lang) or label


class Label(Say):
    """A record's label, as a value of another sentence."""

    __slots__ = ()

    @classmethod
    def of(cls, label: str, slugs: Sequence[str]) -> Label:
        """The label of a record about these memories."""
        return cls.made(label, label, {"slugs": tuple(slugs)})

    def said(self, lang: Lang) -> str:
        """The label in a language."""
        slugs = self.values["slugs"]
        return label_said(str(self), slugs if isinstance(slugs, tuple) else (), lang)


def _made(label: str, slugs: Sequence[str]) -> Iterator[Say]:
    """Every label there can be for these memories, with what stands only in the label taken from it."""
    yield Say("rebuild the index")
    count = label.rpartition("(")[2].removesuffix(")")
    yield Say("take out files that are no proposals ({count})", count=count)
    if not slugs:
        return
    yield from _of_proposals(label, slugs)
    yield Say("forget {names}", names=names(slugs))
    yield Say("sync {names}", names=names(slugs))
    kind, _, _ = label.removeprefix("type ").partition(" for ")
    yield Say("type {kind} for {names}", kind=kind, names=names(slugs))
    place = label.partition(f" {names(slugs)} to ")[2]
    yield Say("move {names} to {place}", names=names(slugs), place=place)
    came, _, place = label.partition(" ")[2].partition(" from ")  # under other names, perhaps
    shown = names(slugs) if came == names(slugs) else came
    yield Say("copy {names} from {place}", names=shown, place=place)
    yield Say("move {names} from {place}", names=shown, place=place)
    yield Say("adopt {names} from {place}", names=shown, place=place)
    yield from _of_scopes(slugs)
    slug, *others = slugs
    yield Say("create {slug}", slug=slug)
    yield Say("update {slug}", slug=slug)
    yield Say("save {slug}", slug=slug)
    yield Say("confirm {slug}", slug=slug)
    yield Say("take {slug} out of the trash", slug=slug)
    version = label.removeprefix(f"restore {slug} to version ")
    yield Say("restore {slug} to version {version}", slug=slug, version=version)
    if others:
        yield Say("rename {slug} to {new}", slug=slug, new=others[0])
        yield Say("merge {names} into {slug}", names=names(others), slug=slug)


def _of_scopes(slugs: Sequence[str]) -> Iterator[Say]:
    """Every label there can be for memories that went from one scope to the other: named before, then after."""
    named = names(slugs[: len(slugs) // 2])
    yield Say("give {names} to the team", names=named)
    yield Say("make {names} private", names=named)
    yield Say("give the team a copy of {names}", names=named)
    yield Say("make a private copy of {names}", names=named)


def _of_proposals(label: str, slugs: Sequence[str]) -> Iterator[Say]:
    """Every label there can be for what was decided about proposals."""
    named = names(slugs)
    yield Say("accept a proposal for {names}", names=named)
    yield Say("reject a proposal for {names}", names=named)
    reason = label.partition(f" {named}: ")[2]
    yield Say("reject a proposal for {names}: {reason}", names=named, reason=reason)
    count = label.partition(" ")[2].partition(" ")[0]
    yield Say("accept {count} proposals for {names}", count=count, names=named)
    yield Say("reject {count} proposals for {names}", count=count, names=named)
    yield Say("reject {count} proposals for {names}: {reason}", count=count, names=named, reason=reason)
    yield Say("revert {names} to what you last saw", names=named)


def _fixes_said(label: str, lang: Lang) -> str:
    """The label of fixes, which stands in the language they were made in; empty if it is none."""
    counted = _COUNT.search(label)
    parts = (label[: counted.start()] if counted else label).split(", ")
    known = _fixes(lang)
    if not all(part in known for part in parts):
        return ""
    between = "、" if lang == "zh" else ", "
    return between.join(known[part] for part in parts) + (counted[0] if counted else "")


def _fixes(lang: Lang) -> Mapping[str, str]:
    """By the name of a fix in any language, its name in this one."""
    from memtui.memory.wording.findings_en import RULES_EN  # noqa: PLC0415  -- only for a list of changes
    from memtui.memory.wording.findings_zh import RULES_ZH  # noqa: PLC0415

    wanted = RULES_ZH if lang == "zh" else RULES_EN
    return {
        said[rule].fix: wanted[rule].fix for said in (RULES_EN, RULES_ZH) for rule in wanted if said[rule].fix
    }
