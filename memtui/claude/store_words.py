"""What people are told of stores, in both languages: kinds, problems, and why one may be this project's old one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memtui.claude.adoption import ReasonCode
from memtui.claude.store_summary import StoreProblem
from memtui.claude.stores import StoreKind
from memtui.memory.types import Lang


@dataclass(frozen=True, slots=True)
class StoreWords:
    """The words of one language.

    Attributes:
        kinds: whose store it is.
        problems: what is wrong with it, in a word or two.
        explained: the same as a sentence, with what can be done.
        reasons: why it may be this project's old store; templates.
        read_only: why it is not changed, by `Store.read_only`.
    """

    kinds: Mapping[StoreKind, str]
    problems: Mapping[StoreProblem, str]
    explained: Mapping[StoreProblem, str]
    reasons: Mapping[ReasonCode, str]
    read_only: Mapping[str, str]


_EN = StoreWords(
    kinds={
        "project": "project",
        "agent": "agent",
        "agent-project": "agent, project",
        "agent-local": "agent, local",
        "qwen": "Qwen Code",
        "qwen-pinned": "Qwen, pinned",
        "openclaw": "OpenClaw",
        "codex": "Codex",
        "gemini": "Gemini CLI",
        "letta": "Letta",
        "basic-memory": "basic-memory",
    },
    problems={
        "project-gone": "project gone",
        "two-projects": "shared",
        "home": "home folder",
        "empty": "empty",
        "index-cut": "index cut",
        "unreadable": "unreadable",
    },
    explained={
        "project-gone": "its project is no longer there: renamed, moved or deleted; 'adopt' takes its memories over",
        "two-projects": "sessions of several folders write here, for their paths give the same name",
        "home": "it belongs to the home folder, where every session outside a project ends up",
        "empty": "there is no memory in force in it",
        "index-cut": "its index is longer than what loads",
        "unreadable": "it cannot be listed",
    },
    reasons={
        "remote": "the old folder was a checkout of the same repository, {repository}",
        "sessions": "a session went on in the one from the other",
        "files": "{found} of the {named} paths its memories name are here",
        "name": "the folder had the same name, {name}",
        "alike": "the folder had a similar name, {name}: '{word}' stands in both",
        "place": "the folder stood beside this one, in {folder}",
    },
    read_only={
        "format": "another program keeps it in a form of its own, which memtui does not rewrite",
        "permission": "you may not write to it",
    },
)

_ZH = StoreWords(
    kinds={
        "project": "项目",
        "agent": "子代理",
        "agent-project": "子代理·项目",
        "agent-local": "子代理·本地",
        "qwen": "Qwen Code",
        "qwen-pinned": "Qwen 置顶",
        "openclaw": "OpenClaw",
        "codex": "Codex",
        "gemini": "Gemini CLI",
        "letta": "Letta",
        "basic-memory": "basic-memory",
    },
    problems={
        "project-gone": "项目已不在",
        "two-projects": "多项目共用",
        "home": "主目录",
        "empty": "空",
        "index-cut": "索引被截断",
        "unreadable": "无法读取",
    },
    explained={
        "project-gone": "所属项目已不在：改名、移动或删除；可用 'adopt' 接管其中的记忆",
        "two-projects": "几个文件夹的路径得出同一个名称，会话都写到这里",
        "home": "属于主目录，项目之外的会话都写到这里",
        "empty": "其中没有有效的记忆",
        "index-cut": "索引超出了会加载的长度",
        "unreadable": "无法列出其中的文件",
    },
    reasons={
        "remote": "旧文件夹是同一仓库 {repository} 的检出",
        "sessions": "有会话从一处延续到了另一处",
        "files": "其记忆提到的 {named} 个路径中有 {found} 个在这里",
        "name": "文件夹同名：{name}",
        "alike": "旧文件夹名 {name} 相近：两者都有“{word}”",
        "place": "文件夹原在旁边：{folder}",
    },
    read_only={
        "format": "它由其他程序按自己的格式保存，memtui 不会改写",
        "permission": "你没有写入权限",
    },
)


def store_words(lang: Lang) -> StoreWords:
    """The words of a language."""
    return _ZH if lang == "zh" else _EN
