"""Spec §2: which convention a directory follows, and where its old versions lie."""

from pathlib import PurePosixPath

import pytest

from memtui.memory.conventions import CLAUDE, LIBRARY, Convention, detect


@pytest.mark.parametrize(
    ("path", "shapes", "expected"),
    [
        ("/home/ada/.claude/projects/-home-ada-lab/memory", [False, False], CLAUDE),
        ("/home/ada/.claude/agent-memory/reviewer", [], CLAUDE),
        ("/home/ada/lab/.claude/agent-memory-local/reviewer", [False], CLAUDE),
        ("/home/ada/library/memory", [], LIBRARY),
        ("/home/ada/library/memory", [True, True, False, None], CLAUDE),
        ("/home/ada/library/memory", [True, False], LIBRARY),
        ("/home/ada/projects/memory", [None, None], LIBRARY),
    ],
)
def test_spec_2_a_claude_place_or_mostly_nested_headers_make_it_claude(
    path: str, shapes: list[bool | None], expected: Convention
) -> None:
    assert detect(PurePosixPath(path), shapes) is expected


def test_spec_2_old_versions_stand_beside_or_out_of_the_clients_sight() -> None:
    assert LIBRARY.archive_rel("sub/a", 2) == "sub/a_v2.md"
    assert CLAUDE.archive_rel("sub/a", 2) == ".memtui/history/sub/a_v2.md"
