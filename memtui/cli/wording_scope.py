"""What ``copy --scope`` and ``move --scope`` say beside their data, in both languages; as in ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ScopeWording(Sentences):
    """The sentences about the two scopes of a store."""

    copy_to_team: str
    copy_to_team_one: str
    move_to_team: str
    move_to_team_one: str
    copy_to_own: str
    copy_to_own_one: str
    move_to_own: str
    move_to_own_one: str
    old_versions: str
    old_versions_one: str
    leads_private: str
    linking: str
    leak: str
    ask_to_copy: str
    ask_to_move: str
    done: str
    undo: str


_EN = ScopeWording(
    copy_to_team="give the team a copy of {count} memories:",
    copy_to_team_one="give the team a copy of {count} memory:",
    move_to_team="give {count} memories to the team:",
    move_to_team_one="give {count} memory to the team:",
    copy_to_own="make private copies of {count} memories:",
    copy_to_own_one="make a private copy of {count} memory:",
    move_to_own="make {count} memories private; the team loses them:",
    move_to_own_one="make {count} memory private; the team loses it:",
    old_versions="{count} old versions",
    old_versions_one="{count} old version",
    leads_private="links to memories that only you have: {slugs}",
    linking="links follow in: {slugs}",
    leak="a secret for the team: {found}",
    ask_to_copy="Copy?",
    ask_to_move="Move?",
    done="now there: {slugs}",
    undo="'memtui undo' takes it back",
)

_ZH = ScopeWording(
    copy_to_team="将 {count} 条记忆的副本交给团队：",
    copy_to_team_one="将 {count} 条记忆的副本交给团队：",
    move_to_team="将 {count} 条记忆交给团队：",
    move_to_team_one="将 {count} 条记忆交给团队：",
    copy_to_own="为 {count} 条记忆建立私有副本：",
    copy_to_own_one="为 {count} 条记忆建立私有副本：",
    move_to_own="将 {count} 条记忆转为私有，团队将不再拥有：",
    move_to_own_one="将 {count} 条记忆转为私有，团队将不再拥有：",
    old_versions="{count} 个旧版本",
    old_versions_one="{count} 个旧版本",
    leads_private="链接指向只有你有的记忆：{slugs}",
    linking="以下记忆中的链接随之更改：{slugs}",
    leak="将交给团队的秘密：{found}",
    ask_to_copy="要复制吗？",
    ask_to_move="要移动吗？",
    done="现位于：{slugs}",
    undo="用 'memtui undo' 可撤销",
)


def scope_words(lang: Lang) -> ScopeWording:
    """The catalogue of a language."""
    return _ZH if lang == "zh" else _EN
