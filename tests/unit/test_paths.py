"""Spec §15: which folder holds a project's memories. Every rule was measured against the released client."""

import json
import subprocess
import unicodedata
from pathlib import Path

import pytest

from memtui.claude.paths import (
    MAX_SLUG_UNITS,
    main_checkout,
    memory_candidates,
    project_memory_dir,
    project_of,
    project_slug,
    store_folder,
)


def git(*words: str, at: Path) -> None:
    names = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *names, *words], cwd=at, check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    path = tmp_path / "repo.x"
    path.mkdir()
    git("init", "-q", at=path)
    git("commit", "-q", "--allow-empty", "-m", "first", at=path)
    return path


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("/Users/me/proj/.worktrees/2573", "-Users-me-proj--worktrees-2573"),
        ("D:\\Projects\\大明科技", "D--Projects-----"),
        ("/home/u/🚀app", "-home-u---app"),
        ("/home/u/a_b.c d", "-home-u-a-b-c-d"),
        ("/home/u/caf\u00e9", "-home-u-caf-"),
        ("/home/u/٣Ⅳ", "-home-u---"),
        ("/", "-"),
    ],
)
def test_spec_15_slug_replaces_every_utf16_unit_outside_ascii_letters_and_digits(
    path: str, slug: str
) -> None:
    assert project_slug(path) == slug


def test_spec_15_subfolder_and_link_lead_to_the_checkout(repo: Path, tmp_path: Path) -> None:
    (repo / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(repo)
    assert main_checkout(repo / "sub" / "deep") == repo
    assert main_checkout(tmp_path / "link" / "sub") == repo


def test_spec_15_worktree_resolves_to_the_main_checkout(repo: Path, tmp_path: Path) -> None:
    git("worktree", "add", "-q", str(tmp_path / "tree"), at=repo)
    (tmp_path / "tree" / "in").mkdir()
    assert main_checkout(tmp_path / "tree" / "in") == repo


def test_spec_15_worktree_with_relative_pointers(repo: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    git("worktree", "add", "-q", str(tree), at=repo)
    (tree / ".git").write_text("gitdir: ../repo.x/.git/worktrees/tree\r\n")
    (repo / ".git" / "worktrees" / "tree" / "gitdir").write_text("../../../../tree/.git\n")
    assert main_checkout(tree) == repo


def test_spec_15_worktree_of_a_bare_repository_is_keyed_by_the_repository(repo: Path, tmp_path: Path) -> None:
    git("clone", "-q", "--bare", str(repo), str(tmp_path / "bare.git"), at=tmp_path)
    git("worktree", "add", "-q", str(tmp_path / "tree"), at=tmp_path / "bare.git")
    assert main_checkout(tmp_path / "tree") == tmp_path / "bare.git"


def test_spec_15_submodule_is_a_project_of_its_own(repo: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git("init", "-q", at=outer)
    git("submodule", "add", "-q", str(repo), "mod", at=outer)
    assert main_checkout(outer / "mod") == outer / "mod"


def test_a_lone_git_file_does_not_borrow_the_memories_of_another_project(repo: Path, tmp_path: Path) -> None:
    git("worktree", "add", "-q", str(tmp_path / "tree"), at=repo)
    thief = tmp_path / "thief"
    thief.mkdir()
    (thief / ".git").write_text(f"gitdir: {repo}/.git/worktrees/tree\n")
    assert main_checkout(thief) == thief


@pytest.mark.parametrize(
    "text", ["", "gitdir:", "gitdir: nowhere", "hello", "gitdir: \0", "gitdir: " + "x" * 9000]
)
def test_odd_git_files_mean_the_folder_itself(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    assert main_checkout(tmp_path) == tmp_path


def test_a_loop_of_links_in_git_files_means_the_folder_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / ".git").write_text("gitdir: loop/worktrees/x")
    assert main_checkout(tmp_path) == tmp_path
    assert project_of(tmp_path / "loop" / "memory") is None


def test_outside_git_the_directory_itself_is_the_project(tmp_path: Path) -> None:
    assert main_checkout(tmp_path) == tmp_path


def test_spec_15_order_of_places(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)
    (home / ".claude" / "settings.json").write_text(json.dumps({"autoMemoryDirectory": "~/mine"}))
    environ = {"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": f"{tmp_path}/x/../over/"}
    found = memory_candidates(tmp_path, environ=environ, home=home)
    slug = project_slug(str(tmp_path))
    assert [place.path for place in found] == [
        tmp_path / "over",
        home / "mine",
        home / ".claude" / "projects" / slug / "memory",
    ]
    assert found[0].rule == "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
    assert not any(place.exists for place in found)
    assert project_memory_dir(tmp_path, environ=environ, home=home) == found[0]


@pytest.mark.parametrize("value", ["~/over", "over/x", "", "/", "a\0b"])
def test_spec_15_override_must_be_absolute(tmp_path: Path, value: str) -> None:
    found = memory_candidates(tmp_path, environ={"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": value}, home=tmp_path)
    assert [place.rule for place in found] == [f"the project {tmp_path}"]


@pytest.mark.parametrize(
    "text",
    [
        '{"autoMemoryDirectory": "relative/x"}',
        '{"autoMemoryDirectory": "~"}',
        '{"autoMemoryDirectory": "/"}',
        '{"autoMemoryDirectory": 3}',
        "[1]",
        "{not json",
        "[" * 100_000,
    ],
)
def test_settings_that_name_no_folder_are_passed_over(tmp_path: Path, text: str) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text(text)
    assert len(memory_candidates(tmp_path, environ={}, home=tmp_path)) == 1


def test_a_projects_own_settings_are_not_trusted(tmp_path: Path) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    for name in ("settings.json", "settings.local.json"):
        (project / ".claude").mkdir(parents=True, exist_ok=True)
        (project / ".claude" / name).write_text(json.dumps({"autoMemoryDirectory": "/elsewhere"}))
    assert len(memory_candidates(project, environ={}, home=home)) == 1


@pytest.mark.parametrize(
    ("environ", "base"),
    [
        ({}, "home/.claude"),
        ({"CLAUDE_CONFIG_DIR": "{tmp}/cfg"}, "cfg"),
        ({"CLAUDE_CODE_REMOTE_MEMORY_DIR": "{tmp}/rem", "CLAUDE_CONFIG_DIR": "{tmp}/cfg"}, "rem"),
    ],
)
def test_spec_15_base(tmp_path: Path, environ: dict[str, str], base: str) -> None:
    given = {key: value.format(tmp=tmp_path) for key, value in environ.items()}
    found = project_memory_dir(tmp_path, environ=given, home=tmp_path / "home")
    assert found.path == tmp_path / base / "projects" / project_slug(str(tmp_path)) / "memory"


def test_spec_15_a_long_path_matches_an_existing_folder_by_its_first_200(tmp_path: Path) -> None:
    project = Path("/home/u", *(["长" * 40] * 6))
    begin = project_slug(str(project))[:MAX_SLUG_UNITS]
    assert store_folder(tmp_path, project) == tmp_path / begin
    (tmp_path / f"{begin}-zz").mkdir()
    assert store_folder(tmp_path, project) == tmp_path / f"{begin}-zz"
    (tmp_path / f"{begin}-zzz" / "memory").mkdir(parents=True)
    assert store_folder(tmp_path, project) == tmp_path / f"{begin}-zzz"


def test_a_decomposed_name_finds_the_folder_of_either_form(tmp_path: Path) -> None:
    """The client on Linux keeps the bytes of the path; elsewhere it was seen to compose them first."""
    project = Path("/home/u") / unicodedata.normalize("NFD", "café")
    composed, as_is = tmp_path / "-home-u-caf-", tmp_path / "-home-u-cafe-"
    assert store_folder(tmp_path, project) == composed
    as_is.mkdir()
    assert store_folder(tmp_path, project) == as_is
    composed.mkdir()
    assert store_folder(tmp_path, project) == composed


def test_project_of_a_store(tmp_path: Path) -> None:
    project = tmp_path / "my.project" / "a b"
    project.mkdir(parents=True)
    store = store_folder(tmp_path / "projects", project) / "memory"
    store.mkdir(parents=True)
    assert project_of(store) == project


def test_project_of_is_none_when_two_projects_share_the_slug_unless_one_is_here(tmp_path: Path) -> None:
    one, two = tmp_path / "a.b", tmp_path / "a-b"
    one.mkdir()
    two.mkdir()
    store = store_folder(tmp_path / "projects", one) / "memory"
    store.mkdir(parents=True)
    assert project_of(store) is None
    assert project_of(store, cwd=two) == two


def test_project_of_other_folders_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    assert project_of(tmp_path / "memory") is None
    gone = tmp_path / "projects" / "-no-such-place-anywhere" / "memory"
    gone.mkdir(parents=True)
    assert project_of(gone) is None
