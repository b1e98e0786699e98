"""What is decided on the team's screen: taking or declining what others shared, and whose text stands where both changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from memtui.memory.errors import Conflict, MemtuiError, Refused
from memtui.memory.managing.results import ChangeResult
from memtui.memory.secrets.team_guard import SecretBlocked
from memtui.memory.wording.saying import system_said
from memtui.team.resolving import Decision, Side
from memtui.team.results import Arrival
from memtui.team.vet import Held
from memtui.team.wording import held_said
from memtui.tui.messages import Failed
from memtui.tui.present import team as present_team
from memtui.tui.present.conflict import Conflicting
from memtui.tui.present.conflict import Decision as Chosen
from memtui.tui.present.parts import label
from memtui.tui.present.team import Item, Tab, TeamLoaded
from memtui.tui.screens.letting_through import ask_about
from memtui.tui.screens.tabbed import Tabbed
from memtui.tui.wording import edit as edit_wording
from memtui.tui.wording.team import TeamWords

if TYPE_CHECKING:
    from memtui.memory.document.draft import Draft
    from memtui.memory.managing.manager import MemoryManager
    from memtui.tui.editing import Editing
    from memtui.tui.teaming import Teaming


@dataclass
class TeamDone(Message):
    """Something was decided.

    Attributes:
        title: what was done.
        text: about what, fit to be shown.
        declined: files below ``team/`` whose change was declined, which undo shows again.
    """

    title: str
    text: str
    declined: tuple[str, ...] = ()


@dataclass
class TeamBlocked(Message):
    """The secret guard refused what was decided.

    Attributes:
        error: what it found.
        do: what was to be done.
        let_through: memories that were let through so far.
    """

    error: SecretBlocked
    do: Callable[[Teaming], TeamDone]
    let_through: frozenset[str]


class TeamDeciding(Tabbed[Tab, Item]):
    """The actions that change something; each is done in a thread, and told by `TeamDone`."""

    _words: TeamWords
    _loaded: TeamLoaded | None
    _declined: tuple[str, ...] = ()

    @property
    def _team(self) -> Teaming | None:
        return self.main.team

    def _do(self, do: Callable[[Teaming], TeamDone], let_through: frozenset[str] = frozenset()) -> None:
        """Have something decided, in a thread.

        Args:
            do: decides it.
            let_through: memories whose names were typed, so that they may hold what looks like a secret.
        """
        team = self._team
        if team is None:
            return
        self._busy = True
        self.show_keys()
        tell = self.app.post_message

        def work() -> None:
            try:
                with team.sharing_secrets(let_through):
                    done = do(team)
            except SecretBlocked as error:
                self.post_message(TeamBlocked(error, do, let_through))
            except MemtuiError as error:
                tell(Failed(error))
            except OSError as error:
                tell(Failed(Refused(system_said(error), where=str(error.filename or ""))))
            else:
                self.post_message(done)

        self.run_worker(work, thread=True, group="change")

    def on_team_blocked(self, message: TeamBlocked) -> None:
        """It would give the team a secret: a person may say by its name that it is none."""
        self._busy = False
        self.show_keys()

        def typed(slugs: frozenset[str]) -> None:
            self._do(message.do, message.let_through | slugs)

        ask_about(self.app, message.error, self.speaks, typed)

    def do_join_team(self) -> None:
        """Show what would go out, and ask for the remote."""
        from memtui.tui.screens.team_joining import JoinScreen  # noqa: PLC0415 – loaded when asked for, not at start

        team = self._team
        if team is None:
            return

        def joined(shared: bool | None) -> None:
            if shared:
                self.post_message(TeamDone(self._words.joined, self._words.joined_note))
                self.main.follow_team()

        self.app.push_screen(JoinScreen(self._setting, team), joined)

    def do_release_held(self) -> None:
        """Ask for its name, then let it through."""
        item, said = self._list.cursor, self._words
        if not isinstance(item, Held):
            return
        held, slug = item, label(f"team/{item.rel.removesuffix('.md')}")

        def release(team: Teaming) -> TeamDone:
            team.release(held)
            return TeamDone(said.released, f"{slug}\n{said.released_note}")

        def typed(yes: bool | None) -> None:
            if yes:
                self._do(release)

        from memtui.tui.screens.typed import TypedScreen  # noqa: PLC0415 – hardly ever needed

        lines = [label(held_said(held, self.speaks)), said.release_line, said.release_audit]
        self.app.push_screen(TypedScreen(said.release_title, lines, slug, yes=said.release_yes), typed)

    def do_sync_team(self) -> None:
        """Sync without waiting."""
        if self._team is not None:
            self.main.follow_team()
            self._team.now()

    def do_accept_arrival(self) -> None:
        """Take a change by others."""
        item = self._list.cursor
        if isinstance(item, Arrival):
            self._do(partial(self._accepted, arrivals=(item,)))

    def do_accept_arrivals(self) -> None:
        """Take all, once it was said which."""
        from memtui.tui.screens.confirm import ConfirmScreen  # noqa: PLC0415 – loaded when asked for, not at start

        arrivals = present_team.plain_arrivals(self._loaded) if self._loaded is not None else ()

        def answered(yes: bool | None) -> None:
            if yes:
                self._do(partial(self._accepted, arrivals=arrivals))

        question, lines = present_team.accept_question(arrivals, self._words)
        self.app.push_screen(ConfirmScreen(question, lines, yes=self._words.accept), answered)

    def _accepted(self, team: Teaming, arrivals: tuple[Arrival, ...]) -> TeamDone:
        said = self._words
        done = team.accept(arrivals)
        lines = (
            [label(", ".join(f"team/{rel.removesuffix('.md')}" for rel in done.rels))] if done.rels else []
        )
        if done.left:
            slugs = label(", ".join(each.slug for each in done.left))
            lines.append(said.not_accepted.format(slugs=slugs))
        if done.rels:
            lines.append(said.accepted_undo)
        return TeamDone(said.accepted if done.rels else said.title, "\n".join(lines))

    def do_decline_arrival(self) -> None:
        """Leave mine as it is."""
        item, said = self._list.cursor, self._words
        if isinstance(item, Arrival):
            arrival = item

            def decline(team: Teaming) -> TeamDone:
                team.decline((arrival,))
                return TeamDone(said.declined, f"{label(arrival.slug)}\n{said.declined_note}", (arrival.rel,))

            self._do(decline)

    def do_undo(self) -> None:
        """What was declined last waits again; else the last change is taken back."""
        rels, said = self._declined, self._words
        if not rels:
            super().do_undo()
            return

        def reconsider(team: Teaming) -> TeamDone:
            team.reconsider(rels)
            return TeamDone(
                said.waits_again, label(", ".join(f"team/{rel.removesuffix('.md')}" for rel in rels))
            )

        self._do(reconsider)

    def do_choose_mine(self) -> None:
        """Mine for everybody."""
        self._decide("ours")

    def do_choose_theirs(self) -> None:
        """Theirs stays."""
        self._decide("theirs")

    def do_choose_both(self) -> None:
        """Each under its own name."""
        self._decide("both")

    def _decide(self, side: Side, text: str | None = None) -> None:
        item, said = self._list.cursor, self._words
        if isinstance(item, Decision):
            decision = item
            titles = {"ours": said.decided_ours, "theirs": said.decided_theirs, "both": said.decided_both}
            title = titles[side]

            def choose(team: Teaming) -> TeamDone:
                team.decide(decision, side, text)
                return TeamDone(said.decided_merged if text is not None else title, label(decision.slug))

            self._do(choose)

    def _compare(self, decision: Decision) -> None:
        from memtui.tui.screens.team_conflict import TeamConflictScreen  # noqa: PLC0415 – loaded when asked for

        said, sides = self._words, present_team.sides_of(decision)
        if sides is None:
            self.say(said.no_sides)
            return
        line = said.side_line
        if decision.other is not None:
            line = said.side_two.format(theirs=label(decision.slug), ours=label(decision.other))
        spoken = edit_wording.words(self._setting.lang).replaced(
            conflict_title=said.side_title, conflict_line=line
        )

        def chosen(answer: Chosen | None) -> None:
            if answer is None or self._setting.read_only:
                return
            if answer.side == "together":
                self._edit(decision, answer.draft)
            else:
                self._decide("ours" if answer.side == "mine" else "theirs")

        mine, theirs = sides
        self.app.push_screen(
            TeamConflictScreen(
                Conflicting(None, mine, theirs), spoken, read_only=self._setting.read_only, busy=self._busy
            ),
            chosen,
        )

    def _edit(self, decision: Decision, merged: Draft) -> None:
        """Go on with a merged text in the editor: it may hold two wordings that contradict each other."""
        from memtui.tui.screens.edit import EditScreen  # noqa: PLC0415 – loaded when asked for, not at start
        from memtui.tui.screens.edit_base import Begun  # noqa: PLC0415 – as above

        team, manager, said = self._team, self.main.manager, self._words
        here = {entry.slug: entry for entry in self._snapshot.entries if entry.is_active}
        entry = here.get(decision.slug) or here.get(decision.other or "")
        if team is None or manager is None or entry is None:
            self.say(said.no_sides)
            return
        typed = replace(merged, slug=entry.slug)
        begun = Begun(
            entry,
            typed,
            ask=True,
            saving=partial(_sharing, team, decision),
            verb=said.decided_merged,
        )
        self.app.push_screen(EditScreen(self._setting, manager, self._snapshot, begun))


def _sharing(
    team: Teaming, decision: Decision, manager: MemoryManager, work: Editing, draft: Draft
) -> ChangeResult:
    """What saving in the editor does: the text is the one that everybody gets."""
    del manager, work  # which text it takes the place of is the decision's to know
    text = present_team.merged_text(decision, draft)
    if text is None:
        raise Refused(
            "this is no text that can take the place of the other",
            where=decision.slug,
            todo="Both stay as they are",
        )
    try:
        team.decide(decision, "ours", text)
    except Conflict as error:
        # Saving again would not help: what was compared is not what stands there any more.
        raise Refused(error.what, where=error.where, todo=error.todo) from error
    return ChangeResult("", (decision.slug,))
