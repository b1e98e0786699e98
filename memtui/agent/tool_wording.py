"""What the tools for reading say to a model, in both languages; those of ``save_memory`` are in ``memory.wording``."""

from __future__ import annotations

from typing import NamedTuple

from memtui.memory.types import Lang


class ToolWords(NamedTuple):
    """Sentences for the model; a template names its parts, the same in both catalogues."""

    server: str
    list_description: str
    more: str
    unknown_tool: str
    no_parameters: str
    unreadable: str


_EN = ToolWords(
    server=(
        "Memories of the project, kept in files: facts that earlier sessions found worth keeping. They age; what stands in"
        " the project now is right where the two differ."
    ),
    list_description=(
        "List the project's memories: slug, type, name and description of each, the most recent first. Reads only."
    ),
    more="… and {count} older ones.",
    unknown_tool="There is no tool {name}.",
    no_parameters="The tool takes no parameter {parameter}.",
    unreadable="The memories cannot be read: {reason}",
)

_ZH = ToolWords(
    server="项目的记忆，保存在文件中：以往会话认为值得保留的事实。记忆会过时；与项目现状不一致时，以现状为准。",
    list_description="列出项目的记忆：每条的 slug、类型、名称和描述，最近的在前。只读。",
    more="……另有 {count} 条更早的记忆。",
    unknown_tool="没有名为 {name} 的工具。",
    no_parameters="该工具没有参数 {parameter}。",
    unreadable="无法读取记忆：{reason}",
)

_CATALOGUES: dict[Lang, ToolWords] = {"en": _EN, "zh": _ZH}


def tool_words(lang: Lang) -> ToolWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
