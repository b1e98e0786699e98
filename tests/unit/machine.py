"""A home with the stores of several projects and agents, for tests."""

from __future__ import annotations

import json
import os
from pathlib import Path

from memtui.claude.paths import project_slug
from memtui.memory.document.frontmatter import compose

NOW = 1_780_000_000.0
DAY = 86_400.0


class Machine:
    """A home directory that is filled step by step."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.projects = self.home / ".claude" / "projects"
        self.projects.mkdir(parents=True)
        self.known: dict[str, object] = {}
        self.repositories: dict[str, list[str]] = {}

    def project(self, name: str, *, remote: str | None = None) -> Path:
        """A repository in the home."""
        path = self.home / name
        (path / ".git").mkdir(parents=True)
        if remote is not None:
            (path / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n')
        return path

    def store(self, project: Path, memories: dict[str, str] | None = None) -> Path:
        """The store of a project, whether it is there or not."""
        directory = self.projects / project_slug(str(project)) / "memory"
        directory.mkdir(parents=True, exist_ok=True)
        self.fill(directory, memories or {})
        return directory

    @staticmethod
    def fill(directory: Path, memories: dict[str, str], *, days: float = 1, now: float = NOW) -> None:
        """Memories by slug, ``days`` old, with lines in the index."""
        directory.mkdir(parents=True, exist_ok=True)
        for slug, text in memories.items():
            data = compose(
                name=slug.title(),
                description=f"about {slug}",
                memory_type="feedback",
                body=f"{text}\n",
                nested=True,
                modified=now - days * DAY,
            )
            path = directory / f"{slug}.md"
            path.write_bytes(data)
            os.utime(path, (now - days * DAY,) * 2)
        with (directory / "MEMORY.md").open("a") as index:
            index.writelines(f"- [{slug.title()}]({slug}.md) — about {slug}\n" for slug in memories)

    def session(self, project: Path, *later: Path, name: str = "s1", at: float = NOW, slug: str = "") -> None:
        """A transcript of a session that was started in a project and went on elsewhere."""
        folder = self.projects / (slug or project_slug(str(project)))
        folder.mkdir(parents=True, exist_ok=True)
        lines = [{"type": "summary", "summary": "x"}]
        lines += [{"type": "user", "cwd": str(cwd), "sessionId": name} for cwd in (project, *later)]
        path = folder / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines) + '{"torn')
        os.utime(path, (at, at))

    def write_state(self) -> None:
        """The client's own list."""
        state = {"projects": self.known, "githubRepoPaths": self.repositories}
        (self.home / ".claude.json").write_text(json.dumps(state))
