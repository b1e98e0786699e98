"""Taking a memory along: its path, file name, text or a link to it."""

from __future__ import annotations

from memtui.tui.present import parts
from memtui.tui.screens.memory_screen import MemoryScreen
from memtui.tui.wording.browse import words


class Copying(MemoryScreen):
    """Mixed into the screens from which a memory can be copied."""

    def do_copy(self) -> None:
        """Ask what to copy, and put it into the clipboard."""
        from memtui.tui.screens.pick import Item, PickScreen  # noqa: PLC0415 – loaded when asked for, not at start

        entry = self.memory
        if entry is None:
            return
        say = words(self.speaks)
        texts = {
            "path": (say.copy_path, str(entry.path)),
            "slug": (say.copy_slug, entry.slug),
            "link": (say.copy_link, f"[[{entry.slug.rpartition('/')[2]}]]"),
            "text": (say.copy_text, entry.content),
        }

        def taken(what: str | None) -> None:
            if what is not None:
                title, text = texts[what]
                # A name that is no UTF-8 cannot go through a terminal.
                self.app.copy_to_clipboard(text.encode("utf-8", "replace").decode())
                self.say(f"{title}: {say.copied_hint}", title=say.copied, severity="information")

        items = [
            Item(what, title, parts.label(text[:200]) if what != "text" else parts.size(entry.size))
            for what, (title, text) in texts.items()
        ]
        self.app.push_screen(PickScreen(say.copy_title, say.copy_note, items), taken)
