"""Every sentence the commands say beside their data, in both languages; errors are in ``memory.wording.errors_zh``.

``words(lang)`` gives the catalogue. A template names its parts (``{count}``); both catalogues have the same parts in
every template, which a test holds. Where a sentence counts, ``_one`` is the one for exactly one.
"""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class CliWording(Sentences):
    """The sentences of the command line, by the command that says them."""

    own_folder: str
    config_ignored: str
    made_directory: str
    listed: str
    listed_one: str
    listed_all: str
    listed_all_one: str
    show_active: str
    show_old: str
    show_old_after: str
    problem_line: str
    versions: str
    versions_one: str
    versions_one_old: str
    only_one_version: str
    nothing_to_remind: str
    none_fits: str
    reminded: str
    reminded_one: str
    forgot: str
    forgot_one: str
    restored: str
    restored_kept: str
    restored_nothing: str
    undone: str
    redone: str
    would_undo: str
    would_redo: str
    next_to_undo: str
    kept: str
    dangling: str
    pending_archive: str
    pending_index: str
    pending_trash: str
    pending_journal: str
    nothing_found: str
    errors: str
    errors_one: str
    warnings: str
    warnings_one: str
    notes: str
    notes_one: str
    list_separator: str
    mends: str
    more_named: str
    nothing_to_mend: str
    ask_changes: str
    ask_changes_one: str
    mended: str
    undo_takes_back: str
    nothing_changed: str
    no_index: str
    index_lines: str
    index_size: str
    index_entries: str
    not_loaded: str
    not_loaded_one: str
    end_not_loaded: str
    rebuild_nothing: str
    ask_rebuild: str
    rebuilt: str
    demo_kept: str
    demo_copy: str
    demo_gone: str
    where_project: str
    where_in_force: str
    where_missing: str
    where_unread: str
    where_memories: str
    where_memories_one: str
    where_changed: str
    where_used: str
    where_gone: str
    where_adopt: str
    auto_memory_on: str
    auto_memory_off: str
    nothing_yet: str
    stand_in: str
    not_in_force: str


_EN = CliWording(
    own_folder="this is a project's own folder; its memories are in {store}",
    config_ignored="{problem}; until then its settings are ignored and nothing is changed",
    made_directory="made the memory directory {path}",
    listed="{shown} of {total} memories · {convention} · {root}",
    listed_one="{shown} of {total} memory · {convention} · {root}",
    listed_all="{shown} of {total} memories and old versions · {convention} · {root}",
    listed_all_one="{shown} of {total} memory or old version · {convention} · {root}",
    show_active="{type} · {age} · score {score} = {decay} × {weight} {tier}",
    show_old="{type} · old version · {age}",
    show_old_after="{type} · old version, superseded by {after} · {age}",
    problem_line="line {line}: {message}",
    versions=(
        "{count} versions; 'memtui diff {slug}' compares them, 'memtui restore {slug} VERSION' brings one back"
    ),
    versions_one="{count} version; there is no older one of {slug}",
    versions_one_old="{count} version of {slug}, an old one; 'memtui restore {slug} VERSION' brings it back",
    only_one_version="{slug} has only one version",
    nothing_to_remind="there is nothing to remind of",
    none_fits="no memory fits into the budget",
    reminded="{count} memories · {characters} characters ≈ {tokens} tokens",
    reminded_one="{count} memory · {characters} characters ≈ {tokens} tokens",
    forgot="forgot {slugs}; 'memtui undo' brings them back",
    forgot_one="forgot {slugs}; 'memtui undo' brings it back",
    restored="restored version {version} of {slug}",
    restored_kept="restored version {version} of {slug}; what stood there is {archive}",
    restored_nothing="version {version} is the current one of {slug}; nothing to do",
    undone="undone: {label}; 'memtui redo' makes it again",
    redone="made again: {label}; 'memtui undo' takes it back",
    would_undo="would undo: {label}",
    would_redo="would redo: {label}",
    next_to_undo="next to undo: {label}",
    kept="somebody else wrote at the same moment; their version was kept as {rel}",
    dangling="wiki links now point to nothing in: {slugs}",
    pending_archive="the old version could not be put in its place yet; the next change does it",
    pending_index="the index could not be brought up to date; the next change does it",
    pending_trash="the file has left its place, but could not be put into the trash yet; the next change does it",
    pending_journal="the journal could not be brought up to date; the next change does it",
    nothing_found="nothing found",
    errors="{count} errors",
    errors_one="{count} error",
    warnings="{count} warnings",
    warnings_one="{count} warning",
    notes="{count} notes",
    notes_one="{count} note",
    list_separator=", ",
    mends="{total}; 'memtui check --fix RULE' mends {rules}",
    more_named=", and {rest} more: 'memtui check --rule {rule}' names them",
    nothing_to_mend="nothing to mend",
    ask_changes="Make these {count} changes?",
    ask_changes_one="Make this change?",
    mended="{place}: done: {label}",
    undo_takes_back="'memtui undo' takes it back",
    nothing_changed="nothing was changed",
    no_index="there is no {name}",
    index_lines="lines    {count} of {most}",
    index_size="size     {count} of {most} {unit}",
    index_entries="entries  {count}",
    not_loaded="{count} do not load:",
    not_loaded_one="{count} does not load:",
    end_not_loaded="the end of it does not load",
    rebuild_nothing="the index is as it would be written anew; nothing to do",
    ask_rebuild="Write this index?",
    rebuilt="the index was written anew; 'memtui undo' brings the old one back",
    demo_kept="The project it is about is {project}. Open it with: memtui {memory}",
    demo_copy="The demo is a throw-away copy in {path}; it is deleted when you leave.",
    demo_gone="The demo's copy has been deleted.",
    where_project="project {project}",
    where_in_force="in force",
    where_missing="not there",
    where_unread="cannot be read",
    where_memories="{count} memories",
    where_memories_one="{count} memory",
    where_changed="changed {age}",
    where_used="last loaded {age}",
    where_adopt="if this project was moved or renamed, 'memtui adopt' takes its memories over",
    where_gone="there is no directory {path}; this is how it would be",
    auto_memory_on="auto memory is on ({rule})",
    auto_memory_off="auto memory is off ({rule})",
    not_in_force="Claude Code does not use this folder here",
    nothing_yet="This project has no memories yet. Looked in:{places}",
    stand_in="{path} is not there; opened {other} instead ({rule})",
)

_ZH = CliWording(
    own_folder="这是项目自己的文件夹，它的记忆在 {store}",
    config_ignored="{problem}；修正之前，其中的设置不生效，也不会改动任何内容",
    made_directory="已创建记忆目录 {path}",
    listed="共 {total} 条记忆，列出 {shown} 条 · {convention} · {root}",
    listed_one="共 {total} 条记忆，列出 {shown} 条 · {convention} · {root}",
    listed_all="记忆与旧版本共 {total} 条，列出 {shown} 条 · {convention} · {root}",
    listed_all_one="记忆与旧版本共 {total} 条，列出 {shown} 条 · {convention} · {root}",
    show_active="{type} · {age} · 分数 {score} = {decay} × {weight} {tier}",
    show_old="{type} · 旧版本 · {age}",
    show_old_after="{type} · 旧版本，已由 {after} 取代 · {age}",
    problem_line="第 {line} 行：{message}",
    versions="共 {count} 个版本；用 'memtui diff {slug}' 比较，用 'memtui restore {slug} VERSION' 恢复其中一个",
    versions_one="共 {count} 个版本；{slug} 没有更早的版本",
    versions_one_old="{slug} 共 {count} 个版本，是旧版本；用 'memtui restore {slug} VERSION' 恢复",
    only_one_version="{slug} 只有一个版本",
    nothing_to_remind="没有可提醒的记忆",
    none_fits="预算内放不下任何一条记忆",
    reminded="{count} 条记忆 · {characters} 个字符 ≈ {tokens} 个 token",
    reminded_one="{count} 条记忆 · {characters} 个字符 ≈ {tokens} 个 token",
    forgot="已遗忘 {slugs}；用 'memtui undo' 可全部恢复",
    forgot_one="已遗忘 {slugs}；用 'memtui undo' 可恢复",
    restored="已恢复 {slug} 的版本 {version}",
    restored_kept="已恢复 {slug} 的版本 {version}；原来的内容保留为 {archive}",
    restored_nothing="版本 {version} 就是 {slug} 的当前版本，无需改动",
    undone="已撤销：{label}；用 'memtui redo' 可重做",
    redone="已重做：{label}；用 'memtui undo' 可撤销",
    would_undo="将撤销：{label}",
    would_redo="将重做：{label}",
    next_to_undo="接下来可撤销：{label}",
    kept="同一时刻有其他程序写入，那一版本保留为 {rel}",
    dangling="以下记忆中的 wiki 链接已失去目标：{slugs}",
    pending_archive="旧版本暂时未能归档，下次改动时会补上",
    pending_index="索引暂时未能更新，下次改动时会补上",
    pending_trash="文件已移出原处，但暂时未能放入回收站，下次改动时会补上",
    pending_journal="日志暂时未能更新，下次改动时会补上",
    nothing_found="没有发现问题",
    errors="{count} 个错误",
    errors_one="{count} 个错误",
    warnings="{count} 个警告",
    warnings_one="{count} 个警告",
    notes="{count} 个提示",
    notes_one="{count} 个提示",
    list_separator="、",
    mends="{total}；用 'memtui check --fix RULE' 可修复 {rules}",
    more_named="，另有 {rest} 条，用 'memtui check --rule {rule}' 列出",
    nothing_to_mend="没有可修复的问题",
    ask_changes="要做这 {count} 处改动吗？",
    ask_changes_one="要做这处改动吗？",
    mended="{place}：已完成：{label}",
    undo_takes_back="用 'memtui undo' 可撤销",
    nothing_changed="未作任何改动",
    no_index="没有 {name}",
    index_lines="行数  {count} / {most}",
    index_size="大小  {count} / {most} {unit}",
    index_entries="条目  {count}",
    not_loaded="有 {count} 条不会加载：",
    not_loaded_one="有 {count} 条不会加载：",
    end_not_loaded="末尾部分不会加载",
    rebuild_nothing="索引与重新生成的结果相同，无需改动",
    ask_rebuild="要写入这份索引吗？",
    rebuilt="索引已重新生成；用 'memtui undo' 可恢复旧的索引",
    demo_kept="它所属的项目是 {project}。打开方式：memtui {memory}",
    demo_copy="演示用的是 {path} 中的临时副本，离开时会删除。",
    demo_gone="演示用的临时副本已删除。",
    where_project="项目 {project}",
    where_in_force="使用中",
    where_missing="不存在",
    where_unread="无法读取",
    where_memories="{count} 条记忆",
    where_memories_one="{count} 条记忆",
    where_changed="{age}改动",
    where_used="{age}加载",
    where_adopt="如果项目移动或改名过，可用 'memtui adopt' 接管原来的记忆",
    where_gone="没有目录 {path}；以下是假定它存在时的结果",
    auto_memory_on="自动记忆已开启（{rule}）",
    auto_memory_off="自动记忆已关闭（{rule}）",
    not_in_force="Claude Code 在这里不使用这个文件夹",
    nothing_yet="此项目还没有记忆。查找过：{places}",
    stand_in="{path} 不存在，改为打开 {other}（{rule}）",
)

_CATALOGUES: dict[Lang, CliWording] = {"en": _EN, "zh": _ZH}


def words(lang: Lang) -> CliWording:
    """The catalogue of a language."""
    return _CATALOGUES[lang]


def counted(count: int, one: str, many: str) -> str:
    """The template for so many."""
    return one if count == 1 else many
