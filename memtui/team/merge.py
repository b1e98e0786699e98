"""Three-way merge of memories, and of whole trees of them. Pure: bytes in, bytes out.

Rules. What one side changed is taken. What both changed alike is taken. Where both changed the same field or the same
lines differently, theirs, which others have already, stand, and a ``TeamClash`` keeps the texts of all sides for a
person to choose. Nothing that either side wrote is in neither. Where nothing clashes it does not matter who merges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Literal

from memtui.memory.disk.files import MAX_FILE_BYTES
from memtui.memory.document.headers import Parts, split
from memtui.memory.document.parse import read
from memtui.memory.document.slugs import collision_key, propose_slug
from memtui.memory.doubles.shingles import word_pairs
from memtui.memory.index.merge import merge_index
from memtui.team.field_merge import merge_headers
from memtui.team.line_merge import merge_lines, split_lines

ClashKind = Literal["both-changed", "deleted-edited", "same-name", "both-renamed"]

WHOLE_FILE = "file"
BODY = "body"

SAME_TEXT = 0.5
"""Share of word pairs that a file gone and a new one have in common from which the one is the other renamed (git's)."""

_INDEX = "memory.md"


@dataclass(frozen=True, slots=True)
class TeamClash:
    """Two changes of which a person has to choose, with what each side has. Nothing of it is lost if nobody does.

    Attributes:
        rel: the file in the merged tree that it is about, below ``team/``.
        kind: ``both-changed`` the same field or lines; ``deleted-edited``: the edited text stands; ``same-name``: two
            new memories, theirs has the name; ``both-renamed``: the memory stands under both names.
        base: what both were made from; None if there was nothing.
        ours: our bytes; None if we deleted it.
        theirs: those of the other side; None if it deleted it.
        parts: the fields both changed, ``body``, or ``file`` where it could only be merged as a whole.
        other: the second file where two are kept, which has our text; else None.
    """

    rel: str
    kind: ClashKind
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None
    parts: tuple[str, ...] = ()
    other: str | None = None


@dataclass(frozen=True, slots=True)
class MergedFile:
    """One file out of two.

    Attributes:
        data: its bytes; None if it is deleted.
        clash: what has to be chosen; its ``rel`` is the one that was given.
    """

    data: bytes | None
    clash: TeamClash | None = None


@dataclass(frozen=True, slots=True)
class MergedTree:
    """A tree out of two.

    Attributes:
        files: path to bytes.
        clashes: what has to be chosen, by path.
        moved: where files of ours went that stand under another name now: their path on our side to the new one.
    """

    files: Mapping[str, bytes]
    clashes: tuple[TeamClash, ...]
    moved: Mapping[str, str]


def merge_file(base: bytes | None, ours: bytes | None, theirs: bytes | None, *, rel: str = "") -> MergedFile:
    """Merge one file by header field and body line.

    A header that is no strict YAML is one field. A file that is no UTF-8, or whose sides differ in line ends, in the
    byte order mark or in having a header is not taken apart: theirs stands.

    Args:
        base: what both were made from; None if there was nothing, or nobody knows.
        ours: our file; None if we deleted it.
        theirs: the file of the other side; None if it deleted it.
        rel: its path, for the clash, and to know an index, whose lines are all kept.
    """
    if ours in (theirs, base):
        return MergedFile(theirs)
    if theirs == base:
        return MergedFile(ours)
    if ours is None or theirs is None:
        clash = TeamClash(rel, "deleted-edited", base, ours, theirs)
        return MergedFile(theirs if ours is None else ours, clash)
    if _is_index(rel):
        # Neither stands on a disk: any order, so that it does not matter who merges.
        return MergedFile(merge_index(base or b"", *sorted((ours, theirs))))
    data, parts = _merge_texts(base, ours, theirs) or (theirs, (WHOLE_FILE,))
    if not parts:
        return MergedFile(data)
    return MergedFile(data, TeamClash(rel, "both-changed", base, ours, theirs, parts))


def _is_index(rel: str) -> bool:
    return PurePosixPath(rel).name.lower() == _INDEX


def _merge_texts(base: bytes | None, ours: bytes, theirs: bytes) -> tuple[bytes, tuple[str, ...]] | None:
    """The merged file and the parts in which theirs stand; None if the files can't be taken apart alike."""
    texts = []
    for data in (base, ours, theirs):
        if data is None:
            continue
        try:
            texts.append(data.decode())
        except UnicodeDecodeError:
            return None
    if "\0" in "".join(texts) or len({_form(text) for text in texts}) > 1:
        return None
    sides = [split(text) for text in texts]
    old, mine, other = sides[0] if base is not None else None, sides[-2], sides[-1]
    header, closed, doubtful = "", "", list[str]()
    opened = _three([side.text[: side.start] for side in sides])
    if other.has_header:
        merged = merge_headers(old.header if old else None, mine.header, other.header)
        if merged is None:
            whole = _untouched(old.header if old else None, mine.header, other.header)
            if whole is None:
                return None
            header = whole
        else:
            header, doubtful = merged.text, [*merged.doubtful]
        closed = _three([_closing(side) for side in sides])
    bodies = [split_lines(side.text[side.end + len(_closing(side)) :]) for side in sides]
    body = merge_lines(bodies[0] if old else None, bodies[-2], bodies[-1])
    if not body.clean:
        doubtful.append(BODY)
    if body.lines and closed and not closed.endswith("\n"):
        closed += other.newline
    text = f"{opened}{header}{closed}{''.join(body.lines)}"
    data = text.encode()
    if _form(text)[1:] != _form(texts[-1])[1:] or split(text).header != header:
        return None
    if len(data) > max(MAX_FILE_BYTES, len(ours), len(theirs)):
        return None
    return data, tuple(doubtful)


def _untouched(base: str | None, ours: str, theirs: str) -> str | None:
    """The header that stands, of such as are not read field by field; None if both sides changed it."""
    if ours in (theirs, base):
        return theirs
    return ours if theirs == base else None


def _form(text: str) -> tuple[object, ...]:
    """What the sides of a file must share to be merged by lines."""
    pairs, newlines = text.count("\r\n"), text.count("\n")
    ends = "other" if text.count("\r") != pairs or pairs not in (0, newlines) else "crlf" if pairs else "lf"
    parts = split(text)
    return ends, text.startswith("\ufeff"), parts.has_header, parts.unclosed


def _closing(parts: Parts) -> str:
    """The closing fence with its line end; empty without a header."""
    if not parts.has_header:
        return ""
    return parts.text[parts.end : parts.text.find("\n", parts.end) + 1 or len(parts.text)]


def _three(fences: Sequence[str]) -> str:
    """Of fences, which say nothing, the changed one, else theirs; the last two of the sides are ours and theirs."""
    return fences[1] if len(fences) == 3 and fences[2] == fences[0] else fences[-1]


def merge_trees(
    base: Mapping[str, bytes], ours: Mapping[str, bytes], theirs: Mapping[str, bytes]
) -> MergedTree:
    """Merge two trees file by file, following files that one side renamed and the other changed.

    A file that is gone was renamed to a new one that has its title, or ``SAME_TEXT`` of its words; one that is merely
    like it may be taken for it, which costs a clash at worst. Of two new files of one name (or of names that some
    file system takes for one) that do not merge, theirs keeps it and ours gets a free one.

    Args:
        base: path below ``team/`` to bytes, as both sides had it.
        ours: our side.
        theirs: the other side.
    """
    mine, other = _renames(base, ours, theirs), _renames(base, theirs, ours)
    found = [
        outcome
        for rel in sorted(base)
        for outcome in _outcomes(rel, mine.get(rel, rel), other.get(rel, rel), base, ours, theirs)
    ]
    new_ours = sorted(ours.keys() - base.keys() - set(mine.values()))
    new_theirs = sorted(theirs.keys() - base.keys() - set(other.values()))
    found += [_Outcome(rel, theirs[rel], is_theirs=True) for rel in new_theirs]
    found += [_Outcome(rel, ours[rel], was=rel) for rel in new_ours]
    return _placed(found, ours, {*base, *ours, *theirs})


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A file that is to stand somewhere, under another name if that one is taken.

    Attributes:
        is_theirs: whether theirs has it under this name, so that it stays there.
        was: its path on our side.
    """

    rel: str
    data: bytes
    clash: TeamClash | None = None
    is_theirs: bool = False
    was: str | None = None


def _outcomes(
    rel: str,
    mine: str,
    other: str,
    base: Mapping[str, bytes],
    ours: Mapping[str, bytes],
    theirs: Mapping[str, bytes],
) -> Iterable[_Outcome]:
    """What becomes of a file that both sides had, and that stands on each under a name of its own."""
    one, two = ours.get(mine), theirs.get(other)
    merged = merge_file(base[rel], one, two, rel=rel)
    if one is not None and two is not None and mine != other and rel not in (mine, other):
        clash = TeamClash(other, "both-renamed", base[rel], one, two, other=mine)
        yield _Outcome(other, two, is_theirs=True)
        yield _Outcome(mine, one, clash, was=mine)
        return
    kept = merged.data
    told = merged.clash
    if kept is None and mine != rel and one is not None:
        # Renamed here and deleted there: the memory stands, as if it had been edited.
        kept, told = one, TeamClash(mine, "deleted-edited", base[rel], one, None)
    elif kept is None and other != rel and two is not None:
        kept, told = two, TeamClash(other, "deleted-edited", base[rel], None, two)
    if kept is None:
        return
    place = other if one is None or (two is not None and other != rel) else mine
    yield _Outcome(
        place,
        kept,
        replace(told, rel=place) if told is not None else None,
        is_theirs=two is not None and place == other,
        was=mine if one is not None else None,
    )


def _renames(
    base: Mapping[str, bytes], side: Mapping[str, bytes], across: Mapping[str, bytes]
) -> dict[str, str]:
    """Files that a side renamed: old path to new one, where the other side did anything to the old one."""
    gone = [rel for rel in base if rel not in side and across.get(rel) != base[rel]]
    new = [rel for rel in side if rel not in base]
    if not gone or not new:
        return {}
    prints = {rel: _Print(base[rel]) for rel in gone}, {rel: _Print(side[rel]) for rel in new}
    pairs = sorted(
        (-likeness, rel, to)
        for rel in gone
        for to in new
        if PurePosixPath(rel).suffix == PurePosixPath(to).suffix
        and not (_is_index(rel) or _is_index(to))
        and (likeness := prints[0][rel].likeness(prints[1][to])) >= SAME_TEXT
    )
    out: dict[str, str] = {}
    taken: set[str] = set()
    for _, rel, to in pairs:
        if rel not in out and to not in taken:
            out[rel] = to
            taken.add(to)
    return out


class _Print:
    """What two files are compared by."""

    def __init__(self, data: bytes) -> None:
        document = read(data)
        self.data = data
        self.name = (document.name or "").strip()
        self.pairs = word_pairs(f"{document.name or ''}\n{document.description or ''}\n{document.body}")

    def likeness(self, other: _Print) -> float:
        """0.0 to 1.0; the same title counts for ``SAME_TEXT``."""
        if self.data == other.data:
            return 1.0
        both = len(self.pairs) + len(other.pairs)
        shared = 2 * len(self.pairs & other.pairs) / both if both else 0.0
        return max(shared, SAME_TEXT) if self.name and self.name == other.name else shared


class _Places:
    """Files by their place, and which places are taken."""

    def __init__(self, known: Iterable[str]) -> None:
        self.files: dict[str, bytes] = {}
        self._known = set(known)
        self._names: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def put(self, rel: str, data: bytes, *, alone: bool) -> None:
        """Place a file; ``alone``: none whose name some file system takes for the same comes beside it."""
        self.files[rel] = data
        if alone:
            self._names.setdefault(collision_key(rel), rel)
        for folder in PurePosixPath(rel).parents:
            self._folders.setdefault(str(folder), rel)

    def taken_by(self, rel: str) -> str | None:
        """The file because of which another can't stand there, of that very name if there is one."""
        if rel in self.files:
            return rel
        above = (str(folder) for folder in PurePosixPath(rel).parents)
        blocking = next((folder for folder in above if folder in self.files), None)
        return blocking or self._names.get(collision_key(rel)) or self._folders.get(rel)

    def free(self, rel: str) -> str:
        """A valid name like that one which nobody has."""
        path = PurePosixPath(rel)
        if any(str(folder) in self.files for folder in path.parents):
            path = PurePosixPath("-".join(path.parts))
        used = [
            other
            for other in map(PurePosixPath, self._known | set(self.files))
            if other.parent == path.parent
        ]
        slug = propose_slug(path.stem, (other.name.removesuffix(path.suffix) for other in used))
        return str(path.with_name(slug + path.suffix))


def _placed(found: Sequence[_Outcome], ours: Collection[str], known: Iterable[str]) -> MergedTree:
    """Give every file its place: theirs first, then ours, each under a free name where its own is taken."""
    places = _Places(known)
    clashes: list[TeamClash] = []
    moved: dict[str, str] = {}
    for outcome in found:
        if outcome.is_theirs:
            places.put(outcome.rel, outcome.data, alone=outcome.rel not in ours)
            clashes += [outcome.clash] if outcome.clash is not None else []
    for outcome in found:
        if outcome.is_theirs:
            continue
        rel, data, clash = outcome.rel, outcome.data, outcome.clash
        there = places.taken_by(rel)
        if there is not None:
            merged = None
            if collision_key(there) == collision_key(rel):
                merged = merge_file(None, data, places.files[there], rel=there)
            if merged is not None and merged.clash is None and merged.data is not None:
                rel, data = there, merged.data
            else:
                rel = places.free(rel)
                clashes.append(TeamClash(there, "same-name", None, data, places.files[there], other=rel))
        places.put(rel, data, alone=False)
        if outcome.was not in (None, rel):
            moved[outcome.was] = rel
        if clash is not None:
            clashes.append(replace(clash, rel=rel) if clash.rel == outcome.rel else replace(clash, other=rel))
    moved |= {
        outcome.was: outcome.rel
        for outcome in found
        if outcome.is_theirs and outcome.was not in (None, outcome.rel)
    }
    ordered = sorted(clashes, key=lambda clash: (clash.rel, clash.kind))
    return MergedTree(dict(sorted(places.files.items())), tuple(ordered), moved)
