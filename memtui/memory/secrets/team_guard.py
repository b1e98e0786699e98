"""The secret guard before the team's memories: a change that would put a secret below ``team/`` is not made (reliability §4).

Asked at the one place through which every change goes. What the team's files hold already does not stand in the way of
another edit: nobody could mend a typing error otherwise, and what leaves the machine is looked through by sync, whole.
Undo and redo are not asked, for they bring back bytes that stood there before, exactly or not at all; sync asks again.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from memtui.memory.conventions import TEAM_PREFIX
from memtui.memory.errors import Refused
from memtui.memory.saving.records import Edit
from memtui.memory.secrets.allowed import FINGERPRINT
from memtui.memory.secrets.guard import SecretFinding, find_secrets, secret_hash
from memtui.memory.wording.saying import Say, joined

_SHOWN = 3
_WIDE = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret that a change would give to the team, without its value.

    Attributes:
        rel: the file, below the memory directory.
        rule: which rule found it.
        line: 1-based line of the file; 0 where it stands in the file's name.
        fingerprint: what tells it from another.
    """

    rel: str
    rule: str
    line: int
    fingerprint: str

    @property
    def slug(self) -> str:
        """The memory."""
        return self.rel.removesuffix(".md")


class SecretBlocked(Refused):
    """A change would give the team a secret. Nothing was changed.

    Attributes:
        leaks: what it found, in the order of the files.
    """

    def __init__(self, what: str, *, where: str, todo: str, leaks: tuple[Leak, ...]) -> None:
        super().__init__(what, where=where, todo=todo)
        self.leaks = leaks

    @classmethod
    def of(cls, leaks: Sequence[Leak]) -> Self:
        """The refusal for what was found."""
        shown = joined([leak_said(leak) for leak in leaks[:_SHOWN]], "; ")
        if len(leaks) > _SHOWN:
            shown = Say("{first} and {count} more", first=shown, count=len(leaks) - _SHOWN)
        return cls(
            Say("this would give the team a secret ({found})", found=shown),
            where=leaks[0].rel,
            todo=Say(
                "Take it out, or keep the memory private. If it is no secret: memtui secrets allow {fingerprint}. "
                "To share it all the same, type the slug: --allow-secret {slug}",
                fingerprint=leaks[0].fingerprint,
                slug=leaks[0].slug,
            ),
            leaks=tuple(leaks),
        )


def leak_said(leak: Leak) -> Say:
    """A find in words: rule, file, line and fingerprint."""
    if not leak.line:
        return Say(
            "{rule} in the name of {rel} [{fingerprint}]",
            rule=leak.rule,
            rel=leak.rel,
            fingerprint=leak.fingerprint,
        )
    return Say(
        "{rule} in {rel}, line {line} [{fingerprint}]",
        rule=leak.rule,
        rel=leak.rel,
        line=leak.line,
        fingerprint=leak.fingerprint,
    )


def wide_coding(data: bytes) -> str | None:
    """The coding of UTF-16 or UTF-32 text, by its byte order mark; None for any other."""
    return next((name for mark, name in _WIDE.items() if data.startswith(mark)), None)


def texts_of(data: bytes) -> tuple[str, ...]:
    """What a file may say, for looking through: as UTF-8, as its byte order mark has it, and without NULs.

    A mark proves nothing: two bytes in front would hide all that follows. Lines count the same in each.
    """
    texts = [data.decode("utf-8", "replace")]
    coding = wide_coding(data)
    if coding is not None:
        texts.append(data.decode(coding, "replace"))
    if b"\0" in data:
        texts.append(data.replace(b"\0", b"").decode("utf-8", "replace"))
    return tuple(texts)


def entering(edits: Iterable[Edit], allowed: Container[str] = frozenset()) -> tuple[Leak, ...]:
    """The secrets that a change would put into the team's files, and that none of those it changes held before.

    Args:
        edits: the change.
        allowed: hashes of values that are let through.
    """
    team = [edit for edit in edits if edit.rel.startswith(TEAM_PREFIX)]
    arriving = [edit for edit in team if edit.after is not None and edit.after != edit.before]
    found = [
        (edit.rel, line, finding.rule, key)
        for edit in arriving
        for finding, key, line in _found(edit.rel, edit.after or b"", allowed)
    ]
    if not found:
        return ()
    known = {
        key
        for edit in team
        if edit.before is not None
        for _, key, _ in _found(edit.rel, edit.before, allowed)
    }
    return tuple(
        Leak(rel, rule, line, key[:FINGERPRINT]) for rel, line, rule, key in found if key not in known
    )


def _found(rel: str, data: bytes, allowed: Container[str]) -> list[tuple[SecretFinding, str, int]]:
    """What is in a file, and in its name, with the hash and the line of each."""
    name = rel.removesuffix(".md")
    texts = texts_of(data)
    found = [(f, secret_hash(name[f.start : f.end]), 0) for f in find_secrets(name, allowed=allowed)]
    for text in texts:
        known = {key for _, key, _ in found} if text is not texts[0] else frozenset[str]()
        more = [(f, secret_hash(text[f.start : f.end]), f.line) for f in find_secrets(text, allowed=allowed)]
        found += [each for each in more if each[1] not in known]
    return found


def held_back(leaks: Iterable[Leak], shared: Collection[str]) -> tuple[Leak, ...]:
    """Those in memories whose slug nobody typed."""
    return tuple(leak for leak in leaks if leak.slug not in shared)
