"""Spec §10: the three guardrails, in both languages, with every point they must make."""

import pytest

from memtui.memory.guardrails import (
    MEMORY_DRIFT_CAVEAT,
    VERIFY_BEFORE_RECOMMENDING,
    WHAT_NOT_TO_SAVE,
    memory_drift_caveat,
    verify_before_recommending,
    what_not_to_save,
)


@pytest.mark.parametrize(
    "point",
    [
        "Code patterns",
        "architecture",
        "file paths",
        "Git history",
        "`git log`",
        "workarounds",
        "CLAUDE.md",
        "task state",
    ],
)
def test_spec_10_what_not_to_save_names_each_kind(point: str) -> None:
    assert point in WHAT_NOT_TO_SAVE


@pytest.mark.parametrize(
    "point",
    [
        "代码模式",
        "架构详情",
        "文件路径",
        "Git 历史",
        "`git log` 是权威来源",
        "临时 workaround",
        "已在 CLAUDE.md 中的内容",
        "临时任务细节",
    ],
)
def test_first_seed_what_not_to_save(point: str) -> None:
    assert point in what_not_to_save("zh")


def test_spec_10_the_rule_stands_in_front_of_the_list() -> None:
    assert WHAT_NOT_TO_SAVE.splitlines()[1].startswith(
        "Even when the user asks for one of these, first ask what"
    )
    assert (
        what_not_to_save("zh")
        .splitlines()[1]
        .startswith(
            "即使用户明确要求保存以上内容，请先询问其中哪些是非预期的部分",
        )
    )


def test_spec_10_verify_has_its_own_heading_and_four_points() -> None:
    assert verify_before_recommending("zh").splitlines() == [
        "## 从记忆中推荐前先核实",
        '"记忆说 X 存在" 不等于 "X 现在存在"。',
        "- 如果记忆提到了文件路径 → 先确认文件存在",
        "- 如果记忆提到了函数或标志 → 先用 grep 搜索",
        "- 如果用户即将据此采取行动 → 先验证",
    ]
    heading, principle, *points = VERIFY_BEFORE_RECOMMENDING.splitlines()
    assert heading.startswith("## ")
    assert principle == '"The memory says X exists" is not "X exists now".'
    assert ["path" in points[0], "function" in points[1], "flag" in points[1], "act" in points[2]] == [
        True
    ] * 4


def test_spec_10_drift_caveat_trusts_what_is_seen_and_updates_or_removes() -> None:
    assert "trust what you see, and update or remove" in MEMORY_DRIFT_CAVEAT
    assert "请信任当前观察，并更新或移除过时的记忆" in memory_drift_caveat("zh")
