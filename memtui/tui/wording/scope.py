"""What is said before memories go to the team, or come back."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ScopeWords(Sentences):
    """Sentences of the question and of its summary; a template names its parts."""

    question_one: str
    question_many: str
    yes: str
    done: str
    to_team: str
    to_team_note: str
    copy_to_team: str
    to_own: str
    to_own_note: str
    copy_to_own: str
    copy_note: str
    blocked: str
    blocked_hint: str
    goes: str
    versions: str
    leads_private: str
    linking: str
    index_lines: str
    one_step: str


EN = ScopeWords(
    question_one="Where shall “{name}” be?",
    question_many="Where shall {count} memories be?",
    yes="Do it",
    done="Moved",
    to_team="Give to the team",
    to_team_note="private no longer",
    copy_to_team="Give the team a copy",
    to_own="Make private",
    to_own_note="the team loses it",
    copy_to_own="Make a private copy",
    copy_note="the original stays",
    blocked="A secret stands in the way",
    blocked_hint="Take it out first, or let the value through: memtui secrets allow FINGERPRINT",
    goes="Goes",
    versions="{count} old versions along",
    leads_private="Links to memories that only you have",
    linking="Links that follow, in",
    index_lines="Lines of MEMORY.md",
    one_step="It is one step: undo takes all of it back, to the byte.",
)
ZH = ScopeWords(
    question_one="“{name}”应归于何处？",
    question_many="{count} 条记忆应归于何处？",
    yes="执行",
    done="已移动",
    to_team="交给团队",
    to_team_note="不再是私有",
    copy_to_team="把副本交给团队",
    to_own="转为私有",
    to_own_note="团队将不再拥有",
    copy_to_own="建立私有副本",
    copy_note="原件不变",
    blocked="有秘密，无法进行",
    blocked_hint="请先将其去掉，或放行该值：memtui secrets allow 指纹",
    goes="移动",
    versions="连同 {count} 个旧版本",
    leads_private="指向只有你有的记忆的链接",
    linking="随之更新链接的记忆",
    index_lines="MEMORY.md 中的行",
    one_step="这是一步操作：撤销可全部收回，逐字节还原。",
)


def words(lang: Lang) -> ScopeWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
