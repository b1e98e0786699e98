"""The manual: one Markdown page a topic, shipped with the program; the README links them, ``memtui guide`` prints them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple


class Topic(NamedTuple):
    """A page of the manual.

    Attributes:
        en: what it is about, in English.
        zh: the same in Chinese; the pages themselves are English.
    """

    en: str
    zh: str


TOPICS: Mapping[str, Topic] = {
    "commands": Topic("every command, its exit codes and JSON", "全部命令、退出码与 JSON"),
    "settings": Topic("the settings, and where they stand", "各项设置及其位置"),
    "claude-code": Topic("hooks and tools in Claude Code's sessions", "Claude Code 会话中的钩子与工具"),
    "models": Topic("choosing, extracting, dreaming, reviewing", "选择、提取、整理与审阅"),
    "team": Topic("memories that a team shares", "团队共享的记忆"),
    "secrets": Topic("the guard, the scanner, every rule", "秘密守卫、扫描器与全部规则"),
    "library": Topic(
        "memtui in a program of yours, every public name", "在自己的程序中使用 memtui，全部公开名称"
    ),
    "api": Topic("every public name: signature and docstring", "全部公开名称的签名与说明"),
    "inside": Topic("how it is built, for who changes it", "内部结构，供修改者阅读"),
}
"""The pages, by name, in the order in which they are read."""


def page(topic: str) -> str:
    """The text of a page, Markdown.

    Raises:
        KeyError: there is no such page.
    """
    if topic not in TOPICS:
        raise KeyError(topic)
    return files(__name__).joinpath(f"{topic}.md").read_text("utf-8")
