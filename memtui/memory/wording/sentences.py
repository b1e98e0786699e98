"""What a catalogue of sentences is: a class that names them, and one object of it for each language."""

from __future__ import annotations

from typing import Self, dataclass_transform


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class Sentences:
    """Sentences, each with a name; a subclass names them as a dataclass names its fields, and a type checker sees to them.

    It is no dataclass or named tuple, since both write and compile code for each class: a millisecond for ninety
    sentences, which every start of the app, and every hook, would wait for.
    """

    def __init__(self, **said: object) -> None:
        """Take every sentence.

        Raises:
            TypeError: one is missing, or has no such name.
        """
        if wrong := said.keys() ^ self.names():
            raise TypeError(f"{type(self).__name__}: {', '.join(sorted(wrong))}")
        self.__dict__.update(said)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """What the sentences are called, in order."""
        return tuple(cls.__annotations__)

    def replaced(self, **said: object) -> Self:
        """The same with some sentences changed.

        Raises:
            TypeError: one has no such name.
        """
        return type(self)(**(self.__dict__ | said))
