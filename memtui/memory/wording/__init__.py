"""Every sentence that reaches a prompt or a tool's result, one catalogue a language (spec §11).

``wording(lang)`` gives the catalogue, ``choose_lang`` the language. A template names its parts (``{days}``); both catalogues
have the same parts in every template, which a test holds.
"""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.errors import UsageError
from memtui.memory.types import Lang
from memtui.memory.wording.catalogue import Wording
from memtui.memory.wording.en import EN
from memtui.memory.wording.zh import ZH

__all__ = ["LANG_VARIABLE", "Wording", "choose_lang", "wording"]

LANG_VARIABLE = "MEMTUI_LANG"
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_CATALOGUES: dict[Lang, Wording] = {"zh": ZH, "en": EN}


def wording(lang: Lang) -> Wording:
    """The catalogue of a language."""
    return _CATALOGUES[lang]


def _named(text: str | None) -> Lang | None:
    """The language that ``zh``, ``zh_CN.UTF-8``, ``en-GB`` name; None for any other text."""
    head = (text or "").strip().lower().replace("-", "_").split("_")[0].split(".")[0]
    return "zh" if head == "zh" else "en" if head == "en" else None


def choose_lang(flag: str | None, environ: Mapping[str, str], config: str | None = None) -> Lang:
    """The language to speak: the flag, else ``MEMTUI_LANG``, else the config, else the locale (zh* → zh, otherwise en).

    A variable or config value that names neither language is passed over; the first of ``LC_ALL``, ``LC_MESSAGES`` and
    ``LANG`` that is set decides the locale, as in POSIX.

    Raises:
        UsageError: the flag names neither language.
    """
    if flag is not None:
        chosen = _named(flag)
        if chosen is None:
            raise UsageError(f"there is no language {flag!r}", where="--lang", todo="Use 'zh' or 'en'")
        return chosen
    for text in (environ.get(LANG_VARIABLE), config):
        chosen = _named(text)
        if chosen is not None:
            return chosen
    locale = next((value for name in _LOCALE_VARIABLES if (value := environ.get(name))), "")
    return _named(locale) or "en"
