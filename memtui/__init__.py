"""memtui: see, curate and trust the memory that coding agents keep in files.

Every public name is listed in ``__all__`` and loaded on first use, so that ``import memtui`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.agent.save_tool import SAVE_MEMORY_TOOL as SAVE_MEMORY_TOOL
    from memtui.agent.save_tool import run_save_memory as run_save_memory
    from memtui.agent.selection import find_relevant_memories as find_relevant_memories
    from memtui.memory.age import memory_age_days as memory_age_days
    from memtui.memory.age import memory_age_label as memory_age_label
    from memtui.memory.age import memory_freshness_note as memory_freshness_note
    from memtui.memory.age import memory_freshness_text as memory_freshness_text
    from memtui.memory.decay import activation_tier as activation_tier
    from memtui.memory.decay import apply_decay_scoring as apply_decay_scoring
    from memtui.memory.decay import decay_score as decay_score
    from memtui.memory.document.frontmatter import parse_frontmatter as parse_frontmatter
    from memtui.memory.doubles.dedup import build_manifest_preview as build_manifest_preview
    from memtui.memory.doubles.dedup import duplicate_clusters as duplicate_clusters
    from memtui.memory.doubles.dedup import find_duplicate_by_content as find_duplicate_by_content
    from memtui.memory.doubles.dedup import jaccard_similarity as jaccard_similarity
    from memtui.memory.doubles.dedup import slug_exists as slug_exists
    from memtui.memory.errors import Conflict as Conflict
    from memtui.memory.errors import MemtuiError as MemtuiError
    from memtui.memory.guardrails import MEMORY_DRIFT_CAVEAT as MEMORY_DRIFT_CAVEAT
    from memtui.memory.guardrails import VERIFY_BEFORE_RECOMMENDING as VERIFY_BEFORE_RECOMMENDING
    from memtui.memory.guardrails import WHAT_NOT_TO_SAVE as WHAT_NOT_TO_SAVE
    from memtui.memory.index.entrypoint import truncate_entrypoint as truncate_entrypoint
    from memtui.memory.managing.manager import MemoryManager as MemoryManager
    from memtui.memory.managing.results import SaveResult as SaveResult
    from memtui.memory.quality import check_content_quality as check_content_quality
    from memtui.memory.quality import quality_findings as quality_findings
    from memtui.memory.relevance.selecting import SelectionContext as SelectionContext
    from memtui.memory.reminder import assemble_system_prompt as assemble_system_prompt
    from memtui.memory.types import MemoryEntry as MemoryEntry
    from memtui.memory.types import MemoryStatus as MemoryStatus
    from memtui.memory.types import MemoryType as MemoryType
    from memtui.store import MemoryStore as MemoryStore
    from memtui.store import Snapshot as Snapshot

_HOMES = {
    "agent.selection": ("find_relevant_memories",),
    "agent.save_tool": ("SAVE_MEMORY_TOOL", "run_save_memory"),
    "memory.age": ("memory_age_days", "memory_age_label", "memory_freshness_note", "memory_freshness_text"),
    "memory.decay": ("activation_tier", "apply_decay_scoring", "decay_score"),
    "memory.doubles.dedup": (
        "build_manifest_preview",
        "duplicate_clusters",
        "find_duplicate_by_content",
        "jaccard_similarity",
        "slug_exists",
    ),
    "memory.errors": ("Conflict", "MemtuiError"),
    "memory.document.frontmatter": ("parse_frontmatter",),
    "memory.guardrails": ("MEMORY_DRIFT_CAVEAT", "VERIFY_BEFORE_RECOMMENDING", "WHAT_NOT_TO_SAVE"),
    "memory.index.entrypoint": ("truncate_entrypoint",),
    "memory.managing.manager": ("MemoryManager",),
    "memory.managing.results": ("SaveResult",),
    "memory.quality": ("check_content_quality", "quality_findings"),
    "memory.reminder": ("assemble_system_prompt",),
    "memory.relevance.selecting": ("SelectionContext",),
    "memory.types": ("MemoryEntry", "MemoryStatus", "MemoryType"),
    "store": ("MemoryStore", "Snapshot"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "1.0.0"
__all__ = sorted([*_HOME_OF, "__version__"])  # noqa: PLE0605  -- one table, not two lists to keep alike


def __getattr__(name: str) -> object:
    """Load a public name on first use (PEP 562)."""
    home = _HOME_OF.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(importlib.import_module(f"memtui.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, for completion."""
    return list(__all__)
