"""A pattern that is compiled at its first use is the pattern in every respect that is used."""

import re

import platformdirs
import pytest

from memtui.__main__ import _config_file, _state_folder
from memtui.config import CONFIG_NAME
from memtui.memory.lazy import lazy_pattern


def test_a_lazy_pattern_finds_what_the_pattern_finds() -> None:
    source, text = r"(?P<word>[a-z]+)=(\d+)", "One=1 two=22\nTHREE=333"
    lazy, real = lazy_pattern(source, re.IGNORECASE), re.compile(source, re.IGNORECASE)
    assert [found.groups() for found in lazy.finditer(text)] == [
        found.groups() for found in real.finditer(text)
    ]
    assert lazy.sub("-", text) == real.sub("-", text) == "- -\n-"
    assert lazy.match(text, 6) is not None
    assert lazy.search("none") is None
    assert (lazy.pattern, lazy.flags, lazy.groups) == (real.pattern, real.flags, real.groups)


def test_a_lazy_pattern_is_compiled_when_it_is_first_used() -> None:
    lazy = lazy_pattern("(")
    with pytest.raises(re.error):
        lazy.match("")


@pytest.mark.parametrize("named", [None, "", "relative/path", "/etc/xdg", "/etc/xdg/", "~/x"])
@pytest.mark.parametrize("home", ["/home/somebody", "/home/somebody/", "/"])
def test_folders_lie_where_platformdirs_says(
    monkeypatch: pytest.MonkeyPatch, named: str | None, home: str
) -> None:
    monkeypatch.setenv("HOME", home)
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        if named is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, named)
    assert _config_file() == platformdirs.user_config_path("memtui", appauthor=False) / CONFIG_NAME
    assert _state_folder() == platformdirs.user_state_path("memtui", appauthor=False)
