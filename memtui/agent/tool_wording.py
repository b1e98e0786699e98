"""What the tools for reading say to a model, in both languages; those of ``save_memory`` are in ``memory.wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ToolWords(Sentences):
    """Sentences for the model; a template names its parts, the same in both catalogues."""

    server: str
    list_description: str
    recall_description: str
    recall_query: str
    recalled: str
    nothing_relevant: str
    because: str
    cut: str
    more: str
    unknown_tool: str
    no_parameters: str
    no_query: str
    unreadable: str
    no_request: str


_EN = ToolWords(
    server=(
        "Memories of the project, kept in files: facts that earlier sessions found worth keeping. They age; what stands in"
        " the project now is right where the two differ."
    ),
    list_description=(
        "List the project's memories: slug, type, name and description of each, the most recent first. Reads only."
    ),
    recall_description=(
        "Read the memories that a question is about, at most five, with their text and what they were found by. Ranks by"
        " words, names and dates, not by meaning: name what you look for. Says so when none is relevant. Reads only."
    ),
    recall_query="What you want to know, in words that the memory would hold.",
    recalled="Relevant memories ({count}):",
    nothing_relevant="No memory is relevant to that.",
    because="Found by: {words}",
    cut="… cut after {count} characters; the rest is in {path}",
    more="… and {count} older ones.",
    unknown_tool="There is no tool {name}.",
    no_parameters="The tool takes no parameter {parameter}.",
    no_query="`query` must be a text that is not empty.",
    unreadable="The memories cannot be read: {reason}",
    no_request="This is no request of the Model Context Protocol that can be read.",
)

_ZH = ToolWords(
    server="项目的记忆，保存在文件中：以往会话认为值得保留的事实。记忆会过时；与项目现状不一致时，以现状为准。",
    list_description="列出项目的记忆：每条的 slug、类型、名称和描述，最近的在前。只读。",
    recall_description=(
        "读取与问题相关的记忆，最多五条，附正文和匹配依据。按词语、名称和日期排序，不按语义：请写出要找的名称。没有相关记忆时会说明。只读。"
    ),
    recall_query="想知道什么，尽量用记忆中会出现的词。",
    recalled="相关记忆（{count} 条）：",
    nothing_relevant="没有相关的记忆。",
    because="匹配依据：{words}",
    cut="……在 {count} 个字符后截断，其余见 {path}",
    more="……另有 {count} 条更早的记忆。",
    unknown_tool="没有名为 {name} 的工具。",
    no_parameters="该工具没有参数 {parameter}。",
    no_query="`query` 必须是非空文本。",
    unreadable="无法读取记忆：{reason}",
    no_request="这不是可以读懂的 Model Context Protocol 请求。",
)

_CATALOGUES: dict[Lang, ToolWords] = {"en": _EN, "zh": _ZH}


def tool_words(lang: Lang) -> ToolWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
