"""What the size of an index is measured in, by one name wherever a figure of it stands."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.conventions import SizeUnit
from memtui.memory.types import Lang

_UNITS: Mapping[Lang, Mapping[SizeUnit, str]] = {
    "en": {"bytes": "bytes", "utf16": "UTF-16 units"},
    "zh": {"bytes": "字节", "utf16": "UTF-16 单元"},
}


def unit_word(unit: SizeUnit, lang: Lang) -> str:
    """The unit's name, behind a figure."""
    return _UNITS[lang][unit]


def bytes_of_unit(unit: SizeUnit) -> int:
    """How many bytes one of them takes: what the sentences of findings tell them apart by."""
    return 1 if unit == "bytes" else 2
