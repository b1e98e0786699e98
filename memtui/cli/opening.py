"""Opening the app, which is what most people start memtui for: by what is needed for it, and not by a command line's parser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from memtui.cli.places import refuse_unreadable
from memtui.cli.session import Session
from memtui.cli.wording import words
from memtui.memory.wording.saying import said


def open_directory(session: Session, directory: Path | None) -> int:
    """Open the app on a directory, or on the memories of the project one is in.

    Args:
        session: what was asked for.
        directory: which; that of ``--dir``, or the project's, when None.
    """
    if directory is not None:
        session.directory = directory
    if session.directory is not None:
        return launch(session)
    session.creating = True  # a first memory, or an old store taken over, makes it
    greeting = _stand_in(session)
    return launch(session, greeting=greeting, stands_in=session.directory is not None)


def _stand_in(session: Session) -> str:
    """Turn to the store that holds the project's memories where the one in force is not there; what to say of it.

    Where none does, the app opens on the one in force, which the first memory makes.
    """
    first = session.candidates()[0]
    if first.exists:
        return ""
    refuse_unreadable(first.path)
    found = session.survey()
    other = found.stand_in
    if other is None:
        looked = session.candidates()
        if len(looked) == 1:  # which the empty list names
            return ""
        lang = session.own_lang()
        places = "".join(f"\n{place.path} ({said(place.rule, lang)})" for place in looked)
        return words(lang).nothing_yet.format(places=places)
    session.directory = other.path
    session.project = session.project or found.root
    lang = session.own_lang()
    return words(lang).stand_in.format(path=first.path, other=other.path, rule=other.rule(lang))


def launch(
    session: Session,
    *,
    greeting: str = "",
    stands_in: bool = False,
    keeping: bool = True,
    state: Path | None = None,
) -> int:
    """Run the app until the person leaves.

    Args:
        session: what it works on.
        greeting: what it says first.
        stands_in: whether the store is another one than that in force.
        keeping: whether what the person chooses in the app is kept for the next run.
        state: a state folder that goes with the directory; None for the person's own.
    """
    from memtui.launching import Launch  # noqa: PLC0415 – no other command needs it

    world, root = session.world, session.project_root()
    say = session.words()

    def switched_off(directory: Path, project: Path | None) -> str:
        switch = session.switched_off(project, directory)
        return say.auto_memory_off.format(rule=switch.said(session.lang())) if switch is not None else ""

    off = say.not_in_force if stands_in else ""
    switch = session.switched_off(root)
    if keeping:
        _dream_behind(session, root)
    if switch is not None:
        off = greeting = say.auto_memory_off.format(rule=switch.said(session.lang()))
    return world.launch(
        Launch(
            memory_dir=session.memory_dir(),
            environ=world.environ,
            convention=session.house(),
            lang=session.lang(),
            clock=world.clock,
            ascii_mode=session.ascii_mode,
            read_only=session.read_only,
            project_root=root,
            config=session.config(),
            off=off,
            off_of=switched_off,
            greeting=greeting,
            choices=world.state_dir if keeping else None,
            state=state,
        )
    )


def _dream_behind(session: Session, project: Path | None) -> None:
    """Start a dream if the person has switched that on and the directory is due; the app shows what comes of it."""
    behind = session.world.behind
    if (
        behind is None
        or session.read_only
        or not session.config().auto_dream
        or not session.memory_dir().is_dir()
    ):
        return
    from memtui.cli.behind import dream_words  # noqa: PLC0415  -- most people have it switched off
    from memtui.cli.dreaming import is_due  # noqa: PLC0415  -- as above

    if is_due(session):
        with suppress(OSError):  # it can be done another time
            behind(dream_words(session.memory_dir(), project))
