"""What is told in passing of what a sync brought, in one notice. Pure, and safe to show."""

from __future__ import annotations

from collections.abc import Sequence

from textual.notifications import SeverityLevel

from memtui.team.news import News
from memtui.tui import notices
from memtui.tui.present.parts import label
from memtui.tui.voice import Voice
from memtui.tui.wording.team import NAMED_KEYS, words

_MOST = 3
"""Memories named in a notice; of more only how many (ours)."""


def team_notice(news: Sequence[News], voice: Voice) -> tuple[str, str, SeverityLevel] | None:
    """The notice for what is worth one, a line each; None where nothing is: what was shared as wished goes unsaid."""
    said = voice.with_keys(words(voice.lang), NAMED_KEYS)
    lines: list[str] = []
    severity: SeverityLevel = "information"
    named = {
        "arrived": said.told_arrived,
        "clash": said.told_clash,
        "held": said.told_held,
        "blocked": said.told_blocked,
    }
    plain = {"squashed": said.told_squashed, "rewritten": said.told_rewritten, "reached": said.told_reached}
    for each in news:
        if each.kind in named:
            names = [label(slug.removeprefix("team/")) for slug in each.slugs[:_MOST]]
            if len(each.slugs) > _MOST:
                names.append(said.and_more.format(count=len(each.slugs) - _MOST))
            lines.append(named[each.kind].format(slugs=said.join.join(names)))
        elif each.kind in plain:
            lines.append(plain[each.kind])
        elif each.kind == "failed" and each.error is not None:
            lines += [part for part in notices.error_text(each.error, voice.lang) if part]
        if each.kind not in {"arrived", "reached", "shared", "applied"}:
            severity = "warning"
    if not lines:
        return None
    return said.told, "\n".join([*lines, said.see]), severity
