"""``memtui dream``: what would put the memories in order, as proposals."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from memtui.cli.dream_words import dream_cli_words
from memtui.cli.model_words import model_words, tokens_said
from memtui.cli.options import directory_options, json_option, pass_session, project_option
from memtui.cli.session import Session
from memtui.memory.errors import Busy, UsageError
from memtui.memory.wording.saying import said

if TYPE_CHECKING:
    from memtui.agent.dream import Dreamed
    from memtui.agent.dream_suggestion import Suggestion
    from memtui.agent.llm import AnthropicModel
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.review.proposals import Proposal


@click.command("dream")
@click.option("--dry-run", is_flag=True, help="Show what would be proposed, and write nothing.")
@click.option(
    "--apply", is_flag=True, help="Accept all of it without review, as one change that one undo takes back."
)
@click.option(
    "--auto",
    is_flag=True,
    help="Do it only if enough time has passed and enough sessions came since the last.",
)
@click.option(
    "--model/--offline",
    "ask",
    default=None,
    help="Also ask the model to distil the daily logs and to find contradictions, which costs tokens; or nobody."
    "  [default: the model only if 'use_model' is true and there is a key]",
)
@click.option("--background", is_flag=True, hidden=True)
@project_option
@json_option
@directory_options
@pass_session
def dream_command(
    session: Session,
    *,
    dry_run: bool,
    apply: bool,
    auto: bool,
    ask: bool | None,
    background: bool,
    as_json: bool,
) -> int:
    """Look for what would put the memories in order, and propose it.

    Memories that say the same, that another one gives up, or that name only what the project no longer has; days like "yesterday" that mean nothing any more; links
    to what was renamed. Each comes with its reason and the lines it rests on, and waits in the inbox until you accept it.
    """
    from memtui.agent.dream import dream, plan_dream  # noqa: PLC0415  -- the other commands need none of it

    if dry_run and apply:
        raise UsageError("--dry-run and --apply exclude each other", todo="Leave one of them out")
    if auto and not is_due(session, tell=True):
        return _not_due(session, as_json=as_json)
    manager = session.manager() if dry_run else session.changer()
    zone, model = session.world.zone, _model(session, ask)
    if dry_run and model is not None:
        _dry_run(session, manager, model)
        return 0
    if model is not None and model.access.foreign_host:
        say = model_words(session.lang())
        session.out.note(say.asked.format(model=model.name, host=model.access.foreign_host))
    done: Dreamed | None
    if dry_run:
        done = plan_dream(manager, zone=zone, monotonic=time.monotonic)
    else:
        due = (lambda: is_due(session, tell=True)) if auto else None
        try:
            done = dream(manager, zone=zone, monotonic=time.monotonic, model=model, apply=apply, due=due)
        except Busy:
            if not background:
                raise
            return 0  # that one does it
    if done is None:
        return _not_due(session, as_json=as_json)
    if done.failure is not None:
        session.out.error(done.failure.said(session.lang()))
    if as_json:
        session.out.json(_json(done))
    else:
        _show(session, done)
    _tell(session, done, dry_run=dry_run)
    return 0


def _not_due(session: Session, *, as_json: bool) -> int:
    if as_json:
        session.out.json(
            {"due": False, "proposals": [], "applied": None, "tokens": {"input": 0, "output": 0}}
        )
    return 0


def _model(session: Session, ask: bool | None) -> AnthropicModel | None:
    """Who is asked: the model on demand, or where a setting and a key say so; None for nobody."""
    if ask is False or not (ask or session.config().use_model):
        return None
    from memtui.agent.llm import AnthropicModel  # noqa: PLC0415  -- most dreams ask nobody

    model = AnthropicModel.from_settings(
        session.world.environ, session.config(), allowed=session.allowed_secrets()
    )
    return model if ask or model.access.has_key else None


def _dry_run(session: Session, manager: MemoryManager, model: AnthropicModel) -> None:
    """Print what the model would be sent."""
    from memtui.agent.dream import planned_request  # noqa: PLC0415  -- as above

    request = planned_request(manager, model, zone=session.world.zone)
    if request is None:
        session.out.note(dream_cli_words(session.lang()).dry_nothing)
        return
    session.out.json({"url": request.url, "body": request.body, "redacted": request.redacted})
    session.out.note(model_words(session.lang()).dry)


def is_due(session: Session, *, tell: bool = False) -> bool:
    """Whether the directory is due for a dream that nobody asked for.

    Args:
        session: what the command works on.
        tell: whether to say what is missing.
    """
    from memtui.agent.dream_gate import Gate, dream_state  # noqa: PLC0415
    from memtui.memory.disk.files import Folder  # noqa: PLC0415

    gate, now = Gate.of(session.config()), session.world.clock()
    last = dream_state(Folder(session.memory_dir())).last
    if not (tell or gate.waited(now, last)):
        return False
    sessions = _sessions_since(session, last)
    if gate.is_open(now, last, sessions):
        return True
    if tell:
        waited = "∞" if last is None else max(0, int((now - last) / 3_600))
        say = dream_cli_words(session.lang()).not_due
        note = say.format(sessions=sessions, least=gate.sessions, hours=waited, wanted=gate.hours)
        session.out.note(note)
    return False


def _sessions_since(session: Session, last: float | None) -> int:
    """Sessions since a time: the project's that were written to; where no project is known, those that changed a memory."""
    from memtui.claude.folders import certain_folders, project_roots  # noqa: PLC0415
    from memtui.claude.paths import store_folder  # noqa: PLC0415
    from memtui.cli.behind import sessions_since  # noqa: PLC0415

    world, root = session.world, session.memory_dir()
    roots = project_roots(root, environ=world.environ, home=world.home)
    folders, _ = certain_folders(root, roots, session.project or world.cwd)
    project = session.project_root()
    if project is not None:
        folders |= {store_folder(each, project) for each in roots}
    if folders:
        return sessions_since(folders, last)
    records = session.manager().activity()
    return len({record.session_id for record in records if record.at > (last or 0.0) and record.session_id})


def _show(session: Session, done: Dreamed) -> None:
    from memtui.memory.versions.history import unified_diff  # noqa: PLC0415

    say, out = dream_cli_words(session.lang()), session.out
    for made, proposal, before in zip(done.suggestions, done.proposals, done.before, strict=True):
        out.line(f"{say.kinds[made.kind]} {session.words().list_separator.join(made.slugs)}", "bold")
        out.line(f"  {made.reason}")
        for passage in made.passages:
            out.line(f"  {passage.rel}:{passage.line}  {passage.quote}", "dim")
        if proposal.main.text is not None:
            rel = f"{proposal.main.slug}.md"
            old = before.decode("utf-8", "surrogateescape")
            out.diff(unified_diff(old, proposal.main.text, old_name=rel, new_name=rel))


def _tell(session: Session, done: Dreamed, *, dry_run: bool) -> None:
    say, note = dream_cli_words(session.lang()), session.out.note
    told = tokens_said(done.usage, session.lang())
    if told:
        note(told)
    count = len(done.proposals)
    if not count:
        note(say.nothing)
    elif dry_run:
        note(say.would.format(count=count))
    elif done.accepted is None:
        sentence = say.added if done.added else say.all_known
        note(sentence.format(count=count, added=len(done.added)))
    else:
        note(say.applied.format(count=len(done.accepted.ids)))
        slugs = {proposal.id: ", ".join(proposal.slugs) for proposal in done.proposals}
        for left in done.accepted.left:
            why = said(left.error.sentence, session.lang())
            note(say.left.format(slugs=slugs.get(left.id, left.id), why=why))


def _json(done: Dreamed) -> dict[str, object]:
    pairs = zip(done.suggestions, done.proposals, strict=True)
    accepted = done.accepted
    return {
        "due": True,
        "proposals": [_one(made, proposal, new=proposal.id in done.added) for made, proposal in pairs],
        "applied": None if accepted is None else list(accepted.ids),
        "tokens": {"input": done.usage.input_tokens, "output": done.usage.output_tokens},
    }


def _one(made: Suggestion, proposal: Proposal, *, new: bool) -> dict[str, object]:
    return {
        "id": proposal.id,
        "kind": made.kind,
        "rule": made.rule,
        "slugs": list(made.slugs),
        "reason": made.reason,
        "evidence": [{"path": each.rel, "line": each.line, "quote": each.quote} for each in made.passages],
        "text": proposal.main.text,
        "new": new,
    }
