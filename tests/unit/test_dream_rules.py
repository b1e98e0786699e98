"""Spec §15, dream without a model: what the rules propose, on what grounds, and that good memories are left alone."""

import datetime as dt
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.agent.dream_rules import suggestions
from memtui.agent.dream_suggestion import DreamInput, Passage, Suggestion
from memtui.demo import build_demo
from memtui.memory.checks.absolute_dates import find_relative, made_absolute
from memtui.memory.checks.claims import ProjectIndex
from memtui.memory.checks.findings import Checker
from memtui.memory.conventions import CLAUDE
from memtui.memory.directory.scan import Directory
from memtui.memory.document import frontmatter
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.types import Lang
from tests.unit import benign_memories

DAY = dt.date(2026, 3, 5)  # a Thursday
NOW = dt.datetime(2026, 3, 6, 12, tzinfo=dt.UTC).timestamp()
LONG = (
    "The grid of models is computed on the cluster with the pinned compiler, since another one changed the last digits "
    "of the mass loss, and nobody could say which of both was right. Runs are compared against the stored reference."
)


def absolute(text: str) -> str:
    return made_absolute(text, find_relative(text, DAY))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We met Ada yesterday.", "We met Ada on 2026-03-04."),
        ("Yesterday we chose Orion.", "On 2026-03-04 we chose Orion."),
        ("It is due by tomorrow.", "It is due by 2026-03-06."),
        ("The freeze starts next Thursday.", "The freeze starts on 2026-03-12."),
        ("Merged last Friday, reviewed this Monday.", "Merged on 2026-02-27, reviewed on 2026-03-02."),
        ("The review is the coming Monday.", "The review is 2026-03-09."),
        ("The launch moved to next week.", "The launch moved to the week of 2026-03-09."),
        ("Legal asked for it last month.", "Legal asked for it in 2026-02."),
        ("We ship it next quarter.", "We ship it in 2026-Q2."),
        ("The grant ends this year.", "The grant ends in 2026."),
        ("Bob left 2 days ago.", "Bob left on 2026-03-03."),
        ("Bob left a week ago.", "Bob left in the week of 2026-02-23."),
        ("Bob left three months ago.", "Bob left in 2025-12."),
        ("yesterday's decision stands", "2026-03-04's decision stands"),
        ("昨天决定改用猎户座。", "2026-03-04决定改用猎户座。"),
        ("下周四冻结合并，上周一已通知。", "2026-03-12冻结合并，2026-02-23已通知。"),
        ("上个月上线，去年立项。", "2026-02上线，2025 年立项。"),
        ("后天发布，3 天前评审过。", "2026-03-07发布，2026-03-02评审过。"),
        ("两周前迁移完成。", "2026-02-16 那一周迁移完成。"),
    ],
)
def test_a_day_is_written_out(text: str, wanted: str) -> None:
    assert absolute(text) == wanted
    assert find_relative(wanted, DAY) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Whoever is on call next week is named every Friday.",
        "Delete logs older than 3 days ago.",
        "删除 3 天前的日志。",
        "以后天天先跑测试。",
        "Never promise anything for tomorrow.",
        "Write dates out: words such as yesterday mean nothing later.",
        "The phrase 'next Thursday' is ambiguous.",
        "The cron line says `next friday`.",
        "```\nat tomorrow\n```",
        "Decided yesterday (2026-03-04).",
        "The freeze is next Thursday, March 12.",
        "A few days ago it was slow.",
        "next sprint we clean up",
        "如果下周还不行，就回滚。",
        "Reports compare the last month with the one before.",
        "Retention covers the past year; the next month starts a new file.",
        "If it fails, retry tomorrow.",
        "The last monday-style calendar was dropped.",
        "Use the last week's snapshot as the baseline, always.",
        "不要写“明天”这样的词。",
        "每个人下周都要轮换。",
        "They may join next year.",
    ],
)
def test_what_is_no_day_of_its_own_is_left_alone(text: str) -> None:
    assert absolute(text) == text


@given(st.text(), st.dates())
def test_nothing_else_of_a_text_changes(text: str, day: dt.date) -> None:
    found = find_relative(text, day)
    kept = [text[a.end : b.start] for a, b in zip((*found,), (*found[1:],), strict=False)]
    made = made_absolute(text, found)
    assert all(part in made for part in kept)
    assert (made == text) is (not found)


# -- memories -------------------------------------------------------------------------------------------------------------


class Store:
    """A memory directory on disk."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(
        self, slug: str, body: str, *, days_old: float = 1.0, dated: bool = True, **fields: str
    ) -> None:
        at = NOW - days_old * 86_400
        header = {"name": slug, "description": f"about {slug}", "type": "project", **fields}
        if dated:
            header["modified"] = dt.datetime.fromtimestamp(at, dt.UTC).isoformat()
        lines = "".join(f"{key}: {value}\n" for key, value in header.items() if value)
        path = self.root / f"{slug}.md"
        path.write_text(f"---\n{lines}---\n\n{body}\n", encoding="utf-8")
        os.utime(path, (at, at))

    def dream(self, project: Path | None = None, lang: Lang = "en") -> tuple[Suggestion, ...]:
        manager = MemoryManager.open(self.root, clock=lambda: NOW)
        index = ProjectIndex(project, clock=lambda: 0.0, skip=[self.root]) if project else None
        return suggestions(DreamInput(manager.entries(), NOW, dt.UTC, lang, index))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "memory").mkdir()
    return Store(tmp_path / "memory")


def test_days_count_from_when_the_memory_was_written(store: Store) -> None:
    store.write("freeze", "Intro.\n\nThe freeze starts next Thursday.", days_old=1.5)
    (made,) = store.dream()
    assert (made.rule, made.kind, made.slugs) == ("relative-date", "fix", ("freeze",))
    assert made.passages == (Passage("freeze.md", 10, "The freeze starts next Thursday."),)
    assert made.reason == "“next Thursday” is on 2026-03-12 (written on 2026-03-05)"
    before = (store.root / "freeze.md").read_bytes()
    assert made.data == before.replace(b"next Thursday", b"on 2026-03-12")


def test_the_days_of_a_description_are_written_out_too(store: Store) -> None:
    store.write(
        "orders", "Blocked until next Thursday.", days_old=1.5, description="blocked until next Thursday"
    )
    store.write("tax", "The text names no day at all.", days_old=1.5, description="due next Friday")
    one, other = store.dream()
    before = (store.root / "orders.md").read_bytes()
    assert one.data == before.replace(b"next Thursday", b"2026-03-12")
    assert one.passages[1] == Passage("orders.md", 3, "blocked until next Thursday")
    assert (other.rule, other.reason) == (
        "relative-date",
        "“next Friday” is on 2026-03-13 (written on 2026-03-05)",
    )
    assert other.data == (store.root / "tax.md").read_bytes().replace(b"next Friday", b"on 2026-03-13")


def test_a_line_counts_from_the_version_that_first_had_it(store: Store) -> None:
    store.write(
        "freeze", "The freeze starts next Thursday.", days_old=15, status="historical", superseded_by="freeze"
    )
    (store.root / "freeze.md").rename(store.root / "freeze_v1.md")
    store.write("freeze", "Two approvals are needed.\n\nThe freeze starts next Thursday.", days_old=0.5)
    (made,) = store.dream()
    assert b"The freeze starts on 2026-02-26." in made.data


def test_a_day_taken_from_the_files_own_time_is_said_so(store: Store) -> None:
    store.write("freeze", "The freeze starts next Thursday.", days_old=1.5, dated=False)
    (made,) = store.dream()
    assert "the file's own time" in made.reason
    assert "“next Thursday” 即" in store.dream(lang="zh")[0].reason


def test_doubles_are_merged_into_the_newest_and_no_line_is_lost(store: Store) -> None:
    store.write("old-grid", f"{LONG}\nOnly here: ask Ada.", days_old=9)
    store.write("grid", LONG, days_old=2)
    store.write("other", "Dashboards are in Grafana, folder pipelines.")
    (made,) = store.dream()
    assert (made.rule, made.kind, made.slugs) == ("duplicate", "merge", ("grid", "old-grid"))
    assert "Only here: ask Ada." in made.content
    assert made.content.count("pinned compiler") == 1
    assert [passage.rel for passage in made.passages] == ["grid.md", "old-grid.md"]


def test_two_facts_of_one_form_are_no_doubles(store: Store) -> None:
    store.write("node-1", f"{LONG} The node has 64 GB and the address 10.0.0.1.")
    store.write("node-2", f"{LONG} The node has 96 GB and the address 10.0.0.2.")
    assert store.dream() == ()


TEMPLATES = [
    (
        "{a} migration",
        "The {a} migration to Postgres 29 is blocked by the vendor.",
        ("queue", "auth", "tax"),
        (),
    ),
    (
        "{a} review zh",
        "评审{z}改动时先看幂等，再看迁移。",
        ("queue", "tax", "cart"),
        ("队列", "报表", "搜索"),
    ),
    (
        "{a} retry zh",
        "{z}的重试最多 3 次并带抖动，因为上游会封禁突发请求。\n\n**原因：** 三月的事故。",
        ("tax", "reports"),
        ("税费", "报表"),
    ),
    (
        "{a} logging",
        "{z}事件按 JSON 记录，不要用 print。\n\nSee also [[{a}-owner]].",
        ("orders", "tax"),
        ("订单", "税费"),
    ),
    (
        "{a}-data",
        "Fixtures for {a} live in `fixtures/{a}.json`; use `make fix-{a}`.",
        ("reports", "reviews"),
        (),
    ),
]


@pytest.mark.parametrize(("name", "text", "subjects", "words"), TEMPLATES)
def test_what_is_said_alike_of_different_subjects_is_not_merged(
    store: Store, name: str, text: str, subjects: tuple[str, ...], words: tuple[str, ...]
) -> None:
    for subject, word in zip(subjects, words or subjects, strict=True):
        slug = name.format(a=subject).replace(" ", "-")
        store.write(slug, text.format(a=subject, z=word), description="one description for all")
    assert store.dream() == ()
    directory = Directory(store.root, convention=CLAUDE, clock=lambda: NOW)
    directory.refresh()
    found = Checker(directory, clock=lambda: NOW).update(None)
    assert {each.rule for each in found} & {"duplicate", "same-but-numbers"} == {"same-but-numbers"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            ("zh-commit", "提交信息必须用英文，标题不超过五十个字符。"),
            ("zh-commit-2", "提交信息必须用英文写，标题不超过五十个字符。"),
        ),
        (("test-database", f"{LONG} Ask Ada."), ("test-grid", f"{LONG} Ask Ada first, then Bob.")),
        (("deploy-old", f"{LONG} It is deployed."), ("deploy-new", f"{LONG} It is released.")),
    ],
)
def test_doubles_with_names_alike_are_merged(
    store: Store, one: tuple[str, str], other: tuple[str, str]
) -> None:
    store.write(*one)
    store.write(*other, days_old=5)
    (made,) = store.dream()
    assert set(made.slugs) == {one[0], other[0]}


def test_two_facts_are_not_merged_because_a_third_text_is_like_both(store: Store) -> None:
    store.write("blue-node", f"{LONG} The node has 64 GB and the address 10.0.0.1.", days_old=1)
    store.write("green-node", f"{LONG} The node has 96 GB and the address 10.0.0.2.", days_old=2)
    store.write("node", LONG, days_old=3)
    (made,) = store.dream()
    assert len(made.slugs) == 2
    assert "node" in made.slugs


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("报表的重试最多三次并带抖动，因为上游会封禁。", "税费的重试最多三次并带抖动，因为上游会封禁。", 2),
        ("提交信息必须用英文，标题不超过五十个字符。", "提交信息必须用英文写，标题不超过五十个字符。", 1),
        (
            "Deploy the whole grid on Fridays before noon, says Ada.",
            "Never deploy the whole grid on Fridays before noon, says Ada.",
            2,
        ),
        (
            "Deploy the whole grid on Fridays before noon, says Ada.",
            "Deploy the whole big grid on Fridays before noon, says Ada.",
            1,
        ),
    ],
)
def test_a_merge_leaves_out_only_what_another_line_says_whole(
    store: Store, one: str, other: str, wanted: int
) -> None:
    store.write("first", f"{LONG}\n{one}", days_old=1)
    store.write("second", f"{LONG}\n{other}", days_old=2)
    (made,) = store.dream()
    lines = [line for line in made.content.splitlines() if line and line != LONG]
    assert lines == ([one, other] if wanted == 2 else [max(one, other, key=len)])


def test_a_private_memory_is_never_merged_with_the_teams(store: Store) -> None:
    (store.root / "team").mkdir()
    store.write("grid", LONG)
    store.write("team/grid", LONG)
    assert store.dream() == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "This replaces [[old-rule]].",
        "Since the audit, [[old-rule]] is no longer valid.",
        "[[old-rule|the old rule]] is obsolete.",
        "本条取代 [[old-rule]]。",
        "[[old-rule]] 已过时。",
    ],
)
def test_a_memory_that_another_gives_up_becomes_its_old_version(store: Store, sentence: str) -> None:
    store.write("old-rule", "Deploy on Tuesdays after the stand-up.", days_old=40)
    store.write("new-rule", f"Deploy on Mondays, before noon. {sentence}", days_old=2)
    (made,) = store.dream()
    assert (made.rule, made.kind, made.slugs) == ("superseded", "merge", ("new-rule", "old-rule"))
    assert made.content.strip() == f"Deploy on Mondays, before noon. {sentence}"
    assert made.passages[0].rel == "new-rule.md"


@pytest.mark.parametrize(
    "sentence",
    [
        "This does not mean that it replaces [[old-rule]].",
        "If approved, this replaces [[old-rule]].",
        "See [[old-rule]].",
        "Write `replaces [[old-rule]]` in the header.",
        "[[old-rule]] still holds, and is no longer disputed.",
        "如果批准，本条取代 [[old-rule]]。",
    ],
)
def test_a_link_without_such_a_word_gives_nothing_up(store: Store, sentence: str) -> None:
    store.write("old-rule", "Deploy on Tuesdays after the stand-up.", days_old=40)
    store.write("new-rule", f"Deploy on Mondays, before noon. {sentence}", days_old=2)
    assert store.dream() == ()


def test_an_older_memory_cannot_take_the_place_of_a_newer_one(store: Store) -> None:
    store.write("new-rule", "Deploy on Tuesdays after the stand-up.", days_old=2)
    store.write("old-rule", "Deploy on Mondays. This replaces [[new-rule]].", days_old=40)
    assert store.dream() == ()


def test_what_is_old_and_names_only_what_is_gone_is_forgotten(store: Store, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "there.py").write_text("def there(): ...\n")
    gone = "The loader is in `src/loader.py`, and `src/old_cache.py` feeds it."
    store.write("gone", gone, days_old=40)
    store.write("recent", "Caches are rebuilt by `src/new_cache.py` and `src/warm.py`.", days_old=3)
    store.write("half", "The loader is in `src/loader.py`, called by `src/there.py`.", days_old=40)
    store.write("single", "The one script is `tools/build.sh`.", days_old=40)
    found = [made for made in store.dream(project) if made.rule == "stale"]
    assert [(made.kind, made.slugs) for made in found] == [("forget", ("gone",))]
    assert "src/loader.py" in found[0].reason
    assert [made for made in store.dream() if made.rule == "stale"] == []


def test_a_link_to_a_misspelt_or_merged_memory_is_repointed(store: Store) -> None:
    store.write("release-process", "Cut the branch, then tag it.")
    store.write("was-here", "An older text.", status="historical", superseded_by="release-process")
    (store.root / "was-here.md").rename(store.root / "was-here_v1.md")
    store.write("notes", "See [[release-proces]] and [[was-here|this]], and [[something-to-come]].")
    (made,) = store.dream()
    assert made.rule == "dangling-link"
    assert b"See [[release-process]] and [[release-process|this]], and [[something-to-come]]." in made.data


def test_a_link_that_differs_in_a_number_is_another_memory_to_come(store: Store) -> None:
    store.write("grid-run-3", "The third run uses the new opacities.")
    store.write("notes", "See [[grid-run-4]].")
    assert store.dream() == ()


def test_no_memory_is_in_two_proposals(store: Store) -> None:
    store.write("one", f"{LONG} Decided yesterday.", days_old=3)
    store.write("two", f"{LONG} Decided yesterday.", days_old=4)
    found = store.dream()
    slugs = [slug for made in found for slug in made.slugs]
    assert len(slugs) == len(set(slugs)) == 2


def test_good_memories_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    benign_memories.write(folder, benign_memories.samples(90))
    assert Store(folder).dream() == ()


def test_of_the_sample_only_its_planted_faults_are_found(tmp_path: Path) -> None:
    paths = build_demo(tmp_path / "demo", NOW)
    found = Store(paths.memory_dir).dream(paths.project_root)
    assert [(made.rule, made.kind, made.slugs) for made in found] == [
        ("duplicate", "merge", ("mesa-version", "mesa_version_pinned")),
        ("stale", "forget", ("light-curves",)),
        ("relative-date", "fix", ("data-release-checklist",)),
    ]


def test_a_fix_writes_what_the_header_says_unchanged(store: Store) -> None:
    store.write("freeze", "Due tomorrow.\r\nBye.", days_old=1.5)
    (made,) = store.dream()
    old, new = frontmatter.read((store.root / "freeze.md").read_bytes()), frontmatter.read(made.data)
    assert (old.name, old.description, old.type_text) == (new.name, new.description, new.type_text)
