"""A pytest plugin that collects once, and then runs some of the tests in a child, with a wrong in it, as often as it is asked.

``-p tests.proof.forked``, with the numbers of two pipes in ``MEMTUI_PIPES``: from the one it reads what to do, a line of
JSON each, and to the other it writes an exit code each. A wrong is made by giving functions other code, so nothing is
loaded or collected anew; where that would not be all of it, `CANNOT` is told.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import time
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType

import pytest
from hypothesis import Phase, settings

from tests.proof import traced
from tests.proof.areas import REPOSITORY
from tests.proof.wrongs import Place, mutant

Functions = Mapping[str, Sequence[FunctionType]]

SEEN = 1
"""A test failed."""
CANNOT = 98
"""The wrong is in what runs when its file is loaded."""
BROKEN = 99
"""No test was run."""
MOST_SECONDS = 10
"""Processor time of a test, above three times what it took before, after which a wrong counts as found: it hangs (ours)."""


def pytest_sessionstart() -> None:
    """Look for no smaller example of what fails: nobody reads it."""
    settings.register_profile(
        "forked", settings.get_profile("suite"), phases=(Phase.explicit, Phase.generate), database=None
    )
    settings.load_profile("forked")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    asked, told = map(int, os.environ["MEMTUI_PIPES"].split())
    items = {item.nodeid: item for item in session.items}
    gc.unfreeze()
    functions = _functions()
    gc.freeze()  # children share what no collector touches
    with os.fdopen(asked) as questions, os.fdopen(told, "w") as answers:
        for line in questions:
            question = json.loads(line)
            child = os.fork()
            if child == 0:
                code = BROKEN
                try:
                    place = question["place"]
                    made = place is None or _make(Place(*place), functions)
                    code = SEEN if made else CANNOT
                    if made:
                        code = _run(question["tests"], items, session, sound=place is None)
                finally:
                    os._exit(code)
            _, status = os.waitpid(child, 0)
            answers.write(f"{os.waitstatus_to_exitcode(status)}\n")
            answers.flush()
    return True


def _functions() -> Functions:
    """By file, every function of the project that there is."""
    found: defaultdict[str, list[FunctionType]] = defaultdict(list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            found[each.__code__.co_filename].append(each)
    return found


def _run(
    tests: Mapping[str, float], items: Mapping[str, pytest.Item], session: pytest.Session, *, sound: bool
) -> int:
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    chosen = [items[name] for name in tests]
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        if not sound:
            most = int(time.process_time() + MOST_SECONDS + 3 * tests[item.nodeid])
            resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed and not sound:
            return SEEN
    if sound:
        traced.pytest_sessionfinish()
    return 0


def _make(place: Place, functions: Functions) -> bool:
    """Give the functions of a file the code that they have with a wrong; whether that is all of it."""
    path = REPOSITORY / place.file
    source = path.read_text()
    sound = list(_codes(compile(source, str(path), "exec", dont_inherit=True)))
    wrong = list(_codes(compile(mutant(place, source).tree, str(path), "exec", dont_inherit=True)))
    if [code.co_qualname for code in sound] != [code.co_qualname for code in wrong]:
        return False  # the compiler left something out of one
    others = {_key(old): new for old, new in zip(sound, wrong, strict=True)}
    differing = {_key(old) for old, new in zip(sound, wrong, strict=True) if _own(old) != _own(new)}
    left = set(differing)
    for each in functions[str(path)]:
        within = {_key(code) for code in _codes(each.__code__)} & differing
        if within:
            try:
                each.__code__ = others[_key(each.__code__)]
            except ValueError:  # with the wrong it takes other variables from the function around it
                return False
            left -= within
    return bool(differing) and not left


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code and those of the functions and classes within it, in their order."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _key(code: CodeType) -> Hashable:
    """What tells one code of a file from another."""
    return code.co_qualname, code.co_firstlineno, code.co_linetable


def _own(code: CodeType) -> Hashable:
    """What a code does, without those within it."""
    consts = tuple(repr(const) for const in code.co_consts if not isinstance(const, CodeType))
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
