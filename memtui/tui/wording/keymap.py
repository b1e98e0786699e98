"""What is said about keys and a theme that were set and cannot be used, and about choices that cannot be kept."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class KeymapWords(Sentences):
    """Sentences; a template names its parts, and ``where`` is a file."""

    title: str
    no_action: str
    did_you_mean: str
    see_readme: str
    no_key: str
    types_text: str
    clash: str
    no_theme: str
    choices_unread: str
    choices_unwritten: str


EN = KeymapWords(
    title="Settings",
    no_action="{where}: there is no action “{name}”. {hint}",
    did_you_mean="Did you mean “{name}”?",
    see_readme="The README lists them.",
    no_key="{where}: there is no key “{key}”; {action} keeps its own",
    types_text="{where}: “{key}” is a letter to type where {action} belongs; it keeps its own key",
    clash="{where}: {key} would mean two things on one screen, {first} and {second}; they keep their own keys",
    no_theme="{where}: there is no theme “{name}”. {hint}",
    choices_unread="{path} cannot be understood: what you chose in earlier runs is left out. The next choice writes it anew",
    choices_unwritten="what you chose could not be kept for the next run",
)
ZH = KeymapWords(
    title="设置",
    no_action="{where}：没有“{name}”这个操作。{hint}",
    did_you_mean="是不是“{name}”？",
    see_readme="README 中列有全部名称。",
    no_key="{where}：没有“{key}”这个键；{action} 仍用原来的键",
    types_text="{where}：在 {action} 所在之处，“{key}”是输入的文字；仍用原来的键",
    clash="{where}：{key} 在同一屏上会有两个含义：{first} 和 {second}；两者仍用原来的键",
    no_theme="{where}：没有“{name}”这个主题。{hint}",
    choices_unread="无法理解 {path}：不采用以前的选择。下次选择时会重新写入",
    choices_unwritten="您的选择无法保存到下次运行",
)


def words(lang: Lang) -> KeymapWords:
    """The sentences in a language."""
    return ZH if lang == "zh" else EN
