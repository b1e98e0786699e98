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
        _memory("frontmatter", "document", "header_edit", "headers", "yamlsafe", "yamltext"),
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
            "disk", "rare_calls", "files", "locking", "own_folder", "opened", "writing", "steps", "moving"
        )
        + _memory("committing", "preflight", "keeping", "journal", "recovery", "ledger", "records")
        + _memory("record_lines", "trash", "history", "plans", "planner", "manager"),
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
        _memory("secrets", "secret_context", "secret_formats", "secret_rules", "secret_table")
        + _memory("secret_engine", "secret_unmask", "secret_wrapped", "secret_fields", "secret_commands")
        + _memory("secret_names", "secret_words", "secret_known")
        + _memory("secret_places", "secret_values", "allowed", "team_guard")
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
