"""What the sentences about an index and its findings are; templates are filled with ``str.format``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memtui.memory.wording.sentences import Sentences


class Count(int):
    """A number that chooses the word behind it: ``{n} {n:line|lines}``."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        """As ``int`` does it, or the first of two words for one, the second for any other number."""
        one, bar, many = spec.partition("|")
        return (one if self == 1 else many) if bar else super().__format__(spec)


class IndexWording(Sentences):
    """The lines that memtui adds to an index, or to what is loaded of one."""

    cut: str  # the warning behind a cut index; {what} is too long, {where} the cut is
    over_lines: str  # {lines}, {limit}
    over_size: str  # {size}, {limit}: with their unit
    over_both: str  # {lines}, {size}
    cut_tail: str  # {lost} of {total} lines from line {first} on, {preview} of that line
    preview: str  # {line}
    cut_head: str  # everything after the first {limit} characters of line 1
    notice: str  # the line of a rotated index; {n} memories are not listed
    notice_pattern: str  # the regular expression that knows it again


class FieldWording(NamedTuple):
    """How a finding names the field that it is in."""

    message: str  # {message} of the rule, {field}
    names: Mapping[str, str]  # by field; those that a rule's own message names are not there


class RuleWording(NamedTuple):
    """The sentences of one check."""

    title: str  # what the rule looks for, a few words
    why: str  # why it matters and what to do, one or two sentences
    message: str  # what was found; its parts are the rule's own, numbers as `Count`
    fix: str = ""  # label of the fix, where there is one

    def filled(self, parts: Mapping[str, object]) -> str:
        """The message with its parts, which must be fit to be shown."""
        return self.message.format(
            **{name: Count(part) if isinstance(part, int) else part for name, part in parts.items()}
        )
