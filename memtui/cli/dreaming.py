"""``memtui dream``: what would put the memories in order, as proposals."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from memtui.cli.dream_words import dream_cli_words
from memtui.cli.session import Session, directory_options, json_option, pass_session, project_option
from memtui.memory.errors import UsageError
from memtui.memory.saying import said

if TYPE_CHECKING:
    from memtui.agent.dream import Dreamed
    from memtui.agent.dream_rules import Suggestion
    from memtui.agent.llm import AnthropicModel
    from memtui.memory.manager import MemoryManager
    from memtui.memory.proposals import Proposal


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
    "--model",
    "ask",
    is_flag=True,
    help="Also ask the model to distil the daily logs and to find contradictions; costs tokens.",
)
@project_option
@json_option
@directory_options
@pass_session
def dream_command(
    session: Session, *, dry_run: bool, apply: bool, auto: bool, ask: bool, as_json: bool
) -> int:
    """Look for what would put the memories in order, and propose it.

    Memories that say the same, that another one gives up, or that name only what the project no longer has; days like "yesterday" that mean nothing any more; links
    to what was renamed. Each comes with its reason and the lines it rests on, and waits in the inbox until you accept it.
    """
    from memtui.agent.dream import dream, plan_dream  # noqa: PLC0415  -- the other commands need none of it

    if dry_run and apply:
        raise UsageError("--dry-run and --apply exclude each other", todo="Leave one of them out")
    manager = session.manager() if dry_run else session.changer()
    if auto and not _is_due(session, manager):
        if as_json:
            session.out.json({"due": False, "proposals": [], "applied": None})
        return 0
    zone, model = session.world.zone, _model(session) if ask else None
    if dry_run:
        done = plan_dream(manager, zone=zone, monotonic=time.monotonic, model=model)
    else:
        done = dream(manager, zone=zone, monotonic=time.monotonic, model=model, apply=apply)
    if done.failure is not None:
        session.out.error(done.failure.said(session.lang()))
    if as_json:
        session.out.json(_json(done))
    else:
        _show(session, done)
    _tell(session, done, dry_run=dry_run)
    return 0


def _model(session: Session) -> AnthropicModel:
    from memtui.agent.llm import AnthropicModel  # noqa: PLC0415  -- most dreams ask nobody

    return AnthropicModel.from_settings(session.world.environ, session.config())


def _is_due(session: Session, manager: MemoryManager) -> bool:
    from memtui.agent.dream import DREAM_HOURS, DREAM_SESSIONS, dream_due, last_dream  # noqa: PLC0415

    config = session.config()
    hours = DREAM_HOURS if config.dream_hours is None else config.dream_hours
    least = DREAM_SESSIONS if config.dream_sessions is None else config.dream_sessions
    now, last = session.world.clock(), last_dream(manager.folder)
    sessions = _sessions_since(manager, last or 0.0)
    if dream_due(now, last, sessions, hours=hours, least=least):
        return True
    waited = "∞" if last is None else max(0, int((now - last) / 3_600))
    say = dream_cli_words(session.lang())
    session.out.note(say.not_due.format(sessions=sessions, least=least, hours=waited, wanted=hours))
    return False


def _sessions_since(manager: MemoryManager, last: float) -> int:
    """Sessions since a time: of a project's store its transcripts that were written to; else those that changed a memory."""
    root = manager.root
    if root.name == "memory" and root.parent.parent.name == "projects":
        return sum(
            path.lstat().st_mtime > last for path in root.parent.glob("*.jsonl") if not path.is_symlink()
        )
    return len({record.session_id for record in manager.activity() if record.at > last and record.session_id})


def _show(session: Session, done: Dreamed) -> None:
    from memtui.memory.history import unified_diff  # noqa: PLC0415

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
