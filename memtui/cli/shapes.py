"""The shapes of ``--json``: stable, documented in the manual's page on commands, free of anything a terminal would obey (``output.json``).

With ``--json`` stdout holds one JSON value, whatever happens; narration and questions go to stderr:

- ``list``, ``history``, ``check``, ``check --rules``: a list of `entry_json`, `version_json`, `finding_json`,
  `rule_json`; empty where there is none.
- ``list`` also says ``last_used`` of each, Unix seconds or null where no transcript tells.
- ``show``: `entry_json` with ``content`` and ``usage``, see `memtui.cli.receipts.usage_json`, null where no transcripts
  are found, and ``seen``: ``complete`` and ``stores``, a list of `seen_json`. ``receipts``: ``store skipped total sessions``, the sessions as `memtui.cli.receipts.session_json`; with SLUG
  also ``slug usage`` and each session's ``memory``; ``--session``: that one with ``loaded`` and ``uses``.
  ``diff``: ``slug a b diff``.
- ``forget``, ``restore``, ``undo``, ``redo``: `change_json`; with ``--dry-run`` only its ``label``.
- ``save``: ``text is_error outcome`` with `change_json`; with `error_json` where nothing was saved.
- ``review``, ``review list``: ``proposals`` as `memtui.cli.review.proposal_json` and ``problems`` (``file problem``);
  ``review show``: one with ``diff refusal checks``; ``accept``, ``edit``, ``accept-all``: ``accepted left change``;
  ``reject``: `change_json`; ``changes``: a list of `memtui.cli.review_changes.others_json`; ``keep``: ``kept``; ``revert``:
  `rebuilt_json`.
- ``projects``: a list of `store_json`; ``projects search``: of `hit_json`. ``copy``, ``move``, ``adopt``: `transfer_json`.
- ``index``: `index_json`; ``--loaded``: `loaded_json`; ``--rebuild``: `rebuilt_json`. ``check --fix``: `fixing_json`.
- ``where``: a list of `place_json`, the place in force first.
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
    from memtui.claude.seen_words import Seen
    from memtui.claude.store_search import StoreHit
    from memtui.claude.store_summary import StoreSummary
    from memtui.claude.survey import Place, Survey
    from memtui.memory.checks.findings import Finding
    from memtui.memory.index.entrypoint import IndexReport, Loaded
    from memtui.memory.managing.authors import Author
    from memtui.memory.managing.results import ChangeResult
    from memtui.memory.managing.transfer import TransferPlan, TransferResult
    from memtui.memory.versions.history import Version
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


def seen_json(seen: Seen) -> Json:
    """Another store that holds a memory; ``same`` is true for the same words, else ``similarity`` says how alike."""
    found = seen.sighting
    return {
        "store": str(found.store.path),
        "name": seen.name,
        "slug": found.entry.slug,
        "path": str(found.entry.path),
        "same": found.same,
        "similarity": found.match.bigrams,
    }


def problem_json(problem: Problem) -> Json:
    """What was odd about a file; ``line`` counts from 1 or is null."""
    return {
        "code": problem.code,
        "severity": problem.severity.name.lower(),
        "line": problem.line,
        "message": problem.message,
    }


def version_json(version: Version, now: float, author: Author) -> Json:
    """One version of a memory; ``version`` is what ``diff`` and ``restore`` take, ``written_by`` an `Author`."""
    written = {"kind": author.kind, "door": author.door, "name": author.name, "session": author.session}
    return {
        "version": version.id,
        "current": version.current,
        "written_by": written,
        **entry_json(version.entry, now),
    }


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
        "names": list(finding.names),
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


def store_json(summary: StoreSummary) -> Json:
    """One store; ``project`` is null where nobody knows, ``last_change`` is in Unix seconds or null."""
    store = summary.store
    return {
        "path": str(store.path),
        "kind": store.kind,
        "slug": store.slug,
        "project": str(summary.project) if summary.project is not None else None,
        "others": [str(path) for path in summary.others],
        "active": summary.active,
        "historical": summary.historical,
        "stale": summary.stale,
        "secrets": summary.secrets,
        "index": index_json(summary.index),
        "last_change": summary.last_change,
        "read_only": store.read_only,
        "problems": list(summary.problems),
    }


def hit_json(hit: StoreHit) -> Json:
    """One memory that was found; ``line`` counts from 1 in its file, 0 where the words stand in its header."""
    return {
        "store": str(hit.store.path),
        "slug": hit.entry.slug,
        "name": hit.entry.name,
        "path": str(hit.entry.path),
        "place": hit.place,
        "line": hit.line,
        "excerpt": hit.excerpt,
    }


def transfer_json(plan: TransferPlan, result: TransferResult | None) -> Json:
    """A copy, move or adoption: the plan, and what was done, null if nothing; secrets are named by their rules only."""
    return {
        "verb": plan.verb,
        "source": str(plan.source),
        "target": str(plan.target),
        "memories": [
            {
                "slug": passage.slug,
                "new_slug": passage.new_slug,
                "fate": passage.fate,
                "versions": passage.versions,
                "dangling": list(passage.dangling),
                "secrets": [secret.rule for secret in passage.secrets],
                "alike": passage.alike.slug if passage.alike is not None else None,
            }
            for passage in plan.passages
        ],
        "clashes": [
            {"slug": clash.slug, "taken_by": clash.taken_by, "proposed": clash.proposed}
            for clash in plan.clashes
        ],
        "left_dangling": list(plan.leaving.dangling) if plan.leaving is not None else [],
        "arrived": change_json(result.arrived) if result is not None else None,
        "left": change_json(result.left) if result is not None and result.left is not None else None,
    }


def place_json(found: Survey, place: Place) -> Json:
    """One place where a project's memories may lie.

    ``memories`` counts files, null if they cannot be read; ``used`` is whether a transcript proves that it was loaded,
    null if none tells; ``changed`` and ``used_at`` are in Unix seconds or null. ``auto_memory`` is the client's state in
    the project; ``problems`` of settings files stand with the place in force.
    """
    return {
        "path": str(place.path),
        "rule": place.rule(),
        "exists": place.exists,
        "memories": place.memories,
        "used": place.used,
        "kind": place.kind,
        "in_force": place.in_force,
        "changed": place.changed,
        "used_at": place.used_at,
        "project": str(found.root),
        "auto_memory": {
            "on": found.switch.on,
            "rule": found.switch.rule,
            "where": str(found.switch.where) if found.switch.where else None,
        },
        "warnings": [
            {"code": oddity.code, "message": oddity.said("en")}
            for oddity in found.oddities
            if oddity.place == place
        ],
        "problems": [
            {
                "code": problem.code,
                "where": str(problem.where) if problem.where else None,
                "key": problem.key,
                "what": problem.what,
                "todo": problem.todo,
            }
            for problem in (found.problems if place.in_force else ())
        ],
    }


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
