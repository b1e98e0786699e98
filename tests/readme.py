"""``python -m tests.readme``: writes anew the parts of the README that are made from the program; a test holds them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from memtui.config import settings_table
from memtui.tui.actions import readme_table
from tests.screenshots import readme_block

README = Path(__file__).parents[1] / "README.md"

BLOCKS: Mapping[str, Callable[[], str]] = {
    "screenshots": readme_block,
    "keys": readme_table,
    "settings": settings_table,
}
"""By name, what makes the text between ``<!-- name … -->`` and ``<!-- /name -->``."""


def block(text: str, name: str) -> tuple[int, int]:
    """Where a block's text begins and ends.

    Raises:
        ValueError: it is not there.
    """
    start = text.index("-->\n", text.index(f"<!-- {name}")) + len("-->\n")
    return start, text.index(f"<!-- /{name} -->", start)


def renewed(text: str) -> str:
    """The README with every block as the program makes it."""
    for name, make in BLOCKS.items():
        start, end = block(text, name)
        text = text[:start] + make() + text[end:]
    return text


def main() -> int:
    """Write it, where something is new."""
    text = README.read_text(encoding="utf-8")
    new = renewed(text)
    if new != text:
        README.write_text(new, encoding="utf-8")
    print("README.md is current" if new == text else "README.md is written anew")
    return 0


if __name__ == "__main__":
    sys.exit(main())
