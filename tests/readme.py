"""``python -m tests.readme``: writes anew what README, manual and man page have from the program; tests hold them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import memtui
from memtui.memory.secrets.table import rules_table
from memtui.settings_schema import settings_table
from memtui.tui.actions.registry import readme_table
from tests.api_page import api_page, public_names, told_below
from tests.screenshots import readme_block

README = Path(__file__).parents[1] / "README.md"
GUIDE = README.parent / "memtui" / "guide"


def names_table() -> str:
    """The public names with the first sentence of what stands at each."""
    rows = "".join(f"| [`{name}`](api.md#{name.lower()}) | {_meaning(name)} |\n" for name in public_names())
    return f"| name | what it is |\n|---|---|\n{rows}"


def _meaning(name: str) -> str:
    """The first sentence of a name's documentation; that of a constant stands in a string below it.

    Raises:
        ValueError: there is none.
    """
    value = getattr(memtui, name)
    told = told_below(name) or getattr(value, "__doc__", None)
    if not told:
        message = f"{name} is not documented"
        raise ValueError(message)
    first = " ".join(told.split("\n\n", 1)[0].split()).replace("``", "`").replace("|", "\\|")
    return first.split(". ", 1)[0].rstrip(".")


BLOCKS: Mapping[str, Callable[[], str]] = {
    "screenshots": readme_block,
    "keys": readme_table,
    "settings": settings_table,
    "secrets": rules_table,
    "names": names_table,
    "api": api_page,
}
"""By name, what makes the text between ``<!-- name … -->`` and ``<!-- /name -->``."""


def pages() -> dict[Path, str]:
    """The README and the manual's pages, by path."""
    return {path: path.read_text(encoding="utf-8") for path in (README, *sorted(GUIDE.glob("*.md")))}


def block(name: str) -> tuple[Path, int, int]:
    """In which page a block stands, and where its text begins and ends there.

    Raises:
        ValueError: it stands nowhere, or twice.
    """
    [(path, text)] = [(path, text) for path, text in pages().items() if f"<!-- {name}" in text]
    start = text.index("-->\n", text.index(f"<!-- {name}")) + len("-->\n")
    return path, start, text.index(f"<!-- /{name} -->", start)


def renew(name: str) -> bool:
    """Write a block as the program makes it; whether anything was new."""
    path, start, end = block(name)
    text = path.read_text(encoding="utf-8")
    new = text[:start] + BLOCKS[name]() + text[end:]
    if new != text:
        path.write_text(new, encoding="utf-8")
    return new != text


def main() -> int:
    """Write them, where something is new."""
    for name in BLOCKS:
        print(f"{name}: {'written anew' if renew(name) else 'current'}")
    from tests.manual import renew_page  # noqa: PLC0415 – which has the README's path from here

    print(f"man page: {'written anew' if renew_page() else 'current'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
