"""What a memory says exists in its project, and whether it does (spec §10).

``extract_claims`` finds paths, symbols and flags in a memory, ``verify_claims`` looks them up under the project's root. A ✗ must
be trustworthy: when in doubt, the verdict is None.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from memtui.memory.checks.claim_text import Claim, ClaimKind, extract_claims, path_target
from memtui.memory.checks.claim_words import (
    COMMON_NAMES,
    GENERATED_FOLDERS,
    KNOWN_ENDINGS,
    PLACEHOLDER_NAMES,
    PRIVATE_ENDINGS,
    SOURCE_ENDINGS,
    ending_of,
)
from memtui.memory.checks.project_index import DEFAULT_BUDGET, Budget, ProjectIndex
from memtui.memory.lazy import lazy_pattern

__all__ = ["Budget", "Claim", "ClaimKind", "ProjectIndex", "Verdict", "extract_claims", "verify_claims"]

_OWN = frozenset({"self", "cls", "this", "super"})  # what stands for the object or class itself
_NAME = lazy_pattern(r"[A-Za-z_$][A-Za-z0-9_$]*")


class Verdict(NamedTuple):
    """What a project says of a claim.

    Attributes:
        claim: the claim.
        found: True if it is there. False if it is not, and that says something. None if nobody can tell: outside the
            root, a pattern, a generated or ignored file, a claim that is not firm, a budget that ran out.
    """

    claim: Claim
    found: bool | None


def verify_claims(
    claims: Iterable[Claim],
    project: Path | ProjectIndex,
    *,
    budget: Budget = DEFAULT_BUDGET,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Verdict, ...]:
    """Look claims up in a project: read-only, within the budget, never outside the root.

    Args:
        claims: what to look up; the verdicts come in the same order.
        project: its root, or an index of it that serves several calls.
        budget: how much may be looked at, if a root is given.
        clock: monotonic seconds for that budget.
    """
    index = (
        project if isinstance(project, ProjectIndex) else ProjectIndex(project, clock=clock, budget=budget)
    )
    return tuple(Verdict(claim, _found(claim, index)) for claim in claims)


def _found(claim: Claim, index: ProjectIndex) -> bool | None:
    match claim.kind:
        case "path":
            found = _path_found(path_target(claim.text), index)
        case "symbol":
            found = _symbol_found(claim.text, index)
        case "flag":
            found = _flag_found(claim.text, index)
    return found or (False if found is False and claim.firm else None)


def _path_found(path: str, index: ProjectIndex) -> bool | None:
    if path.startswith("~") or any(c in path for c in "*?["):
        return None
    if path.startswith("/"):
        if not Path(path).is_relative_to(index.root):
            return None
        path = str(Path(path).relative_to(index.root))
    rel = os.path.normpath(path)
    if rel.startswith("..") or rel == ".":
        return None
    parts = rel.split("/")
    # `project/src/x.py`, said from the folder above: the root's own last parts may lead the path.
    shorter = ["/".join(parts[n:]) for n in range(1, len(parts)) if index.root.parts[-n:] == tuple(parts[:n])]
    looked_up = [index.has_path(way) for way in (rel, *shorter)]
    if any(looked_up):
        return True
    if None in looked_up or not index.listed_all or index.has_like(rel) or index.is_ignored(rel):
        return None
    return False if _would_be_missed(parts, index, is_folder=path.endswith("/")) else None


def _would_be_missed(parts: list[str], index: ProjectIndex, *, is_folder: bool) -> bool:
    """Whether a path that is not there ought to be: it is of a kind that is kept in the project, in a known folder."""
    ending = ending_of(parts[-1])
    if not GENERATED_FOLDERS.isdisjoint(parts) or ending in PRIVATE_ENDINGS:
        return False
    if PLACEHOLDER_NAMES.fullmatch(parts[-1]):
        return False
    if len(parts) > 1:
        return index.is_folder_name(parts[0]) and (is_folder or ending in KNOWN_ENDINGS)
    return (
        not is_folder
        and len(ending) > 1
        and ending in SOURCE_ENDINGS
        and index.has_ending(ending)
        and not COMMON_NAMES.fullmatch(parts[-1])
    )


def _symbol_found(text: str, index: ProjectIndex) -> bool | None:
    names = _NAME.findall(text)
    tail = index.has_word(names[-1])
    head = names[0]
    if len(names) == 1 or (len(names) == 2 and head in _OWN):
        return tail
    if tail:
        return head in _OWN or index.has_word(head) or None
    # A method that is gone is a ✗ only if its class is the project's own: others have what no code here names. So have
    # things reached through others, whatever the first is (`self.client.post`, `Order.objects.filter()`), and variables
    # named as modules often are (`app.run()`).
    own = len(names) == 2 and index.defines(head) and not COMMON_NAMES.fullmatch(f"{head}.x")
    return False if tail is False and own else None


def _flag_found(text: str, index: ProjectIndex) -> bool | None:
    found = index.has_word(text)
    if found is not False:
        return found
    words = text[2:].split("-")
    if len(words) == 1:
        return None if index.has_word(text[2:]) is not False else False
    # Many parsers take the option's name from a variable, or without its dashes.
    names = (text[2:], "_".join(words), words[0] + "".join(word.capitalize() for word in words[1:]))
    if any(index.has_word(name) for name in names):
        return True
    return None if words[0] == "no" else False
