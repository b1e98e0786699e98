"""Deciding in the review: one item after the other, many at once, in the editor, and all of it taken back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from memtui.memory.errors import MemtuiError
from memtui.memory.managing.results import ChangeResult
from memtui.memory.review.proposals import Broken, Inbox, Proposal
from memtui.memory.review.unreviewed import OthersChange
from memtui.memory.secrets.team_guard import SecretBlocked
from memtui.tui import reviewing
from memtui.tui.editing import letting_through
from memtui.tui.messages import ChangeDone, Failed, Tell
from memtui.tui.present import review as present_review
from memtui.tui.reviewing import Decision, Item, Looked, Start, key_of
from memtui.tui.screens.letting_through import ask_about
from memtui.tui.screens.past_screen import PastScreen
from memtui.tui.setting import Setting
from memtui.tui.wording.review import NAMED_KEYS, words

if TYPE_CHECKING:
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.review.visits import Seen
    from memtui.store import Snapshot
    from memtui.tui.screens.bulk import Agreed, Choice


@dataclass
class ChangesKept(Message):
    """Changes by others count as seen now.

    Attributes:
        before: what counted as seen before.
    """

    before: Mapping[str, Seen | None]


@dataclass
class EditBegun(Message):
    """It is known where editing a proposal begins."""

    start: Start


@dataclass(frozen=True, slots=True)
class _Decided:
    """A decision that waits for the one before it to be written.

    Attributes:
        key: the item it is about.
        done: what will have been done, for the top line.
        do: the change.
        plain: the same without what is let through.
        let_through: memories of the team whose names were typed, so that they may hold what looks like a secret.
    """

    key: str
    done: str
    do: Callable[[MemoryManager], ChangeResult]
    plain: Callable[[MemoryManager], ChangeResult]
    let_through: frozenset[str] = frozenset()


class ReviewDeciding(PastScreen):
    """Mixed into the review.

    An item that was decided on leaves the list at the key, and the cursor goes to the next; the decisions are written
    one after the other behind it. Where one is refused, the list is as it is on disk again.
    """

    def __init__(self, setting: Setting, snapshot: Snapshot) -> None:
        super().__init__(setting, snapshot)
        self._words = setting.voice().with_keys(words(setting.lang), NAMED_KEYS)
        self._marked: frozenset[str] = frozenset()
        self._decided: frozenset[str] = frozenset()
        self._queue: deque[_Decided] = deque()
        self._writing: _Decided | None = None
        self._kept: list[Mapping[str, Seen | None]] = []
        self._accept_when_shown = ""
        self._done = ""
        self._at_once = 1
        self._wanted: tuple[str, ...] = ()

    # --- what the screen does ---

    @property
    def item(self) -> Item | None:
        """What the cursor is on."""
        raise NotImplementedError

    @property
    def listed(self) -> Sequence[Item]:
        """Everything that the filter lets through."""
        raise NotImplementedError

    @property
    def looked(self) -> Looked | None:
        """What is known of the item under the cursor; None while that is worked out."""
        raise NotImplementedError

    @property
    def on_screen(self) -> Looked | None:
        """The same once it stands on the screen."""
        raise NotImplementedError

    def show_list(self) -> None:
        """Bring the list up to date."""
        raise NotImplementedError

    def read_again(self) -> None:
        """Read what waits."""
        raise NotImplementedError

    def show_done(self, text: str) -> None:
        """Say in the top line what was done."""
        raise NotImplementedError

    # --- one after the other ---

    def _decide(self, item: Item, done: str, do: Callable[[MemoryManager], ChangeResult]) -> None:
        """Put a decision behind those that wait; the cursor goes on at once."""
        key = key_of(item)
        self._decided |= {key}
        self._marked -= {key}
        self._queue.append(_Decided(key, done, do, do))
        self.show_list()
        self._next()

    def _next(self) -> None:
        if self._queue and not self._busy:
            self._writing = decided = self._queue.popleft()
            self._done = decided.done
            self.change("", decided.do)

    def on_change_done(self, message: ChangeDone) -> None:
        """A decision is on disk; or what was saved in the editor, or what was taken back."""
        self._busy = False
        self._writing = None
        if message.result.record_id:
            self._kept.clear()  # undo takes the change back, not what was kept before it
        if self._done:
            self.show_done(
                present_review.done_text(self._done, message.result.slugs, self._words, items=self._at_once)
            )
            self._done, self._at_once = "", 1
        if message.verb:
            self._wanted = message.result.slugs  # undone or done again by its key: that is where one looks
        self.read_again()
        self._next()
        self.show_keys()

    def answers(self, error: MemtuiError) -> bool:
        """Whether a person is asked what to do about it here."""
        return self._writing is not None and isinstance(error, SecretBlocked)

    def on_failed(self, message: Failed) -> None:
        """A decision was refused, which the first screen says: nothing that waited behind it is done.

        Where it would give the team a secret, a person may say by its name that it is none.
        """
        super().on_failed(message)
        decided, self._writing = self._writing, None
        if decided is not None and isinstance(message.error, SecretBlocked):
            self._ask_about(message.error, decided)
        self._queue.clear()
        self._decided = frozenset()
        self._done, self._at_once = "", 1
        self.read_again()

    def _ask_about(self, error: SecretBlocked, decided: _Decided) -> None:
        def typed(slugs: frozenset[str]) -> None:
            let = decided.let_through | slugs
            self._queue.append(replace(decided, do=letting_through(decided.plain, let), let_through=let))
            self._decided |= {decided.key}
            self.show_list()
            self._next()

        ask_about(self.app, error, self.speaks, typed)

    def on_changes_kept(self, message: ChangesKept) -> None:
        """Undo puts the changes on the list again."""
        self._kept.append(message.before)
        self.show_keys()

    # --- accept, keep, reject, revert ---

    def do_accept_item(self) -> None:
        """Accept what is shown, exactly; keep what others changed. Of what is not shown yet, as soon as it is."""
        item, looked = self.item, self.on_screen
        if self._marked:
            self._decide_on(self._chosen, accept=True)
        elif isinstance(item, OthersChange):
            self._decide(item, self._words.kept, self._keeping([item]))
        elif isinstance(item, Proposal):
            if looked is None:
                self._accept_when_shown = key_of(item)
            elif looked.accepting is not None:
                identity, plan = item.id, looked.accepting
                self._decide(
                    item,
                    self._words.accepted,
                    lambda manager: Inbox(manager).accept(identity, shown=plan).change,
                )

    def forget_wish(self, item: Item | None) -> None:
        """Whoever leaves an item before it was shown does not accept it by coming back."""
        if item is None or key_of(item) != self._accept_when_shown:
            self._accept_when_shown = ""

    def accept_if_wanted(self, looked: Looked) -> None:
        """The item is shown now: accept it if that was asked for before."""
        key = key_of(looked.item)
        if self._accept_when_shown == key:
            self._accept_when_shown = ""
            self.perform("accept_item")

    def do_reject_item(self) -> None:
        """Take the proposal out; what others changed becomes what it was."""
        item = self.item
        if self._marked:
            self._decide_on(self._chosen, accept=False)
        elif isinstance(item, Proposal):
            identity = item.id
            self._decide(item, self._words.rejected, lambda manager: Inbox(manager).reject(identity))
        elif isinstance(item, Broken):
            name = item.name
            self._decide(item, self._words.rejected, lambda manager: Inbox(manager).reject(name))
        elif item is not None:
            change, unreviewed = item, self.main.unreviewed
            if unreviewed is not None:
                self._decide(
                    item,
                    self._words.reverted,
                    lambda manager: manager.carry_out(unreviewed.plan_revert([change])),
                )

    def _keeping(self, changes: Sequence[OthersChange]) -> Callable[[MemoryManager], ChangeResult]:
        return self._carrying_out(Decision(kept=tuple(changes)))

    def _carrying_out(self, decision: Decision) -> Callable[[MemoryManager], ChangeResult]:
        unreviewed = self.main.unreviewed

        def told(before: Mapping[str, Seen | None]) -> None:
            self.post_message(ChangesKept(before))

        return lambda manager: reviewing.carry_out(manager, unreviewed, decision, told)

    # --- many at once ---

    @property
    def _chosen(self) -> list[Item]:
        return [item for item in self.listed if key_of(item) in self._marked]

    def do_accept_all(self) -> None:
        """Ask, then accept everything listed."""
        self._decide_on(list(self.listed), accept=True)

    def do_reject_all(self) -> None:
        """Ask, then reject everything listed."""
        self._decide_on(list(self.listed), accept=False)

    def _decide_on(self, items: Sequence[Item], *, accept: bool) -> None:
        from memtui.tui.present.decision import decision_blocks  # noqa: PLC0415 – loaded when asked for
        from memtui.tui.screens.bulk import BulkScreen, Choice  # noqa: PLC0415 – as above

        say, lang, unreviewed = self._words, self.speaks, self.main.unreviewed

        def plan(manager: MemoryManager) -> Decision:
            if accept:
                return reviewing.plan_acceptance(manager, items)
            return reviewing.plan_rejection(manager, unreviewed, items)

        def answered(agreed: Agreed | None) -> None:
            if agreed is not None and isinstance(agreed.plan, Decision):
                self._marked = frozenset()
                self._done = say.accepted if accept else say.rejected
                self._at_once = len(items) - len(agreed.plan.left)
                self.change("", self._carrying_out(agreed.plan))

        choices: list[Choice] = [
            Choice("", "", plan, show=lambda decision: decision_blocks(decision, lang, say))
        ]
        question = (say.ask_accept if accept else say.ask_reject).format(n=len(items))
        yes = say.accept_yes if accept else say.reject_yes
        self.app.push_screen(BulkScreen(question, choices, yes=yes, lang=lang), answered)

    # --- in the editor ---

    def do_edit_item(self) -> None:
        """Open the proposed text in the editor."""
        item, manager = self.item, self.main.manager
        if isinstance(item, Proposal) and manager is not None:
            self._begin(partial(reviewing.begin_edit, manager, item))

    def do_merge_item(self) -> None:
        """Choose a memory, then go on in the editor with both texts."""
        from memtui.tui.screens.target import TargetScreen  # noqa: PLC0415 – loaded when asked for

        item, manager = self.item, self.main.manager
        if not isinstance(item, Proposal) or manager is None:
            return
        looked = self.looked
        report = looked.checks.get(item.main.slug) if looked is not None else None
        alike = [match.slug for match in report.duplicates] if report is not None else []
        active = [e for e in self._snapshot.entries if e.is_active and e.slug != item.main.slug]

        def chosen(slug: str | None) -> None:
            if slug is not None:
                self._begin(partial(reviewing.begin_merge, manager, item, slug))

        self.app.push_screen(TargetScreen(active, alike, self.speaks), chosen)

    def _begin(self, begin: Callable[[], Start]) -> None:
        find = partial(self._find_start, begin, self.app.post_message)
        self.run_worker(find, thread=True, group="begin", exclusive=True)

    def _find_start(self, begin: Callable[[], Start], tell: Tell) -> None:
        try:
            self.post_message(EditBegun(begin()))
        except MemtuiError as error:
            tell(Failed(error))

    def on_edit_begun(self, message: EditBegun) -> None:
        """Go there; what is saved there accepts the proposal."""
        from memtui.tui.screens.edit import EditScreen  # noqa: PLC0415 – loaded when asked for
        from memtui.tui.screens.edit_base import Begun  # noqa: PLC0415 – as above

        start, manager = message.start, self.main.manager
        if manager is None:
            return
        saving, verb = reviewing.accepting(start), self._words.edited
        begun = Begun(start.entry, start.typed, ask=True, saving=saving, verb=verb)
        self.app.push_screen(EditScreen(self._setting, manager, self._snapshot, begun))

    # --- undo ---

    def do_undo(self) -> None:
        """Take the last decision back: a change on disk, or what was kept since."""
        if not self._kept:
            super().do_undo()
            return
        before, unreviewed = self._kept.pop(), self.main.unreviewed

        def put_back(_: MemoryManager) -> ChangeResult:
            if unreviewed is not None:
                unreviewed.put_back(before)
            return ChangeResult("", tuple(rel.removesuffix(".md") for rel in before))

        self._decided = frozenset()
        self._done = self._words.put_back
        self._wanted = tuple(rel.removesuffix(".md") for rel in before)
        self.change("", put_back)
