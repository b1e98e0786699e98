"""Stand-ins for the four sections of a system prompt that are not ours: short, believable, and marked as examples.

They follow the language of the prompt, not that of the screen.
"""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class Examples(Sentences):
    """Sections 1, 2, 3 and 5 of a system prompt (spec §11)."""

    identity: str
    tools: str
    skills: str
    principles: str


EN = Examples(
    identity="# Identity (example)\n"
    "You are a coding agent that works with one person in their repository. Be brief and exact; say what you did.",
    tools="# Tools (example)\n"
    "- read_file, grep, glob: look before you change anything\n"
    "- edit_file, run_command: change and check; ask before what cannot be undone\n"
    "- save_memory: keep what will matter in later sessions",
    skills="# Skills (example)\n- release: steps of a release, from tag to announcement\n- review: how a change is reviewed here",
    principles="# Core principles (example)\n"
    "- What you see now outranks what anybody remembers\n"
    "- The smallest change that solves the problem\n"
    "- Never claim a test passed that you did not run",
)

ZH = Examples(
    identity="# 身份（示例）\n你是一名编程代理，在用户的仓库中与其协作。表达简短准确，做了什么就说什么。",
    tools="# 工具（示例）\n"
    "- read_file、grep、glob：先查看再改动\n"
    "- edit_file、run_command：改动并验证；不可撤销的操作先询问\n"
    "- save_memory：保存以后的会话还用得到的信息",
    skills="# 技能（示例）\n- release：从打标签到公告的发布步骤\n- review：本仓库的评审方式",
    principles="# 核心原则（示例）\n- 眼前所见优先于任何记忆\n- 用最小的改动解决问题\n- 没有跑过的测试，绝不说通过",
)

_EXAMPLES: dict[Lang, Examples] = {"en": EN, "zh": ZH}


def examples(lang: Lang) -> Examples:
    """The stand-ins in a language."""
    return _EXAMPLES[lang]
