"""What a catalogue holds. A field's comment says where its text goes and what the parts of its template are."""

from __future__ import annotations

from memtui.memory.types import MemoryType
from memtui.memory.wording.sentences import Sentences


class Wording(Sentences):
    """The sentences of one language. Templates are filled with ``str.format``, with text that went through ``for_prompt``."""

    # Labels in the reminder and the manifest.
    type_user: str
    type_feedback: str
    type_project: str
    type_reference: str
    type_unknown: str
    updated: str  # a superseded memory, {slug} of the one that took its place
    team: str
    updated_unnamed: str  # the same where the file does not name it

    # Age (spec §7). {days} is a whole number above 1.
    age_today: str
    age_yesterday: str
    age_days: str
    freshness: str

    # Reminder (spec §11).
    reminder_title: str
    reminder_footer: str
    broken_claims: (
        str  # {claims}: what the memory names and the project no longer has, joined by list_separator
    )
    list_separator: str

    # Guardrails (spec §10).
    what_not_to_save: str
    verify_before_recommending: str
    memory_drift_caveat: str

    # The save tool: its schema.
    save_description: str  # followed by what_not_to_save
    save_slug: str
    save_name: str
    save_memory_description: str
    save_type: str
    save_content: str

    # The save tool: its result (spec §12), in this order.
    saved: str  # {slug}
    updated_memory: str  # {slug}, {archive}: file name of the archived version
    unchanged: str  # {slug}
    kept_external: str  # {archive}: where a version lies that somebody else wrote meanwhile
    index_pending: str
    rest_pending: str
    quality_too_short: str  # {count} of non-space characters
    quality_transient: str
    quality_vague: str  # {word} as found
    quality_code: str
    sensitive: str  # {rule}, {line} within its field, {fingerprint}: never the value
    overlap: str  # {slug} of the other memory, {percent}: a whole number, 70 or more
    manifest_heading: str  # {count} of active memories
    manifest_empty: str

    # The save tool: its errors. Nothing was saved.
    error_missing: str  # {parameter}
    error_not_text: str  # {parameter}, {kind}: name of the JSON type that came
    error_empty: str  # {parameter}
    error_unknown: str  # {parameter}
    error_type: str  # {value} that came
    error_slug: str  # {reason}
    error_conflict: str  # {slug}
    error_team: str  # {slug} without the folder
    error_leak: str  # {rule}, {line} of the file, {fingerprint}
    error_busy: str
    error_refused: str  # {reason}

    # Selection (spec §13): what a model is asked. It answers with a JSON list.
    select_system: str
    select_query: str  # {query}
    select_no_query: str  # in its place where there is none
    select_tools: str  # {tools} in use, joined by list_separator
    select_catalogue: str  # {catalogue}: a line for each memory, numbered from 0
    select_task: str  # {count}: most to choose

    def type_label(self, memory_type: MemoryType | None) -> str:
        """The label of a type, brackets included; a label of its own for a missing or unknown one."""
        match memory_type:
            case MemoryType.USER:
                return self.type_user
            case MemoryType.FEEDBACK:
                return self.type_feedback
            case MemoryType.PROJECT:
                return self.type_project
            case MemoryType.REFERENCE:
                return self.type_reference
            case None:
                return self.type_unknown
