"""Every sentence that reaches a prompt or a tool's result, one catalogue a language (spec §11).

``wording(lang)`` gives the catalogue; which language to speak is ``memtui.config.choose_lang``'s to say. A template
names its parts (``{days}``); both catalogues have the same parts in every template, which a test holds.
"""

from __future__ import annotations

from functools import cache

from memtui.memory.types import Lang
from memtui.memory.wording.catalogue import Wording

__all__ = ["Wording", "wording"]


@cache
def wording(lang: Lang) -> Wording:
    """The catalogue of a language, loaded when it is first spoken."""
    if lang == "zh":
        from memtui.memory.wording.zh import ZH  # noqa: PLC0415 – see above

        return ZH
    from memtui.memory.wording.en import EN  # noqa: PLC0415 – see above

    return EN
