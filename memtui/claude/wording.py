"""Every sentence about Claude Code's paths, settings and switches that a person reads, in both languages.

A template names its parts (``{key}``); both catalogues have the same parts in every template, which a test holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memtui.memory.types import Lang


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeWording:
    """The sentences of one language.

    Attributes:
        settings: by code of a ``SettingsProblem``, what is wrong and what to do; parts ``{key}`` and ``{detail}``.
        managed_todo: what to do about a broken file of an organisation.
        rules: by kind of a candidate, the rule that names it; parts ``{name}`` and ``{where}``.
        switches: by rule of a ``Switch``, why auto memory is on or off; part ``{value}``.
        switch_in: a switch's rule with the file that sets it; parts ``{rule}`` and ``{where}``.
        warnings: by code of a ``Oddity``, what the client does not see; parts ``{path}``, ``{memories}``, ``{others}``.
    """

    settings: Mapping[str, tuple[str, str]]
    managed_todo: str
    rules: Mapping[str, str]
    switches: Mapping[str, str]
    switch_in: str
    warnings: Mapping[str, str]


_EN = ClaudeWording(
    settings={
        "unreadable": ("this settings file cannot be read ({detail})", "Look at its owner and mode"),
        "not_a_file": ("this is no file, so no settings are read from it", "Put a JSON file in its place"),
        "too_large": (
            "this settings file is too large, so nothing in it is in effect",
            "Take out what is no setting",
        ),
        "not_json": (
            "this settings file is not valid JSON, so nothing in it is in effect ({detail})",
            "JSON allows no comments and no comma behind the last item",
        ),
        "not_an_object": (
            "this settings file is no JSON object, so nothing in it is in effect",
            "Begin it with '{{' and end it with '}}'",
        ),
        "wrong_type": ("{key} has a value of the wrong type and is not in effect", "Write {detail}"),
        "wrong_type_file": (
            "{key} has a value of the wrong type, so nothing in this file is in effect",
            "Write {detail}",
        ),
        "bad_folder": (
            "{key} is {detail!r}, which is not followed",
            "Write an absolute path other than '/', or one that begins with '~/'",
        ),
        "bad_variable": (
            "{key} is {detail!r}, which is not followed",
            "Write an absolute path other than '/'",
        ),
        "relative_variable": (
            "{key} is {detail!r}, which means another folder in every directory",
            "Write an absolute path; '~' is not replaced in it",
        ),
        "neither": (
            "{key} is {detail!r}, which is neither yes nor no and counts for nothing",
            "Write 1 or 0",
        ),
        "untrusted": (
            "{key} of a project's own settings ({detail}) is not trusted: they may come with the repository",
            "Set it in your own settings if you want it; some clients follow it all the same",
        ),
    },
    managed_todo="Tell whoever manages this machine; the client does not start until it is mended",
    rules={
        "override": "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
        "setting": "autoMemoryDirectory in {where}",
        "project": "the project {name}",
        "untrusted": "autoMemoryDirectory in {where}, which is not trusted",
        "working_directory": "the folder {name}, for clients that go by it",
        "worktree": "the work tree {name}, for clients that go by it",
        "form": "the project {name}, its name in another Unicode form",
        "long": "a path that begins like {name}",
        "config": "the project {name}, in the configuration folder {where}",
        "moved": "the project {name}, which is no longer there",
        "alike": "{name}, whose project is not known and ends in the same name",
        "agent": "the agent {name}",
        "used": "named by a session's transcript",
    },
    switches={
        "disabled": "CLAUDE_CODE_DISABLE_AUTO_MEMORY={value}",
        "forced": "CLAUDE_CODE_DISABLE_AUTO_MEMORY={value}",
        "simple": "CLAUDE_CODE_SIMPLE={value}",
        "remote": "CLAUDE_CODE_REMOTE={value} without CLAUDE_CODE_REMOTE_MEMORY_DIR",
        "setting": "autoMemoryEnabled: {value}",
        "default": "the default",
    },
    switch_in="{rule} in {where}",
    warnings={
        "unseen": "{memories} memories that the client does not see here: {path}",
        "unseen_one": "{memories} memory that the client does not see here: {path}",
        "shared": "paths of other projects give the same folder, so their memories mix: {others}",
        "used_elsewhere": "the last session that loaded an index took that of another folder: {path}",
    },
)

_ZH = ClaudeWording(
    settings={
        "unreadable": ("无法读取这个设置文件（{detail}）", "请检查它的所有者和权限"),
        "not_a_file": ("这不是文件，不会从中读取设置", "请换成一个 JSON 文件"),
        "too_large": ("这个设置文件太大，其中的设置都不生效", "请删去不是设置的内容"),
        "not_json": (
            "这个设置文件不是有效的 JSON，其中的设置都不生效（{detail}）",
            "JSON 不允许注释，也不允许末项之后有逗号",
        ),
        "not_an_object": ("这个设置文件不是 JSON 对象，其中的设置都不生效", "应以 '{{' 开头，以 '}}' 结尾"),
        "wrong_type": ("{key} 的值类型不对，不生效", "请写成 {detail}"),
        "wrong_type_file": ("{key} 的值类型不对，整个文件都不生效", "请写成 {detail}"),
        "bad_folder": (
            "{key} 是 {detail!r}，不会采用",
            "请写绝对路径（不能是 '/'），或以 '~/' 开头的路径",
        ),
        "bad_variable": ("{key} 是 {detail!r}，不会采用", "请写绝对路径（不能是 '/'）"),
        "relative_variable": (
            "{key} 是 {detail!r}，在每个目录里指的都是不同的文件夹",
            "请写绝对路径；其中的 '~' 不会被替换",
        ),
        "neither": ("{key} 是 {detail!r}，既不是“是”也不是“否”，不起作用", "请写 1 或 0"),
        "untrusted": (
            "项目自己的设置里的 {key}（{detail}）不受信任：它可能随仓库而来",
            "如果需要，请写进你自己的设置；有些客户端仍会采用它",
        ),
    },
    managed_todo="请告诉管理这台机器的人；修好之前客户端不会启动",
    rules={
        "override": "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
        "setting": "{where} 中的 autoMemoryDirectory",
        "project": "项目 {name}",
        "untrusted": "{where} 中的 autoMemoryDirectory，不受信任",
        "working_directory": "文件夹 {name}，有些客户端按它确定",
        "worktree": "工作树 {name}，有些客户端按它确定",
        "form": "项目 {name}，名称用另一种 Unicode 形式",
        "long": "开头与 {name} 相同的路径",
        "config": "项目 {name}，在配置文件夹 {where} 中",
        "moved": "项目 {name}，它已不在原处",
        "alike": "{name}，不知属于哪个项目，名称结尾相同",
        "agent": "子代理 {name}",
        "used": "某次会话的记录中提到",
    },
    switches={
        "disabled": "CLAUDE_CODE_DISABLE_AUTO_MEMORY={value}",
        "forced": "CLAUDE_CODE_DISABLE_AUTO_MEMORY={value}",
        "simple": "CLAUDE_CODE_SIMPLE={value}",
        "remote": "CLAUDE_CODE_REMOTE={value}，而没有 CLAUDE_CODE_REMOTE_MEMORY_DIR",
        "setting": "autoMemoryEnabled: {value}",
        "default": "默认",
    },
    switch_in="{where} 中的 {rule}",
    warnings={
        "unseen": "有 {memories} 条记忆客户端在这里看不到：{path}",
        "unseen_one": "有 {memories} 条记忆客户端在这里看不到：{path}",
        "shared": "另有项目的路径对应同一个文件夹，记忆会混在一起：{others}",
        "used_elsewhere": "最近一次加载索引的会话用的是另一个文件夹：{path}",
    },
)

_CATALOGUES: dict[Lang, ClaudeWording] = {"en": _EN, "zh": _ZH}


def words(lang: Lang) -> ClaudeWording:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
