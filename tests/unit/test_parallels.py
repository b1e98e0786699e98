"""Spec §9: what is told as a duplicate says the same; two facts of one shape are not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memtui.memory.checks.findings import Checker
from memtui.memory.conventions import CLAUDE
from memtui.memory.directory.scan import Directory
from memtui.memory.doubles.dedup import CONFIRMED, THRESHOLD, confirm_similarity, jaccard_similarity
from memtui.memory.doubles.parallels import differ_in_names, differ_in_numbers
from memtui.memory.types import Severity
from tests.bench.memory_texts import EDIT_KINDS, LANGUAGES, EditKind, Language, edited, memory
from tests.unit.template_texts import parallel_pair, restated_pair

PAIRS = 300


def rules(tmp_path: Path, *bodies: str) -> set[str]:
    for number, body in enumerate(bodies):
        head = f"name: memory {number}\ndescription: {'abcdefg'[number] * 9}\ntype: project\n"
        (tmp_path / f"m{number}.md").write_text(f"---\n{head}---\n\n{body}\n")
    directory = Directory(tmp_path, convention=CLAUDE)
    directory.refresh()
    found = Checker(directory).update(None)
    return {f.rule for f in found if f.rule in {"duplicate", "same-but-numbers"}}


def is_alike(one: str, other: str) -> bool:
    alike = jaccard_similarity(one, other) >= THRESHOLD and confirm_similarity(one, other) >= CONFIRMED
    return alike and one != other


def is_apart(one: str, other: str) -> bool:
    return differ_in_names(one, other) or differ_in_numbers(one, other)


@pytest.mark.parametrize("chinese", [False, True], ids=["en", "zh"])
def test_two_facts_of_one_shape_are_told_apart(chinese: bool) -> None:
    rng = random.Random(f"parallel {chinese}")
    pairs = [pair for _ in range(PAIRS) if is_alike(*(pair := parallel_pair(rng, chinese=chinese)))]
    assert len(pairs) > 0.8 * PAIRS
    assert sum(is_apart(*pair) for pair in pairs) >= 0.9 * len(pairs)


@pytest.mark.parametrize("chinese", [False, True], ids=["en", "zh"])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_one_fact_in_two_wordings_stays_one(chinese: bool, share: float) -> None:
    rng = random.Random(f"restated {chinese} {share}")
    pairs = [
        pair for _ in range(PAIRS) if is_alike(*(pair := restated_pair(rng, chinese=chinese, share=share)))
    ]
    assert len(pairs) > 0.4 * PAIRS
    assert [pair for pair in pairs if differ_in_names(*pair)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", EDIT_KINDS)
def test_small_edits_of_a_memory_stay_duplicates(language: Language, kind: EditKind) -> None:
    rng = random.Random(f"{language} {kind}")
    texts = [memory(rng, language, rng.randint(200, 2_000)) for _ in range(100)]
    pairs = [pair for text in texts if is_alike(*(pair := (text, edited(rng, text, language, kind))))]
    assert sum(differ_in_names(*pair) for pair in pairs) <= 0.1 * len(pairs)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("port 5432, build 17", "port 5433, build 18", True),
        ("3 nodes of 5 GB", "5 nodes of 3 GB", True),
        ("wait 3 minutes", "wait some minutes", False),
        ("wait 3 minutes", "wait 3 minutes, then 5", False),
        ("first 3 nodes. then 5 disks", "then 5 disks. first 3 nodes", False),
        ("保留 30 天", "保留 90 天", True),
        ("no number", "none here", False),
    ],
)
def test_differing_in_numbers(one: str, other: str, apart: bool) -> None:
    assert differ_in_numbers(one, other) is differ_in_numbers(other, one) is apart


CLUSTERS = [
    "To restart the ingest workers on cluster {}: drain the queue, wait for the lag to reach zero, then roll the"
    " pods one by one. Never restart all of them at once, since the broker of {} drops the backlog.".format(
        *[name] * 2
    )
    for name in ("atlas", "borealis")
]
RELEASES = [
    f"Release {version} shipped on {date} with {count} fixes. Its branch was cut {days} days earlier, the store review took"
    f" {review} days, and the crash rate stayed below {rate} percent for the first week."
    for version, date, count, days, review, rate in (
        ("4.2.0", "2024-03-01", 12, 9, 2, 0.3),
        ("4.3.1", "2024-05-17", 31, 11, 4, 0.5),
    )
]
SERVICES_ZH = [
    f"{name}服务每晚两点备份一次，备份保存在对象存储里，保留三十天。恢复前先通知{person}，恢复后核对行数，确认无误再放开流量。"
    for name, person in (("订单", "张伟"), ("支付", "李娜"))
]
TOLD_TWICE = [
    "Integration tests must hit the real database, not mocks: last year a mocked test hid a broken migration.",
    "Integration tests have to hit the real database and not mocks, because last year a mocked test hid a broken migration.",
]
TOLD_TWICE_ZH = [
    "集成测试必须连接真实数据库，不要使用模拟对象：去年模拟对象掩盖了一次损坏的迁移。",
    "集成测试需要连接真实数据库，不要使用模拟对象，因为去年模拟对象掩盖了一次损坏的迁移。",
]


@pytest.mark.parametrize(
    "bodies", [CLUSTERS, RELEASES, SERVICES_ZH], ids=["clusters", "releases", "services"]
)
def test_facts_that_differ_are_noted_and_not_warned_of(tmp_path: Path, bodies: list[str]) -> None:
    assert jaccard_similarity(*bodies) >= THRESHOLD
    assert rules(tmp_path, *bodies) == {"same-but-numbers"}


@pytest.mark.parametrize("bodies", [TOLD_TWICE, TOLD_TWICE_ZH], ids=["en", "zh"])
def test_a_fact_told_twice_is_a_duplicate(tmp_path: Path, bodies: list[str]) -> None:
    assert rules(tmp_path, *bodies) == {"duplicate"}


def test_a_copy_among_texts_of_one_shape_is_found(tmp_path: Path) -> None:
    assert rules(tmp_path, *CLUSTERS, CLUSTERS[0]) == {"duplicate", "same-but-numbers"}


def test_the_note_is_a_note(tmp_path: Path) -> None:
    rules(tmp_path, *RELEASES)
    directory = Directory(tmp_path, convention=CLAUDE)
    directory.refresh()
    found = [f for f in Checker(directory, lang="zh").update(None) if f.rule == "same-but-numbers"]
    assert {(f.severity, f.slug) for f in found} == {(Severity.NOTE, "m0"), (Severity.NOTE, "m1")}
