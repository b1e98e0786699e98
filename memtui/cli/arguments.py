"""What a command line may name: a path that is not empty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


class _NamedPath(click.Path):
    """A path that has a name: an empty one comes of a variable that is not set, and would mean the folder one is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  -- click's signature
        if value == "":
            self.fail("The name is empty. Is a variable not set?", param, ctx)
        return super().convert(value, param, ctx)


NAMED_PATH = _NamedPath(path_type=Path, readable=False)
