"""Wrongs that no test can see, since the program does the same with them; ``python -m tests.proof mutants`` tells them."""

from __future__ import annotations

_TEXT, _WALL = "memtui/memory/text.py", "memtui/tui/wall.py"

EQUIVALENT: dict[tuple[str, str], str] = {
    (_TEXT, "_may_be_reserved.BoolOp: not text.isascii() and _FOLDS.search(text)"): (
        "more texts are folded than need be, and the same is found in them"
    ),
    (_TEXT, "Constant: 4096"): "one more that a cache holds changes what nothing costs to work out again",
    (_TEXT, "Constant: True"): "the letters and what they look like are as many, here in the source",
    (_WALL, "_harmless.Constant: True"): "a character is shown as one character, so both are equally long",
}
"""By file, and by what is changed as `mutate.Mutant.what` says it; why nobody can see it."""
