"""索引与检查结果的中文文案。"""

from __future__ import annotations

# 索引被截断时的提示。
CUT = "> 警告：MEMORY.md {what}，只加载了一部分：{where}。请让每条索引保持一行、约 200 字符以内，细节移到各记忆文件中。"
CUT_LINES = "共 {n} 行"
CUT_BOTH = "共 {n} 行、{size}"
CUT_OVER_LINES = "{amount}（上限 {limit} 行）"
CUT_OVER_SIZE = "大小为 {size}（上限 {limit}）"
CUT_TAIL = "{total} 行中有 {lost} 行被截去，从第 {first} 行开始{preview}"
CUT_PREVIEW = "（“{line}”）"
CUT_HEAD = "第 1 行在前 {limit} 个字符之后的内容被截去"

# 轮换后索引末尾的一行。
NOTICE = "> 另有 {n} 条较旧的记忆未在此列出，文件仍在本目录中。"
NOTICE_PATTERN = r"> 另有 \d+ 条较旧的记忆未在此列出，文件仍在本目录中。"
