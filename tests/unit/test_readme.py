"""The README tells the truth: commands, keys, settings, public names."""

from __future__ import annotations

import inspect
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

import memtui
from memtui.guide import TOPICS, page
from memtui.settings_schema import SETTINGS
from tests.api_page import fields, given_back, members, public_names
from tests.messages_server import MessagesServer, calls, text, tool_use
from tests.readme import BLOCKS, GUIDE, block, pages

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LIBRARY = page("library")


@pytest.mark.parametrize("name", BLOCKS)
def test_what_is_made_from_the_program_is_current(name: str) -> None:
    path, start, end = block(name)
    assert path.read_text(encoding="utf-8")[start:end] == BLOCKS[name](), "run: python -m tests.readme"


def test_every_command_is_named() -> None:
    help_text = subprocess.run(
        [sys.executable, "-m", "memtui", "--help"], capture_output=True, text=True, check=True
    ).stdout
    commands = re.findall(r"^  ([a-z-]+)  ", help_text.split("Commands:")[1], re.MULTILINE)
    assert len(commands) > 10
    told = page("commands")
    assert [name for name in commands if not re.search(rf"`(memtui )?{name}\b|, `{name}\b", told)] == []


def test_every_page_of_the_manual_is_there_is_linked_and_leads_somewhere() -> None:
    there = {path.stem for path in GUIDE.glob("*.md")}
    assert there == set(TOPICS)
    assert set(re.findall(r"\(memtui/guide/([a-z-]+)\.md\)", README)) == there
    for path, said in pages().items():
        for target in re.findall(r"\]\(([^)#:]+)\)", re.sub(r"```.*?```|`[^`]*`", "", said, flags=re.DOTALL)):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def part(of: str, heading: str) -> str:
    return of.split(f"## {heading}", 1)[1].split("\n## ", 1)[0]


def test_the_page_on_the_inside_names_every_part_and_every_module_of_the_memory_system() -> None:
    root = Path(memtui.__file__).parent
    parts = {each.name for each in root.iterdir() if each.suffix == ".py" or (each / "__init__.py").exists()}
    floors = re.findall(r"`(\w+(?:\.py|/))`", part(page("inside"), "The floors"))
    assert sorted(floors) == sorted(
        f"{name}/" if "." not in name else name for name in parts - {"__init__.py"}
    )
    inside = part(page("inside"), "What is in `memory/`")
    folders = {each.parent.name for each in (root / "memory").glob("*/__init__.py")}
    assert sorted(re.findall(r"^\| `(\w+)/` \|", inside, re.MULTILINE)) == sorted(folders)
    for row in inside.splitlines():
        if folder := re.match(r"\| `(\w+)/` \|", row):
            held = {each.stem for each in (root / "memory" / folder[1]).glob("*.py")} - {"__init__"}
            named = set(re.findall(r"`(\w+)`", row.rsplit("| ", 1)[1]))
            assert named == held or (folder[1] == "wording" and named < held)
    alone = inside.split("by themselves:", 1)[1]
    assert sorted(set(re.findall(r"`(\w+)`", alone))) == sorted(
        {each.stem for each in (root / "memory").glob("*.py")} - {"__init__"}
    )


def test_the_page_on_the_inside_names_nothing_that_is_gone() -> None:
    root = Path(memtui.__file__).parent
    paths = re.findall(r"`([a-z_*]+(?:/[a-z_*]+)+)(?:\.py|\.[a-zA-Z.]+)?/?`", page("inside"))
    assert len(paths) > 20
    assert [
        path for path in paths if not any(list(at.glob(f"{path.rstrip('*')}*")) for at in (root, root.parent))
    ] == []


def test_every_full_name_in_pages_and_docstrings_leads_somewhere() -> None:
    root = Path(memtui.__file__).parent
    code = [path.read_text(encoding="utf-8") for path in root.rglob("*.py")]
    named = {
        name for said in [*code, *pages().values()] for name in re.findall(r"`(memtui(?:\.\w+)+)`", said)
    }
    floors = "|".join(each.parent.name for each in root.glob("*/__init__.py"))
    named |= {f"memtui.{name}" for said in code for name in re.findall(rf"`((?:{floors})(?:\.\w+)+)`", said)}
    assert len(named) > 30
    gone = []
    for name in sorted(named):
        try:
            pkgutil.resolve_name(name)
        except (ImportError, AttributeError):
            gone.append(name)
    assert gone == []


def test_every_setting_is_in_its_table() -> None:
    assert [row.key for row in SETTINGS if f"| `{row.key}` |" not in BLOCKS["settings"]()] == []


@pytest.mark.parametrize("name", memtui.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(memtui, name)
    assert value is not None
    if callable(value):
        assert value.__doc__


def functions() -> dict[str, FunctionType]:
    found: dict[str, FunctionType] = {}
    for name in public_names():
        value = getattr(memtui, name)
        if isinstance(value, FunctionType):
            found[name] = value
        elif isinstance(value, type):
            found |= {f"{name}.{member}": function for member, function in members(value)}
    return found


def test_every_parameter_of_what_is_public_is_explained() -> None:
    unsaid = {
        f"{name}({parameter})"
        for name, function in functions().items()
        for parameter in inspect.signature(function).parameters
        if parameter not in {"self", "cls"} and not re.search(rf"\b{parameter}\b", function.__doc__ or "")
    }
    assert len(functions()) > 60
    assert unsaid == set()


def test_every_value_in_what_is_public_is_explained() -> None:
    classes = [value for name in public_names() if isinstance(value := getattr(memtui, name), type)]
    known = [(made, field) for made in (*classes, *given_back()) for field in fields(made)]
    assert len(known) > 100
    unsaid = {
        f"{made.__name__}.{field}"
        for made, field in known
        if not any(f"{field}: " in (base.__doc__ or "") for base in made.__mro__)
    }
    assert unsaid == set()


DESIGNED = """
MemoryManager MemoryEntry MemoryType MemoryStatus SaveResult Conflict parse_frontmatter check_content_quality
quality_findings jaccard_similarity find_duplicate_by_content duplicate_clusters memory_age_days memory_age_label
memory_freshness_text memory_freshness_note decay_score activation_tier apply_decay_scoring truncate_entrypoint
slug_exists build_manifest_preview SelectionContext find_relevant_memories assemble_system_prompt SAVE_MEMORY_TOOL
WHAT_NOT_TO_SAVE VERIFY_BEFORE_RECOMMENDING MEMORY_DRIFT_CAVEAT
"""
METHODS = """
open reload entries get versions save_memory forget restore merge undo redo build_system_reminder
build_system_reminder_from select_relevant_memories mark_main_agent_wrote try_lock
"""


def test_what_was_designed_to_be_public_is(tmp_path: Path) -> None:
    assert set(DESIGNED.split()) - set(memtui.__all__) == set()
    assert [name for name in METHODS.split() if not getattr(memtui.MemoryManager, name).__doc__] == []
    assert memtui.MemoryManager(tmp_path).entries() == memtui.MemoryManager.open(tmp_path).entries()


def test_the_version_is_the_packages() -> None:
    assert f'version = "{memtui.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_library_example_runs_in_an_empty_folder(tmp_path: Path) -> None:
    example = LIBRARY.split("```python\n", 1)[1].split("```", 1)[0]
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("created ")
    assert "<project-memory-context>" in done.stdout
    assert not (tmp_path / "notes" / "memory" / "test-policy.md").exists()


def test_the_agent_of_the_readme_remembers_from_one_conversation_to_the_next(tmp_path: Path) -> None:
    example = LIBRARY.split("<!-- agent -->\n```python\n", 1)[1].split("```", 1)[0]
    names = re.search(r"^from memtui import (.*)$", example, re.MULTILINE)
    assert names is not None
    assert set(names[1].split(", ")) <= set(memtui.__all__)
    saved = {
        "slug": "deploys",
        "name": "Deploys",
        "description": "when we deploy",
        "memory_type": "project",
        "content": "We deploy on Tuesdays, after the stand-up.",
    }
    with MessagesServer() as server:
        server.play(
            calls("I note it.", tool_use("save_memory", saved)),
            text("Noted."),
            text("On Tuesdays."),
        )
        done = subprocess.run(
            [sys.executable, "-c", example],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **server.environ()},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout, done.returncode) == ("Noted.\nOn Tuesdays.\n", 0), done.stderr
        first, second, third = (asked.body for asked in server.asked)
    assert first["tools"] == [memtui.SAVE_MEMORY_TOOL]
    assert "project-memory-context" not in first["system"]
    [result] = second["messages"][-1]["content"]
    assert (result["tool_use_id"], result["is_error"]) == ("toolu_1", False)
    assert result["content"].startswith("✅")
    assert "We deploy on Tuesdays, after the stand-up." in third["system"]
    assert third["messages"] == [{"role": "user", "content": "When do we deploy?"}]
