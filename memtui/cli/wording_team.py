"""What ``team`` says beside its data, in both languages; as in ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class TeamWording(Sentences):
    """The sentences of ``team``."""

    would_share: str
    would_share_one: str
    would_share_none: str
    joined: str
    first_sync: str
    first_sync_one: str
    left: str
    not_joined: str
    damaged: str
    where: str
    counts: str
    never: str
    kind_new: str
    kind_changed: str
    kind_deleted: str
    arrivals_wait: str
    arrivals_wait_one: str
    clashes_wait: str
    clashes_wait_one: str
    held: str
    blocked: str
    unreadable: str
    shared: str
    shared_waiting: str
    kept_waiting: str
    applied: str
    squashed: str
    rewritten: str
    nothing_new: str
    no_log: str
    nothing_arrived: str
    ask_take: str
    ask_take_one: str
    taken: str
    not_accepted: str
    declined: str
    waits_again: str
    nothing_declined: str
    released: str
    undecided: str
    nothing_clashes: str
    how_to_choose: str
    how_to_choose_two: str
    clash_both: str
    clash_deleted_here: str
    clash_deleted_there: str
    clash_named: str
    clash_renamed: str
    decided_ours: str
    decided_theirs: str
    decided_merged: str
    decided_both: str
    watching: str
    news_shared: str
    news_waits: str
    news_reached: str
    news_applied: str
    news_arrived: str
    news_clash: str
    news_held: str
    news_blocked: str
    news_squashed: str
    news_rewritten: str


_EN = TeamWording(
    would_share="would share {count} memories: {slugs}",
    would_share_one="would share {count} memory: {slugs}",
    would_share_none="nothing lies below team/ yet; 'memtui move NAME --scope team' takes a memory there",
    joined="the memories below team/ are shared through {remote}, branch {branch}",
    first_sync="nothing was sent yet; 'memtui team sync' shares {count} memories and fetches what is there",
    first_sync_one="nothing was sent yet; 'memtui team sync' shares {count} memory and fetches what is there",
    left="no longer shared; the memories stay, here and on the remote",
    not_joined="this directory is not shared; 'memtui team init REMOTE' begins",
    damaged="what was known of the sharing is damaged; 'memtui team init REMOTE' sets it up again, and nothing is lost",
    where="{remote}, branch {branch}",
    counts="to send {ahead} · to fetch {behind} · not saved yet {unsaved} · last sync: {when}",
    never="never",
    kind_new="new",
    kind_changed="changed",
    kind_deleted="deleted",
    arrivals_wait="{count} changes by others wait; 'memtui team show' shows them, 'memtui team accept NAME' takes one",
    arrivals_wait_one="{count} change by others waits; 'memtui team show' shows it, 'memtui team accept NAME' takes it",
    clashes_wait="{count} memories were changed on both sides; 'memtui team resolve' lists them",
    clashes_wait_one="{count} memory was changed on both sides; 'memtui team resolve' shows it",
    held="{path} is held back: {why}",
    blocked="{path} is not shared: {why}",
    unreadable="{path} cannot be read and is left as it is",
    shared="shared {slugs}",
    shared_waiting="shared what was waiting",
    kept_waiting="kept for the next sync: {slugs}",
    applied="changed here: {slugs}",
    squashed="a secret stood in what was to be shared; it was taken out of the history before anybody saw it",
    rewritten="somebody wrote the remote's history anew; yours was put on top of it",
    nothing_new="nothing new",
    no_log="nothing was shared yet",
    nothing_arrived="nothing of others waits",
    ask_take="Take these {count} changes?",
    ask_take_one="Take this change?",
    taken="accepted {slugs}; 'memtui undo' takes it back",
    not_accepted="{slug} was left: it was changed again meanwhile, here or by others",
    declined="declined {slugs}; yours stays as it is, and so does theirs",
    waits_again="waits again: {slugs}",
    nothing_declined="nothing was declined",
    released="{slug} is let through and waits like any arrival",
    undecided="{slugs}: left, since you and others changed it; 'memtui team resolve' shows both texts",
    nothing_clashes="nothing waits to be decided",
    how_to_choose="choose with 'memtui team resolve {slug} --ours', '--theirs' or '--merged FILE'; until then theirs stands",
    how_to_choose_two="{theirs} and yours, {ours}, both stand until you choose: 'memtui team resolve {theirs} --both', or '--ours', '--theirs' or '--merged FILE' for one of them; the other is an old version then",
    clash_both="changed on both sides",
    clash_deleted_here="you deleted it, others changed it",
    clash_deleted_there="others deleted it, you changed it",
    clash_named="two new memories of this name, yours is {slug}",
    clash_renamed="both renamed it, yours is {slug}",
    decided_ours="{slug}: yours is what everybody gets",
    decided_theirs="{slug}: theirs stays",
    decided_merged="{slug}: your merged text is what everybody gets",
    decided_both="{slug} and {other}: both stay",
    watching="watching; Ctrl-C ends it",
    news_shared="shared {slugs}",
    news_waits="no connection; kept for later: {slugs}",
    news_reached="the remote can be reached again",
    news_applied="changed here: {slugs}",
    news_arrived="others changed {slugs}; it waits for 'memtui team accept'",
    news_clash="changed on both sides: {slugs}; 'memtui team resolve' shows it",
    news_held="held back: {slugs}; 'memtui team status' says why",
    news_blocked="not shared: {slugs}; 'memtui team status' says why",
    news_squashed="a secret was taken out of what was to be shared",
    news_rewritten="somebody wrote the remote's history anew; yours was put on top of it",
)

_ZH = TeamWording(
    would_share="会共享 {count} 条记忆：{slugs}",
    would_share_one="会共享 {count} 条记忆：{slugs}",
    would_share_none="team/ 下还没有记忆；用 'memtui move 名称 --scope team' 可把记忆放到那里",
    joined="team/ 下的记忆将通过 {remote} 的 {branch} 分支共享",
    first_sync="还没有发送任何内容；用 'memtui team sync' 共享 {count} 条记忆并取回对方已有的内容",
    first_sync_one="还没有发送任何内容；用 'memtui team sync' 共享 {count} 条记忆并取回对方已有的内容",
    left="不再共享；记忆都还在，本机和远端都不变",
    not_joined="这个目录没有共享；用 'memtui team init REMOTE' 开始",
    damaged="共享的状态已损坏；用 'memtui team init REMOTE' 重新设置，不会丢失任何内容",
    where="{remote}，{branch} 分支",
    counts="待发送 {ahead} · 待取回 {behind} · 未提交 {unsaved} · 上次同步：{when}",
    never="从未",
    kind_new="新增",
    kind_changed="改动",
    kind_deleted="删除",
    arrivals_wait="有 {count} 处他人的改动待接受；用 'memtui team show' 查看，用 'memtui team accept 名称' 接受",
    arrivals_wait_one="有 {count} 处他人的改动待接受；用 'memtui team show' 查看，用 'memtui team accept 名称' 接受",
    clashes_wait="有 {count} 条记忆两边都改过；用 'memtui team resolve' 列出",
    clashes_wait_one="有 {count} 条记忆两边都改过；用 'memtui team resolve' 查看",
    held="{path} 被扣下：{why}",
    blocked="{path} 未共享：{why}",
    unreadable="{path} 无法读取，保持原样",
    shared="已共享 {slugs}",
    shared_waiting="已共享之前等待的改动",
    kept_waiting="留待下次同步：{slugs}",
    applied="本机已改动：{slugs}",
    squashed="要共享的内容里有秘密；已在任何人看到之前从历史中去掉",
    rewritten="有人改写了远端的历史；你的改动已接在其后",
    nothing_new="没有新内容",
    no_log="还没有共享过任何内容",
    nothing_arrived="没有待接受的他人改动",
    ask_take="要接受这 {count} 处改动吗？",
    ask_take_one="要接受这处改动吗？",
    taken="已接受 {slugs}；用 'memtui undo' 可撤销",
    not_accepted="{slug} 未接受：期间又被改动，可能在本机，也可能是他人",
    declined="已拒绝 {slugs}；你的保持不变，他人的也不变",
    waits_again="重新等待：{slugs}",
    nothing_declined="没有拒绝过任何内容",
    released="已放行 {slug}，它会像其他改动一样等待接受",
    undecided="{slugs}：未接受，因为你和他人都改过；用 'memtui team resolve' 查看两边的文字",
    nothing_clashes="没有待决定的冲突",
    how_to_choose="用 'memtui team resolve {slug} --ours'、'--theirs' 或 '--merged 文件' 选择；在此之前以对方的为准",
    how_to_choose_two="{theirs} 与你的 {ours} 都会保留，直到你选择：'memtui team resolve {theirs} --both'，或用 '--ours'、'--theirs' 或 '--merged 文件' 合成一条；另一条会成为旧版本",
    clash_both="两边都改过",
    clash_deleted_here="你删除了，他人改过",
    clash_deleted_there="他人删除了，你改过",
    clash_named="两条同名的新记忆，你的是 {slug}",
    clash_renamed="两边都改了名，你的是 {slug}",
    decided_ours="{slug}：以你的为准，大家都会得到它",
    decided_theirs="{slug}：以对方的为准",
    decided_merged="{slug}：以你合并的文本为准，大家都会得到它",
    decided_both="{slug} 和 {other}：两条都保留",
    watching="正在监视；按 Ctrl-C 结束",
    news_shared="已共享 {slugs}",
    news_waits="没有连接，留待以后：{slugs}",
    news_reached="又能连上远端了",
    news_applied="本机已改动：{slugs}",
    news_arrived="他人改动了 {slugs}；用 'memtui team accept' 接受",
    news_clash="两边都改过：{slugs}；用 'memtui team resolve' 查看",
    news_held="被扣下：{slugs}；用 'memtui team status' 查看原因",
    news_blocked="未共享：{slugs}；用 'memtui team status' 查看原因",
    news_squashed="已从要共享的内容中去掉一个秘密",
    news_rewritten="有人改写了远端的历史；你的改动已接在其后",
)

_CATALOGUES: dict[Lang, TeamWording] = {"en": _EN, "zh": _ZH}


def team_words(lang: Lang) -> TeamWording:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
