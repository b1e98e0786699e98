"""What can be done to a memory, or to all that are marked."""

from __future__ import annotations

from memtui.tui import notices
from memtui.tui.screens.memory_screen import MemoryScreen


class Changing(MemoryScreen):
    """Mixed into the screens on which memories are changed."""

    def do_forget(self) -> None:
        """Ask, then move to the trash what is marked, or the memory one is on."""
        from memtui.tui.screens.confirm import ConfirmScreen  # noqa: PLC0415 – loaded when asked for, not at start

        snapshot, chosen = self._snapshot, self.chosen
        if snapshot is None or not chosen:
            return
        slugs = tuple(entry.slug for entry in chosen)
        question, consequences = notices.forget_question(chosen, snapshot.entries)

        def answered(yes: bool | None) -> None:
            if yes:
                self.change("Forgotten", lambda manager: manager.forget(*slugs))

        self.app.push_screen(ConfirmScreen(question, consequences, yes="Forget"), answered)

    def do_still_true(self) -> None:
        """Bring the memory's date up to today."""
        entry = self.memory
        if entry is not None:
            slug = entry.slug
            self.change("Still true", lambda manager: manager.still_true(slug))

    def do_undo(self) -> None:
        """Take the last change back."""
        self.change("Undone", lambda manager: manager.undo())

    def do_redo(self) -> None:
        """Make it again."""
        self.change("Done again", lambda manager: manager.redo())
