"""Which folders a person may mean: a folder that cannot be read, and all files there are."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.memory.conventions import INDEX_NAME
from memtui.memory.errors import Refused, UsageError
from memtui.memory.wording.saying import Say


def refuse_unreadable(where: Path) -> None:
    """Say which folder keeps a directory from being read; one that is not there passes.

    Raises:
        Refused: the directory, or one above it, may not be read.
    """
    for folder in (*reversed(where.parents), where):
        try:
            os.stat(f"{folder}/.")  # noqa: PTH116  -- Path would drop the dot, which asks for what is in the folder
            if folder == where:
                with os.scandir(folder):
                    pass
        except PermissionError as error:
            raise Refused(
                "permission denied, so this directory cannot be read",
                where=str(folder),
                todo="Ask its owner for access, or look at its mode",
            ) from error
        except OSError:  # not there, or no folder: somebody else's sentence
            return


def same_folder(one: Path, two: Path) -> bool:
    """Whether two names lead to one folder, be it there or not."""
    return os.path.realpath(one) == os.path.realpath(two)


def refuse_everything(where: Path, home: Path) -> None:
    """Keep a slip of the hand from reading through all files there are (ours).

    Raises:
        UsageError: it is the root of the file system or the home itself, and holds no index.
    """
    real = os.path.realpath(where)
    if real not in {"/", os.path.realpath(home)} or os.path.lexists(where / INDEX_NAME):
        return
    what = Say("this is the whole file system") if real == "/" else Say("this is your home")
    raise UsageError(
        Say("{what}, not a memory directory", what=what),
        where=str(where),
        todo=Say("Name the directory itself; one that holds a {name} is always taken", name=INDEX_NAME),
    )
