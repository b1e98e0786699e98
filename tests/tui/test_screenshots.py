"""The pictures in ``screenshots/`` are what the app looks like now; ``python -m tests.screenshots`` draws them anew."""

from __future__ import annotations

import pytest

from tests.readme import README
from tests.screenshots import FOLDER, SCENES, Scene, demo_home, draw, png


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_a_picture_is_current(scene: Scene) -> None:
    with demo_home() as (home, memories, project):
        now = await draw(scene, home, memories, project)
    there = (FOLDER / f"{scene.name}.svg").read_text(encoding="utf-8")
    assert now == there, "run: python -m tests.screenshots"


def test_every_picture_belongs_to_a_scene_and_is_in_the_readme() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(
        f"{scene.name}.{kind}" for scene in SCENES for kind in ("svg", "png")
    )
    text = README.read_text(encoding="utf-8")
    assert [scene.name for scene in SCENES if f"(screenshots/{scene.name}.png)" not in text] == []


def test_a_picture_can_be_drawn_as_png() -> None:
    made = png((FOLDER / "browse.svg").read_text(encoding="utf-8"))
    assert made.startswith(b"\x89PNG")
