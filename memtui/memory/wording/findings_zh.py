"""Chinese sentences about the index and the findings."""

from __future__ import annotations

from memtui.memory.wording.findings_catalogue import IndexWording

INDEX_ZH = IndexWording(
    cut="> 警告：MEMORY.md {what}，只加载了一部分：{where}。请让每条索引保持一行、约 200 字符以内，细节移到各记忆文件中。",
    over_lines="共 {lines} 行（上限 {limit} 行）",
    over_size="大小为 {size}（上限 {limit}），索引条目过长",
    over_both="共 {lines} 行、{size}",
    cut_tail="{total} 行中有 {lost} 行被截去，从第 {first} 行开始{preview}",
    preview="（“{line}”）",
    cut_head="第 1 行在前 {limit} 个字符之后的内容被截去",
    notice="> 另有 {n} 条较旧的记忆未在此列出，文件仍在本目录中。",
    notice_pattern=r"> 另有 \d+ 条较旧的记忆未在此列出，文件仍在本目录中。",
)
