"""Why a dream proposes something, and what ``memtui dream`` says beside it, in both languages; see ``cli.wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class DreamWords(Sentences):
    """The sentences; a template names its parts, the same in both catalogues."""

    duplicate: str
    superseded: str
    stale: str
    relative_one: str
    from_file: str
    link: str
    link_moved: str
    and_also: str


_EN = DreamWords(
    duplicate="{slugs} say the same ({percent} % alike)",
    superseded="{newer} takes the place of {older}: “{quote}”",
    stale="not touched for {days} days, and nothing that it names is in the project any more: {claims}",
    relative_one="“{words}” is {absolute} (written on {day})",
    from_file="the day is that of the file's own time, which a copy may have changed",
    link="[[{target}]] leads nowhere; {slug} has nearly that name",
    link_moved="[[{target}]] leads nowhere; {slug} took its place",
    and_also="; ",
)

_ZH = DreamWords(
    duplicate="{slugs} 说的是同一件事（相似度 {percent}%）",
    superseded="{newer} 已取代 {older}：“{quote}”",
    stale="已 {days} 天未更新，其中提到的内容在项目里都已不存在：{claims}",
    relative_one="“{words}” 即 {absolute}（写于 {day}）",
    from_file="日期取自文件自身的时间，复制可能改变它",
    link="[[{target}]] 没有指向任何记忆；{slug} 的名字几乎相同",
    link_moved="[[{target}]] 没有指向任何记忆；{slug} 已取代它",
    and_also="；",
)

_CATALOGUES: dict[Lang, DreamWords] = {"en": _EN, "zh": _ZH}


def dream_words(lang: Lang) -> DreamWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
