"""What ``memtui hook`` and ``memtui serve`` say to a person, in both languages; see ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class HookCliWords(Sentences):
    """The sentences; a template names its parts, the same in both catalogues."""

    nothing_to_install: str
    nothing_to_uninstall: str
    ask_write: str
    ask_remove: str
    installed: str
    installed_new: str
    uninstalled: str
    uninstalled_whole: str
    shared: str
    absent: str
    broken: str
    switched_off: str
    waiting: str
    serving: str


_EN = HookCliWords(
    nothing_to_install="the hooks are in {path} already; nothing to do",
    nothing_to_uninstall="no hook of memtui is in {path}; nothing to do",
    ask_write="Write this to {path}?",
    ask_remove="Remove {path}, which holds nothing else?",
    installed="installed in {path}; the file as it was is {backup}. 'memtui hook uninstall' takes them out again",
    installed_new="installed in {path}, which is new. 'memtui hook uninstall' takes them out again",
    uninstalled="taken out of {path}; nothing else in it was changed",
    uninstalled_whole="taken out; {path} is as it was before",
    shared="{path} may be shared with others, but the command names this machine's program; --scope local is yours alone",
    absent="none of memtui's hooks",
    broken="{word}: its program {program} is not there; 'memtui hook install' corrects it",
    switched_off="{path} switches all hooks off (disableAllHooks)",
    waiting="sessions noted and not read for memories yet: {count}",
    serving="Open this address in a browser on this machine; whoever knows it uses the app as you. Ctrl-C ends it.",
)

_ZH = HookCliWords(
    nothing_to_install="{path} 中已有这些 hook，无需改动",
    nothing_to_uninstall="{path} 中没有 memtui 的 hook，无需改动",
    ask_write="要写入 {path} 吗？",
    ask_remove="{path} 中没有其他内容，要删除吗？",
    installed="已装入 {path}，原文件保留为 {backup}。用 'memtui hook uninstall' 可移除",
    installed_new="已装入新建的 {path}。用 'memtui hook uninstall' 可移除",
    uninstalled="已从 {path} 移除，其他内容未改动",
    uninstalled_whole="已移除，{path} 恢复原样",
    shared="{path} 可能与他人共享，而命令指向本机的程序；用 --scope local 只对你自己生效",
    absent="没有 memtui 的 hook",
    broken="{word}：它的程序 {program} 不存在；用 'memtui hook install' 可修正",
    switched_off="{path} 关闭了所有 hook（disableAllHooks）",
    waiting="已记下、尚未读取记忆的会话：{count}",
    serving="请在本机浏览器中打开此地址；知道它的人都能以你的身份使用本应用。按 Ctrl-C 结束。",
)

_CATALOGUES: dict[Lang, HookCliWords] = {"en": _EN, "zh": _ZH}


def hook_cli_words(lang: Lang) -> HookCliWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
