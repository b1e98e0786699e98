"""The shapes of ``--json``: stable, documented in the README, free of anything a terminal would obey (``output.json``).

With ``--json`` stdout holds one JSON value, whatever happens; narration and questions go to stderr:

- ``list``, ``history``, ``check``, ``check --rules``: a list of `entry_json`, `version_json`, `finding_json`,
  `rule_json`; empty where there is none.
- ``show``: `entry_json` with ``content``. ``diff``: ``slug a b diff``.
- ``forget``, ``restore``, ``undo``, ``redo``: `change_json`; with ``--dry-run`` only its ``label``.
- ``save``: ``text is_error outcome`` with `change_json`; with `error_json` where nothing was saved.
- ``index``: `index_json`; ``--loaded``: `loaded_json`; ``--rebuild``: `rebuilt_json`. ``check --fix``: `fixing_json`.
- whatever went wrong: `error_json`, with the exit code that the command leaves with.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory.decay import explain_score
from memtui.memory.errors import MemtuiError
from memtui.memory.types import MemoryEntry, Problem, Severity

if TYPE_CHECKING:
    from memtui.memory.entrypoint import Loaded
    from memtui.memory.findings import Finding
    from memtui.memory.history import Version
    from memtui.memory.index import IndexReport
    from memtui.memory.results import ChangeResult
    from memtui.memory.wording.findings_catalogue import RuleWording

Json = dict[str, object]


def path_below(root: Path, path: Path) -> str:
    """A file's path below the memory directory, with ``/``."""
    return path.relative_to(root).as_posix()


def type_text(entry: MemoryEntry) -> str:
    """The type for a person: one of the four, else what is written, else ``unknown``."""
    return str(entry.memory_type) if entry.memory_type else entry.type_text or "unknown"


def entry_json(entry: MemoryEntry, now: float) -> Json:
    """One memory. ``modified`` is in Unix seconds; ``type`` as written where it is none of the four."""
    parts = explain_score(entry, now)
    return {
        "slug": entry.slug,
        "name": entry.name,
        "description": entry.description,
        "type": str(entry.memory_type) if entry.memory_type else entry.type_text,
        "status": "active" if entry.is_active else "historical",
        "superseded_by": entry.superseded_by,
        "modified": entry.modified,
        "score": parts.score,
        "tier": parts.tier.name.lower(),
        "scope": entry.scope,
        "path": str(entry.path),
        "problems": [problem_json(problem) for problem in entry.problems],
    }


def problem_json(problem: Problem) -> Json:
    """What was odd about a file; ``line`` counts from 1 or is null."""
    return {
        "code": problem.code,
        "severity": problem.severity.name.lower(),
        "line": problem.line,
        "message": problem.message,
    }


def version_json(version: Version, now: float) -> Json:
    """One version of a memory; ``version`` is what ``diff`` and ``restore`` take."""
    return {"version": version.id, "current": version.current, **entry_json(version.entry, now)}


def change_json(change: ChangeResult) -> Json:
    """What a change did."""
    return {
        "label": change.label,
        "slugs": list(change.slugs),
        "archived": list(change.archived),
        "kept": list(change.kept),
        "index_pending": change.index_pending,
        "pending": list(change.pending),
        "dangling": list(change.dangling),
        "record_id": change.record_id,
        "elsewhere": change.elsewhere,
    }


def finding_json(finding: Finding) -> Json:
    """One finding; ``line`` counts from 1 or is null, ``fix`` is what its mending is called or null."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.name.lower(),
        "slug": finding.slug,
        "path": finding.path,
        "line": finding.line,
        "message": finding.message,
        "fix": finding.fix.label if finding.fix else None,
    }


def index_json(state: IndexReport) -> Json:
    """How the index stands against its limits; sizes in ``unit`` (``bytes`` or ``utf16``)."""
    return {
        "exists": state.exists,
        "lines": state.lines,
        "max_lines": state.max_lines,
        "size": state.size,
        "max_size": state.max_size,
        "unit": state.unit,
        "entries": state.entries,
        "bound": state.bound,
        "not_loaded": list(state.not_loaded),
    }


def loaded_json(read: Loaded) -> Json:
    """What a reader gets of the index; ``bound`` is the limit that cut it or null, ``not_loaded`` as in `index_json`."""
    return {
        "text": read.text,
        "lines": read.lines_total,
        "lines_loaded": read.lines_loaded,
        "bound": read.bound,
        "not_loaded": list(read.lost),
    }


def rebuilt_json(diff: str, change: ChangeResult | None) -> Json:
    """The index written anew: the unified diff, empty where it is so already, and what was done, null if nothing."""
    return {"diff": diff, "change": change_json(change) if change else None}


def fixing_json(rule: str, findings: Iterable[Finding], diff: str, change: ChangeResult | None) -> Json:
    """The mending of a rule's findings: which, as a unified diff, and what was done, null if nothing."""
    return {
        "rule": rule,
        "findings": [finding_json(finding) for finding in findings],
        **rebuilt_json(diff, change),
    }


def rule_json(name: str, severity: Severity, said: RuleWording) -> Json:
    """One rule of ``check``."""
    return {"rule": name, "severity": severity.name.lower(), "title": said.title, "why": said.why}


def error_json(error: MemtuiError) -> Json:
    """What went wrong; ``where`` and ``todo`` are empty where there is nothing to say."""
    return {
        "error": {
            "what": error.what,
            "where": error.where,
            "todo": error.todo,
            "exit_code": error.exit_code,
        }
    }
