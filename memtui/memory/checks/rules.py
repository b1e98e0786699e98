"""How a check is written down: one decorated function that yields ``Hit``s, found again in ``RULES``.

To add a check: write a function below one of the decorators in ``findings_memory``, ``findings_threats``,
``findings_index`` or ``findings_between``, and its sentences under the same id in ``memory/wording/findings_en`` and
``findings_zh``. That is all; a test holds that every rule has its words in both languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from memtui.memory.types import MemoryEntry, Severity

if TYPE_CHECKING:
    from memtui.memory.checks.findings_view import View
    from memtui.memory.checks.fix_files import Plan

Field = Literal["name", "description", "type", "slug"]

Scope = Literal["memory", "place", "directory", "texts", "project"]
"""What a rule looks at, and so when its answer has to be worked out again.

``memory``: one memory's bytes; kept for as long as they are the same.
``place``: one memory among the names of the others, and the day; again when a name or the day changes.
``directory``: the index, the names, the links; again when one of them changes. A check of one memory with this scope also
when its age changes, or that of the oldest memory listed.
``texts``: all memories' texts; again when one changes.
``project``: one memory against the project's files; again when it changes, or when everything is checked anew.
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing a rule found.

    Attributes:
        rel: the file it is in; empty for the memory that the rule was given.
        line: 1-based line of that file, None if it is about the whole file or ``span`` tells.
        span: first and one past the last character in the memory's ``content``.
        parts: what the rule's message names.
        plan: makes the fix's edits from what is on disk then; None where there is no safe mechanical fix.
        field: what of the header, or the slug, it is in; None for the content. Behind the rule's own sentence the field is
            named ("…, in the description"), except for the type, and its line is looked up.
        names: slugs of the memories it is about, where it is about many.
    """

    rel: str = ""
    line: int | None = None
    span: tuple[int, int] | None = None
    parts: Mapping[str, object] = field(default_factory=dict)
    plan: Plan | None = None
    field: Field | None = None
    names: tuple[str, ...] = ()


MemoryCheck = Callable[[MemoryEntry], Iterable[Hit]]
PlaceCheck = Callable[[MemoryEntry, "View"], Iterable[Hit]]
DirectoryCheck = Callable[["View"], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One check.

    Attributes:
        id: stable kebab-case name.
        severity: how much it matters.
        scope: what it looks at.
        memory: the check of a ``memory`` rule.
        place: the check of one memory by a ``place``, ``project`` or ``directory`` rule.
        directory: the check of the whole by a ``directory`` or ``texts`` rule.
    """

    id: str
    severity: Severity
    scope: Scope
    memory: MemoryCheck | None = None
    place: PlaceCheck | None = None
    directory: DirectoryCheck | None = None

    @property
    def module(self) -> str:
        """Name of the module its check stands in."""
        return str((self.memory or self.place or self.directory).__module__)


RULES: dict[str, Rule] = {}
"""Every rule by id, in the order in which findings of equal weight are listed (``findings`` sees to it)."""


def put_in_order(modules: Sequence[str]) -> None:
    """Order the rules by the modules they stand in, whichever of those was imported first."""
    ordered = sorted(RULES.items(), key=lambda item: modules.index(item[1].module))
    RULES.clear()
    RULES.update(ordered)


def memory_rule(rule_id: str, severity: Severity) -> Callable[[MemoryCheck], MemoryCheck]:
    """Make a function the check of one active memory by itself."""

    def register(check: MemoryCheck) -> MemoryCheck:
        RULES[rule_id] = Rule(rule_id, severity, "memory", memory=check)
        return check

    return register


def place_rule(
    rule_id: str, severity: Severity, scope: Literal["place", "project", "directory"] = "place"
) -> Callable[[PlaceCheck], PlaceCheck]:
    """Make a function the check of one active memory among the others, or against the project."""

    def register(check: PlaceCheck) -> PlaceCheck:
        RULES[rule_id] = Rule(rule_id, severity, scope, place=check)
        return check

    return register


def directory_rule(
    rule_id: str, severity: Severity, scope: Literal["directory", "texts"] = "directory"
) -> Callable[[DirectoryCheck], DirectoryCheck]:
    """Make a function the check of the whole directory."""

    def register(check: DirectoryCheck) -> DirectoryCheck:
        RULES[rule_id] = Rule(rule_id, severity, scope, directory=check)
        return check

    return register
