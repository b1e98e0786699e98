"""Whether Claude Code uses its auto memory in a place, and what decides it (spec §15).

Every rule was held against the released client 2.1.328: does its first request carry the index? **Differs** from the
specification's order in one place: ``CLAUDE_CODE_SIMPLE`` wins over a ``CLAUDE_CODE_DISABLE_AUTO_MEMORY=0``, for
the client sends no memory in its simple mode whatever else is set.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from memtui.claude.paths import CONFIG, DISABLE, OVERRIDE, REMOTE, REMOTE_MEMORY, SIMPLE, usable_folder
from memtui.claude.settings import ProblemCode, Settings, SettingsProblem
from memtui.memory.types import Lang

SwitchCode = Literal["disabled", "simple", "forced", "remote", "setting", "default"]

_YES = frozenset(["1", "true", "yes", "on"])
_NO = frozenset(["0", "false", "no", "off"])


class Switch(NamedTuple):
    """Whether auto memory is on.

    Attributes:
        on: whether the client loads and writes memories.
        code: which rule decides.
        value: the value that decides; empty for the default.
        where: the settings file that holds it; None for the environment and the default.
    """

    on: bool
    code: SwitchCode
    value: str = ""
    where: Path | None = None

    @property
    def rule(self) -> str:
        """What decides, as a person would write it, in English."""
        return self.said("en")

    def said(self, lang: Lang) -> str:
        """What decides, with the settings file that holds it."""
        from memtui.claude.wording import words  # noqa: PLC0415 – as in `settings`

        say = words(lang)
        rule = say.switches[self.code].format(value=self.value)
        return rule if self.where is None else say.switch_in.format(rule=rule, where=self.where)


def auto_memory_state(environ: Mapping[str, str], settings: Settings) -> Switch:
    """Whether the client uses auto memory, by the first rule that matches.

    ``CLAUDE_CODE_DISABLE_AUTO_MEMORY`` true → off; ``CLAUDE_CODE_SIMPLE`` → off; the former false → on;
    ``CLAUDE_CODE_REMOTE`` without ``CLAUDE_CODE_REMOTE_MEMORY_DIR`` → off; ``autoMemoryEnabled`` of the settings file
    that wins; else on. True is 1, true, yes or on, false is 0, false, no or off, in any case; any other text counts
    for nothing (all measured).

    Args:
        environ: the environment the client is started in.
        settings: its settings files; what their ``env`` sets wins over ``environ``.
    """
    seen = settings.environment(environ)

    def switch(*, on: bool, code: SwitchCode, name: str) -> Switch:
        named = settings.variable(name)
        return Switch(on, code, seen[name].strip(), named.where if named else None)

    if _is(seen, DISABLE, _YES):
        return switch(on=False, code="disabled", name=DISABLE)
    if _is(seen, SIMPLE, _YES):
        return switch(on=False, code="simple", name=SIMPLE)
    if _is(seen, DISABLE, _NO):
        return switch(on=True, code="forced", name=DISABLE)
    if _is(seen, REMOTE, _YES) and not seen.get(REMOTE_MEMORY):
        return switch(on=False, code="remote", name=REMOTE)
    enabled = settings.enabled
    if enabled is not None:
        return Switch(
            on=bool(enabled.value),
            code="setting",
            value="true" if enabled.value else "false",
            where=enabled.where,
        )
    return Switch(on=True, code="default")


def variable_problems(environ: Mapping[str, str], settings: Settings) -> tuple[SettingsProblem, ...]:
    """Variables that do not do what somebody may think they do; see `auto_memory_state` for the arguments."""
    seen = settings.environment(environ)
    found: list[SettingsProblem] = []

    def wrong(name: str, code: ProblemCode) -> None:
        named = settings.variable(name)
        where, scope = (named.where, named.scope) if named else (None, "user")
        found.append(SettingsProblem(where, code, name, seen[name], scope))  # type: ignore[arg-type]  # a scope

    if seen.get(OVERRIDE) and usable_folder(seen[OVERRIDE], None) is None:
        wrong(OVERRIDE, "bad_variable")
    for name in (CONFIG, REMOTE_MEMORY):
        if seen.get(name) and not Path(seen[name]).is_absolute():
            wrong(name, "relative_variable")
    for name in (DISABLE, SIMPLE, REMOTE):
        if seen.get(name, "").strip() and not _is(seen, name, _YES | _NO):
            wrong(name, "neither")
    return tuple(found)


def _is(environ: Mapping[str, str], name: str, texts: frozenset[str]) -> bool:
    return environ.get(name, "").strip().lower() in texts
