"""What the values of filters are called in Chinese: whoever reads a word on the screen can type it, in either language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.memory.types import Lang

_ZH: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "type": {
        "user": ("用户",),
        "feedback": ("反馈",),
        "project": ("项目",),
        "reference": ("参考",),
        "unknown": ("未知类型",),
    },
    "tier": {"hot": ("热",), "warm": ("温",), "cool": ("凉", "冷")},
    "is": {
        "stale": ("陈旧", "久未查看"),
        "duplicate": ("重复",),
        "secret": ("秘密", "密码"),
        "orphan": ("未列入索引", "孤立"),
        "unlisted": ("有意未列入",),
        "unloaded": ("不加载",),
        "unreviewed": ("未审阅",),
        "unused": ("未用",),
        "historical": ("旧版本", "历史"),
        "broken": ("失效", "损坏"),
        "problem": ("问题",),
        "draft": ("未保存", "草稿"),
        "marked": ("已标记",),
        "fixable": ("可修",),
    },
    "scope": {"private": ("私有",), "team": ("团队",)},
    "kind": {
        "create": ("新建",),
        "update": ("更新",),
        "merge": ("合并",),
        "forget": ("遗忘",),
        "fix": ("修正",),
        "new": ("新增",),
        "edited": ("改动",),
        "deleted": ("删除",),
        "broken": ("损坏",),
    },
    "source": {
        "extraction": ("对话",),
        "dream": ("整理",),
        "sync": ("同步",),
        "rules": ("规则",),
        "others": ("别人",),
    },
    "severity": {"error": ("错误",), "warning": ("警告",), "note": ("提示",)},
}
"""By condition and value, the words for it, that of the screen first."""


def meant(key: str, piece: str, values: Sequence[str]) -> list[str]:
    """The values that a word, or the beginning of one, means in either language.

    Args:
        key: the condition, ``is``.
        piece: what was typed, folded; nothing means all.
        values: what the condition may be asked for.
    """
    words = _ZH.get(key, {})
    return [
        value
        for value in values
        if value.startswith(piece) or any(word.startswith(piece) for word in words.get(value, ()))
    ]


def spelled(key: str, piece: str, values: Sequence[str]) -> list[str]:
    """How the words that begin with what was typed go on, in the language that it was typed in."""
    if not piece or piece.isascii():
        return [value for value in values if value.startswith(piece)]
    words = (word for value in values for word in _ZH.get(key, {}).get(value, ()))
    return [word for word in words if word.startswith(piece)]


def named(key: str, value: str, lang: Lang) -> str:
    """What a value is called."""
    words = _ZH.get(key, {}).get(value, ()) if lang == "zh" else ()
    return words[0] if words else value
