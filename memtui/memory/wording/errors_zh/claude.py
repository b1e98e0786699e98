"""Chinese for the errors of Claude Code's settings and hooks."""

from __future__ import annotations

ROWS: dict[str, str] = {
    # Claude Code 的钩子和设置。
    "could not write the settings": "无法写入设置",
    "could not read the settings": "无法读取设置",
    "the settings were changed by somebody else meanwhile": "其间有其他程序改动了设置",
    "Nothing was written; run the command again": "未写入任何内容；请再次运行此命令",
    "Look at what stands there": "请查看那里是什么",
    "the settings are too long to be read": "设置过长，不会读取",
    "the settings are not UTF-8": "设置不是 UTF-8",
    "Correct the file first; nothing was changed": "请先修正此文件；未作任何改动",
    "the settings cannot be edited: {reason}": "无法编辑设置：{reason}",
    "the settings are not a JSON object": "设置不是 JSON 对象",
    "the settings cannot be edited safely": "无法安全地编辑设置",
    "Edit them by hand": "请手工编辑",
    "{what!r} is not {kind}": "{what!r} 不是{kind}",
    "an object": "对象",
    "a list": "列表",
    "it is nested too deeply": "嵌套过深",
    "it has a comment ({at}), and plain JSON has none": "其中有注释（{at}），而纯 JSON 没有注释",
    "it is not JSON: {reason} ({at})": "不是 JSON：{reason}（{at}）",
    "line {line}, column {column}": "第 {line} 行，第 {column} 列",
    "it says {key!r} twice, and only one of them counts": "{key!r} 出现了两次，只有一个有效",
    "the hook was told nothing that is a JSON object": "钩子收到的不是 JSON 对象",
    "the hook was told no directory that the session works in": "钩子没有收到会话所在的目录",
    "the hook was told no session and transcript to note": "钩子没有收到要记下的会话和记录",
    "it took too long, so nothing was done": "耗时过长，因此什么也没有做",
    "the hook was told too much to read": "钩子收到的内容过多，无法读取",
    "this is for Claude Code to call, with JSON on stdin": "这由 Claude Code 调用，并从标准输入给出 JSON",
    "'memtui hook install' sets it up": "'memtui hook install' 会设置好它",
    "this transcript cannot be read: {reason}": "无法读取此会话记录：{reason}",
    "a text in quotes": "带引号的文本",
    "true or false": "true 或 false",
    "an object of texts": "由文本组成的对象",
    "the project {path}": "项目 {path}",
    "autoMemoryDirectory in {path}": "{path} 中的 autoMemoryDirectory",
    "\n  {path}  ({rule})": "\n  {path}（{rule}）",
    # 钩子的名称。
    "there is no hook {word!r}": "没有钩子 {word!r}",
    "no hook is named": "没有指定钩子",
    "Use some of {names}": "请使用 {names} 中的一些",
}
"""By English template; both have the same placeholders."""
