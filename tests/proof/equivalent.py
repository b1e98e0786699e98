"""Wrongs that no test can see, since the program does the same with them; ``python -m tests.proof mutants`` tells them."""

from __future__ import annotations

_TEXT, _WALL = "memtui/memory/text.py", "memtui/tui/wall.py"
_HEADERS, _EDIT = "memtui/memory/document/headers.py", "memtui/memory/document/header_edit.py"

EQUIVALENT: dict[tuple[str, str], str] = {
    (
        _TEXT,
        (
            "_may_be_reserved.BoolOp: not text.isascii() and _FOLDS.search(text)"
            ' | if "<" in text or (not text.isascii() and _FOLDS.search(text)):'
        ),
    ): "more texts are folded than need be, and the same is found in them",
    (
        _TEXT,
        "Constant: 4096 | @lru_cache(maxsize=4096)",
    ): "one more that a cache holds changes only what is worked out again",
    (
        _TEXT,
        'Constant: True | _LOOKALIKES = dict(zip("аеорсухіѕјһԁтмοριτυα", "aeopcyxisjhdtmopitua", strict=True))',
    ): "the letters and what they look like are as many, here in the source",
    (
        _WALL,
        "_harmless.Constant: True | for char, sign in zip(text, visible(text), strict=True)",
    ): "a character is shown as one character, so both are equally long",
    (
        _HEADERS,
        "items.Constant: False | block = False  # within `|` or `>`, where a `#` is text",
    ): "it is asked for behind a key only, and each key sets it",
    (
        _HEADERS,
        (
            "items.Constant: False | astray = False  # after a line that is no key: what is indented below it belongs to no key"
            " either"
        ),
    ): "it is asked for behind a key only, and each key sets it",
    (
        _HEADERS,
        'field_line.Constant: 0 | return text.count("\\n", 0, found.start) + 1 if found else None',
    ): "a header begins with a dash, so no line ends at its first character",
    (_HEADERS, "Constant: True | @dataclass(frozen=True, slots=True)"): "nobody tries to change one",
    (
        "memtui/memory/document/parse.py",
        (
            '_usual_head.Constant: 0 | return Head(*meaning, start, data.count(b"\\n", 0, start) + 1,'
            " has_header=True, problems=())"
        ),
    ): "a header begins with a dash, so no line ends at its first character",
    (
        "memtui/memory/disk/moving.py",
        "Mover.FunctionDef: rename: self.touch(old) | self.touch(old)",
    ): "both names lie in one folder, or `move` notes the other one itself",
    (
        "memtui/memory/secrets/places.py",
        'opens.Constant: 140 | found = match if match["value"] else _WORD_BEFORE.search(match.string, max(start - 140, 0), start)',
    ): "what is looked for is no longer than 131 characters",
    (
        _EDIT,
        '_only.Constant: 0 | line = text.count("\\n", 0, all_items[1].start) + 1',
    ): "a header begins with a dash, so no line ends at its first character",
}
"""By file, and by what is changed as `mutate.Mutant.what` says it; why nobody can see it."""
