"""What a model is told about saving and trusting memories (spec §10, both seeds).

The constants are English, for callers that want one text. The functions give either language.
"""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording import wording


def what_not_to_save(lang: Lang) -> str:
    """What does not belong in a memory, for the save tool's description, with the rule in front."""
    return wording(lang).what_not_to_save


def verify_before_recommending(lang: Lang) -> str:
    """What to check before acting on a memory: last in the reminder, under its own heading, where models heed it."""
    return wording(lang).verify_before_recommending


def memory_drift_caveat(lang: Lang) -> str:
    """Memories age: trust what you see now, and update or remove what conflicts with it."""
    return wording(lang).memory_drift_caveat


WHAT_NOT_TO_SAVE = what_not_to_save("en")
"""What a model is told not to save, in English."""
VERIFY_BEFORE_RECOMMENDING = verify_before_recommending("en")
"""How a model is told to check what a memory names before it recommends it, in English."""
MEMORY_DRIFT_CAVEAT = memory_drift_caveat("en")
"""What a model is told of the age of memories, in English."""
