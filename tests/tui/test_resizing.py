"""Every screen of the table of pictures, from 80×24 to 200×60 and below: it draws, nothing is wider than the terminal."""

from __future__ import annotations

import pytest

from memtui.tui.launch import make_app
from tests.screenshots import NOW, REST, SCENES, Scene, at_rest, demo_home

from .conftest import app_of, until

SIZES = ((80, 24), (99, 30), (100, 17), (120, 40), (200, 60), (60, 20), (20, 6), (1, 1), (80, 24))
"""Sizes in the order they are gone through: each side of every breakpoint, and smaller than anybody has."""
OTHER_LOOKS = {"history-beside", "narrow", "light", "ascii", "chinese"}
"""Scenes of screens that another scene shows already."""
DIFFERENT = [scene for scene in SCENES if scene.name not in OTHER_LOOKS]


@pytest.mark.parametrize("scene", DIFFERENT, ids=lambda scene: scene.name)
async def test_a_screen_survives_every_size(scene: Scene) -> None:
    with demo_home() as (home, memories, project):
        app = make_app(memories, lang=scene.lang, clock=lambda: NOW, home=home, project_root=project)
        async with app.run_test(size=scene.size) as pilot:
            await until(
                pilot, lambda: app.snapshot is not None and not app.snapshot.findings_pending, seconds=40
            )
            for key in scene.keys:
                await (at_rest(app, pilot) if key == REST else pilot.press(key))
            await at_rest(app, pilot)
            there = [type(screen) for screen in app.screen_stack]
            for width, height in SIZES:
                await pilot.resize_terminal(width, height)
                await pilot.pause()
                strips = app.screen._compositor.render_strips()
                assert len(strips) == height
                assert {strip.cell_length for strip in strips} == {width}
            assert [type(screen) for screen in app.screen_stack] == there
            assert app_of(pilot).faults == []
