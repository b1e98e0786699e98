"""The sample that ``memtui demo`` opens: believable, full of what people meet, and never older than it means to be."""

import re
import tomllib
from datetime import UTC
from importlib import resources
from pathlib import Path

import pytest

from memtui.agent.daily_log import DailyLog
from memtui.claude.paths import project_memory_dir, project_of
from memtui.claude.receipt_values import LoadState
from memtui.claude.usage import UsageReader
from memtui.demo import DemoPaths, build_demo
from memtui.memory.age import memory_age_days
from memtui.memory.checks.claims import extract_claims, verify_claims
from memtui.memory.conventions import CLAUDE
from memtui.memory.decay import Tier, activation_tier
from memtui.memory.directory.scan import Directory
from memtui.memory.doubles.dedup import duplicate_clusters
from memtui.memory.errors import Refused, UsageError
from memtui.memory.index.lines import parse_index
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.quality import TooShort, TransientState, VagueLanguage, quality_findings
from memtui.memory.review.proposal_checks import check_texts
from memtui.memory.review.proposals import Inbox
from memtui.memory.review.unreviewed import Unreviewed
from memtui.memory.review.visits import Visits
from memtui.memory.types import MemoryEntry, MemoryType, Severity
from memtui.memory.versions.history import versions_of

NOW = 1_780_000_000.0


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoPaths:
    return build_demo(tmp_path_factory.mktemp("demo"), NOW)


@pytest.fixture(scope="module")
def directory(demo: DemoPaths) -> Directory:
    found = Directory(demo.memory_dir, clock=lambda: NOW)
    found.refresh()
    return found


@pytest.fixture(scope="module")
def active(directory: Directory) -> list[MemoryEntry]:
    return [entry for entry in directory.entries if entry.is_active]


def test_it_is_a_claude_store_of_its_project(demo: DemoPaths, directory: Directory) -> None:
    assert directory.convention is CLAUDE
    assert project_of(demo.memory_dir) == demo.project_root
    base = demo.memory_dir.parents[2]
    environ = {"CLAUDE_CONFIG_DIR": str(base)}
    assert (
        project_memory_dir(demo.project_root, environ=environ, home=Path("/nowhere")).path == demo.memory_dir
    )


def test_it_holds_about_25_memories_of_all_types_and_tiers_in_two_languages(
    active: list[MemoryEntry],
) -> None:
    assert 25 <= len(active) <= 32
    assert {entry.memory_type for entry in active} == set(MemoryType)
    assert {activation_tier(entry.modified, NOW) for entry in active} == set(Tier)
    chinese = [entry for entry in active if re.search("[\u4e00-\u9fff]{8}", entry.content)]
    assert 5 <= len(chinese) <= 8


def test_every_file_reads_as_written(active: list[MemoryEntry]) -> None:
    for entry in active:
        assert entry.name != entry.slug.rpartition("/")[2]
        assert entry.description
        assert "{modified}" not in entry.content
        assert "{day" not in entry.content + entry.description


def test_one_header_is_no_yaml_and_reads_as_meant(active: list[MemoryEntry]) -> None:
    odd = [entry for entry in active if entry.problems]
    assert [entry.slug for entry in odd] == ["feedback_units"]
    assert odd[0].description.startswith("Units: cgs inside MESA")
    assert odd[0].memory_type is MemoryType.FEEDBACK


def test_ages_count_from_now(demo: DemoPaths, directory: Directory) -> None:
    ages = {entry.slug: memory_age_days(entry.modified, NOW) for entry in directory.entries}
    assert (ages["feedback-seed-every-run"], ages["user-role"], ages["scratch_quota"]) == (0, 3, 236)
    assert (ages["user-role_v1"], ages["grid-3_v2"]) == (420, 38)
    assert max(entry.modified for entry in directory.entries) <= NOW
    assert all(abs(entry.mtime - entry.modified) < 1 for entry in directory.entries)


def test_dates_in_the_texts_count_from_now(active: list[MemoryEntry]) -> None:
    deadline = next(entry for entry in active if entry.slug == "paper-deadline")
    assert "Draft to the co-authors on 2026-06-09" in deadline.content
    assert "2026-06-09" in deadline.description


def test_every_part_of_the_sample_has_an_age() -> None:
    sample = resources.files("memtui.demo") / "sample"
    ages = tomllib.loads((sample / "manifest.toml").read_text(encoding="utf-8"))
    root = Path(str(sample))
    for part in ("memory", "history"):
        found = {
            path.relative_to(root / part).with_suffix("").as_posix() for path in (root / part).rglob("*.md")
        }
        assert set(ages[part]) == found


def test_old_versions_have_their_memory(directory: Directory) -> None:
    counts = {
        slug: len(versions_of(slug, directory.entries)) for slug in ("user-role", "grid-3", "paper-deadline")
    }
    assert counts == {"user-role": 3, "grid-3": 3, "paper-deadline": 2}
    old = [entry for entry in directory.entries if not entry.is_active]
    assert len(old) == 9
    assert all(entry.superseded_by and directory.get(entry.superseded_by) for entry in old)


def test_one_pair_says_nearly_the_same(active: list[MemoryEntry]) -> None:
    assert [set(cluster) for cluster in duplicate_clusters(active)] == [
        {"mesa-version", "mesa_version_pinned"}
    ]


def test_the_index_names_one_file_that_is_gone_and_misses_one_that_is_there(
    directory: Directory, active: list[MemoryEntry]
) -> None:
    named = {entry.rel for entry in parse_index(directory.index_text).entries}
    there = {entry.rel for entry in active}
    assert named - there == {"time-on-the-4m.md"}
    assert there - named == {"julia-on-the-cluster.md"}


def test_some_are_vague_or_short(active: list[MemoryEntry]) -> None:
    by_kind = {
        kind: {e.slug for e in active if any(isinstance(f.check, kind) for f in quality_findings(e.content))}
        for kind in (TooShort, TransientState, VagueLanguage)
    }
    assert by_kind[TooShort] == {"todo-dust"}
    assert by_kind[VagueLanguage] == {"extinction-orion"}
    assert by_kind[TransientState] == {"extinction-orion"}


def test_wiki_links_form_a_net_that_resolves(directory: Directory, active: list[MemoryEntry]) -> None:
    stems = {entry.slug.rpartition("/")[2] for entry in active}
    links = [link for entry in active for link in re.findall(r"\[\[([^\]|]+)", entry.content)]
    assert len(links) >= 15
    assert set(links) <= stems


def test_it_names_things_of_its_project_and_two_that_have_gone(
    demo: DemoPaths, active: list[MemoryEntry]
) -> None:
    verdicts = [
        (entry.slug, verdict)
        for entry in active
        for verdict in verify_claims(extract_claims(entry.content), demo.project_root)
    ]
    gone = {(slug, verdict.claim.text) for slug, verdict in verdicts if verdict.found is False}
    assert gone == {
        ("light-curves", "scripts/make_lightcurves.sh"),
        ("light-curves", "subtract_running_median()"),
    }
    assert sum(verdict.found is True for _, verdict in verdicts) >= 20


def test_the_project_it_ships_is_small(demo: DemoPaths) -> None:
    sizes = [path.stat().st_size for path in demo.project_root.rglob("*") if path.is_file()]
    assert len(sizes) >= 10
    assert sum(sizes) < 50_000


def test_it_holds_no_secret(demo: DemoPaths) -> None:
    shape = re.compile(r"(?i)password|api[_-]?key|secret|token|BEGIN [A-Z ]*KEY|[A-Za-z0-9+/]{40,}")
    for path in demo.memory_dir.parents[3].rglob("*"):
        if path.is_file() and not {".memtui", ".local"} & set(path.parts):  # what memtui keeps holds digests
            assert not shape.search(path.read_text(encoding="utf-8")), path


def test_proposals_of_every_kind_wait_one_of_them_with_a_warning_and_some_with_what_was_said(
    demo: DemoPaths,
) -> None:
    manager = MemoryManager.open(demo.memory_dir, clock=lambda: NOW, project_root=demo.project_root)
    waiting = Inbox(manager).pending()
    assert {proposal.kind for proposal in waiting} == {"create", "fix", "merge", "forget"}
    assert {proposal.source for proposal in waiting} == {"extraction", "dream"}
    for proposal in waiting:
        assert proposal.evidence
        assert proposal.at < NOW
        for passage in proposal.evidence:
            said = (demo.memory_dir / passage.transcript).read_text("utf-8").splitlines()[passage.line - 1]
            assert passage.quote in said
    warned = {
        proposal.main.slug
        for proposal in waiting
        for report in check_texts(manager, proposal).values()
        if any(finding.severity is not Severity.NOTE for finding in report.findings)
    }
    assert warned == {"end-every-log-with-its-seed-as-scripts-tail-log-jl-does"}


def test_an_agent_changed_two_since_the_last_visit_and_days_have_logs(demo: DemoPaths) -> None:
    manager = MemoryManager.open(demo.memory_dir, clock=lambda: NOW)
    found = Unreviewed(manager, Visits(demo.state_dir, demo.memory_dir)).changes()
    assert {(change.kind, change.slug) for change in found} == {
        ("new", "todo-dust"),
        ("edited", "feedback-seed-every-run"),
    }
    assert all(change.revertible for change in found)
    assert len(DailyLog(manager.folder, clock=lambda: NOW, zone=UTC).days()) == 3


def test_it_is_only_written_to_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(UsageError, match="not empty"):
        build_demo(tmp_path, NOW)
    with pytest.raises(UsageError, match="not a folder"):
        build_demo(tmp_path / "mine.txt", NOW)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(Refused, match="could not be written"):
        build_demo(Path("/proc/memtui-demo"), NOW)


def test_transcripts_tell_every_state_and_use_of_memories_that_are_there(
    demo: DemoPaths, directory: Directory
) -> None:
    """Nothing of it lies ahead, or so far back that the client would have deleted it."""
    home = demo.memory_dir.parents[3]
    reader = UsageReader(demo.memory_dir, environ={}, home=home, state_dir=None, cwd=demo.project_root)
    report = reader.update()
    reader.close()
    assert {session.state for session in report.sessions} == set(LoadState)
    assert sum(len(session.claims) for session in report.sessions) == 1
    assert sum(session.skipped for session in report.sessions) == 0
    known = {entry.rel: entry for entry in directory.entries if entry.is_active}
    used = {rel: report.of(rel) for rel in known}
    assert sum(memory.reads > 0 for memory in used.values()) >= 8
    assert sum(memory.citations > 0 for memory in used.values()) >= 5
    assert sum(memory.last_used is None for memory in used.values()) >= 8
    for session in report.sessions:
        assert session.started is not None
        assert session.last is not None
        assert NOW - 30 * 86_400 < session.started <= session.last <= NOW
    for rel, memory in used.items():
        assert memory.last_used is None or memory.last_used <= NOW, rel
        for writer in memory.written_by:
            assert writer.at is not None
            assert abs(writer.at - known[rel].modified) < 86_400, rel
    told = tomllib.loads((resources.files("memtui.demo") / "sample" / "sessions.toml").read_text("utf-8"))
    named = {
        name
        for session in told["session"]
        for turn in session["turn"]
        for step in turn["steps"]
        for name in (step[1:-1] if step[0] == "cites" else step[1:] if step[0] in ("reads", "writes") else [])
    }
    assert {f"{name}.md" for name in named} <= known.keys()
