"""English sentences about the index and the findings."""

from __future__ import annotations

from memtui.memory.wording.findings_catalogue import IndexWording

INDEX_EN = IndexWording(
    # In a Claude Code directory these are the client's own words: what is shown must be what is loaded.
    cut="> WARNING: MEMORY.md is {what}. Only part of it was loaded: {where}. Keep index entries to one line under "
    "~200 chars; move detail into topic files.",
    over_lines="{lines} lines (limit: {limit})",
    over_size="{size} (limit: {limit}) — index entries are too long",
    over_both="{lines} lines and {size}",
    cut_tail="{lost} of {total} lines were cut off, starting at line {first}{preview}",
    preview=' ("{line}")',
    cut_head="everything after the first {limit} characters of line 1 was cut off",
    notice="> Older memories not listed here: {n}. Their files are in this folder.",
    notice_pattern=r"> Older memories not listed here: \d+\. Their files are in this folder\.",
)
