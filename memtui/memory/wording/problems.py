"""What a problem of a file says, in either language."""

from __future__ import annotations

import re

from memtui.memory.types import Lang
from memtui.memory.wording.problems_zh import PROBLEMS_ZH

_QUOTED = re.compile(r"'(.*)'(?= )")


def problem_message(code: str, message: str, lang: Lang) -> str:
    """The sentence of a ``Problem``.

    Args:
        code: its code.
        message: its English sentence, which stands where a language has none for the code.
        lang: the language wanted.
    """
    if lang == "en" or code not in PROBLEMS_ZH:
        return message
    sentence = PROBLEMS_ZH[code]
    if "{key}" not in sentence:
        return sentence
    quoted = _QUOTED.search(message.partition(" has a ' #'")[0] + " ")
    return sentence.replace("{key}", quoted[1] if quoted else "…")
