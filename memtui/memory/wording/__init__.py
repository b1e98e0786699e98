"""Every sentence that reaches a prompt or a tool's result, one catalogue a language (spec §11).

``wording(lang)`` gives the catalogue; which language to speak is ``memtui.config.choose_lang``'s to say. A template
names its parts (``{days}``); both catalogues have the same parts in every template, which a test holds.
"""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.catalogue import Wording
from memtui.memory.wording.en import EN
from memtui.memory.wording.zh import ZH

__all__ = ["Wording", "wording"]

_CATALOGUES: dict[Lang, Wording] = {"zh": ZH, "en": EN}


def wording(lang: Lang) -> Wording:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
