"""The ways from a memory to the other screens; each is loaded when somebody goes there, not at start."""

from __future__ import annotations

from memtui.tui.screens.edit_doors import EditDoors


class Doors(EditDoors):
    """Mixed into the screens from which everything else is reached."""

    def do_preview_full(self) -> None:
        """Every text that is injected, on a screen of its own."""
        from memtui.tui.screens.preview import PreviewScreen  # noqa: PLC0415

        if self._snapshot is not None:
            self.app.push_screen(PreviewScreen(self._setting, self._snapshot))

    def do_checks(self) -> None:
        """What was found, on a screen of its own; then to the memory that was chosen there."""
        from memtui.tui.screens.checks import ChecksScreen  # noqa: PLC0415

        def closed(slug: str | None) -> None:
            if slug is not None:
                self.go_to(slug)

        if self._snapshot is not None:
            entry = self.memory
            about = entry.rel if entry is not None else None
            self.app.push_screen(ChecksScreen(self._setting, self._snapshot, about), closed)

    def do_versions(self) -> None:
        """The versions of the memory; of an old one, those of the memory it belongs to."""
        from memtui.tui.present.history import owner_of  # noqa: PLC0415
        from memtui.tui.screens.history import HistoryScreen  # noqa: PLC0415

        entry, snapshot = self.memory, self._snapshot
        if entry is not None and snapshot is not None:
            slug = owner_of(entry, snapshot.entries)
            self.app.push_screen(HistoryScreen(self._setting, snapshot, slug, entry.rel))

    def do_activity(self) -> None:
        """What was done, the trash and the calls of agents."""
        from memtui.tui.screens.activity import ActivityScreen  # noqa: PLC0415

        if self._snapshot is not None:
            self.app.push_screen(ActivityScreen(self._setting, self._snapshot))

    def do_review(self) -> None:
        """What models propose and what others changed, to decide on."""
        from memtui.tui.screens.review import ReviewScreen  # noqa: PLC0415

        if self._snapshot is not None:
            self.app.push_screen(ReviewScreen(self._setting, self._snapshot))

    def do_log(self) -> None:
        """What was logged, day by day."""
        from memtui.tui.screens.log import LogScreen  # noqa: PLC0415

        if self._snapshot is not None:
            self.app.push_screen(LogScreen(self._setting, self._snapshot))

    def do_team(self) -> None:
        """How the sharing with the team stands, and what waits there."""
        from memtui.tui.screens.team import TeamScreen  # noqa: PLC0415

        if self._snapshot is not None:
            self.app.push_screen(TeamScreen(self._setting, self._snapshot))
