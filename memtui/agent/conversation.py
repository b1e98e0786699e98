"""What was said, as extraction reads it: which turns count, and how a model is shown them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Protocol

from memtui.agent.extraction_words import ExtractionWords
from memtui.agent.offering import shared_terms
from memtui.memory.secrets.guard import redact
from memtui.memory.text import for_prompt

MAX_TYPED = 4_000
"""Characters of one turn of the person that the model sees (ours)."""
MAX_ASSISTANT = 1_200
"""Characters of one turn of the assistant that the model sees (ours)."""
MAX_CONVERSATION = 120_000
"""Characters of the conversation that the model sees (ours; about 30,000 tokens). The assistant's words give way first."""


class Said(Protocol):
    """One thing that was said, such as ``memtui.claude.turns.Turn``."""

    @property
    def kind(self) -> str:
        """``typed`` for a person's own word, ``assistant``; anything else is not looked at."""

    @property
    def text(self) -> str:
        """What was said."""

    @property
    def line(self) -> int:
        """Where in the transcript, counting from 1."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is to be read.

    Attributes:
        transcript: path of the file, for evidence.
        session: its id.
        turns: what was said, in order; only what was not read before.
    """

    transcript: str
    session: str
    turns: Sequence[Said]

    @property
    def typed(self) -> tuple[Said, ...]:
        """What the person said."""
        return tuple(turn for turn in self.turns if turn.kind == "typed")

    def told(self, say: ExtractionWords, *, allowed: Container[str] = frozenset()) -> str:
        """The conversation as a model sees it. Secrets go before anything is cut, so that no half of one is left.

        Args:
            say: the words that say who speaks.
            allowed: hashes of secrets that are let through.
        """
        turns = [turn for turn in self.turns if turn.kind in {"typed", "assistant"}]
        lines: dict[int, str] = {}
        left = MAX_CONVERSATION
        for kind, head, most in (
            ("typed", say.user, MAX_TYPED),
            ("assistant", say.assistant, MAX_ASSISTANT),
        ):
            for place in reversed(range(len(turns))):
                if turns[place].kind != kind:
                    continue
                shown = cut(for_prompt(redact(turns[place].text, allowed=allowed)), most)
                text = f"{head.format(line=turns[place].line)}{shown}"
                if len(text) > left:
                    break
                left -= len(text)
                lines[place] = text
        return "\n\n".join(lines[place] for place in sorted(lines))

    def rests_on(self, line: object, text: str) -> Said | None:
        """The person's turn that a memory rests on: the one it names, else the one with most words of it; None for none.

        Args:
            line: what the model says where it was; anything.
            text: the memory's own words.
        """
        typed = self.typed
        for turn in typed:
            if turn.line == line:
                return turn
        best = max(typed, key=lambda turn: shared_terms(turn.text, text), default=None)
        return best if best is not None and shared_terms(best.text, text) else None


def cut(text: str, most: int) -> str:
    """A text of so many characters at most; one that was cut ends in ``…``."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
