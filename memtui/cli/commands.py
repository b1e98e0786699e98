"""Which commands there are, and what a first word means that is none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memtui.cli.session import Session

COMMANDS: Mapping[str, str] = {
    "list": "listing:list_command",
    "show": "reading:show_command",
    "save": "changing:save_command",
    "forget": "changing:forget_command",
    "restore": "changing:restore_command",
    "history": "reading:history_command",
    "diff": "reading:diff_command",
    "undo": "changing:undo_command",
    "redo": "changing:redo_command",
    "check": "inspecting:check_command",
    "index": "inspecting:index_command",
    "review": "review:review_command",
    "receipts": "receipts:receipts_command",
    "reminder": "reading:reminder_command",
    "select": "selecting:select_command",
    "extract": "extracting:extract_command",
    "hook": "hook:hook_command",
    "secrets": "scanning_secrets:secrets_command",
    "projects": "projects:projects_command",
    "copy": "transferring:copy_command",
    "move": "transferring:move_command",
    "adopt": "transferring:adopt_command",
    "dream": "dreaming:dream_command",
    "log": "logging_day:log_command",
    "team": "team:team_command",
    "mcp": "serving:mcp_command",
    "where": "locating:where_command",
    "serve": "serving:serve_command",
    "demo": "starting:demo_command",
    "guide": "guiding:guide_command",
    "completion": "starting:completion_command",
    "open": "starting:open_command",
}
"""Where each command lies: module of ``memtui.cli`` and name in it."""

COMPLETE_VARIABLE = "_MEMTUI_COMPLETE"
"""The environment variable in which a shell asks for completions."""


def is_directory(word: str, session: Session) -> bool:
    """Whether a first word that is no command is meant to be a directory, be it there or not.

    Args:
        word: not empty.
        session: against whose working directory and home it is read.
    """
    if not word or word.startswith("-"):
        return False
    return session.path(Path(word)).is_dir() or "/" in word or word in {".", "..", "~"}
