"""Whose a memory is: one's own, or the team's, which lies below ``team/`` (spec §15)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.memory.conventions import TEAM_PREFIX
from memtui.memory.document.slugs import propose_slug
from memtui.memory.errors import Refused
from memtui.memory.types import Scope
from memtui.memory.wording.saying import Say

SCOPES: tuple[Scope, ...] = ("private", "team")


def scope_of(slug: str) -> Scope:
    """Whose the memory of a slug, or of a path below the memory directory, is; of an old version too."""
    return "team" if slug.startswith(TEAM_PREFIX) else "private"


def bare(slug: str) -> str:
    """A slug without the folder that tells its scope."""
    return slug.removeprefix(TEAM_PREFIX)


def in_scope(slug: str, scope: Scope) -> str:
    """The same slug in a scope."""
    return f"{TEAM_PREFIX}{bare(slug)}" if scope == "team" else bare(slug)


def proposed_in(scope: Scope, name: str, taken: Iterable[str] = ()) -> str:
    """A free new slug of a scope for a title.

    Args:
        scope: whose it is to be.
        name: the title.
        taken: slugs of either scope; only those of this one are in the way.
    """
    if scope == "private":
        return propose_slug(name, taken)
    return TEAM_PREFIX + propose_slug(name, (bare(slug) for slug in taken if scope_of(slug) == "team"))


def team_is_off(root: Path, config_file: Path | None = None) -> Refused:
    """What a new memory of the team is refused with in a directory that has none to share with.

    Args:
        root: the directory.
        config_file: the person's own settings; None if nobody knows.
    """
    return Refused(
        "team memory is switched off",
        where=str(root),
        todo=Say("Set TEAMMEM=1, or write 'team = true' into {path}", path=config_file or "config.toml"),
    )
