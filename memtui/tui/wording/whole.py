"""What the app says around its screens: help, questions, notices, and where there is nothing to show.

``{undo}`` and the like are the keys of that action, as the person has them.
"""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class WholeWords(Sentences):
    """Sentences of the app; a template names its parts."""

    # actions
    not_now: str
    why_not: str
    help: str
    help_closes: str
    legend: str
    legend_rows: tuple[str, ...]
    filter: str
    filter_rows: tuple[tuple[str, str], ...]
    # questions
    cancel: str
    forget_one: str
    forget_one_goes: str
    forget_one_index: str
    forget_many: str
    forget_many_go: str
    forget_many_index: str
    links_stay: str
    undo_brings_back: str
    # notices
    and_more: str
    kept_as: str
    kept_theirs: str
    dangling: str
    index_pending: str
    rest_pending: str
    undo_undoes: str
    redo_redoes: str
    forgotten: str
    still_true: str
    undone: str
    done_again: str
    join: str
    recovered: str
    fault: str
    fault_report: str
    fault_unwritten: str
    following: str
    # nothing to show
    reading: str
    missing: str
    appears: str
    sample: str
    unreadable: str
    unreadable_todo: str
    occupied: str
    occupied_todo: str
    write_first: str
    no_match: str
    no_match_yet: str
    clear_filter: str
    only_old: str
    old_listed: str
    none_yet: str
    first_shows: str
    other_stores: str
    leaves: str
    theme: str
    theme_note: str


EN = WholeWords(
    not_now="not now: ",
    why_not="{title}: {reason}",
    help="Help",
    help_closes="{close} closes",
    legend="What the list shows",
    legend_rows=(
        "up to 7 days old",
        "up to 30 days",
        "older; the score halves every 30 days",
        "user, feedback, project, reference",
        "something was found about it",
        "another memory says nearly the same",
        "two things it names are not there any more",
        "somebody else changed it since you last looked",
        "text of it was typed and not saved",
        "marked",
    ),
    filter="Filter",
    filter_rows=(
        ("words", "each has to stand in name, description or text"),
        ('"two words"', "together"),
        ("type:", "user feedback project reference unknown"),
        ("tier:", "hot warm cool"),
        (
            "is:",
            "stale duplicate secret orphan unlisted unloaded unreviewed unused historical broken problem draft marked",
        ),
        ("scope:", "private team"),
        ("-word  -type:x", "must not be"),
        ("type:u,p", "either; the start of a word is enough"),
    ),
    cancel="Cancel",
    forget_one="Forget “{name}”?",
    forget_one_goes="{file} goes to .memtui/trash",
    forget_one_index="its line leaves MEMORY.md",
    forget_many="Forget {count} memories?",
    forget_many_go="{names} go to .memtui/trash",
    forget_many_index="their lines leave MEMORY.md",
    links_stay="links in {names} stay and will point to nothing",
    undo_brings_back="old versions stay; {undo} brings it all back",
    and_more=" and {count} more",
    kept_as="kept as {names}",
    kept_theirs="somebody else's version was kept as {names}",
    dangling="links to it remain in {names}",
    index_pending="the index follows with the next change",
    rest_pending="old versions and trash follow with the next change",
    undo_undoes="{undo} undoes it",
    redo_redoes="{redo} does it again",
    forgotten="Forgotten",
    still_true="Still true",
    undone="Undone",
    done_again="Done again",
    join=", ",
    recovered="A change that was interrupted",
    fault="memtui made a mistake; it goes on",
    fault_report="A report without any memory is in {path}",
    fault_unwritten="It could not be written down",
    following="Following the directory",
    reading="Reading memories…",
    missing="This directory does not exist yet:",
    appears="{new} writes a first one, which makes it; whatever appears there shows here.",
    sample="A sample to look at:  memtui demo",
    unreadable="The directory cannot be read:",
    unreadable_todo="It shows here as soon as it can be.",
    occupied="This is a file, not a directory of memories:",
    occupied_todo="Open the folder it lies in, or move it away; a folder in its place shows here by itself.",
    write_first="{new} writes the first one.",
    no_match="No memory matches the filter.",
    no_match_yet="Still checking: what the filter asks for is not known yet.",
    clear_filter="{back} clears it.",
    only_old="Only old versions here.",
    old_listed="{history} lists them.",
    none_yet="No memories here yet.",
    first_shows="The first one shows by itself when it is saved.",
    other_stores="{projects} shows every memory store on this machine; a renamed project keeps its memories under its old name: {adopt} there takes them over.",
    leaves="ctrl+q leaves memtui",
    theme="Theme",
    theme_note="for this run",
)
ZH = WholeWords(
    not_now="此刻不能：",
    why_not="{title}：{reason}",
    help="帮助",
    help_closes="{close} 关闭",
    legend="列表中的标记",
    legend_rows=(
        "7 天以内",
        "30 天以内",
        "更早；分值每 30 天减半",
        "用户、反馈、项目、参考",
        "发现了与它有关的问题",
        "另一条记忆内容几乎相同",
        "它提到的东西有两样已不存在",
        "自你上次查看以来别人改过它",
        "有输入后没有保存的文字",
        "已标记",
    ),
    filter="筛选",
    filter_rows=(
        ("词语", "每个词都须出现在名称、描述或正文中"),
        ('"two words"', "连在一起"),
        ("type:", "user feedback project reference unknown"),
        ("tier:", "hot warm cool"),
        (
            "is:",
            "stale duplicate secret orphan unlisted unloaded unreviewed unused historical broken problem draft marked",
        ),
        ("scope:", "private team"),
        ("-word  -type:x", "不得出现"),
        ("type:u,p", "其中之一；写开头即可，也可用中文 is:陈旧"),
    ),
    cancel="取消",
    forget_one="遗忘“{name}”？",
    forget_one_goes="{file} 移入 .memtui/trash",
    forget_one_index="它在 MEMORY.md 中的行会去掉",
    forget_many="遗忘 {count} 条记忆？",
    forget_many_go="{names} 移入 .memtui/trash",
    forget_many_index="它们在 MEMORY.md 中的行会去掉",
    links_stay="{names} 中的链接会保留，但不再指向任何内容",
    undo_brings_back="旧版本会保留；按 {undo} 可全部恢复",
    and_more="等，另有 {count} 条",
    kept_as="原内容保留为 {names}",
    kept_theirs="别人写入的版本保留为 {names}",
    dangling="{names} 中仍有指向它的链接",
    index_pending="索引会在下一次修改时跟上",
    rest_pending="旧版本和回收站会在下一次修改时跟上",
    undo_undoes="按 {undo} 撤销",
    redo_redoes="按 {redo} 重做",
    forgotten="已遗忘",
    still_true="仍然成立",
    undone="已撤销",
    done_again="已重做",
    join="、",
    recovered="处理了一次中断的修改",
    fault="memtui 出了错，但仍可继续",
    fault_report="报告（不含任何记忆）位于 {path}",
    fault_unwritten="报告未能写下",
    following="跟踪目录",
    reading="正在读取记忆…",
    missing="目录还不存在：",
    appears="按 {new} 写第一条，目录随之创建；那里出现的记忆会显示在这里。",
    sample="可以先看看示例：memtui demo",
    unreadable="无法读取目录：",
    unreadable_todo="一旦可以读取，就会显示在这里。",
    occupied="这是一个文件，不是记忆目录：",
    occupied_todo="请打开它所在的文件夹，或把它移走；同名文件夹出现后会自动显示。",
    write_first="按 {new} 写第一条。",
    no_match="没有符合筛选的记忆。",
    no_match_yet="仍在检查：筛选所问的还不知道。",
    clear_filter="按 {back} 清除筛选。",
    only_old="这里只有旧版本。",
    old_listed="按 {history} 列出。",
    none_yet="这里还没有记忆。",
    first_shows="保存第一条后会自动显示。",
    other_stores="按 {projects} 查看这台机器上的所有记忆库；改名后的项目，记忆仍在旧名之下，在那里按 {adopt} 接管。",
    leaves="按 ctrl+q 退出 memtui",
    theme="主题",
    theme_note="仅本次运行",
)


def words(lang: Lang) -> WholeWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
