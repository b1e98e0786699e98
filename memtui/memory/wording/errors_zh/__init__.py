"""Chinese for the sentences of errors, recovery and the watch, by their English template (``memory.wording.saying``)."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.wording.errors_zh import agent, changes, claude, files, foreign, front_ends, team

AREAS: tuple[Mapping[str, str], ...] = (
    files.ROWS,
    changes.ROWS,
    front_ends.ROWS,
    claude.ROWS,
    agent.ROWS,
    team.ROWS,
)
"""The rows of each module; a sentence stands in one of them."""

ERRORS_ZH: Mapping[str, str] = {template: chinese for rows in AREAS for template, chinese in rows.items()}
"""By English template; both have the same placeholders."""

FOREIGN_ZH: Mapping[str, str] = foreign.ROWS
"""The words of systems and parsers, as far as they are known: by name of the error number, or as they are."""

CATALOGUE: Mapping[str, str] = {**ERRORS_ZH, **FOREIGN_ZH}
