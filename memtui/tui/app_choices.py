"""What a person has set and chosen, as the app puts it on: language, keys, theme, how the list is liked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from textual.app import App

from memtui.choices import Choices, ChoicesFile
from memtui.config import Config
from memtui.memory.text import visible
from memtui.preferences import Preferences
from memtui.tui import themes
from memtui.tui.messages import Failed, ThemeKept
from memtui.tui.setting import Setting
from memtui.tui.voice import Voice


class ChoosingApp(App[None]):
    """Puts on what was set, and keeps what is chosen from one run to the next.

    Attributes:
        voice: the person's language and keys.
    """

    voice: Voice
    _setting: Setting
    _config: Config
    _greeting: str
    _choices: ChoicesFile | None
    _chosen: Choices
    _unread: bool
    _choice: int
    _given: Mapping[str, Any]

    def on_mount(self) -> None:
        """Put on what the person has set; what cannot be used is told."""
        config, lang = self._config, self._setting.lang
        if self._greeting:
            self.notify(
                visible(self._greeting, keep_newlines=True), severity="warning", timeout=15, markup=False
            )
        if lang != "en" or config.keys:
            keys: Mapping[str, str] = {}
            if config.keys:
                from memtui.tui.keymap import make_keymap  # noqa: PLC0415 – few have keys of their own

                keymap = make_keymap(config.keys, config.sources, lang)
                keys = keymap.keys
                self.set_keymap(dict(keys))
                for problem in keymap.problems:
                    self._tell_setting(problem)
            self.voice = Voice(lang, keys)
        if config.theme is not None:
            name, near = themes.find_theme(self, config.theme)
            if name is not None:
                self.theme = name
            else:
                from memtui.tui.wording.keymap import words  # noqa: PLC0415 – as above

                say = words(lang)
                hint = say.did_you_mean.format(name=near) if near else say.see_readme
                where = visible(config.sources.get("theme", ""))
                self._tell_setting(say.no_theme.format(name=visible(config.theme), where=where, hint=hint))

        elif self._chosen.theme in self.available_themes:
            self.theme = str(self._chosen.theme)
        if self._unread and self._choices is not None:
            from memtui.tui.wording.keymap import words  # noqa: PLC0415 – as above

            self._tell_setting(words(lang).choices_unread.format(path=visible(str(self._choices.path))))

    # --- what is kept from one run to the next ---

    def _remember(self, liked: Preferences) -> None:
        """Keep how the list is liked, but for what the configuration says anyway."""
        before = self._chosen.liked
        kept = liked._replace(**{name: getattr(before, name) for name in self._given})
        self._keep(self._chosen._replace(liked=kept))

    def on_theme_kept(self, message: ThemeKept) -> None:
        """Put on a theme somebody has decided for, and keep it."""
        self.theme = message.name
        self._keep(self._chosen._replace(theme=message.name))

    def _keep(self, chosen: Choices) -> None:
        if self._choices is None or chosen == self._chosen:
            return
        self._chosen = chosen
        self._choice += 1
        self.run_worker(
            partial(self._write, self._choices, chosen, self._choice), thread=True, group="choices"
        )

    def _write(self, file: ChoicesFile, chosen: Choices, serial: int) -> None:
        try:
            file.write(chosen, serial)
        except OSError as error:
            from memtui.memory.disk.calls import refused  # noqa: PLC0415 – hardly ever needed
            from memtui.tui.wording.keymap import words  # noqa: PLC0415 – as above

            self.post_message(
                Failed(refused(error, words(self._setting.lang).choices_unwritten, str(file.path)))
            )

    def _tell_setting(self, problem: str) -> None:
        from memtui.tui.wording.keymap import words  # noqa: PLC0415 – as above

        title = words(self._setting.lang).title
        self.notify(problem, title=title, severity="warning", timeout=15, markup=False)
