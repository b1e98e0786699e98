"""What click says of a command line that it does not understand, in Chinese; loaded only to say it."""

from __future__ import annotations

import re

_ROWS: tuple[tuple[str, str], ...] = (
    (r"No such option:? (?P<name>\S+?)\.?(?: (?P<more>.*))?", "没有选项 {name}。{more}"),
    (r"No such command (?P<name>.+?)\.?(?: (?P<more>\(?Did you mean .*))?", "没有命令 {name}。{more}"),
    (r"\(?Did you mean (?:one of: )?(?P<names>.*)\?\)?", "是否指 {names}？"),
    (r"Missing argument (?P<name>.+?)\.(?P<more>\s.*)?", "缺少参数 {name}。{more}"),
    (r"Missing option (?P<name>.+?)\.(?P<more>\s.*)?", "缺少选项 {name}。{more}"),
    (r"\s*Choose from:\s*(?P<names>.*)", "可选：{names}"),
    (r"Missing command\.", "缺少命令。"),
    (r"Invalid value for (?P<name>'[^']*'(?: / '[^']*')*): (?P<more>.*)", "{name} 的值无效：{more}"),
    (r"Invalid value: (?P<more>.*)", "值无效：{more}"),
    (r"(?P<value>.*) is not one of (?P<names>.*)\.", "{value} 不是 {names} 之一。"),
    (r"(?P<value>.*) is not a valid integer(?: range)?\.", "{value} 不是有效的整数。"),
    (r"(?P<value>.*) is not a valid float(?: range)?\.", "{value} 不是有效的数。"),
    (r"(?P<value>.*) is not in the range (?P<range>.*)\.", "{value} 不在范围 {range} 内。"),
    (r"(?:File|Directory|Path) (?P<name>.*) does not exist\.", "{name} 不存在。"),
    (r"(?:File|Path) (?P<name>.*) is a directory\.", "{name} 是目录。"),
    (r"(?:Directory|Path) (?P<name>.*) is a file\.", "{name} 是文件。"),
    (r"(?:File|Directory|Path) (?P<name>.*) is not readable\.", "{name} 不可读取。"),
    (r"(?:Got u|U)nexpected extra arguments? \((?P<names>.*)\)\.?", "多余的参数：{names}。"),
    (r"Option (?P<name>\S+) requires an argument\.", "选项 {name} 需要一个值。"),
    (r"Option (?P<name>\S+) does not take a value\.", "选项 {name} 不带值。"),
    (r"The name is empty\. Is a variable not set\?", "名称为空。是否有变量没有设置？"),
)
"""What click says, whole, and the same in Chinese; ``more`` is again something that it says."""
_KNOWN = tuple((re.compile(pattern, re.DOTALL), template) for pattern, template in _ROWS)


def usage_said(text: str) -> str:
    """A sentence of click's in Chinese; one that is not known stands as it is."""
    for pattern, template in _KNOWN:
        found = pattern.fullmatch(text)
        if found is not None:
            parts = {name: part or "" for name, part in found.groupdict().items()}
            if "more" in parts:
                parts["more"] = usage_said(parts["more"])
            return template.format(**parts)
    return text
