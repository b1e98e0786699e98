"""The ways from a memory into the editor; loaded when somebody goes there, not at start."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memtui.memory.text import visible
from memtui.memory.types import MemoryEntry
from memtui.memory.wording.saying import said as said_in
from memtui.tui.screens.memory_screen import MemoryScreen

if TYPE_CHECKING:
    from memtui.memory.document.draft import Draft
    from memtui.memory.live.drafts import SavedDraft
    from memtui.tui.app import MemtuiApp
    from memtui.tui.present.bulk import Merged


class EditDoors(MemoryScreen):
    """Mixed into the screens from which memories are written."""

    def do_new(self) -> None:
        """Write a new memory."""
        self._open_editor(None)

    def do_edit(self) -> None:
        """Edit the memory one is on."""
        entry = self.memory
        if entry is not None:
            self._open_editor(entry)

    def edit_at(self, entry: MemoryEntry, at: tuple[int, int] | None) -> None:
        """Edit a memory, with a part of its text selected.

        Args:
            entry: the memory.
            at: start and end in its content; None for its beginning.
        """
        self._open_editor(entry, at=at)

    @property
    def unsaved_texts(self) -> int:
        """How many texts were typed and not saved."""
        return len(cast("MemtuiApp", self.app).drafts)

    def do_open_draft(self) -> None:
        """Go on with text that was not saved: of the memory one is on, else the newest."""
        from memtui.memory.live.drafts import drafts_of  # noqa: PLC0415

        found, entry, snapshot = cast("MemtuiApp", self.app).drafts, self.memory, self.snapshot
        if not found or snapshot is None:
            return
        here = drafts_of(entry.slug, found) if entry is not None and entry.is_active else ()
        wanted = (here or found)[0]
        slug = wanted.base.draft.slug if wanted.base is not None else None
        begun_on = next((e for e in snapshot.entries if e.slug == slug and e.is_active), None)
        self._open_editor(begun_on, resumed=wanted)

    def edit_merged(self, entry: MemoryEntry, text: Merged, gone: tuple[str, ...]) -> None:
        """Go on with a merged text in the editor; what is saved there is the merge.

        Args:
            entry: the memory it becomes.
            text: what the merge begins with.
            gone: slugs of the memories that become old versions of it.
        """
        from memtui.memory.document.draft import Draft  # noqa: PLC0415

        typed = Draft(text.slug, text.name, text.description, text.type_text, text.content)
        self._open_editor(entry, typed, gone)

    def _open_editor(
        self,
        entry: MemoryEntry | None,
        typed: Draft | None = None,
        absorbs: tuple[str, ...] = (),
        *,
        at: tuple[int, int] | None = None,
        resumed: SavedDraft | None = None,
        ask: bool = False,
    ) -> None:
        from memtui.memory.live.drafts import drafts_of, drafts_of_none  # noqa: PLC0415
        from memtui.tui.screens.edit import EditScreen  # noqa: PLC0415
        from memtui.tui.screens.edit_base import Begun  # noqa: PLC0415

        app = cast("MemtuiApp", self.app)
        manager, snapshot = app.manager, self.snapshot
        if manager is None or snapshot is None:
            return
        if entry is not None:
            known = drafts_of(entry.slug, app.drafts)
        else:
            known = drafts_of_none((e.slug for e in snapshot.entries if e.is_active), app.drafts)

        def closed(slug: str | None) -> None:
            if slug is not None:
                self.go_to(slug)

        begun = Begun(entry, typed, absorbs, at=at, offered=known, resumed=resumed, ask=ask)
        self.app.push_screen(EditScreen(self.setting, manager, snapshot, begun), closed)

    def do_edit_outside(self) -> None:
        """Edit the memory one is on in the person's own editor; what it leaves is saved."""
        from memtui.memory.document.draft import draft_of  # noqa: PLC0415
        from memtui.tui.external import EditorFailed, edit_outside  # noqa: PLC0415
        from memtui.tui.wording.edit import words  # noqa: PLC0415

        entry, said, command = self.memory, words(self.speaks), self.setting.editor
        if entry is None:
            return
        if not command:
            self.say(said.no_editor)
            return
        draft = draft_of(entry)
        try:
            returned = edit_outside(self.app, command, draft)
        except EditorFailed as failed:
            why = visible(said_in(failed.args[0], self.speaks))
            text = (
                said.editor_failed.format(command=visible(command[0]), why=why)
                if why
                else said.editor_no_terminal
            )
            self.say(text, severity="error")
            return
        if returned.ignored:
            # They are the person's own: nothing of what somebody wrote goes unasked.
            self.say(said.editor_keys.format(keys=visible(", ".join(returned.ignored))), severity="error")
            self._open_editor(entry, returned.draft, ask=True)
        elif returned.draft == draft:
            self.say(said.editor_unchanged, severity="information")
        else:
            self._open_editor(entry, returned.draft)
