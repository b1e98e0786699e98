"""``copy --scope`` and ``move --scope``: memories between one's own and the team's, within one store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memtui.cli.changing import tell_change
from memtui.cli.inspecting import agreed
from memtui.cli.shapes import change_json
from memtui.cli.wording import counted
from memtui.cli.wording_scope import scope_words
from memtui.memory.errors import UsageError
from memtui.memory.secrets.team_guard import SecretBlocked, held_back, leak_said

if TYPE_CHECKING:
    from memtui.cli.session import Session
    from memtui.memory.managing.results import ChangeResult
    from memtui.memory.managing.scope_change import ScopePlan, ScopeVerb
    from memtui.memory.types import Scope


@dataclass(frozen=True, slots=True)
class Crossings:
    """What was asked for on the command line.

    Attributes:
        verb: ``copy`` or ``move``.
        scope: ``--scope``.
        slugs: the memories.
        to: ``--to``, which does not go with a scope.
        new_slug: ``--as``.
        merge: ``--merge``, which does not go with a scope either.
    """

    verb: ScopeVerb
    scope: Scope
    slugs: tuple[str, ...]
    to: str | None
    new_slug: str | None
    merge: bool = False


def cross(session: Session, asked: Crossings, *, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Show the plan, ask, and make the change, which one undo takes back.

    Raises:
        UsageError: the options do not go together, or a memory or slug is wrong.
        Refused: team memory is switched off.
        SecretBlocked: the team would get a secret.
    """
    if asked.to is not None or asked.merge:
        raise UsageError(
            "--scope stays within this store, so --to and --merge do not go with it",
            todo="Take two steps",
        )
    if asked.new_slug is not None and len(asked.slugs) != 1:
        raise UsageError("--as names one memory", todo="Transfer the others without it")
    if asked.scope == "team":
        session.require_team()
    manager = session.manager() if dry_run else session.changer()
    names = {asked.slugs[0]: asked.new_slug} if asked.new_slug is not None else {}
    plan = manager.plan_scope(asked.slugs, asked.scope, verb=asked.verb, new_slugs=names)
    _show(session, plan)
    blocked = held_back(plan.leaks, manager.shared_secrets)
    if dry_run:
        if as_json:
            session.out.json(_json(plan, None))
        return SecretBlocked.exit_code if blocked else 0
    if blocked:
        raise SecretBlocked.of(blocked)
    say = scope_words(session.lang())
    done = None
    if agreed(session, say.ask_to_copy if asked.verb == "copy" else say.ask_to_move, yes=yes):
        done = manager.carry_out(plan.plan)
    if as_json:
        session.out.json(_json(plan, done))
    elif done is not None:
        slugs = session.words().list_separator.join(each.new_slug for each in plan.crossings)
        tell_change(session, done, say.done.format(slugs=slugs), as_json=False)
        session.out.note(say.undo)
    return 0


def _show(session: Session, plan: ScopePlan) -> None:
    """The plan, on stderr."""
    out, say, separator = session.out, scope_words(session.lang()), session.words().list_separator
    heads = {
        ("copy", "team"): (say.copy_to_team_one, say.copy_to_team),
        ("move", "team"): (say.move_to_team_one, say.move_to_team),
        ("copy", "private"): (say.copy_to_own_one, say.copy_to_own),
        ("move", "private"): (say.move_to_own_one, say.move_to_own),
    }
    count = len(plan.crossings)
    out.note(counted(count, *heads[plan.verb, plan.scope]).format(count=count))
    for each in plan.crossings:
        parts = [f"{each.slug} → {each.new_slug}"]
        if each.versions:
            parts.append(
                counted(each.versions, say.old_versions_one, say.old_versions).format(count=each.versions)
            )
        if each.leads_private:
            parts.append(say.leads_private.format(slugs=separator.join(each.leads_private)))
        out.note(f"  {separator.join(parts)}")
    if plan.linking:
        out.note(f"  {say.linking.format(slugs=separator.join(plan.linking))}")
    for leak in plan.leaks:
        out.error(say.leak.format(found=leak_said(leak).said(session.lang())))


def _json(plan: ScopePlan, done: ChangeResult | None) -> dict[str, Any]:
    return {
        "verb": plan.verb,
        "scope": plan.scope,
        "memories": [
            {
                "slug": each.slug,
                "new_slug": each.new_slug,
                "versions": each.versions,
                "private_links": list(each.leads_private),
            }
            for each in plan.crossings
        ],
        "links_follow_in": list(plan.linking),
        "secrets": [
            {"path": leak.rel, "rule": leak.rule, "line": leak.line, "fingerprint": leak.fingerprint}
            for leak in plan.leaks
        ],
        "done": None if done is None else change_json(done),
    }
