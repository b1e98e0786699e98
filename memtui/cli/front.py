"""Where a command line comes in: a directory or nothing opens the app at once, and all else is click's to read.

Loading click takes a tenth of the time to the first paint, for a line that has no option to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memtui.cli.commands import COMMANDS, COMPLETE_VARIABLE, is_directory
from memtui.cli.ending import ended
from memtui.cli.output import standard_streams
from memtui.cli.session import Session, World


def run(argv: Sequence[str], world: World) -> int:
    """Run one command line.

    Args:
        argv: the arguments, without the program's name.
        world: what the command takes from the process.

    Returns:
        The exit code.
    """
    with standard_streams(world.environ) as out:
        session = Session(world, out)
        return ended(argv, session, lambda: _run(argv, session))


def _run(argv: Sequence[str], session: Session) -> int:
    named = argv[0] if argv else None
    if COMPLETE_VARIABLE not in session.world.environ and (
        named is None or (len(argv) == 1 and named not in COMMANDS and is_directory(named, session))
    ):
        from memtui.cli.opening import open_directory  # noqa: PLC0415 – no command needs it

        return open_directory(session, Path(named) if named is not None else None)
    from memtui.cli.app import dispatch  # noqa: PLC0415 – see above

    return dispatch(argv, session)
