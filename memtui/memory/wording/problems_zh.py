"""Chinese sentences for the problems that reading a file finds, by their code."""

from __future__ import annotations

PROBLEMS_ZH: dict[str, str] = {
    # 无法读取的文件。
    "not-regular": "这不是普通文件，因此不会读取；请将其移出记忆目录",
    "too-large": "文件超过可读取的大小；请拆分，或放到记忆目录之外",
    "outside": "此链接指向记忆目录之外，因此不会读取；请放入文件本身，或删除此链接",
    "permission": "没有读取此文件的权限；请修改其权限",
    "unstable": "此刻有程序正在写入此文件；请稍后再试",
    "io": "系统报告了读取错误；请检查磁盘",
    # 整个文件。
    "not-utf8": "文件编码为 UTF-16 或 UTF-32，而非 UTF-8",
    "invalid-utf8": "文件含有不属于 UTF-8 的字节",
    "bom": "文件以字节顺序标记（BOM）开头",
    "crlf": "行尾为 CRLF",
    "mixed-line-ends": "行尾不统一",
    "nul-byte": "文件含有 NUL 字节",
    "binary": "文件含有 NUL 字节和非 UTF-8 的字节：这不是文本",
    "no-final-newline": "最后一行没有换行符",
    "empty-file": "文件为空",
    "unclosed-header": "头部以 --- 开始，却没有以另一个 --- 结束",
    "no-header": "文件没有头部",
    "second-header": "第一个头部之后还有一个头部；它会被当作正文读取",
    "rule-in-body": "正文中有一行是 ---，看起来像头部的结尾",
    # 头部。
    "empty-header": "头部为空",
    "invalid-modified": "“modified”不是日期；以文件自身的时间为准",
    "dashes-in-header": "Claude Code 会在此行的 --- 处结束头部，其后的内容会丢失",
    "not-text": "“{key}”是列表或映射，而不是文本",
    "duplicate-key": "键“{key}”出现了两次；以最后一个为准",
    "hash-in-value": "“{key}”中含有“ #”；严格的 YAML 解析器会丢失其后的内容",
    "invalid-yaml": "头部不是有效的 YAML",
    "header-not-mapping": "头部不是由“键: 值”各行组成",
    "header-too-large": "头部过大",
    "header-too-deep": "头部嵌套过深",
    "yaml-directive": "头部中的 YAML 指令不会生效",
    "yaml-alias": "头部中的 YAML 锚点或别名不会生效",
    "yaml-tag": "头部中的 YAML 标签不会生效",
}
"""``{key}`` is the key that the English sentence quotes."""
