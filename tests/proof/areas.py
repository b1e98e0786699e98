"""The four areas that must hold best, and the tests that hold them (issue: part 6, proof)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


@dataclass(frozen=True)
class Area:
    """Files, and the tests that hold them."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


def _memory(*names: str) -> tuple[str, ...]:
    return tuple(f"memtui/memory/{name}.py" for name in names)


AREAS: dict[str, Area] = {
    "frontmatter": Area(
        _memory(
            "document/frontmatter",
            "document/parse",
            "document/header_edit",
            "document/headers",
            "document/yamlsafe",
            "document/yamltext",
        ),
        (
            "tests/unit/test_frontmatter_read.py",
            "tests/unit/test_frontmatter_yaml.py",
            "tests/unit/test_frontmatter_checks.py",
            "tests/unit/test_frontmatter_edit.py",
            "tests/unit/test_findings_fields.py",
            "tests/unit/test_frontmatter_properties.py",
        ),
    ),
    "saving": Area(
        _memory(
            "disk/calls",
            "disk/rare_calls",
            "disk/files",
            "disk/locking",
            "disk/own_folder",
            "disk/opened",
            "disk/writing",
            "saving/steps",
            "disk/moving",
        )
        + _memory(
            "managing/committing",
            "saving/preflight",
            "saving/keeping",
            "saving/journal",
            "saving/recovery",
            "saving/ledger",
            "saving/records",
        )
        + _memory(
            "saving/record_lines",
            "managing/trash",
            "versions/history",
            "managing/plans",
            "managing/planner",
            "managing/manager",
        ),
        (
            "tests/unit/test_moving.py",
            "tests/unit/test_disk.py",
            "tests/unit/test_files.py",
            "tests/unit/test_journal.py",
            "tests/unit/test_saving_corners.py",
            "tests/unit/test_recovery_corners.py",
            "tests/unit/test_manager.py",
            "tests/unit/test_trash.py",
            "tests/unit/test_plans.py",
            "tests/unit/test_scope.py",
            "tests/unit/test_unreadable.py",
            "tests/unit/test_fixing.py",
            "tests/hostile/test_forged_journal.py",
            "tests/hostile/test_own_folder.py",
            "tests/crash/test_power_loss.py",
            "tests/crash/test_faults.py",
            "tests/crash/test_manager_faults.py",
        ),
    ),
    "guard": Area(
        _memory("secrets/guard", "secrets/context", "secrets/formats", "secrets/rules", "secrets/table")
        + _memory("secrets/engine", "secrets/unmask", "secrets/wrapped", "secrets/fields", "secrets/commands")
        + _memory("secrets/names", "secrets/words", "secrets/known")
        + _memory("secrets/places", "secrets/values", "secrets/allowed", "secrets/team_guard")
        + ("memtui/team/vet.py", "memtui/team/guard.py"),
        (
            "tests/unit/test_secrets.py",
            "tests/unit/test_secrets_hidden.py",
            "tests/unit/test_guard_corners.py",
            "tests/unit/test_secret_values.py",
            "tests/unit/test_cli_secrets.py",
            "tests/unit/test_secrets_stranger.py",
            "tests/unit/test_team_guard.py",
            "tests/team/test_vet.py",
            "tests/team/test_secrets.py",
        ),
    ),
    "sanitiser": Area(
        (*_memory("text"), "memtui/tui/wall.py"),
        ("tests/unit/test_text.py", "tests/tui/test_wall.py", "tests/unit/test_findings_fields.py"),
    ),
}
