"""What the team screen says, and what is told of the team elsewhere in the app."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class TeamWords(Sentences):
    """Sentences of the team screen; a template names its parts."""

    title: str
    arrived: str
    clashes: str
    held: str
    log: str
    reading: str
    place: str
    to_send: str
    in_step: str
    synced: str
    never: str
    syncing: str
    paused: str
    error: str
    damaged: str
    kind_new: str
    kind_changed: str
    kind_deleted: str
    nobody: str
    arrival_title: str
    clash_title: str
    held_title: str
    commit_title: str
    by: str
    clash_both: str
    clash_here: str
    clash_there: str
    clash_named: str
    clash_renamed: str
    is_held: str
    is_blocked: str
    fingerprint: str
    how_held_secret: str
    how_held: str
    how_blocked: str
    how_blocked_name: str
    joined_commit: str
    commit_changed: str
    commit_removed: str
    empty_arrived: str
    empty_clashes: str
    empty_held: str
    empty_log: str
    not_shared: tuple[str, ...]
    how_to_share: str
    switched_off: tuple[str, ...]
    preview: str
    preview_one: str
    preview_none: str
    preview_stays: str
    preview_left: str
    join_title: str
    join_hint: str
    join_remote: str
    join_branch: str
    join_asking: str
    join_yes: str
    joined: str
    joined_note: str
    release_title: str
    release_line: str
    release_audit: str
    release_yes: str
    released: str
    released_note: str
    accept_all: str
    accept_all_one: str
    accept: str
    and_more: str
    accepted: str
    accepted_undo: str
    not_accepted: str
    declined: str
    declined_note: str
    waits_again: str
    decided_ours: str
    decided_theirs: str
    decided_merged: str
    decided_both: str
    side_two: str
    side_title: str
    side_line: str
    no_sides: str
    told_arrived: str
    told_clash: str
    told_held: str
    told_blocked: str
    told_squashed: str
    told_rewritten: str
    told: str
    told_reached: str
    join: str
    see: str
    mark: str
    mark_offline: str
    mark_error: str


EN = TeamWords(
    title="Team",
    arrived="Arrived",
    clashes="Both changed",
    held="Held back",
    log="Log",
    reading="Reading…",
    place="{remote}, branch {branch}",
    to_send="{count} to send",
    in_step="nothing to send",
    synced="synced {ago}",
    never="never synced",
    syncing="syncing…",
    paused="not synced: this is a read-only view",
    error="{what}. {todo}",
    damaged="What was known of the sharing is damaged. 'memtui team init REMOTE' sets it up again; nothing is lost.",
    kind_new="new",
    kind_changed="changed",
    kind_deleted="deleted",
    nobody="somebody",
    arrival_title="What accepting changes",
    clash_title="Theirs (-) and mine (+)",
    held_title="Held back",
    commit_title="Commit {id}",
    by="by {author}",
    clash_both="both changed it",
    clash_here="you deleted it, others changed it",
    clash_there="others deleted it, you changed it",
    clash_named="two new ones of this name, yours is {name}",
    clash_renamed="both renamed it, yours is {name}",
    is_held="others share it, and it does not become a memory here",
    is_blocked="it stays here and is not shared",
    fingerprint="fingerprint {fingerprint}; the value is shown nowhere",
    how_held_secret="If it is no secret, r lets it through.",  # noqa: S106  -- a sentence
    how_held="Whoever shared it can mend it. Here nothing opens it.",
    how_blocked="Take the secret out of the memory, and change it wherever it is used.",
    how_blocked_name="Give the file another name.",
    joined_commit="Joins what two people had shared.",
    commit_changed="{slug} was changed",
    commit_removed="{slug} was deleted",
    empty_arrived="Nothing of others waits.",
    empty_clashes="Nothing was changed on both sides.",
    empty_held="Nothing is held back.",
    empty_log="Nothing was shared yet.",
    not_shared=(
        "These memories are not shared with a team.",
        "",
        "All it takes is a git repository that all of you reach:",
        "git@host:us/memories.git, https://…, or a folder.",
        "Then the memories below team/ are shared,",
        "and those of the others arrive here to be reviewed.",
        "",
    ),
    how_to_share="i shares this directory",
    switched_off=(
        "Team memory is switched off.",
        "",
        "By TEAMMEM=0, by 'team = false' in the settings, or because nothing",
        "is kept here, as in the demo. What lies below team/ is still shown.",
    ),
    preview="Shares {count} memories: {names}",
    preview_one="Shares {count} memory: {names}",
    preview_none="Nothing lies below team/ yet: W in the list takes memories there.",
    preview_stays="Stays here: {name} ({why})",
    preview_left="cannot be read, or is a link",
    join_title="Share this directory with a team?",
    join_hint="Only what lies below team/ goes out. Sign in as git does, with a key or a credential helper: an address is no place for a password.",
    join_remote="Remote: git@host:path, https://…, or a folder",
    join_branch="Branch; it need not exist",
    join_asking="asking the remote…",
    join_yes="Share",
    joined="Shared",
    joined_note="What is yours is being sent; what others share arrives here.",
    release_title="Let this through?",
    release_line="It then waits like any other change by others; what you accept is yours.",
    release_audit="If it is no secret, type its name. The audit log will say so.",
    release_yes="Let it through",
    released="Let through",
    released_note="It waits among what arrived.",
    accept_all="Take these {count} changes?",
    accept_all_one="Take this change?",
    accept="Accept",
    and_more="and {count} more",
    accepted="Accepted",
    accepted_undo="z takes it back",
    not_accepted="{slugs}: changed again meanwhile, here or by others. Look again.",
    declined="Declined",
    declined_note="Yours stays, and others keep theirs. It is shown again when they change it. z takes this back.",
    waits_again="Waits again",
    decided_ours="Yours is what everybody gets",
    decided_theirs="Theirs stays",
    decided_merged="The merged text is what everybody gets",
    decided_both="Both stay, each under its own name",
    side_two="Two memories, {theirs} and yours, {ours}. Mine or theirs makes them one; in the list, b keeps both. The other text is kept as an old version.",
    side_title="Changed on both sides",
    side_line="You and others changed this memory at the same time. What you choose is what everybody gets; both texts are kept, and the merged one is yours to edit first.",
    no_sides="one side deleted it, or is no text; m and t choose",
    told_arrived="Others changed {slugs}",
    told_clash="Changed on both sides: {slugs}",
    told_held="Held back: {slugs}",
    told_blocked="Not shared: {slugs}",
    told_squashed="A secret was taken out of what was to be shared, before anybody saw it.",
    told_rewritten="Somebody wrote the remote's history anew; yours was put on top of it.",
    told="Team",
    told_reached="The team's remote can be reached again",
    join=", ",
    see="t shows it",
    mark="team",
    mark_offline="team offline",
    mark_error="team !",
)
ZH = TeamWords(
    title="团队",
    arrived="收到",
    clashes="两边都改",
    held="扣下",
    log="记录",
    reading="正在读取…",
    place="{remote}，{branch} 分支",
    to_send="待发送 {count}",
    in_step="没有待发送",
    synced="{ago}同步",
    never="从未同步",
    syncing="正在同步…",
    paused="当前为只读，不同步",
    error="{what}。{todo}",
    damaged="共享的状态已损坏。用 'memtui team init REMOTE' 重新设置；不会丢失任何内容。",
    kind_new="新增",
    kind_changed="改动",
    kind_deleted="删除",
    nobody="某人",
    arrival_title="接受后的改动",
    clash_title="对方的 (-) 与我的 (+)",
    held_title="扣下",
    commit_title="提交 {id}",
    by="由 {author}",
    clash_both="两边都改过",
    clash_here="你删除了，他人改过",
    clash_there="他人删除了，你改过",
    clash_named="两条同名的新记忆，你的是 {name}",
    clash_renamed="两边都改了名，你的是 {name}",
    is_held="他人共享了它，但它不会成为这里的记忆",
    is_blocked="它留在本机，不会共享",
    fingerprint="指纹 {fingerprint}；任何地方都不显示其值",
    how_held_secret="若不是秘密，按 r 放行。",  # noqa: S106  -- a sentence
    how_held="由共享者修正。这里不会打开它。",
    how_blocked="从记忆中去掉这个秘密，并在用到它的地方更换它。",
    how_blocked_name="给文件换个名称。",
    joined_commit="合并了两个人共享的内容。",
    commit_changed="{slug} 已改动",
    commit_removed="{slug} 已删除",
    empty_arrived="没有待接受的他人改动。",
    empty_clashes="没有两边都改过的记忆。",
    empty_held="没有被扣下的内容。",
    empty_log="还没有共享过任何内容。",
    not_shared=(
        "这些记忆没有与团队共享。",
        "",
        "只需一个大家都能访问的 git 仓库：",
        "git@host:us/memories.git、https://…，或一个文件夹。",
        "之后 team/ 下的记忆会共享，",
        "他人的改动会来到这里等待审阅。",
        "",
    ),
    how_to_share="按 i 共享这个目录",
    switched_off=(
        "团队记忆已关闭。",
        "",
        "由 TEAMMEM=0 或设置中的 'team = false' 关闭，或者因为这里不保存任何内容（如演示）。",
        "team/ 下的内容仍会显示。",
    ),
    preview="会共享 {count} 条记忆：{names}",
    preview_one="会共享 {count} 条记忆：{names}",
    preview_none="team/ 下还没有记忆：在列表中按 W 可把记忆放到那里。",
    preview_stays="留在本机：{name}（{why}）",
    preview_left="无法读取，或是链接",
    join_title="与团队共享这个目录？",
    join_hint="只发送 team/ 下的内容。像 git 那样登录，用密钥或凭据助手：地址里不能写密码。",
    join_remote="远端：git@host:path、https://…，或一个文件夹",
    join_branch="分支；可以还不存在",
    join_asking="正在询问远端…",
    join_yes="共享",
    joined="已共享",
    joined_note="你的内容正在发送；他人共享的会来到这里。",
    release_title="放行它？",
    release_line="放行后它与他人的其他改动一样等待；接受后就成为你的。",
    release_audit="若不是秘密，请输入它的名称。审计日志会记下此事。",
    release_yes="放行",
    released="已放行",
    released_note="它在“收到”中等待。",
    accept_all="要接受这 {count} 处改动吗？",
    accept_all_one="要接受这处改动吗？",
    accept="接受",
    and_more="还有 {count} 处",
    accepted="已接受",
    accepted_undo="按 z 撤销",
    not_accepted="{slugs}：期间又被改动，可能在本机，也可能是他人。请再看一次。",
    declined="已拒绝",
    declined_note="你的保持不变，他人的也不变。他们再次改动时会重新显示。按 z 撤回。",
    waits_again="重新等待",
    decided_ours="以你的为准，大家都会得到它",
    decided_theirs="以对方的为准",
    decided_merged="以合并的文本为准，大家都会得到它",
    decided_both="两条都保留，各用各的名称",
    side_two="两条记忆：{theirs}，以及你的 {ours}。选我的或对方的会合成一条；在列表中按 b 两条都保留。另一份文字会作为旧版本保留。",
    side_title="两边都改过",
    side_line="你和他人同时改了这条记忆。你的选择大家都会得到；两边的文字都会保留，合并稿可先编辑。",
    no_sides="有一边删除了它，或不是文本；用 m 和 t 选择",
    told_arrived="他人改动了 {slugs}",
    told_clash="两边都改过：{slugs}",
    told_held="扣下：{slugs}",
    told_blocked="未共享：{slugs}",
    told_squashed="要共享的内容里有秘密，已在任何人看到之前去掉。",
    told_rewritten="有人改写了远端的历史；你的改动已接在其后。",
    told="团队",
    told_reached="又能连上团队的远端了",
    join="、",
    see="按 t 查看",
    mark="团队",
    mark_offline="团队 离线",
    mark_error="团队 !",
)

NAMED_KEYS: Mapping[str, tuple[str, ...]] = {
    "accepted_undo": ("undo",),
    "declined_note": ("undo",),
    "no_sides": ("choose_mine", "choose_theirs"),
    "side_two": ("choose_both",),
    "see": ("team",),
    "how_held_secret": ("release_held",),
    "how_to_share": ("join_team",),
    "preview_none": ("change_scope",),
}
"""By sentence, the actions whose keys stand in it."""


def words(lang: Lang) -> TeamWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
