"""``extract``: reads transcripts for memories and puts what it finds into the inbox; the queue of the hooks among them.

Here the transcripts (``claude``) meet who reads them (``agent``). Proposals are written first, the cursor after: what is
killed in between is read again, and nothing is proposed twice.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memtui.agent.tracker import EXTRACTION_FOLDER, ExtractionConfig, ExtractionTracker, SkipReason, open_lock
from memtui.claude.folders import certain_folders, project_roots, transcripts_in
from memtui.claude.naming import Store
from memtui.claude.paths import main_checkout, project_memory_dir, settings_at
from memtui.claude.queue import Queue, Queued
from memtui.claude.reading_state import CursorStore
from memtui.claude.receipts import Scan
from memtui.claude.transcripts import Cursor, TranscriptReader, for_the_client_alone
from memtui.claude.turns import Turn, turn_of
from memtui.cli.extract_words import ExtractWords, extract_words
from memtui.cli.model_words import model_words, tokens_said
from memtui.cli.options import directory_options, json_option, pass_session, project_option
from memtui.cli.places import NAMED_PATH
from memtui.cli.session import Session
from memtui.cli.shapes import Json
from memtui.config import load_config
from memtui.memory import frontmatter
from memtui.memory.errors import MemtuiError, Refused, UsageError

if TYPE_CHECKING:
    from memtui.agent.conversation import Conversation
    from memtui.agent.extraction import Extractor, Outcome
    from memtui.agent.llm import AnthropicModel, Usage
    from memtui.agent.offering import Offered
    from memtui.memory.manager import MemoryManager

_FAILED = 4


@dataclass(frozen=True, slots=True)
class _Read:
    """One transcript as far as it is new."""

    path: Path
    conversation: Conversation
    cursor: Cursor
    main_agent_wrote: bool


@dataclass(slots=True)
class _Run:
    """What one call of the command does, and what came of it."""

    session: Session
    config: ExtractionConfig
    model: AnthropicModel | None
    dry_run: bool
    automatic: bool
    results: list[tuple[Path, Outcome]] = field(default_factory=list)
    requests: list[Json] = field(default_factory=list)

    @property
    def say(self) -> ExtractWords:
        return extract_words(self.session.own_lang())

    @property
    def usage(self) -> Usage:
        """What the model cost so far."""
        from memtui.agent.llm import Usage  # noqa: PLC0415  -- slow to load

        return sum((outcome.usage for _, outcome in self.results), Usage())

    def read(self, manager: MemoryManager, path: Path) -> bool:
        """Read one transcript; whether it need not be read again.

        Raises:
            FileNotFoundError: it is gone.
            MemtuiError, OSError: it cannot be read, or the outcome cannot be kept.
        """
        world = self.session.world
        cursors = CursorStore(world.state_dir, manager.root)
        found = _new_in(path, cursors.get(path), manager, world.home)
        tracker = ExtractionTracker(world.state_dir, found.conversation.session, world.clock)
        if self.automatic:
            tracker.see_turns(len(found.conversation.typed))
            if found.main_agent_wrote:
                tracker.mark_main_agent_wrote()
            why = tracker.skip(self.config)
            if why is not None:
                self._skipped(path, why)
                if why == "main agent saved":
                    cursors.put(path, found.cursor)
                    tracker.reset()
                return True
        extractor = self._extractor(manager)
        if self.dry_run and self.model is not None:
            self._plan(extractor, found.conversation)
            return False
        outcome = extractor.run(found.conversation)
        self.results.append((path, outcome))
        if outcome.done and not self.dry_run:
            cursors.put(path, found.cursor)
            tracker.reset()
        return outcome.done

    def _skipped(self, path: Path, why: SkipReason) -> None:
        from memtui.agent.extraction import Outcome  # noqa: PLC0415  -- slow to load

        self.results.append((path, Outcome("skipped", why=why)))

    def _extractor(self, manager: MemoryManager) -> Extractor:
        from memtui.agent.extraction import Extractor  # noqa: PLC0415  -- slow to load

        return Extractor(
            manager,
            config=self.config,
            model=self.model,
            model_name=self.model.name if self.model else "",
            dry_run=self.dry_run,
        )

    def _plan(self, extractor: Extractor, conversation: Conversation) -> None:
        if self.model is None or not conversation.typed:
            return
        request = self.model.request(extractor.planned(conversation))
        self.requests.append({"url": request.url, "body": request.body, "redacted": request.redacted})


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
    run = _Run(session, config, _model(session, config, ask), dry_run, background)
    if run.model is not None and run.model.access.foreign_host and not dry_run:
        session.out.note(
            model_words(session.own_lang()).asked.format(
                model=run.model.name, host=run.model.access.foreign_host
            )
        )
    failed = _all(run, transcript, queue=queue)
    _print(run, as_json=as_json)
    return _FAILED if failed else 0


def _all(run: _Run, transcript: Path | None, *, queue: bool) -> bool:
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


def _queue(run: _Run) -> bool:
    """Go through the queue until nothing is in it that was not tried."""
    queue = Queue(run.session.world.state_dir)
    tried: set[str] = set()
    while waiting := [item for item in queue.pending() if item.name not in tried]:
        for item in waiting:
            tried.add(item.name)
            if _tried(run, item, Path(item.transcript_path)) and not run.dry_run:
                queue.done(item)
    return any(outcome.status == "failed" for _, outcome in run.results)


def _tried(run: _Run, where: MemoryManager | Queued, path: Path) -> bool:
    """Read one of several: what goes wrong with it is noted, and the others follow. Whether it is done with."""
    from memtui.agent.extraction import Outcome  # noqa: PLC0415  -- slow to load

    try:
        manager = _manager_for(run.session, where) if isinstance(where, Queued) else where
        return run.read(manager, path)
    except FileNotFoundError:
        return True
    except MemtuiError as error:
        run.results.append((path, Outcome("failed", error=error)))
        return not isinstance(error, Refused)


def _manager_for(session: Session, item: Queued) -> MemoryManager:
    """The memories of the project that a session worked in."""
    from memtui.memory.manager import MemoryManager  # noqa: PLC0415  -- slow to load

    world, cwd = session.world, Path(item.cwd)
    managed = world.managed() if world.managed else None
    settings = settings_at(cwd, environ=world.environ, home=world.home, managed=managed)
    where = project_memory_dir(cwd, environ=world.environ, home=world.home, settings=settings).path
    config = load_config(world.config_file, where)
    manager = MemoryManager.open(
        where,
        config.house,
        clock=world.clock,
        lang=session.own_lang(),
        actor="extraction",
        session_id=item.session_id,
        project_root=main_checkout(cwd),
        read_only=session.read_only,
    )
    manager.hindrance = config.problem
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


def _new_in(path: Path, since: Cursor | None, manager: MemoryManager, home: Path) -> _Read:
    from memtui.agent.conversation import Conversation  # noqa: PLC0415  -- slow to load

    reader = TranscriptReader(path, since, lambda data: not for_the_client_alone(data))
    scan = Scan(Store.of(manager.root, home))
    turns: list[Turn] = []
    session = ""
    for line in reader:
        scan.take(line)
        turn = turn_of(line)
        if turn is not None:
            session = session or turn.session
            if turn.kind in {"typed", "assistant"}:
                turns.append(turn)
    wrote = any(event.kind in {"written", "saved"} for event in scan.events)
    return _Read(path, Conversation(str(path), session or path.stem, tuple(turns)), reader.cursor, wrote)


@contextmanager
def _alone(run: _Run) -> Iterator[bool]:
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


def _print(run: _Run, *, as_json: bool) -> None:
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
            out.error(say.failed.format(transcript=path, reason=outcome.error.said(run.session.own_lang())))
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
