"""Plain words by which the palette finds what is called otherwise; in both languages, whichever one speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LIGHT = ("light", "bright", "day", "white", "浅色", "亮色", "明亮", "白色", "日间")
"""A theme with a light background."""
DARK = ("dark", "black", "night", "深色", "暗色", "黑色", "夜间")
"""A theme with a dark background."""
THEME = (
    "theme",
    "colour",
    "color",
    "appearance",
    "look",
    "skin",
    "mode",
    "主题",
    "颜色",
    "配色",
    "外观",
    "模式",
)
"""Any theme."""

ALSO: Mapping[str, Sequence[str]] = {
    "theme": (*THEME, *LIGHT, *DARK),
    "forget": ("delete", "remove", "trash", "删除", "移除", "回收站"),
    "versions": ("history", "old", "diff", "compare", "历史", "比较"),
    "undo": ("revert", "back", "回退"),
    "columns": ("layout", "show", "hide", "列", "显示"),
    "density": ("rows", "lines", "spacing", "行", "间距"),
    "filter": ("search", "find", "grep", "搜索", "查找"),
    "copy": ("clipboard", "yank", "path", "剪贴板", "复制"),
    "still_true": ("confirm", "date", "modified", "touch", "日期"),
    "checks": ("problems", "findings", "lint", "问题", "检查"),
    "edit_outside": ("vim", "emacs", "external", "外部"),
    "team": ("share", "sync", "git", "remote", "others", "共享", "同步", "远端", "他人"),
    "sync_team": ("push", "pull", "fetch", "git", "推送", "拉取"),
    "quit": ("exit", "leave", "离开"),
    "help": ("keys", "shortcuts", "按键", "快捷键"),
}
"""By action, what else it is looked for by."""
