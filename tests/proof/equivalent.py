"""Wrongs that no test can see, since the program does the same with them; ``python -m tests.proof mutants`` tells them."""

from __future__ import annotations

EQUIVALENT: dict[tuple[str, str], str] = {}
"""By file, and by what is changed as `mutate.Mutant.what` says it; why nobody can see it."""
