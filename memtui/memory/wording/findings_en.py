"""English sentences about the index and the findings."""

from __future__ import annotations

# The cut of an index. In a Claude Code directory these words are the client's own: the text shown must be the text loaded.
CUT = "> WARNING: MEMORY.md is {what}. Only part of it was loaded: {where}. Keep index entries to one line under ~200 chars; move detail into topic files."
CUT_LINES = "{n} lines"
CUT_BOTH = "{n} lines and {size}"
CUT_OVER_LINES = "{amount} (limit: {limit})"
CUT_OVER_SIZE = "{size} (limit: {limit}) — index entries are too long"
CUT_TAIL = "{lost} of {total} lines were cut off, starting at line {first}{preview}"
CUT_PREVIEW = ' ("{line}")'
CUT_HEAD = "everything after the first {limit} characters of line 1 was cut off"

# The line that a rotated index ends with.
NOTICE = "> {n} older memories are not listed here; their files are in this folder."
NOTICE_PATTERN = r"> \d+ older memories are not listed here; their files are in this folder\."
