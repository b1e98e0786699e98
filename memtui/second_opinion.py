"""A second opinion on secrets: Betterleaks, by the extra ``memtui[secrets]``. It works in this process and offline.

Its finds are marked as its own. Those it is little sure of are left out: nearly all of them are prose and names.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.errors import MissingExtra, Refused
from memtui.memory.wording.saying import Say, plain
from memtui.scanning import Opinion

NAME = "betterleaks"
_UNSURE = "low"


def second_opinion() -> tuple[str, Opinion]:
    """The other scanner, by name.

    Raises:
        MissingExtra: it is not installed.
        Refused: it does not work on this machine.
    """
    try:
        import betterleaks  # noqa: PLC0415  -- an extra
    except ModuleNotFoundError as error:
        raise MissingExtra("secrets", error) from None
    except OSError as error:  # the library it loads is for other machines
        raise _broken(error) from error

    def ask(text: str) -> Iterator[tuple[str, int, str]]:
        try:
            # It takes a text of C, which ends at a NUL, in UTF-8, which has no half characters.
            whole = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
            found = betterleaks.scan_string(whole)
        except (betterleaks.BetterleaksError, OSError, ValueError) as error:
            raise _broken(error) from error
        for each in found:
            if each.secret and each.confidence != _UNSURE:
                yield each.rule_id, each.location.start_line, each.secret

    return NAME, ask


def _broken(error: Exception) -> Refused:
    return Refused(
        Say("the second opinion ({name}) does not work here", name=NAME),
        where=type(error).__name__,
        todo=plain("Go on without --second-opinion"),
    )
