"""The threads behind the screens: they follow the directory, make changes and sync with the team, and post messages.

No thread touches a widget; what it has to tell goes to every screen on the stack that wants it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.memory.errors import MemtuiError, Refused
from memtui.memory.text import visible
from memtui.memory.wording.saying import Say, said, system_said
from memtui.tui.app_lookups import LookingApp
from memtui.tui.messages import (
    ChangeDone,
    ChangeWanted,
    DraftsChanged,
    DraftsKnown,
    Failed,
    Faulted,
    Recovered,
    SnapshotArrived,
    TeamKnown,
    TeamTold,
    Undoable,
)
from memtui.tui.present.parts import short_path
from memtui.tui.warming import AFTER_SECONDS, load_doors

if TYPE_CHECKING:
    from memtui.memory.live.drafts import SavedDraft
    from memtui.memory.managing.manager import MemoryManager
    from memtui.memory.review.unreviewed import Unreviewed
    from memtui.store import MemoryStore, Snapshot
    from memtui.tui.teaming import Teaming


class Opened(NamedTuple):
    """A directory that was opened.

    Attributes:
        store: watches it.
        manager: changes it.
        unreviewed: knows what others changed since the person last looked; None where that is not kept.
        team: makes what shares it with a team; None where nothing is kept of that.
        joined: whether it is shared with one, so that it is synced from the start.
    """

    store: MemoryStore
    manager: MemoryManager
    unreviewed: Unreviewed | None = None
    team: Callable[[], Teaming] | None = None
    joined: bool = False


FOLLOW_AGAIN_AFTER = 1.0
"""Seconds after which a directory is followed again when following it failed (ours)."""


class FollowingApp(LookingApp):
    """Follows one directory, and does in threads what takes time.

    Attributes:
        manager: changes it.
        store: watches it.
        unreviewed: knows what others changed.
        team: syncs what is shared; None where nothing is.
        undoable: what undo and redo would do.
        drafts: text that was typed and not saved.
        made_elsewhere: the directory in which the last change was made, fit to be shown, if that was not this one.
    """

    manager: MemoryManager | None
    store: MemoryStore | None
    unreviewed: Unreviewed | None
    team: Teaming | None
    undoable: Undoable
    drafts: tuple[SavedDraft, ...]
    made_elsewhere: str = ""
    _make_team: Callable[[], Teaming] | None
    _following_team: bool
    _opening: Callable[[], Opened]
    _loaded: Callable[[], None] | None
    _all_checked: bool

    def _survive(self, error: BaseException) -> None:
        """Report a mistake of memtui's own, and go on."""
        raise NotImplementedError

    # --- threads: they touch no widget, they post messages ---

    def _follow(self) -> None:
        """Read the directory, and follow it until the app ends."""
        store, manager, self.unreviewed, self._make_team, joined = self._opening()
        self.store, self.manager = store, manager
        self._look(store, manager)
        self._recover(store, manager)
        self._look_for_drafts(manager, tell=True)
        if joined:
            self.call_later(self.follow_team)
        while not self._stop.is_set():
            try:
                store.watch(self._stop, lambda snapshot: self._publish(snapshot, manager))
            except Exception as error:  # noqa: BLE001  -- a mistake of ours must not leave a list that stands still
                self.post_message(Faulted(error))
                if self._stop.wait(FOLLOW_AGAIN_AFTER):
                    return
                self._look(store, manager)
            else:
                return

    def on_faulted(self, message: Faulted) -> None:
        """Report a mistake in a thread that goes on."""
        self._survive(message.error)

    def _recover(self, store: MemoryStore, manager: MemoryManager) -> None:
        """Finish or take back what a crash interrupted."""
        try:
            done = manager.recover()
        except MemtuiError as error:
            self.post_message(Failed(error))
        else:
            if done:
                self.post_message(Recovered(done))
                self._look(store, manager)

    def _look_for_drafts(self, manager: MemoryManager, *, tell: bool = False) -> None:
        from memtui.memory.live.drafts import Drafts  # noqa: PLC0415 – loaded behind the first paint

        if not self._setting.read_only:  # where nothing can be written, nothing can be gone on with
            self.post_message(DraftsKnown(Drafts(manager.folder, self._setting.clock).all(), tell=tell))

    def _look(self, store: MemoryStore, manager: MemoryManager) -> None:
        try:
            self._publish(store.refresh(), manager)
        except MemtuiError as error:
            self.post_message(Failed(error))

    def _publish(self, snapshot: Snapshot, manager: MemoryManager) -> None:
        self.post_message(SnapshotArrived(snapshot))
        try:
            undo, redo = manager.undoable(), manager.redoable()
        except MemtuiError:  # whoever presses undo is told; a directory can be followed without its journal
            undo = redo = None
        self.post_message(Undoable(undo.label if undo else None, redo.label if redo else None))

    def _change(self, wanted: ChangeWanted, store: MemoryStore, manager: MemoryManager) -> None:
        try:
            result = wanted.do(manager)
        except MemtuiError as error:
            self.post_message(Failed(error))
        except OSError as error:
            self.post_message(
                Failed(
                    Refused(
                        Say("the system said no: {reason}", reason=system_said(error)),
                        where=str(error.filename),
                    )
                )
            )
        else:
            self.post_message(ChangeDone(result, wanted.verb))
        # The watcher tells of our own changes as of anybody's; where it can only poll, this look is sooner.
        self._look(store, manager)

    # --- messages ---

    def on_change_wanted(self, message: ChangeWanted) -> None:
        """Let a thread make the change."""
        if self.store is not None and self.manager is not None:
            self.run_worker(
                partial(self._change, message, self.store, self.manager), thread=True, group="change"
            )

    def on_snapshot_arrived(self, message: SnapshotArrived) -> None:
        """Pass the directory's new state on to every screen that shows it."""
        first = self.snapshot is None
        self.snapshot = message.snapshot
        self._pass_on(message)
        if self.team is not None:
            self.team.seen(message.snapshot)
        if first:
            self._ask_for_usage()
            self.set_timer(AFTER_SECONDS, self._load_doors)
        if not self._all_checked and not message.snapshot.findings_pending:
            self._all_checked = True
            if self._loaded is not None:
                self._loaded()

    def _load_doors(self) -> None:
        """Have the screens loaded that the next key may open."""
        self.run_worker(load_doors, thread=True, group="doors")

    def on_undoable(self, message: Undoable) -> None:
        """Keep it for screens to come, and pass it on."""
        self.undoable = message
        self._pass_on(message)

    def on_drafts_changed(self, message: DraftsChanged) -> None:
        """Let a thread see what is unsaved by now."""
        del message
        if self.manager is not None:
            self.run_worker(partial(self._look_for_drafts, self.manager), thread=True, group="drafts")

    def on_drafts_known(self, message: DraftsKnown) -> None:
        """Keep it for screens to come, and pass it on."""
        self.drafts = message.found
        self._pass_on(message)

    def on_change_done(self, message: ChangeDone) -> None:
        """Pass it on; note where it was made, for an undo here would take back something else."""
        result = message.result
        where = result.elsewhere if not result.record_id else ""
        self.made_elsewhere = visible(short_path(Path(where), self._setting.home)) if where else ""
        self._pass_on(message)

    # --- the team ---

    @property
    def shares(self) -> bool:
        """Whether a directory can be shared with a team at all; not yet known counts as yes."""
        return self.store is None or self._make_team is not None

    def follow_team(self) -> None:
        """Let a thread sync what is shared with a team, unless one does, or nothing is."""
        if self._make_team is not None and not self._following_team:
            self._following_team = True
            self.run_worker(partial(self._sync_team, self._make_team), thread=True, group="watch")

    def _sync_team(self, make: Callable[[], Teaming]) -> None:
        try:
            if self.team is None:
                self.team = make()
            if not self._stop.is_set():
                self.team.run(self.post_message)
        except MemtuiError as error:
            self.post_message(Failed(error))
        finally:
            self._following_team = False

    def on_team_known(self, message: TeamKnown) -> None:
        """Pass it on."""
        self._pass_on(message)

    def on_team_told(self, message: TeamTold) -> None:
        """Say what a sync brought, each thing once; whoever looks at the team screen sees it there."""
        from memtui.tui.notices_team import team_notice  # noqa: PLC0415 – where a team shares only

        notice = team_notice(message.news, self.voice)
        if notice is not None and getattr(self.screen, "PLACE", "") != "team":
            title, text, severity = notice
            self.notify(
                text,
                title=title,
                severity=severity,
                timeout=None if severity == "information" else 15,
                markup=False,
            )

    def on_recovered(self, message: Recovered) -> None:
        """Say what a crash had interrupted, and what was done about it."""
        from memtui.tui.wording.whole import words  # noqa: PLC0415 – hardly ever needed

        text = "\n".join(visible(said(sentence, self._setting.lang)) for sentence in message.sentences)
        self.notify(text, title=words(self._setting.lang).recovered, timeout=15, markup=False)

    def on_failed(self, message: Failed) -> None:
        """Pass it on."""
        self._pass_on(message)
