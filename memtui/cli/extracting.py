"""``extract``: reads transcripts for memories and puts what it finds into the inbox; the queue of the hooks among them.

Here it is said which transcripts; `extract_run.Run` reads each.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memtui.agent.tracker import EXTRACTION_FOLDER, ExtractionConfig, open_lock
from memtui.claude.folders import certain_folders, project_roots, transcripts_in
from memtui.claude.paths import main_checkout, project_memory_dir, settings_at
from memtui.claude.queue import Queue, Queued
from memtui.claude.reading_state import CursorStore
from memtui.cli.arguments import NAMED_PATH
from memtui.cli.extract_run import Run
from memtui.cli.model_words import model_words, tokens_said
from memtui.cli.options import directory_options, json_option, pass_session, project_option
from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.config import load_config
from memtui.memory.disk.images import Unreadable
from memtui.memory.document import frontmatter
from memtui.memory.errors import MemtuiError, Refused, UsageError

if TYPE_CHECKING:
    from memtui.agent.extraction import Outcome
    from memtui.agent.llm import AnthropicModel
    from memtui.agent.offering import Offered
    from memtui.memory.managing.manager import MemoryManager

_FAILED = 4


@click.command("extract")
@click.option("--session", "transcript", type=NAMED_PATH, metavar="FILE", help="Read this transcript.")
@click.option("--new", is_flag=True, help="Read what is new in the project's transcripts.  [default]")
@click.option("--queue", is_flag=True, help="Read the sessions that the hooks noted, of all projects.")
@click.option(
    "--model/--offline",
    "ask",
    default=None,
    help="Let the model read, which costs tokens; or the rules.  [default: the model only if EXTRACT_MEMORY_ENABLED or"
    " 'use_model' is true and there is a key]",
)
@click.option("--dry-run", is_flag=True, help="Write nothing; with a model print what it would be sent.")
@click.option("--background", is_flag=True, hidden=True)
@json_option
@project_option
@directory_options
@pass_session
def extract_command(
    session: Session,
    *,
    transcript: Path | None,
    new: bool,
    queue: bool,
    ask: bool | None,
    dry_run: bool,
    background: bool,
    as_json: bool,
) -> int:
    """Find what is worth keeping in transcripts, and propose it.

    Only what a person typed counts. Proposals wait in the inbox until somebody accepts them. A second run finds nothing
    new.
    """
    if (transcript is not None) + new + queue > 1:
        raise UsageError("--session, --new and --queue exclude each other", todo="Give one")
    config = ExtractionConfig.from_environ(session.world.environ)
    if background and not config.enabled:
        return 0
    for problem in config.problems:
        session.out.error(problem.said(session.own_lang()))
    run = Run(session, config, _model(session, config, ask), dry_run, background)
    if run.model is not None and run.model.access.foreign_host and not dry_run:
        session.out.note(
            model_words(session.own_lang()).asked.format(
                model=run.model.name, host=run.model.access.foreign_host
            )
        )
    failed = _all(run, transcript, queue=queue)
    _print(run, as_json=as_json)
    return _FAILED if failed else 0


def _all(run: Run, transcript: Path | None, *, queue: bool) -> bool:
    """Read what was asked for; whether something failed."""
    session = run.session
    with _alone(run) as alone:
        if not alone:
            if run.automatic:
                return False  # who is at it looks at the queue again
            raise Refused("another extraction is running", todo="Try again later")
        if queue:
            return _queue(run)
        if run.dry_run:
            session.creating = True
            manager = session.manager()
        else:
            manager = session.changer(create=True)
        manager.actor = "extraction"
        if transcript is not None:
            path = session.path(transcript)
            try:
                run.read(manager, path)
            except FileNotFoundError:
                raise UsageError("there is no such file", where=str(path)) from None
        else:
            for path in _unread(session, manager):
                _tried(run, manager, path)
    return any(outcome.status == "failed" for _, outcome in run.results)


def _queue(run: Run) -> bool:
    """Go through the queue until nothing is in it that was not tried."""
    queue = Queue(run.session.world.state_dir)
    tried: set[str] = set()
    while waiting := [item for item in queue.pending() if item.name not in tried]:
        for item in waiting:
            tried.add(item.name)
            if _tried(run, item, Path(item.transcript_path)) and not run.dry_run:
                queue.done(item)
    return any(outcome.status == "failed" for _, outcome in run.results)


def _tried(run: Run, where: MemoryManager | Queued, path: Path) -> bool:
    """Read one of several: what goes wrong with it is noted, and the others follow. Whether it is done with."""
    from memtui.agent.extraction import Outcome  # noqa: PLC0415  -- slow to load

    try:
        manager = _manager_for(run.session, where) if isinstance(where, Queued) else where
        return run.read(manager, path)
    except FileNotFoundError:
        return True
    except MemtuiError as error:
        run.results.append((path, Outcome("failed", error=error)))
        if isinstance(error, Unreadable) and error.code == "not-regular" and error.where == str(path):
            if isinstance(where, Queued) and not run.dry_run:
                run.dropped.add(
                    path
                )  # a pipe or a device never becomes a transcript: said now, and not every day
            return True
        return not isinstance(error, Refused)


def _manager_for(session: Session, item: Queued) -> MemoryManager:
    """The memories of the project that a session worked in."""
    world, cwd = session.world, Path(item.cwd)
    managed = world.managed() if world.managed else None
    settings = settings_at(cwd, environ=world.environ, home=world.home, managed=managed)
    where = project_memory_dir(cwd, environ=world.environ, home=world.home, settings=settings).path
    config = load_config(world.config_file, where)
    manager = session.opened(where, config, project_root=main_checkout(cwd), lang=session.own_lang())
    manager.actor, manager.session_id = "extraction", item.session_id
    return manager


def _unread(session: Session, manager: MemoryManager) -> list[Path]:
    """The project's transcripts with something new in them, oldest first; subagents' are left out."""
    world = session.world
    roots = project_roots(manager.root, environ=world.environ, home=world.home)
    folders, _ = certain_folders(manager.root, roots, session.project_root() or world.cwd)
    cursors = CursorStore(world.state_dir, manager.root)
    found: dict[Path, float] = {}
    for folder in folders:
        for file in transcripts_in(folder, agents=False):
            known = cursors.get(file.path)
            if not file.agent and (known is None or (known.offset, known.ino) != (file.size, file.ino)):
                found[file.path] = file.mtime
    return sorted(found, key=lambda path: (found[path], str(path)))


@contextmanager
def _alone(run: Run) -> Iterator[bool]:
    """Whether nobody else extracts meanwhile; a lock of the system, which goes with its process."""
    if run.dry_run:
        yield True
        return
    folder = run.session.world.state_dir / EXTRACTION_FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_lock(folder / ".lock") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _model(session: Session, config: ExtractionConfig, ask: bool | None) -> AnthropicModel | None:
    """Who reads: the model on demand, or where a setting and a key say so; None for the rules."""
    if ask is False:
        return None
    settings = load_config(session.world.config_file, None)
    if not (ask or config.enabled or settings.use_model):
        return None
    from memtui.agent.llm import AnthropicModel  # noqa: PLC0415  -- most ask nobody

    model = AnthropicModel.from_settings(session.world.environ, settings, allowed=session.allowed_secrets())
    if ask:
        model.access.check()
        return model
    return model if model.access.has_key else None


# -- saying what came of it --------------------------------------------------------------------------------------------


def _print(run: Run, *, as_json: bool) -> None:
    out, say = run.session.out, run.say
    if run.dry_run and run.model is not None:
        out.json(run.requests)
        out.note(model_words(run.session.own_lang()).dry)
        return
    if as_json:
        out.json([_outcome_json(path, outcome) for path, outcome in run.results])
        return
    new = 0
    for path, outcome in run.results:
        for each in outcome.new:
            new += 1
            template = say.would if run.dry_run else say.saved if each.status == "saved" else say.proposed
            out.line(template.format(slug=each.slug, description=_description(each)))
            for evidence in each.proposal.evidence if each.proposal else ():
                out.line(f"  “{evidence.quote}”  {path.name}:{evidence.line}", "dim")
        if outcome.why is not None:
            why = {"disabled": say.disabled, "throttled": say.throttled}.get(
                outcome.why, say.main_agent_saved
            )
            out.note(say.skipped.format(transcript=path, why=why))
        if outcome.refused:
            out.error(say.refused.format(transcript=path, names=", ".join(outcome.refused)))
        if outcome.error is not None:
            template = say.dropped if path in run.dropped else say.failed
            out.error(template.format(transcript=path, reason=outcome.error.said(run.session.own_lang())))
    template = (
        say.nothing
        if not new
        else say.dry_done
        if run.dry_run
        else say.done
        if run.config.review
        else say.done_saved
    )
    out.note(template.format(count=len(run.results), new=new))
    told = tokens_said(run.usage, run.session.own_lang())
    if told:
        out.note(told)


def _description(each: Offered) -> str:
    text = each.proposal.main.text if each.proposal else None
    return frontmatter.read((text or "").encode("utf-8")).description or ""


def _outcome_json(path: Path, outcome: Outcome) -> Json:
    """One transcript; ``status`` is ``extracted``, ``nothing``, ``skipped`` or ``failed``."""
    found: list[dict[str, Any]] = [
        {
            "status": each.status,
            "slug": each.slug,
            "id": each.proposal.id if each.proposal else None,
            "kind": each.proposal.kind if each.proposal else None,
            "text": each.proposal.main.text if each.proposal else None,
            "evidence": [
                {"line": evidence.line, "quote": evidence.quote}
                for evidence in (each.proposal.evidence if each.proposal else ())
            ],
        }
        for each in outcome.offered
    ]
    return {
        "transcript": str(path),
        "status": outcome.status,
        "by": outcome.by or None,
        "why": outcome.why,
        "error": str(outcome.error) if outcome.error else None,
        "steps": outcome.steps,
        "tokens": {"input": outcome.usage.input_tokens, "output": outcome.usage.output_tokens},
        "refused": list(outcome.refused),
        "found": found,
    }
