"""Sentences that are English, and know how to be said in another language.

A sentence is made where it is needed, in English: a plain literal, or `Say` with a template and its values where it
names something. Either may go wherever a ``str`` goes. Whoever shows it asks for the person's language with `said`,
which looks the template up in ``wording/errors_zh/`` and fills in the values anew; a value that is itself such a
sentence is said in that language too, anything else stands as it is. Nothing else is translated: not at a ``raise``,
not in the journal, not in JSON.

So a new error is ``raise Refused(Say("the file {name} is too large", name=name), todo="Split it")`` and a row for each
of the two in the catalogue's module of that area; ``tests/unit/test_error_wording.py`` tells which are missing.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from memtui.memory.types import Lang


class Say(str):
    """An English sentence, filled in, with what it was made from.

    Attributes:
        template: the sentence with its placeholders; the key of the catalogue.
        values: what was filled in, by placeholder.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill a template in as ``str.format`` does; a brace of its own is written twice."""
        return cls.made(template.format(**values), template, values)

    @classmethod
    def made(cls, text: str, template: str, values: Mapping[str, object]) -> Self:
        """A sentence that is filled in already."""
        made = str.__new__(cls, text)
        made.template = template
        made.values = values
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """What a copy is made from."""
        return type(self).made, (str(self), self.template, dict(self.values))

    def said(self, lang: Lang) -> str:
        """The sentence in a language."""
        if lang == "en":
            return str(self)
        template = _catalogue().get(self.template, self.template)
        return template.format(**{name: _value(value, lang) for name, value in self.values.items()})


class _Plain(Say):
    """A sentence without placeholders, or one by somebody else: the system, a parser."""

    __slots__ = ()

    def said(self, lang: Lang) -> str:
        """The same in a language that has it."""
        return str(self) if lang == "en" else _catalogue().get(self.template, str(self))


class _Joined(Say):
    """Sentences or words one after the other."""

    __slots__ = ()

    def said(self, lang: Lang) -> str:
        """All of them in a language, with what that language has between them."""
        if lang == "en":
            return str(self)
        return said(self.template, lang).join(str(_value(value, lang)) for value in self.values.values())


def plain(text: str) -> Say:
    """A literal, or the words of a system or parser, as a value of another sentence; a `Say` is it already."""
    return text if isinstance(text, Say) else _Plain.made(text, text, {})


def joined(parts: Iterable[str], between: str) -> Say:
    """Several sentences or words as one.

    Args:
        parts: they.
        between: what English has between them; a row of the catalogue.
    """
    known = tuple(parts)
    return _Joined.made(between.join(known), between, {str(place): part for place, part in enumerate(known)})


def system_said(error: OSError) -> Say:
    """What the system says about its own error. Systems word it differently, so it is looked up by its name."""
    text = error.strerror or str(error)
    return _Plain.made(text, errno.errorcode.get(error.errno or 0, text), {})


def said(text: str, lang: Lang) -> str:
    """A sentence in a language: a `Say`, or a plain literal that the catalogue has; any other text as it is."""
    return str(text) if lang == "en" else plain(text).said(lang)


def _value(value: object, lang: Lang) -> object:
    return value.said(lang) if isinstance(value, Say) else value


def _catalogue() -> Mapping[str, str]:
    from memtui.memory.wording.errors_zh import CATALOGUE  # noqa: PLC0415  -- loaded by those who read it only

    return CATALOGUE
